"""Other people's tables as they are: read whole where they can be, leniently where that is wished; never a failure."""

from __future__ import annotations

import asyncio
import itertools
import json
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.cli.main import cli
from sandbox.core.faults import Faults
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.core.vectors import Embedded
from sandbox.engine.load_lists import CHUNK
from sandbox.engine.load_population import PopulationOptions, Tables
from sandbox.engine.load_posts import seconds_since_start
from sandbox.engine.loading import WorldReading, load, read
from sandbox.feed.loaded_tables import Names, Population, check_population, unpack_cards, unpack_follows
from sandbox.store.session import open_session
from sandbox.tui.sheets import asking

START = "2025-03-04 07:30"
LENIENT = ("feed.lenient=true",)
USERS = "id,name,handle\n1,Ada,ada\n2,Bo,Ada\n"
FOLLOWS = "follower,followed\n1,1\n1,2\n1,2\n2,99\n"


def world(folder: Path, form: str = "csv", **tables: str) -> Path:
    folder.mkdir(exist_ok=True)
    for key, text in tables.items():
        (folder / f"{key}.{form}").write_bytes(text.encode("utf-8", "surrogateescape"))
    said = ", ".join(f"{key}: {key}.{form}" for key in tables)
    (folder / "world.yaml").write_text(f'title: Loaded\nstart: "{START}"\nseed: 4\npopulation: {{{said}}}\n')
    return folder


def told(reading: WorldReading) -> list[str]:
    return [f"{Path(f.file).name}:{f.line}: {f.message}" for f in reading.faults.at("error", "warning")]


def loaded(folder: Path, lenient: bool = True) -> Population:
    feed = load(folder, set=LENIENT * lenient).feed
    assert feed is not None
    assert feed.population is not None
    return feed.population


def follows_of(population: Population) -> list[list[int]]:
    found = unpack_follows(population)
    assert found is not None
    followed = iter(found[1].tolist())
    return [[*itertools.islice(followed, count)] for count in found[0].tolist()]


# ---- leniently


def test_strictly_every_fault_is_told_and_nothing_is_loaded(tmp_path: Path) -> None:
    reading = read(world(tmp_path / "w", users=USERS, follows=FOLLOWS))
    assert reading.scenario is None
    assert len(told(reading)) == 4


def test_leniently_bad_rows_stay_out_a_taken_handle_becomes_another_and_all_of_it_is_told(tmp_path: Path) -> None:
    folder = world(tmp_path / "w", users=USERS, follows=FOLLOWS)
    population = loaded(folder)
    assert [handle for handle, _, _ in Names(population).all()] == ["ada", "Ada_1"]
    assert follows_of(population) == [[1], []]
    assert population.left == {
        "users": {"handles that were taken, and are others now": 1},
        "follows": {"follows that stand there twice": 1, "self-follows": 1, "unknown followed": 1},
    }
    says = "left out, or made to fit: "
    assert told(read(folder, settings=LENIENT)) == [
        f"follows.csv:0: {says}follows that stand there twice (1), self-follows (1), unknown followed (1)",
        f"users.csv:0: {says}handles that were taken, and are others now (1)",
    ]


def test_commands_are_lenient_when_told_so_and_say_what_is_left_out(tmp_path: Path) -> None:
    folder = world(tmp_path / "w", users=USERS, follows=FOLLOWS)
    check = ["worlds", "check", str(folder)]
    assert CliRunner().invoke(cli, check).exit_code == 2
    done = CliRunner().invoke(cli, [*check, "--lenient"])
    assert (done.exit_code, done.output.count("left out, or made to fit")) == (0, 2)
    save = str(tmp_path / "w.db")
    done = CliRunner().invoke(cli, ["run", str(folder), "--steps", "1", "--lenient", "--save", save])
    assert done.exit_code == 0, done.output
    assert "its table of follows: left out, or made to fit: follows that stand there twice (1)" in done.stderr
    again = CliRunner().invoke(cli, ["run", save, "--steps", "1"])
    assert (again.exit_code, again.stderr.count("left out")) == (0, 0)  # it is told once
    assert "--lenient are for a new world" in CliRunner().invoke(cli, ["run", save, "--lenient"]).output


