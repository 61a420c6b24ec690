"""Needs: rest, food, company and standing. They push moods and plans, cost patience, and never kill.

Each is a number in [0, 1], kept as it stood when something last fed it, and lower the longer that is ago
(docs/mechanisms.md, Needs and money).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.events import r6
from sandbox.people.causes import Sort

NAMES = ("rest", "food", "company", "standing")
# Of which sort a cause it is to lack it, what somebody then is, and what that makes them feel.
LACKS: dict[str, tuple[Sort, str, str]] = {
    "rest": ("fatigue", "tired", "distress"),
    "food": ("hunger", "hungry", "distress"),
    "company": ("loneliness", "lonely", "distress"),
    "standing": ("neglect", "overlooked", "resentment"),
}


class NeedParameters(msgspec.Struct, frozen=True):
    """rest, food, company, standing: hours in which each runs from full to empty. low: below it, it is felt."""

    rest: Annotated[float, msgspec.Meta(ge=1, le=1000)] = 27.0
    food: Annotated[float, msgspec.Meta(ge=1, le=1000)] = 15.0
    company: Annotated[float, msgspec.Meta(ge=1, le=1000)] = 20.0
    standing: Annotated[float, msgspec.Meta(ge=1, le=10000)] = 120.0
    low: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.3


class Needs(msgspec.Struct):
    """Levels as they stood at second t."""

    rest: float = 0.9
    food: float = 0.6
    company: float = 0.6
    standing: float = 0.7
    t: int = 0


def level(n: Needs, name: str, t: float, p: NeedParameters) -> float:
    """What is left of a need at second t, in [0, 1]."""
    kept: float = getattr(n, name)
    hours: float = getattr(p, name)
    return max(0.0, kept - max(0.0, t - n.t) / (hours * HOUR))


def unmet_needs(n: Needs, t: float, p: NeedParameters) -> list[str]:
    """The needs that are felt at second t, the worst first."""
    found = [(level(n, name, t, p), name) for name in NAMES]
    return [name for x, name in sorted(found) if x < p.low]


def feed(n: Needs, t: int, p: NeedParameters, **gains: float) -> None:
    """Bring the levels to second t and add these to them (they may be less than nothing)."""
    passed = max(0.0, t - n.t)
    for name in NAMES:
        left = max(0.0, getattr(n, name) - passed / (getattr(p, name) * HOUR))  # as `level` says, for all at once
        setattr(n, name, r6(min(1.0, max(0.0, left + gains.get(name, 0.0)))))
    n.t = t
