"""Who breaks off a marriage, a tenancy, a job, a membership or an alliance speaks of that, and so does who answers."""

from __future__ import annotations

import re
from itertools import product

import pytest
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.chance import Chance
from sandbox.engine.scenario import Scenario
from sandbox.minds.check import samples
from sandbox.minds.language_mind import PROMPTS
from sandbox.minds.prompt_form import Offered, messages
from sandbox.minds.prompt_text import word_table
from sandbox.people.claim_handlers import UNBOUND, Bond, strongest_bond
from sandbox.people.claim_model import ClaimKind
from sandbox.people.pressure_deck import Effect
from sandbox.talk.lines import REGISTERS, BookLine, LineBook
from sandbox.talk.lint import People, lint
from sandbox.talk.model import Talk
from sandbox.talk.pressure_aims import aim_content, aims, bound_by
from sandbox.talk.question_replies import Accept, Respond
from sandbox.talk.question_wishes import Aim, Exchange
from sandbox.talk.saying import Say, TalkTurn, say_question
from sandbox.talk.speaker import Speaker
from sandbox.talk.turns import respond_to

DO = "break_off"
PAIRS = [  # who breaks off, with whom, and what there is between them
    ("greta", "dov", Bond("couple")),
    ("kit", "zeno", Bond("lodges", "a")),
    ("zeno", "kit", Bond("lodges", "b")),
    ("esme", "kit", Bond("employs", "a")),
    ("kit", "esme", Bond("employs", "b")),
    ("jory", "rufus", Bond("ally")),
    ("yara", "pip", Bond("member")),
]
BONDS = [x[2] for x in PAIRS]
LEAST = 3  # variants that nobody says twice in a row, of each move and register
# words that are of one kind of claim
OF_A_KIND = r"hearts?|love|friends?|bed|room|roof|house|key|pack|wages|sack|notice|work|coat|list|chair|club"
BY_QUESTION = {prompt.question: prompt for prompt in PROMPTS}


def held(larkspur: Scenario, who: str, other: str) -> Stage:
    stage = Stage(larkspur, pressure("grudge", who, other, stage=2), faces=0, rows=1000, turns=0, breaks=1000)
    stage.wake()
    return stage


def asked(stage: Stage, who: str, other: str, move: str, n: int) -> Say:
    """The question for the words of who breaks off (n = 0), or of who is told so."""
    w, p = stage.world, stage.world.pressures.open["grudge"]
    talk = Talk("t", ("greta", "dov"), 0, hours(30), "", DO, 4, 1, aim=p.id)
    turn = TalkTurn(talk, who, other, [move], aim_content(w, p.id, who, other), aim=p.id, do=DO)
    return say_question(stage.step(hours(30)), w, turn, n)


def replies(larkspur: Scenario) -> list[str]:
    return [*larkspur.drama.exchanges[DO].replies.values()]


def book(larkspur: Scenario) -> dict[str, BookLine]:
    return {line.id: line for line in larkspur.lines.lines}


def of_kind(line: BookLine, between: Bond) -> bool:
    """Whether a line is of that kind of claim, from that end."""
    return between.claim in line.when.get("claim", ()) and between.end in line.when.get("end", (between.end,))


def test_each_kind_that_can_be_broken_off_is_here_from_each_of_its_ends(larkspur: Scenario) -> None:
    assert {x.claim for x in BONDS} == {*larkspur.drama.exchanges[DO].needs}
    for name in larkspur.drama.exchanges[DO].needs:
        kind: ClaimKind = larkspur.claims.kinds[name]
        ends = {x.end for x in BONDS if x.claim == name}
        assert ends == ({*kind.leaves} if kind.leaves and not kind.mutual else {""}), name


@pytest.mark.parametrize(("who", "other", "between"), PAIRS)
def test_whoever_speaks_is_asked_with_what_ends_from_their_own_end(
    larkspur: Scenario, who: str, other: str, between: Bond
) -> None:
    stage = held(larkspur, who, other)
    w, p = stage.world, stage.world.pressures.open["grudge"]
    theirs = Bond(between.claim, {"a": "b", "b": "a"}.get(between.end, ""))
    for move, x, y, n, mine in ((DO, who, other, 0, between), *((m, other, who, 1, theirs) for m in replies(larkspur))):
        context = asked(stage, x, y, move, n).context
        assert Bond(context["claim"], context["end"]) == mine, move
    assert bound_by(w, "confront", who, other) == UNBOUND
    assert respond_to(w, p, DO, who, other, hours(30)).bond == between
    stage.move(hours(4), p, Effect(), who, other, "confront", answer="refuse")
    found = [x.bond for x in aims(w, who, other, hours(30)) if x.do == DO]
    assert found == [between]


def test_of_several_things_between_two_the_one_that_changes_a_life_most_is_spoken_of(larkspur: Scenario) -> None:
    w = held(larkspur, "yara", "pip").world
    assert strongest_bond(w, "kit", "zeno", ("ally", "member", "employs", "lodges", "couple")).claim == "lodges"
    assert strongest_bond(w, "yara", "pip", ("couple",)) == UNBOUND