def test_a_save_holds_what_was_loaded_and_what_was_left_out(tmp_path: Path) -> None:
    folder = world(tmp_path / "w", users=USERS, follows=FOLLOWS)
    want = loaded(folder)

    async def lived() -> Population | None:
        async with open_session(folder, set=LENIENT, save=tmp_path / "w.db") as session:
            await session.engine.step()
        for table in folder.iterdir():
            table.unlink()
        async with open_session(tmp_path / "w.db") as session:
            feed = session.world.scenario.feed
            assert session.world.scenario.parameters["feed.lenient"] is True
            assert feed is not None
            return feed.population

    assert asyncio.run(lived()) == want


def test_of_two_rows_that_cannot_both_be_the_good_one_stays(tmp_path: Path) -> None:
    population = loaded(world(tmp_path / "w", users="id,name,age\na,First,old\na,Second,40\n"))
    assert [name for _, name, _ in Names(population).all()] == ["Second"]
    assert population.left == {"users": {"age": 1}}


def test_what_rests_on_a_row_that_is_left_out_goes_with_it(tmp_path: Path) -> None:
    users = "id,age\na,1\nb,old\nc,2\n"
    follows = "follower,followed\na,b\nc,a\n"
    posts = (
        "author,time,text,id,repost_of\n"
        "b,-9,mine,p,\n"  # by somebody who is left out
        "a,-8,,q,p\nc,-7,,r,q\na,-6,,s,r\n"
        "a,-5,Rye is out,t,\nc,-4,,u,t\n"
        "c,-3,,v,w\na,-2,,w,v\n"  # a circle
    )
    population = loaded(world(tmp_path / "w", users=users, follows=follows, posts=posts))
    assert follows_of(population) == [[], [0]]
    cards = unpack_cards(population)
    assert cards is not None
    assert (cards.texts, cards.via.tolist()) == (["Rye is out"], [-1, 0])
    assert population.left["users"] == {"age": 1}
    assert population.left["follows"] == {"unknown followed": 1}
    assert sum(population.left["posts"].values()) == 6


def test_columns_that_nobody_reads_and_lines_that_cannot_be_read_are_left_out_too(tmp_path: Path) -> None:
    table = "id,karma,name\na,3,Ann\nb,4\nc,5,\udcff\nd,6,Dan\n"
    population = loaded(world(tmp_path / "w", users=table))
    assert [name for _, name, _ in Names(population).all()] == ["Ann", "Dan"]
    assert population.left == {"users": {"columns that nobody reads": 1, "ragged rows": 1, "encoding": 1}}


def test_a_row_that_lost_one_of_its_lines_is_left_out_whole(tmp_path: Path) -> None:
    population = loaded(world(tmp_path / "w", users='id,bio\na,"one\nt\udcffwo\nthree"\nb,whole\n'))
    assert [bio for _, _, bio in Names(population).all()] == ["whole"]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("name\nx\n", 'the column "id" is missing'),
        ("i\x00d\na\n", "names the columns, and cannot be read"),
        ("id,age\na,old\n", "holds no users"),
        ('id,name\na,"x\nb,y\nc,z\n', "is no row of CSV"),  # the quote would swallow the rest unseen
    ],
)
def test_a_table_of_which_nothing_would_be_left_is_a_fault_also_leniently(
    tmp_path: Path, table: str, words: str
) -> None:
    reading = read(world(tmp_path / "w", users=table), settings=LENIENT)
    assert reading.scenario is None
    assert any(words in line for line in told(reading)), told(reading)


# ---- no table's fault makes another's reading fail

