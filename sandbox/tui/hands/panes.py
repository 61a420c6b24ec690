"""Panes: which one has the focus, and how much room it has."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand
from sandbox.tui.panes.strip import PANES


class Panes(Hand):
    """`pane.*`"""

    def _show(self, name: str) -> None:
        self.stage.close_all()
        self.stage.show_pane(name)

    def town(self) -> None:
        self._show("town")

    def timeline(self) -> None:
        self._show("timeline")

    def person(self) -> None:
        self._show("person")

    def people(self) -> None:
        self._show("people")

    def next(self) -> None:
        self._show(PANES[(PANES.index(self.stage.current) + 1) % len(PANES)])

    def maximise(self) -> None:
        self.stage.large = not self.stage.large
        self.stage.lay_out()
