"""Lines that one person alone says: theirs, seldom, and only where there are some. And nobody greets with the same
words twice in a week.
"""

from __future__ import annotations

from collections import Counter

import pytest
from lived import engine_of, run
from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.engine.scenario import Scenario
from sandbox.people.persona import Persona
from sandbox.talk.lines import MOVES, OWN_AGAIN, LineBook, own_id, with_own
from sandbox.talk.saying import Say
from sandbox.talk.speaker import GREETED, Speaker

CHANCE = Chance(9)
MINUTE = 60
MATTER = {"matter": "the oven", "topic": "the oven", "third": "Otis", "cause": "the oven broke"}


@pytest.fixture(scope="module")
def speaker(larkspur: Scenario) -> Speaker:
    return Speaker(larkspur.lines)


def everybody(s: Scenario) -> list[Persona]:
    return [*s.cast, *(g.persona for g in s.guests), *(n.persona for n in s.newcomers)]


def said(speaker: Speaker, who: str, move: str, n: int, avoid: dict[str, int] | None = None, now: int = 0) -> str:
    """The variant with which somebody says a move."""
    slots = {"name": "Wilf", "place": "the bakery", "act": "sweeping", "listener_act": "waiting", "plan": "have lunch"}
    q = Say(who, 0, (move,), slots={**slots, **MATTER}, avoid=avoid or {}, now=now)
    return speaker.say(q, CHANCE.stream(1, who, "say", n)).variants[0]


def test_everybody_who_lives_in_larkspur_has_lines_of_their_own_in_the_book(larkspur: Scenario) -> None:
    book = {line.id: line for line in larkspur.lines.lines}
    for p in (*larkspur.cast, *(n.persona for n in larkspur.newcomers)):
        assert p.own
        for move, say in p.own.items():
            line = book[own_id(p.id, move)]
            assert (line.move, line.say, line.when, line.cooldown) == (move, say, {"who": (p.id,)}, OWN_AGAIN)


@pytest.mark.parametrize("move", ["accuse", "apologise", "pardon", "declare", "own_up"])
def test_who_has_a_line_of_their_own_says_it_and_nobody_else_does(
    speaker: Speaker, larkspur: Scenario, move: str
) -> None:
    own = {own_id(p.id, move): p.id for p in everybody(larkspur)}
    for p in larkspur.cast[:6]:
        heard = Counter(said(speaker, p.id, move, n).rpartition("#")[0] for n in range(30))
        assert {own[line] for line in heard if line in own} == {p.id}
        assert heard[own_id(p.id, move)] > 15


def test_a_line_of_ones_own_is_not_said_twice_in_two_weeks(speaker: Speaker, larkspur: Scenario) -> None:
    (mara,) = (p for p in larkspur.cast if p.id == "mara")
    avoid = {f"mara's accuse#{i}": 0 for i in range(len(mara.own["accuse"]))}
    for minutes, again in ((1, False), (OWN_AGAIN - 1, False), (OWN_AGAIN, True)):
        heard = {said(speaker, "mara", "accuse", n, avoid, minutes * MINUTE) for n in range(60)}
        assert bool(heard & avoid.keys()) is again, minutes


def test_who_has_said_all_of_their_own_says_what_others_say(speaker: Speaker, larkspur: Scenario) -> None:
    own = {f"{own_id(p.id, m)}#{i}": 0 for p in larkspur.cast for m, say in p.own.items() for i in range(len(say))}
    for move in ("accuse", "pardon", "expose"):
        assert said(speaker, "mara", move, 1, own, MINUTE) not in own


def test_nobody_greets_with_the_same_words_twice_in_a_week(speaker: Speaker) -> None:
    q = Say("mara", 0, ("greet", "small_talk"), slots={"name": "Wilf", "place": "x"})
    avoid: dict[str, int] = {}
    for n in range(40):
        used = speaker.say(replace(q, avoid=avoid, now=n * MINUTE), CHANCE.stream(1, "mara", "say", n)).variants
        if len(used) == 1:  # no greeting is left
            break
        assert used[0] not in avoid
        avoid[used[0]] = n * MINUTE
    assert len(avoid) >= 15
    now = (GREETED + 40) * MINUTE
    later = {
        speaker.say(replace(q, avoid=avoid, now=now), CHANCE.stream(2, "mara", "say", n)).variants[0]
        for n in range(200)
    }
    assert later & avoid.keys()


def test_who_has_no_greeting_left_begins_without_one(larkspur: Scenario) -> None:
    kept = [line for line in larkspur.lines.lines if line.move != "greet"]
    one = next(line for line in larkspur.lines.lines if line.move == "greet" and not line.when and not line.registers)
    speaker = Speaker(LineBook((*kept, replace(one, say=("Hello.",))), larkspur.lines.slots))
    q = Say("mara", 0, ("greet", "small_talk"), slots={"name": "Wilf", "place": "x"}, now=MINUTE)
    assert speaker.say(q, CHANCE.stream(1, "", "s")).variants[0] == f"{one.id}#0"
    (variant,) = speaker.say(replace(q, avoid={f"{one.id}#0": 0}), CHANCE.stream(1, "", "s")).variants
    assert not variant.startswith(one.id)


def test_a_book_of_people_without_lines_of_their_own_is_the_same_book(larkspur: Scenario) -> None:
    plain = [replace(p, own={}) for p in larkspur.cast]
    assert with_own(larkspur.lines, plain) is larkspur.lines


def test_a_move_that_there_is_not_is_left_out_of_the_book(larkspur: Scenario) -> None:
    mara = replace(larkspur.cast[0], own={"sing": ("La.",), "accuse": (), "pardon": ("Fine.",)})
    added = with_own(larkspur.lines, [mara]).lines[len(larkspur.lines.lines) :]
    assert [(line.move, line.say) for line in added] == [("pardon", ("Fine.",))]
    assert {line.move for line in added} <= {*MOVES}


@pytest.mark.slow
def test_a_town_without_any_lives(larkspur: Scenario) -> None:
    lines = tuple(line for line in larkspur.lines.lines if "who" not in line.when)
    cast = tuple(replace(p, own={}, matters={}) for p in larkspur.cast)
    bare = replace(larkspur, cast=cast, lines=LineBook(lines, larkspur.lines.slots), step=600)
    assert run(engine_of(bare), 6).world.step == 6
