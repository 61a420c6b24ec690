"""Taking a whole platform out of a save: each act by its name, and its users, follows, posts and comments as tables,
which another world can begin with.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.cli import export
from sandbox.cli.main import cli
from sandbox.core.faults import Faults, strange
from sandbox.core.faults import clean_name as kept_as
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.core.vectors import Embedded
from sandbox.engine.load_population import FOLLOWS, PopulationOptions, Tables
from sandbox.engine.load_posts import EPOCHS, POSTS
from sandbox.engine.load_users import COLUMNS
from sandbox.engine.loading import load
from sandbox.engine.world import World
from sandbox.feed.acts import ACTIONS
from sandbox.feed.cards import KIND_WORDS
from sandbox.feed.loaded_tables import Names, unpack_cards
from sandbox.feed.model import UNIT, Feed
from sandbox.feed.reading import comment_text, handle_of, name_of_user, text_of
from sandbox.feed.words import CrowdWords
from sandbox.readers.tables_feed import _CHANCES, STATES
from sandbox.store.errors import SaveError
from sandbox.store.feeds import KeptPlatform, open_feed
from sandbox.store.save import read_save
from sandbox.store.session import create_save

CROWD = 40
Row = dict[str, Any]
ODD = "=1+1 is\nno formula,\tshe said: \"2\" \u202e\u0007 🍞 'quoted'"  # what a spreadsheet and a terminal would alter
USERS = [
    {"id": "a1", "handle": "ada.lane", "name": "Ada Lane", "bio": ODD, "age": 34, "gender": "f", "stance": -0.25},
    {"id": "b2", "topics": "war;health", "openness": 1, "profession": "teaching", "hours": ";".join(["0.5"] * 24)},
    {"id": "c3", "name": "@cy"},
]
FOLLOWED = [{"follower": "c3", "followed": "b2"}, {"follower": "a1", "followed": "b2"}]
BEFORE = [
    {"id": "p1", "author": "a1", "time": -3600, "text": ODD, "topic": "war", "stance": 0.125, "likes": 3},
    {"author": "b2", "time": -60, "text": "", "repost_of": "p1"},
]


def sandbox(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done.output


def rows(save: Path, what: str, *words: str) -> list[Row]:
    return [json.loads(line) for line in sandbox("export", save, "--what", what, *words).splitlines()]


def table(save: Path, what: str, *words: str) -> list[dict[str, str]]:
    text = sandbox("export", save, "--what", what, "--format", "csv", *words)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def world(folder: Path, form: str = "jsonl", **tables: str) -> Path:
    """A world that is a crowd alone, of these tables."""
    folder.mkdir()
    for name, text in tables.items():
        (folder / f"{name}.{form}").write_text(text, encoding="utf-8", newline="")
    named = ", ".join(f"{name}: {name}.{form}" for name in tables)
    (folder / "world.yaml").write_text(f'title: W\nstart: "2025-03-04 07:30"\nstep: 3m\npopulation: {{{named}}}\n')
    return folder


def lines(of: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in of)


def founded(folder: Path, path: Path, **settings: int) -> Path:
    """A save of a world in which nothing has happened yet."""

    async def go() -> None:
        given = [f"{key.replace('_', '.')}={value}" for key, value in settings.items()]
        async with await create_save(load(folder, set=given), path):
            pass

    asyncio.run(go())
    return path


def ended(path: Path) -> World:
    """The world at the end of a save."""

    async def go() -> World:
        async with await read_save(str(path)) as save:
            return await save.seek()

    return asyncio.run(go())


@asynccontextmanager
async def kept(path: Path, *settings: str) -> AsyncIterator[KeptPlatform]:
    async with open_feed(path, set=settings) as platform:
        yield platform
        await platform.end_step()


async def lively(platform: KeptPlatform) -> None:
    """Accounts beside the crowd, with all that their posts can be, and a morning in which the crowd reads them."""
    ada, bo = platform.sign_up("ada", "Ada", "I bake bread."), platform.sign_up("bo", "Bo")
    platform.advance(170)  # what comes after it in number may come before it in time
    post = platform.create_post(ada, ODD, stance=0.5)
    again = platform.repost(bo, post)
    platform.quote_post(bo, again, "Look at that.")
    gone = platform.create_post(bo, "I never said so.")
    platform.create_comment(ada, gone, "You did.")
    platform.create_comment(bo, post, ODD, tone=-1, doubt=7)
    platform.follow(ada, bo)
    platform.follow(ada, 0)
    for _ in range(8):
        await platform.end_step()
    platform.delete_post(bo, gone)
    cy = platform.sign_up("cy", "Cy")
    mine = platform.repost(cy, again)  # passes on what passes on
    platform.delete_post(bo, again)
    assert platform.feed.posts.via[mine] == again
    assert platform.feed.posts.gone[again]


def made(path: Path, act: Callable[[KeptPlatform], Awaitable[None]], *settings: str) -> Path:
    async def go() -> None:
        async with kept(path, *settings) as platform:
            await act(platform)

    asyncio.run(go())
    return path


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A platform of loaded and drawn users and accounts, on which all kinds of things have happened."""
    folder = tmp_path_factory.mktemp("feeds")
    start = world(folder / "w", users=lines(USERS), follows=lines(FOLLOWED), posts=lines(BEFORE))
    path = founded(start, folder / "w.db", feed_crowd=CROWD, crowd_repost=0, crowd_follow=-2, crowd_activity=1)
    return made(path, lively)


