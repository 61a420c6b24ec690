"""Decisions between offered ways: what one wants of another, whether to agree to it, how to feel about it.

Only ways whose utility lies within `BAND` of the best are offered (docs/mechanisms.md, Talk). Language models are
trained to please, so the comparison is biased the other way: a kind way counts `LEAN` less, and the distance of a way
that is kinder than the best counts `POLITE` times. So a model may be harder than the embedded mind in a close decision,
softer only in a very close one, and a polite model cannot end all conflict: one that agrees to whatever it may still
refuses 18 to 22 % of requests, like the embedded mind (17 to 21 %; Larkspur).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.minds.embedded import spec_of
from sandbox.minds.prompt_form import ChoiceReply, Offered, Prompt, PromptOption, pick
from sandbox.minds.prompt_text import word_table
from sandbox.people.claim_handlers import UNBOUND, Bond
from sandbox.people.question_plan import React, Reacted
from sandbox.talk.closing import TOP_SCORE, RatedTie, RateTie
from sandbox.talk.question_effects import FeelAbout, FeltAbout, Rate, Rated, feel_about
from sandbox.talk.question_replies import Accept, Respond, acceptances, responses
from sandbox.talk.question_wishes import Approach, Approached, Exchange, ScoredAnswer, exchanges

BAND = 1.0  # utility below the best within which a way is offered
LEAN, POLITE = 0.35, 10.0  # utility taken off a kind way; factor on the distance of a kinder way
KIND = {"accept": 1.0, "lie": 0.5, "dodge": 0.5, "deflect": 0.0, "refuse": 0.0}  # kindness of each response, 0 to 1
HARD = ((0.7, "heavily"), (0.35, "a good deal"), (0.0, "a little"))  # (least intensity, how much that weighs in words)
STEP = 0.012  # change of a feeling beside the embedded mind's that a model may choose
MOVED = ((0.05, "like them better"), (0.02, "like them a little better"), (-0.02, "feel as before"),
         (-0.08, "like them less"))  # fmt: skip
WORST = "like them much less"
UNTOLD = "to have a word with you"  # why somebody comes, to one who does not know what presses them
THEY = {"them": "they", "you": "you"}
TONES = ((0.35, "warm"), (-0.05, "civil"), (-0.3, "cool"), (-2.0, "hard"))


def ways_near_best(ways: list[ScoredAnswer]) -> list[ScoredAnswer]:
    """The ways within the band of the best on the biased scale; best first, ties in their given order."""
    scaled = [Scaled(way, _kind(way), way.score - LEAN * _kind(way)) for way in ways]
    best = max(scaled, key=lambda x: x.score)
    found = [x for x in scaled if (best.score - x.score) * (POLITE if x.kind > best.kind else 1.0) <= BAND]
    return [x.way for x in sorted(found, key=lambda x: -x.score)]


class Scaled(NamedTuple):
    """A way with its score on the biased scale."""

    way: ScoredAnswer
    kind: float
    score: float


def _kind(way: ScoredAnswer) -> float:
    return KIND.get(_how(way), 0.0)


def _offered(named: Iterable[tuple[str, str, Answer]]) -> Offered | Answer:
    """(key, words, answer) as one group of options; just the answer if there is only one."""
    ways: dict[str, PromptOption] = {}
    for key, words, value in named:
        key = re.sub(r"[^a-z0-9_ ]", "", key.lower())[:40] or "way"
        while key in ways:
            key += "_too"
        ways[key] = PromptOption(words, value)
    return {"ways": ways} if len(ways) > 1 else next(iter(ways.values())).value


def gloss(group: str, key: str) -> str:
    """A way in words; a world's own way by its key."""
    words: str = word_table("ways")[group].get(key, "")
    return words or f"to {re.sub(r'[^a-z0-9]+', ' ', key.lower())[:40].strip()}"


def _picked(q: Any, got: ChoiceReply, offered: Offered, chance: Stream) -> Any:
    return pick(offered, "ways", got.choice)


def hard(intensity: float) -> str:
    """The weight of a pressure in words."""
    return next(words for least, words in HARD if intensity >= least)


def _exchanges(q: Exchange, chance: Stream) -> Offered | Answer:
    pressing = {aim.pressure: aim for aim in q.aims}
    named = []
    for way in ways_near_best(exchanges(q)):
        chosen: Any = way.answer
        if chosen.aim:
            words = coming(chosen.intent, pressing[chosen.aim].bond, "them")
            words += f"; it weighs {hard(pressing[chosen.aim].intensity)} on you"
        else:
            words = gloss("intents", chosen.intent)
        named.append((chosen.intent, words, chosen))
    return _offered(named)


def _glossed(group: str, ways: list[ScoredAnswer]) -> Offered | Answer:
    return _offered((_how(way), gloss(group, _how(way)), way.answer) for way in ways_near_best(ways))


