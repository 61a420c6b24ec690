"""Of what kind a phrase is that lines speak of."""

import pytest

from sandbox.talk.lines import (
    CRITERIA,
    DEED,
    EVENT,
    HOUR,
    PERSON,
    PHRASE_KINDS,
    PLACE,
    QUESTION,
    SUM,
    THING,
    THINGS,
    kind_of,
)

PHRASES = {
    "a landlord with a good memory": PERSON,
    "a friend who may mind the song": PERSON,
    "a husband who has begun to enunciate": PERSON,
    "one father at half past twelve with a kite": PERSON,
    "a poet within four streets": PERSON,
    "a rye loaf singing as it cools": THING,
    "the damp behind the organ": THING,
    "a kite promised nine times": THING,
    "a grown son's good name": THING,
    "a set of suspiciously clean brushes": THING,
    "a class that has just understood something": THING,
    "the mayor's chain": THING,
    "spelling": THING,
    "nothing at all": THING,
    "the gaps in the pews": THINGS,
    "the new cafe prices": THINGS,
    "people who squeeze the rolls": THINGS,
    "a grown son's late nights": THINGS,
    "two months' rent": THINGS,
    "212 names under a plate of buns": THINGS,
    "pies within reason": THINGS,
    "saying no to a whole shop": DEED,
    "not being told": DEED,
    "selling the mill meadow": DEED,
    "clattering teaspoons": DEED,
    "sixty-two on the bakery slate": SUM,
    "thirty-five missing from the market float": SUM,
    "eight hundred and forty owed for oak": SUM,
    "12 coins": SUM,
    "a hundred in coins": SUM,
    "four in the morning": HOUR,
    "half past seven at the gate": HOUR,
    "noon": HOUR,
    "the vote on the meadow": EVENT,
    "a supper eaten at four different times": EVENT,
    "The pancake race": EVENT,
    "the square before anybody has spoken": PLACE,
    "the river at ten to six": PLACE,
    "where Jory was at midnight": QUESTION,
    "who painted a newt on the school wall": QUESTION,
    "whose verse it was": QUESTION,
    "the supper club across the square": THING,
    "a baritone line two steps behind": "thing",
    "the same four miles": "things",
    "for whom the almonds are": "question",
    "Reading hour": "thing",
    "the police": "things",
    "cold feet": "things",
    "Christmas": "thing",
    "the atlas": "thing",
    "string, and plenty of it": "thing",
    "two of us": "things",
}


@pytest.mark.parametrize(("phrase", "kind"), PHRASES.items())
def test_a_phrase_is_of_the_kind_of_its_noun_or_its_form(phrase: str, kind: str) -> None:
    assert kind_of(phrase) == kind
    assert kind_of(f" {phrase} ") == kind


def test_every_kind_is_met_and_can_be_asked_for() -> None:
    assert set(PHRASES.values()) == set(PHRASE_KINDS) == set(CRITERIA["is"])


@pytest.mark.parametrize("odd", ["", "   ", "...", "a", "The", "’s"])
def test_what_is_hardly_a_phrase_has_a_kind_all_the_same(odd: str) -> None:
    assert kind_of(odd) in PHRASE_KINDS