WHOLE = {
    "users": [{"id": "a"}, {"id": "bo_2", "age": 30}, {"id": "c"}],
    "follows": [{"follower": "a", "followed": "bo_2"}, {"follower": "bo_2", "followed": "a"}],
    "posts": [
        {"author": "bo_2", "time": -9, "text": "Rye", "id": "p"},
        {"author": "c", "time": -8, "repost_of": "p", "id": "q"},
        {"author": "a", "time": -7, "repost_of": "q"},
    ],
}
BROKEN = ('{"id": "bo_2", "age": NaN}', "{}", "{", '{"id": "bo_2", "age": -1}', '{"author": "nobody"}', "\x00", "[]")
PLACES = [(key, row) for key, rows in WHOLE.items() for row in range(len(rows))]


def tables(folder: Path, lenient: bool) -> tuple[Population | None, list[str]]:
    """What a world's tables hold, and their faults, without the rest of the world."""
    found = Faults()
    topics = np.ones((9, 32), np.int8)
    asked = PopulationOptions(datetime.fromisoformat(START), Embedded(), topics, (), lenient)
    population = Tables().read(MappingReader(open_yaml(folder / "world.yaml", found)), folder, asked, found)
    assert (population is None) == bool(found.errors)
    if population is not None:
        check_population(population)
    return population, [f"{Path(f.file).name}:{f.line}: {f.message}" for f in found.errors]


@pytest.mark.parametrize(("key", "row"), PLACES)
def test_any_one_row_of_any_table_may_be_broken_and_faults_are_all_that_comes_of_it(
    tmp_path: Path, key: str, row: int
) -> None:
    for broken in BROKEN[: None if row else -1]:  # what begins with a bracket is a list
        lines = {name: [json.dumps(x) for x in rows] for name, rows in WHOLE.items()}
        lines[key][row] = broken
        files = {name: "".join(f"{x}\n" for x in rows) for name, rows in lines.items()}
        folder = world(tmp_path / "w", "jsonl", **files)
        population, faults = tables(folder, lenient=False)
        assert population is None
        assert any(line.startswith(f"{key}.jsonl:{row + 1}:") for line in faults), (broken, faults)
        tables(folder, lenient=True)


def test_a_user_who_cannot_be_read_is_the_one_fault_though_others_follow_them(tmp_path: Path) -> None:
    users = '{"id": "7"}\n{"id": "8"}\n{"id": "bo_2", "age": NaN}\n'
    follows = '{"follower": "8", "followed": "7"}\n{"follower": "bo_2", "followed": "7"}\n'
    (fault,) = told(read(world(tmp_path / "w", "jsonl", users=users, follows=follows)))
    assert fault.startswith("users.jsonl:3: is no row of JSON")


def test_an_unknown_user_beside_the_first_is_no_follow_that_stands_there_twice(tmp_path: Path) -> None:
    (fault,) = told(read(world(tmp_path / "w", users="id\na\nb\n", follows="follower,followed\nb,x\nb,a\n")))
    assert "no user" in fault


CELLS = st.sampled_from(("a", "b", "c", "", "-1", "x", "1e9", '"', "2025-03-04", "p", "q"))


