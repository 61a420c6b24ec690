"""The timeline rows kept by the screen: storing, finding and filtering many of them without scanning all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from math import inf

from sandbox.core.clock import HOUR
from sandbox.engine.registry import EVENTS
from sandbox.engine.scenario import Founded
from sandbox.people.model import Cut, Noticed, Recalled
from sandbox.people.pressure_model import Began
from sandbox.readers.all_stories import learn
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.store.errors import COPY, SaveError, explain_unfitting
from sandbox.store.facts import StepRow
from sandbox.store.read import SaveReader
from sandbox.town.model import Arrived, Placed, Stopped, Walked
from sandbox.tui.view.opening import Session

KEPT = 50_000  # rows a chronicle keeps by default
ROOM = 1 << 30  # first number of a chronicle whose older rows are read later: leaves numbers for them
ROUTINE = 1.0  # rows of at most this weight are shown for the selected person only
HOURLY, HOURLY_WEIGHT = "·", 0.5  # a row an hour of how the town is, shown while time flies
Sift = Callable[[TimelineRow], bool]


class Chronicle:
    """Numbered rows, oldest first; beyond `kept` the oldest are dropped. first: number of the oldest row kept."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self.first = 0
        self._rows: list[TimelineRow] = []

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def told(self) -> int:
        """The number the next row will have."""
        return self.first + len(self._rows)

    def add(self, rows: Iterable[TimelineRow]) -> None:
        """Append newer rows."""
        self._rows.extend(rows)
        if len(self._rows) > self.kept + self.kept // 8:
            gone = len(self._rows) - self.kept
            del self._rows[:gone]
            self.first += gone

    def add_before(self, rows: Sequence[TimelineRow]) -> None:
        """Prepend rows older than all kept."""
        self._rows[:0] = rows
        self.first -= len(rows)

    def __getitem__(self, number: int) -> TimelineRow:
        """The row of that number. Raises IndexError if it is not kept."""
        if not self.first <= number < self.told:
            raise IndexError(number)
        return self._rows[number - self.first]

    def since(self, number: int) -> list[TimelineRow]:
        """The rows from that number on."""
        return self._rows[max(0, number - self.first) :]

    def upto(self, t: float) -> int:
        """The number after the last row at or before second t."""
        return self.first + bisect_right(self._rows, t, key=lambda row: row.t)

    def between(self, after: float, upto: float) -> list[TimelineRow]:
        """The rows of seconds in (after, upto]."""
        return self._rows[self.upto(after) - self.first : self.upto(upto) - self.first]

    def last(self, test: Sift) -> int | None:
        """The number of the last row that passes a test, or None."""
        return next((self.told - 1 - i for i, row in enumerate(reversed(self._rows)) if test(row)), None)


class Sieve:
    """The numbers of a chronicle's rows that pass a test; an update costs only the new rows.

    of: returns the chronicle, which may be replaced.
    """

    def __init__(self, of: Callable[[], Chronicle]) -> None:
        self._of = of
        self._chronicle: Chronicle | None = None
        self._numbers: list[int] = []
        self._name: object = None
        self._from = self._seen = 0

    def numbers(self, name: object, test: Sift, upto: int) -> list[int]:
        """The numbers below `upto`, ascending. name: identifies the test. The list may be shared: do not change it."""
        chronicle = self._of()
        if name != self._name or chronicle is not self._chronicle:
            self._chronicle, self._name, self._numbers = chronicle, name, []
            self._from = self._seen = chronicle.first
        older = chronicle.since(chronicle.first)[: max(0, self._from - chronicle.first)]
        self._numbers[:0] = [n for n, row in enumerate(older, chronicle.first) if test(row)]
        self._from = chronicle.first
        start = max(self._seen, chronicle.first)
        self._numbers.extend(n for n, row in enumerate(chronicle.since(start), start) if test(row))
        self._seen = chronicle.told
        gone = bisect_left(self._numbers, chronicle.first)
        if gone > 1000 or (gone and gone == len(self._numbers)):
            del self._numbers[:gone]
            gone = 0
        end = bisect_left(self._numbers, upto)
        return self._numbers if not gone and end == len(self._numbers) else self._numbers[gone:end]


# ---- rows from before the save was opened


