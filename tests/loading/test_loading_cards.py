"""Cards in a world's files: what a card cannot be is named with file, line and mend."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from test_loading_goals import FILES
from tinyworld import Tiny

from sandbox.director.deck import CardDeck
from sandbox.engine.checking import check_scenario

DECK, CARDS = "data/drama.yaml", "data/cards.yaml"
SPARK = 'sparks:\n  newt: {says: "{actor} gave {target} a newt", roles: {actor: {}, target: {}}, children: [dream]}\n'
RAIN = """\
cards:
  rain:
    called: rain
    says: "It rains in {where}"
    does: "Who was out of doors looks for a roof."
    rule: condition
    condition: rain
    lasts: 3
    crosses: ["meant to {do} {at}"]
    meets: ["stood {at} with {whom}"]
    ages: [16, 90]
    children: [dream]
"""
NEWT = """\
  newt:
    called: a newt
    says: "{to} gives {whom} a newt"
    does: "Somebody has a newt."
    rule: happening
    needs: [to, whom]
    spark: newt
    otherwise: [dream]
"""
ALL = {**FILES, DECK: FILES[DECK] + SPARK, CARDS: RAIN + NEWT}


def test_cards_are_read_and_kept(tiny_world: Callable[..., Tiny]) -> None:
    reading = tiny_world(ALL).read()
    s = reading.scenario
    assert s is not None, [str(f) for f in reading.faults.errors]
    rain, newt = s.cards.cards["rain"], s.cards.cards["newt"]
    assert (rain.crosses, rain.meets, rain.ages) == (("meant to {do} {at}",), ("stood {at} with {whom}",), (16, 90))
    assert newt.otherwise == ("dream",)
    assert msgspec.convert(msgspec.to_builtins(s.cards), CardDeck) == s.cards
    check_scenario(s)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("{do} {at}", "{doo} {at}", 'no slot "{doo}"; did you mean "do"?'),
        ("with {whom}", "with {to}", 'no slot "{to}"'),
        ("with {whom}", "with {whom", "a brace without a partner"),
        ("ages: [16, 90]", "ages: [90, 16]", "names the older first"),
        ("ages: [16, 90]", "ages: [16]", "write two ages"),
        ("ages: [16, 90]", "ages: [16, 900]", "200"),
        ("children: [dream]", "children: [draem]", 'no child "draem"; did you mean "dream"?'),
        ("otherwise: [dream]", "otherwise: [draem]", 'no child "draem"; did you mean "dream"?'),
        ("spark: newt\n    otherwise", "otherwise", "is instead of what a spark brings"),
        ("otherwise: [dream]", 'meets: ["saw {whom}"]', "is of a card by which something holds"),
        ("otherwise: [dream]", "ages: [16, 90]", "is of a card by which something holds"),
        ("    condition: rain\n", "", "say what then holds"),
    ],
)
def test_what_a_card_cannot_be_is_told_with_its_place(
    tiny_world: Callable[..., Tiny], old: str, new: str, says: str
) -> None:
    assert old in ALL[CARDS]
    errors = tiny_world({**ALL, CARDS: ALL[CARDS].replace(old, new, 1)}).errors()
    found = [f for f in errors if says in str(f)]
    assert found, "\n".join(map(str, errors))
    assert found[0].file.endswith("cards.yaml")
    assert found[0].line > 0
