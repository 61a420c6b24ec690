"""The tabs over the list at the right: the panes that lie there over each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from textual.events import Click
from textual.message import Message

from sandbox.tui.ink import GOLD, SOFT, Line, fit, ink, style
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.panes.pane import Place
from sandbox.tui.viewer import Viewer


def tabs_line(places: Iterable[Place], shown: str, width: int) -> Line:
    """` Timeline  People `, the shown one reversed."""
    out: Line = []
    for place in places:
        text = f" {place.tab} "
        out.append(Segment(text, style(GOLD, bold=True, reverse=True)) if place.name == shown else ink(text, SOFT))
        out.append(ink(" "))
    return fit(out, width)


class Tabs(LinesPane):
    """The row of tabs. places: what they are of; shown: the name of that in front."""

    class TabChosen(Message):
        """A tab was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.places: Sequence[Place] = ()
        self.shown = ""

    def lines(self, width: int, height: int) -> list[Line]:
        return [tabs_line(self.places, self.shown, width)]

    def on_click(self, event: Click) -> None:
        x = 0
        for place in self.places:
            x += len(place.tab) + 3
            if event.x < x:
                self.post_message(self.TabChosen(place.name))
                return