# ---- acts


async def all_of_them(p: KeptPlatform) -> None:
    """Each of the platform's actions, most by the second account on what the first has made."""
    ada, bo = p.sign_up("ada", "Ada"), p.sign_up("bo", "Bo")
    post, group = p.create_post(ada, "The loaf came out golden."), p.create_group(ada, "Bakers")
    comment = p.create_comment(bo, post, "So it did.", tone=1, doubt=2)
    for name in ("like", "dislike", "unlike", "undo_dislike"):
        p.do(bo, f"{name}_post", post=post)
        p.do(bo, f"{name}_comment", comment=comment)
    for name in ("follow", "unfollow", "mute", "unmute", "block", "unblock"):
        p.do(bo, name, other=ada)
    p.send_message(ada, bo, "Hello")
    for name in ("join_group", "listen_from_group", "leave_group"):
        p.do(bo, name, group=group)
    p.do(ada, "send_to_group", group=group, text="All well?")
    for name in ("mute_word", "unmute_word"):
        p.do(bo, name, word="rye")
    for name in ("search_posts", "search_users"):
        p.do(bo, name, query="loaf")
    for name in ("refresh", "trend", "do_nothing"):
        p.do(bo, name)
    p.do(bo, "read_messages", other=ada)
    p.do(bo, "repost", post=post)
    p.do(bo, "report_post", post=post)
    p.delete_post(bo, p.quote_post(bo, post, "Look at that."))


def test_every_action_is_exported_by_the_name_it_has_on_the_platform(tmp_path: Path) -> None:
    path = made(tmp_path / "all.db", all_of_them)
    found_ = rows(path, "feed")
    assert {row["act"] for row in found_} == {*ACTIONS}
    by = {row["act"]: row for row in found_}
    assert (by["read_messages"]["target"], by["listen_from_group"]["target"]) == (0, 0)
    assert (by["create_group"]["target"], by["create_group"]["made"]) == (-1, 0)
    assert (by["create_comment"]["tone"], by["create_comment"]["doubt"]) == (1, 2)
    assert by["repost"]["tone"] is by["repost"]["doubt"] is None


@pytest.mark.parametrize("doubts", [False, True])
def test_what_the_crowd_does_has_the_names_of_the_platform_too(tmp_path: Path, doubts: bool) -> None:
    path, settings = tmp_path / "crowd.db", (f"crowd.doubts={doubts}".lower(), "crowd.comments=3")
    sandbox("run", "county", "--crowd", "300", "--steps", "20", *(f"--set={s}" for s in settings), "--save", path)
    acts = rows(path, "feed")
    assert {row["act"] for row in acts} <= {*ACTIONS}
    said = [row for row in acts if row["act"] == "create_comment"]
    feed = ended(path).feed
    assert len(said) == feed.comments.n > 20
    for row in said:
        assert row["tone"] == feed.comments.tone[row["made"]]
        assert row["doubt"] == feed.comments.doubt[row["made"]]
    assert any(row["doubt"] for row in said) == doubts


