"""From afar: the picture made smaller by area, a person one cell with an initial, roofs closed over who sleeps."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
from rich.cells import cell_len

from sandbox.tui.map.bubbles import Bubble
from sandbox.tui.map.light import Floats, Packed, pack_colours, unpack_colours
from sandbox.tui.map.painter import Painter, crop
from sandbox.tui.map.people import MapFigure
from sandbox.tui.theme.colours import DARK, PANEL, scale
from sandbox.tui.view.cells import Box, Canvas, MapScale, fit_text, initial

NEIGHBOURS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1))


class FarPainter(Painter):
    """Like Painter, in cells of more than a tile: views count those. Marks are drawn, bubbles are not."""

    _small: Packed = np.zeros((0, 0), np.uint32)

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        before = self._state
        super()._light(step, alpha, lit)
        if self._state is not before:
            self._small = shrunk(self._base, self.scale)

    def _paint(
        self, canvas: Canvas, view: Box, figures: list[MapFigure], bubbles: Sequence[Bubble], frame: int
    ) -> None:
        pixels = crop(self._small, view)
        self._rain(pixels, view, frame)
        canvas.fg[:], canvas.bg[:] = pixels[0::2], pixels[1::2]
        self.bodies = figure_cells(figures, self.scale, view)
        self._marks(canvas, figures, self._colour)
        for figure in sorted(figures, key=lambda f: f.selected):
            x, y, _, _ = self.bodies[figure.id]
            canvas.write(x, y, initial(figure.name), DARK, self._colour(figure), bold=True)
            if figure.selected or figure.name_shown:
                name = f" {fit_text(figure.name, 14)} "
                left = x + 1 + cell_len(name) > view.width
                self.say(canvas, x - cell_len(name) if left else x + 1, y, name, self._colour(figure), PANEL)

    def _colour(self, figure: MapFigure) -> int:
        colour = super()._colour(figure)
        return scale(colour, 0.6) if figure.asleep and not figure.selected else colour


def figure_cells(figures: Sequence[MapFigure], scale: MapScale, view: Box) -> dict[str, Box]:
    """A cell of the view for each person. Of those who would share one, all but the first stand beside it while there
    is room.
    """
    out: dict[str, Box] = {}
    taken: set[tuple[int, int]] = set()
    for figure in sorted(figures, key=lambda f: (not f.selected, f.id)):
        column, row = floor(figure.column / scale.x) - view.x, floor(figure.row / scale.y) - view.y
        beside = ((column + dx, row + dy) for dx, dy in NEIGHBOURS)
        cell = next((c for c in beside if c not in taken), (column, row))
        taken.add(cell)
        out[figure.id] = Box(*cell, 1, 1)
    return {figure.id: out[figure.id] for figure in figures}


def shrunk(pixels: Packed, scale: MapScale) -> Packed:
    """Blocks of scale.x columns and scale.y rows as their mean colour, parts of pixels counted as parts."""
    rows = _means(unpack_colours(pixels), scale.y)
    out = pack_colours(_means(rows.transpose(1, 0, 2), scale.x).transpose(1, 0, 2) + np.float32(0.5))
    if len(out) % 2:  # half a cell more, of what is beyond the map
        out = np.vstack([out, np.full((1, out.shape[1]), DARK, np.uint32)])
    return out


def _means(colours: Floats, factor: float) -> Floats:
    """Means of stretches of so many rows: differences of the sum of all rows up to each edge between two stretches."""
    length = len(colours)
    edges = np.minimum(np.arange(ceil(length / factor - 1e-6) + 1) * factor, length)
    sums = np.zeros((length + 1, *colours.shape[1:]))
    np.cumsum(colours, axis=0, out=sums[1:])
    whole = np.minimum(edges.astype(np.intp), length - 1)
    part = (edges - whole)[:, None, None]
    upto = sums[whole] * (1 - part) + sums[whole + 1] * part
    out: Floats = (np.diff(upto, axis=0) / np.diff(edges)[:, None, None]).astype(np.float32)
    return out
