"""A sheet over the panes: a talk in full, the ledger of a mood, the keys. The town goes on beneath it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.events import MouseScrollDown, MouseScrollUp
from textual.message import Message

from sandbox.tui import actions
from sandbox.tui.ink import Line
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.viewer import Viewer


class Sheet(LinesPane):
    """Lines made by a function of the width, scrolled by keys. `kind` says which sheet is open, "" = none."""

    can_focus = True
    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings(actions.LIST)]

    class Measured(Message):
        """Whether it scrolls has changed."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.kind = ""
        self.top = 0
        self._make: Callable[[int], Sequence[Line]] = lambda width: []
        self._most = 0
        self.border_subtitle = "esc closes"

    @property
    def scrolls(self) -> bool:
        """Whether there is more than fits."""
        return self._most > 0

    def open(self, kind: str, title: str, make: Callable[[int], Sequence[Line]], end: bool = False) -> None:
        """Show it. make: width -> all lines; end: begin at the last line."""
        self.kind, self._make, self.border_title = kind, make, title
        self.top = 10**9 if end else 0
        self._strips = []
        self.display = True
        self.refresh()
        self.focus()
        self.pull()

    def close(self) -> None:
        """Take it away."""
        self.kind = ""
        self.display = False

    def lines(self, width: int, height: int) -> Sequence[Line]:
        lines = self._make(width)
        at_end = self.top >= self._most and self._most > 0
        before, self._most = self.scrolls, max(0, len(lines) - height)
        if self.scrolls != before:
            self.post_message(self.Measured())
        self.top = self._most if at_end else max(0, min(self.top, self._most))
        more = self._most - self.top
        self.border_subtitle = f"esc closes   {more} more, j or ↓" if more else "esc closes"
        return lines[self.top : self.top + height]

    def action_move(self, by: int) -> None:
        """Scroll."""
        self.top = max(0, min(self._most, self.top + by))
        self.pull()

    def action_page(self, by: int) -> None:
        """Scroll by a page."""
        self.action_move(by * max(1, self.content_size.height - 1))

    def action_first(self) -> None:
        """To the beginning."""
        self.action_move(-(10**9))

    def action_last(self) -> None:
        """To the end."""
        self.action_move(10**9)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.action_move(-3)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.action_move(3)
