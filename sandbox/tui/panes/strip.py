"""The pane strip of a small screen: which panes there are, which one is shown, and which have news."""

from __future__ import annotations

from rich.segment import Segment
from textual.events import Click
from textual.message import Message

from sandbox.tui.ink import GOLD, SOFT, Line, fit, ink, style
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.viewer import Viewer

PANES = ("town", "timeline", "person", "people")


def strip_line(current: str, news: frozenset[str], width: int) -> Line:
    """`1 Town  2 Timeline  3 Person`, the current one reversed, a dot on those with news."""
    out: Line = []
    for number, pane in enumerate(PANES, 1):
        text = f" {number} {pane.capitalize()}{'•' if pane in news else ' '}"
        if pane == current:
            out.append(Segment(text, style(GOLD, bold=True, reverse=True)))
        else:
            out.append(ink(text, GOLD if pane in news else SOFT))
        out.append(ink(" "))
    return fit(out, width)


class PaneStrip(LinesPane):
    """The row above the footer of a small screen."""

    class PaneChosen(Message):
        """A pane's name was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.current = "town"
        self.read = 0

    def lines(self, width: int, height: int) -> list[Line]:
        if self.current == "timeline":
            self.read = self.viewer.news
        news = frozenset({"timeline"} if self.viewer.news > self.read else ())
        return [strip_line(self.current, news, width)]

    def on_click(self, event: Click) -> None:
        x = 0
        for pane in PANES:
            x += len(pane) + 5
            if event.x < x:
                self.post_message(self.PaneChosen(pane))
                return
