"""A small panel over the town: the event that stopped time and why, and what happened since the player looked."""

from __future__ import annotations

from typing import NamedTuple

from textual.events import Click

from sandbox.readers.timeline import TimelineRow
from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.panes.town import TownPane
from sandbox.tui.panes.townview import CARD
from sandbox.tui.view.cells import Box
from sandbox.tui.view.row_words import why_told
from sandbox.tui.view.text_lines import Ink, Line, hung, ink, width_of
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane

HEAD = 8  # cells before a row's text: "12:38 ! "
SMALL, LARGE = 4, 8  # most lines, on a small and on a large screen
LOOKED, LEFT = "since you looked", "before you left"
NOWHERE = Box(0, 0, 0, 0)
WORDS = 6  # rows of a speech bubble over a head


class RowLine(NamedTuple):
    """A drawn line, and the timeline row it belongs to."""

    line: Line
    row: TimelineRow


def missed_lines(viewer: Viewer, width: int, most: int) -> list[RowLine]:
    """At most `most` lines: the stop, then the weightiest unseen rows that fit, each whole, sorted by time."""
    out = _stop(viewer, viewer.stop, width, most) if viewer.stop is not None else []
    rows = [row for row in viewer.missed if viewer.stop is None or row.seq < viewer.stop.seq]
    if out and most > SMALL and most - len(out) > 1 and rows:
        out.append(RowLine([ink("before that", "dim")], out[0].row))
    elif out:
        return out  # other rows would look like reasons for the stop
    room = most - len(out)
    seen: list[tuple[TimelineRow, list[RowLine]]] = []
    for row in rows:
        if not room:
            break
        fg: Ink = "soft" if viewer.stop else "text"
        lines = hung(_head(viewer, row, "soft"), row.text, width, fg, most=most if seen else room)
        if len(lines) <= room:
            seen.append((row, [RowLine(line, row) for line in lines]))
            room -= len(lines)
    return [*out, *(told for _, lines in sorted(seen, key=lambda one: one[0].t) for told in lines)]


def _stop(viewer: Viewer, row: TimelineRow, width: int, most: int) -> list[RowLine]:
    head = _head(viewer, row, "accent")
    lines = hung(head, row.text, width, bold=True, most=most)
    why = why_told(viewer, row)
    if why and len(lines) < most:
        lines += hung([ink(" " * width_of(head))], why, width, "soft", most=min(4, most - len(lines)))
    return [RowLine(line, row) for line in lines]


def _head(viewer: Viewer, row: TimelineRow, fg: Ink) -> Line:
    clock = viewer.world.clock
    day = f"{clock.words(row.t)[:3]} " if clock.day(row.t) != clock.day(int(viewer.shown)) else ""
    return [ink(day, "dim"), ink(f"{clock.hhmm(row.t)} ", "dim"), ink(f"{row.mark} ", fg, bold=True)]


class MissedPanel(LinesPane):
    """The panel. It is shown while the town is shown and there is something to say.

    heading: its title if time has not stopped: what its rows came after.
    """

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.display = False
        self._told: list[RowLine] = []
        self._most = LARGE
        self.heading = LOOKED

    def stand(self, town: TownPane, small: bool) -> None:
        """Update and place the panel: at the top of the town, or at its foot if it would cover the chosen person."""
        inside = town.content_region
        self._most = SMALL if small else LARGE
        edge = 2 if small else 4
        told = missed_lines(self.viewer, inside.width - edge, self._most) if town.display else []
        if not told or inside.width < 4 * HEAD:
            self.display = False
            self._lie_over(town, NOWHERE)
            return
        height = len(told) + (0 if small else 2)
        top = inside.y
        if self._head(town) < height + WORDS:
            card = CARD if town.carded and self.viewer.selected else 0
            top = inside.bottom - card - height
        self.border_title = "why time stopped" if self.viewer.stop is not None else self.heading
        self.border_subtitle = "esc closes" if self.viewer.stop is None else ""
        self.styles.offset = (inside.x, top)
        self.styles.width = inside.width
        self.styles.height = height
        self.display = True
        self._lie_over(town, Box(0, top - inside.y, inside.width, height))
        self.pull()

    @staticmethod
    def _lie_over(town: TownPane, lid: Box) -> None:
        """Tell the town which of its cells the panel covers, so that bubbles keep clear of them."""
        if lid != town.lid:
            town.lid = lid
            town.pull()

    def _head(self, town: TownPane) -> int:
        """The row of the pane on which the chosen person stands; a huge number if nobody is chosen."""
        if not self.viewer.selected:
            return 10**6
        row = self.viewer.view.row(self.viewer.selected, self.viewer.shown)
        return round(row.y / town.camera.scale.y) - town.camera.y

    def lines(self, width: int, height: int) -> list[Line]:
        self._told = missed_lines(self.viewer, width, self._most)
        return [told.line for told in self._told]

    def on_click(self, event: Click) -> None:
        """A click goes to the timeline row; a second one opens it."""
        if (told := self.clicked(event, self._told)) is not None:
            self.post_message(TimelinePane.RowChosen(told.row, opened=event.chain > 1))
