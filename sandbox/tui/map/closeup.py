"""Frames of the close view, in pixels and in characters: people a tile wide, speakers in a spotlight, the others dim.

The interface is that of the map's painters; the view must have as many cells as the `Close` it shows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from rich.cells import cell_len

from sandbox.tui.map.bubbles import Bubble
from sandbox.tui.map.close import Close, paint_close
from sandbox.tui.map.furniture import MOTIFS
from sandbox.tui.map.letters import BLACK, BRIGHT, CHOSEN, SIGNS, WHITE, YELLOW, LetterPainter
from sandbox.tui.map.light import Packed, pack_colours, shade_colours, unpack_colours
from sandbox.tui.map.painter import NAME_CELLS, Painter
from sandbox.tui.map.people import RING, SHADOW, MapFigure, body
from sandbox.tui.map.terrain import split_runs
from sandbox.tui.theme.colours import mood_colour, scale
from sandbox.tui.view.cells import Box, Canvas, fit_text, initial

DIM, REACH, STEPS = 0.5, 3.2, 6  # brightness away from speakers; radius of the spotlight in tiles; shades to its edge
ASIDE = 0.66  # brightness of bystanders
BESIDE = ((0.0, 0.0), (0.8, 0.0), (-0.8, 0.0), (0.4, 0.8), (-0.4, -0.8), (1.6, 0.0), (-1.6, 0.0))  # tiles, in order
NOWHERE = Close(0, 0, 0, 0, 4, 0, 0, 0, 0)


class CloseView(Painter):
    """What the painters of a room from close by share. close: the view they draw. speakers: who is in the spotlight;
    empty = none. speaking: who speaks now. aside: ink of the names of bystanders.
    """

    close = NOWHERE
    speakers: Collection[str] = ()
    speaking = ""
    aside = Painter.chip[0]

    def _hidden(self, figure: MapFigure, alpha: object) -> bool:
        return not self.close.shows(figure.column, figure.row)

    def _lain(self, figure: MapFigure) -> MapFigure:
        return figure

    def _stands_by(self, figure: MapFigure) -> bool:
        """Whether others are in the spotlight."""
        return bool(self.speakers) and figure.id not in self.speakers

    def _stands_out(self, figure: MapFigure) -> bool:
        return figure.selected or figure.id == self.speaking

    def _paint(
        self, canvas: Canvas, view: Box, figures: list[MapFigure], bubbles: Sequence[Bubble], frame: int
    ) -> None:
        order = sorted(unstack(figures, self.speakers), key=lambda f: f.id in self.speakers)
        self._room(canvas, figures, order)
        self._marks(canvas, figures, self._mood)
        for figure in reversed(order):  # speakers first, the others where there is room
            chip = close_name_area(figure, self.bodies[figure.id], self.words, canvas)
            if chip is not None:
                ink = self.bright[0] if self._stands_out(figure) else self._ink_of(figure)
                name, bold = f" {fit_text(figure.name, NAME_CELLS)} ", self._bold(figure, ink)
                canvas.write(chip.x, chip.y, name, ink, self.bright[1], bold=bold)
                self.words.append(chip)
        self._speak(canvas, view, bubbles, self.lids)

    def _room(self, canvas: Canvas, figures: Sequence[MapFigure], order: Sequence[MapFigure]) -> None:
        """Draw the room and the people. order: the figures moved apart, speakers last."""
        raise NotImplementedError

    def _ink_of(self, figure: MapFigure) -> int:
        return self.aside if self._stands_by(figure) else self._mood(figure)

    def _bold(self, figure: MapFigure, ink: int) -> bool:
        """Whether a name in that ink is bold."""
        return not self._stands_by(figure)


class ClosePainter(CloseView):
    """Draws the close view in pixels."""

    _lit: tuple[object, ...] = ()

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        now = (self.close, step, lit)
        if now != self._lit:
            self._lit = now
            self._base = pack_colours(paint_close(self.picture, self.close, step, lit))

    def _room(self, canvas: Canvas, figures: Sequence[MapFigure], order: Sequence[MapFigure]) -> None:
        pixels = self._base.copy()
        if self.speakers:
            pixels = spotlight(pixels, self.close, [f for f in figures if f.id in self.speakers])
        for figure in order:
            self.bodies[figure.id] = self._figure(pixels, figure)
        canvas.fg[:], canvas.bg[:] = pixels[0::2], pixels[1::2]

    def _figure(self, pixels: Packed, figure: MapFigure) -> Box:
        """Draw a person; return the cells they cover."""
        close, grain = self.close, self.close.grain
        left, top = close.pixel(figure.x, figure.y)
        feet = top + grain - 1 - (0 if figure.asleep else grain // 6)
        if not figure.asleep:
            wide = range(left + 1, left + grain)
            for row in (feet, feet + 1):
                for column in wide:
                    if 0 <= row < len(pixels) and 0 <= column < pixels.shape[1]:
                        pixels[row : row + 1, column] = shade_colours(pixels[row : row + 1, column], SHADOW)
        if self._stands_out(figure):
            for column in range(left - 1, left + grain + 1):
                if 0 <= feet + 2 < len(pixels) and 0 <= column < pixels.shape[1]:
                    pixels[feet + 2, column] = RING
        dots = body(
            figure.hair, figure.skin, mood_colour(figure.mood, self.palette), figure.build, grain, figure.asleep
        )
        for dy, dx, colour in dots:
            row, column = feet + dy, left + dx
            if 0 <= row < len(pixels) and 0 <= column < pixels.shape[1]:
                pixels[row, column] = scale(colour, ASIDE) if self._stands_by(figure) else colour
        head = feet + min(dot[0] for dot in dots)
        return Box(left, head // 2, grain, feet // 2 - head // 2 + 1)


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


# ---- the close view in characters


THING = BRIGHT + BLACK
BODY, LEGS, BED = "/█\\", "/ \\", "~~~"


class CloseLetters(CloseView, LetterPainter):
    """Draws the close view in characters."""

    aside = THING

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        """Nothing: characters are as light by night as by day."""

    def _room(self, canvas: Canvas, figures: Sequence[MapFigure], order: Sequence[MapFigure]) -> None:
        canvas.code[:] = ord(" ")
        self._ground(canvas)
        self._things(canvas)
        for figure in order:
            self.bodies[figure.id] = self._figure(canvas, figure)

    def _bold(self, figure: MapFigure, ink: int) -> bool:
        return ink == CHOSEN

    def _tiles(self) -> list[tuple[int, int]]:
        shown = Box(*self.close[:4]).shared(Box(0, 0, self.picture.width, self.picture.height))
        return [(x, y) for y in range(shown.y, shown.y + shown.height) for x in range(shown.x, shown.x + shown.width)]

    def _cell(self, x: int, y: int) -> tuple[int, int]:
        column, row = self.close.pixel(x, y)
        return column, row // 2

    def _ground(self, canvas: Canvas) -> None:
        terrain, grain = self.picture.terrain, self.close.grain
        for x, y in self._tiles():
            column, row = self._cell(x, y)
            look = str(terrain.look[y, x])
            rich, poor, ink = SIGNS.get(look, (" ", " ", THING))
            if terrain.wall[y, x]:
                rich, poor, ink = "█", "#", WHITE
            elif terrain.door[y, x]:
                rich, poor, ink = "+", "+", BRIGHT + YELLOW
            full = terrain.wall[y, x] or terrain.door[y, x] or look in ("water", "pond", "hedge", "tree")
            sign = poor if self.ascii_only else rich
            for line in range(grain // 2):
                text = sign * grain if full else (sign if not line else " ").ljust(grain)
                canvas.write(column, row + line, text, ink, BLACK)

    def _things(self, canvas: Canvas) -> None:
        """Write each thing's name over the equal tiles side by side, with a shade below."""
        terrain, (x0, y0, wide, high), grain = self.picture.terrain, self.close[:4], self.close.grain
        things = ((terrain.kind == "object") | np.isin(terrain.look, list(MOTIFS))) & ~terrain.door
        for y in range(max(0, y0), min(terrain.height, y0 + high)):
            for run in split_runs(things[y]):
                while run:
                    look = str(terrain.look[y, run[0]])
                    same = [x for x in run if str(terrain.look[y, x]) == look]
                    same = [x for n, x in enumerate(same) if x == run[0] + n]
                    run = run[len(same) :]
                    shown = [x for x in same if x0 <= x < x0 + wide]
                    if shown:
                        self._thing(canvas, look, shown[0], y, len(shown) * grain)

    def _thing(self, canvas: Canvas, look: str, x: int, y: int, cells: int) -> None:
        column, row = self._cell(x, y)
        word = look.replace("_", " ")
        named = (
            f"[{fit_text(word, cells - 2).center(cells - 2)}]" if cells - 2 >= len(word) else word[:cells].ljust(cells)
        )
        canvas.write(column, row, named, YELLOW, BLACK)
        shade = ":" if self.ascii_only else "░"
        for line in range(1, self.close.grain // 2):
            canvas.write(column, row + line, shade * cells, THING, BLACK)

    def _figure(self, canvas: Canvas, figure: MapFigure) -> Box:
        column, row = self.close.pixel(figure.x, figure.y)
        x, y = column + (self.close.grain - 3) // 2, row // 2 + self.close.grain // 2 - 3
        ink = self._ink_of(figure)
        letter = initial(figure.name).lower() if figure.asleep else initial(figure.name)
        parts = (f"({letter})", BED, BED) if figure.asleep else (f"({letter})", BODY, LEGS)
        for line, text in enumerate(parts):
            canvas.write(x, y + line, text, ink, BLACK, bold=self._stands_out(figure))
        return Box(x, y, 3, 3)


class CloseAscii(CloseLetters):
    """The close view in ASCII only."""

    ascii_only = True