# ---- rows are not gathered


class Full(Exception):
    pass


def test_rows_are_written_as_they_are_made(save: Path) -> None:
    taken: list[int] = []

    def endless() -> Iterator[tuple[int]]:
        while True:
            taken.append(len(taken))
            yield (taken[-1],)

    def put(row: tuple[int]) -> None:
        assert row == (len(taken) - 1,)
        if len(taken) == 3:
            raise Full

    async def go() -> None:
        async with await read_save(str(save)) as one:
            await export._rows(one, endless(), put)

    with pytest.raises(Full):  # not taken for a fault of the save
        asyncio.run(go())


def test_an_event_that_no_row_can_be_made_of_is_told_in_a_sentence(save: Path) -> None:
    def broken() -> Iterator[tuple[int]]:
        yield (1,)
        raise KeyError("nobody")

    async def go() -> None:
        async with await read_save(str(save)) as one:
            await export._rows(one, broken(), lambda row: None)

    with pytest.raises(SaveError, match="does not fit its world"):
        asyncio.run(go())


@pytest.mark.slow
def test_large_events_are_read_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "crowd.db"
    sandbox("run", "county", "--crowd", "2000", "--steps", "40", "--save", path)
    whole = rows(path, "feed")
    monkeypatch.setattr("sandbox.store.log_reader.RUN", 20_000)

    async def go() -> list[list[tuple[int, int]]]:
        async with await read_save(str(path)) as one:
            return [[(row.seq, len(row.data)) for row in run] async for _, run in one.runs()]

    runs = asyncio.run(go())
    assert [seq for run in runs for seq, _ in run] == [*range(1, 42)]
    assert len(runs) > 8
    assert all(len(run) == 1 or sum(size for _, size in run) < 3 * 20_000 for run in runs)
    assert rows(path, "feed") == whole


# ---- the platform as it stands


def test_the_tables_say_what_stands_on_the_feed_at_the_end(save: Path) -> None:
    end = ended(save)
    feed, words = end.feed, CrowdWords.of(end.scenario)
    users = rows(save, "feed-users")
    assert [row["id"] for row in users] == [*range(feed.users.n)]
    assert [row["handle"] for row in users] == [handle_of(feed, u, words) for u in range(feed.users.n)]
    assert [row["name"] for row in users] == [name_of_user(feed, u, words) for u in range(feed.users.n)]
    assert [row["fans"] for row in users] == feed.users.fans[: feed.users.n].tolist()
    assert [row["kind"] for row in users] == ["loaded"] * 3 + ["drawn"] * (CROWD - 3) + ["account"] * 3
    assert [row["stance"] for row in users[:CROWD]] == [x / UNIT for x in feed.users.stance[:CROWD].tolist()]
    assert users[0]["bio"] == ODD
    assert all(row["age"] is row["hours"] is None for row in users[CROWD:])
    fans = [row["followed"] for row in rows(save, "feed-follows")]
    assert [fans.count(user) for user in range(feed.users.n)] == [row["fans"] for row in users]
    posts = rows(save, "feed-posts")
    p = feed.posts
    there = [card for card in range(p.n) if not p.gone[card]]
    assert [row["id"] for row in posts] == there
    assert {row["what"] for row in posts} == {*KIND_WORDS}
    for row in posts:
        card = row["id"]
        assert (row["author"], row["root"], row["t"]) == (p.author[card], p.root[card], p.t[card])
        if row["what"] == "repost":
            assert row["repost_of"] in there
            assert p.root[row["repost_of"]] == row["root"]
            assert row["text"] is row["likes"] is row["stance"] is None
        else:
            assert row["text"] == text_of(feed, card, words) != ""
            counts = (p.likes, p.dislikes, p.comments, p.reposts, p.quotes)
            names = ("likes", "dislikes", "comments", "reposts", "quotes")
            assert tuple(row[name] for name in names) == tuple(column[card] for column in counts)
            again = sum(other["what"] == "repost" and other["root"] == card for other in posts)
            assert row["reposts"] == again
    assert [(row["t"], row["time"]) for row in posts[:2]] == [
        (-3600, "2025-03-04 06:30:00"),
        (-60, "2025-03-04 07:29:00"),
    ]
    comments = rows(save, "feed-comments")
    assert [row["id"] for row in comments] == [n for n in range(feed.comments.n) if not p.gone[feed.comments.post[n]]]
    assert len(comments) < feed.comments.n
    assert [row["text"] for row in comments] == [comment_text(feed, row["id"], words) for row in comments]
    assert (comments[0]["text"], comments[0]["tone"], comments[0]["doubt"]) == (ODD, -1, 7)


