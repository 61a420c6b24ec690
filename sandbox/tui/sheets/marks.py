"""Bookmarks: set or remove one at the moment shown, and list them in a replay; enter goes to one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.text import clean
from sandbox.engine.engine import JournalFull
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.sheets.saves import recorded_day
from sandbox.tui.view.action import first_key
from sandbox.tui.view.replay_log import time_label
from sandbox.tui.view.text_lines import DIM, GOLD, as_lines, hung, ink
from sandbox.tui.view.timeline_rows import HOURLY
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet

NEAR = 900  # seconds: a bookmark is named after an event of at most so long before


async def toggle_mark(stage: TownLayout) -> None:
    """Set a bookmark at the step that is shown, or remove it; live and in a replay."""
    viewer = stage.viewer
    step = viewer.world.step
    try:
        there = step in await viewer.session.save.bookmarks()
        note = "" if there else note_at(viewer)
        await _write_mark(viewer, step, note)
        if stage.scrubber.tape is not None:
            await stage.scrubber.tape.find_bookmarks()
    except (SaveError, JournalFull) as error:
        stage.notify(clean(str(error), 600), title="no bookmark", severity="warning", timeout=8, markup=False)
        return
    stage.notify(note or viewer.world.clock.words(int(viewer.shown)), markup=False, timeout=3,
                 title="bookmark taken away" if there else "bookmark")  # fmt: skip
    stage.update()


async def _write_mark(viewer: Viewer, step: int, note: str) -> None:
    save = viewer.session.save
    if isinstance(save, Save) and save.writes:
        await viewer.pace.between(partial(save.bookmark, step, note))
        return
    ships = recorded_day()
    if ships is not None and save.path.resolve() == ships.resolve():
        raise SaveError(save.path, "belongs to the program", "go on live from here, and bookmark that save")
    async with await Save.open(save.path) as other:  # a replay's save is open read-only: open it for writing
        await other.bookmark(step, note)


def note_at(viewer: Viewer) -> str:
    """The text for a bookmark at the moment shown: the weightiest row of the last NEAR seconds, else the time."""
    t = int(viewer.shown)
    rows = viewer.chronicle.between(t - NEAR, t)
    told = (row for row in rows if row.mark != HOURLY)
    best = max(told, key=lambda row: (row.weight, -abs(row.t - t)), default=None)
    return clean(best.text, 200) if best is not None else viewer.world.clock.words(t)


class MarksSheet(Sheet[TownLayout]):
    """The list of bookmarks; enter on one jumps there."""

    kind, title = "marks", "Bookmarks"
    picks = True

    def entries(self, width: int) -> Sequence[Entry]:
        viewer, tape = self.stage.viewer, self.stage.scrubber.tape
        if tape is None or not tape.bookmarks:
            key = first_key("replay.mark", viewer.keys)
            says = f"No bookmark yet. {key} puts one to the moment that is shown."
            return [Entry(as_lines(says, width))]
        hours = {step: time_label(viewer, tape.moments[step]) for step in tape.bookmarks}
        wide = max(map(len, hours.values())) + 2
        out = []
        for step, note in tape.bookmarks.items():
            hour = ink(hours[step].ljust(wide), GOLD if step == viewer.world.step else DIM)
            out.append(Entry(hung([hour], note, width, most=3), partial(self._go, tape.moments[step]), step))
        return out

    async def _go(self, t: int) -> None:
        self.stage.close_sheet()
        await jump_to(self.stage, t)
