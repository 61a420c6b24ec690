"""Whether those whose lives a claim changes feel it so, and tell it: over all of them, whether or not it left a mark.

What is a gain and what a loss was drawn up from reading, not from what the data say a claim is worth: to have love, a
home, work, an office, a thing, friends, is good; to lose it is bad. Whoever ended a claim themselves is left out, and
so is a home or a job that replaces another at once, or what comes with a loss of the same hour: a settee after a
parting.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Record, Stamp
from sandbox.engine.world import World
from sandbox.people.claim_handlers import ALLY, COUPLE, EMPLOYS, LODGES, MEMBER, OWNS, ROLE
from sandbox.people.claim_model import ClaimEvent
from sandbox.readers.all_stories import event_moods
from sandbox.readers.staying import Spirits
from sandbox.talk.model import Exchanged

GOOD = {
    COUPLE: ("a", "b"), LODGES: ("a",), EMPLOYS: ("b",), OWNS: ("a",), ROLE: ("a",), ALLY: ("a", "b"), MEMBER: ("a",),
    "holds": ("a",), "heir": ("a",), "feat": ("a",), "confidence": ("a",),
}  # fmt: skip
GRAVE = (COUPLE, LODGES, EMPLOYS, OWNS, ROLE)  # kinds of claim that a life hangs on
ONES = {LODGES: "a", EMPLOYS: "b"}  # of which somebody has one at a time
AFTER = MINUTE  # seconds after which a mood is looked at
ENDS = 0.95  # pleasure from which a mood can hardly move further
TELLS = 2  # people who should have heard it within a day


class _Change(NamedTuple):
    """A change in somebody's life. good: whether for the better; before: their pleasure just before it."""

    who: str
    seq: int
    t: int
    day: int
    kind: str
    good: bool
    before: float


class ClaimFeelings:
    """Measures how changes of claims are felt and told. world: as the log begins; spirits: everybody's moods, which
    read each record after this does.
    """

    def __init__(self, world: World, spirits: Spirits) -> None:
        self._clock, self._spirits = world.clock, spirits
        self._coming: deque[_Change] = deque()
        self._felt: defaultdict[int, list[bool]] = defaultdict(list)  # day -> for each change, whether it is felt so
        self._grave: dict[tuple[str, int], _Change] = {}
        self._told: defaultdict[tuple[str, int], dict[str, str]] = defaultdict(dict)  # change -> listener -> words
        self._lost: dict[str, int] = {}  # person -> when they last lost a claim
        self._stood: dict[str, tuple[int, float]] = {}  # person -> when they were last moved, and their pleasure before
        self._instead = ""  # the last claim that replaced another of the same person
        self._now = 0

    def watch(self, record: Record) -> None:
        """Look at moods up to the next record of the log, which has not moved them yet."""
        at = record.stamp
        while self._coming and self._coming[0].t + AFTER < at.t:
            x = self._coming.popleft()
            after = self._spirits.at(x.who, x.t + AFTER).p
            at_the_end = abs(after) >= ENDS and (after > 0.0) == x.good
            self._felt[x.day].append(at_the_end or (after != x.before and (after > x.before) == x.good))
        self._now = at.t
        for m in event_moods(record):
            if self._stood.get(m.who, (-1, 0.0))[0] != at.t and m.who in self._spirits.people:
                self._stood[m.who] = at.t, self._spirits.at(m.who, at.t).p

    def changed(self, e: ClaimEvent, at: Stamp, made: bool, by: str = "", instead: str = "") -> None:
        """Take in that a claim was made, or ended. by: who ended it; instead: the claim that replaces it."""
        for x in self._changes(e, at, made, by, instead):
            self._coming.append(x)
            if x.kind in GRAVE:
                self._grave[x.who, x.seq] = x

    def _changes(self, e: ClaimEvent, at: Stamp, made: bool, by: str, instead: str) -> Iterator[_Change]:
        if instead and e.kind in ONES:
            self._instead = instead
            return
        if e.within or e.id == self._instead:
            return
        for end, who in (("a", e.a), ("b", e.b)):
            if end not in GOOD.get(e.kind, ()) or who not in self._spirits.people:
                continue
            stopgap = made and at.t - self._lost.get(who, -DAY) < HOUR
            if not made:
                self._lost[who] = at.t
            if not stopgap and by != who:
                moved, before = self._stood.get(who, (-1, 0.0))  # one affair may have moved them this very second
                before = before if moved == at.t else self._spirits.at(who, at.t).p
                yield _Change(who, at.seq, at.t, self._clock.day(at.t), e.kind, made, before)

    def spoken(self, e: Exchanged, at: Stamp) -> None:
        """Take in an exchange: whether a change is spoken of, by whoever's it is, to the other of the two."""
        if not e.over.startswith("#"):
            return
        seq = int(e.over[1:])
        for u in e.lines:
            change = self._grave.get((u.who, seq))
            other = next((x.who for x in e.lines if x.who != u.who), "")
            if change is not None and u.text and at.t - change.t <= DAY:
                self._told[u.who, seq].setdefault(other, u.text)

    def of(self, days: Sequence[int]) -> dict[str, float | int | None]:
        """The measures of these days; of what is not a day old it is not yet known whether it is told."""
        felt = [x for day in days for x in self._felt[day]]
        old = [key for key, x in self._grave.items() if x.day in days and self._now - x.t > DAY]
        told = [len(set(self._told[key].values())) >= TELLS for key in old]
        return {
            "claims_felt": round(sum(felt) / len(felt), 3) if felt else None,
            "claims_told": round(sum(told) / len(told), 3) if told else None,
        }
