"""The row of a replay that shows where one is in what was lived, with notable events and bookmarks marked."""

from __future__ import annotations

from sandbox.tui.ink import Line
from sandbox.tui.panes.lines import LinesPane


class Scrubber(LinesPane):
    """A row of time."""

    def lines(self, width: int, height: int) -> list[Line]:
        return [[]]
