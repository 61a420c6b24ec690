"""Who stands about with nothing to do, and who is stuck: two faults a town must not have, found in the log."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import MINUTE, Clock
from sandbox.core.events import Record
from sandbox.people.model import Chose, Planned, Woke
from sandbox.people.pressure_model import Sought
from sandbox.talk.model import Closed, Opened
from sandbox.town.model import Arrived, Placed, Stopped, Walked

IDLE, STUCK = 90 * MINUTE, 30 * MINUTE  # seconds from which somebody counts as idle, as stuck
BUSY = 1 << 60  # a second that never comes: busy without a known end
EVENTS = (Woke, Planned, Chose, Placed, Walked, Arrived, Stopped, Opened, Closed, Sought)
KINDS = tuple(e.KIND for e in EVENTS)
_READ = frozenset(EVENTS)


class _Person:
    """until: the second at which their act ends. held: length in seconds of the act they are walking to (-1 = none);
    bed: whether that is sleep. waits: since when they have had a goal, or a morning, without a step towards it (-1 =
    no).
    """

    __slots__ = ("asleep", "bed", "held", "talks", "until", "waits")

    def __init__(self) -> None:
        self.until, self.held, self.waits = BUSY, -1, -1
        self.asleep, self.bed, self.talks = True, False, False

    def idle(self, t: int) -> bool:
        """Whether they have been awake and without an act for IDLE seconds."""
        return t - self.until >= IDLE and not self.asleep and not self.talks

    def stuck(self, t: int) -> bool:
        """Whether they have had no plan, or no way to what they planned, for STUCK seconds."""
        return self.waits >= 0 and t - self.waits >= STUCK and not self.asleep and not self.talks


class Idleness:
    """Counts idle and stuck people by day, numbered as the clock does."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._people: dict[str, _Person] = {}
        self._idle: dict[int, set[str]] = {}
        self._stuck: dict[int, set[str]] = {}

    def read(self, records: Sequence[Record]) -> None:
        """Take in the next records of the log."""
        for stamp, e in records:
            if type(e) not in _READ:
                continue
            t = stamp.t
            if isinstance(e, Opened):
                for who in (stamp.actor, e.other):
                    self._of(who, t).talks = True
            elif isinstance(e, Closed):
                for who in e.who:
                    p = self._of(who, t)
                    p.talks, p.until = False, max(p.until, t)
                    p.waits = t if p.waits >= 0 else -1
            else:
                self._step(self._of(stamp.actor, t), t, e)

    def idle(self, day: int, until: int) -> int:
        """How many were awake for 90 minutes without an act that day. until: the second the log reaches."""
        now = [who for who, p in self._people.items() if p.idle(until)] if self._clock.day(until) == day else []
        return len(self._idle.get(day, set()).union(now))

    def stuck(self, day: int, until: int) -> int:
        """How many had no plan, or no way to what they planned, for 30 minutes of that day."""
        now = [who for who, p in self._people.items() if p.stuck(until)] if self._clock.day(until) == day else []
        return len(self._stuck.get(day, set()).union(now))

    def _of(self, who: str, t: int) -> _Person:
        """A person's record, after noting whether they were idle or stuck until t."""
        p = self._people.get(who)
        if p is None:
            p = self._people[who] = _Person()
        elif p.idle(t):
            self._idle.setdefault(self._clock.day(t), set()).add(who)
        elif p.stuck(t):
            self._stuck.setdefault(self._clock.day(t), set()).add(who)
        return p

    @staticmethod
    def _step(p: _Person, t: int, e: object) -> None:
        """Apply an event of which the person is the actor."""
        if isinstance(e, Chose):
            p.bed, p.waits = e.block == "sleep", -1 if e.there else t
            p.asleep = p.bed and e.there
            p.until, p.held = (t + e.seconds, -1) if e.there else (BUSY, e.seconds)
        elif isinstance(e, Walked):
            p.until, p.waits = BUSY, -1
        elif isinstance(e, Arrived):
            p.until, p.waits = t + max(0, p.held), -1
            p.asleep, p.held = p.held >= 0 and p.bed, -1
        elif isinstance(e, Woke):
            p.asleep, p.until, p.waits = False, t, t
        elif isinstance(e, Planned):
            p.waits = -1 if e.blocks else t
        else:  # the act or the walk is broken off
            p.until, p.waits = t, -1
            if not isinstance(e, Stopped):
                p.held = -1
