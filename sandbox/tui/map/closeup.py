"""Frames of the close view in pixels: people as figures a tile wide, speakers in a spotlight, the others dim.

The interface is that of the map's painters; the view must have as many cells as the `Close` it shows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np
from rich.cells import cell_len

from sandbox.tui.map.bubbles import Bubble
from sandbox.tui.map.close import Close, paint_close
from sandbox.tui.map.light import Packed, pack_colours, shade_colours, unpack_colours
from sandbox.tui.map.painter import NAME_CELLS, Painter
from sandbox.tui.map.people import RING, SHADOW, Dot, MapFigure
from sandbox.tui.map.picture import Picture
from sandbox.tui.theme.colours import HAIR, SKIN, mix, mood_colour, scale
from sandbox.tui.view.cells import NEAR, Box, Canvas, MapScale, fit_text

DIM, REACH, STEPS = 0.5, 3.2, 6  # brightness away from speakers; radius of the spotlight in tiles; shades to its edge
ASIDE = 0.66  # brightness of bystanders
BESIDE = ((0.0, 0.0), (0.8, 0.0), (-0.8, 0.0), (0.4, 0.8), (-0.4, -0.8), (1.6, 0.0), (-1.6, 0.0))  # tiles, in order
NOWHERE = Close(0, 0, 0, 0, 4, 0, 0, 0, 0)


class ClosePainter(Painter):
    """Draws the close view `close`. speakers: who is in the spotlight; empty = none. speaking: who speaks now."""

    def __init__(self, picture: Picture, palette: str = "default", scale: MapScale = NEAR) -> None:
        super().__init__(picture, palette, scale)
        self.close = NOWHERE
        self.speakers: Collection[str] = ()
        self.speaking = ""
        self._lit: tuple[object, ...] = ()

    def _hidden(self, figure: MapFigure, alpha: object) -> bool:
        return not self.close.shows(figure.column, figure.row)

    def _lain(self, figure: MapFigure) -> MapFigure:
        return figure

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        now = (self.close, step, lit)
        if now != self._lit:
            self._lit = now
            self._base = pack_colours(paint_close(self.picture, self.close, step, lit))

    def _paint(
        self, canvas: Canvas, view: Box, figures: list[MapFigure], bubbles: Sequence[Bubble], frame: int
    ) -> None:
        pixels = self._base.copy()
        if self.speakers:
            pixels = spotlight(pixels, self.close, [f for f in figures if f.id in self.speakers])
        order = sorted(unstack(figures, self.speakers), key=lambda f: f.id in self.speakers)
        for figure in order:
            self.bodies[figure.id] = self._figure(pixels, figure)
        canvas.fg[:], canvas.bg[:] = pixels[0::2], pixels[1::2]
        self._marks(canvas, figures, self._mood)
        self._names(canvas, order)
        self._speak(canvas, view, bubbles, self.lids)

    def _figure(self, pixels: Packed, figure: MapFigure) -> Box:
        """Draw a person; return the cells they cover."""
        close, grain = self.close, self.close.grain
        left, top = close.pixel(figure.x, figure.y)
        feet = top + grain - 1 - (0 if figure.asleep else grain // 6)
        away = bool(self.speakers) and figure.id not in self.speakers
        if not figure.asleep:
            wide = range(left + 1, left + grain)
            for row in (feet, feet + 1):
                for column in wide:
                    if 0 <= row < len(pixels) and 0 <= column < pixels.shape[1]:
                        pixels[row : row + 1, column] = shade_colours(pixels[row : row + 1, column], SHADOW)
        if figure.selected or figure.id == self.speaking:
            for column in range(left - 1, left + grain + 1):
                if 0 <= feet + 2 < len(pixels) and 0 <= column < pixels.shape[1]:
                    pixels[feet + 2, column] = RING
        dots = body(
            figure.hair, figure.skin, mood_colour(figure.mood, self.palette), figure.build, grain, figure.asleep
        )
        for dy, dx, colour in dots:
            row, column = feet + dy, left + dx
            if 0 <= row < len(pixels) and 0 <= column < pixels.shape[1]:
                pixels[row, column] = scale(colour, ASIDE) if away else colour
        head = feet + min(dot[0] for dot in dots)
        return Box(left, head // 2, grain, feet // 2 - head // 2 + 1)

    def _names(self, canvas: Canvas, order: Sequence[MapFigure]) -> None:
        """Write names below feet, speakers first, the others where there is room."""
        for figure in reversed(order):
            away = bool(self.speakers) and figure.id not in self.speakers
            chip = close_name_area(figure, self.bodies[figure.id], self.words, canvas)
            if chip is None:
                continue
            bold = figure.selected or figure.id == self.speaking
            ink = self.bright[0] if bold else self.chip[0] if away else self._mood(figure)
            canvas.write(chip.x, chip.y, f" {fit_text(figure.name, NAME_CELLS)} ", ink, self.bright[1], bold=not away)
            self.words.append(chip)


def unstack(figures: Sequence[MapFigure], first: Collection[str] = ()) -> list[MapFigure]:
    """The figures in the same order; those who would overlap are moved a little. first: who keep their place."""
    out: dict[str, MapFigure] = {}
    taken: list[tuple[float, float]] = []
    for figure in sorted(figures, key=lambda f: (f.id not in first, not f.selected, f.id)):
        spots = ((figure.x + dx, figure.y + dy) for dx, dy in BESIDE)
        x, y = next((s for s in spots if all(_clear(s, other) for other in taken)), (figure.x, figure.y))
        taken.append((x, y))
        out[figure.id] = figure._replace(x=x, y=y)
    return [out[figure.id] for figure in figures]


def _clear(spot: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(spot[0] - other[0]) >= 0.75 or abs(spot[1] - other[1]) >= 0.75


def close_name_area(figure: MapFigure, body: Box, taken: Sequence[Box], canvas: Canvas) -> Box | None:
    """The area of a name: below the feet, else a row lower, else above the head; None if all are taken."""
    wide = cell_len(fit_text(figure.name, NAME_CELLS)) + 2
    x = max(0, min(canvas.width - wide, body.x + (body.width - wide) // 2))
    for y in (body.y + body.height, body.y + body.height + 1, body.y - 1):
        chip = Box(x, y, wide, 1)
        if 0 <= y < canvas.height and not any(chip.overlap(area) for area in taken):
            return chip
    return None


def spotlight(pixels: Packed, close: Close, lit: Sequence[MapFigure]) -> Packed:
    """The pixels dimmed except around the lit figures, in a few shades so that few colours are needed."""
    if not lit:
        return shade_colours(pixels, DIM)
    y, x = np.mgrid[0 : pixels.shape[0], 0 : pixels.shape[1]].astype(np.float32)
    far = np.full(pixels.shape, 9.0, np.float32)
    for figure in lit:
        left, top = close.pixel(figure.x, figure.y)
        half = close.grain / 2
        far = np.minimum(far, np.hypot(x - left - half, y - top) / (close.grain * REACH))
    share = np.round(np.clip(1.5 - 1.5 * far, 0, 1) * STEPS) / STEPS
    out: Packed = pack_colours(unpack_colours(pixels) * (DIM + (1 - DIM) * share)[..., None])
    return out


# ---- people from close by


TALL = {"short": 1.7, "tall": 2.3}  # tiles from head to feet; anybody else: 2
EYES = 8  # grain from which eyes are drawn
EYE = 0x241C1A


@lru_cache(1024)
def body(hair: str, skin: str, clothes: int, build: str, grain: int, asleep: bool = False) -> tuple[Dot, ...]:
    """A person's pixels: rows below the feet's own row, columns to the right of the left edge, colour.

    grain: pixels a tile is wide. A sleeper lies in the tile, the head on the pillow.
    """
    dark, face = HAIR.get(hair, HAIR["brown"]), SKIN.get(skin, SKIN["light"])
    return _lying(dark, face, clothes, grain) if asleep else _standing(dark, face, clothes, build, grain)


def _standing(dark: int, face: int, clothes: int, build: str, grain: int) -> tuple[Dot, ...]:
    high = round(grain * TALL.get(build, 2.0))
    out: dict[tuple[int, int], int] = {}

    def rect(x0: float, y0: float, x1: float, y1: float, colour: int) -> None:
        for row in range(round(y0 * high), max(round(y0 * high) + 1, round(y1 * high))):
            for column in range(round(x0 * grain), max(round(x0 * grain) + 1, round(x1 * grain))):
                out[row, column] = colour

    trousers = scale(clothes, 0.5)
    rect(0.27, 0.70, 0.73, 0.97, trousers)
    rect(0.47, 0.78, 0.53, 0.97, scale(trousers, 0.72))
    rect(0.22, 0.95, 0.48, 1, scale(trousers, 0.55))
    rect(0.52, 0.95, 0.78, 1, scale(trousers, 0.55))
    rect(0.2, 0.36, 0.8, 0.72, clothes)
    rect(0.62, 0.36, 0.8, 0.72, scale(clothes, 0.84))
    rect(0.05, 0.38, 0.22, 0.64, scale(clothes, 0.78))
    rect(0.78, 0.38, 0.95, 0.64, scale(clothes, 0.66))
    rect(0.05, 0.64, 0.22, 0.70, face)
    rect(0.78, 0.64, 0.95, 0.70, scale(face, 0.86))
    rect(0.4, 0.32, 0.6, 0.38, scale(face, 0.86))
    rect(0.24, 0.06, 0.76, 0.33, face)
    rect(0.62, 0.12, 0.76, 0.33, scale(face, 0.92))
    rect(0.24, 0, 0.76, 0.12, dark)
    rect(0.2, 0.04, 0.3, 0.22, dark)
    rect(0.7, 0.04, 0.8, 0.22, scale(dark, 0.86))
    if grain >= EYES:
        for eye in (0.38, 0.58):
            out[round(0.19 * high), round(eye * grain)] = EYE
        rect(0.42, 0.26, 0.58, 0.27, scale(face, 0.62))
    first = 1 - high
    return tuple((first + row, column, colour) for (row, column), colour in sorted(out.items()))


def _lying(dark: int, face: int, clothes: int, grain: int) -> tuple[Dot, ...]:
    cover = mix(clothes, 0x50566A, 0.45)
    out = []
    for row in range(grain):
        for column in range(grain):
            x, y = column / grain, row / grain
            if y < 0.5 and 0.25 <= x < 0.75:
                out.append((row - grain + 1, column, dark if y < 0.2 else face))
            elif y >= 0.5:
                out.append((row - grain + 1, column, cover if x < 0.6 else scale(cover, 0.86)))
    return tuple(out)
