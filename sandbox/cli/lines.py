"""The town as lines of text: what `sandbox play --log` prints, for a screen reader or a log."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sandbox.core.protocols import JournalFull
from sandbox.engine.drivers import SPEEDS, Paced
from sandbox.readers.pressures import world_matters
from sandbox.readers.story import Notable
from sandbox.readers.timeline import Timeline, TimelineRow

if TYPE_CHECKING:
    from sandbox.core.events import Record
    from sandbox.store.session import Session

TOLD = 0.5  # least weight of a row that is printed at slow and normal speed; at others it must be notable
NAP, BUDGET = 0.02, 0.01  # seconds to sleep, and to run the town, in turn
MAX = len(SPEEDS) - 1  # the fastest speed


class LineTeller:
    """Prints a session's timeline rows when their moment comes. tell: takes a line; notable: weights of rows."""

    def __init__(self, session: Session, speed: str, tell: Callable[[str], None], notable: Notable) -> None:
        world = session.world
        self._session, self._tell = session, tell
        self._paced = Paced(session.engine, [s.name for s in SPEEDS].index(speed))
        self._least = TOLD if speed in ("slow", "normal") else notable.line
        self._timeline = Timeline(
            world.handbook, world.clock, world.calendar, notable=notable, matters=world_matters(world)
        )
        self._due: deque[TimelineRow] = deque()
        self._day = 0

    async def run(self, until: float = float("inf")) -> None:
        """Run time and print what happens, until that second or a cancel. Raises JournalFull if the disk is full."""
        paced, world = self._paced, self._session.world
        self._date(world.now)
        self._session.engine.watchers.append(self._saw)
        try:
            while paced.shown < until:
                await paced.tick(BUDGET)
                self._say(paced.shown)
                if paced.paused:
                    raise JournalFull(paced.reason)
                self._skip_night()
                await asyncio.sleep(NAP if world.now > paced.shown else 0)
        finally:
            self._session.engine.watchers.remove(self._saw)

    def _saw(self, records: Sequence[Record]) -> None:
        rows = self._timeline.read(records, self._session.world.now)
        self._due.extend(row for row in rows if row.weight >= self._least)

    def _say(self, upto: float) -> None:
        while self._due and self._due[0].t <= upto:
            row = self._due.popleft()
            end = "" if row.text.endswith((".", "!", "?", "…", "”")) else "."
            self._line(row.t, f"{row.text}{end}")

    def _line(self, t: int, text: str) -> None:
        """Print a line with its hour; before the first line of a day, one with the date."""
        self._date(t)
        self._tell(f"{self._session.world.clock.hhmm(t)} {text}")

    def _date(self, t: int) -> None:
        clock = self._session.world.clock
        if clock.day(t) > self._day:
            self._day = clock.day(t)
            self._tell(f"{clock.at(t):%A} {clock.at(t).day} {clock.at(t):%B}, day {self._day}.")

    def _skip_night(self) -> None:
        """While everybody sleeps, run at full speed."""
        world = self._session.world
        quiet = not any(resident.awake for resident in world.people.residents.values())
        if quiet and self._paced.held is None:
            self._line(int(self._paced.shown), "Everybody is asleep.")
        self._paced.held = MAX if quiet else None
