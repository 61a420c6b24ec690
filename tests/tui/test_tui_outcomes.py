"""The sheet of what an occasion decided: everybody's part in it, and why."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from sandbox.core.events import Record, Stamp
from sandbox.drama.outcomes import Decided, DecisionPart
from sandbox.readers.stories_of_pressures import SHOWN
from sandbox.readers.story import Teller
from sandbox.talk.model import ScoredRule
from sandbox.town.plan import CONTEST, VOTE
from sandbox.tui.sheets.event import detail_lines
from sandbox.tui.view.text_lines import Line

NAMES: Any = SimpleNamespace(name=str.title)
VIEWER: Any = SimpleNamespace(timeline=SimpleNamespace(teller=Teller(NAMES), clock=None))


def lines(e: Decided, width: int) -> list[Line]:
    return detail_lines(VIEWER, Record(Stamp(9, 1, 60, "", ()), e), width)


def text(lines: list[Line]) -> str:
    return "\n".join("".join(part.text for part in line) for line in lines)


def test_of_a_vote_all_are_named_with_their_side_and_their_reasons() -> None:
    parts = (
        DecisionPart(
            "noor", True, 0.3, (ScoredRule("the clinic needs the money", 0.5), ScoredRule("has promised Basil", -0.2))
        ),
        DecisionPart("basil", False, -0.95, (ScoredRule("[the] wheel\x1b[31m turns", -0.95),)),
    )
    found = text(lines(Decided("vote", VOTE, "The vote", "the sale", "Sold", parts), 70))
    assert "Noor voted for the sale" in found
    assert "Basil voted against the sale" in found
    assert "the clinic needs the money +0.50; has promised Basil -0.20" in found
    assert "\x1b" not in found


def test_of_a_contest_the_first_few_are_named() -> None:
    parts = tuple(DecisionPart(f"p{n}", n == 0, 1.0 - n / 10, (ScoredRule("luck", 0.1),)) for n in range(9))
    found = text(lines(Decided("race", CONTEST, "The race", "the ham", "Won", parts), 40))
    assert "P0 came first" in found
    assert f"P{SHOWN - 1} came {SHOWN}th" in found
    assert f"and {9 - SHOWN} more" in found
