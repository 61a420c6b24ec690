"""The whole town at once: the picture made smaller, a person one cell, the names of places always shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandbox.tui.render.bubbles import Area, Bubble
from sandbox.tui.render.cells import Canvas, initial, plain
from sandbox.tui.render.light import Packed, pack, unpack
from sandbox.tui.render.painter import Painter
from sandbox.tui.render.palette import DARK, PANEL, PAPER, scale
from sandbox.tui.render.people import RING, Figure, mood_colour
from sandbox.tui.render.picture import Picture


class FarPainter(Painter):
    """Like Painter, in cells of zoom x zoom tiles: views count those. Marks are drawn, bubbles are not."""

    def __init__(self, picture: Picture, palette: str = "default", zoom: int = 2) -> None:
        super().__init__(picture, palette)
        self.zoom = max(1, zoom)
        self._small: Packed = np.zeros((0, 0), np.uint32)

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        before = self._state
        super()._light(step, alpha, lit)
        if self._state is not before:
            self._small = shrunk(self._base, self.zoom)

    def _paint(
        self,
        canvas: Canvas,
        view: Area,
        figures: list[Figure],
        bubbles: Sequence[Bubble],
        lamp: float,
        frame: int,
    ) -> None:
        big, self._base = self._base, self._small
        pixels = self._crop(view)
        self._base = big
        canvas.fg[:], canvas.bg[:] = pixels[0::2], pixels[1::2]
        self._names(canvas, view)
        for figure in sorted(figures, key=lambda f: f.selected):
            x, y = figure.column // self.zoom - view.x, figure.row // self.zoom - view.y
            colour = RING if figure.selected else mood_colour(figure.mood, self.palette)
            if figure.asleep and not figure.selected:
                colour = scale(colour, 0.6)
            if mark := plain(figure.mark, 1):
                canvas.write(x, y - 1, mark, colour, PANEL, bold=True)
            canvas.write(x, y, initial(figure.name), DARK, colour, bold=True)
            if figure.selected:
                canvas.write(x + 1, y, f" {plain(figure.name, 14)} ", RING, PANEL, bold=True)

    def _names(self, canvas: Canvas, view: Area) -> None:
        for area in self.picture.plan.sectors:
            x, y, wide, _ = (v // self.zoom for v in area.rect)
            name = plain(area.name, max(4, wide))
            canvas.write(x + max(0, wide - len(name)) // 2 - view.x, y - view.y, name, PAPER, PANEL)


def shrunk(pixels: Packed, zoom: int) -> Packed:
    """Squares of zoom x zoom pixels as their mean colour; a rest at the right and below is dropped."""
    high, wide = pixels.shape[0] // zoom // 2 * 2, pixels.shape[1] // zoom
    parts = unpack(pixels[: high * zoom, : wide * zoom])
    return pack(parts.reshape(high, zoom, wide, zoom, 3).mean(axis=(1, 3)))
