"""What each two people are to each other (friends, rivals ...), read from a log: since when, why, and for how long."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sandbox.core.clock import DAY
from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.people.ties import CRUSH, RIVALRY, Bond, BondSide, bond_name, circles, pairs
from sandbox.readers.all_stories import event_claims, event_end, event_guest, event_ties, kinds_where, matter_begun
from sandbox.readers.tielines import Pair, TieLines

FADED = "they have had little to do with each other since"
LASTS = DAY  # seconds that a bond must hold to count as a lasting change
KINDS = kinds_where(lambda story: story.ties or story.claims or story.begins or story.ends)


class Became(NamedTuple):
    """A change of what two people are to each other. a, b: in the order of ids; seq: the event that caused it, or, if
    the bond faded, the last event between the two; why: the reason in words, "" = none.
    """

    t: int
    a: str
    b: str
    was: Bond
    now: Bond
    seq: int
    why: str


class Bonds:
    """Tracks all bonds. world: as the log begins. lines: everybody's ties over time; changes: in order of time."""

    def __init__(self, world: World) -> None:
        self._clock, self.lines = world.clock, TieLines(world)
        self._near = not world.tie_parameters.strangers  # all know each other by sight
        self._between: defaultdict[Pair, Counter[str]] = defaultdict(Counter)  # open claims and pressures, by kind
        self._held: dict[str, tuple[Pair, str]] = {}  # open claim or pressure -> the two, its kind
        for c in world.claims.open.values():
            self._holds(c.id, c.a, c.b, c.kind)
        for p in world.pressures.open.values():
            if p.kind in (CRUSH, RIVALRY):
                self._holds(p.id, p.holder, p.about, p.kind)
        self.people = tuple(world.cast)
        self._pairs = [(min(two), max(two)) for two in pairs(world.cast)]
        self._last: dict[Pair, tuple[int, str]] = {}  # the event that last touched a tie, and the reason it gives
        self._dawn = world.clock.midnight(world.clock.day(world.now) + 1)
        self.changes: list[Became] = []
        self._names: dict[Pair, Bond] = {}
        self._names = {two: self._named(two, world.now) for two in self._pairs}

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for record in records:
            at, e = record
            while at.t >= self._dawn:  # ties fade with the days, without an event
                for two in self._pairs:
                    self._look(two, self._dawn, FADED)
                self._dawn = self._clock.midnight(self._clock.day(self._dawn) + 1)
            self.lines.read((record,))
            if (guest := event_guest(e)) is not None and guest.id not in self.people:
                self._join(guest.id, at.t)
            touched: dict[Pair, str] = {}
            for c in (c for c in event_claims(e) if c.id not in self._held):
                touched |= dict.fromkeys(self._holds(c.id, c.a, c.b, c.kind), getattr(c, "why", ""))
            touched |= {two_of(x.who, x.whom): x.why for x in event_ties(e)}
            if (m := matter_begun(record)) is not None and m.kind in (CRUSH, RIVALRY):
                touched |= dict.fromkeys(self._holds(m.id, m.holder, m.about, m.kind), "")
            elif (over := event_end(e)) is not None and over.id in self._held:
                two, kind = self._held.pop(over.id)
                self._between[two][kind] -= 1
                touched[two] = over.why
            for two, why in touched.items():
                self._last[two] = at.seq, why
                self._look(two, at.t)

    def _join(self, who: str, t: int) -> None:
        """Add a person who has come to town, with a bond to everybody."""
        more = [two_of(who, x) for x in self.people]
        self.people = (*self.people, who)
        self._pairs += more
        self._names |= {two: self._named(two, t) for two in more}

    def of(self, a: str, b: str) -> Bond:
        """What two people are to each other now."""
        return self._names[two_of(a, b)]

    def all(self) -> dict[Pair, Bond]:
        """What every two people are to each other now, by pair of ids in order."""
        return {**self._names}

    def circles(self) -> list[tuple[str, ...]]:
        """Groups in which everybody is warm with everybody, the largest first."""
        return circles(self._names)

    def lasting(self, after: int, upto: int) -> list[Became]:
        """The changes in (after, upto] that held for a day, or hold still."""
        until: dict[Pair, int] = {}
        out = []
        for x in reversed(self.changes):
            if after < x.t <= upto and until.get((x.a, x.b), x.t + LASTS) - x.t >= LASTS:
                out.append(x)
            until[x.a, x.b] = x.t
        return out[::-1]

    def _holds(self, id: str, a: str, b: str, kind: str) -> tuple[Pair, ...]:
        """Note a claim or pressure between two people; returns the pair, or () if it is not between two."""
        if not a or not b or a == b:
            return ()
        two = two_of(a, b)
        self._held[id] = two, kind
        self._between[two][kind] += 1
        return (two,)

    def _named(self, two: Pair, t: int) -> Bond:
        (a, b), day = two, self._clock.day(t)
        between = {kind for kind, n in self._between[two].items() if n > 0} if two in self._between else ()
        one, other = (BondSide(*self.lines.of(*way, day)[:2]) for way in ((a, b), (b, a)))
        now = bond_name(one, other, between, self._names.get(two, ""))
        return "acquainted" if now == "strangers" and self._near else now

    def _look(self, two: Pair, t: int, why: str = "") -> None:
        """Update the bond of two people at t. why: replaces the reason that the last event gave."""
        was, now = self._names.get(two), self._named(two, t)
        if was is not None and was != now:
            self._names[two] = now
            seq, said = self._last.get(two, (0, ""))
            self.changes.append(Became(t, *two, was, now, seq, why or said))


def two_of(a: str, b: str) -> Pair:
    """The pair of two people in the order of their ids, the key of everything kept by pair."""
    return (a, b) if a < b else (b, a)
