"""What a replay shows of its log: the whole of it told in the background, its bookmarks, and words for where one is."""

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

LOOK = 1.0  # seconds between looks at a save that another process may be playing


class Tape:
    """The whole length of a replay. told: how far its log has been read (a second); whole: whether that is all there
    is by now. bookmarks: note by step; `moments` their seconds. fault: why it is read no further, or "".
    """

    def __init__(self, viewer: Viewer) -> None:
        assert isinstance(viewer.session, Replay)
        self.viewer, self.replay = viewer, viewer.session
        self.told = 0
        self.whole = False
        self.fault = ""
        self.bookmarks: dict[int, str] = {}
        self.moments: dict[int, int] = {}
        self.wanted: float | None = None  # where a jump under way goes on to
        self.rest: Timer | None = None  # after the last jump
        viewer.chronicle.kept = ROWS
        self._timeline = fresh_timeline(viewer.session, viewer.timeline)  # the viewer's would tell talks still to come

    @property
    def end(self) -> int:
        """The last second lived."""
        return self.replay.save.now

    async def read(self, told: Callable[[], None]) -> None:
        """Tell the log into the viewer's chronicle, and go on when another process plays it further.

        told: called whenever it is `whole`.
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
                    return  # our own, and its town stands still
                await asyncio.sleep(LOOK)
                await save.refresh()
        except SaveError as error:
            self.whole, self.fault = True, str(error)
            told()

    async def _slice(self, step: int, seq: int) -> tuple[int, int]:
        """Tell the next steps; return the last of them and its last event."""
        save, viewer = self.replay.save, self.viewer
        end, rows = await read_step_rows(save, self._timeline, step, min(step + SLICE, save.last_step), seq)
        viewer.chronicle.add(rows)
        self.told = end.t
        return end.step, end.last_seq

    async def find_bookmarks(self) -> None:
        """Read them, and when they are. Raises SaveError."""
        save = self.replay.save
        notes = await save.bookmarks()
        ends = [await save.steps(step, step) for step in notes]
        self.moments = {found[0].step: found[0].t for found in ends if found}
        self.bookmarks = {step: note for step, note in notes.items() if step in self.moments}


def notable_from(viewer: Viewer, t: float, by: int) -> int | None:
    """The number of the first notable row after second t (by 1), or of the last one before it (by -1)."""
    chronicle, line = viewer.chronicle, viewer.notable.line
    start = chronicle.upto(t)
    if by > 0:
        return next((n for n in range(start, chronicle.told) if chronicle[n].weight >= line), None)
    for n in range(start - 1, chronicle.first - 1, -1):
        row = chronicle[n]
        if row.weight >= line and row != viewer.stop and row.t < t - 1:  # the row one stands at lies a little before t
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
    """What the status of a replay begins with: where in it one is, and what time does."""
    pace = viewer.pace
    if pace.fault is not None:
        return pace.words
    if at_end(viewer) and not pace.running:
        hour = viewer.world.clock.hhmm(int(viewer.shown))
        key = first_key("replay.branch", viewer.keys)
        return f"◀◀ REPLAY the end of what was lived, {hour}; {key} goes on live"
    words = pace.words
    if words == "■ you paused":
        words = "■ paused"
    return f"◀◀ REPLAY {time_label(viewer, viewer.shown)} of {time_label(viewer, viewer.session.save.now)} {words}"
