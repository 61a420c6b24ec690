"""A card in a line of text means what a person who types it means, and what is not understood is said."""

import asyncio

import pytest
from dealt import SEED

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.director.model import Dealt
from sandbox.director.reading import card_matters, read_card
from sandbox.store.save import Save


@pytest.fixture(scope="module")
def world(morning):
    async def look():
        async with await Save.open(morning, read_only=True) as save:
            return await save.seek()

    found = asyncio.run(look())
    assert found.scenario.seed == SEED
    return found


@pytest.mark.parametrize(("line", "means"), [
    ("letter to mara about frozen_boxes", Dealt(card="letter", to="mara", matter="frozen_boxes")),
    ("a letter to Mara: Look at the flour.", Dealt(card="letter", to="mara", words="Look at the flour.")),
    ("Letter to Mara Tansy : Look: there.", Dealt(card="letter", to="mara", words="Look: there.")),
    ('letter to mara about "frozen rolls flour"', Dealt(card="letter", to="mara", matter="frozen_boxes")),
    ("false letter to zeno against noor about frozen_boxes",
     Dealt(card="false_letter", to="zeno", whom="noor", matter="frozen_boxes")),
    ("rain for 3h", Dealt(card="rain", lasts=3 * HOUR)),
    ("rain in 30m", Dealt(card="rain", later=30 * MINUTE)),
    ("blackout at 11:00", Dealt(card="blackout", later=30 * MINUTE)),
    ("blackout tomorrow 10:30", Dealt(card="blackout", later=DAY)),
    ("blackout day 2 10:30", Dealt(card="blackout", later=DAY)),
    ("locked door at the library", Dealt(card="locked_door", where="Library")),
    ('occasion at "Market Square / fountain" in 1h: Pancakes',
     Dealt(card="occasion", where="Market Square / fountain", later=HOUR, words="Pancakes")),
    ("money found to yara from vera 20 coins", Dealt(card="money_found", to="yara", whom="vera", coins=20)),
    ("money found to yara 1,500 coins", Dealt(card="money_found", to="yara", coins=1500)),
    ("seat beside somebody to yara with vera", Dealt(card="seat", to="yara", whom="vera")),
    ("trend post 17", Dealt(card="trend", post=17)),
    ("courage to una", Dealt(card="courage", to="una")),
    ("guest nils to vera for 2d", Dealt(card="guest", guest="nils", to="vera", lasts=2 * DAY)),
])  # fmt: skip
def test_a_line_means_a_card(world, line, means):
    assert read_card(world, line) == means


@pytest.mark.parametrize(("line", "says"), [
    ("", "say which card"),
    ("leter to mara", 'did you mean "letter"'),
    ("letter to marra", 'did you mean "Mara"'),
    ("letter mara", "is not understood"),
    ("letter to", "something is missing"),
    ("letter to mara about the price of fish", "no matter"),
    ("rain for ever", "no span of time"),
    ("rain at Atlantis", "no place"),
    ("blackout day 1 08:00", "is past"),
    ("blackout at 25:00", "no time of day"),
    ("blackout day 0 08:00", "is no moment"),
    ("blackout tomorrow noon", "is no moment"),
    ("money found to yara from vera -5 coins", "say coins from 1 to 10,000, not \"-5\""),
    ("money found to yara 0 coins", "say coins from 1 to 10,000"),
    ("money found to yara 2.5 coins", "say coins from 1 to 10,000"),
    ("money found to yara 10,001 coins", "say coins from 1 to 10,000"),
    ("money found to yara 5 coins 6 coins", "the sum of coins is given twice; say it once"),
    ("letter to mara to dov about frozen_boxes", "to whom is given twice"),
    ("seat to mara with dov beside vera", "with whom .* is given twice"),
    ("rain in 2h at 14:30", "when it takes effect is given twice"),
    ("rain for 2h for 3h", "for how long is given twice"),
    ("trend post seven", "a post is a number"),
    ("x" * 5000, "no card"),
    ("\x1b[31mletter to mara", "no card"),
])  # fmt: skip
def test_what_is_not_understood_is_said_in_a_sentence(world, line, says):
    with pytest.raises(ValueError, match=says) as told:
        read_card(world, line)
    assert len(str(told.value)) < 400
    assert "\x1b" not in str(told.value)


def test_what_cards_can_be_about_is_told_in_sentences_and_each_can_be_named(world):
    known = card_matters(world)
    assert {"frozen_boxes", "two_months"} <= {k.id for k in known}
    assert all(k.says for k in known)
    for k in known:
        assert read_card(world, f'letter to mara about "{k.id}"').matter == k.id
