"""The sentences of a person's story: said once, of what they came of, and each in English by itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from storyworld import Village

from sandbox.people.paying import DEBT, LOAN
from sandbox.readers.biography import Chapter, _cause, _led
from sandbox.readers.lifewords import coin_sentence, tie_sentences
from sandbox.readers.phrases import with_why


def life(village: Village, **more: Any) -> Any:
    return SimpleNamespace(who="ann", handbook=village.handbook, clock=village.clock, causes={}, **more)


def chapter(n: int, thread: str, day: int, *events: int, matter: str = "m", kind: str = "grudge") -> Chapter:
    telling = SimpleNamespace(cause="", wanted="", who="")
    incident: Any = SimpleNamespace(
        thread=thread, day=day, events=events, kind=kind, pair=("ann", "ben"), telling=telling
    )
    own: Any = SimpleNamespace(id=matter)
    return Chapter(n, f"Chapter {n}", incident, own)


def test_what_goes_on_has_been_open_since_a_day(village: Village) -> None:
    first, second = chapter(0, "slate", 1, 5), chapter(1, "slate", 2, 9)
    (says,) = _cause(life(village), second, [first])
    day = f"{village.clock.at(village.clock.midnight(1)):%A}"
    assert says == f"It had been open since {day}"


def test_what_it_came_of_is_of_its_own_thread_before_what_befell_beside_it(village: Village) -> None:
    slate, bars = chapter(0, "slate", 1, 5, 6), chapter(1, "solo", 1, 6, 7)
    money = chapter(2, "slate", 2, 9, matter="money", kind="debt")
    of = life(village)
    of.causes["money"] = (6,)
    assert [x for x in _cause(of, money, [slate, bars]) if "Chapter 0" in x]
    assert not list(_led(of, bars, [slate, bars, money]))
    assert list(_led(of, slate, [slate, bars, money]))
    first, alone = chapter(0, "solo", 1, 6, 7), chapter(1, "apart", 2, 9, matter="money")
    (led,) = _led(of, first, [first, alone])
    assert led.startswith("It led to “Chapter 1”")


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


@pytest.mark.parametrize(
    ("why", "says"),
    [
        ("Jory and Yara are walking out", "Yara and Jory are a couple: they are walking out"),
        ("Jory and Una are walking out", "Yara and Jory are a couple: Jory and Una are walking out"),
        ("", "Yara and Jory are a couple"),
    ],
)
def test_a_pair_is_named_once_in_a_sentence_and_its_reason(why: str, says: str) -> None:
    assert with_why("Yara and Jory are a couple", why) == says
