"""What happened, one row an event, newest at the foot. The chosen row is shown in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message

from sandbox.core.clock import Clock
from sandbox.stories.timeline import Row
from sandbox.tui import actions
from sandbox.tui.ink import CHOSEN, DIM, GOLD, SOFT, TEXT, Line, backed, ink, wrap
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.render.palette import MOODS
from sandbox.tui.viewer import Viewer

HEAD = 8  # "12:38 ! "
NOTABLE = 5.0
_INKS = {
    "!": MOODS["default"]["angry"],
    "♥": 0xFF9EC4,
    "?": MOODS["default"]["surprise"],
    '"': SOFT,
    "=": GOLD,
    "*": GOLD,
    "+": MOODS["default"]["joy"],
    "-": MOODS["default"]["sad"],
    "x": MOODS["default"]["angry"],
    "~": MOODS["default"]["afraid"],
}


def row_lines(row: Row, clock: Clock, width: int, chosen: bool, about: str = "") -> list[Line]:
    """A row of the timeline: one line, two if it is notable, as many as it needs if it is chosen.

    about: a person whose rows stand out.
    """
    fg = TEXT if row.weight >= NOTABLE or about in row.who else SOFT if row.weight >= 2 else DIM
    head: Line = [ink(f"{clock.hhmm(row.t)} ", DIM), ink(f"{row.mark} ", _INKS.get(row.mark, SOFT), bold=True)]
    if about and about in row.who:
        head[0] = ink(f"{clock.hhmm(row.t)} ", GOLD)
    notable = row.weight >= NOTABLE
    parts = wrap(row.text, max(8, width - HEAD), 6 if chosen else 2 if notable else 1)
    out: list[Line] = [[*head, ink(parts[0], TEXT if chosen else fg, bold=notable)]]
    out += [[ink(" " * HEAD), ink(part, TEXT if chosen else fg, bold=notable)] for part in parts[1:]]
    return [backed(line, CHOSEN, width) for line in out] if chosen else out


class TimelinePane(LinesPane):
    """The list. It stays at the newest row until a key or the wheel moves it, and again once it is back there."""

    can_focus = True
    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings(actions.LIST)]

    class RowChosen(Message):
        """A row was clicked, or opened with enter."""

        def __init__(self, row: Row, opened: bool) -> None:
            super().__init__()
            self.row, self.opened = row, opened

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self._seen: list[int] = []  # for each line shown, the index of its row
        self._chosen = 0  # number of the chosen row, counted since the start; told - 1 is the newest
        self._tail = True

    @property
    def chosen(self) -> Row | None:
        """The row the cursor is on; the newest unless it was moved."""
        rows = self.viewer.rows
        return rows[self._index()] if rows else None

    def _index(self) -> int:
        viewer = self.viewer
        first = viewer.told - len(viewer.rows)
        if self._tail:
            self._chosen = viewer.told - 1
        return max(0, min(len(viewer.rows) - 1, self._chosen - first))

    def lines(self, width: int, height: int) -> Sequence[Line]:
        viewer = self.viewer
        rows, clock = viewer.rows, viewer.world.clock
        self._seen = []
        if not rows:
            text = "Nothing has happened yet. space lets time run, . makes one step."
            return [[ink(part, SOFT)] for part in wrap(text, width)]
        cursor = self._index()
        marked = self.has_focus or not self._tail
        chosen = row_lines(rows[cursor], clock, width, marked, viewer.selected)
        last = min(len(rows) - 1, max(cursor, 0) + (0 if self._tail else (height - len(chosen)) // 2))
        out: list[Line] = []
        seen: list[int] = []
        index = last
        while index >= 0 and len(out) < height:
            lines = chosen if index == cursor else row_lines(rows[index], clock, width, False, viewer.selected)
            out[:0] = lines
            seen[:0] = [index] * len(lines)
            index -= 1
        index = last + 1
        while index < len(rows) and len(out) < height:
            lines = row_lines(rows[index], clock, width, False, viewer.selected)
            out += lines
            seen += [index] * len(lines)
            index += 1
        over = max(0, len(out) - height)
        self._seen = seen[over:]
        return out[over:]

    # ---- keys and mouse

    def action_move(self, by: int) -> None:
        """Move the cursor; past the newest row it stays with the newest."""
        viewer = self.viewer
        if viewer.rows:
            first = viewer.told - len(viewer.rows)
            self._chosen = max(first, self._index() + first + by)
            self._tail = self._chosen >= viewer.told - 1
        self.pull()

    def action_page(self, by: int) -> None:
        """Move by a page."""
        self.action_move(by * max(1, self.content_size.height - 2))

    def action_first(self) -> None:
        """The oldest row."""
        self.action_move(-(10**9))

    def action_last(self) -> None:
        """The newest row."""
        self._tail = True
        self.pull()

    def on_focus(self) -> None:
        self.pull()

    def on_blur(self) -> None:
        self.pull()

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.action_move(-3)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.action_move(3)

    def on_click(self, event: Click) -> None:
        """A click chooses the row and shows whom it is about; a second one opens it."""
        offset = event.get_content_offset(self)
        if offset is None or not 0 <= offset.y < len(self._seen):
            return
        viewer = self.viewer
        index = self._seen[offset.y]
        self._chosen = index + viewer.told - len(viewer.rows)
        self._tail = self._chosen >= viewer.told - 1
        self.pull()
        self.post_message(self.RowChosen(viewer.rows[index], opened=event.chain > 1))
