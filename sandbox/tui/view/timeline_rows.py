"""The rows of the timeline as the screen keeps them: many, found and sifted without going through all of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from math import inf

from sandbox.core.clock import HOUR
from sandbox.engine.registry import EVENTS
from sandbox.engine.scenario import Founded
from sandbox.people.model import Cut, Noticed, Recalled
from sandbox.people.pressure_model import Began
from sandbox.readers import pressures
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.store.errors import COPY, SaveError, explain_unfitting
from sandbox.store.facts import StepRow
from sandbox.store.read import SaveReader
from sandbox.town.model import Arrived, Placed, Stopped, Walked
from sandbox.tui.view.opening import Session

KEPT = 50_000
ROOM = 1 << 30  # numbers that are left for rows of before
ROUTINE = 1.0  # rows of no more weight are shown for the chosen person only
HOURLY, HOURLY_WEIGHT = "·", 0.5  # a row an hour of how the town is, shown while time flies
Sift = Callable[[TimelineRow], bool]


class Chronicle:
    """Rows by number, oldest first; the oldest go when there are too many. first: number of the first one kept."""

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
        """Take in the next rows."""
        self._rows.extend(rows)
        if len(self._rows) > self.kept + self.kept // 8:
            gone = len(self._rows) - self.kept
            del self._rows[:gone]
            self.first += gone

    def add_before(self, rows: Sequence[TimelineRow]) -> None:
        """Take in rows older than all."""
        self._rows[:0] = rows
        self.first -= len(rows)

    def __getitem__(self, number: int) -> TimelineRow:
        """The row of a number. Raises IndexError if it is not kept."""
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
        """The number of the last row a test lets through, or None."""
        return next((self.told - 1 - i for i, row in enumerate(reversed(self._rows)) if test(row)), None)


class Sieve:
    """The numbers of a chronicle's rows that a test lets through, kept up to date at the cost of the new ones.

    of: the chronicle, which may be another one later.
    """

    def __init__(self, of: Callable[[], Chronicle]) -> None:
        self._of = of
        self._chronicle: Chronicle | None = None
        self._numbers: list[int] = []
        self._name: object = None
        self._from = self._seen = 0

    def numbers(self, name: object, test: Sift, upto: int) -> list[int]:
        """Numbers below upto, in order; name: what tells one test from another. The list may be shared."""
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


# ---- what was lived before one came


# The timeline tells nothing of these, and they are most of a log.
TELLING = EVENTS.keys() - {e.KIND for e in (Founded, Walked, Arrived, Stopped, Placed, Noticed, Cut, Recalled)}
SLICE = 30  # steps told before keys are looked at again, a few milliseconds
WINDOW = 5_000  # events told at a time, half a day of a town of 25
LEAD = 2 * HOUR  # seconds read before a window, so that the talks it ends with are known from their beginning
ROWS = 200_000  # of a timeline are kept: months of a town of 25
TOLD = 0.5  # rows of less weight are not worth a line


class EarlierRows:
    """The part of a log that the timeline does not tell yet. whole: whether there is none. fault: why no more of it can
    be read, or "". heard: called when more has been told. start: has `read` run beside the screen.

    chronicle: where its rows go; timeline: what tells those since. step: the last step of which nothing is told; t: the
    first second that is.
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
        """Have another window told soon, or everything."""
        self._all = self._all or all
        self._asked = True
        if not self._reading and not self.whole:
            self.start()

    async def read(self) -> None:
        """Tell what is asked for, and end."""
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
        if not self._learnt:  # what a row is about may have begun long before it
            for record in await save.records({Began.KIND}, 1, end.last_seq):
                pressures.learn(self._timeline.matters, record)
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
        """The rows of the steps from the one after this to the last that is not told."""
        save, timeline = self._session.save, fresh_timeline(self._session, self._timeline)
        rows: list[TimelineRow] = []
        seq = (await save.steps(step, step))[0].last_seq
        while step < self._step:
            end, told = await read_step_rows(save, timeline, step, min(step + SLICE, self._step), seq, self._t - 1)
            rows += told
            step, seq = end.step, end.last_seq
        return rows


def fresh_timeline(session: Session, known: Timeline) -> Timeline:
    """Another timeline of a town, which tells talks of its own, with what is known of pressures."""
    world = session.world
    users = known.teller.users
    return Timeline(world.handbook, world.clock, world.calendar, 1, known.notable, known.matters, users)


async def read_step_rows(
    save: SaveReader, timeline: Timeline, step: int, last: int, seq: int, until: float = inf
) -> tuple[StepRow, list[TimelineRow]]:
    """The end of the last of some steps, and their rows by second `until` that are worth a line.

    The steps are those after `step`, whose last event is `seq`. Raises SaveError.
    """
    ends = await save.steps(step + 1, last)
    if not ends:
        raise SaveError(save.path, f"has no step {step + 1}", COPY)
    end = ends[-1]
    records = await save.records(TELLING, seq, end.last_seq)
    with explain_unfitting(save.path):
        rows = timeline.read(records, int(min(end.t, until)))
    return end, [row for row in rows if row.weight >= TOLD]
