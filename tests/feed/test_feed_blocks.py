"""What is kept of a feed beside the log is what its events make, to the bit, and saves whoever opens a save reading
them; where it is wrong, it is passed over.
"""

from __future__ import annotations

import asyncio
import gc
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from weakref import ref

import msgspec
import numpy as np
import pytest
from platforms import dump

from sandbox.core.chance import Stream
from sandbox.engine.world import World
from sandbox.feed import blocks, graph
from sandbox.feed.acting import Refused
from sandbox.feed.apply_blocks import take
from sandbox.feed.blocks import encode, join_blocks
from sandbox.store import caches, spans
from sandbox.store.branch import branch
from sandbox.store.feeds import KeptPlatform, open_feed
from sandbox.store.player import relive
from sandbox.store.save import Save
from sandbox.store.schema import LOG, from_stored
from sandbox.store.session import open_session

CROWD, STEPS, SETTINGS = (
    300,
    24,
    ("feed.crowd=300", "crowd.activity=0.4", "crowd.follow=-2", "crowd.unfollow=-2", "crowd.comments=1"),
)
EVERY = 900  # seconds between two blocks


@pytest.fixture(scope="module", autouse=True)
def blocks_often() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(caches, "EVERY_SECONDS", EVERY)
        patch.setattr(spans, "SPAN", 2)
        patch.setattr(graph, "FEW", 30)  # so that follows wait here, too, as those of a large crowd do
        yield


def deeds(p: KeptPlatform, chance: Stream, step: int) -> None:
    """Some accounts do whatever there is to do, to one another and to the crowd."""
    if step < 6:
        p.sign_up(f"user{step}", f"User {step}", bio="Reads of rain.")
        p.sign_up(f"user{step}b", "Another")
    mine, posts, comments = [*p.feed.accounts], p.feed.posts.n, p.feed.comments.n
    for me in mine:
        other, post = chance.below(p.feed.users.n), chance.below(max(1, posts))
        comment, mate = chance.below(max(1, comments)), mine[chance.below(len(mine))]
        acts: list[tuple[str, dict[str, Any]]] = [
            ("create_post", {"text": f"Rain again, says {me} at {step}."}),
            ("like_post", {"post": post}),
            ("unlike_post", {"post": post}),
            ("dislike_post", {"post": post}),
            ("repost", {"post": post}),
            ("quote_post", {"post": post, "text": "So it is."}),
            ("create_comment", {"post": post, "text": "Is it?"}),
            ("like_comment", {"comment": comment}),
            ("report_post", {"post": post, "why": "rude"}),
            ("follow", {"other": other}),
            ("block", {"other": other}),
            ("unblock", {"other": other}),
            ("mute", {"other": other}),
            ("mute_word", {"word": f"word{step}"}),
            ("send_message", {"other": mate, "text": "Hello."}),
            ("create_group", {"name": f"room {step}"}),
            ("join_group", {"group": chance.below(3)}),
            ("send_to_group", {"group": chance.below(3), "text": "Anybody there?"}),
            ("leave_group", {"group": chance.below(3)}),
        ]
        for _ in range(6):
            name, arguments = acts[chance.below(len(acts))]
            try:
                p.do(me, name, **arguments)
            except Refused:
                continue
        if p.feed.accounts[me].posts and chance.unit() < 0.2:
            try:
                p.delete_post(me, p.feed.accounts[me].posts[-1])
            except Refused:
                continue


