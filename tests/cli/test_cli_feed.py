"""The feed on the command line: a crowd beside a world, a world that is a crowd alone, its rows."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.readers.tables import FeedActTable


def sandbox(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture(scope="module")
def county(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("feed") / "county.db"
    sandbox("run", "county", "--crowd", "400", "--steps", "12", "--save", str(path))
    return path


def test_a_crowd_alone_tells_what_went_round() -> None:
    told = sandbox("run", "county", "--crowd", "400", "--steps", "12")
    assert "THE FEED, 400 users" in told
    assert "passed on" in told


@pytest.mark.slow
def test_the_same_seed_tells_the_same_and_another_another() -> None:
    once, again, other = (
        sandbox("run", "county", "--crowd", "200", "--steps", "6", "--seed", seed) for seed in ("5", "5", "6")
    )
    assert once.split("kept")[0].split(" in ")[0] == again.split("kept")[0].split(" in ")[0]
    assert once.splitlines()[-1] == again.splitlines()[-1] != other.splitlines()[-1]


@pytest.mark.slow
def test_a_town_with_a_crowd_tells_both() -> None:
    told = sandbox("run", "larkspur", "--crowd", "300", "--steps", "120")
    assert "L A R K S P U R" in told
    assert "THE FEED, 325 users" in told


def test_a_town_without_one_says_nothing_of_a_feed() -> None:
    assert "THE FEED" not in sandbox("run", "larkspur", "--crowd", "0", "--set", "feed.on=off", "--steps", "2")


@pytest.mark.parametrize("words", [("--crowd", "2000000"), ("--crowd", "many"), ("--crowd", "-1")])
def test_a_crowd_that_cannot_be_is_refused(words: tuple[str, ...]) -> None:
    assert "--crowd" in sandbox("run", "county", *words, code=2)


def test_nobody_at_all_is_no_world() -> None:
    assert "nobody is there" in sandbox("run", "county", "--crowd", "0", code=2)


def test_a_crowd_is_of_a_new_world_only(county: Path) -> None:
    assert "--crowd and --lenient are for a new world" in sandbox("run", str(county), "--crowd", "9", code=2)


def test_its_rows_are_acts_in_the_order_of_time(county: Path) -> None:
    rows = [json.loads(line) for line in sandbox("export", str(county), "--what", "feed").splitlines()]
    assert len(rows) > 100
    assert [row["t"] for row in rows] == sorted(row["t"] for row in rows)
    cards = [row["made"] for row in rows if row["act"] in ("create_post", "repost")]
    assert cards == [*range(len(cards))]
    said = [row["made"] for row in rows if row["act"] == "create_comment"]
    assert said == [*range(len(said))]


def test_both_formats_hold_the_same_rows_in_the_documented_columns(county: Path) -> None:
    rows = [json.loads(line) for line in sandbox("export", str(county), "--what", "feed").splitlines()]
    table = list(csv.DictReader(io.StringIO(sandbox("export", str(county), "--what", "feed", "--format", "csv"))))
    assert len(table) == len(rows)
    assert tuple(table[0]) == tuple(rows[0]) == FeedActTable.columns
    assert ", ".join(FeedActTable.columns) in " ".join(sandbox("export", "--help").split())


def test_it_is_proved_and_branched_as_all_saves_are(county: Path, tmp_path: Path) -> None:
    assert "unchanged" in sandbox("replay", str(county), "--verify")
    out = tmp_path / "branch.db"
    sandbox("run", str(county), "--steps", "3", "--save", str(out))
    assert "unchanged" in sandbox("replay", str(out), "--verify")


@pytest.mark.slow
def test_a_study_is_run_into_a_folder_and_not_run_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("lab", "run", "polarization", "--seeds", "1-2", "--arm", "talk", "--arm", "alone", "--out", str(out))
    told = sandbox(*words)
    assert "4 runs, 0 failed" in told
    files = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    assert {"report.md", "results.json", "runs.csv", "study.json"} <= files.keys()
    kept = {path.name: path.stat().st_mtime_ns for path in (out / "runs").iterdir()}
    sandbox(*words)
    assert {path.name: path.stat().st_mtime_ns for path in (out / "runs").iterdir()} == kept
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == files


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("Dear Ines")
    told = sandbox("lab", "run", "herd", "--seeds", "1", "--arm", "null", "--out", str(tmp_path), code=2)
    assert "report.md" in told
    assert (tmp_path / "report.md").read_text() == "Dear Ines"


def test_what_a_study_has_not_is_told(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert 'no arm "nul"; did you mean "null"?' in sandbox("lab", "run", "herd", "--arm", "nul", "--out", out, code=2)
    assert "--curve" in sandbox("lab", "run", "herd", "--curve", "x.csv", "--out", out, code=2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", 'no column "minute"'),
        ("minute,scale,depth,breadth\n", "holds no row"),
        ("minute,scale,depth\n1,1,1\n", 'no column "breadth"'),
        ("minute,scale,depth,breadth\n1,2,x,1\n", "curve.csv:2"),
        ("minute,scale,depth,breadth\n2,1,1,1\n1,1,1,1\n", "curve.csv:3"),
        ("minute,scale,depth,breadth\n1,-1,1,1\n", "curve.csv:2"),
        ("minute,scale,depth,breadth\n1,nan,1,1\n", "curve.csv:2"),
    ],
)
def test_a_curve_that_is_none_is_told_with_its_row(tmp_path: Path, text: str, told: str) -> None:
    curve = tmp_path / "curve.csv"
    curve.write_text(text)
    assert told in sandbox("lab", "run", "cascade", "--curve", str(curve), "--out", str(tmp_path / "o"), code=2)


def test_a_check_and_a_list_count_the_crowd(county: Path, tmp_path: Path) -> None:
    assert "county: ok (10,000 users)" in sandbox("worlds", "check", "county")
    world = tmp_path / "lane"
    world.mkdir()
    (world / "world.yaml").write_text(
        'title: The lane\nabout: A lane.\nstart: "2025-03-04 08:00"\nstep: 3m\n'
        "parameters: {feed.crowd: 50}\npopulation: {users: u.csv, follows: f.csv, posts: p.csv}\n"
    )
    (world / "u.csv").write_text("id,handle\na,ada\nb,bo\n")
    (world / "f.csv").write_text("follower,followed\na,b\n")
    (world / "p.csv").write_text("author,time,text\na,-60,Bread.\n")
    told = sandbox("worlds", "check", str(world))
    assert "lane: ok (50 users, 2 of them from tables, 1 follows, 1 post)" in told
    page = sandbox("run", str(world), "--steps", "1")
    assert "0 posts" not in page or "Bread." not in page, "what was there before the start is no news"
    assert re.search(r"crowd +400\n", sandbox("saves", "info", str(county)))


@pytest.mark.slow
def test_days_are_told_each_by_itself_and_from_a_moment_on(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    sandbox("run", "county", "--crowd", "200", "--days", "2", "--save", str(path), "--set", "feed.tick=1800")
    told = sandbox("replay", str(path))
    heads = [line.rsplit(" since ", 1)[1] for line in told.splitlines() if line.startswith("THE FEED")]
    assert heads == ["Tue 4 Mar 07:30", "Wed 5 Mar 00:00", "Thu 6 Mar 00:00"]
    posts = [int(line.split(": ")[1].split(" post")[0]) for line in told.splitlines() if line.startswith("THE FEED")]
    stood = sandbox("export", str(path), "--what", "feed-posts").splitlines()
    assert sum(posts) == sum(json.loads(line)["what"] == "post" for line in stood)
    later = sandbox("replay", str(path), "--at", "3 02:00")
    assert next(line for line in later.splitlines() if "THE FEED" in line).endswith("since Thu 6 Mar 02:00")
    assert later.count("THE FEED") == 1


def test_a_town_without_a_feed_has_no_acts_to_export(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    sandbox("run", "larkspur", "--crowd", "0", "--set", "feed.on=off", "--steps", "2", "--save", str(path))
    assert "is of a world without a feed" in sandbox("export", str(path), "--what", "feed", code=2)
