"""Emotional memory: the impression that recent talks with a person have left (docs/mechanisms.md, Memory).

It is the pleasure or displeasure of talks with them beyond what one is used to, and it fades. It is built from the log,
like memories, and is directed: each of the two has their own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

import msgspec

from sandbox.core.clock import DAY
from sandbox.people.mood import clip, fade
from sandbox.people.persona import Persona

Amount = Annotated[float, msgspec.Meta(ge=-1, le=1)]
USUAL, HABIT = 0.06, 0.1  # pleasure of an ordinary talk, and the rate at which a person's own average follows
GRUDGE = 1.5  # half-life in days of a sore impression, for average traits
MINUTES = DAY / 60.0  # of a day
STAYS = 0.5  # share of the old impression kept after a further talk; a sore one stays whole unless that talk pleased
WARM, SORE = 0.12, -0.04  # from (or down to) which an impression is called warm (or sore)


class Impression(NamedTuple):
    """The impression's value at second t. last: pleasure of the most recent talk."""

    value: float
    t: int
    last: float = 0.0


class Remains(NamedTuple):
    """A noticeable impression. how: warm or sore; value: in [-1, 1]; t: second at which the last talk ended; last:
    whether that talk was itself warm or sore; until: second from which it is no longer noticeable.
    """

    how: str
    value: float
    t: int
    last: bool
    until: int


class Impressions:
    """left: (person, partner) -> impression. usual: person -> average pleasure of their talks (default USUAL).
    under_way: talk -> person -> the pleasure it has given them so far.
    """

    __slots__ = ("left", "under_way", "usual")

    def __init__(self) -> None:
        self.left: dict[tuple[str, str], Impression] = {}
        self.usual: dict[str, float] = {}
        self.under_way: dict[str, dict[str, float]] = {}

    def exchange(self, talk: str, given: Mapping[str, float]) -> None:
        """Add the pleasure that one exchange of a talk gave each person."""
        so_far = self.under_way.setdefault(talk, {})
        for who, pleasure in given.items():
            so_far[who] = so_far.get(who, 0.0) + pleasure

    def close(self, talk: str, who: Sequence[str], cast: Mapping[str, Persona], t: int) -> None:
        """Turn an ended talk into impressions on both sides. cast: personas, whose traits set how fast they fade."""
        given = self.under_way.get(talk, {})
        for me, other in (who, who[::-1]):
            if me in given:
                before = self.at(me, other, cast, t)
                if before > 0.0 or given[me] > 0.0:
                    before *= STAYS
                self.left[me, other] = Impression(clip(before + self.went(talk, me)), t, clip(given[me]))
        for me, pleasure in given.items():
            usual = self.usual.get(me, USUAL)
            self.usual[me] = usual + HABIT * (clip(pleasure) - usual)
        self.under_way.pop(talk, None)

    def at(self, me: str, other: str, cast: Mapping[str, Persona], t: int) -> float:
        """My impression of the other at second t, in [-1, 1]: above 0 warm, below 0 sore."""
        found = self.left.get((me, other))
        return 0.0 if found is None else found.value * fade(t - found.t, impression_half_life(cast[me], found.value))

    def went(self, talk: str, me: str) -> float:
        """How a talk under way has gone for me so far: its displeasure, or its pleasure beyond my average talk; 0 if
        it was merely mild.
        """
        given = self.under_way.get(talk, {}).get(me, 0.0)
        return clip(given if given < 0.0 else max(0.0, given - self.usual.get(me, USUAL)))

    def told(self, me: str, other: str, cast: Mapping[str, Persona], t: int) -> str:
        """The impression as a word for lines and briefs; "" also if the last talk was not of that kind."""
        how = word(self.at(me, other, cast, t))
        found = self.left.get((me, other))
        return how if found is not None and (found.last > 0.0) == (how == "warm") and found.last else ""

    def remains(self, me: str, other: str, cast: Mapping[str, Persona], t: int) -> Remains | None:
        """The noticeable impression at second t, or None."""
        value = self.at(me, other, cast, t)
        how = word(value)
        if not how:
            return None
        halves = math.log2(value / (WARM if value > 0.0 else SORE))
        until = t + int(halves * impression_half_life(cast[me], value) * 60.0)
        return Remains(how, value, self.left[me, other].t, bool(self.told(me, other, cast, t)), until)

    def partners(self, me: str) -> list[str]:
        """The people of whom I have an impression, by id."""
        return sorted(other for who, other in self.left if who == me)


def impression_half_life(persona: Persona, value: float) -> float:
    """Half-life of an impression in minutes: a day; for a sore one longer, the more neurotic and the less agreeable the
    person is.
    """
    if value >= 0.0:
        return MINUTES
    return MINUTES * GRUDGE * float(2.0 ** ((persona.big_five.neuroticism - persona.big_five.agreeableness) / 2.0))


def word(value: float) -> str:
    """The word for an impression's value: warm, sore or ""."""
    return "warm" if value >= WARM else "sore" if value <= SORE else ""
