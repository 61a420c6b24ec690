"""Rows of tabs: of the panes that lie over each other at the right, and of all panes on a small screen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rich.segment import Segment
from textual.events import Click
from textual.message import Message

from sandbox.tui.view.text_lines import GOLD, SOFT, Line, fit, ink, style
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane, make_clickable
from sandbox.tui.widgets.pane import Pane, PanePlace


def tabs_line(places: Iterable[PanePlace], shown: str, news: Collection[str], digits: bool, width: int) -> Line:
    """` 1 Town  2 Timeline  3 Person `: the shown one reversed, a dot on those with news; digits: with their digits."""
    out: Line = []
    for place in places:
        fresh = place.name in news
        text = f" {f'{place.digit} ' if digits else ''}{place.tab}{'•' if fresh else ' '}"
        look = style(GOLD, bold=True, reverse=True) if place.name == shown else style(GOLD if fresh else SOFT)
        out += make_clickable([Segment(text, look), ink(" ")], "tab", place.name)
    return fit(out, width)


class Tabs(LinesPane):
    """The row of tabs. places: what they are of; shown: the name of that in front."""

    digits = False

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.places: Sequence[PanePlace] = ()
        self.shown = ""

    def news(self) -> Collection[str]:
        """The names of those that have told something since they were last in front."""
        return ()

    def lines(self, width: int, height: int) -> list[Line]:
        return [tabs_line(self.places, self.shown, self.news(), self.digits, width)]

    def on_click(self, event: Click) -> None:
        if tab := event.style.meta.get("tab"):
            self.post_message(self.Chosen(tab))


class PaneStrip(Tabs):
    """The row above the footer of a small screen: which panes there are, and which have news."""

    digits = True

    def __init__(self, viewer: Viewer, id: str, panes: Collection[Pane], shown: str) -> None:
        super().__init__(viewer, id)
        self._panes = panes
        self.places = [pane.PLACE for pane in panes]
        self.shown = shown
        self._read: dict[str, int] = {}

    def news(self) -> Collection[str]:
        told = {pane.PLACE.name: pane.told for pane in self._panes}
        self._read[self.shown] = told[self.shown]
        return {name for name, much in told.items() if much > self._read.get(name, 0)}
