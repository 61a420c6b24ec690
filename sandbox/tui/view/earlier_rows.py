"""What was lived before one came: told into the timeline window by window, the newest first, as far as it is asked for.

A save that is gone on with shows its last hours at once; what was before is read from the log when somebody scrolls
there, looks for it or goes to the oldest row.
"""

from __future__ import annotations

from collections.abc import Callable
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
from sandbox.tui.view.session import Session
from sandbox.tui.view.timeline_rows import Chronicle

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
