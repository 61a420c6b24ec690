"""Questions on replies: whether to accept a talk, and how to take what somebody came for."""

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

IMPRESSION_WEIGHT = 1.2  # weight of the last talks' impression in both answers
SPIRITS, HURT = 2.0, 1.5  # weight of pleasure, and of being hurt by the other, in accepting a talk
ACCEPTS = 0.35  # sum of rules from which somebody gives in, or lies


TALK_SPREAD, ANSWER_SPREAD = 0.35, 0.25  # spread of chance in accepting a talk, and in answering


class Expected(NamedTuple):
    """How something is likely to be answered. chances: answer -> chance (sum 1). why: the rules, strongest first."""

    chances: dict[str, float]
    why: tuple[ScoredRule, ...]


class Accept(Question, frozen=True):
    """`other` speaks to you: do you accept the talk? knows: whether you know of the pressure they come about, if any.
    hurt: whether you have just lost something by them, and they come about nothing in particular. bond: the claim
    between them and you that their intent needs, seen from their side.
    """

    other: Partner | None = None
    intent: str = ""
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    agreeableness: float = 0.0
    extraversion: float = 0.0
    busy: bool = False
    hurry: bool = False
    hurt: bool = False
    knows: bool = False
    bond: Bond = UNBOUND


class Accepted(Answer, frozen=True):
    """how: accept, deflect or refuse."""

    how: Literal["accept", "deflect", "refuse"]
    why: tuple[ScoredRule, ...] = ()


class Respond(Question, frozen=True):
    """`other` has come to you about a pressure: how do you answer? do: the exchange; weights and features: what the
    answer depends on. lie: weights for a lie; empty if there is nothing to hide. just: what was said. knows: whether
    you know of that pressure without being told. bond: as in `Accept`.
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
    """how: accept, dodge, refuse or, if possible, lie. why: the strongest rules."""

    how: Literal["accept", "dodge", "refuse", "lie"]
    why: tuple[ScoredRule, ...] = ()


def _civil(q: Accept) -> list[ScoredRule]:
    """The rules for accepting a talk, without chance."""
    other = q.other
    assert other is not None
    p, a, _ = q.pad
    strange = 1.0 - other.closeness if p < 0.0 else 1.0  # in low spirits one would rather see those who are close
    return [
        ScoredRule("civility", round(0.55 + 0.3 * q.agreeableness, 2)),
        ScoredRule("fond of them" if other.feeling >= 0 else "does not like them", round(1.6 * other.feeling, 2)),
        impression_rule(other.left, IMPRESSION_WEIGHT),
        ScoredRule("likes company", round(0.3 * q.extraversion, 2)),
        ScoredRule("at work", -0.35 * q.busy),
        ScoredRule("in a hurry", -0.7 * q.hurry),
        ScoredRule("hurt by them", -HURT * q.hurt),
        ScoredRule("in good spirits" if p >= 0 else "in low spirits", round(SPIRITS * p * strange, 2)),
        ScoredRule("too tired for it", round(0.8 * min(0.0, a), 2)),
    ]


def acceptances(q: Accept, chance: Stream) -> list[ScoredAnswer]:
    """The possible answers with utilities: accept, or decline in one's way (deflect: no time; refuse: unwilling)."""
    other, rules = q.other, _civil(q)
    assert other is not None
    score = sum(r.value for r in rules) + TALK_SPREAD * chance.normal()
    shown = tuple(sorted((r for r in rules if abs(r.value) >= 0.05), key=lambda r: r.value)[:3])
    no: Answer = Accepted("refuse" if other.feeling < -0.2 else "deflect", shown)
    return [ScoredAnswer(Accepted("accept", tuple(reversed(shown))), score), ScoredAnswer(no, ACCEPTS)]


def expected_talk(q: Accept) -> Expected:
    """How likely somebody accepts a talk: the average of `acceptances`, with its rules."""
    rules = _civil(q)
    yes = normal_above(sum(r.value for r in rules), ACCEPTS, TALK_SPREAD)
    no = "refuse" if q.other is not None and q.other.feeling < -0.2 else "dodge"
    return Expected({"accept": yes, no: 1.0 - yes}, tuple(sorted(rules, key=lambda r: -abs(r.value))))


def choose_acceptance(q: Accept, chance: Stream) -> Answer:
    """The answer with the highest utility: accept, deflect or refuse."""
    return best_answer(acceptances(q, chance))


def _moved(q: Respond) -> list[ScoredRule]:
    """The rules for giving in, without chance."""
    return weigh_features({"left": IMPRESSION_WEIGHT, **q.weights}, {"left": 0.0, **q.features})


def expected_answer(q: Respond) -> Expected:
    """How likely each answer is: the average of `responses`, with its rules."""
    rules = _moved(q)
    mean = sum(r.value for r in rules)
    yes, not_no = (normal_above(mean, least, ANSWER_SPREAD) for least in (ACCEPTS, 0.0))
    lies = (
        normal_above(sum(r.value for r in weigh_features(q.lie, q.features)), ACCEPTS, ANSWER_SPREAD) if q.lie else 0.0
    )
    true = 1.0 - lies  # share of honest answers among those not given in
    chances = {"accept": yes, "dodge": (not_no - yes) * true, "refuse": (1.0 - not_no) * true}
    if q.lie:
        chances["lie"] = (1.0 - yes) * lies
    return Expected(chances, tuple(sorted(rules, key=lambda r: -abs(r.value))))


def normal_above(mean: float, least: float, spread: float) -> float:
    """The chance that a normal variable of this mean and spread is at least `least`."""
    return 0.5 * math.erfc((least - mean) / (spread * math.sqrt(2.0)))


def responses(q: Respond, chance: Stream) -> list[ScoredAnswer]:
    """The possible answers with their utilities: for the sum s of the rules, refuse 0, dodge s, accept 2 s - ACCEPTS,
    so that dodging is best from 0 and accepting from ACCEPTS on. A lie, if it would be told, ties with the best.
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
    question=Respond, answer=Responded, name="Respond",
    rule=lambda q, chance: best_answer(responses(q, chance)), fault=_respond_fault,
    samples=(Respond("ann", other="bo", do="remind", kind="debt", intensity=0.6, **_WEIGHED),),
    concerns=lambda q: Concern(q.other), taken=True, asks="respond", asked=True,
)  # fmt: skip
QUESTIONS = (ACCEPT, RESPOND)
