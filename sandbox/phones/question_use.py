"""The question what somebody does at a look at their phone: about the cards shown, and what they write themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import Concern, QuestionSpec, is_showable
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.phones.deck import ACTS, CARD_FEATURES
from sandbox.talk.model import ScoredRule

AGAIN = 0.8  # factor on the chance of each further act in one look
MOST = 4  # most acts on cards in one look
WORDS = 200  # most characters of the query for memories


class SeenCard(msgspec.Struct, frozen=True):
    """A card as somebody reads it. by: who wrote it; about: its topic, in words. can: possible act -> its weights in
    the deck. features: of the card.
    """

    card: int
    by: str
    text: str
    about: str
    can: dict[str, dict[str, float]]
    features: dict[str, float]


class Draft(msgspec.Struct, frozen=True):
    """A possible post. reason: a key of POSTS, or a rule; about: topic, in words; wish: its weights in the deck;
    features: their values; size: how much there is to say, in [0, 1].
    """

    reason: str
    about: str
    wish: dict[str, float]
    features: dict[str, float]
    size: float = 0.5


class UsePhone(Question, frozen=True):
    """What do you do about these cards, and do you write something? quiet: how reluctant one is to post again, for
    having posted lately, in [0, 1].
    """

    cards: tuple[SeenCard, ...] = ()
    drafts: tuple[Draft, ...] = ()
    quiet: float = 0.0


class PhoneAct(msgspec.Struct, frozen=True, array_like=True):
    """One thing done. act: one of ACTS, or "post"; at: index of the card or draft in the question; why: the strongest
    rules.
    """

    act: str
    at: int
    why: tuple[ScoredRule, ...] = ()


class Used(Answer, frozen=True):
    """What is done, in order."""

    acts: tuple[PhoneAct, ...] = ()


def sigmoid(x: float) -> float:
    """The chance, in [0, 1], for a weighted sum."""
    return 1.0 / (1.0 + math.exp(-x)) if x > -40.0 else 0.0


def weighted_sum(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """The sum of weights times features."""
    return sum([weight * features.get(name, 0.0) for name, weight in weights.items()])


def strongest_reasons(
    weights: Mapping[str, float], features: Mapping[str, float], names: Mapping[str, tuple[str, str]]
) -> tuple[ScoredRule, ...]:
    """The two rules that weigh most in favour, apart from the base."""
    found = [(round(w * features.get(name, 0.0), 2), name) for name, w in weights.items() if name != "base"]
    found = sorted((x, name) for x, name in found if x >= 0.1)[::-1][:2]
    return tuple(ScoredRule(names[name][features[name] < 0], x) for x, name in found)


SIZE = 2.0  # weight of a draft's size


def use_phone(q: UsePhone, chance: Stream) -> Used:
    """Decide each act by its own chance, likeliest first, and at most one post, the one with the highest score."""
    found: list[tuple[float, PhoneAct]] = []
    for i, seen in enumerate(q.cards):
        lot = chance.unit()  # one draw for both: nearly liking excludes disliking
        for act, weights in seen.can.items():
            likely = sigmoid(weighted_sum(weights, seen.features))
            x = 1.0 - lot if act == "dislike" else lot if act == "like" else chance.unit()
            if x < likely:
                found.append((likely, PhoneAct(act, i, strongest_reasons(weights, seen.features, CARD_FEATURES))))
    found.sort(key=lambda x: (-x[0], x[1].at, x[1].act))
    acts = [doing for n, (_, doing) in enumerate(found[:MOST]) if chance.unit() < AGAIN**n]
    best, score = -1, -math.inf
    for i, draft in enumerate(q.drafts):
        x = weighted_sum(draft.wish, draft.features) + SIZE * (draft.size - 0.5) + 0.6 * chance.normal()
        if x > score:
            best, score = i, x
    if best >= 0 and chance.unit() < sigmoid(score) * (1.0 - q.quiet):
        draft = q.drafts[best]
        acts.append(PhoneAct("post", best, strongest_reasons(draft.wish, draft.features, FEATURES)))
    return Used(acts=tuple(acts))


def _fault(q: UsePhone, a: Used) -> str:
    for x in a.acts:
        if x.act == "post":
            if not 0 <= x.at < len(q.drafts):
                return f"there is no draft {x.at}"
        elif x.act not in ACTS or not 0 <= x.at < len(q.cards) or x.act not in q.cards[x.at].can:
            return f"{x.act} cannot be done there"
        if not is_showable("; ".join(r.name for r in x.why)):
            return "reasons that cannot be shown"
    return "more than one post" if sum(x.act == "post" for x in a.acts) > 1 else ""


def _concerns(q: UsePhone) -> Concern:
    """What the cards and drafts are about, for retrieving memories."""
    about = (*(x.about for x in q.cards), *(x.about for x in q.drafts))
    return Concern(words=" ".join(x for x in dict.fromkeys(about) if x)[:WORDS])


_SEEN = SeenCard(
    7, "Bo", "The loaf came out golden.", "the loaf", {"like": {"base": 0.2, "fond": 1.0}}, {"base": 1.0, "fond": 0.4}
)
_DRAFT = Draft("brag", "the race", {"base": -0.5, "pleased": 1.0}, {"base": 1.0, "pleased": 0.6})
USE = QuestionSpec(
    question=UsePhone, answer=Used, name="UsePhone", rule=use_phone, fault=_fault,
    samples=(UsePhone("ann", cards=(_SEEN,), drafts=(_DRAFT,)),),
    concerns=_concerns, taken=True, asks="phone", asked=False,
)  # fmt: skip
QUESTIONS = (USE,)
