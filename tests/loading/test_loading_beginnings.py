"""What somebody who is played may begin is a list of the deck: a world adds to it, and every fault has its line."""

from __future__ import annotations

import pytest
from test_loading_drama import DRAMA, FILES, NAME, Build, deck
from tinyworld import Tiny

BEGUN = """\
own:
  sour:
    - {do: ask, accept: {end: paid, children: [sour]}, dodge: {by: 0.0}, refuse: {by: 0.1}}
beginnings:
  sour:
    says: "ask {third} about {stakes}"
    line: "Well, {name}?"
    do: ask
    roles: {actor: {ages: [8, 90]}, target: {towards: {actor: [-1, 1]}}}
    third: anybody
    weight: 2
"""


@pytest.fixture
def tiny(tiny_world: Build) -> Tiny:
    return tiny_world(FILES)


def test_a_world_adds_what_can_be_begun(tiny: Tiny) -> None:
    tiny.write(NAME, DRAMA + BEGUN)
    assert not tiny.errors()
    drama = deck(tiny)
    assert drama.beginnings["sour"].weight == 2
    assert drama.own["sour"][0].accept.end == "paid"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("beginnings:\n  sour:", "beginnings:\n  soar:", 'no child "soar"; did you mean "sour"?'),
        ("own:\n  sour:", "own:\n  soar:", 'no child "soar"'),
        ("do: ask\n", "do: aks\n", 'no way of its holder "aks"; did you mean "ask"?'),
        ("{do: ask,", "{do: aks,", 'no exchange "aks"'),
        ("end: paid,", "end: payed,", 'no ending "payed"'),
        ("children: [sour]}, dodge", "children: [soar]}, dodge", 'no child "soar"'),
        ("{third} about", "{thrid} about", "thrid"),
        ("{name}?", "{nam}?", "nam"),
        ("third: anybody", "third: everybody", 'no third "everybody"'),
        ("weight: 2", "weight: -2", "out of range"),
        ("{actor: [-1, 1]}", "{other: [-1, 1]}", 'no role "other"'),
    ],
)
def test_a_fault_of_a_beginning_is_named(tiny: Tiny, old: str, new: str, says: str) -> None:
    assert old in BEGUN
    tiny.write(NAME, DRAMA + BEGUN.replace(old, new, 1))
    found = [str(f) for f in tiny.errors()]
    assert any(says in fault for fault in found), found
