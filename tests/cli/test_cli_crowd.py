"""A world that is a crowd alone, in commands that are of people elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.store import caches


def sandbox(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture(scope="module")
def county(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("crowd") / "county.db"
    sandbox("run", "county", "--crowd", "300", "--step", "1h", "--steps", "20", "--save", str(path))
    return str(path)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "words", [("talk", "stats"), ("talk", "coverage"), ("ask", "", "mara", "Who are you?")], ids=lambda words: words[0]
)
def test_what_asks_for_people_says_that_there_are_none(county: str, words: tuple[str, ...]) -> None:
    given = [word if word else county for word in words]
    told = sandbox(*given, *([] if county in given else [county]), code=2)
    assert "is a crowd alone, in which nobody walks or talks; `sandbox run county --days 1` lives it" in told


def test_nobody_is_told_line_by_line_of_a_crowd_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    assert "is a crowd alone" in sandbox("play", "county", "--log", code=2)


def test_the_days_of_a_crowd_alone_are_told_again(county: str) -> None:
    told = sandbox("replay", county)
    assert told.count("THE FEED, 300 users") == 2  # Tuesday until midnight, and what there is of Wednesday
    assert "talks" not in told.split("to prove")[0]


@pytest.mark.slow
def test_json_tells_what_stands_on_the_feed(county: str) -> None:
    found = json.loads(sandbox("run", county, "--steps", "1", "--json"))["feed"]
    assert found["users"] == 300
    assert found["accounts"] == found["quotes"] == 0
    assert min(found[name] for name in ("posts", "reposts", "comments", "likes", "dislikes", "follows")) > 0
    without = sandbox("run", "larkspur", "--crowd", "0", "--set", "feed.on=off", "--steps", "1", "--json")
    assert json.loads(without)["feed"] is None


def test_a_long_save_of_nobody_keeps_no_memories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "BLOCK_EVENTS", 5)
    path = str(tmp_path / "long.db")
    sandbox("run", "county", "--crowd", "50", "--steps", "12", "--save", path)
    sandbox("run", path, "--steps", "12")
    sandbox("replay", path, "--verify")
