"""A crowd in a save: lived in sittings or at once it is the same; any step can be reached; what is spoilt is told."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from platforms import dump

from sandbox.core.events import ZERO, EventRow, chain_digest
from sandbox.engine.loading import WorldFaults
from sandbox.feed.commands import OnFeed
from sandbox.feed.packing import ActKind
from sandbox.store import caches
from sandbox.store.errors import SaveError
from sandbox.store.player import relive
from sandbox.store.save import Save
from sandbox.store.schema import from_stored
from sandbox.store.session import Session, open_session
from sandbox.store.verify import SaveVerdict, verify

STEPS, CROWD = 40, 2000
LIVELY = ["crowd.activity=0.3", "crowd.follow=-3", "crowd.comments=1"]
Row_ = tuple[int, int, int, str, int, str, str, str]


async def live(session: Session, steps: int) -> None:
    for _ in range(steps):
        await session.engine.step()


async def gone_on(path: Path, steps: int) -> None:
    async with open_session(path) as session:
        await live(session, steps)


@pytest.fixture(scope="module", autouse=True)
def snapshots_often() -> Iterator[None]:
    """One every 20 minutes, so that a short life has several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(caches, "EVERY_SECONDS", 1200)
        yield


def county(path: Path, steps: int = STEPS, **more: Any) -> Path:
    async def go() -> None:
        wanted = {"set": [f"feed.crowd={CROWD}", *LIVELY], **more}
        async with open_session("county", save=path, **wanted) as session:
            await live(session, steps)

    asyncio.run(go())
    return path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world of a crowd alone, lived in one go. Nobody may change it."""
    return county(tmp_path_factory.mktemp("crowd") / "a.db")


class Read(NamedTuple):
    """What a save holds. feeds: at each step asked for."""

    digest: bytes
    feeds: dict[int, dict[str, Any]]
    proofs: dict[int, bytes]
    warnings: list[str]


def read(path: Path, *steps: int) -> Read:
    async def go() -> Read:
        async with await Save.open(path, read_only=True) as save:
            worlds = {step: await save.seek(step) for step in steps}
            feeds = {step: dump(w.feed) for step, w in worlds.items()}
            proofs = {step: w.feed.proof() for step, w in worlds.items()}
            return Read(save.digest, feeds, proofs, list(save.warnings))

    return asyncio.run(go())


def lived_again(path: Path, *steps: int) -> dict[int, tuple[bytes, dict[str, Any]]]:
    """The feed after these steps, from event 1 on and without snapshots."""

    async def go() -> dict[int, tuple[bytes, dict[str, Any]]]:
        out = {}
        async with await Save.open(path, read_only=True) as save:
            async for world, _ in relive(save):
                if world.step in steps:
                    out[world.step] = (world.feed.proof(), dump(world.feed))
        return out

    return asyncio.run(go())


def proved(path: Path) -> SaveVerdict:
    async def go() -> SaveVerdict:
        async with await Save.open(path, read_only=True, doubted=True) as save:
            return await verify(save)

    return asyncio.run(go())


def rows(path: Path) -> list[Row_]:
    with closing(sqlite3.connect(path)) as db:
        return rows_of(db)


# ---- lived


@pytest.mark.slow
def test_a_crowd_alone_is_lived_in_packed_events_one_in_the_last_second_of_each_tick(kept: Path) -> None:
    found = [row for row in rows(kept) if row[3] == "crowd_acted"]
    assert [row[2] for row in found] == [180 * i - 1 for i in range(1, STEPS + 1)]
    assert {row[3] for row in rows(kept)} == {"founded", "crowd_acted"}
    assert sum(len(row[7]) for row in found) < 2_000_000


@pytest.mark.slow
def test_a_life_in_three_sittings_is_the_life_in_one(kept: Path, tmp_path: Path) -> None:
    path = county(tmp_path / "b.db", 15)
    asyncio.run(gone_on(path, 3))
    asyncio.run(gone_on(path, STEPS - 18))
    a, b = read(kept, STEPS), read(path, STEPS)
    assert a.digest == b.digest
    assert a.proofs == b.proofs
    assert not a.warnings + b.warnings
    assert proved(path).ok


@pytest.mark.slow
def test_a_branch_goes_on_as_its_source_did(kept: Path, tmp_path: Path) -> None:
    source = county(tmp_path / "a.db", 12)

    async def go() -> bytes:
        async with open_session(source, save=tmp_path / "branch.db") as session:
            await live(session, STEPS - 12)
            return session.save.digest

    assert asyncio.run(go()) == read(kept).digest


@pytest.mark.slow
def test_the_length_of_steps_does_not_matter_to_the_crowd(kept: Path, tmp_path: Path) -> None:
    told = [(row[2], row[7]) for row in rows(kept) if row[3] == "crowd_acted"]
    for step, count in ((60, 30), (420, 10), (3600, 2)):
        path = county(tmp_path / f"{step}.db", count, step=step)
        other = [(row[2], row[7]) for row in rows(path) if row[3] == "crowd_acted"]
        assert other == told[: len(other)], step
        assert len(other) == step * count // 180


def test_a_tick_of_an_hour_comes_once_in_twenty_steps(tmp_path: Path) -> None:
    path = county(tmp_path / "a.db", 40, set=["feed.crowd=200", "feed.tick=3600", *LIVELY])
    assert [(row[1], row[2]) for row in rows(path) if row[3] == "crowd_acted"] == [(20, 3599), (40, 7199)]


def test_another_seed_is_another_crowd(kept: Path, tmp_path: Path) -> None:
    other = county(tmp_path / "a.db", 2, seed=77)
    assert rows(other)[1][7] != rows(kept)[1][7]


def test_a_crowd_of_nobody_is_no_world_and_one_of_few_is(tmp_path: Path) -> None:
    with pytest.raises(WorldFaults, match="nobody is there"):
        county(tmp_path / "none.db", 1, set=["feed.crowd=0"])
    path = county(tmp_path / "a.db", 5, set=["feed.crowd=1", "crowd.others=0", *LIVELY])
    assert len(rows(path)) == 6
    assert proved(path).ok


# ---- proved, and reached


def test_a_life_is_proved_with_its_snapshots(kept: Path) -> None:
    found = proved(kept)
    assert found.ok, found.why
    assert (found.steps, found.events) == (STEPS + 1, STEPS + 1)  # founded, and a tick in each step
    assert found.snapshots >= 5


@pytest.mark.slow
def test_any_step_is_reached_as_a_straight_replay_reaches_it(kept: Path) -> None:
    steps = (0, 1, 6, 7, 8, 20, 33, STEPS)
    found, straight = read(kept, *steps), lived_again(kept, *steps)
    assert not found.warnings
    for step in steps:
        assert (found.proofs[step], found.feeds[step]) == straight[step], step
    assert len(set(found.proofs.values())) == len(steps)


def test_no_snapshot_holds_the_crowd(kept: Path) -> None:
    with closing(sqlite3.connect(kept)) as db:
        sizes = [size for (size,) in db.execute("SELECT size FROM snapshots")]
    assert max(sizes) < 4 * CROWD


# ---- spoilt


def copied(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(kept, tmp_path / "spoilt.db"))


@pytest.mark.slow
def test_a_snapshot_of_another_feed_is_told_and_passed_over(kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)
    with closing(sqlite3.connect(path)) as db, db:
        taken = db.execute("SELECT step, seq, digest, data, size FROM snapshots ORDER BY step").fetchall()
        step, seq, *_ = taken[-1]
        end = db.execute("SELECT digest FROM steps WHERE step = ?", (step,)).fetchone()[0]
        found = caches.Snapshot(*db.execute("SELECT * FROM snapshots WHERE step = ?", (step,)).fetchone())
        state = msgspec.msgpack.decode(caches.unpack_state(found, seq, end, 1 << 20))
        assert len(state["feed"]) == 16
        state["feed"] = bytes(16)
        db.execute(
            "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)",
            caches.pack_state(step, seq, end, msgspec.msgpack.encode(state)),
        )
    spoilt, whole = read(path, STEPS, step - 1), read(kept, STEPS, step - 1)
    assert spoilt.feeds == whole.feeds
    assert spoilt.proofs == whole.proofs
    assert len(spoilt.warnings) == 1
    assert f"the snapshot of step {step} is passed over" in spoilt.warnings[0]
    assert "feed" in spoilt.warnings[0]
    assert (proved(path).ok, proved(path).step) == (False, step)


@pytest.mark.slow
def test_a_snapshot_without_the_feed_is_passed_over(kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)
    with closing(sqlite3.connect(path)) as db, db:
        for row in db.execute("SELECT * FROM snapshots").fetchall():
            found = caches.Snapshot(*row)
            end = db.execute("SELECT digest FROM steps WHERE step = ?", (found.step,)).fetchone()[0]
            state = msgspec.msgpack.decode(caches.unpack_state(found, found.seq, end, 1 << 20))
            del state["feed"]
            packed = caches.pack_state(found.step, found.seq, end, msgspec.msgpack.encode(state))
            db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", packed)
    spoilt, whole = read(path, STEPS), read(kept, STEPS)
    assert spoilt.feeds == whole.feeds
    assert len(spoilt.warnings) == caches.TRIES


def columns(data: str) -> dict[str, Any]:
    return msgspec.json.decode(data)


def again(path: Path, step: int, change: Callable[[dict[str, Any]], dict[str, Any]], forge: bool) -> None:
    """Change what the crowd did in a step. forge: and make all digests anew, as whoever means it would."""
    with closing(sqlite3.connect(path)) as db, db:
        ((seq, *_, data),) = (row for row in rows_of(db) if row[1] == step and row[3] == "crowd_acted")
        db.execute(
            "UPDATE events SET data = ? WHERE seq = ?", (msgspec.json.encode(change(columns(data))).decode(), seq)
        )
        if forge:
            digest_anew(db)


def digest_anew(db: sqlite3.Connection) -> None:
    """Make all digests those of the rows that stand there, and drop what is bound to others."""
    for table in ("snapshots", "memories", "feeds"):
        db.execute(f"DELETE FROM {table}")
    db.execute("DELETE FROM meta WHERE key = 'unversioned'")
    digest = ZERO
    every = [EventRow(*row) for row in rows_of(db)]
    for (at,) in db.execute("SELECT step FROM steps ORDER BY step").fetchall():
        digest = chain_digest(digest, at, [row for row in every if row.step == at])
        db.execute("UPDATE steps SET digest = ? WHERE step = ?", (digest, at))


def rows_of(db: sqlite3.Connection) -> list[Row_]:
    return from_stored(db.execute("SELECT * FROM events ORDER BY seq"))


def encoded(column: np.ndarray) -> str:
    return msgspec.json.decode(msgspec.json.encode(column.tobytes()))


def decoded(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(msgspec.convert(text, bytes), kind).copy()


def one_less(e: dict[str, Any]) -> dict[str, Any]:
    return e | {"acts": encoded(decoded(e["acts"], "u1")[:-1])}


def backwards(e: dict[str, Any]) -> dict[str, Any]:
    return e | {"users": encoded(decoded(e["users"], "<u4")[::-1])}


def unknown(e: dict[str, Any]) -> dict[str, Any]:
    return e | {"acts": encoded(np.full_like(decoded(e["acts"], "u1"), 77))}


def beyond(e: dict[str, Any]) -> dict[str, Any]:
    return e | {"targets": encoded(decoded(e["targets"], "<u4") + np.uint32(10**6))}


def still(e: dict[str, Any]) -> dict[str, Any]:
    return e | {"moved": encoded(np.zeros(CROWD // 8, "u1"))}


def strange(e: dict[str, Any]) -> dict[str, Any]:
    return e | {"mark": encoded(np.zeros(16, "u1"))}


def endless(e: dict[str, Any]) -> dict[str, Any]:
    return e | {"seconds": 2**62}


def doubled(e: dict[str, Any]) -> dict[str, Any]:
    users, acts, targets = (decoded(e[c], k) for c, k in (("users", "<u4"), ("acts", "u1"), ("targets", "<u4")))
    times = np.ones(len(acts), int)
    times[np.flatnonzero(acts == ActKind.LIKE)[0]] = 2
    return e | {
        name: encoded(np.repeat(column, times))
        for name, column in (("users", users), ("acts", acts), ("targets", targets))
    }


SPOILT = [one_less, backwards, unknown, beyond, still, strange, endless, doubled]


@pytest.mark.parametrize("change", [backwards, one_less], ids=lambda f: f.__name__)
def test_a_damaged_packed_event_is_told_with_its_step(
    kept: Path, tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    path = copied(kept, tmp_path)
    again(path, 23, change, forge=False)
    found = proved(path)
    assert (found.ok, found.step) == (False, 23)
    assert "digest" in found.why


@pytest.mark.sampled(1)
@pytest.mark.parametrize("change", SPOILT, ids=lambda f: f.__name__)
def test_a_packed_event_that_does_not_fit_is_told_with_its_step_though_all_digests_are_right(
    kept: Path, tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    path = copied(kept, tmp_path)
    again(path, 9, change, forge=True)
    found = proved(path)
    assert (found.ok, found.step) == (False, 9)
    assert "crowd_acted" in found.why
    with pytest.raises(SaveError, match="beyond step 8"):
        read(path, 12)
    assert read(path, 8).proofs == read(kept, 8).proofs


def narrow(e: dict[str, Any]) -> dict[str, Any]:
    """What the crowd did as version 1 of the event had it."""
    by = decoded(e["by"], "<i2")
    assert (by == by.astype(np.int8)).all()
    return e | {"by": encoded(by.astype(np.int8))}


def test_a_save_whose_stances_moved_by_a_byte_each_is_the_same_life_and_goes_on(kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)
    with closing(sqlite3.connect(path)) as db, db:
        acted = [row for row in rows_of(db) if row[3] == "crowd_acted"]
        assert {row[4] for row in acted} == {2}
        assert sum(len(columns(row[7])["by"]) for row in acted) > 1000
        for seq, *_, data in acted:
            old = msgspec.json.encode(narrow(columns(data))).decode()
            db.execute("UPDATE events SET v = 1, data = ? WHERE seq = ?", (old, seq))
        digest_anew(db)
    assert proved(path).why == ""
    steps = (1, 12, STEPS)
    assert read(path, *steps).proofs == read(kept, *steps).proofs
    asyncio.run(gone_on(path, 2))
    assert proved(path).ok
    with closing(sqlite3.connect(path)) as db:
        assert {row[4] for row in rows_of(db) if row[3] == "crowd_acted"} == {1, 2}


def without_the_first(e: dict[str, Any]) -> dict[str, Any]:
    users, acts, targets = (decoded(e[c], k) for c, k in (("users", "<u4"), ("acts", "u1"), ("targets", "<u4")))
    return e | {"users": encoded(users[1:]), "acts": encoded(acts[1:]), "targets": encoded(targets[1:])}


def of_another_topic(e: dict[str, Any]) -> dict[str, Any]:
    """No counter differs by it."""
    users, acts, targets = (decoded(e[c], k) for c, k in (("users", "<u4"), ("acts", "u1"), ("targets", "<u4")))
    posts = np.flatnonzero(acts == ActKind.POST)
    at = next(i for i in posts if (users[posts] == users[i]).sum() == 1)
    targets[at] = (targets[at] + 1) % 9
    return e | {"targets": encoded(targets)}


@pytest.mark.parametrize("change", [without_the_first, of_another_topic], ids=lambda f: f.__name__)
def test_an_event_that_fits_but_is_not_what_was_is_told_at_the_next(
    kept: Path, tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    path = copied(kept, tmp_path)
    again(path, 9, change, forge=True)
    found = proved(path)
    assert (found.ok, found.step) == (False, 10)
    assert "not as it was" in found.why


def test_a_flipped_bit_below_what_is_kept_is_found_by_its_proof_and_by_whoever_has_the_events_alone(
    kept: Path, tmp_path: Path
) -> None:
    path = copied(kept, tmp_path)
    again(path, 9, backwards, forge=False)
    assert (proved(path).ok, proved(path).step) == (False, 9)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM feeds")
    with pytest.raises(SaveError, match="beyond step 8"):  # the snapshots after it hold nothing of the crowd
        read(path, STEPS)
    assert read(path, 5).proofs == read(kept, 5).proofs


# ---- with a town


QUIET = ("phones.looks=0", "feed.crowd=0", "feed.tick=180", "crowd.activity=0.1")  # its people have no phones


def town(path: Path, steps: int, *set_: str, say: bool = False) -> Path:
    async def go() -> None:
        async with open_session("larkspur", save=path, set=(*QUIET, *set_)) as session:
            for i in range(steps):
                if say and i in (2, 5):
                    who = next(iter(session.world.cast))
                    text = "The bread is out of the oven." if i == 2 else "And it is gone."
                    session.engine.do(OnFeed(by=who, action="create_post", arguments={"text": text}))
                await session.engine.step()

    asyncio.run(go())
    return path


@pytest.mark.slow
def test_a_town_beside_a_crowd_lives_as_it_does_alone(tmp_path: Path) -> None:
    alone = town(tmp_path / "a.db", 45)
    beside = town(tmp_path / "b.db", 45, "feed.crowd=300")
    people = [[row for row in rows(path) if row[3] not in ("crowd_acted", "founded")] for path in (alone, beside)]
    crowd = [row for row in rows(beside) if row[3] == "crowd_acted"]
    assert [row[2] for row in crowd] == [180 * i - 1 for i in range(1, 16)]
    assert len(people[0]) > 50

    def plain(rows_: list[Row_], skipped: list[int]) -> list[Any]:
        def own(seq: int) -> int:
            return seq - sum(other < seq for other in skipped)

        out = []
        for seq, step, t, kind, v, actor, causes, data in rows_:
            out.append((own(seq), step, t, kind, v, actor, [own(c) for c in msgspec.json.decode(causes)], data))
        return out

    assert plain(people[1], [row[0] for row in crowd]) == plain(people[0], [])


@pytest.mark.slow
def test_a_town_and_its_crowd_are_reached_at_any_step_and_proved(tmp_path: Path) -> None:
    path = town(tmp_path / "a.db", 45, "feed.crowd=300", *LIVELY, say=True)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM snapshots").fetchone()[0] > 1
    steps = (0, 3, 21, 30, 45)
    found, straight = read(path, *steps), lived_again(path, *steps)
    assert not found.warnings
    for step in steps:
        assert (found.proofs[step], found.feeds[step]) == straight[step], step
    assert found.feeds[45]["texts"]
    verdict = proved(path)
    assert verdict.ok, verdict.why


@pytest.mark.slow
def test_nothing_on_a_towns_feed_is_later_than_the_worlds_now(tmp_path: Path) -> None:
    async def go() -> tuple[int, int]:
        async with open_session("larkspur", save=tmp_path / "a.db", set=[*QUIET, "feed.crowd=300", *LIVELY]) as session:
            w = session.world
            who = next(iter(w.cast))
            for i in range(30):
                if i % 7 == 4:
                    session.engine.do(OnFeed(by=who, action="create_post", arguments={"text": "Bread"}))
                await session.engine.step()
                assert w.now == 60 * (i + 1)
                for table in (w.feed.posts, w.feed.comments, w.feed.roots):
                    assert (table.t[: table.n] <= w.now).all(), w.now
                    assert (table.t[: table.n] >= 0).all()
            comments, posts = w.feed.comments, w.feed.posts
            assert (comments.t[: comments.n] >= posts.t[comments.post[: comments.n]]).all(), "before its post"
            via = posts.via[: posts.n]
            assert (posts.t[: posts.n] >= posts.t[via])[via >= 0].all(), "before what it passes on"
            return w.feed.posts.n, w.feed.comments.n

    posts, comments = asyncio.run(go())
    assert min(posts, comments) > 20
    told = [(row[1], row[2]) for row in rows(tmp_path / "a.db") if row[3] == "crowd_acted"]
    assert told == [(3 * k, 180 * k - 1) for k in range(1, 11)]