@given(data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_tables_hold_leniently_they_load_or_are_told_why_not(tmp_path: Path, data: st.DataObject) -> None:
    heads = {"users": "id,handle,age", "follows": "follower,followed", "posts": "author,time,text,id,repost_of"}
    drawn = {}
    for key, head in heads.items():
        row = st.lists(CELLS, min_size=head.count(",") + 1, max_size=head.count(",") + 1)
        rows = data.draw(st.lists(row, max_size=6))
        drawn[key] = "".join(f"{line}\n" for line in (head, *(",".join(row) for row in rows)))
    tables(world(tmp_path / "w", **drawn), lenient=True)


# ---- lists of JSON

ROWS = [{"id": "1", "name": "Ada"}, {"id": "2", "name": "Bo", "topics": ["war", "health"], "bio": 'a ] } " [ {'}]
SHAPES = {
    "in one line": json.dumps(ROWS),
    "over many lines": json.dumps(ROWS, indent=2),
    "after a mark of order": "\ufeff" + json.dumps(ROWS, indent="\t"),
    "under a name": json.dumps({"users": ROWS}, indent=1),
    "without blanks": json.dumps({"users": ROWS}, separators=(",", ":")),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_list_of_json_is_read_as_its_rows(tmp_path: Path, shape: str) -> None:
    plain = "".join(json.dumps(row) + "\n" for row in ROWS)
    want = loaded(world(tmp_path / "lines", "jsonl", users=plain), lenient=False)
    assert loaded(world(tmp_path / "list", "json", users=SHAPES[shape]), lenient=False) == want


def test_a_row_of_a_list_that_cannot_be_is_told_by_its_line_and_number(tmp_path: Path) -> None:
    rows = [{"id": "a"}, {"id": "a"}, {"id": "b", "age": "old"}]
    many = told(read(world(tmp_path / "many", "json", users=json.dumps(rows, indent=1))))
    assert many == [
        'users.json:5: row 2: id: "a" stands in row 1, too; keep one',
        'users.json:8: row 3: age: "old" is no number',
    ]
    one = told(read(world(tmp_path / "one", "json", users='[{"id": "a"}, {"id": "b", "age": NaN}, {"id": "c"}]')))
    assert len(one) == 1
    assert one[0].startswith("users.json:1: row 2: is no row of JSON")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"id": "a"}, {"id": "b"', "2: is no row of JSON (Expecting ',' delimiter)"),
        ('[{"id": "a"} {"id": "b"}]', '2: has neither "," nor "]" after a row here'),
        ('[{"id": "a"},\n', "3: is no row of JSON"),
        ('[{"id": "a"}]\n{"id": "b"}', "3: goes on after its list has ended"),
        ('{"users": [{"id": "a"}], "n": 1}', "2: ends here, or is no more than one list"),
        ("[]", "0: is empty"),
        ("[" * 90_000, "1: "),
        ('[{"id": "' + "x" * 200_000 + '"}]', "letters long, and no row is"),
        ('{\n "id": "a",\n "name": "b"\n}\n{\n "id": "c"\n}\n', "1: begins a row of JSON that takes several lines"),
    ],
)
def test_a_list_that_breaks_off_is_one_fault_at_its_place(tmp_path: Path, text: str, words: str) -> None:
    text = text.replace("[{", "[\n{", 1)
    faults = told(read(world(tmp_path / "w", "json", users=text)))
    assert len(faults) == 1
    assert words in faults[0], faults


def test_a_long_list_is_read_piece_by_piece(tmp_path: Path) -> None:
    rows = [{"id": f"u{i}", "bio": "é" * (i % 300)} for i in range(9000)]
    text = json.dumps(rows, ensure_ascii=False, indent=1)
    assert len(text) > 1.2 * CHUNK
    population = loaded(world(tmp_path / "w", "json", users=text), lenient=False)
    assert [len(bio) for _, _, bio in Names(population).all()] == [i % 300 for i in range(9000)]


# ---- times


@pytest.mark.parametrize(
    ("cell", "clock"),
    [
        ("2025-03-04T07:12:00Z", "07:12:00"),
        ("2025-03-04T07:12:00+00:00", "07:12:00"),
        ("2025-03-04T09:12:00+02:00", "07:12:00"),
        ("2025-03-03T22:42-0830", "07:12:00"),
        ("2025-03-04 07:12:30.500", "07:12:30"),
        ("2025-03-04 07:12:30,999999", "07:12:30"),
        ("2025-03-04T07:12:30.999999999Z", "07:12:30"),
        ("2025-03-04T07,5", "07:30:00"),
        ("2025-03-04", "00:00:00"),
        ("20250304", "00:00:00"),
        ("20250304T071224Z", "07:12:24"),
        ("2025-W10-2T07:12", "07:12:00"),
        ("2025-063T07:12", "07:12:00"),
        ("2025-03-03T24:00", "00:00:00"),
        ("2025-03-04 07", "07:00:00"),
        ("Tue Mar 04 07:12:24 +0000 2025", "07:12:24"),
    ],
)
def test_a_time_is_read_as_iso_8601_has_it(cell: str, clock: str) -> None:
    start = datetime.fromisoformat(START)
    want = datetime.fromisoformat(f"2025-03-04 {clock}") - start
    assert seconds_since_start(cell, start, "time") == want.total_seconds()


