"""Questions on wishes: whether to speak to somebody, and with what intent."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import Concern, QuestionSpec, is_showable
from sandbox.people.claim_handlers import UNBOUND, Bond
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.talk.model import ScoredRule


class Partner(msgspec.Struct, frozen=True):
    """The other of two people, as one sees them. tie: a word of `ties.kind`; mood: as shown on screen; left: impression
    of the last talks with them, in [-1, 1].
    """

    who: str
    name: str
    feeling: float
    closeness: float
    tie: str
    relation: str
    mood: str
    busy: bool
    age: int
    extraversion: float
    opposed: float
    left: float = 0.0


class ScoredAnswer(NamedTuple):
    """A possible answer to a question, and its utility."""

    answer: Answer
    score: float


def weigh_features(weights: Mapping[str, float], features: Mapping[str, float]) -> list[ScoredRule]:
    """Each weight times its feature, named according to the sign."""
    out = []
    for name, weight in weights.items():
        value = round(weight * features[name], 2)
        if abs(value) >= 0.05:
            out.append(ScoredRule(FEATURES[name][value < 0 if name == "base" else features[name] < 0], value))
    return out


def best_answer(ways: list[ScoredAnswer]) -> Answer:
    """The answer with the highest utility, the first of equals."""
    return max(ways, key=lambda way: way.score).answer


def reasons_fault(rules: Sequence[ScoredRule]) -> str:
    """The fault of the rules given as an answer's reasons; "" for none."""
    fine = all(is_showable(r.name) and math.isfinite(r.value) and round(r.value, 6) == r.value for r in rules)
    return "" if fine else "a reason without a name or of no size"


def impression_rule(left: float, weight: float) -> ScoredRule:
    """The rule for the impression of the last talks: left times weight."""
    return ScoredRule(FEATURES["left"][left < 0], round(weight * left, 2))


BO = Partner("bo", "Bo", 0.2, 0.4, "friendly", "neighbour", "calm", False, 35, 0.1, 0.2)  # partner in samples


# Base wish for each intent, and its weights for pleasure, arousal and dominance.
INTENTS = {
    "chat": (1.1, (0.2, -0.4, -0.4)),
    "small_talk": (1.4, (-0.8, -0.8, -0.2)),
    "ask_plans": (0.3, (0.4, 0.8, 0.6)),
    "share_news": (0.7, (1.6, 1.3, 0.0)),
    "gossip": (0.8, (-0.6, 1.2, 0.8)),
    "vent": (0.6, (-2.6, 1.4, 0.2)),
    "worry": (1.1, (-2.2, 0.4, -1.2)),
    "opinion": (0.2, (-0.6, 0.6, 1.7)),
    "ask_about": (0.8, (0.8, -0.9, 0.0)),
    "compliment": (0.1, (2.0, 0.0, -0.4)),
    "tease": (-0.6, (1.3, 1.0, 1.0)),
    "remember": (1.2, (0.2, -1.4, -0.2)),
    "snap": (-0.9, (-1.2, 1.0, 0.5)),
    "mention": (0.5, (1.0, 1.6, 0.4)),
    "own_news": (1.9, (0.0, 1.0, 0.4)),
    "ask_after": (1.7, (0.6, -0.4, 0.2)),
}
MOODS = (("in good spirits", "in low spirits"), ("worked up", "calm"), ("sure of themselves", "unsure of themselves"))
# Weight of the last talks' impression (warm above 0, sore below) for each intent.
IMPRESSION_WEIGHTS = {
    **dict.fromkeys(("chat", "ask_about", "share_news", "vent", "worry", "own_news", "ask_after"), 2.0),
    **dict.fromkeys(("compliment", "tease", "remember"), 4.0),
    "small_talk": -1.0,
    "snap": -2.0,
}
NEARS = 2.0  # weight of that impression for speaking at all
TEMPERATURE = 0.3  # of the softmax among intents
LEAST = 0.05  # least absolute value of a rule
CAME, ALONE = 2.5, 0.6  # added for having come looking, and for having failed alone
HEAVY = 0.35  # pleasure below its negative from which somebody has no heart for light talk
CONFIDES = 4.0  # weight of such a mood, times closeness, for speaking at all
OUGHT = 1.6  # added for telling somebody what concerns them
HOW_HARD = ((0.8, " hard"), (0.3, ""), (0.0, " a little"))  # least intensity of each word
DUE = 45.0  # minutes before its hour from which a pressure weighs more


class Aim(msgspec.Struct, frozen=True):
    """Something that a pressure urges a person to do with the other. do: an exchange; wish, weight: from the deck;
    features: their current values. due: minutes until its hour (-1 = none, 0 = now or past). sought: they came looking
    for the other because of it. alone: own attempts have failed. bond: the claim between the two that it needs.
    """

    pressure: str
    kind: str
    do: str
    intensity: float
    weight: float
    wish: dict[str, float]
    features: dict[str, float]
    due: float = -1.0
    sought: bool = False
    alone: bool = False
    bond: Bond = UNBOUND


