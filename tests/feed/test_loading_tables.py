"""A crowd loaded from other people's tables: as they say, every fault at its row, and a save that needs them not."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import shutil
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.core.vectors import Embedded, project
from sandbox.engine.checking import check_scenario
from sandbox.engine.load_users import read_users
from sandbox.engine.loading import WorldFaults, find_world, load, read
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.feed.loaded_tables import (
    UNSAID,
    Population,
    check_population,
    compress_parts,
    pack_cards,
    pack_columns,
    pack_follows,
    unpack_cards,
    unpack_columns,
    unpack_follows,
)
from sandbox.feed.model import POST, REPOST, UNTOLD, Feed
from sandbox.feed.population import topics_of_vector
from sandbox.store.save import Save
from sandbox.store.session import founding, open_session

START = "2025-03-04 07:30"
Rows = Iterable[Mapping[str, object]]

USERS = [
    {"id": "a1", "handle": "ada", "name": "Ada Lane", "bio": "I bake sourdough bread.", "age": 34, "gender": "f"},
    {"id": "b2", "topics": "war;health", "stance": 0.5, "pleasure": -0.25, "openness": 1, "profession": "teaching"},
    {"id": "c 3", "name": "Cy", "gender": "Male", "profession": "wizard", "stance": -1},
]
FOLLOWS = [
    {"follower": "c 3", "followed": "b2"},
    {"follower": "a1", "followed": "b2"},
    {"follower": "c 3", "followed": "a1"},
]
POSTS = [
    {"id": "p2", "author": "b2", "time": -60, "text": "", "repost_of": "p1"},
    {
        "id": "p1",
        "author": "a1",
        "time": "2025-03-04 07:12",
        "text": "The vaccine trial, as I\x1b[31m see it",
        "likes": 3,
    },
    {"id": "p3", "author": "c 3", "time": -60, "text": "", "repost_of": "p2"},
    {"id": "p4", "author": "a1", "time": 0, "text": "Peace now", "topic": "war", "stance": -0.5, "dislikes": 2},
]


def as_csv(rows: Rows) -> bytes:
    out = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(out, names)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_lines(rows: Rows) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def world(folder: Path, extra: str = "", **tables: bytes | Rows) -> Path:
    """A world that is a crowd alone. tables: by key, rows (kept as CSV) or the bytes of a .csv."""
    folder.mkdir(parents=True, exist_ok=True)
    named = {}
    for key, table in tables.items():
        name = f"{key}.csv"
        (folder / name).write_bytes(table if isinstance(table, bytes) else as_csv(table))
        named[key] = name
    said = ", ".join(f"{key}: {name}" for key, name in named.items())
    (folder / "world.yaml").write_text(f'title: Loaded\nstart: "{START}"\nseed: 4\npopulation: {{{said}}}\n{extra}')
    return folder


def feed_of(scenario: Scenario) -> Feed:
    return World.found(founding(scenario)).feed


def faults(folder: Path) -> list[str]:
    with pytest.raises(WorldFaults) as caught:
        load(folder)
    return [f"{Path(f.file).name}:{f.line}:{f.column} {f.message}" for f in caught.value.faults]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return world(tmp_path / "small", users=USERS, follows=FOLLOWS, posts=POSTS)


# ---- what the tables say


def test_users_are_as_their_table_says(small: Path) -> None:
    feed = feed_of(load(small))
    assert feed.crowd == 3
    names = feed.loaded_names
    assert names is not None
    assert [names.handle(i) for i in range(3)] == ["ada", "b2", "c_3"]
    assert [names.name(i) for i in range(3)] == ["Ada Lane", "b2", "Cy"]
    assert [names.bio(i) for i in range(3)] == ["I bake sourdough bread.", "", ""]
    who = feed.profiles
    assert who.age[0] == 34
    assert (who.gender[0], who.gender[2]) == (0, 1)
    assert who.topics[1].tolist() == [3, 7]
    assert who.profession[1] == 4
    assert who.profession[2] < 13  # nobody knows what a wizard is
    assert who.traits[1, 0] == 100
    assert feed.users.stance[1:3].tolist() == [500, -1000]
    assert feed.users.pleasure[1] == -25


def test_what_a_bio_is_about_is_what_one_is_interested_in(small: Path) -> None:
    feed = feed_of(load(small))
    row = project(Embedded().embed([str(USERS[0]["bio"])]), "embedded")[0]
    assert feed.users.vector[0].tolist() == row.tolist()
    assert feed.profiles.topics[0].tolist() == topics_of_vector(row, feed.topics)


def test_what_a_table_does_not_say_is_drawn_as_for_a_drawn_user_of_that_number(tmp_path: Path) -> None:
    bare = world(tmp_path / "bare", users=[{"id": i} for i in range(50)])
    drawn = world(tmp_path / "drawn", users=b"")
    (drawn / "world.yaml").write_text(f'title: D\nstart: "{START}"\nseed: 4\nparameters: {{feed.crowd: 50}}\n')
    one, other = feed_of(load(bare)), feed_of(load(drawn))
    for a, b in zip(one.profiles, other.profiles, strict=True):
        assert np.array_equal(a, b)
    for name in ("vector", "stance", "pleasure", "fans"):
        assert np.array_equal(getattr(one.users, name), getattr(other.users, name))
    assert np.array_equal(one.hours, other.hours)
    assert np.array_equal(one.graph.followees, other.graph.followees)


def test_follows_are_exactly_those_given(small: Path) -> None:
    feed = feed_of(load(small))
    assert feed.graph.first.tolist() == [0, 1, 1, 3]
    assert feed.graph.followees.tolist() == [1, 1, 0]  # each user's in the order of the rows
    assert feed.users.fans[:3].tolist() == [1, 2, 0]


def test_an_empty_table_of_follows_leaves_everybody_alone(tmp_path: Path) -> None:
    feed = feed_of(load(world(tmp_path / "w", users=USERS, follows=b"follower,followed\n")))
    assert len(feed.graph.followees) == 0
    assert feed.graph.users == 3


def test_posts_stand_on_the_feed_at_its_beginning(small: Path) -> None:
    feed = feed_of(load(small))
    p = feed.posts
    n = p.n
    assert n == 4
    assert p.author[:n].tolist() == [0, 1, 2, 0]
    assert p.t[:n].tolist() == [-1080, -60, -60, 0]
    assert p.kind[:n].tolist() == [POST, REPOST, REPOST, POST]
    assert p.root[:n].tolist() == p.of[:n].tolist() == [0, 0, 0, 3]
    assert p.via[:n].tolist() == [-1, 0, 1, -1]
    assert p.likes[:n].tolist() == [3, 0, 0, 0]
    assert p.dislikes[:n].tolist() == [0, 0, 0, 2]
    assert p.reposts[:n].tolist() == [2, 0, 0, 0]
    assert p.stance[:n].tolist() == [UNTOLD, UNTOLD, UNTOLD, -500]
    assert p.topic[3] == 3
    assert len({*p.topic[:3].tolist()}) == 1
    assert p.earlier[:n].tolist() == [-1, -1, -1, 0]
    assert p.last[:n].tolist() == [-1] * 4
    assert feed.users.newest[:3].tolist() == [3, 1, 2]
    assert feed.roots.card[: feed.roots.n].tolist() == [0, 3]
    assert feed.roots.t[: feed.roots.n].tolist() == [-1080, 0]
    assert feed.texts == {0: POSTS[1]["text"], 3: "Peace now"}  # faithfully: a screen cleans them
    rows = project(Embedded().embed([str(POSTS[1]["text"]), "Peace now"]), "embedded")
    assert np.array_equal(feed.vectors.row[p.vector[:n]], rows[[0, 0, 0, 1]])
    assert feed.reposted.has(np.array([1, 2, 0]), np.array([0, 0, 0])).tolist() == [True, True, False]


def test_csv_and_json_lines_make_equal_feeds(small: Path, tmp_path: Path) -> None:
    other = world(tmp_path / "lines", users=b"")
    for key, rows in (("users", USERS), ("follows", FOLLOWS), ("posts", POSTS)):
        (other / f"{key}.jsonl").write_bytes(as_lines(rows))
    text = (other / "world.yaml").read_text()
    keys = "users: users.jsonl, follows: follows.jsonl, posts: posts.jsonl"
    (other / "world.yaml").write_text(text.replace("users: users.csv", keys))
    one, two = load(small), load(other)
    assert one.feed is not None
    assert two.feed is not None
    assert one.feed.population == two.feed.population


def test_json_may_have_numbers_lists_and_nothing(tmp_path: Path) -> None:
    hours = [0.5] * 24
    rows = [{"id": 7, "topics": ["war", "health"], "hours": hours, "age": None}, {"id": "8", "bio": "Bread"}]
    folder = world(tmp_path / "w", users=b"")
    (folder / "users.jsonl").write_bytes(b"\xef\xbb\xbf" + as_lines(rows) + b"\n")
    text = (folder / "world.yaml").read_text()
    (folder / "world.yaml").write_text(text.replace("users.csv", "users.jsonl"))
    feed = feed_of(load(folder))
    assert feed.profiles.topics[0].tolist() == [3, 7]
    assert feed.hours[:, 0].tolist() == [128] * 24
    assert feed.loaded_names is not None
    assert feed.loaded_names.handle(0) == "id_7"


def test_hours_may_stand_in_24_columns(tmp_path: Path) -> None:
    row = {"id": "a", **{f"h{i}": i / 23 for i in range(24)}}
    feed = feed_of(load(world(tmp_path / "w", users=[row, {"id": "b"}])))
    assert feed.hours[:, 0].tolist() == [round(255 * i / 23) for i in range(24)]


@pytest.mark.slow
def test_hours_are_measured_from_posts_as_the_formula_says(tmp_path: Path) -> None:
    when = {"a": [7, 7, 7, 9], "b": [7, 9, 9], "quiet": []}
    posts = [
        {"author": who, "time": f"2025-03-0{1 + i % 3} 0{hour}:05", "text": "Bread"}
        for who, hours in when.items()
        for i, hour in enumerate(hours)
    ]
    users = [{"id": who} for who in when]
    folder = world(tmp_path / "w", users=users, posts=posts)
    feed = feed_of(load(folder))
    times = np.array([[hours.count(hour) for hour in range(24)] for hours in when.values()])
    most = np.maximum(times.max(axis=0), 1)
    wanted = np.rint(255 * times / most)
    assert np.array_equal(feed.hours[:, :2].T, wanted[:2])
    without = feed_of(load(world(tmp_path / "v", users=users)))
    assert np.array_equal(feed.hours[:, 2], without.hours[:, 2])  # nothing is measured of who never posts
    said = world(tmp_path / "u", users=[{"id": who, "hours": ";".join(["1"] * 24)} for who in when], posts=posts)
    assert (feed_of(load(said)).hours == 255).all()


def test_more_in_the_crowd_than_in_the_tables_are_drawn(small: Path) -> None:
    feed = feed_of(load(small, set=["feed.crowd=40"]))
    assert feed.crowd == 40
    assert feed.users.n == 40
    assert feed.graph.users == 40
    assert feed.graph.first[3:].tolist() == [3] * 38
    assert feed.profiles.age[0] == 34


def test_less_in_the_crowd_than_in_the_tables_is_a_fault(small: Path) -> None:
    with pytest.raises(WorldFaults, match=r"world\.yaml:4: feed\.crowd is 2, and the tables hold 3 users"):
        load(small, set=["feed.crowd=2"])


@pytest.mark.slow
def test_a_town_has_its_county_from_tables(tmp_path: Path, larkspur: Scenario) -> None:
    town = tmp_path / "town"
    shutil.copytree(find_world("larkspur"), town)
    (town / "users.csv").write_bytes(as_csv(USERS))
    world = (town / "world.yaml").read_text().replace("feed.crowd: 2000, ", "")
    (town / "world.yaml").write_text(world + "\npopulation: {users: users.csv}\n")
    feed = feed_of(load(town))
    assert feed.crowd == 3
    assert feed.users.n == 3 + len(larkspur.cast)
    assert [*feed.accounts] == [*range(3, feed.users.n)]
    (town / "users.csv").write_bytes(as_csv([{"id": "x", "handle": larkspur.cast[0].id}]))
    assert faults(town) == [
        f'users.csv:2:2 handle: "{larkspur.cast[0].id}" is taken by somebody of the cast; choose another'
    ]


# ---- saves


async def _lived(folder: Path, path: Path) -> bytes:
    async with open_session(folder, save=path) as session:
        for _ in range(3):
            await session.engine.step()
        assert session.world.feed.posts.n >= 4
    async with await Save.open(path, read_only=True) as save:
        return save.digest


def test_a_save_replays_and_goes_on_without_the_tables(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    digest = asyncio.run(_lived(small, path))
    for file in small.iterdir():
        file.unlink()

    async def again() -> None:
        async with await Save.open(path, read_only=True) as save:
            found = await save.verify()
            assert found.ok, found.why
            assert found.digest == digest
        async with open_session(path) as session:
            await session.engine.step()
            names = session.world.feed.loaded_names
            assert names is not None
            assert names.name(0) == "Ada Lane"

    asyncio.run(again())


def test_what_is_packed_comes_out_again(small: Path) -> None:
    scenario = load(small)
    assert scenario.feed is not None
    p = scenario.feed.population
    assert p is not None
    assert pack_columns(unpack_columns(p)) == p.columns
    follows, cards = unpack_follows(p), unpack_cards(p)
    assert follows is not None
    assert cards is not None
    assert pack_follows(*follows) == p.follows
    assert pack_cards(cards) == p.posts
    check_scenario(scenario)
    check_scenario(msgspec.json.decode(msgspec.json.encode(scenario), type=Scenario))


def _spoiled(p: Population) -> dict[str, tuple[Population, str]]:
    def put(**parts: object) -> Population:
        return msgspec.structs.replace(p, **parts)

    columns = unpack_columns(p)
    cards = unpack_cards(p)
    assert cards is not None
    counts = np.array([1, 0, 0])

    def names(*lines: object) -> bytes:
        return compress_parts([msgspec.json.Encoder().encode_lines(lines)])

    fine = ("a", "a", "")
    return {
        "count": (put(count=4), "its population cannot be"),
        "no zlib": (put(columns=b"no"), "columns cannot be unpacked"),
        "cut": (put(columns=p.columns[:-3]), "cut short"),
        "longer": (put(columns=p.columns + b"x"), "cut short, or more"),
        "bomb": (put(columns=zlib.compress(bytes(1 << 20))), "unpack to more than they may"),
        "age": (put(columns=pack_columns(columns._replace(age=np.full(3, 121, np.uint8)))), "an age"),
        "stance": (put(columns=pack_columns(columns._replace(stance=np.full(3, 1001, np.int16)))), "a stance"),
        "topic": (put(columns=pack_columns(columns._replace(topics=np.full((3, 2), 9, np.uint8)))), "a topic"),
        "one topic": (
            put(columns=pack_columns(columns._replace(topics=np.array([[UNSAID, 1]] * 3, np.uint8)))),
            "one topic only",
        ),
        "nobody": (put(follows=pack_follows(counts, np.array([3], np.int32))), "not there"),
        "self": (put(follows=pack_follows(counts, np.array([0], np.int32))), "themselves"),
        "twice": (put(follows=pack_follows(counts * 2, np.array([1, 1], np.int32))), "twice"),
        "fewer": (put(follows=pack_follows(counts * 2, np.array([1], np.int32))), "end too early"),
        "author": (put(posts=pack_cards(cards._replace(author=np.full(4, 3, np.int32)))), "author"),
        "later": (put(posts=pack_cards(cards._replace(t=np.full(4, 1, np.int32)))), "time"),
        "order": (put(posts=pack_cards(cards._replace(t=cards.t[::-1].copy()))), "out of order"),
        "via": (put(posts=pack_cards(cards._replace(via=np.array([-1, 1, 1, -1], np.int32)))), "no card before it"),
        "passed on twice": (put(posts=pack_cards(cards._replace(author=np.array([0, 1, 1, 0], np.int32)))), "twice"),
        "words": (put(posts=pack_cards(cards._replace(texts=["a"]))), "as many texts"),
        "long words": (put(posts=pack_cards(cards._replace(texts=["a", "b" * 501]))), "cannot be read"),
        "few names": (put(names=names(fine, fine)), "as many names"),
        "odd names": (put(names=names(fine, fine, ["a", 1, ""])), "a name cannot be read"),
        "long bio": (put(names=names(fine, fine, ["a", "a", "b" * 401])), "a name cannot be read"),
    }


@pytest.mark.sampled(8, slow=999)
@pytest.mark.parametrize("case", range(23))
def test_a_save_that_holds_no_population_is_refused(small: Path, case: int) -> None:
    scenario = load(small)
    assert scenario.feed is not None
    assert scenario.feed.population is not None
    _, (bad, words) = [*_spoiled(scenario.feed.population).items()][case]
    with pytest.raises(ValueError, match=words):
        check_population(bad)
    with pytest.raises(ValueError, match=r"feed\.population: "):
        check_scenario(msgspec.structs.replace(scenario, feed=msgspec.structs.replace(scenario.feed, population=bad)))


def test_a_crowd_smaller_than_its_population_is_refused(small: Path) -> None:
    scenario = load(small)
    with pytest.raises(ValueError, match="it has 3 users, and the crowd 2"):
        check_scenario(msgspec.structs.replace(scenario, parameters={"feed.crowd": 2}))


@given(st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_that_are_no_population_raise_nothing_but_valueerror(data: bytes) -> None:
    for whole in (data, zlib.compress(data)):
        for part in ("columns", "names", "follows", "posts"):
            p = Population(2, *(whole if name == part else b"" for name in ("columns", "names", "follows", "posts")))
            for unpack in (unpack_columns, unpack_follows, unpack_cards, check_population):
                with suppress(ValueError):
                    unpack(p)


# ---- faults

ONE = b"id\na\nb\n"
BAD_USERS: dict[str, tuple[bytes, list[str]]] = {
    "no id column": (b"name\nx\n", ['users.csv:1:1 the column "id" is missing']),
    "unknown column": (b"id,profesion\na,x\n", ['users.csv:1:2 no column "profesion"; did you mean "profession"?']),
    "column twice": (b"id,age,age\na,1,2\n", ['users.csv:1:3 the column "age" stands here twice']),
    "user twice": (b"id\na\nb\na\n", ['users.csv:4:1 id: "a" stands in line 2, too']),
    "no id": (b"id,age\na,1\n ,2\n", ["users.csv:3:1 id: is empty"]),
    "control in id": (b"id\na\x07\n", ['users.csv:2:1 id: "a<U+0007>" holds a control character']),
    "long id": (b"id\n" + b"x" * 201 + b"\n", ["users.csv:2:1 id: is 201 letters long; the most is 200"]),
    "control in handle": (b"id,handle\na,b\x1bc\n", ['users.csv:2:2 handle: "b<U+001B>c" holds a blank or a control']),
    "handle twice": (b"id,handle\na,Bo\nb,bO\n", ['users.csv:3:2 handle: "bO" is taken by the user in line 2']),
    "long name": (b"id,name\na," + b"x" * 81 + b"\n", ["users.csv:2:2 name: is 81 letters long; the most is 80"]),
    "long bio": (b"id,bio\na," + b"x" * 401 + b"\n", ["users.csv:2:2 bio: is 401 letters long; the most is 400"]),
    "text as number": (b"id,age\na,old\n", ['users.csv:2:2 age: "old" is no number']),
    "comma": (b'id,stance\na,"0,5"\n', ['users.csv:2:2 stance: "0,5" is no number; write "." for the decimal point']),
    "not a number": (b"id,stance\na,nan\n", ['users.csv:2:2 stance: "nan" is no number']),
    "out of range": (
        b"id,age,stance\na,121,2\n",
        ['users.csv:2:2 age: "121" is out', 'users.csv:2:3 stance: "2" is out'],
    ),
    "huge": (b"id,age\na,1e99\n", ['users.csv:2:2 age: "1e99" is out of range; it must be between 0 and 120']),
    "fraction": (b"id,age\na,30.5\n", ['users.csv:2:2 age: "30.5" is no whole number']),
    "trait": (b"id,openness\na,-1.5\n", ['users.csv:2:2 openness: "-1.5" is out of range']),
    "gender": (b"id,gender\na,femal\n", ['users.csv:2:2 gender: no gender "femal"; did you mean "female"?']),
    "topic": (b"id,topics\na,war;helth\n", ['users.csv:2:2 topics: no topic "helth"; did you mean "health"?']),
    "one topic": (b"id,topics\na,war\n", ['users.csv:2:2 topics: "war" is not two topics']),
    "few hours": (b"id,hours\na,1;0\n", ["users.csv:2:2 hours: holds 2 numbers; write 24"]),
    "bad hours": (b"id,hours\na," + b"2;" * 23 + b"0\n", ['users.csv:2:2 hours: "2" is out of range']),
    "empty hour": (b"id,hours\na," + b"1;" * 23 + b"\n", ["users.csv:2:2 hours: one of them is empty"]),
    "lacking hours": (b"id,h0,h1\na,1,1\n", ['users.csv:0:0 the column "h2" is missing; h0 to h23 go together']),
    "not UTF-8": (b"id,name\na,x\nb,J\xf6rg\n", ["users.csv:3:4 byte 0xf6 is not UTF-8"]),
    "NUL": (b"id,name\na,x\x00y\n", ['users.csv:2:2 name: "x<U+0000>y" holds the control character U+0000; take it']),
    "NUL in the first row": (b"i\x00d,name\na,x\n", ["users.csv:1:2 holds a NUL byte"]),
    "ragged": (b"id,name\na,x,y\nb\nc,z\n", ["users.csv:2:1 has 3 cells, and the first", "users.csv:3:1 has 1 cells"]),
    "quotes": (b'id,name\na,"x"y\nb,z\n', ["users.csv:2:1 is no row of CSV"]),
    "open quote": (b'id,name\na,"x\nb,z\n', ["users.csv:2:1 is no row of CSV (unexpected end of data)"]),
    "empty": (b"", ["users.csv:0:0 is empty"]),
    "nobody": (b"id\n", ["users.csv:0:0 holds no users"]),
}
BAD_FOLLOWS: dict[str, tuple[bytes, list[str]]] = {
    "missing column": (b"follower,follows\na,b\n", ['follows.csv:1:1 the column "followed" is missing']),
    "unknown": (b"follower,followed\na,b\na,bb\n", ['follows.csv:3:2 followed: no user "bb"; did you mean "b"?']),
    "empty id": (b"follower,followed\n,b\n", ["follows.csv:2:1 follower: is empty"]),
    "self": (b"follower,followed\nb,b\n", ["follows.csv:2:2 followed: is the follower, too"]),
    "twice": (b"follower,followed\na,b\nb,a\na,b\n", ["follows.csv:4:2 followed: this follow stands above"]),
    "UTF-16": ("follower,followed\na,b\n".encode("utf-16"), ["follows.csv:1:1 is UTF-16; save the file as UTF-8"]),
    "semicolons": (
        b"follower;followed\na;b\n",
        ["follows.csv:1:1 its cells are divided by semicolons; divide them"],
    ),
    "tabs": (b"follower\tfollowed\na\tb\n", ["follows.csv:1:1 its cells are divided by tabs; divide them by commas"]),
    "no UTF-8": (b"follower,followed\na,\xff\n", ["follows.csv:2:3 byte 0xff is not UTF-8"]),
    "empty": (b"\n\n", ["follows.csv:0:0 is empty"]),
}
HEAD = b"author,time,text,id,repost_of,topic,stance,likes\n"
BAD_POSTS: dict[str, tuple[bytes, list[str]]] = {
    "missing column": (b"author,text\na,x\n", ['posts.csv:1:1 the column "time" is missing']),
    "unknown author": (HEAD + b"q,0,x,,,,,\n", ['posts.csv:2:1 author: no user "q"']),
    "later": (HEAD + b"a,2025-03-04 07:31,x,,,,,\n", ['posts.csv:2:2 time: "2025-03-04 07:31" is after the world']),
    "later second": (HEAD + b"a,5,x,,,,,\n", ['posts.csv:2:2 time: "5" is after the world']),
    "no time": (
        HEAD + b"a,soon,x,,,,,\na,,x,,,,,\n",
        ['posts.csv:2:2 time: "soon" is no time', "posts.csv:3:2 time: is empty"],
    ),
    "no date": (HEAD + b"a,2025-02-30 10:00,x,,,,,\n", ['posts.csv:2:2 time: "2025-02-30 10:00" is no date']),
    "too old": (
        HEAD + b"a,1900-01-01 10:00,x,,,,,\n",
        [
            "posts.csv:2:2 time: ",
        ],
    ),
    "no words": (HEAD + b"a,0, ,,,,,\n", ["posts.csv:2:3 text: is empty"]),
    "long": (HEAD + b"a,0," + b"x" * 501 + b",,,,,\n", ["posts.csv:2:3 text: is 501 letters long; the most is 500"]),
    "topic": (HEAD + b"a,0,x,,,wars,,\n", ['posts.csv:2:6 topic: no topic "wars"; did you mean "war"?']),
    "stance": (HEAD + b"a,0,x,,,,far,\n", ['posts.csv:2:7 stance: "far" is no number']),
    "likes": (HEAD + b"a,0,x,,,,,-1\n", ['posts.csv:2:8 likes: "-1" is out of range']),
    "id twice": (HEAD + b"a,0,x,p,,,,\nb,0,x,p,,,,\n", ['posts.csv:3:4 id: "p" stands in line 2, too']),
    "unknown post": (HEAD + b"a,0,,,p9,,,\n", ['posts.csv:2:5 repost_of: there is no post "p9"']),
    "before": (
        HEAD + b"a,-5,,,p,,,\nb,0,x,p,,,,\n",
        ['posts.csv:2:5 repost_of: "p" is later than its repost, in line 3'],
    ),
    "circle": (HEAD + b"a,0,,p,q,,,\nb,0,,q,p,,,\n", ["posts.csv:2:5 repost_of: leads back to itself"]),
    "twice": (
        HEAD + b"a,-9,x,p,,,,\nb,-8,,,p,,,\nb,-7,,,p,,,\n",
        ["posts.csv:4:5 repost_of: its author has passed on"],
    ),
    "words of a repost": (HEAD + b"a,-9,x,p,,,,\nb,-8,y,,p,,,\n", ["posts.csv:3:3 text: a repost has no words"]),
    "likes of a repost": (HEAD + b"a,-9,x,p,,,,\nb,-8,,,p,,,4\n", ["posts.csv:3:5 repost_of: a repost has no topic"]),
}


@pytest.mark.parametrize(
    ("key", "table", "wanted"),
    [
        pytest.param(key, table, wanted, id=f"{key} {name}")
        for key, cases in (("users", BAD_USERS), ("follows", BAD_FOLLOWS), ("posts", BAD_POSTS))
        for name, (table, wanted) in cases.items()
    ],
)
def test_every_fault_is_told_at_its_row(tmp_path: Path, key: str, table: bytes, wanted: list[str]) -> None:
    told = faults(world(tmp_path / "w", **{"users": ONE, key: table}))
    for words in wanted:
        assert any(line.startswith(words) for line in told), told
    if key != "follows":
        assert len(told) <= len(wanted) + (table.count(b"\n") > 2), told
    assert all(len(line) < 700 for line in told)


def test_faults_of_all_tables_are_told_together(tmp_path: Path) -> None:
    told = faults(world(tmp_path / "w", users=b"id,age\na,x\n", follows=b"follower,followed\na,a\n", posts=HEAD))
    assert [line.split(":")[0] for line in told] == ["follows.csv", "users.csv"]


def test_a_row_that_is_lost_makes_no_users_unknown(tmp_path: Path) -> None:
    told = faults(world(tmp_path / "w", users=b"id,age\na,1\nb\n", follows=b"follower,followed\na,b\n"))
    assert told == ["users.csv:3:1 has 1 cells, and the first row names 2 columns; mend it"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"id": "a"', "is no row of JSON"),
        (b"[1, 2]", "is no row of JSON"),
        (b'{"id": "\\ud800"}', "is no row of JSON"),
        (b'{"id": {"a": 1}}', "id: is no text, number or list of such"),
        (b'{"id": true}', "id: is no text, number or list of such"),
        (b'{"id": "c", "ages": 3}', 'no column "ages"; did you mean "age"?'),
        (b'{"id": "c", "age": "x"}', 'age: "x" is no number'),
        (b'{"name": "c"}', "id: is empty"),
        (b"[" * 90_000, "is no row of JSON"),
        (b'{"id": "c", "bio": "\xff"}', "byte 0xff is not UTF-8"),
    ],
)
def test_a_broken_line_of_json_is_told(tmp_path: Path, line: bytes, words: str) -> None:
    folder = world(tmp_path / "w", users=b"")
    (folder / "users.jsonl").write_bytes(b'{"id": "a"}\n\n' + line + b'\n{"id": "z"}\n')
    text = (folder / "world.yaml").read_text()
    (folder / "world.yaml").write_text(text.replace("users.csv", "users.jsonl"))
    told = faults(folder)
    assert told[0].startswith("users.jsonl:3:")
    assert words in told[0]
    assert all(":3:" in fault for fault in told)


def test_of_many_faults_of_a_kind_twenty_are_told(tmp_path: Path) -> None:
    told = faults(world(tmp_path / "w", users=b"id,age,stance\n" + b"".join(b"u%d,x,9\n" % i for i in range(300))))
    assert len(told) == 42
    assert "users.csv:22:2 age: and 280 more of these; mend them the same way" in told


def test_one_user_more_than_a_million_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.feed.loaded_tables.MOST_USERS", 10)
    told = faults(world(tmp_path / "w", users=[{"id": i} for i in range(12)]))
    assert told == ["users.csv:12:1 is one user too many; the most are 10"]


@pytest.mark.slow
def test_tables_that_are_not_there_or_lie_elsewhere_are_faults(tmp_path: Path) -> None:
    folder = world(tmp_path / "w", users=ONE)
    plain = (folder / "world.yaml").read_text()

    def told(said: str) -> list[str]:
        (folder / "world.yaml").write_text(plain.replace("users: users.csv", said))
        return faults(folder)

    assert "there is no such file" in told("users: nobody.csv")[0]
    assert told("users: users.txt")[0].startswith("users.txt:0:0 is no table that can be read; its name must end in")
    assert "leads out of the world's folder" in told("users: ../users.csv")[0]
    assert "leads out of the world's folder" in told(f"users: {tmp_path / 'users.csv'}")[0]
    assert '"users" is missing' in told("follows: follows.csv")[0]
    assert 'no key "post"; did you mean "posts"?' in told("users: users.csv, post: posts.csv")[0]
    (folder / "users.csv").unlink()
    (folder / "users.csv").mkdir()
    assert "cannot be read: is a directory" in told("users: users.csv")[0]
    (folder / "users.csv").rmdir()
    (tmp_path / "secret.csv").write_bytes(ONE)
    (folder / "users.csv").symlink_to(tmp_path / "secret.csv")
    assert "leads out of the world's folder" in told("users: users.csv")[0]


def test_tables_are_read_once_also_where_a_world_has_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = []

    def counted(*given: object) -> object:
        times.append(given)
        return read_users(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("sandbox.engine.load_population.read_users", counted)
    told = faults(world(tmp_path / "w", "colour: blue\n", users=b"id,age\na,x\n"))
    assert [line.split(":")[0] for line in told] == ["users.csv", "world.yaml"]
    assert len(times) == 1


def test_a_world_with_neither_people_nor_tables_is_a_fault(tmp_path: Path) -> None:
    folder = world(tmp_path / "w", users=ONE)
    (folder / "world.yaml").write_text(f'title: X\nstart: "{START}"\n')
    assert "nobody is there" in faults(folder)[0]


def _long_bio(column: bytes) -> bytes:
    return b"id,bio\na," + column + b"\nb,x\n"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: _long_bio(b"x" * 10_000_000), "is 10,000,003 bytes long, and no row is; shorten its texts"),
        (lambda: _long_bio(b'"' + b"x\n" * 1_000_000 + b'"'), "is no row of CSV"),
        (lambda: _long_bio(b"x" * 90_000), "bio: is 90,000 letters long; the most is 400"),
        (lambda: b"," * 10_000_000, "long"),
        (lambda: b"a," * 49_000 + b"\n", 'no column "a"'),
        (lambda: b"id,age\n" + b"a,old\n" * 100_000, "is no number"),
        (lambda: b"id,topics\n" + b"a,x;y\n" * 100_000, "no topic"),
    ],
)
def test_megabytes_take_no_minutes_and_are_not_echoed(tmp_path: Path, make: Callable[[], bytes], words: str) -> None:
    folder = world(tmp_path / "w", users=make())
    begun = time.process_time()
    told = faults(folder)
    assert time.process_time() - begun < 20  # a hundred times what it takes, and no time of the wall
    assert any(words in line for line in told), told[:3]
    assert sum(map(len, told)) < 40_000


GARBAGE = st.one_of(
    st.binary(max_size=300),
    st.text(alphabet='id,nameabcf;"\n\r{}[]:0129.-\x00é\x1b ', max_size=300).map(lambda s: s.encode()),
    st.lists(st.text(alphabet='a,"\n\x01é0.9;-', max_size=12), max_size=12).map(
        lambda cells: b"id,age,topics,hours,bio\n" + ",".join(cells).encode()
    ),
)


@given(garbage=GARBAGE, key=st.sampled_from(("users", "follows", "posts")), kind=st.sampled_from(("csv", "jsonl")))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_garbage_raises_nothing_but_faults(tmp_path: Path, garbage: bytes, key: str, kind: str) -> None:
    folder = world(tmp_path / "w", users=ONE, follows=b"follower,followed\n", posts=HEAD)
    (folder / f"{key}.csv").unlink()
    (folder / f"{key}.{kind}").write_bytes(garbage)
    text = (folder / "world.yaml").read_text()
    (folder / "world.yaml").write_text(text.replace(f"{key}.csv", f"{key}.{kind}"))
    reading = read(folder)
    assert all(f.message.isprintable() for f in reading.faults)
    assert (reading.scenario is None) == bool(reading.faults.errors)
    if reading.scenario is not None:
        check_scenario(reading.scenario)
        feed_of(reading.scenario)
    (folder / f"{key}.{kind}").unlink()
