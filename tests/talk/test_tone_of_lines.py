"""Lines of meeting and parting that remember how it went sound like it, by their words alone."""

import pytest

from sandbox.engine.scenario import Scenario
from sandbox.talk.lines import CRITERIA, REGISTERS, SLOT, BookLine
from sandbox.talk.sentiment import sentiment

REMEMBERS = (("greet", "left"), ("preclose", "went"), ("bye", "went"))
ASKED = [(move, key, tone) for move, key in REMEMBERS for tone in CRITERIA[key]]
LEAST = {"warm": 0.35, "sore": 0.25}  # how kind, or how harsh, any of them sounds
PLAINLY = {"warm": 0.45, "sore": 0.4}  # and nine in ten
PET = {"address", "insult_fond"}  # slots that may call the listener by a pet name


def remembering(larkspur: Scenario, move: str, key: str, tone: str) -> list[BookLine]:
    """The lines of a move that ask for this tone and no other."""
    found = [line for line in larkspur.lines.lines if line.move == move and line.when.get(key) == (tone,)]
    assert found
    return found


def strength(text: str, tone: str) -> float:
    """How much a line, its slots left empty, sounds like a tone: from -1, its opposite, to 1."""
    sounds = sentiment(SLOT.sub("", text))
    return sounds if tone == "warm" else -sounds


def test_greetings_alone_ask_what_was_left_and_partings_alone_how_it_went(larkspur: Scenario) -> None:
    asking = {
        (line.move, key, *line.when[key])
        for line in larkspur.lines.lines
        for key in ("left", "went")
        if key in line.when
    }
    assert asking == set(ASKED)


@pytest.mark.parametrize(("move", "key", "tone"), ASKED)
def test_a_line_that_remembers_sounds_like_it(larkspur: Scenario, move: str, key: str, tone: str) -> None:
    lines = remembering(larkspur, move, key, tone)
    heard = {text: strength(text, tone) for line in lines for text in line.say}
    assert {text: x for text, x in heard.items() if x < LEAST[tone]} == {}
    assert sum(x >= PLAINLY[tone] for x in heard.values()) >= 0.9 * len(heard)


@pytest.mark.parametrize(("move", "key", "tone"), ASKED)
def test_every_voice_has_a_line_that_remembers_and_asks_no_more(
    larkspur: Scenario, move: str, key: str, tone: str
) -> None:
    alone = [line for line in remembering(larkspur, move, key, tone) if set(line.when) == {key}]
    assert any(not line.registers for line in alone)
    assert {voice for line in alone for voice in line.registers} == set(REGISTERS)


@pytest.mark.parametrize(("move", "key", "tone"), ASKED)
def test_a_child_remembers_in_words_of_its_own(larkspur: Scenario, move: str, key: str, tone: str) -> None:
    assert any(line.when.get("age") == ("child",) for line in remembering(larkspur, move, key, tone))


@pytest.mark.parametrize(("move", "key"), REMEMBERS)
def test_who_is_sore_uses_no_pet_name(larkspur: Scenario, move: str, key: str) -> None:
    said = [text for line in remembering(larkspur, move, key, "sore") for text in line.say]
    assert [text for text in said if PET & set(SLOT.findall(text))] == []
