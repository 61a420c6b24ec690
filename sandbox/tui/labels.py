"""Names of places on the map: small dim chips on closed roofs and on the far walls of open buildings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len
from rich.segment import Segment

from sandbox.core.text import clean
from sandbox.tui.ink import style
from sandbox.tui.render.bubbles import Area
from sandbox.tui.render.cells import Canvas
from sandbox.tui.render.picture import Picture

PAPER, INK = 0x1B2130, 0xA2AAB8
MOSTLY = 0.7  # share of a building in view from which it is named
MARGIN = 1
SPOTS = 60  # places tried on a roof


class Chip(NamedTuple):
    """A name in the view's own cells."""

    x: int
    y: int
    text: str


class Plot(NamedTuple):
    """A building with its name and the places for it on the map, the best first: on the roof, and on open walls."""

    sector: str
    text: str
    area: Area
    roof: tuple[tuple[int, int], ...]
    wall: tuple[tuple[int, int], ...]


class Labels:
    """Where the names stand: a chip stays in its place for as long as that is free. shown: whether there are any."""

    def __init__(self, picture: Picture) -> None:
        self.shown = True
        self._plots = [plot for number in range(len(picture.plan.sectors)) if (plot := _plot(picture, number))]
        self._last: dict[str, tuple[bool, tuple[int, int]]] = {}
        self.chips: list[Chip] = []

    def lay(self, view: Area, canvas: Canvas, taken: list[Area], roofs: Mapping[str, float]) -> set[int]:
        """Find the places of a frame; the rows whose names are others than before.

        view: the cells of the map on the canvas; taken: areas of the canvas to keep clear, beside all that is written
        there; roofs: alpha of each.
        """
        before, self.chips = self.chips, []
        for plot in self._plots if self.shown else ():
            if chip := self._chip(plot, view, canvas, taken, roofs):
                self.chips.append(chip)
        return {chip.y for chip in {*before} ^ {*self.chips}}

    def _chip(
        self, plot: Plot, view: Area, canvas: Canvas, taken: list[Area], roofs: Mapping[str, float]
    ) -> Chip | None:
        was, last = self._last.pop(plot.sector, (False, (0, 0)))
        if plot.area.overlap(view) < MOSTLY * plot.area.width * plot.area.height:
            return None
        closed = roofs.get(plot.sector, 1.0) > 0.5
        spots = plot.roof if closed else plot.wall
        for x, y in (last, *spots) if was == closed and last in spots else spots:
            chip = Chip(x - view.x, y - view.y, plot.text)
            if _free(Area(chip.x, chip.y, cell_len(chip.text), 1), canvas, taken):
                self._last[plot.sector] = (closed, (x, y))
                return chip
        return None

    def over(self, y: int, line: list[Segment]) -> list[Segment]:
        """Row y of the frame with the names that stand on it."""
        chips = [chip for chip in self.chips if chip.y == y]
        return over(line, chips) if chips else line


def _plot(picture: Picture, number: int) -> Plot | None:
    """A sector's building; None if it has none, or its plot is too narrow for its name."""
    sector = picture.plan.sectors[number]
    text = f" {clean((sector.called or sector.name).removeprefix('the '), 22)} "
    wide = cell_len(text)
    house = picture.terrain.building == number
    tiles = np.argwhere(house)
    if not len(tiles) or wide > sector.rect[2]:
        return None
    (y0, x0), (y1, x1) = tiles.min(axis=0).tolist(), tiles.max(axis=0).tolist()
    roof = np.zeros_like(house)
    for part in picture.roofs:
        if part.number == number:
            ys, xs = np.nonzero(part.mask > 0.5)
            roof[(ys + part.top) // 2, xs + part.left] = True
    return Plot(
        sector.name,
        text,
        Area(x0, y0, x1 - x0 + 1, y1 - y0 + 1),
        tuple(_spots(roof & house, wide, (y0 + y1) / 2)[:SPOTS]),
        tuple(_spots(house[: y0 + 1], wide, y0)),
    )


def _spots(tiles: npt.NDArray[np.bool_], wide: int, row: float) -> list[tuple[int, int]]:
    """Where so many of the tiles lie side by side, nearest to the row and the middle first.

    Where there are nowhere so many, the middle of a row's tiles.
    """
    rows = np.flatnonzero(tiles.any(1)).tolist()
    out: list[tuple[float, tuple[int, int]]] = []
    narrow: list[tuple[float, tuple[int, int]]] = []
    for y in rows:
        columns = np.flatnonzero(tiles[y])
        middle = (int(columns[0]) + int(columns[-1]) + 1 - wide) / 2
        narrow.append((abs(y - row), (max(0, round(middle)), y)))
        fitting = [x for x in columns.tolist() if tiles[y, x : x + wide].sum() == wide]
        out += [(2 * abs(y - row) + abs(x - middle), (x, y)) for x in fitting]
    return [at for _, at in sorted(out or narrow)]


def _free(chip: Area, canvas: Canvas, taken: list[Area]) -> bool:
    if chip.x < 0 or chip.y < 0 or chip.x + chip.width > canvas.width or chip.y >= canvas.height:
        return False
    near = Area(chip.x - MARGIN, chip.y, chip.width + 2 * MARGIN, 1)
    if any(near.overlap(area) for area in taken):
        return False
    return not canvas.code[chip.y, max(0, near.x) : near.x + near.width].any()


def over(line: Iterable[Segment], chips: list[Chip]) -> list[Segment]:
    """A row with the chips that stand on it. The row is of single cells; the segments given are not changed."""
    out: list[Segment] = []
    column = 0
    chips = sorted(chips)
    ends = [(chip.x, chip.x + cell_len(chip.text)) for chip in chips]
    said = 0
    for segment in line:
        length = segment.cell_length
        start, end = column, column + length
        column = end
        while True:
            while said < len(chips) and ends[said][1] <= start:
                said += 1
            if said >= len(chips) or ends[said][0] >= end:
                break
            first, last = ends[said]
            if first > start:
                head, segment = segment.split_cells(first - start)
                out.append(head)
                start = first
            if start == first:
                out.append(Segment(chips[said].text, style(INK, bg=PAPER)))
            if last >= end:
                start = end
                break
            _, segment = segment.split_cells(last - start)
            start = last
        if start < end:
            out.append(segment)
    return out
