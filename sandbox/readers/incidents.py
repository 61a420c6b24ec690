"""Incidents: happenings in town worth telling, found in the log by following causes. One pass, a day at a time.

The events of a thread on a day are an incident if at least three of them are linked by cause, two or more people act
in them, and one is a turn (drama/turns.py). Needs names, hours and the drama deck, not the world's state.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.core.clock import DAY, HOUR, Clock
from sandbox.core.events import Record
from sandbox.drama.turns import GOOD, SECRET, WEIGHT
from sandbox.people.handbook import Handbook
from sandbox.readers import thread_pressures, thread_talks
from sandbox.readers.sentences import incident_slots
from sandbox.readers.threads import DayFacts, Incident, ThreadDay, ThreadLog

LINKED, ACTING = 3, 2  # least number of events, and of people, in an incident
UNTOUCHED = 48 * HOUR  # seconds without an event after which an open pressure counts as neglected
FOLDS = {**thread_pressures.FOLDS, **thread_talks.FOLDS}
KINDS = tuple(e.KIND for e in FOLDS)


class Incidents:
    """Finds incidents. `read` takes records in order; `of` gives any day. day: the current one, 0 = none yet."""

    def __init__(self, handbook: Handbook, clock: Clock) -> None:
        self._handbook, self._clock = handbook, clock
        self.day = 0
        self._now, self._dawn = 0, -DAY
        self._log = ThreadLog(handbook)
        self._done: dict[int, DayFacts] = {}

    @property
    def born(self) -> int:
        """How many pressures there have been so far."""
        return self._log.born

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for stamp, event in records:
            fold = FOLDS.get(type(event))
            if fold is not None:
                if stamp.t >= self._dawn:
                    self._new_day(stamp.t)
                self._now = stamp.t
                fold(self._log, stamp, event)

    def days(self) -> tuple[int, ...]:
        """The days read so far, including the current one."""
        return (*self._done, self.day) if self.day else ()

    def of(self, day: int) -> DayFacts:
        """What happened on a day; on the current one, so far."""
        return self._facts(self._now) if day == self.day else self._done.get(day, DayFacts())

    def _new_day(self, t: int) -> None:
        if self.day:
            self._done[self.day] = self._facts(self._dawn)
        self.day = self._clock.day(t)
        self._dawn = self._clock.midnight(self.day + 1)
        self._log.new_day(t)

    def _facts(self, now: int) -> DayFacts:
        found = [i for thread, day in self._log.threads.items() if (i := self._incident(thread, day)) is not None]
        turns = [scene.turn for day in self._log.threads.values() for scene in day.scenes]
        return DayFacts(
            tuple(sorted(found, key=lambda i: (i.t, i.events))),
            tuple(sorted(turns, key=lambda x: (x.t, x.seq))),
            sum(len(day.quarrels) for day in self._log.threads.values()),
            frozenset(self._log.ended - {p.thread for p in self._log.open.values()}),
            len(self._log.open),
            sum(now - p.touched >= UNTOUCHED and p.kind != SECRET and not p.rests for p in self._log.open.values()),
            tuple(self._log.outcomes),
        )

    def _incident(self, thread: str, day: ThreadDay) -> Incident | None:
        """The linked groups of a thread's events that contain a turn, as one incident; None if they are too few."""
        if not day.scenes:
            return None
        turned = {scene.turn.seq for scene in day.scenes}
        groups = [group for group in day.linked() if day.done(group) >= LINKED and turned & set(group)]
        events = tuple(sorted(seq for group in groups for seq in group))
        people = tuple(dict.fromkeys(who for seq in events for who in day.who[seq]))
        if len(people) < ACTING:
            return None
        scenes = [scene for scene in day.scenes if scene.turn.seq in events]
        top = max(scenes, key=lambda s: (WEIGHT[s.turn.how], s.turn.t, s.turn.seq))
        p = top.matter
        quarrels = [day.quarrels[seq] for seq in events if seq in day.quarrels]
        when = [day.when[seq] for seq in events]
        turns = tuple(sorted((s.turn for s in scenes), key=lambda x: (x.t, x.seq)))
        return Incident(
            self.day,
            thread,
            p.kind,
            (p.holder, p.about),
            tuple(dict.fromkeys(day.deeds[seq] for seq in events if seq in day.deeds)),
            people,
            events,
            turns,
            top.turn.t,
            top.turn.tone == GOOD,
            day.quarrels.get(top.turn.seq) or (quarrels[-1] if quarrels else ""),
            min(when),
            max(when),
            all(x.complete for x in turns),
            top.turn.sign,
            incident_slots(
                top, day.born.get(top.stamp.seq, ()), self._log.became[top.stamp.seq], self._handbook, self._clock
            ),
        )
