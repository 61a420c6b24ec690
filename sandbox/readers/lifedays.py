"""What one person's days are made of, as `readers/life.py` finds it in the log."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from sandbox.people.played import CameToHead
from sandbox.play.model import StanceTaken
from sandbox.readers.pressures import Matter
from sandbox.talk.model import Utterance


class LifeDeed(NamedTuple):
    """Something that was done between them and another, as a sentence without full stop. seq: its event; by_hand:
    whether they were played, and did or answered it so; lines: what was said.
    """

    seq: int
    t: int
    text: str
    matter: str
    by_hand: bool
    lines: tuple[Utterance, ...] = ()


class TurningPoint(NamedTuple):
    """A turning point, and the stance that was taken in it (None: none was)."""

    seq: int
    t: int
    e: CameToHead
    taken: StanceTaken | None = None


class Stir(NamedTuple):
    """What an event did to a matter of theirs, as a sentence, and what it came of. over: the matter ended by it."""

    t: int
    over: bool
    text: str
    causes: tuple[int, ...]


class Rumour(NamedTuple):
    """What somebody was told of them by another."""

    source: str
    who: str
    says: str


@dataclass
class LifeDay:
    """A day of theirs. feelings: (who, whom) -> how far a feeling moved; reasons: why it moved most.

    paid, got: (coins, what, with whom). touched, over: matters of theirs, and which of them ended. still: those that
    were touched, and are open as it ends. marks: what stays with them.
    """

    day: int
    done: list[LifeDeed] = field(default_factory=list)
    turns: list[TurningPoint] = field(default_factory=list)
    said: list[Rumour] = field(default_factory=list)
    talks: Counter[str] = field(default_factory=Counter)
    feelings: defaultdict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    reasons: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)
    claims: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    paid: list[tuple[int, str, str]] = field(default_factory=list)
    got: list[tuple[int, str, str]] = field(default_factory=list)
    touched: dict[str, Matter] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)
    vain: Counter[str] = field(default_factory=Counter)  # whom they looked for by hand, and did not find
    things: list[str] = field(default_factory=list)  # of a day, that they did while they were played

    @property
    def still(self) -> list[Matter]:
        return [m for id, m in self.touched.items() if id not in self.over]
