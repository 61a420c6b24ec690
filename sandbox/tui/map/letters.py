"""The far view in pixels (FarPainter), and the town in characters: box drawing in sixteen colours, or ASCII only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil, floor
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.terminal_theme import TerminalTheme

from sandbox.tui.map.bubbles import Bubble
from sandbox.tui.map.light import Floats, Packed, pack_colours, unpack_colours
from sandbox.tui.map.painter import NAME_CELLS, Painter, crop
from sandbox.tui.map.people import LINK_MOODS, LINK_SIGNS, MapFigure, cells_between
from sandbox.tui.map.picture import Picture, sector_mask
from sandbox.tui.map.terrain import Terrain
from sandbox.tui.theme.colours import DARK, PANEL, scale
from sandbox.tui.view.cells import NEAR, Box, Canvas, Inker, MapScale, crop_to_view, fit_text, initial

NEIGHBOURS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1))


class FarPainter(Painter):
    """Like Painter, but a cell covers more than a tile (`scale`); views count such cells. Draws no bubbles."""

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
    """A cell of the view for each person. Where several would share a cell, all but the first get a free neighbour if
    there is one.
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
    """The picture scaled down: each block of scale.x columns and scale.y rows becomes its mean colour."""
    rows = _means(unpack_colours(pixels), scale.y)
    out = pack_colours(_means(rows.transpose(1, 0, 2), scale.x).transpose(1, 0, 2) + np.float32(0.5))
    if len(out) % 2:  # fill the last cell's lower half with dark
        out = np.vstack([out, np.full((1, out.shape[1]), DARK, np.uint32)])
    return out


def _means(colours: Floats, factor: float) -> Floats:
    """Means of every `factor` rows (may be fractional), as differences of a cumulative sum at the edges."""
    length = len(colours)
    edges = np.minimum(np.arange(ceil(length / factor - 1e-6) + 1) * factor, length)
    sums = np.zeros((length + 1, *colours.shape[1:]))
    np.cumsum(colours, axis=0, out=sums[1:])
    whole = np.minimum(edges.astype(np.intp), length - 1)
    part = (edges - whole)[:, None, None]
    upto = sums[whole] * (1 - part) + sums[whole + 1] * part
    out: Floats = (np.diff(upto, axis=0) / np.diff(edges)[:, None, None]).astype(np.float32)
    return out


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
    "calm": CYAN,
    "vague": WHITE,
}
GREY_INKS = (  # marks tell these moods apart
    dict.fromkeys(MOOD_INKS, WHITE)
    | dict.fromkeys(("joy", "surprise", "calm"), BRIGHT + WHITE)
    | dict.fromkeys(("sad", "angry", "afraid"), BRIGHT + BLACK)
)
CHOSEN = BRIGHT + WHITE
ROOF_INKS = {
    "terracotta": RED,
    "slate": BRIGHT + BLACK,
    "plum": MAGENTA,
    "moss": GREEN,
    "ochre": YELLOW,
    "blue": BLUE,
    "thatch": YELLOW,
}
# look -> sign, ASCII sign, colour
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
OPEN = np.array([ord(sign) for sign in " ·.,≈~░:"])  # signs that a stroke of rain may replace

Signs: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]  # codes, colours


@lru_cache(4096)
def ansi_style(fg: int, bg: int, bold: bool) -> Style:
    """The style of two of the sixteen colours."""
    return Style(color=Color.from_ansi(fg), bgcolor=Color.from_ansi(bg), bold=bold or None)


# Colours on a light screen: black and white change places, bright colours become dark.
ON_PAPER = {BLACK: BRIGHT + WHITE, WHITE: BLACK, BRIGHT + WHITE: BLACK} | {
    BRIGHT + ink: ink for ink in (RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN)
}


def paper_style(fg: int, bg: int, bold: bool) -> Style:
    """`ansi_style` for a light screen. A coloured background stays; the chosen person's is reversed."""
    if bg == CHOSEN:
        return ansi_style(CHOSEN, BLACK, bold)
    if bg != BLACK:
        return ansi_style(fg, bg, bold)
    return ansi_style(ON_PAPER.get(fg, fg), ON_PAPER[BLACK], bold)