class Approach(Question, frozen=True):
    """Do you speak to `other` now? options: intents with a subject; aims: of pressures. owes: whether you know of a
    breach of a claim of `other`'s.
    """

    other: Partner | None = None
    options: tuple[str, ...] = ()
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    extraversion: float = 0.0
    agreeableness: float = 0.0
    neuroticism: float = 0.0
    busy: bool = False
    hurry: bool = False
    first_today: bool = True
    aims: tuple[Aim, ...] = ()
    owes: bool = False


class Approached(Answer, frozen=True):
    """Whether one speaks to the other."""

    yes: bool


class Exchange(Approach, frozen=True):
    """You speak to `other`: with what intent?"""


class Chosen(Answer, frozen=True):
    """intent: one of the options, or an aim's exchange. why: the strongest rules; over: the runner-up. aim: the
    pressure of the chosen aim, or "".
    """

    intent: str
    why: tuple[ScoredRule, ...] = ()
    over: str = ""
    aim: str = ""


class IntentRule(NamedTuple):
    """A rule for an intent, beside those for moods and feelings: weight times a feature (`_features`). name: how it is
    told; against: where the feature is negative ("" = the same).
    """

    name: str
    feature: str
    weight: float
    against: str = ""


_LOW = IntentRule("they look low", "low", 0.8)
_CLOSE = IntentRule("close", "closeness", 0.5)
_TALKATIVE = IntentRule("talkative", "extraversion", 0.5)
_OUGHT = IntentRule("they ought to hear it", "owes", OUGHT)
_TRUSTS = IntentRule("trusts them", "closeness", 0.8)
_TROUBLE = (IntentRule("trusts them", "closeness", 1.0), IntentRule("nervous by nature", "neuroticism", 0.5))
_KIND = IntentRule("kind-hearted", "agreeableness", 0.6, "hard-headed")
RULES: dict[str, tuple[IntentRule, ...]] = {
    "chat": (_LOW, IntentRule("first meeting today", "first_today", 0.4), _CLOSE),
    "ask_about": (_LOW, _CLOSE),
    "small_talk": (IntentRule("hardly knows them", "distant", 0.7), IntentRule("in a hurry", "hurry", 0.5)),
    "share_news": (_TALKATIVE, _OUGHT),
    "gossip": (_TALKATIVE, _OUGHT, _KIND._replace(weight=-0.7), _TRUSTS),
    "vent": _TROUBLE,
    "worry": _TROUBLE,
    "mention": (_TALKATIVE,),
    "own_news": (_TALKATIVE, _TRUSTS),
    "ask_after": (_KIND, IntentRule("close", "closeness", 0.8)),
    "opinion": (IntentRule("they differ", "opposed", 1.2),),
    "compliment": (IntentRule("warm-hearted", "agreeableness", 0.5),),
    "tease": (IntentRule("knows them well", "closeness", 1.0), IntentRule("dislikes them", "dislike", 0.6)),
    "remember": (IntentRule("old ties", "closeness", 0.9),),
    "snap": (IntentRule("cannot stand them", "hate", 2.0), IntentRule("good manners", "agreeableness", -0.6)),
}
LIGHT = ("chat", "small_talk", "share_news", "gossip", "opinion", "compliment", "tease", "mention", "ask_plans")
_HEAVY = IntentRule("no heart for it", "heavy", -3.0)
_FONDNESS = (IntentRule("fond of them", "feeling", 0.8, "does not like them"),)  # for every intent but snapping
_WEIGHED = {
    intent: (*(_FONDNESS if intent != "snap" else ()), *RULES.get(intent, ()), *((_HEAVY,) if intent in LIGHT else ()))
    for intent in INTENTS
}
Utility = tuple[str, list[tuple[str, float]], str]  # an intent, its named rules, and the pressure it is for or ""


def _features(q: Approach, other: Partner) -> dict[str, float]:
    """The values of the features that RULES weigh."""
    return {
        "heavy": max(0.0, -q.pad[0] - HEAVY) / (1.0 - HEAVY),
        "low": (other.mood in ("sad", "afraid")) * (0.5 + q.agreeableness),
        "closeness": other.closeness,
        "distant": float(other.closeness < 0.2),
        "feeling": other.feeling,
        "dislike": max(0.0, -other.feeling),
        "hate": max(0.0, -other.feeling - 0.2),
        "opposed": other.opposed,
        "extraversion": q.extraversion,
        "agreeableness": q.agreeableness,
        "neuroticism": q.neuroticism,
        "first_today": float(q.first_today),
        "hurry": float(q.hurry),
        "owes": float(q.owes),
    }


