"""The budgets of the tree: what breaks one is told, and a command that costs more than it may fails."""

from __future__ import annotations

import sys

import budget
import pytest

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
