"""`sandbox worlds`: what a person and a script see."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from tinyworld import Tiny

from sandbox.cli.main import cli
from sandbox.cli.worlds import worlds
from sandbox.core import places
from sandbox.engine import loading

Build = Callable[..., Tiny]


@pytest.fixture
def shipped(tiny_world: Build, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    """The tiny world as if it were all that ships."""
    tiny = tiny_world()
    (tiny.root / "worlds").mkdir()
    tiny.path.rename(tiny.root / "worlds" / "tiny")
    monkeypatch.setattr(loading, "world_roots", lambda: (tiny.root / "worlds",))
    return tiny


def test_a_right_world_is_ok_with_its_counts(shipped: Tiny) -> None:
    for name in ("tiny", "worlds/tiny"):
        result = CliRunner().invoke(worlds, ["check", name])
        assert result.exit_code == 0, result.output
        assert result.output.startswith("tiny: ok (2 people, 2 sectors, 3 arenas, 5 objects, 1 occasions, 1 pressures")


def test_a_wrong_world_has_a_line_a_fault_and_exit_code_2(shipped: Tiny) -> None:
    shipped.write("worlds/tiny/map.txt", "?\n")
    shipped.write("worlds/tiny/pressures.yaml", "presure: []\n")
    result = CliRunner().invoke(worlds, ["check", "tiny"])
    assert result.exit_code == 2
    assert 'worlds/tiny/map.txt:1: x 0, y 0: no letter "?" in the legend' in result.output
    assert 'worlds/tiny/pressures.yaml:1: no key "presure"; did you mean "pressures"?' in result.output


def test_a_name_that_is_near_is_suggested(shipped: Tiny) -> None:
    result = CliRunner().invoke(cli, ["worlds", "check", "tyny"])
    assert (result.exit_code, result.output) == (2, 'worlds: no world "tyny"; did you mean "tiny"?\n')


def test_worlds_are_listed_for_people_and_for_scripts(shipped: Tiny) -> None:
    plain = CliRunner().invoke(worlds, ["list"]).output.splitlines()
    assert [line.split() for line in plain] == [
        ["NAME", "TITLE", "PEOPLE", "SIZE", "PATH"],
        ["tiny", "Tiny", "2", "16x6", "worlds/tiny"],
    ]
    found = json.loads(CliRunner().invoke(worlds, ["list", "--json"]).output)
    assert found == [{"name": "tiny", "title": "Tiny", "people": 2, "width": 16, "height": 6, "path": "worlds/tiny"}]


def test_a_broken_world_is_listed_all_the_same(shipped: Tiny) -> None:
    shipped.write("worlds/tiny/world.yaml", "cast: [")
    shipped.write("worlds/tiny/map.txt", None)
    result = CliRunner().invoke(worlds, ["list"])
    assert result.exit_code == 0
    assert result.output.splitlines()[1].split() == ["tiny", "-", "0", "-", "worlds/tiny"]


def test_saves_go_where_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    assert places.saves_dir() == tmp_path / "saves"
    monkeypatch.delenv("SANDBOX_HOME")
    monkeypatch.setattr(places, "checkout", lambda: tmp_path)
    assert (places.saves_dir(), places.shipped_folder("worlds")) == (tmp_path / "saves", tmp_path / "worlds")
    monkeypatch.setattr(places, "checkout", lambda: None)
    assert places.shipped_folder("personas") == places.PACKAGE / "_data" / "personas"
    assert places.saves_dir().name == "saves"