# The sixteen colours of a VGA card, blue a little lighter; the look the letters are designed for.
SIXTEEN = TerminalTheme(
    (0, 0, 0),
    (170, 170, 170),
    [(0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (30, 50, 180), (170, 0, 170), (0, 170, 170), (170, 170, 170)],
    [
        (85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85),
        (85, 85, 255), (255, 85, 255), (85, 255, 255), (255, 255, 255),
    ],
)  # fmt: skip


class LetterPainter(Painter):
    """Like Painter, with one character a cell and sixteen colours (0..15 in the canvas). paper: whether the screen is
    light.
    """

    styler = staticmethod(ansi_style)
    chip = (WHITE, BLACK)
    bright = (CHOSEN, BLACK)
    said = CHOSEN

    def __init__(self, picture: Picture, palette: str = "default", scale: MapScale = NEAR, paper: bool = False) -> None:
        super().__init__(picture, palette, scale)
        if paper:
            self._ink = Inker(paper_style)
        self._signs = self._open = open_signs(picture.terrain, self.ascii_only)

    def mood_ink(self, mood: str) -> int:
        return (GREY_INKS if self.palette == "grey" else MOOD_INKS).get(mood, WHITE)

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        if self._state[0] < 0 or self._state[1] != alpha:
            self._signs = add_roofs(self.picture.terrain, self._open, alpha, self.ascii_only, self.scale != NEAR)
            if self.scale != NEAR:
                self._signs = sample_signs(self.picture.terrain, self._signs, self.scale)
        self._state = (step, alpha, lit, self.weather)

    def _paint(
        self, canvas: Canvas, view: Box, figures: list[MapFigure], bubbles: Sequence[Bubble], frame: int
    ) -> None:
        codes, colours = self._signs
        canvas.code[:], canvas.fg[:] = crop_to_view(codes, view, ord(" ")), crop_to_view(colours, view, 0)
        self._weather(canvas, view, frame)
        self.bodies = figure_cells(figures, self.scale, view)
        if self.scale == NEAR:
            self._join(canvas)
        for figure in figures:
            x, y, _, _ = self.bodies[figure.id]
            letter = initial(figure.name).lower() if figure.asleep else initial(figure.name)
            canvas.write(x, y, letter, BLACK, self._colour(figure), bold=figure.selected)
        self._marks(canvas, figures, self._mood)
        for figure in figures:
            if figure.name_shown or figure.selected:
                self._name(canvas, view, figure, fit_text(figure.name, NAME_CELLS), self.bodies[figure.id])
        if self.scale == NEAR:
            self._speak(canvas, view, bubbles)

    def _weather(self, canvas: Canvas, view: Box, frame: int) -> None:
        """Draw rain on open ground, and blackouts in grey."""
        if self.weather.dark:
            dark = sector_mask(self.picture.terrain, self.weather.dark)
            if self.scale == NEAR:
                canvas.fg[crop_to_view(dark, view, 0)] = BRIGHT + BLACK
            elif dark.any():
                canvas.fg[:] = BRIGHT + BLACK
        seen = self._strokes(view, frame)
        if seen is not None:
            here = (seen[0::2] | seen[1::2]) & np.isin(canvas.code, OPEN)
            canvas.code[here], canvas.fg[here] = ord("'"), BRIGHT + BLUE

    def _join(self, canvas: Canvas) -> None:
        """Write signs between people who talk."""
        for a, b, tone in self.links:
            if a in self.bodies and b in self.bodies:
                one, two = self.bodies[a], self.bodies[b]
                for x, y in cells_between(one.x, one.y, two.x, two.y):
                    canvas.write(x, y, LINK_SIGNS[tone], self.mood_ink(LINK_MOODS[tone]), BLACK)


class AsciiPainter(LetterPainter):
    """LetterPainter in ASCII only."""

    ascii_only = True


def open_signs(terrain: Terrain, ascii_only: bool) -> Signs:
    """Characters and colours of all tiles without roofs."""
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


def add_roofs(
    terrain: Terrain, signs: Signs, alpha: Mapping[str, float], ascii_only: bool, walls: bool = False
) -> Signs:
    """The signs with closed roofs as shaded areas. alpha: sector -> roof's alpha; walls: also cover outer walls."""
    codes, colours = signs[0].copy(), signs[1].copy()
    for number, area in enumerate(terrain.sectors):
        here = terrain.building == number
        if not walls:
            here &= ~terrain.outer
        if area.roof and alpha.get(area.name, 1.0) > 0.5:
            codes[here], colours[here] = ord(":" if ascii_only else "░"), ROOF_INKS.get(area.roof, WHITE)
    return codes, colours


def sample_signs(terrain: Terrain, signs: Signs, scale: MapScale) -> Signs:
    """One sign for each cell of `scale` tiles: the most frequent one, houses and trees counting more."""
    high, wide = ceil(terrain.height / scale.y - 1e-6), ceil(terrain.width / scale.x - 1e-6)
    codes, colours = np.zeros((high, wide), np.int64), np.zeros((high, wide), np.uint32)
    weight = np.where(terrain.building >= 0, 1.6, np.where(terrain.look == "tree", 1.4, 1.0))
    weight[terrain.wall & (terrain.building < 0)] = 0.5
    for y in range(high):
        y0, y1 = int(y * scale.y), max(int(y * scale.y) + 1, min(terrain.height, int((y + 1) * scale.y)))
        for x in range(wide):
            x0, x1 = int(x * scale.x), max(int(x * scale.x) + 1, min(terrain.width, int((x + 1) * scale.x)))
            block = np.s_[y0:y1, x0:x1]
            votes: dict[tuple[int, int], float] = {}
            for code, colour, many in zip(signs[0][block].flat, signs[1][block].flat, weight[block].flat, strict=True):
                votes[int(code), int(colour)] = votes.get((int(code), int(colour)), 0.0) + float(many)
            codes[y, x], colours[y, x] = max(votes, key=lambda sign: (votes[sign], sign))
    return codes, colours


def _wall(terrain: Terrain, y: int, x: int) -> str:
    """The box-drawing sign that joins a wall to its neighbours (doors join too)."""

    def joins(dy: int, dx: int) -> bool:
        inside = 0 <= y + dy < terrain.height and 0 <= x + dx < terrain.width
        return inside and bool(terrain.wall[y + dy, x + dx] or terrain.door[y + dy, x + dx])

    ways = joins(-1, 0) | joins(1, 0) << 1 | joins(0, -1) << 2 | joins(0, 1) << 3
    return "□│││─┘┐┤─└┌├─┴┬┼"[ways]
