"""What happened, one row an event, a line across at midnight, newest at the foot. The chosen row is shown in full."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message

from sandbox.core.clock import Clock
from sandbox.stories.timeline import Row
from sandbox.tui import actions
from sandbox.tui.ink import CHOSEN, DIM, FAINT, GOLD, SOFT, TEXT, Line, backed, ink, wrap
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.render.palette import MOODS
from sandbox.tui.viewer import ROUTINE, Viewer

HEAD = 8  # "12:38 ! "
NOTABLE = 5.0
TELLING = 3.0  # a talk of that weight has two lines
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
    """A row of the timeline: one line, two if it is notable or a telling talk, as many as it needs if it is chosen.

    about: a person whose rows stand out.
    """
    fg = TEXT if row.weight >= NOTABLE or about in row.who else SOFT if row.weight >= 2 else DIM
    head: Line = [ink(f"{clock.hhmm(row.t)} ", DIM), ink(f"{row.mark} ", _INKS.get(row.mark, SOFT), bold=True)]
    if about and about in row.who:
        head[0] = ink(f"{clock.hhmm(row.t)} ", GOLD)
    notable = row.weight >= NOTABLE
    most = 6 if chosen else 2 if notable or (row.talk and row.weight >= TELLING) else 1
    parts = wrap(row.text, max(8, width - HEAD), most)
    out: list[Line] = [[*head, ink(parts[0], TEXT if chosen else fg, bold=notable)]]
    out += [[ink(" " * HEAD), ink(part, TEXT if chosen else fg, bold=notable)] for part in parts[1:]]
    return [backed(line, CHOSEN, width) for line in out] if chosen else out


def midnight_line(t: int, clock: Clock, width: int) -> Line:
    """The line across before the first row of a day: "── Wed 5 Mar, day 2 ──────"."""
    says = f" {clock.words(t)[:-6]}, day {clock.day(t)} "
    return [ink("──", FAINT), ink(says, SOFT), ink("─" * max(0, width - len(says) - 2), FAINT)]


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
        self._seen: list[tuple[int, Row]] = []  # for each line shown, its row and that row's number
        self._chosen = 0  # number of the chosen row, counted since the start
        self._tail = True

    @property
    def chosen(self) -> Row | None:
        """The row the cursor is on; the newest unless it was moved."""
        shown = self.shown()
        return shown[self._index(shown)][1] if shown else None

    def shown(self) -> list[tuple[int, Row]]:
        """The rows of the list with their numbers since the start. Routine is told of the chosen person only."""
        viewer = self.viewer
        first = viewer.told - len(viewer.rows)
        who = viewer.selected
        return [(n, row) for n, row in enumerate(viewer.rows, first) if row.weight > ROUTINE or who in row.who]

    def _index(self, shown: list[tuple[int, Row]]) -> int:
        """Where among them the cursor is: at its row, or at the last one before it."""
        if self._tail and shown:
            self._chosen = shown[-1][0]
        return max(0, bisect_right(shown, self._chosen, key=lambda s: s[0]) - 1)

    def _put(self, number: int, last: int) -> None:
        self._chosen, self._tail = number, number >= last

    def lines(self, width: int, height: int) -> Sequence[Line]:
        shown = self.shown()
        self._seen = []
        if not shown:
            text = "Nothing has happened yet. space lets time run, . makes one step."
            return [[ink(part, SOFT)] for part in wrap(text, width)]
        cursor = self._index(shown)
        chosen = self._lines_of(shown, cursor, cursor, width)
        last = min(len(shown) - 1, cursor + (0 if self._tail else (height - len(chosen)) // 2))
        out: list[Line] = []
        seen: list[tuple[int, Row]] = []
        index = last
        while index >= 0 and len(out) < height:
            lines = self._lines_of(shown, index, cursor, width)
            out[:0] = lines
            seen[:0] = [shown[index]] * len(lines)
            index -= 1
        index = last + 1
        while index < len(shown) and len(out) < height:
            lines = self._lines_of(shown, index, cursor, width)
            out += lines
            seen += [shown[index]] * len(lines)
            index += 1
        over = max(0, len(out) - height)
        self._seen = seen[over:]
        return out[over:]

    def _lines_of(self, shown: list[tuple[int, Row]], index: int, cursor: int, width: int) -> list[Line]:
        """A row, with the line across if a day begins with it."""
        viewer = self.viewer
        clock, row = viewer.world.clock, shown[index][1]
        marked = index == cursor and (self.has_focus or not self._tail)
        lines = row_lines(row, clock, width, marked, viewer.selected)
        if index and clock.day(shown[index - 1][1].t) != clock.day(row.t):
            lines.insert(0, midnight_line(row.t, clock, width))
        return lines

    # ---- keys and mouse

    def action_move(self, by: int) -> None:
        """Move the cursor; past the newest row it stays with the newest."""
        if shown := self.shown():
            index = max(0, min(len(shown) - 1, self._index(shown) + by))
            self._put(shown[index][0], shown[-1][0])
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
        number, row = self._seen[offset.y]
        self._put(number, self.shown()[-1][0])
        self.pull()
        self.post_message(self.RowChosen(row, opened=event.chain > 1))
