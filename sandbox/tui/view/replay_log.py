"""The log of a replay: all its timeline rows, read in the background; bookmarks; words for the current position."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.timer import Timer

from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.tui.view.action import first_key
from sandbox.tui.view.opening import Replay
from sandbox.tui.view.timeline_rows import ROWS, SLICE, fresh_timeline, read_step_rows
from sandbox.tui.view.viewer import Viewer

LOOK = 1.0  # seconds between checks of a save that another process may be playing


class Tape:
    """The whole log of a replay. told: the second up to which it has been read; whole: whether it is read to its
    present end. bookmarks: step -> note; moments: step -> second. fault: why it cannot be read further, or "".
    """

    def __init__(self, viewer: Viewer) -> None:
        assert isinstance(viewer.session, Replay)
        self.viewer, self.replay = viewer, viewer.session
        self.told = 0
        self.whole = False
        self.fault = ""
        self.bookmarks: dict[int, str] = {}
        self.moments: dict[int, int] = {}
        self.wanted: float | None = None  # the second that a jump under way goes to next
        self.rest: Timer | None = None  # runs out some time after the last jump
        viewer.chronicle.kept = ROWS
        self._timeline = fresh_timeline(viewer.session, viewer.timeline)  # the viewer's would show talks still to come

    @property
    def end(self) -> int:
        """The last second lived."""
        return self.replay.save.now

    async def read(self, told: Callable[[], None]) -> None:
        """Read the log's rows into the viewer's chronicle; keep reading if another process extends the save.

        told: called whenever the end is reached.
        """
        save = self.replay.save
        try:
            await self.find_bookmarks()
            step, seq = 0, 1
            while True:
                while step < save.last_step:
                    self.whole = False
                    step, seq = await self._slice(step, seq)
                if not self.whole:
                    self.whole = True
                    told()
                if isinstance(save, Save) and save.writes:
                    return  # this process writes the save, and its town waits
                await asyncio.sleep(LOOK)
                await save.refresh()
        except SaveError as error:
            self.whole, self.fault = True, str(error)
            told()

    async def _slice(self, step: int, seq: int) -> tuple[int, int]:
        """Read the rows of the next steps; return the last step read and the number of its last event."""
        save, viewer = self.replay.save, self.viewer
        end, rows = await read_step_rows(save, self._timeline, step, min(step + SLICE, save.last_step), seq)
        viewer.chronicle.add(rows)
        self.told = end.t
        return end.step, end.last_seq

    async def find_bookmarks(self) -> None:
        """Read the bookmarks and their seconds. Raises SaveError."""
        save = self.replay.save
        notes = await save.bookmarks()
        ends = [await save.steps(step, step) for step in notes]
        self.moments = {found[0].step: found[0].t for found in ends if found}
        self.bookmarks = {step: note for step, note in notes.items() if step in self.moments}


def notable_from(viewer: Viewer, t: float, by: int) -> int | None:
    """The number of the first notable row after second t (by 1) or the last before it (by -1), or None."""
    chronicle, line = viewer.chronicle, viewer.notable.line
    start = chronicle.upto(t)
    if by > 0:
        return next((n for n in range(start, chronicle.told) if chronicle[n].weight >= line), None)
    for n in range(start - 1, chronicle.first - 1, -1):
        row = chronicle[n]
        if row.weight >= line and row != viewer.stop and row.t < t - 1:  # the row stopped at lies a little before t
            return n
    return None


# ---- words


def time_label(viewer: Viewer, t: float) -> str:
    """ "12:40", with the day if the log holds more than one."""
    clock = viewer.world.clock
    day = f"day {clock.day(int(t))} " if clock.day(viewer.session.save.now) > 1 else ""
    return f"{day}{clock.hhmm(int(t))}"


def at_end(viewer: Viewer) -> bool:
    """Whether the last second lived is shown."""
    return viewer.shown >= viewer.session.save.now


def replay_words(viewer: Viewer) -> str:
    """The first words of a replay's status: the position in it, and what time does."""
    pace = viewer.pace
    if pace.fault is not None:
        return pace.words
    if at_end(viewer) and not pace.running:
        hour = viewer.world.clock.hhmm(int(viewer.shown))
        key = first_key("replay.branch", viewer.keys)
        return f"◀◀ REPLAY the end of the recording, {hour}; {key} goes on live"
    words = pace.words
    if words == "■ you paused":
        words = "■ paused"
    return f"◀◀ REPLAY {time_label(viewer, viewer.shown)} of {time_label(viewer, viewer.session.save.now)} {words}"
