"""A sheet over the panes: a talk in full, the ledger of a mood, a list to choose from. The town goes on beneath it.

Sheets lie on each other; the topmost is shown, and escape takes it away.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.tui.panes.entries import EntriesPane, Entry
from sandbox.tui.viewer import Viewer


class Leaf:
    """What a sheet shows. Subclasses give `entries`, and `turned` where `[` and `]` lead to another.

    kind: what it is, so that its key closes it too. small: whether it needs only a small frame. end: begin at the
    last line. leave: whether escape may take it away.
    """

    kind = ""
    small = False
    end = False

    def __init__(self, title: str) -> None:
        self.title = title

    def entries(self, width: int) -> Sequence[Entry]:
        """All it says, in so many cells."""
        raise NotImplementedError

    def turned(self, by: int) -> Leaf | None:
        """The leaf beside this one, or None."""
        return None

    def closed(self) -> None:
        """It was taken away."""


class Sheet(EntriesPane):
    """The sheet's frame and the leaves on it, the topmost last."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self._leaves: list[tuple[Leaf, int]] = []
        self.border_subtitle = "esc closes"

    @property
    def leaf(self) -> Leaf | None:
        """What is shown."""
        return self._leaves[-1][0] if self._leaves else None

    @property
    def kind(self) -> str:
        """What kind of leaf is shown, "" = none."""
        return self._leaves[-1][0].kind if self._leaves else ""

    def open(self, leaf: Leaf, instead: bool = False) -> None:
        """Show a leaf, on top of the others or instead of the topmost."""
        if instead and self._leaves:
            self._leaves.pop()
        elif self._leaves:
            self._leaves[-1] = (self._leaves[-1][0], self.cursor)
        self._leaves.append((leaf, 0))
        self._show(leaf)
        self.reset(leaf.end)
        self.pull()

    def close(self) -> bool:
        """Take the topmost away; whether another lies beneath."""
        leaf, _ = self._leaves.pop()
        if self._leaves:
            below, cursor = self._leaves[-1]
            self._show(below)
            self.reset()
            self.cursor = cursor
            self.pull()
        else:
            self.display = False
        leaf.closed()
        return bool(self._leaves)

    def _show(self, leaf: Leaf) -> None:
        self._strips = []
        self.border_title = leaf.title
        self.set_class(leaf.small, "-little")
        self.display = True
        self.refresh()
        self.focus()

    def entries(self, width: int) -> Sequence[Entry]:
        return self._leaves[-1][0].entries(width) if self._leaves else ()

    def lines(self, width: int, height: int) -> Sequence[list]:  # type: ignore[type-arg]
        lines = super().lines(width, height)
        more = self._most - self.top
        self.border_subtitle = f"esc closes   {more} more, j or ↓" if more else "esc closes"
        return lines
