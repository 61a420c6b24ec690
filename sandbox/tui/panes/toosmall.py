"""What stands on a terminal too small for a town: the size it needs."""

from __future__ import annotations

from sandbox.tui.ink import DIM, GOLD, SOFT, Line, ink
from sandbox.tui.panes.lines import LinesPane

WIDTH, HEIGHT = 60, 18
WIDE = 110
BROAD, VAST = 150, 190
LOW = 32


def card(width: int, height: int) -> list[Line]:
    """The words in the middle of so many cells."""
    says = [
        ink(f"{WIDTH} x {HEIGHT} cells needed", GOLD, bold=True),
        ink(f"here are {width} x {height}", SOFT),
        ink("q quits", DIM),
    ]
    lines: list[Line] = [[ink(" " * max(0, (width - s.cell_length) // 2)), s] for s in says]
    return [*([[]] * max(0, (height - len(lines)) // 2)), *lines]


class TooSmall(LinesPane):
    """Covers everything while there is no room."""

    def lines(self, width: int, height: int) -> list[Line]:
        return card(width, height)
