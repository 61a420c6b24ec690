"""`sandbox bench`: a dozen figures, each with what it is and what it means for a user."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from clishell import Shell

from sandbox.cli import bench, calibration
from sandbox.cli.bench import MeasuredValue
from sandbox.cli.calibration import make_figure, shown_value
from sandbox.cli.screen_speed import start_without_screen

KEYS = {"name", "value", "unit", "loop_ms", "ratio", "note"}


def test_the_help_names_every_figure_beside_its_group(shell: Shell) -> None:
    told = shell("bench", "--help").out
    for name, (unit, what) in bench.FIGURES.items():
        assert re.search(rf" {re.escape(name)} +{re.escape(f'{what} ({unit})')}\n", told), name
    assert re.findall(r"^ +(\w+) +\1\.\w+ ", told, re.M) == [*bench.GROUPS]


def test_the_groups_give_the_figures_of_the_list() -> None:
    given = re.findall(r'"([a-z.]+)": MeasuredValue\(', inspect.getsource(bench))
    assert given == [*bench.FIGURES]
    assert 10 <= len(given) <= 15


@pytest.mark.parametrize("words", [("--only", "frames"), ("--only", "day,frames", "--json")])
def test_a_wrong_group_is_named_with_the_near_one(shell: Shell, words: tuple[str, ...]) -> None:
    done = shell("bench", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith('no group of figures "frames"; did you mean "frame"?\n')


def test_a_figure_is_told_in_words_and_its_measuring_ends_well(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def day(folder: Path) -> dict[str, MeasuredValue]:
        asked.append("day")
        return {"day.wall": MeasuredValue(7.25, "a week takes long"), "day.size": MeasuredValue(3e6, "a week is more")}

    async def key(folder: Path) -> dict[str, MeasuredValue]:
        asked.append("key")
        return {"key.wait": MeasuredValue(None, "not measured")}

    monkeypatch.setattr(bench, "GROUPS", {"day": day, "key": key})
    monkeypatch.setattr(calibration, "calibration_time", lambda: 0.025)
    monkeypatch.setattr(calibration, "set_heap_aside", lambda: None)
    done = shell("bench", "--only", "key, day,key")
    assert (done.code, asked) == (0, ["day", "key"])
    assert re.search(r"^day\.wall +7\.25 +s +real time of that day +a week takes long", done.out, re.M)
    assert re.search(r"^key\.wait +- +ms ", done.out, re.M)
    wall, size, wait = shell("bench", "--json").json["figures"]
    assert wall.keys() == size.keys() == wait.keys() == KEYS
    assert (wall["value"], wall["ratio"], wall["loop_ms"]) == (7.25, 290.0, 25.0)
    assert (size["value"], size["ratio"], wait["value"]) == (3.0, None, None)


def test_what_was_measured_is_told_in_its_unit_and_times_in_loops() -> None:
    assert make_figure("a", 0.0015, "ms", 0.03) == ("a", 1.5, "ms", 30.0, 0.05, "")
    assert make_figure("a", 2_500.0, "kB", 0.03, "note") == ("a", 2.5, "kB", 30.0, None, "note")
    assert make_figure("a", 0.3, "loops", 0.03).value == pytest.approx(10.0)
    assert make_figure("a", 12.0, "steps/s", 0.03).value == 12.0
    assert [shown_value(value) for value in (None, 0.12345, 12345.6)] == ["-", "0.123", "12,346"]


@pytest.mark.slow
def test_a_group_measures_this_computer(shell: Shell) -> None:
    done = shell("bench", "--only", "frame", "--json")
    assert done.code == 0
    cpu, size = done.json["figures"]
    assert (cpu["name"], size["name"]) == ("frame.cpu", "frame.size")
    assert 0 < cpu["value"] < 1000
    assert 1 < size["value"] < 1000
    assert cpu["note"].startswith("at 12 frames a second the map takes ")


@pytest.mark.slow
def test_a_start_without_a_screen_tells_which_modules_it_imported() -> None:
    start = start_without_screen("larkspur", ("numpy", "no_such_module"))
    assert start.modules == ["numpy"]
    assert start.wall is not None
    assert start.wall > 0