@pytest.mark.parametrize(
    ("cell", "day"),
    [("2025-03", "2025-03-01"), ("2025-W10", "2025-03-03"), ("2025W10", "2025-03-03"), ("2024-w01", "2024-01-01")],
)
def test_a_month_or_a_week_is_as_it_begins(cell: str, day: str) -> None:
    start = datetime.fromisoformat(START)
    assert seconds_since_start(cell, start, "time") == (datetime.fromisoformat(day) - start).total_seconds()


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2025, 3, 1), timezones=st.timezones()),
    st.sampled_from("T "),
    st.sampled_from(("auto", "minutes", "seconds", "milliseconds", "microseconds")),
)
def test_whatever_python_writes_is_read_as_python_reads_it(when: datetime, sep: str, unit: str) -> None:
    start, cell = datetime.fromisoformat(f"{START}+00:00"), when.isoformat(sep, unit)
    offset = when.utcoffset()
    if offset is None or offset.total_seconds() % 60:  # local mean time of long ago, which ISO 8601 has not
        return
    want = (datetime.fromisoformat(cell) - start).total_seconds() // 1
    assert seconds_since_start(cell, start.replace(tzinfo=None), "time") == want


def test_a_number_is_since_1970_only_where_its_column_says_so(tmp_path: Path) -> None:
    start = datetime.fromisoformat(START)
    assert (
        seconds_since_start("1741072320", start, "epoch")
        == seconds_since_start("1741072320999", start, "epoch_ms")
        == -1080
    )
    assert seconds_since_start("-600", start, "time") == -600
    assert seconds_since_start("20250304T071200+01", start, "time") == -4680
    with pytest.raises(ValueError, match="if it is since 1970, call the column epoch, or epoch_ms"):
        seconds_since_start("1741072320", start, "time")
    for column, cell in (("epoch", 1741072320), ("epoch_ms", 1741072320000), ("time", "2025-03-04T07:12Z")):
        posts = f"author,{column},text\na,{cell},The rye is out\n"
        cards = unpack_cards(loaded(world(tmp_path / column, users="id\na\n", posts=posts), lenient=False))
        assert cards is not None
        assert cards.t.tolist() == [-1080]


@pytest.mark.parametrize(
    "cell",
    ["2025-02-30", "2025-03-04T25:00", "2025-03-04T07:61", "2025-03-04T07:12+25:00", "2025-366", "2025-W54-1",
     "04/03/2025", "Tue Feb 30 07:12:24 +0000 2025", "2025-03-04T07:12:00Zulu", "٢٠٢٥-٠٣-٠٤", "2025-03-04T24:01", "",
     "2025-13", "2025-W54", "2025-03T07:12"],
)  # fmt: skip
def test_what_is_no_time_is_told_with_how_to_write_it(cell: str) -> None:
    with pytest.raises(ValueError, match='write it as "2025-03-04 07:12"'):
        seconds_since_start(cell, datetime.fromisoformat(START), "time")


def test_two_times_of_one_post_are_a_fault(tmp_path: Path) -> None:
    posts = "author,time,epoch,text\na,-60,1741072320,x\na,,1741072320,y\n"
    assert told(read(world(tmp_path / "w", users="id\na\n", posts=posts))) == [
        "posts.csv:2: epoch: time says a time, too; keep one"
    ]


async def test_what_is_left_out_is_told_as_a_town_opens_on_the_screen(tmp_path: Path) -> None:
    told = list[str]()
    async with open_session(world(tmp_path / "w", users=USERS), set=LENIENT) as session:
        notify = SimpleNamespace(notify=lambda text, **how: told.append(text), viewer=SimpleNamespace(session=session))
        asking.ask_consent(cast(Any, notify))
    assert told == [
        "Its table of users: left out, or made to fit: handles that were taken, and are others now (1)",
    ]
