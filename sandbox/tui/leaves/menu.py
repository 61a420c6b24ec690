"""The menu: what to play or watch, settings, the way out. The town goes on behind it."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.tui.ink import ink
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage


class MenuLeaf(Leaf):
    """The menu."""

    kind = "menu"
    small = True

    def __init__(self, stage: Stage) -> None:
        super().__init__("sandbox")
        self.stage = stage

    def entries(self, width: int) -> Sequence[Entry]:
        return [Entry([[ink("Play")]], self._play, "play")]

    def _play(self) -> None:
        self.stage.close_sheet()

    def closed(self) -> None:
        self.stage.house.keep()
