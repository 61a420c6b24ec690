"""What somebody who watches has before them: a running town, the moment shown, who is chosen, what has been told."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import perf_counter

from sandbox.core.events import Record
from sandbox.stories.timeline import Row, Timeline
from sandbox.talk.model import Talk
from sandbox.tui.pace import Pace
from sandbox.tui.session import Session
from sandbox.tui.speech import Bubbles, Floor, Spoken

ROWS = 600
TOLD = 0.5  # rows of less weight are not worth a line
ROUTINE = 1.0  # rows of no more weight are shown for the chosen person only


class Viewer:
    """The state of the screen apart from its widgets. It changes nothing in the town.

    selected, hovered: a person's id or "". following: whether the map follows the selected person. spoken: the line
    in the bubble now. rows: the timeline, newest last; told grows with each row, news with each above routine.
    """

    def __init__(self, session: Session, clock: Callable[[], float] = perf_counter) -> None:
        self.session = session
        self.world, self.view = session.world, session.view
        self.pace = Pace(session.engine)
        self.selected = self.hovered = ""
        self.following = False
        self.spoken: Spoken | None = None
        self.learnt: set[str] = set()
        self.rows: deque[Row] = deque(maxlen=ROWS)
        self.told = self.news = 0
        world = self.world
        self.calendar = world.calendar
        self.timeline = Timeline(world.handbook, world.clock, self.calendar)
        self.floor = Floor(world.talk_parameters.exchange)
        self.bubbles = Bubbles(self.floor, clock)
        if self.view.tail:  # a save gone on with: what was lived before is told too
            self._saw(tuple(self.view.tail))
        watchers = session.engine.watchers
        if self.view.saw not in watchers:
            watchers.append(self.view.saw)
        watchers.append(self._saw)

    def _saw(self, records: Sequence[Record]) -> None:
        self.floor.saw(records)
        rows = [row for row in self.timeline.read(records, self.world.now) if row.weight >= TOLD]
        self.rows.extend(rows)
        self.told += len(rows)
        self.news += sum(row.weight > ROUTINE for row in rows)

    @property
    def shown(self) -> float:
        """The simulated second on the screen."""
        return self.pace.shown

    def name(self, who: str) -> str:
        """A first name."""
        return self.world.handbook.name(who)

    def talk_of(self, who: str) -> str:
        """The id of the talk somebody is in, else of their last one, else ""."""
        present = self.world.people.residents[who].talk
        if present:
            return present
        turn = self.floor.last(who, self.world.now)
        return turn.talk if turn else ""

    def open_talk(self, id: str) -> Talk | None:
        """A talk under way."""
        return self.world.talk.open.get(id)

    def select(self, who: str) -> None:
        """Choose a person; "" chooses nobody and ends following."""
        self.selected = who if who in self.world.cast else ""
        if not self.selected:
            self.following = False
