"""Whom one has to do with in a talk, and the ways to answer, each with a utility that is a sum of named rules.

Each rule has a name, so that "why did she say that?" has an answer (as in Comme il Faut and Ensemble).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from sandbox.core.protocols import Answer
from sandbox.core.questions import is_showable
from sandbox.people.pressure_features import FEATURES
from sandbox.talk.model import ScoredRule


class Partner(msgspec.Struct, frozen=True):
    """What one of two people is to the other and looks like. tie: a word of `ties.kind`; mood: a screen mood; left:
    what the last talks with them have left, in [-1, 1].
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
    """A way to answer a question, and its utility."""

    answer: Answer
    score: float


def weigh_features(weights: Mapping[str, float], features: Mapping[str, float]) -> list[ScoredRule]:
    """Each weight times its feature, under the name it has for that sign."""
    out = []
    for name, weight in weights.items():
        value = round(weight * features[name], 2)
        if abs(value) >= 0.05:
            out.append(ScoredRule(FEATURES[name][value < 0 if name == "base" else features[name] < 0], value))
    return out


def best_answer(ways: list[ScoredAnswer]) -> Answer:
    """The way with the highest utility, the first of equals."""
    return max(ways, key=lambda way: way.score).answer


def reasons_fault(rules: Sequence[ScoredRule]) -> str:
    """What is wrong with the rules an answer names as its reasons; "" if nothing is."""
    fine = all(is_showable(r.name) and math.isfinite(r.value) and round(r.value, 6) == r.value for r in rules)
    return "" if fine else "a reason without a name or of no size"


def impression_rule(left: float, weight: float) -> ScoredRule:
    """What the last talks with somebody speak for or against, by name. left: what they left; weight: of that."""
    return ScoredRule(FEATURES["left"][left < 0], round(weight * left, 2))


BO = Partner("bo", "Bo", 0.2, 0.4, "friendly", "neighbour", "calm", False, 35, 0.1, 0.2)  # whom samples are about
