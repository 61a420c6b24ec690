"""Cards in a world's files: what a card cannot be is named with file, line and mend."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from test_loading_goals import FILES
from tinyworld import Tiny

from sandbox.director.card_rule import DONE, CardRule
from sandbox.director.dealing import RULES, card_noun
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
        ("rule: happening", "rule: hapening", 'no rule of cards "hapening"; did you mean "happening"?'),
        ("needs: [to, whom]", "needs: [to]", "a card by the rule happening needs whom"),
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


def test_a_sort_of_card_that_does_not_exist_is_refused_in_a_save_too(tiny_world: Callable[..., Tiny]) -> None:
    s = tiny_world(ALL).read().scenario
    assert s is not None
    rain = msgspec.structs.replace(s.cards.cards["rain"], rule="weather")
    with pytest.raises(ValueError, match='no rule of cards "weather"'):
        check_scenario(msgspec.structs.replace(s, cards=CardDeck({"rain": rain})))


def test_a_new_sort_of_card_is_one_row(tiny_world: Callable[..., Tiny], monkeypatch: pytest.MonkeyPatch) -> None:
    own = CardRule(lambda *given: DONE, lambda *given: (), needs=("to", "where"), force=True, noun="a newt")
    monkeypatch.setitem(RULES, "newts", own)
    text = ALL[CARDS].replace("rule: happening", "rule: newts")
    says = [str(f) for f in tiny_world({**ALL, CARDS: text}).errors()]
    assert any("a card by the rule newts needs where" in x for x in says)
    assert any("the rule newts changes somebody" in x for x in says)
    mended = text.replace("needs: [to, whom]", "needs: [to, where]\n    may: [whom]\n    force: yes")
    s = tiny_world({**ALL, CARDS: mended}).read().scenario
    assert s is not None
    assert card_noun(s.cards.cards["newt"]) == "newt"