# Kinds of events the timeline may use. Those left out give no rows and are most of a log.
TELLING = EVENTS.keys() - {e.KIND for e in (Founded, Walked, Arrived, Stopped, Placed, Noticed, Cut, Recalled)}
SLICE = 30  # steps read before keys are handled again: a few milliseconds
WINDOW = 5_000  # events read at a time: half a day of a town of 25
LEAD = 2 * HOUR  # seconds read before a window, so that talks that end in it are known from their beginning
ROWS = 200_000  # rows kept of a whole timeline: months of a town of 25
TOLD = 0.5  # rows of less weight are dropped


class EarlierRows:
    """Reads the part of a log before the rows in the chronicle, backwards, on demand. whole: whether nothing is left to
    read. fault: why no more can be read, or "". heard: called when more has been read. start: runs `read` as a task.

    chronicle: where the rows go; timeline: that of the later rows. step: the last step not read; t: the first second
    already covered.
    """

    def __init__(self, session: Session, chronicle: Chronicle, timeline: Timeline, step: int, t: int) -> None:
        self._session, self._chronicle, self._timeline = session, chronicle, timeline
        self.whole = step < 1
        self.fault = ""
        self.heard: list[Callable[[], None]] = []
        self._step, self._t = step, t
        self._learnt = False
        self.start: Callable[[], None] = lambda: None
        self._asked = self._all = self._reading = False

    def want(self, all: bool = False) -> None:
        """Request another window, or everything."""
        self._all = self._all or all
        self._asked = True
        if not self._reading and not self.whole:
            self.start()

    async def read(self) -> None:
        """Read what was requested, then return. A SaveError becomes `fault`."""
        if self._reading:
            return
        self._reading = True
        try:
            while not self.whole and (self._asked or self._all):
                self._asked = False
                await self._window()
                self._hear()
        except SaveError as error:
            self.whole, self.fault = True, str(error)
            self._hear()
        finally:
            self._reading = False

    def _hear(self) -> None:
        for heard in [*self.heard]:
            heard()

    async def _window(self) -> None:
        save, chronicle = self._session.save, self._chronicle
        end = (await save.steps(self._step, self._step))[0]
        if not self._learnt:  # a pressure that a row names may have begun long before
            for record in await save.records({Began.KIND}, 1, end.last_seq):
                learn(self._timeline.matters, record)
            self._learnt = True
        first = await save.rows(end.last_seq - WINDOW, end.last_seq - WINDOW + 1)
        low = min(first[0].step, self._step - 1) if first else 0
        since = (await save.steps(low, low))[0].t
        lead = max(0, await save.step_at(max(0, since - LEAD)) - 1)
        rows = [row for row in await self._told(lead) if since <= row.t < self._t]
        chronicle.add_before(rows)
        self._step, self._t = low, since
        self.whole = low < 1 or len(chronicle) >= ROWS

    async def _told(self, step: int) -> list[TimelineRow]:
        """The rows of the steps after this one up to the last not read."""
        save, timeline = self._session.save, fresh_timeline(self._session, self._timeline)
        rows: list[TimelineRow] = []
        seq = (await save.steps(step, step))[0].last_seq
        while step < self._step:
            end, told = await read_step_rows(save, timeline, step, min(step + SLICE, self._step), seq, self._t - 1)
            rows += told
            step, seq = end.step, end.last_seq
        return rows


def fresh_timeline(session: Session, known: Timeline) -> Timeline:
    """A new timeline of a town that follows talks by itself but shares the known pressures."""
    world = session.world
    users = known.teller.users
    return Timeline(world.handbook, world.clock, world.calendar, 1, known.notable, known.matters, users)


async def read_step_rows(
    save: SaveReader, timeline: Timeline, step: int, last: int, seq: int, until: float = inf
) -> tuple[StepRow, list[TimelineRow]]:
    """Read the steps after `step` (whose last event is `seq`) up to `last`; return the last step read and the rows.

    until: the second up to which rows are made. Rows lighter than TOLD are left out. Raises SaveError.
    """
    ends = await save.steps(step + 1, last)
    if not ends:
        raise SaveError(save.path, f"has no step {step + 1}", COPY)
    end = ends[-1]
    records = await save.records(TELLING, seq, end.last_seq)
    with explain_unfitting(save.path):
        rows = timeline.read(records, int(min(end.t, until)))
    return end, [row for row in rows if row.weight >= TOLD]
