"""The budgets of the tree: what breaks one is told, and a command that costs more than it may fails."""

from __future__ import annotations

import sys
from pathlib import Path

import budget
import pytest
from house import House

SPIN = "n = 0\nfor i in range(3_000_000): n += i"  # some loops' worth of work


def test_every_package_keeps_to_its_budget_of_lines() -> None:
    assert budget.over_lines(budget.lines(), budget.budgets()["lines"]) == []


def test_what_breaks_a_budget_of_lines_is_told() -> None:
    told = budget.over_lines({"core": 120, "new": 5, "town": 10}, {"core": 100, "town": 10, "gone": 7})
    assert told == [
        "sandbox/core has 120 lines, 20 over its budget of 100",
        "sandbox/new has no budget of lines",
        "there is no sandbox/gone, and a budget for it",
    ]


def test_a_shape_that_is_not_as_written_is_told_whether_it_grew_or_fell() -> None:
    assert budget.moved(
        "shape", {"grown": 3, "fallen": 1, "new": 1, "same": 5}, {"grown": 2, "fallen": 2, "same": 5, "gone": 0}
    ) == [
        "shape.new has no number in pyproject.toml",
        "shape.fallen has fallen to 1: write that in place of 2, so it stays",
        "shape.gone is a row of nothing that is counted",
        "shape.grown is 3, 1 over its budget of 2",
    ]


HOUSE = {
    "core/events.py": "class Event: ...\nclass Hidden(Event): ...\nclass Base: ...\ndef shown(): ...\n",
    "town/handlers.py": "from sandbox.core.events import Hidden\n"
    "def shown(e, at: Stamp): return isinstance(e, Hidden)\n",
    "tui/pane.py": "import sandbox.tui.deep.leaf\nfrom sandbox.core import events\nclass Base: ...\n"
    "def shown(e):\n    match e:\n        case events.Hidden(): return {events.Hidden: 1}\n"
    "    return isinstance(e, (int, str))\n",
    "tui/deep/leaf.py": "from sandbox.tui import pane\ndef long():\n" + "    x = 1\n" * 60,
    "tui/deep/large.py": "def run():\n" + "    if 1: pass\n" * 15 + "\n" * 400 + "def _shown(): ...\n",
    "lab/one.py": "from sandbox import version\ndef run(): ...\n",
    "readers/day.py": "from sandbox.core.events import Hidden\ndef seen(e): return isinstance(e, Hidden)\n",
    "version.py": "",
    "__main__.py": "from sandbox.lab import one\n",  # where `python -m` begins is no end of a pair
}


def test_a_shape_is_counted_as_it_is(tmp_path: Path) -> None:
    for name, text in HOUSE.items():
        path = tmp_path / "sandbox" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    house = House(tmp_path)
    assert house.measures() == {
        "long_functions": 1,
        "complex_functions": 1,
        "modules": 9,
        "short_modules": 7,
        "large_modules": 1,
        "classes_of_one_name": 1,
        "functions_of_one_name": 1,  # `run` is of one contract, what has a Stamp takes an event in
        "events_by_type": 2,
        "events_by_type_in_readers": 1,
        "folders_both_ways": 1,
    }
    assert house.both_ways() == [("sandbox/tui", "sandbox/tui/deep")]


@pytest.mark.parametrize(("allowed", "code"), [(1, 1), (1_000_000, 0)])
def test_a_command_that_costs_more_than_it_may_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], allowed: int, code: int
) -> None:
    monkeypatch.setattr(budget, "budgets", lambda: {"cpu": {"test": allowed}})
    assert budget.main(["cpu", "test", sys.executable, "-c", SPIN]) == code
    assert ("loops over it" in capsys.readouterr().out) == bool(code)


@pytest.mark.parametrize(("turn", "code"), [(0.056, 0), (0.028, 1), (0.014, 1)])
def test_a_loop_quicker_than_the_tests_are_counts_as_quick_as_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], turn: float, code: int
) -> None:
    monkeypatch.setattr(budget, "budgets", lambda: {"cpu": {"test": 900}})
    monkeypatch.setattr(budget, "measured", lambda command: (0, 28.0, turn))
    assert budget.main(["cpu", "test", "all"]) == code
    assert f"{500 if turn > 0.028 else 1000:,} loops" in capsys.readouterr().out


def test_a_command_that_fails_fails_within_its_budget_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "budgets", lambda: {"cpu": {"test": 1_000_000}})
    assert budget.main(["cpu", "test", sys.executable, "-c", "raise SystemExit(3)"]) == 3
