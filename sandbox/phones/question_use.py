"""What somebody does with a phone in their hand: about the cards they are shown, and what they write of their own."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import Concern, QuestionSpec, is_showable
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.phones.deck import ACTS, CARD_FEATURES, POSTS, RULE_POSTS
from sandbox.talk.model import ScoredRule

AGAIN = 0.8  # by how much less likely the second and each further thing is that is done in one look
MOST = 4  # things done in one look
WORDS = 200  # letters of what memories are looked for by
REASONS = {**dict.fromkeys(POSTS, "to post"), **dict.fromkeys(RULE_POSTS, "to post")}


class SeenCard(msgspec.Struct, frozen=True):
    """A card as somebody reads it. card: its number; by: who wrote it; text: the words; about: what it is about, in
    words. can: what may be done about it -> what speaks for each, as the deck weighs it. features: of the card.
    """

    card: int
    by: str
    text: str
    about: str
    can: dict[str, dict[str, float]]
    features: dict[str, float]


class Draft(msgspec.Struct, frozen=True):
    """Something one could write. reason: why (a key of POSTS, or a rule); about: what of, in words; wish: what speaks
    for it, as the deck weighs it; features: what that depends on; size: how much there is to say, in [0, 1].
    """

    reason: str
    about: str
    wish: dict[str, float]
    features: dict[str, float]
    size: float = 0.5


class UsePhone(Question, frozen=True):
    """What do you do about these cards, and do you write something? quiet: how much one keeps from posting, for having
    posted a short while ago, in [0, 1].
    """

    cards: tuple[SeenCard, ...] = ()
    drafts: tuple[Draft, ...] = ()
    quiet: float = 0.0


class PhoneAct(msgspec.Struct, frozen=True, array_like=True):
    """One thing done. act: one of ACTS on a card, or "post"; at: the number of the card, or of the draft, in the
    question; why: the rules that spoke for it.
    """

    act: str
    at: int
    why: tuple[ScoredRule, ...] = ()


class Used(Answer, frozen=True):
    """What is done, in order."""

    acts: tuple[PhoneAct, ...] = ()


def sigmoid(x: float) -> float:
    """A chance for a sum of what speaks for something."""
    return 1.0 / (1.0 + math.exp(-x)) if x > -40.0 else 0.0


def weighted_sum(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """What a deck's weights come to."""
    return sum(weight * features.get(name, 0.0) for name, weight in weights.items())


def strongest_reasons(
    weights: Mapping[str, float], features: Mapping[str, float], names: Mapping[str, tuple[str, str]]
) -> tuple[ScoredRule, ...]:
    """The two rules that speak most for it, beside its nature."""
    found = [(round(w * features.get(name, 0.0), 2), name) for name, w in weights.items() if name != "base"]
    found = sorted((x, name) for x, name in found if x >= 0.1)[::-1][:2]
    return tuple(ScoredRule(names[name][features[name] < 0], x) for x, name in found)


SIZE = 2.0  # what a lot to say speaks for saying it


def use_phone(q: UsePhone, chance: Stream) -> Used:
    """Each act by its own chance, the likeliest first; one post at most, which is the one that most speaks for."""
    found: list[tuple[float, PhoneAct]] = []
    for i, seen in enumerate(q.cards):
        lot = chance.unit()  # who is near to liking a thing is far from disliking it
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
    """What the cards are about, and what could be written of."""
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
