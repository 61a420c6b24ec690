"""The tabs over the list at the right: Timeline and People (which has a column of its own on a broad screen)."""

from __future__ import annotations

from rich.segment import Segment
from textual.events import Click
from textual.message import Message

from sandbox.tui.ink import GOLD, SOFT, Line, fit, ink, style
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.viewer import Viewer

TABS = ("timeline", "people")


def tabs_line(shown: str, width: int) -> Line:
    """` Timeline  People `, the shown one reversed."""
    out: Line = []
    for tab in TABS:
        text = f" {tab.capitalize()} "
        out.append(Segment(text, style(GOLD, bold=True, reverse=True)) if tab == shown else ink(text, SOFT))
        out.append(ink(" "))
    return fit(out, width)


class Tabs(LinesPane):
    """The row of tabs."""

    class TabChosen(Message):
        """A tab was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.shown = "timeline"

    def lines(self, width: int, height: int) -> list[Line]:
        return [tabs_line(self.shown, width)]

    def on_click(self, event: Click) -> None:
        x = 0
        for tab in TABS:
            x += len(tab) + 3
            if event.x < x:
                self.post_message(self.TabChosen(tab))
                return
