"""An answer answers its question: lines that ask for something, and lines that tell it."""

from __future__ import annotations

import pytest
from lived import Day

from sandbox.core.chance import Chance
from sandbox.engine.scenario import Scenario
from sandbox.talk.lines import CRITERIA, REGISTERS, ROWS, BookLine
from sandbox.talk.model import Exchanged
from sandbox.talk.saying import Say
from sandbox.talk.speaker import Speaker

ANSWERS = {"ask_on": "tell_on", "ask_about": "answer_about"}
SLOTS = {"name": "Bo", "topic": "the mill wheel", "act": "kneading dough", "place": "the bakery", "plan": "have lunch"}


@pytest.fixture(scope="module")
def speaker(larkspur: Scenario) -> Speaker:
    return Speaker(larkspur.lines)


@pytest.fixture(scope="module")
def book(larkspur: Scenario) -> dict[str, BookLine]:
    return {line.id: line for line in larkspur.lines.lines}


def told(book: dict[str, BookLine], variant: str) -> tuple[str, ...]:
    """What the line of a variant was asked for."""
    return book[variant.rpartition("#")[0]].when.get("asked", ())


def asking(larkspur: Scenario) -> list[BookLine]:
    """The questions that want something definite and are answered by one move."""
    return [line for line in larkspur.lines.lines if line.asks and line.move in ANSWERS]


def test_there_are_many_such_questions_and_what_they_want_is_answered_everywhere(larkspur: Scenario) -> None:
    lines = asking(larkspur)
    assert len({line.asks for line in lines if line.move == "ask_on"}) >= 8
    assert len({line.asks for line in lines if line.move == "ask_about"}) >= 4
    for line in lines:
        assert ANSWERS[line.move] in ROWS[line.move].answers


@pytest.mark.parametrize("pleasure", [-0.8, 0.0, 0.8])
def test_whoever_is_asked_for_something_tells_it(
    speaker: Speaker, book: dict[str, BookLine], larkspur: Scenario, pleasure: float
) -> None:
    for n, line in enumerate(asking(larkspur)):
        kinds = line.when.get("topic_kind", ("concern",))
        for voice in REGISTERS:
            context = {"topic_kind": kinds[0], "age": "adult", "mood": CRITERIA["mood"][n % 8]}
            q = Say(
                "nobody", moves=(ANSWERS[line.move],), voice=voice, slots=SLOTS, pad=(pleasure, 0.0, 0.0),
                context=context, answers=f"{line.id}#0", turn=1,
            )  # fmt: skip
            said = speaker.say(q, Chance(7).stream(1, "x", "say", n))
            assert line.asks in told(book, said.variants[-1]), (line.id, voice, said.text)


def test_what_nobody_asked_for_is_not_told(speaker: Speaker, book: dict[str, BookLine]) -> None:
    for n in range(200):
        q = Say("nobody", moves=("tell_on",), slots=SLOTS, context={"topic_kind": "concern"}, turn=1)
        assert told(book, speaker.say(q, Chance(7).stream(1, "x", "say", n)).variants[-1]) == ()


@pytest.mark.parametrize("name", ["day", "spoken"])
def test_in_a_day_each_answer_tells_what_was_asked_for(
    name: str, request: pytest.FixtureRequest, book: dict[str, BookLine]
) -> None:
    lived: Day = request.getfixturevalue(name)
    found = 0
    for _, e in lived.of(Exchanged):
        question, answer = (line.variants[-1:] for line in e.lines)
        if e.lead in ANSWERS and question and answer and e.lines[1].move == ANSWERS[e.lead]:
            asks = book[question[0].rpartition("#")[0]].asks
            if asks:
                found += 1
                assert asks in told(book, answer[0]), [line.text for line in e.lines]
            else:
                assert told(book, answer[0]) == ()
    assert found > 5
