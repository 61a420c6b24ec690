"""`sandbox export`: every table, streamed, safe to open, and faults in a line."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.core.events import Record, Stamp, to_row
from sandbox.core.plain import cell
from sandbox.drama.outcomes import Decided
from sandbox.feed.events import Quoted, Writing
from sandbox.people.pressure_model import Ended, Stirred, Turned
from sandbox.phones.model import kind_and_number
from sandbox.readers.tables import TABLES
from sandbox.store.save import Save
from sandbox.talk.model import Exchanged


@pytest.fixture(scope="module")
def save(hour, tmp_path_factory):
    """The hour, kept in a file."""
    path = tmp_path_factory.mktemp("saves") / "hour.db"

    async def keep():
        steps = {n: [] for n in range(1, hour.world.step + 1)}
        for record in hour.records:
            steps[record.stamp.step].append(record)
        async with await Save.create(path, hour.founding) as kept:
            for step, records in steps.items():
                await kept.write(step, step * 60, records, lambda: b"")

    asyncio.run(keep())
    return path


def run(*args):
    return CliRunner().invoke(cli, ["export", *map(str, args)])


def jsonl(save, what):
    result = run(save, "--what", what)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_events_are_as_they_are_stored(save, hour):
    rows = jsonl(save, "events")
    assert len(rows) == len(hour.records) + 1
    stored = [to_row(r) for r in (hour.founding, *hour.records)]
    assert [r["seq"] for r in rows] == [s.seq for s in stored]
    assert rows[5]["data"] == json.loads(stored[5].data)
    assert [r["causes"] for r in rows] == [json.loads(s.causes) for s in stored]
    assert any(r["causes"] for r in rows)


@pytest.mark.parametrize("what", [w for w in TABLES if w != "feed"])  # of that: tests/cli/test_cli_feed.py
def test_both_formats_hold_the_same_rows_in_the_documented_columns(save, what):
    rows = jsonl(save, what)
    assert rows
    table = list(csv.DictReader(io.StringIO(run(save, "--what", what, "--format", "csv").stdout)))
    assert len(table) == len(rows)
    assert tuple(table[0]) == tuple(rows[0]) == TABLES[what].columns
    assert table[0]["seq"] == str(rows[0]["seq"])
    said = " ".join(run("--help").output.split())
    assert ", ".join(TABLES[what].columns) in said


def test_talk_moods_and_ties_are_those_of_the_log(save, hour):
    exchanged = [r.event for r in hour.records if r.event.KIND == "exchanged"]
    talk = jsonl(save, "talk")
    assert [r["text"] for r in talk] == [u.text for e in exchanged for u in e.lines]
    assert all(r["who"] != r["to"] and r["place"] is not None for r in talk)
    assert talk[0]["time"].startswith("2025-03-04 07:3")
    moods = jsonl(save, "moods")
    assert moods
    for who in {r["who"] for r in moods}:
        last = [r for r in moods if r["who"] == who][-1]
        assert (last["p"], last["a"], last["d"]) == tuple(hour.world.people.residents[who].mood.pad)
    assert {r["what"] for r in jsonl(save, "ties")} == {"feeling", "closeness"}
    for r in jsonl(save, "ties"):
        assert r["delta"] != 0
    for what in ("feeling", "closeness"):
        last = {(r["who"], r["whom"]): r["after"] for r in jsonl(save, "ties") if r["what"] == what}
        assert all(getattr(hour.world.people.ties[u][v], what) == x for (u, v), x in last.items())


def test_every_change_of_a_feeling_is_a_row_of_ties(hour):
    turned = (Turned("mara", "otis", 0.1, 0.2, "why"),)
    events = [
        Exchanged("talk", 1, "warn", (), (), feelings=turned),
        Stirred("slate", "confront", "dodge", "otis", 0.0, 0.5, 1, feelings=turned),
        Ended("slate", "paid", True, feelings=turned),
        Decided("race", "contest", "The race", "the ham", "Mara has won", feelings=turned),
    ]
    table = TABLES["ties"]
    for e in events:
        assert e.KIND in table.reads
        cells = list(table(hour.world).feed(Record(Stamp(9, 1, 60, "mara", ()), e)))
        assert [(row[2], row[3], row[5], row[6]) for row in cells] == [("mara", "otis", 0.1, 0.2)]


def test_what_residents_write_stands_with_its_words_and_what_it_is_about(save, hour):
    rows = {r["seq"]: r for r in jsonl(save, "phones")}
    threads = {r.event.id: r.event.thread for r in hour.records if r.event.KIND == "pressure_began"}
    wrote = [r for r in hour.records if isinstance(r.event, Writing)]
    assert wrote
    for at, e in wrote:
        row, about = rows[at.seq], e.about
        assert (row["who"], row["text"], row["number"]) == (at.actor, e.text, kind_and_number(e)[1])
        assert row["what"] == ("quote" if isinstance(e, Quoted) else kind_and_number(e)[0])
        assert [row[name] for name in ("topic", "cites", "rule", "matter")] == [
            about.topic, about.cites, about.rule, about.matter,
        ]  # fmt: skip
        assert row["thread"] == threads.get(about.matter, "")
    read = [r for r in hour.records if r.event.KIND == "read"]
    assert [rows[r.stamp.seq]["whom"] for r in read] == [r.event.by for r in read]
    crossed = [r for r in hour.records if r.event.KIND == "crossed"]
    assert [(rows[r.stamp.seq]["what"], rows[r.stamp.seq]["way"]) for r in crossed] == [
        ("crossed", r.event.way) for r in crossed
    ]
    assert len(rows) == len(wrote) + len(read) + len(crossed)


def test_memories_are_those_the_people_have(save, hour):
    mine = {}
    for r in jsonl(save, "memories"):
        mine.setdefault(r["who"], []).append((r["id"], r["kind"], r["text"], r["poignancy"], tuple(r["about"])))
    assert mine
    for who, stream in hour.world.memories.streams.items():
        assert mine.get(who, []) == [(m.id, m.kind, m.text, m.poignancy, m.about) for m in stream]


def test_every_walk_has_an_end_a_length_and_a_duration(save, hour):
    rows = jsonl(save, "walks")
    assert len(rows) == sum(r.event.KIND == "walked" for r in hour.records) > 50
    for r in rows:
        assert r["ended"] in ("arrived", "stopped", "moved", "going")
        assert r["tiles"] >= abs(r["to_x"] - r["x"]) + abs(r["to_y"] - r["y"])
        if r["ended"] == "arrived":
            assert 0 <= r["seconds"] - r["tiles"] * 60 / r["pace"] < 1


@pytest.mark.parametrize("text", ["=1+1", "+1", "-2", "@SUM(A1)", "\tx"])
def test_no_text_is_a_formula_but_numbers_stay_numbers(text):
    assert cell(text) == "'" + text.replace("\t", " ").replace("\r", " ")
    assert cell(-0.5) == -0.5
    assert cell(("=a", "b")) == "'=a b"
    assert cell("plain") == "plain"


def test_a_file_appears_whole_and_csv_by_its_name(save, tmp_path):
    out = tmp_path / "talk.csv"
    done = run(save, "--what", "talk", "--out", out)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"written to {out}\n"
    assert out.read_text(encoding="utf-8").startswith("t,time,talk,n,")
    assert [p.name for p in tmp_path.iterdir()] == ["talk.csv"]


def test_faults_are_one_line_and_exit_2(save, tmp_path):
    text = tmp_path / "text.db"
    text.write_text("no save")
    before = save.read_bytes()
    nowhere = tmp_path / "no" / "x.csv"
    for args in (
        (tmp_path / "none.db",),
        (text,),
        (tmp_path,),
        (save, "--out", save),
        (save, "--out", nowhere),
        (save, "--out", tmp_path),
    ):
        result = run(*args)
        assert result.exit_code == 2, args
        assert len(result.stderr.strip().splitlines()) == 1, result.stderr
        assert not result.stdout
    assert save.read_bytes() == before


@pytest.mark.slow
def test_a_reader_that_has_had_enough_is_left_in_peace(save):
    code = "import sys; from sandbox.cli.export import export; export(sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(save)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0
