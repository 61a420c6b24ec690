"""The emotional memory of a person: what the last talks with somebody have left (docs/mechanisms.md, Memory).

It is the pleasure that talks with them gave beyond what one is used to, or took, and fades. It is made from the log, as
memories are, and belongs to whoever was moved.
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
USUAL, HABIT = 0.06, 0.1  # pleasure that an ordinary talk gives, and how fast somebody gets used to another measure
GRUDGE = 1.5  # days in which half of what is sore is gone, in somebody of even temper
MINUTES = DAY / 60.0
STAYS = 0.5  # share of what was left that a further talk keeps; soreness stays whole unless that talk gave pleasure
WARM, SORE = 0.12, -0.04  # from which on it is told in a word


class Impression(NamedTuple):
    """What was left at second t. last: what the very last talk gave."""

    value: float
    t: int
    last: float = 0.0


class Remains(NamedTuple):
    """What is left where there is a word for it. how: warm or sore; value: how much, in [-1, 1]; t: when the last talk
    ended; last: whether that one was of the kind, or only one before it; until: from which second there is no word.
    """

    how: str
    value: float
    t: int
    last: bool
    until: int


class Impressions:
    """left: (who, with whom) -> what is left. usual: the pleasure that a talk gives somebody mostly, if not as `USUAL`.
    under_way: talk -> person -> the pleasure it has given them so far.
    """

    __slots__ = ("left", "under_way", "usual")

    def __init__(self) -> None:
        self.left: dict[tuple[str, str], Impression] = {}
        self.usual: dict[str, float] = {}
        self.under_way: dict[str, dict[str, float]] = {}

    def exchange(self, talk: str, given: Mapping[str, float]) -> None:
        """An exchange of a talk has given each of its people some pleasure."""
        so_far = self.under_way.setdefault(talk, {})
        for who, pleasure in given.items():
            so_far[who] = so_far.get(who, 0.0) + pleasure

    def close(self, talk: str, who: Sequence[str], cast: Mapping[str, Persona], t: int) -> None:
        """A talk has ended. cast: by whose temper what it leaves will fade."""
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
        """What the last talks with the other have left with me, in [-1, 1]: above 0 warm, below sore."""
        found = self.left.get((me, other))
        return 0.0 if found is None else found.value * fade(t - found.t, impression_half_life(cast[me], found.value))

    def went(self, talk: str, me: str) -> float:
        """How a talk under way has gone for me so far: what it gave beyond an ordinary talk of mine, or took; one that
        was no more than mild is nothing to speak of.
        """
        given = self.under_way.get(talk, {}).get(me, 0.0)
        return clip(given if given < 0.0 else max(0.0, given - self.usual.get(me, USUAL)))

    def told(self, me: str, other: str, cast: Mapping[str, Persona], t: int) -> str:
        """What is left in a word, as lines and briefs have it: "" also where the last talk was not of that kind."""
        how = word(self.at(me, other, cast, t))
        found = self.left.get((me, other))
        return how if found is not None and (found.last > 0.0) == (how == "warm") and found.last else ""

    def remains(self, me: str, other: str, cast: Mapping[str, Persona], t: int) -> Remains | None:
        """What is left at second t, how it came and until when it stays; None where there is no word for it."""
        value = self.at(me, other, cast, t)
        how = word(value)
        if not how:
            return None
        halves = math.log2(value / (WARM if value > 0.0 else SORE))
        until = t + int(halves * impression_half_life(cast[me], value) * 60.0)
        return Remains(how, value, self.left[me, other].t, bool(self.told(me, other, cast, t)), until)

    def partners(self, me: str) -> list[str]:
        """With whom some talk has left anything, by id."""
        return sorted(other for who, other in self.left if who == me)


def impression_half_life(persona: Persona, value: float) -> float:
    """Minutes in which half of it is gone: a day; of what is sore the longer, the more nervous and the less agreeable
    somebody is.
    """
    if value >= 0.0:
        return MINUTES
    return MINUTES * GRUDGE * float(2.0 ** ((persona.big_five.neuroticism - persona.big_five.agreeableness) / 2.0))


def word(value: float) -> str:
    """warm, sore or "", as lines ask for it."""
    return "warm" if value >= WARM else "sore" if value <= SORE else ""
