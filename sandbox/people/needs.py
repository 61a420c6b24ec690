"""Needs: rest, food, company and standing. They push moods and plans, cost patience, and never kill.

Each need is defined by its row in NEEDS, from which rules, parameters and saves are derived. A level is a number in
[0, 1], stored as of the last time something fed it, and falls linearly from then on (docs/mechanisms.md, Needs and
money).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.events import r6

# Sorts of causes of a mood that are an unmet need (people/mood.py).
LackSort = Literal["fatigue", "hunger", "loneliness", "neglect"]
# What feeds needs, beside blocks and rules of the feed. sleep: hours of it; words: lines that are said to somebody;
# praise: how warm one of them was, in [-1, 1]; outcome: 1 for a matter that ends well for them, -1 for one that ends
# badly.
Source = Literal["sleep", "words", "praise", "outcome"]
# How a remedy is found (drama/needs.py: REMEDIES): at home, as a meal of the hour, with a friend who is called on.
RemedyRule = Literal["home", "meal", "friend"]
FULL_NIGHT = 8.0  # hours of sleep that rest anybody


class Remedy(msgspec.Struct, frozen=True):
    """What somebody does about a need in a free hour. minutes: how long; why: in words, {friend} is the one visited;
    do: the block, if the rule does not choose it.
    """

    rule: RemedyRule
    minutes: int
    why: str
    do: str = ""


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """One need.

    name: also that of its parameter, and its key in the `feeds` of a block. sort, word, emotion: the sort of cause,
    adjective and emotion of lacking it. hours: default time from full to empty; 0: it is off, and in no save, until a
    world sets it (`needs.NAME`). longest: most hours a world may set. begins: initial level. fed: source -> level that
    each unit adds. holds: sources counted in hours, during which it does not fall. remedy: None = there is none.
    """

    name: str
    sort: LackSort
    word: str
    emotion: str
    hours: float = 0.0
    longest: int = 1000
    begins: float = 0.6
    fed: Mapping[Source, float] = {}
    holds: tuple[Source, ...] = ()
    remedy: Remedy | None = None


NEEDS = (
    Need(
        name="rest",
        sort="fatigue",
        word="tired",
        emotion="distress",
        hours=27.0,
        begins=0.9,
        fed={"sleep": 1 / FULL_NIGHT},
        holds=("sleep",),
        remedy=Remedy("home", 30, "tired, goes to lie down", "rest"),
    ),
    Need(
        name="food",
        sort="hunger",
        word="hungry",
        emotion="distress",
        hours=15.0,
        remedy=Remedy("meal", 25, "hungry, goes to eat something"),
    ),
    Need(
        name="company",
        sort="loneliness",
        word="lonely",
        emotion="distress",
        hours=20.0,
        fed={"words": 0.015},
        remedy=Remedy("friend", 45, "lonely, goes to see {friend}", "visit"),
    ),
    Need(
        name="standing",
        sort="neglect",
        word="overlooked",
        emotion="resentment",
        hours=120.0,
        longest=10_000,
        begins=0.7,
        fed={"praise": 0.02, "outcome": 0.1},
    ),
)
ROWS = {need.name: need for need in NEEDS}
_WEARING = [need.word for need in NEEDS if need.hours and need.emotion == "distress"]
WORN = f"{', '.join(_WEARING[:-1])} or {_WEARING[-1]}"  # wording for somebody who is worn down by needs


def _level_field(need: Need) -> tuple[str, Any, Any]:
    """(name, type, default) of a level's field. That of a need that is off is left out of saves until it is set."""
    if need.hours:
        return need.name, float, need.begins
    return need.name, float | msgspec.UnsetType, msgspec.UNSET


def _hours_field(need: Need) -> tuple[str, Any, Any]:
    shortest = 1 if need.hours else 0
    return need.name, Annotated[float, msgspec.Meta(ge=shortest, le=need.longest)], need.hours


_Levels = msgspec.defstruct("_Levels", [_level_field(need) for need in NEEDS], module=__name__)
_Hours = msgspec.defstruct("_Hours", [_hours_field(need) for need in NEEDS], module=__name__, frozen=True)


class Needs(_Levels):  # type: ignore[misc, valid-type]
    """Levels, a field for each need, as they stood at second t."""

    t: int = 0


class NeedParameters(_Hours):  # type: ignore[misc, valid-type]
    """For each need hours in which it runs from full to empty. low: below it, it is felt."""

    low: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.3


@cache
def needs_on(p: NeedParameters) -> tuple[Need, ...]:
    """The needs that people have."""
    return tuple(need for need in NEEDS if getattr(p, need.name))


@cache
def _on(p: NeedParameters) -> tuple[tuple[str, float], ...]:
    """(need, seconds from full to empty) of the needs that people have."""
    return tuple((need.name, getattr(p, need.name) * HOUR) for need in needs_on(p))


@cache
def _fed_by(source: Source, p: NeedParameters) -> tuple[tuple[str, float], ...]:
    """(need, level a unit adds) for a source; for a need it holds, plus what that need falls in an hour."""
    units = {
        need.name: need.fed.get(source, 0.0) + (1 / getattr(p, need.name) if source in need.holds else 0.0)
        for need in needs_on(p)
    }
    return tuple((name, unit) for name, unit in units.items() if unit)


def level(n: Needs, name: str, t: float, p: NeedParameters) -> float:
    """The level at second t, in [0, 1], of a need that is on."""
    kept = getattr(n, name)
    if kept is msgspec.UNSET:
        kept = ROWS[name].begins
    left: float = kept - max(0.0, t - n.t) / (getattr(p, name) * HOUR)
    return max(0.0, left)


def _levels(n: Needs, t: float, p: NeedParameters) -> list[tuple[str, float]]:
    """(need, level at second t) of the needs that are on: as `level` does, which takes twice as long."""
    passed, out = max(0.0, t - n.t), []
    for name, seconds in _on(p):
        kept = getattr(n, name)
        out.append((name, max(0.0, (ROWS[name].begins if kept is msgspec.UNSET else kept) - passed / seconds)))
    return out


def unmet_needs(n: Needs, t: float, p: NeedParameters) -> list[Need]:
    """The needs that are felt at second t, the worst first."""
    found = sorted((x, name) for name, x in _levels(n, t, p) if x < p.low)
    return [ROWS[name] for _, name in found]


def feed(n: Needs, t: int, p: NeedParameters, gains: Mapping[str, float]) -> None:
    """Bring the levels to second t and add to them. gains: need -> change (may be negative)."""
    for name, x in _levels(n, t, p):
        setattr(n, name, r6(min(1.0, max(0.0, x + gains.get(name, 0.0)))))
    n.t = t


def feed_from(n: Needs, t: int, p: NeedParameters, amounts: Mapping[Source, float]) -> None:
    """Bring the levels to second t and add what these amounts of sources give."""
    gains: dict[str, float] = {}
    for source, amount in amounts.items():
        for name, unit in _fed_by(source, p):
            gains[name] = gains.get(name, 0.0) + amount * unit
    feed(n, t, p, gains)