def _how(way: ScoredAnswer) -> str:
    return str(getattr(way.answer, "how", ""))


def coming(do: str, bond: Bond, them: str) -> str:
    """What an exchange is for, in words; if it ends something, what that is. them: the words for the other."""
    words = ending_words(do, bond, them)
    return f"to {words}" if words else gloss("exchanges", do)


def ending_words(do: str, bond: Bond, them: str) -> str:
    """What an exchange that ends something means for the one who does it; "" if it ends nothing, or has no words of its
    own.
    """
    words: str = word_table("partings")["ended"].get(do, {}).get(bond_key(bond), "")
    return words.format(them=them, they=THEY[them])


def bond_key(bond: Bond) -> str:
    """The key of a bond in the table of partings."""
    return f"{bond.claim} {bond.end}".strip()


def purpose_words(do: str, known: bool, bond: Bond = UNBOUND) -> str:
    """What somebody comes for, exchange or intent. known: the listener knows what presses them. bond: what the exchange
    needs between the two, as seen by whoever comes.
    """
    if do in word_table("ways")["intents"]:
        return gloss("intents", do)
    return coming(do, bond, "you") if known else UNTOLD


def _approaches(q: Approach, chance: Stream) -> Offered | Answer:
    return _offered((("yes", "speak to them", Approached(True)), ("no", "let it be", Approached(False))))


def _reactions(q: React, chance: Stream) -> Offered | Answer:
    ways = [Reacted("keep")]
    if q.late or q.hard:
        ways.append(Reacted("change"))
    if q.join is not None:
        ways.append(Reacted("join"))
    return _offered((way.do, gloss("reactions", way.do), way) for way in ways)


def _feelings(q: FeelAbout, chance: Stream) -> Offered | Answer:
    """The embedded mind's feeling, a little less and a little more; so a model can change only little."""
    u = feel_about(q, chance).u
    ways = (("less", u - STEP), ("so", u), ("more", u + STEP))
    return _offered((way, gloss("feelings", way), FeltAbout(moved)) for way, moved in ways)


def _after(q: FeelAbout) -> dict[str, Any]:
    """The feeling after such a talk, in words."""
    u = feel_about(q, Stream(b"")).u  # this rule draws no random number
    expected = next((words for least, words in MOVED if u >= least), WORST)
    tone = next(word for least, word in TONES if q.warmth >= least)
    return {"name": other_name(q), "tone": tone, "expected": expected}


class RateTieReply(msgspec.Struct, frozen=True):
    """How close two people seem from their words."""

    score: Annotated[int, msgspec.Meta(ge=0, le=TOP_SCORE)]


class Stays(msgspec.Struct, frozen=True):
    """How long a talk stays in memory."""

    stays: Annotated[int, msgspec.Meta(ge=1, le=10)]


def _lines(q: RateTie) -> dict[str, Any]:
    """(speaker's name, text) of the lines."""
    names = q.brief.names if q.brief else {}
    own = q.brief.name if q.brief else q.who
    return {
        "name": other_name(q),
        "lines": [(own if who == q.who else names.get(who, who), text) for who, text in q.lines],
    }


def other_name(q: Question) -> str:
    """The first name of the other person in a question."""
    names: dict[str, str] = q.brief.names if q.brief else {}
    return names.get(spec_of(q).concerns(q).other, "the other")


PROMPTS = (
    Prompt(Exchange, "exchange.j2", ChoiceReply, _picked, _exchanges),
    Prompt(
        Accept,
        "accept.j2",
        ChoiceReply,
        _picked,
        lambda q, chance: _glossed("acceptances", acceptances(q, chance)),
        lambda q: {"wants": purpose_words(q.intent, q.knows, q.bond)},
    ),
    Prompt(
        Respond,
        "respond.j2",
        ChoiceReply,
        _picked,
        lambda q, chance: _glossed("answers", responses(q, chance)),
        lambda q: {
            "name": other_name(q),
            "wants": purpose_words(q.do, True, q.bond),
            "weight": hard(q.intensity) if q.knows else "",
        },
    ),
    Prompt(Approach, "approach.j2", ChoiceReply, _picked, _approaches),
    Prompt(
        React,
        "react.j2",
        ChoiceReply,
        _picked,
        _reactions,
        lambda q: {"name": other_name(q), "place": "" if q.join is None else f"{q.join.why} ({q.join.where})"},
    ),
    Prompt(FeelAbout, "feel_about.j2", ChoiceReply, _picked, _feelings, _after),
    Prompt(Rate, "rate.j2", Stays, lambda q, got, offered, chance: Rated(got.stays)),
    Prompt(RateTie, "rate_tie.j2", RateTieReply, lambda q, got, offered, chance: RatedTie(got.score), words=_lines),
)