@pytest.mark.parametrize("between", BONDS, ids=" ".join)
def test_no_line_of_another_kind_can_be_said_and_of_its_own_there_are_enough(larkspur: Scenario, between: Bond) -> None:
    speaker, lines = Speaker(larkspur.lines), book(larkspur)
    for move, voice in product((DO, "so_be_it", "hold_on"), REGISTERS):
        context = {"claim": between.claim, "end": between.end, "topic_kind": "pressure", "pressure": "grudge"}
        slots = {"name": "Bo", "matter": "the ladder", "topic": "the ladder"}
        q = Say("ann", moves=(move,), voice=voice, context=context, slots=slots)
        found, worth = speaker._weighed(q, move)
        can = [lines[key.rpartition("#")[0]] for (key, _), x in zip(found, worth, strict=True) if x > float("-inf")]
        assert [x.id for x in can if "claim" in x.when and not of_kind(x, between)] == []
        assert sum(of_kind(x, between) for x in can) >= LEAST, (move, voice)
        said: list[str] = []
        for n in range(2 * LEAST):
            now = replace(q, avoid=dict.fromkeys(said, 0), now=60)
            said += speaker.say(now, Chance(9).stream(n, "ann", "say")).variants
        assert len({*said}) == len(said), "none comes back at once"
        own = [x for x in said if of_kind(lines[x.rpartition("#")[0]], between)]
        assert len(own) >= LEAST, (move, voice, said)


def test_who_cannot_say_what_ends_says_nothing_of_one_kind_alone(larkspur: Scenario) -> None:
    said = [
        text
        for line in larkspur.lines.lines
        if line.move in (DO, "so_be_it", "hold_on") and "claim" not in line.when
        for text in line.say
    ]
    assert len(said) > 20
    odd = re.compile(rf"\b(?:{OF_A_KIND})\b|\bleav(?:e|ing) you\b|don't go\b", re.I)
    found = [text for text in said if odd.search(text)]
    assert found == [], "\n".join(found)


def test_a_line_for_a_kind_of_claim_that_the_move_never_ends_is_told(larkspur: Scenario) -> None:
    wrong = BookLine("x", "break_off", ("Done.",), when={"claim": ("lodge",)})
    found = list(lint(LineBook((wrong,), {}), larkspur.drama, People((), {"trait": frozenset()})))
    assert [x.message for x in found if "claim lodge" in x.message]
    right = replace(wrong, when={"claim": ("lodges",)})
    assert list(lint(LineBook((right,), {}), larkspur.drama, People((), {"trait": frozenset()}))) == []


def prompt(q: Say | Exchange | Respond | Accept) -> str:
    """What a model is sent."""
    of = BY_QUESTION[type(q)]
    found = of.offer(q, Chance(1).stream(1, q.who, "x"))
    offered: Offered = found if isinstance(found, dict) else {"ways": {}}
    return messages(of, q, offered)[1]["content"]


def sample(kind: type) -> object:
    return next(q for q in samples() if type(q) is kind)


def asking(between: Bond) -> list[str]:
    """What models are sent for the words of who breaks off and of who answers, for the wish and for how it is taken."""
    say, wish, take, stop = sample(Say), sample(Exchange), sample(Respond), sample(Accept)
    context = {"claim": between.claim, "end": between.end} if between.claim else {}
    aim = Aim("p", "grudge", DO, 0.6, 1.0, {"base": 3.0}, {"base": 1.0}, bond=between)
    return [
        prompt(replace(say, moves=(DO,), context=context)),
        prompt(replace(say, moves=("so_be_it",), context=context)),
        prompt(replace(wish, aims=(aim, replace(aim, pressure="q", do="confront")), options=("chat",))),
        prompt(replace(take, do=DO, bond=between)),
        prompt(replace(stop, intent=DO, knows=True, bond=between)),
    ]


def test_a_model_is_told_what_ends_and_no_other_kind(larkspur: Scenario) -> None:
    words = word_table("partings")
    keys = [" ".join(x).strip() for x in BONDS]
    assert list(words["between"]) == keys
    assert list(words["ended"][DO]) == keys
    every = {x: asking(x) for x in BONDS}
    for x, texts in every.items():
        key = " ".join(x).strip()
        assert words["between"][key] in texts[0]
        assert words["between"][key] in texts[1]
        for text, them in ((texts[0], "them"), (texts[2], "them"), (texts[3], "you"), (texts[4], "you")):
            for other in keys:
                told = words["ended"][DO][other].format(them=them, they="you" if them == "you" else "they")
                assert (told in text) is (other == key), (key, other)
        assert not [y for y in keys if y != key and any(words["between"][y] in text for text in texts)]
    general = asking(Bond("guild", "a"))
    assert word_table("moves")[DO] in general[0]
    assert all(word_table("ways")["exchanges"][DO] in text for text in general[2:])
