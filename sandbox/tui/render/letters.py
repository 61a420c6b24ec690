"""The town without pictures: letters and box drawing in sixteen colours, or ASCII alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from rich.color import Color
from rich.style import Style

from sandbox.tui.render import bubbles as speech
from sandbox.tui.render.bubbles import Area, Bubble, Inks
from sandbox.tui.render.cells import BOLD, Canvas, initial, plain
from sandbox.tui.render.painter import NAME_CELLS, Painter
from sandbox.tui.render.people import Figure
from sandbox.tui.render.terrain import Terrain

BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE = range(8)
BRIGHT = 8
MOOD_INKS = {
    "joy": BRIGHT + YELLOW,
    "sad": BRIGHT + BLUE,
    "angry": BRIGHT + RED,
    "afraid": BRIGHT + MAGENTA,
    "disgust": YELLOW,
    "surprise": BRIGHT + CYAN,
    "contempt": MAGENTA,
    "calm": BRIGHT + WHITE,
    "vague": WHITE,
}
ROOF_INKS = {
    "terracotta": RED,
    "slate": BRIGHT + BLACK,
    "plum": MAGENTA,
    "moss": GREEN,
    "ochre": YELLOW,
    "blue": BLUE,
    "thatch": YELLOW,
}
# look: sign, its ASCII likeness, colour
SIGNS: dict[str, tuple[str, str, int]] = {
    "grass": ("·", ".", GREEN),
    "meadow": (",", ",", GREEN),
    "lawn": ("·", ".", GREEN),
    "road": (" ", " ", YELLOW),
    "path": ("·", ".", YELLOW),
    "paving": (" ", " ", WHITE),
    "sand": ("·", ".", YELLOW),
    "planks": ("=", "=", YELLOW),
    "floor": (" ", " ", WHITE),
    "water": ("≈", "~", BLUE),
    "pond": ("≈", "~", BLUE),
    "tree": ("♣", "T", GREEN),
    "hedge": ("▒", "%", GREEN),
    "fence": ("┼", "|", YELLOW),
    "flowers": ("*", "*", MAGENTA),
    "door": ("+", "+", BRIGHT + YELLOW),
}


Signs: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]  # codes, colours


@lru_cache(4096)
def ansi_style(fg: int, bg: int, bold: bool) -> Style:
    """The style of two of the sixteen colours."""
    return Style(color=Color.from_ansi(fg), bgcolor=Color.from_ansi(bg), bold=bold or None)


class LetterPainter(Painter):
    """Like Painter, one sign a tile and sixteen colours (colours in the canvas are 0..15)."""

    styler = staticmethod(ansi_style)

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        if self._state is None:
            self._open = open_signs(self.picture.terrain, self.ascii_only)
        if self._state is None or self._state[1] != alpha:
            self._signs = roofed(self.picture.terrain, self._open, alpha, self.ascii_only)
        self._state = (step, alpha, lit)

    def _paint(
        self,
        canvas: Canvas,
        view: Area,
        figures: list[Figure],
        bubbles: Sequence[Bubble],
        lamp: float,
        frame: int,
    ) -> None:
        canvas.code[:] = ord(" ")
        codes, colours = self._signs
        high, wide = codes.shape
        y0, x0 = max(0, view.y), max(0, view.x)
        y1, x1 = min(high, view.y + view.height), min(wide, view.x + view.width)
        if y0 < y1 and x0 < x1:
            place = np.s_[y0 - view.y : y1 - view.y, x0 - view.x : x1 - view.x]
            canvas.code[place], canvas.fg[place] = codes[y0:y1, x0:x1], colours[y0:y1, x0:x1]
        bodies = {f.id: Area(f.column - view.x, f.row - view.y, 1, 1) for f in figures}
        for figure in figures:
            x, y, _, _ = bodies[figure.id]
            ink = MOOD_INKS.get(figure.mood, WHITE)
            letter = initial(figure.name)
            canvas.write(x, y, letter.lower() if figure.asleep else letter, BLACK, ink, bold=figure.selected)
            if mark := plain(figure.mark, 2):
                canvas.write(x, y - 1, mark, ink, BLACK, bold=True)
            if figure.name_shown or figure.selected:
                name = plain(figure.name, NAME_CELLS)
                canvas.write(x - len(name) // 2, y + 1, name, ink, BLACK, bold=True)
        self._placed = speech.place(bubbles, bodies, view, self._placed if self._view == view else ())
        for placed in self._placed:
            ink = MOOD_INKS.get(placed.bubble.mood, WHITE)
            speech.draw(canvas, placed, Inks(ink, BLACK, BRIGHT + WHITE))


class AsciiPainter(LetterPainter):
    """Letters in ASCII alone."""

    ascii_only = True


def open_signs(terrain: Terrain, ascii_only: bool) -> Signs:
    """Codes and colours of all tiles with no roofs on."""
    codes = np.full((terrain.height, terrain.width), ord(" "), np.int64)
    colours = np.full(codes.shape, WHITE, np.uint32)
    for y in range(terrain.height):
        for x in range(terrain.width):
            look = str(terrain.look[y, x])
            if terrain.wall[y, x]:
                codes[y, x], colours[y, x] = ord("#" if ascii_only else _wall(terrain, y, x)), BRIGHT + WHITE
                continue
            rich, poor, ink = SIGNS.get(look, (look[:1], look[:1], BRIGHT + BLACK))
            codes[y, x], colours[y, x] = ord((poor if ascii_only else rich) or " "), ink
    return codes, colours


def roofed(terrain: Terrain, signs: Signs, alpha: Mapping[str, float], ascii_only: bool) -> Signs:
    """The same with closed roofs, each one shaded block with its name on it."""
    codes, colours = signs[0].copy(), signs[1].copy()
    for number, area in enumerate(terrain.sectors):
        here = (terrain.building == number) & ~terrain.outer
        if not area.roof or alpha.get(area.name, 1.0) <= 0.5 or not here.any():
            continue
        codes[here], colours[here] = ord(":" if ascii_only else "░"), ROOF_INKS.get(area.roof, WHITE)
        ys, xs = np.nonzero(here)
        row, first, last = int(np.median(ys)), int(xs.min()), int(xs.max())
        canvas = Canvas(1, last - first + 1, ascii_only)
        name = plain(area.name, canvas.width)
        canvas.write((canvas.width - len(name)) // 2, 0, name, BRIGHT + WHITE, BLACK, bold=True)
        named = np.flatnonzero(canvas.code[0])
        codes[row, first + named] = canvas.code[0, named] | BOLD
        colours[row, first + named] = BRIGHT + WHITE
    return codes, colours


def _wall(terrain: Terrain, y: int, x: int) -> str:
    """The box-drawing sign that joins a wall to its neighbours (doors join too)."""

    def joins(dy: int, dx: int) -> bool:
        inside = 0 <= y + dy < terrain.height and 0 <= x + dx < terrain.width
        return inside and bool(terrain.wall[y + dy, x + dx] or terrain.door[y + dy, x + dx])

    ways = joins(-1, 0) | joins(1, 0) << 1 | joins(0, -1) << 2 | joins(0, 1) << 3
    return "□│││─┘┐┤─└┌├─┴┬┼"[ways]
