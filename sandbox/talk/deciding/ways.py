"""Whom one has to do with in a talk, and the ways to answer, each with a utility that is a sum of named rules.

Each rule has a name, so that "why did she say that?" has an answer (as in Comme il Faut and Ensemble).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from sandbox.core.protocols import Answer
from sandbox.core.questions import shown
from sandbox.people.pressures.features import FEATURES
from sandbox.talk.model import Rule


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


class Way(NamedTuple):
    """A way to answer a question, and its utility."""

    answer: Answer
    score: float


def weighed(weights: Mapping[str, float], features: Mapping[str, float]) -> list[Rule]:
    """Each weight times its feature, under the name it has for that sign."""
    out = []
    for name, weight in weights.items():
        value = round(weight * features[name], 2)
        if abs(value) >= 0.05:
            out.append(Rule(FEATURES[name][value < 0 if name == "base" else features[name] < 0], value))
    return out


def best(ways: list[Way]) -> Answer:
    """The way with the highest utility, the first of equals."""
    return max(ways, key=lambda way: way.score).answer


def reasons_fault(rules: Sequence[Rule]) -> str:
    """What is wrong with the rules an answer names as its reasons; "" if nothing is."""
    fine = all(shown(r.name) and math.isfinite(r.value) and round(r.value, 6) == r.value for r in rules)
    return "" if fine else "a reason without a name or of no size"


def remembered(left: float, weight: float) -> Rule:
    """What the last talks with somebody speak for or against, by name. left: what they left; weight: of that."""
    return Rule(FEATURES["left"][left < 0], round(weight * left, 2))


BO = Partner("bo", "Bo", 0.2, 0.4, "friendly", "neighbour", "calm", False, 35, 0.1, 0.2)  # whom samples are about
