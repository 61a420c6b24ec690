"""The close view in characters: walls, names of things, people three rows high; sixteen colours, or ASCII only."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from sandbox.tui.map.bubbles import Bubble
from sandbox.tui.map.closeup import NOWHERE, close_name_area, unstack
from sandbox.tui.map.furniture import MOTIFS
from sandbox.tui.map.letters import BLACK, BRIGHT, CHOSEN, SIGNS, WHITE, YELLOW, LetterPainter
from sandbox.tui.map.painter import NAME_CELLS
from sandbox.tui.map.people import MapFigure
from sandbox.tui.map.picture import Picture
from sandbox.tui.map.terrain import split_runs
from sandbox.tui.view.cells import NEAR, Box, Canvas, MapScale, fit_text, initial

THING = BRIGHT + BLACK
BODY, LEGS, BED = "/█\\", "/ \\", "~~~"


class CloseLetters(LetterPainter):
    """Draws the close view `close` in characters. speakers, speaking: as in `closeup.ClosePainter`."""

    def __init__(self, picture: Picture, palette: str = "default", scale: MapScale = NEAR, paper: bool = False) -> None:
        super().__init__(picture, palette, scale, paper)
        self.close = NOWHERE
        self.speakers: Collection[str] = ()
        self.speaking = ""

    def _hidden(self, figure: MapFigure, alpha: object) -> bool:
        return not self.close.shows(figure.column, figure.row)

    def _lain(self, figure: MapFigure) -> MapFigure:
        return figure

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        """Nothing: characters are as light by night as by day."""

    def _paint(
        self, canvas: Canvas, view: Box, figures: list[MapFigure], bubbles: Sequence[Bubble], frame: int
    ) -> None:
        canvas.code[:] = ord(" ")
        self._ground(canvas)
        self._things(canvas)
        order = sorted(unstack(figures, self.speakers), key=lambda f: f.id in self.speakers)
        for figure in order:
            self.bodies[figure.id] = self._figure(canvas, figure)
        self._marks(canvas, figures, self._mood)
        for figure in reversed(order):
            chip = close_name_area(figure, self.bodies[figure.id], self.words, canvas)
            if chip is not None:
                ink = CHOSEN if figure.selected or figure.id == self.speaking else self._ink_of(figure)
                canvas.write(chip.x, chip.y, f" {fit_text(figure.name, NAME_CELLS)} ", ink, BLACK, bold=ink == CHOSEN)
                self.words.append(chip)
        self._speak(canvas, view, bubbles, self.lids)

    def _ink_of(self, figure: MapFigure) -> int:
        aside = bool(self.speakers) and figure.id not in self.speakers
        return THING if aside else self._mood(figure)

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
            bold = figure.selected or figure.id == self.speaking
            canvas.write(x, y + line, text, ink, BLACK, bold=bold)
        return Box(x, y, 3, 3)


class CloseAscii(CloseLetters):
    """The close view in ASCII only."""

    ascii_only = True
