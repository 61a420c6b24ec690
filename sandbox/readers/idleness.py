"""Who stands about with nothing to do, and who is stuck: two faults a town must not have, found in the log."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import MINUTE, Clock
from sandbox.core.events import Record
from sandbox.readers.all_stories import event_stages, kinds_where
from sandbox.readers.facts import ActStage

IDLE, STUCK = 90 * MINUTE, 30 * MINUTE  # seconds from which somebody counts as idle, as stuck
BUSY = 1 << 60  # a second that never comes: busy without a known end
KINDS = kinds_where(lambda story: story.stages)


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
        for record in records:
            t = record.stamp.t
            for x in event_stages(record):
                self._step(self._of(x.who, t), t, x)

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
    def _step(p: _Person, t: int, x: ActStage) -> None:
        """Take in a stage that the person has come to."""
        match x.stage:
            case "talking":
                p.talks = True
            case "talked":
                p.talks, p.until = False, max(p.until, t)
                p.waits = t if p.waits >= 0 else -1
            case "begun":
                p.until, p.held, p.waits = t + x.seconds, -1, -1
                p.asleep = p.bed = x.sleep
            case "ahead":
                p.until, p.held, p.waits = BUSY, x.seconds, t
                p.asleep, p.bed = False, x.sleep
            case "walking":
                p.until, p.waits = BUSY, -1
            case "arrived":
                p.until, p.waits = t + max(0, p.held), -1
                p.asleep, p.held = p.held >= 0 and p.bed, -1
            case "up":
                p.asleep, p.until, p.waits = False, t, t
            case "planned":
                p.waits = -1
            case "unplanned":
                p.waits = t
            case _:  # the act or the walk is broken off
                p.until, p.waits = t, -1
                if x.stage != "stopped":
                    p.held = -1