def _utilities(q: Approach) -> Iterator[Utility]:
    """Each option, then each aim."""
    other = q.other
    assert other is not None
    features = _features(q, other)
    moods = [(x, more if x >= 0 else less) for x, (more, less) in zip(q.pad, MOODS, strict=True)]
    for intent in q.options:
        base, moody = INTENTS[intent]
        found = [(name, weight * x) for weight, (x, name) in zip(moody, moods, strict=True)]
        for name, feature, weight, against in _WEIGHED[intent]:
            x = features[feature]
            found.append((against if x < 0.0 and against else name, weight * x))
        if other.left:
            left = impression_rule(other.left, IMPRESSION_WEIGHTS.get(intent, 0.0))
            found.append((left.name, left.value))
        first = (FEATURES["base"][base < 0.0], base)
        yield intent, [first, *[x for x in found if not -LEAST < x[1] < LEAST]], ""
    for aim in q.aims:
        yield aim.do, [(r.name, r.value) for r in _aimed(aim)], aim.pressure


def _aimed(aim: Aim) -> list[ScoredRule]:
    """The rules for following an aim."""
    how = next(how for least, how in HOW_HARD if aim.intensity >= least)
    rules = [ScoredRule(f"the {aim.kind.replace('_', ' ')} presses{how}", round(aim.intensity * aim.weight, 2))]
    if 0 <= aim.due < DUE:
        rules.append(
            ScoredRule("its hour is near" if aim.due else "its hour has come", round(1.6 * (1 - aim.due / DUE), 2))
        )
    if aim.sought:
        rules.append(ScoredRule("came looking for them", CAME))
    if aim.alone:
        rules.append(ScoredRule("got nowhere alone", ALONE))
    return rules + weigh_features(aim.wish, aim.features)


def choose_approach(q: Approach, chance: Stream) -> Approached:
    """Whether to speak: by the wish to talk and the strongest aim."""
    other = q.other
    assert other is not None
    wish = 0.35 + 0.35 * q.extraversion + 0.5 * other.closeness + 0.5 * other.feeling
    heavy = max(0.0, -q.pad[0] - HEAVY)
    spirits = NEARS * other.left + 0.8 * q.pad[0] + 0.3 * q.pad[1] + CONFIDES * heavy * other.closeness
    wish += spirits + 0.15 * q.first_today - 0.3 * q.hurry - 0.15 * q.busy - 0.2 * other.busy
    if other.feeling < -0.25 and q.pad[2] > 0.1:
        wish += 0.5
    pressing = max((sum([rule.value for rule in _aimed(aim)]) for aim in q.aims), default=0.0) + OUGHT * q.owes
    return Approached(chance.unit() <= 0.36 + 0.4 * wish + 0.5 * max(0.0, pressing))


def exchanges(q: Exchange) -> list[ScoredAnswer]:
    """All possible intents with their utilities, options before aims."""
    weighed = _scored(q)
    return [ScoredAnswer(_chosen(*way, weighed), score) for score, way in weighed]


def choose_exchange(q: Exchange, chance: Stream) -> Answer:
    """An intent, drawn by softmax over the utilities."""
    weighed = _scored(q)
    way = chance.softmax([way for _, way in weighed], [score for score, _ in weighed], TEMPERATURE)
    return _chosen(*way, weighed)


def _scored(q: Exchange) -> list[tuple[float, Utility]]:
    return [(sum([value for _, value in way[1]]), way) for way in _utilities(q)]


def _chosen(intent: str, rules: list[tuple[str, float]], aim: str, weighed: list[tuple[float, Utility]]) -> Chosen:
    """An intent as an answer, with its strongest rules and the best of the others."""
    over = max(((score, way[0]) for score, way in weighed if way[0] != intent), default=(0.0, ""))[1]
    strongest = sorted(rules, key=lambda r: -abs(r[1]))[:4]
    return Chosen(intent, tuple([ScoredRule(name, round(value, 2)) for name, value in strongest]), over, aim)


def _fault(q: Exchange, a: Chosen) -> str:
    aims = {(aim.do, aim.pressure) for aim in q.aims}
    fine = is_showable(a.over) and ((a.intent, a.aim) in aims if a.aim else a.intent in q.options)
    return reasons_fault(a.why) if fine else "what was not among the options"


def _concerns(q: Approach) -> Concern:
    return Concern(q.other.who if q.other else "", tuple(aim.pressure for aim in q.aims))


_AIM = Aim("p1", "debt", "remind", 0.6, 1.0, {"base": 0.2, "bold": 0.4}, {"base": 1.0, "bold": 0.3})
_ASKED: dict[str, Any] = {"other": BO, "pad": (0.1, 0.0, 0.0)}
APPROACH = QuestionSpec(
    question=Approach, answer=Approached, name="Approach", rule=choose_approach,
    fault=lambda q, a: "" if isinstance(a.yes, bool) else "neither yes nor no",
    samples=(Approach("ann", options=("chat",), **_ASKED),),
    concerns=_concerns, taken=False, asks="approach", asked=False,
)  # fmt: skip
EXCHANGE = QuestionSpec(
    question=Exchange, answer=Chosen, name="Exchange", rule=choose_exchange, fault=_fault,
    samples=(Exchange("ann", options=("chat", "small_talk", "vent"), aims=(_AIM,), **_ASKED),),
    concerns=_concerns, taken=True, asks="exchange", asked=True,
)  # fmt: skip
QUESTIONS = (APPROACH, EXCHANGE)