async def platform(path: Path, first: int, last: int) -> None:
    async with open_feed(path, set=SETTINGS) as p:
        for step in range(first, last):
            deeds(p, Stream(f"deeds {step}".encode()), step)
            await p.end_step()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A platform with accounts and a crowd, lived in two sittings. Nobody may change it."""
    path = tmp_path_factory.mktemp("blocks") / "a.db"
    asyncio.run(platform(path, 0, STEPS - 9))
    asyncio.run(platform(path, STEPS - 9, STEPS))
    return path


def copied(path: Path, folder: Path) -> Path:
    return Path(shutil.copy(path, folder / "copy.db"))


def run(path: Path, *orders: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as db, db:
        return [row for order in orders for row in db.execute(order).fetchall()]


class Looked:
    """What an opening came to: the feed, how many events were folded and applied for it, and what was warned of."""

    def __init__(self) -> None:
        self.folded = self.applied = 0
        self.feed: dict[str, Any] = {}
        self.warnings: list[str] = []


def opened(path: Path, step: int | None = None) -> Looked:
    found = Looked()

    async def go() -> None:
        async with await Save.open(path, read_only=True) as save:
            world = await save.seek(step)
            found.feed, found.warnings = dump(world.feed), list(save.warnings)

    with pytest.MonkeyPatch.context() as patch:
        for name, counter in (("rebuild", "folded"), ("apply", "applied")):
            patch.setattr(World, name, counting(found, counter, getattr(World, name)))
        asyncio.run(go())
    return found


def counting(found: Looked, counter: str, done: Callable[..., None]) -> Callable[..., None]:
    def also(*given: Any) -> None:
        setattr(found, counter, getattr(found, counter) + 1)
        done(*given)

    return also


def lived(path: Path) -> dict[int, dict[str, Any]]:
    """The feed after every step, from event 1 on."""

    async def go() -> dict[int, dict[str, Any]]:
        async with await Save.open(path, read_only=True) as save:
            return {world.step: dump(world.feed) async for world, _ in relive(save)}

    return asyncio.run(go())


def verdict(path: Path) -> tuple[bool, str]:
    async def go() -> tuple[bool, str]:
        async with await Save.open(path, read_only=True) as save:
            found = await save.verify()
            return found.ok, found.why

    return asyncio.run(go())


def test_every_step_is_reached_as_its_events_make_it_and_no_event_before_a_snapshot_is_read(kept: Path) -> None:
    states = lived(kept)
    assert states[STEPS]["posts"] != states[1]["posts"]
    assert run(kept, "SELECT count(*) > 3 FROM feeds") == [(1,)]
    acts = {
        name
        for (name,) in run(kept, "SELECT DISTINCT json_extract(data, '$.act') FROM events WHERE typeof(data) = 'text'")
    }
    assert acts >= {"follow", "block", "leave", "mute", "create"}
    for step, feed in states.items():
        found = opened(kept, step)
        assert found.feed == feed, step
        assert not found.warnings
        if step >= run(kept, "SELECT min(step) FROM feeds")[0][0]:
            assert found.folded == 0


def test_a_save_with_what_is_kept_is_proved(kept: Path) -> None:
    assert verdict(kept) == (True, "")


def blocks_at(path: Path, ends: Sequence[int]) -> list[bytes]:
    """The blocks that end with these steps."""

    async def go() -> list[bytes]:
        found = []
        async with await Save.open(path, read_only=True) as save:
            async for world, _ in relive(save):
                if not world.step:
                    world.note_feed(0)
                if world.step in ends and (made := world.feed_block()) is not None:
                    found.append(made[1])
        return found

    return asyncio.run(go())


@pytest.mark.parametrize("ends", [range(1, STEPS + 1), (2, 3, 11, 12, 20, STEPS)])
def test_blocks_that_are_made_one_say_what_they_said_alone(kept: Path, ends: Sequence[int]) -> None:
    made = [blocks.read(block) for block in blocks_at(kept, ends)]
    cut = len(made) // 2
    one = join_blocks(made)
    assert encode(join_blocks([join_blocks(made[:cut]), join_blocks(made[cut:])])) == encode(one)
    assert (one.after, one.seq, one.rows) == (0, made[-1].seq, made[-1].rows)
    assert len(one.follows.cuts) > 2 * len({after for after, *_ in one.follows.cuts})  # several in a tick
    founded = asyncio.run(beginning(kept))
    assert take(founded.feed, [one]) == one.seq
    assert dump(founded.feed) == opened(kept).feed
    with pytest.raises(ValueError, match="do not follow"):
        join_blocks(made[::2])


async def beginning(path: Path) -> World:
    async with await Save.open(path, read_only=True) as save:
        return await save.beginning()


def test_few_blocks_lead_back_from_any_and_each_that_spans_others_is_one_of_a_span(kept: Path, tmp_path: Path) -> None:
    links = run(kept, "SELECT step, seq, after, format FROM feeds ORDER BY step")
    links = links[: len(links) // 2 * 2]  # the last may be half of a pair
    assert len(links) >= 4
    assert [kind for *_, kind in links] == [caches.FEED_FORMAT, caches.SPAN_FORMAT] * (len(links) // 2)
    assert len(caches.steps_in_chain([link[:3] for link in links])) == len(links) // 2
    assert len(caches.steps_in_chain([link[:3] for link in links[:-1]])) == len(links) // 2


@pytest.mark.parametrize(
    "links",
    [
        [(1, 5, 0), (2, 7, 5), (3, 5, 7), (4, 9, 5)],  # back to an event before it
        [(1, 5, 5), (2, 7, 5)],
        [(1, 5, "0"), (2, 7, None)],
    ],
)
def test_what_leads_back_to_itself_is_no_way(links: list[tuple[Any, Any, Any]]) -> None:
    found = caches.steps_in_chain(links)
    assert found == ([1, 4] if len(links) == 4 else [])


def test_going_on_reads_as_many_events_of_the_feed_after_many_days_as_after_one(kept: Path) -> None:
    for share in (3, 1):
        found = opened(kept, STEPS // share)
        assert found.folded == 0
        assert found.applied < EVERY // 180 * 100


SPOILT = {
    "flipped": "UPDATE feeds SET data = CAST(substr(data, 1, 30) || x'AA' || substr(data, 32) AS BLOB) WHERE step = {}",
    "letters that are none": "UPDATE feeds SET data = CAST(x'FFFEFD' AS TEXT) WHERE step = {}",
    "of another size": "UPDATE feeds SET size = size + 1 WHERE step = {}",
    "of another format": "UPDATE feeds SET format = 99 WHERE step = {}",
    "of another place": "UPDATE feeds SET seq = seq + 1 WHERE step = {}",
    "a text": "UPDATE feeds SET data = 'none' WHERE step = {}",
    "gone": "DELETE FROM feeds WHERE step = {}",
    "all gone": "DELETE FROM feeds",
}


@pytest.mark.sampled(2, slow=20)
@pytest.mark.parametrize("spoil", SPOILT)
def test_a_damaged_block_is_passed_over_and_changes_nothing(kept: Path, tmp_path: Path, spoil: str) -> None:
    path = copied(kept, tmp_path)
    spanning = run(path, f"SELECT step FROM feeds WHERE format = {caches.SPAN_FORMAT} ORDER BY step")[0][0]
    run(path, SPOILT[spoil].format(spanning))
    found = opened(path)
    assert found.feed == opened(kept).feed
    assert found.folded > 0
    assert bool(found.warnings) == (spoil not in ("gone", "all gone"))
    asyncio.run(platform(path, STEPS, STEPS + EVERY // 180 + 1))  # the next one begins where the last good one ends
    assert verdict(path) == (True, "")
    assert opened(path).folded == 0


def forge(path: Path, change: Callable[[list[Any]], None]) -> None:
    """Put another block in the place of the last, with a checksum that fits."""
    step, seq, after, kind, data, digest = run(
        path, "SELECT step, seq, after, format, data, steps.digest FROM feeds JOIN steps USING (step) ORDER BY step"
    )[-1]
    block = msgspec.msgpack.decode(caches.zlib.decompress(data))
    change(block)
    made = caches.pack_feed(step, seq, digest, after, msgspec.msgpack.encode(block), kind)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT OR REPLACE INTO feeds VALUES (?, ?, ?, ?, ?, ?, ?)", made)


FIELDS = blocks.FeedBlock.__struct_fields__


def test_a_block_of_a_version_that_wrote_fewer_fields_proves_and_opens(kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)

    def without_steering(block: list[Any]) -> None:
        assert [*FIELDS[18:], block[18:]] == ["steered", "claims", [None, {}]]
        del block[18:]

    forge(path, without_steering)
    assert verdict(path) == (True, "")
    assert opened(path).feed == opened(kept).feed


def put(name: str, value: Any) -> Callable[[list[Any]], None]:
    def change(block: list[Any]) -> None:
        block[FIELDS.index(name)] = value

    return change


def another_author(block: list[Any]) -> None:
    column = block[FIELDS.index("columns")]
    column[0] = b"\xff" * len(column[0])


def another_count(block: list[Any]) -> None:
    changed = block[FIELDS.index("changed")]
    changed[[name for _, name in blocks.COUNTED].index("dislikes")] = [blocks.pack_places(np.array([0])), b"\x63\0\0\0"]


def other_words(block: list[Any]) -> None:
    texts = block[FIELDS.index("texts")]
    texts[next(iter(texts))] = texts[next(iter(texts))][::-1]


def rows_of(place: int) -> Callable[[list[Any]], None]:
    def change(block: list[Any]) -> None:
        rows = block[FIELDS.index("rows")]
        rows[place] = blocks.LAST

    return change


FORGED = {
    "another count": another_count,
    "other words": other_words,
    "more users than memory holds": rows_of(0),
    "more comments than memory holds": rows_of(2),
    "another mark": put("mark", bytes(16)),
    "an earlier place": put("after", 0),
    "fewer rows": put("rows", (0, 0, 0, 0)),
    "no columns": put("columns", []),
    "nobody's posts": another_author,
    "more deeds": put("deeds", 1_000_000),
    "a card that never was": put("gone", b"\xff\xff\xff\x7f"),
    "another account": put("accounts", [[CROWD + 5000, None, [[[], []]] * 9, [], *[None] * 6, {}]]),
}


@pytest.mark.sampled(2, slow=20)
@pytest.mark.parametrize("what", FORGED)
def test_a_block_that_was_made_up_is_told_by_the_proof_and_passed_over(kept: Path, tmp_path: Path, what: str) -> None:
    path = copied(kept, tmp_path)
    forge(path, FORGED[what])
    found = opened(path)
    assert found.feed == opened(kept).feed
    assert found.warnings
    assert verdict(path) == (False, "the feed kept of it is not the one its events make")


def test_a_save_of_before_has_it_made_when_it_is_first_gone_on_with(kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)
    with closing(sqlite3.connect(path)) as db, db:  # nothing was packed then
        rows = from_stored(db.execute("SELECT * FROM events"))
        db.executemany("UPDATE events SET data = ? WHERE seq = ?", [(row[7], row[0]) for row in rows])
    run(path, "DROP TABLE feeds", "DROP TABLE founding", LOG[1], "PRAGMA user_version = 12")
    old = opened(path)
    assert old.feed == opened(kept).feed
    assert old.folded + old.applied > STEPS
    asyncio.run(platform(path, STEPS, STEPS + 1))
    assert run(path, "SELECT count(*), min(after) FROM feeds") == [(1, 0)]
    again = opened(path)
    assert (again.folded, again.applied) == (0, 0)
    assert verdict(path) == (True, "")


def test_a_branch_takes_along_the_blocks_of_what_it_shares(kept: Path, tmp_path: Path) -> None:
    steps = [step for (step,) in run(kept, "SELECT step FROM feeds ORDER BY step")]
    out = asyncio.run(branch(kept, steps[-1] - 1, tmp_path / "b.db"))
    assert [step for (step,) in run(out, "SELECT step FROM feeds ORDER BY step")] == steps[:-1]
    assert verdict(out) == (True, "")


def test_a_feed_that_nobody_keeps_notes_nothing(kept: Path) -> None:
    async def go() -> None:
        async with await Save.open(kept, read_only=True) as save:
            assert (await save.seek()).feed.noting is None
        async with open_session("county", set=("feed.crowd=50",)) as session:
            assert session.world.feed.noting is not None

    asyncio.run(go())


def test_a_world_that_nobody_holds_dies_at_once_and_a_jump_never_searches_for_what_has_died(kept: Path) -> None:
    searches: list[str] = []

    async def go() -> None:
        async with await Save.open(kept, read_only=True) as save:
            await save.seek()
            gc.collect()
            gc.callbacks.append(lambda phase, _: searches.append(phase))
            world = await save.seek()
            gc.callbacks.pop()
            held = ref(world)
            gc.disable()
            del world
            assert held() is None

    try:
        asyncio.run(go())
    finally:
        gc.enable()
    assert not searches
