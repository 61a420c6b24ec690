"""The sentences of a person's story: said once, of what they came of, and each in English by itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from storyworld import Village

from sandbox.people.paying import DEBT, LOAN
from sandbox.readers.lifewords import coin_sentence, tie_sentences


def life(village: Village, **more: Any) -> Any:
    return SimpleNamespace(who="ann", handbook=village.handbook, clock=village.clock, causes={}, **more)


def test_how_somebody_feels_of_others_is_one_sentence(village: Village) -> None:
    feelings = {("ann", "ben"): 0.05, ("ann", "cy"): -0.05, ("ben", "ann"): 0.05}
    day: Any = SimpleNamespace(feelings=feelings, reasons={})
    assert tie_sentences(life(village), day) == ["Ben likes Ann more", "Ann likes Ben more, and Cy less"]
    one: Any = SimpleNamespace(feelings={("ann", "cy"): -0.05}, reasons={})
    assert tie_sentences(life(village), one) == ["Ann likes Cy less"]
    assert tie_sentences(life(village), SimpleNamespace(feelings={}, reasons={})) == []  # type: ignore[arg-type]


def test_coins_that_settle_something_are_told_from_either_end(village: Village) -> None:
    day: Any = SimpleNamespace(paid=[(6, DEBT, "ben"), (4, "a pint", "")], got=[(6, DEBT, "cy"), (9, LOAN, "ben")])
    paid, got = "paid 10 coins (what was owed to Ben and a pint)", "got 15 coins (what Cy owed and a loan from Ben)"
    assert coin_sentence(life(village), day) == f"Ann {paid} and {got}"