@pytest.mark.parametrize("what", STATES)
def test_both_formats_hold_the_same_rows_in_the_documented_columns(save: Path, what: str) -> None:
    found_, cells = rows(save, what), table(save, what)
    assert len(cells) == len(found_) > 0
    assert tuple(cells[0]) == tuple(found_[0]) == STATES[what].columns
    assert ", ".join(STATES[what].columns) in " ".join(sandbox("export", "--help").split())
    key = next(iter(found_[0]))
    assert [row[key] for row in cells] == [str(row[key]) for row in found_]


def test_what_can_be_loaded_has_the_columns_that_are_loaded_and_no_others(save: Path) -> None:
    for what, known in (("feed-users", COLUMNS), ("feed-follows", FOLLOWS), ("feed-posts", POSTS)):
        of = STATES[what]
        other = {name for name in known if name in EPOCHS or (name in COLUMNS and name[1:] in HOURS)}
        assert {*of.columns[: of.loads]} == {*known} - other
        assert tuple(rows(save, what, "--loadable")[0]) == of.columns[: of.loads]
    assert {what for what in STATES if STATES[what].loads} == {*export.LOADABLE}


HOURS = {str(hour) for hour in range(24)}  # h0 to h23 are another way to write `hours`, and times since 1970 of `time`


def test_each_chance_of_a_sitting_is_loaded_as_it_was() -> None:
    assert [round(float(chance) * 255) for chance in _CHANCES] == [*range(256)]


def plain(users: list[Row]) -> list[Row]:
    """What a table says of users, but for what it leaves to be drawn."""
    return [{key: value for key, value in row.items() if row["age"] is not None or key in NAMED} for row in users]


NAMED = ("id", "handle", "name", "bio")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_platform_is_taken_out_and_is_the_beginning_of_another_world(save: Path, tmp_path: Path, form: str) -> None:
    tables = {
        what.removeprefix("feed-"): sandbox("export", save, "--what", what, "--format", form, "--loadable")
        for what in export.LOADABLE
    }
    again = founded(world(tmp_path / "again", form, **tables), tmp_path / "again.db")
    old, new = rows(save, "feed-users", "--loadable"), rows(again, "feed-users", "--loadable")
    assert len(old) == len(new) > CROWD
    for a, b in zip(plain(old), new, strict=True):
        assert a == {key: b[key] for key in a}
    followed = [[*row.values()] for row in rows(save, "feed-follows", "--loadable")]
    assert [[*row.values()] for row in rows(again, "feed-follows")] == followed
    cards, newer = (rows(path, "feed-posts", "--loadable") for path in (save, again))
    assert sum(row["repost_of"] is not None for row in cards) > 3
    order = sorted(cards, key=lambda row: row["time"])
    assert [row["time"] for row in order] == [row["time"] for row in newer]
    at = {row["id"]: row for row in cards}
    there = {row["id"]: row for row in newer}
    assert sorted(map(repr, (told(row, at) for row in cards))) == sorted(map(repr, (told(row, there) for row in newer)))
    sandbox("run", again, "--steps", "2")


def told(card: Row, cards: dict[int, Row]) -> tuple[object, ...]:
    """What a card says, with the card that it passes on instead of its number."""
    of = card["repost_of"]
    passed = None if of is None else told(cards[of], cards)
    return (passed, *(card[key] for key in ("author", "time", "text", "topic", "stance", "likes", "dislikes")))


# Names, bios and posts as somebody hostile, or from anywhere, would write them.
SIGNS = st.characters(exclude_categories=["Cs"]) | st.sampled_from("=+-@\t\r\n\"',;\x00\x0b\x1b\x85\u2028\u202e\u200d")
TEXTS = st.text(SIGNS, max_size=30)
CALLED = TEXTS.map(str.strip).filter(lambda text: text and not strange(text) and kept_as(text) == text)


