"""The pane strip of a small screen: which panes there are, which one is shown, and which have news."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rich.segment import Segment
from textual.events import Click
from textual.message import Message

from sandbox.tui.ink import GOLD, SOFT, Line, fit, ink, style
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.panes.pane import Pane, Place
from sandbox.tui.viewer import Viewer


def strip_line(places: Iterable[Place], current: str, news: Collection[str], width: int) -> Line:
    """`1 Town  2 Timeline  3 Person`, the current one reversed, a dot on those with news."""
    out: Line = []
    for place in places:
        text = f"{_name(place)}{'•' if place.name in news else ' '}"
        if place.name == current:
            out.append(Segment(text, style(GOLD, bold=True, reverse=True)))
        else:
            out.append(ink(text, GOLD if place.name in news else SOFT))
        out.append(ink(" "))
    return fit(out, width)


def _name(place: Place) -> str:
    return f" {place.digit} {place.tab}"


class PaneStrip(LinesPane):
    """The row above the footer of a small screen."""

    class PaneChosen(Message):
        """A pane's name was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, viewer: Viewer, id: str, panes: Collection[Pane], current: str) -> None:
        super().__init__(viewer, id)
        self._panes = panes
        self.current = current
        self._read: dict[str, int] = {}

    def lines(self, width: int, height: int) -> list[Line]:
        told = {pane.PLACE.name: pane.told for pane in self._panes}
        self._read[self.current] = told[self.current]
        news = {name for name, much in told.items() if much > self._read.get(name, 0)}
        return [strip_line((pane.PLACE for pane in self._panes), self.current, news, width)]

    def on_click(self, event: Click) -> None:
        x = 0
        for pane in self._panes:
            x += len(_name(pane.PLACE)) + 2
            if event.x < x:
                self.post_message(self.PaneChosen(pane.PLACE.name))
                return
