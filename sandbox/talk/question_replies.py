"""How to take it that somebody speaks to one, and what they have come for."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import Concern, QuestionSpec
from sandbox.people.claim_handlers import UNBOUND, Bond
from sandbox.talk.model import ScoredRule
from sandbox.talk.question_wishes import (
    BO,
    Partner,
    ScoredAnswer,
    best_answer,
    impression_rule,
    reasons_fault,
    weigh_features,
)

LEFT = 1.2  # how much what the last talks left weighs in both answers
ACCEPTS = 0.35  # from which somebody gives in to what another has come for, or lies about it


TALK_SPREAD, ANSWER_SPREAD = 0.35, 0.25  # of chance in whether one goes into a talk, and in how one answers


class Expected(NamedTuple):
    """How something is likely to be taken. chances: way -> chance; they add up to 1. why: the rules, those that weigh
    most first.
    """

    chances: dict[str, float]
    why: tuple[ScoredRule, ...]


class Accept(Question, frozen=True):
    """`other` speaks to you: do you go into it? knows: you know of the pressure they come because of, if one it is.
    bond: what there is between them and you of what that needs, from their end.
    """

    other: Partner | None = None
    intent: str = ""
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    agreeableness: float = 0.0
    extraversion: float = 0.0
    busy: bool = False
    hurry: bool = False
    knows: bool = False
    bond: Bond = UNBOUND


class Accepted(Answer, frozen=True):
    """how: accept, deflect or refuse."""

    how: Literal["accept", "deflect", "refuse"]
    why: tuple[ScoredRule, ...] = ()


class Respond(Question, frozen=True):
    """`other` has come to you because of a pressure: how do you take it? do: the exchange; weights and features: what
    the answer depends on. lie: the same for a lie; empty where there is nothing to hide. just: what was said. knows:
    you know of that pressure without being told. bond: as of `Accept`.
    """

    other: str = ""
    do: str = ""
    kind: str = ""
    intensity: float = 0.0
    weights: dict[str, float] = {}
    features: dict[str, float] = {}
    lie: dict[str, float] = {}
    just: str = ""
    knows: bool = False
    bond: Bond = UNBOUND


class Responded(Answer, frozen=True):
    """how: accept, dodge, refuse or, if that was asked for, lie. why: the rules that weighed most."""

    how: Literal["accept", "dodge", "refuse", "lie"]
    why: tuple[ScoredRule, ...] = ()


def _civil(q: Accept) -> list[ScoredRule]:
    """What speaks for and against going into it, all but chance."""
    other = q.other
    assert other is not None
    p, a, _ = q.pad
    return [
        ScoredRule("civility", round(0.55 + 0.3 * q.agreeableness, 2)),
        ScoredRule("fond of them" if other.feeling >= 0 else "does not like them", round(1.6 * other.feeling, 2)),
        impression_rule(other.left, LEFT),
        ScoredRule("likes company", round(0.3 * q.extraversion, 2)),
        ScoredRule("at work", -0.35 * q.busy),
        ScoredRule("in a hurry", -0.7 * q.hurry),
        ScoredRule("in good spirits" if p >= 0 else "in low spirits", round(2.0 * p, 2)),
        ScoredRule("too tired for it", round(0.8 * min(0.0, a), 2)),
    ]


def acceptances(q: Accept, chance: Stream) -> list[ScoredAnswer]:
    """Going into it, and turning it away as one would (deflect: no time; refuse: no wish to), by named rules."""
    other, rules = q.other, _civil(q)
    assert other is not None
    score = sum(r.value for r in rules) + TALK_SPREAD * chance.normal()
    shown = tuple(sorted((r for r in rules if abs(r.value) >= 0.05), key=lambda r: r.value)[:3])
    no: Answer = Accepted("refuse" if other.feeling < -0.2 else "deflect", shown)
    return [ScoredAnswer(Accepted("accept", tuple(reversed(shown))), score), ScoredAnswer(no, ACCEPTS)]


def expected_talk(q: Accept) -> Expected:
    """How likely somebody goes into a talk, and the rules that weigh most: what `acceptances` comes to on average."""
    rules = _civil(q)
    yes = normal_above(sum(r.value for r in rules), ACCEPTS, TALK_SPREAD)
    no = "refuse" if q.other is not None and q.other.feeling < -0.2 else "dodge"
    return Expected({"accept": yes, no: 1.0 - yes}, tuple(sorted(rules, key=lambda r: -abs(r.value))))


def choose_acceptance(q: Accept, chance: Stream) -> Answer:
    """Accept, deflect or refuse: the better way."""
    return best_answer(acceptances(q, chance))


def _moved(q: Respond) -> list[ScoredRule]:
    """What speaks for and against giving in, all but chance."""
    return weigh_features({"left": LEFT, **q.weights}, {"left": 0.0, **q.features})


def expected_answer(q: Respond) -> Expected:
    """How likely somebody takes it in which way, and the rules that weigh most: what `responses` comes to."""
    rules = _moved(q)
    mean = sum(r.value for r in rules)
    yes, not_no = (normal_above(mean, least, ANSWER_SPREAD) for least in (ACCEPTS, 0.0))
    lies = (
        normal_above(sum(r.value for r in weigh_features(q.lie, q.features)), ACCEPTS, ANSWER_SPREAD) if q.lie else 0.0
    )
    true = 1.0 - lies  # of what is not given in to
    chances = {"accept": yes, "dodge": (not_no - yes) * true, "refuse": (1.0 - not_no) * true}
    if q.lie:
        chances["lie"] = (1.0 - yes) * lies
    return Expected(chances, tuple(sorted(rules, key=lambda r: -abs(r.value))))


def normal_above(mean: float, least: float, spread: float) -> float:
    """The chance that a normal number of that mean and spread is at least so large."""
    return 0.5 * math.erfc((least - mean) / (spread * math.sqrt(2.0)))


def responses(q: Respond, chance: Stream) -> list[ScoredAnswer]:
    """How somebody may take what another has come for: by the sum s of named rules, refuse 0, dodge s, accept
    2 s - ACCEPTS, so that dodging is best from 0 and accepting from ACCEPTS on. A lie that would be told is as good as
    what it stands for.
    """
    rules = _moved(q)
    score = sum(r.value for r in rules) + ANSWER_SPREAD * chance.normal()
    why = tuple(sorted(rules, key=lambda r: -abs(r.value))[:4])
    ways = [
        ScoredAnswer(Responded("accept", why), 2.0 * score - ACCEPTS),
        ScoredAnswer(Responded("dodge", why), score),
        ScoredAnswer(Responded("refuse", why), 0.0),
    ]
    if q.lie and score < ACCEPTS:
        lie = weigh_features(q.lie, q.features)
        if sum(r.value for r in lie) + ANSWER_SPREAD * chance.normal() >= ACCEPTS:
            told = Responded("lie", tuple(sorted(lie, key=lambda r: -abs(r.value))[:4]))
            ways.insert(0, ScoredAnswer(told, max(way.score for way in ways)))
    return ways


def choose_response(q: Respond, chance: Stream) -> Answer:
    """Accept, dodge, refuse or lie: the best way, the kinder of two that are as good."""
    return best_answer(responses(q, chance))


def _accept_fault(q: Accept, a: Accepted) -> str:
    return reasons_fault(a.why) if a.how in ("accept", "deflect", "refuse") else "no way to take it"


def _respond_fault(q: Respond, a: Responded) -> str:
    fine = a.how in ("accept", "dodge", "refuse", *(["lie"] if q.lie else []))
    return reasons_fault(a.why) if fine else "no way to take it"


_HATED = msgspec.structs.replace(BO, feeling=-0.8)
_WEIGHED: dict[str, Any] = {"weights": {"fond": 0.5}, "features": {"fond": 0.2, "left": 0.1}}
ACCEPT = QuestionSpec(
    question=Accept, answer=Accepted, name="Accept", rule=choose_acceptance, fault=_accept_fault,
    samples=(
        Accept("ann", other=BO, intent="chat", pad=(0.1, 0.0, 0.0)),
        Accept("cid", other=_HATED, intent="remind", hurry=True),
    ),
    concerns=lambda q: Concern(q.other.who if q.other else ""), taken=True, asks="accept", asked=True,
)  # fmt: skip
RESPOND = QuestionSpec(
    question=Respond, answer=Responded, name="Respond", rule=choose_response, fault=_respond_fault,
    samples=(Respond("ann", other="bo", do="remind", kind="debt", intensity=0.6, **_WEIGHED),),
    concerns=lambda q: Concern(q.other), taken=True, asks="respond", asked=True,
)  # fmt: skip
QUESTIONS = (ACCEPT, RESPOND)