@given(called=st.lists(CALLED, min_size=1, max_size=4), said=st.lists(TEXTS.filter(str.strip), min_size=4, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_whatever_goes_out_loadable_comes_back_equal(
    tmp_path: Path, form: str, called: list[str], said: list[str]
) -> None:
    tables = {
        "users": (("id", "name", "bio"), [(i, name, said[i]) for i, name in enumerate(called)]),
        "posts": (("author", "time", "text"), [(0, -60, text) for text in said]),
    }
    folder, faults = tmp_path / "w", Faults()
    folder.mkdir(exist_ok=True)
    for key, (columns, cells) in tables.items():
        with (folder / f"{key}.{form}").open("w", encoding="utf-8", newline="") as file:
            put = export._writer(columns, form, file, exact=True)
            for row in cells:
                put(row)
    (folder / "world.yaml").write_text(f"population: {{users: users.{form}, posts: posts.{form}}}\n")
    asked = PopulationOptions(datetime(2025, 3, 4), Embedded(), np.ones((9, 32), np.int8), ())
    found_ = Tables().read(MappingReader(open_yaml(folder / "world.yaml", faults)), folder, asked, faults)
    assert [str(fault) for fault in faults] == []
    assert found_ is not None
    assert [row[1:] for row in Names(found_).all()] == [row[1:] for row in tables["users"][1]]
    cards = unpack_cards(found_)
    assert cards is not None
    assert cards.texts == said


def test_a_name_like_a_formula_is_guarded_for_a_spreadsheet_and_kept_for_a_world(tmp_path: Path) -> None:
    start = world(tmp_path / "w", users=lines([{"id": "a", "name": "=Ada", "bio": "+1 for rye"}]))
    path = founded(start, tmp_path / "w.db")
    assert table(path, "feed-users")[0]["name"] == "'=Ada"
    again = sandbox("export", path, "--what", "feed-users", "--format", "csv", "--loadable")
    path = founded(world(tmp_path / "again", "csv", users=again), tmp_path / "again.db")
    (row,) = rows(path, "feed-users")
    assert (row["name"], row["bio"]) == ("=Ada", "+1 for rye")


def test_what_a_terminal_might_obey_is_kept_for_a_file_alone(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.cli.export.stdout_is_terminal", lambda: True)
    told = sandbox("export", save, "--what", "feed-posts", "--format", "csv", "--loadable", code=2)
    assert "give --out FILE" in told
    sandbox("export", save, "--what", "feed-posts", "--loadable")


def test_json_lines_keep_a_text_as_it_is_and_csv_makes_it_harmless(save: Path) -> None:
    one = next(row for row in rows(save, "feed-posts") if row["id"] == 0)
    assert one["text"] == ODD
    cell = table(save, "feed-posts")[0]["text"]
    assert cell.startswith("'=1+1 is no formula")
    assert "\n" not in cell


# ---- what cannot be


@pytest.mark.slow
def test_a_save_without_a_feed_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "town.db"
    sandbox("run", "larkspur", "--steps", "2", "--save", path, "--set", "feed.on=false", "--set", "feed.crowd=0")
    for what in (*STATES, "feed", "phones"):
        out = sandbox("export", path, "--what", what, code=2)
        assert "is of a world without a feed; export another table" in out
        assert len(out.splitlines()) == 1


@pytest.mark.parametrize("what", ["feed-comments", "feed", "talk"])
def test_what_no_world_takes_is_not_made_loadable(save: Path, what: str) -> None:
    assert f"no world loads {what}" in sandbox("export", save, "--what", what, "--loadable", code=2)


# ---- views


@pytest.mark.slow
def test_the_view_of_users_has_a_towns_people_with_the_numbers_they_have(tmp_path: Path) -> None:
    path = tmp_path / "town.db"
    sandbox("run", "larkspur", "--crowd", "30", "--steps", "2", "--save", path)
    feed: Feed = ended(path).feed
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        seen = db.execute("SELECT seq, step, t, who, user, handle, name, bio, reason FROM feed_users").fetchall()
    people = [(1, 0, 0, a.handle, a.number, a.handle, a.name, a.bio, "") for a in feed.accounts.values()]
    assert seen == people
    assert [row[4] for row in seen] == [*range(30, 30 + len(people))]
