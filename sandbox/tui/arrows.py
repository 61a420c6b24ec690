"""Arrows at the map's edge towards those out of view: the chosen, favourites, and who has a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from sandbox.tui.render.cells import Area, plain

MOST = 3
NAMES = 16


class Target(NamedTuple):
    """Somebody out of view. x, y: the cell they are in, by the window's own count; mood: colours the arrow."""

    who: str
    text: str
    x: float
    y: float
    mood: str


class Arrow(NamedTuple):
    """A chip at the edge, in the window's own cells, with the person it leads to."""

    who: str
    x: int
    y: int
    text: str
    mood: str

    @property
    def area(self) -> Area:
        """The cells it takes."""
        return Area(self.x, self.y, cell_len(self.text), 1)


def edge_arrows(targets: Iterable[Target], width: int, height: int, taken: Sequence[Area] = ()) -> list[Arrow]:
    """At most three arrows, for the first targets that find room on the edge of a window of so many cells."""
    out: list[Arrow] = []
    for target in targets:
        if len(out) == MOST:
            break
        busy = [*taken, *(arrow.area for arrow in out)]
        for arrow in _places(target, width, height):
            if not any(arrow.area.overlap(area) for area in busy):
                out.append(arrow)
                break
    return out


def _places(target: Target, width: int, height: int) -> Iterable[Arrow]:
    """Where its arrow may stand: where the line from the middle leaves the window, then farther and farther along
    that edge.
    """
    dx, dy = target.x - (width - 1) / 2, target.y - (height - 1) / 2
    flat = abs(dx) * height > abs(dy) * width  # it leaves by the left or right edge
    name = plain(target.text, NAMES)
    if flat:
        text = f" {name} → " if dx > 0 else f" ← {name} "
        column = max(0, width - cell_len(text)) if dx > 0 else 0
        row = round((height - 1) / 2 + dy * (width / 2) / abs(dx))
    else:
        text = f" {'↓' if dy > 0 else '↑'} {name} "
        row = height - 1 if dy > 0 else 0
        crossing = (width - 1) / 2 + (dx * (height / 2) / abs(dy) if dy else 0.0)
        column = round(crossing - cell_len(text) / 2)
    for off in range(max(width, height)):
        for sign in (1, -1) if off else (1,):
            x = column if flat else min(max(0, column + sign * off), max(0, width - cell_len(text)))
            y = min(max(0, row + sign * off), height - 1) if flat else row
            yield Arrow(target.who, x, y, text, target.mood)
