"""Furniture in the close view: each thing in its two colours from the map, with tops, fronts and legs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandbox.tui.map.furniture import MOTIFS, SPINES, FurnitureTile, motif_for
from sandbox.tui.map.ground import Pixels
from sandbox.tui.map.light import Floats
from sandbox.tui.theme.colours import mix, scale, split
from sandbox.tui.view.cells import Box

# Looks that are not drawn anew: the enlarged map shows them well enough, or they are larger than their tile.
AS_ON_THE_MAP = frozenset((
    "flowers", "pond", "boat", "slide", "stall", "fountain", "bandstand", "swing", "mill", "tree", "hedge", "fence",
    "water", "well", "beehive", "pump", "gate", "railing", "grass", "meadow", "lawn", "road", "path", "paving",
    "sand", "planks", "floor", "door", "wall", "soil", "gravel",
))  # fmt: skip
EMBERS, KNOB, INK_BLACK = 0xE8843C, 0xD8C9A0, 0x1C1A1E


class Brush:
    """Paints tiles (x, y) of an area into pixels, `grain` pixels a tile. Places in a tile are shares of it (0..1)."""

    def __init__(self, out: Pixels, area: Box, grain: int) -> None:
        self.out, self.area, self.grain = out, area, grain

    def _cut(self, x: int, y: int, x0: float, y0: float, x1: float, y1: float) -> tuple[slice, slice]:
        g = self.grain
        left, top = (x - self.area.x) * g, (y - self.area.y) * g
        rows = slice(max(0, top + round(y0 * g)), max(0, top + round(y1 * g)))
        return rows, slice(max(0, left + round(x0 * g)), max(0, left + round(x1 * g)))

    def mean(self, x: int, y: int) -> int:
        """The mean colour of a tile."""
        red, green, blue = self.out[self._cut(x, y, 0, 0, 1, 1)].reshape(-1, 3).mean(0).tolist()
        return int(red) << 16 | int(green) << 8 | int(blue)

    def fill(self, x: int, y: int, colour: int) -> None:
        """Fill a whole tile."""
        self.rect(x, y, 0, 0, 1, 1, colour)

    def rect(self, x: int, y: int, x0: float, y0: float, x1: float, y1: float, colour: int) -> None:
        """Fill a part of a tile."""
        self.out[self._cut(x, y, x0, y0, x1, y1)] = split(colour)

    def tone(self, x: int, y: int, x0: float, y0: float, x1: float, y1: float, factor: float) -> None:
        """Make a part of a tile darker (factor below 1) or lighter."""
        self.out[self._cut(x, y, x0, y0, x1, y1)] *= np.float32(factor)

    def line_down(self, x: int, y: int, at: float, factor: float) -> None:
        """Make a row of a tile's pixels darker or lighter. at: share of the tile's height."""
        g = self.grain
        row = min(g - 1, max(0, round(at * g) - (1 if at else 0)))
        self.tone(x, y, 0, row / g, 1, (row + 1) / g, factor)

    def line_across(self, x: int, y: int, at: float, y0: float, y1: float, factor: float) -> None:
        """Make a column of a tile's pixels, from y0 to y1, darker or lighter. at: share of the tile's width."""
        g = self.grain
        column = min(g - 1, max(0, round(at * g) - (1 if at else 0)))
        self.tone(x, y, column / g, y0, (column + 1) / g, y1, factor)

    def glass(self, x: int, y: int, colour: Floats) -> None:
        """Draw a window in the face of a wall."""
        rows, columns = self._cut(x, y, 0.15, 0.4, 0.85, 0.8)
        self.out[rows, columns] = colour
        self.out[rows, columns][:1] *= np.float32(1.1)


def drawn_close(look: str, kind: str) -> bool:
    """Whether the close view draws a thing itself instead of enlarging the map."""
    return look not in AS_ON_THE_MAP and (look in MOTIFS or kind == "object")


def draw_thing(brush: Brush, look: str, spot: FurnitureTile) -> None:
    """Draw one tile of a thing, joined to neighbours of the same look."""
    top, front = motif_for(look)(spot)
    x0, x1 = (0.0 if spot.left else 0.06), (1.0 if spot.right else 0.94)
    if look not in FLAT_ON_THE_FLOOR:
        brush.tone(spot.x, spot.y, x0, 0.9, 1, 1, 0.72)
    DRAWN.get(look, _block)(brush, spot, top, front, x0, x1)


def _block(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    """Something solid: a lit top, and a front where nothing of its kind stands before it."""
    edge = 1.0 if tile.below else 0.6
    brush.rect(tile.x, tile.y, x0, 0 if tile.above else 0.05, x1, edge, top)
    if not tile.above:
        brush.line_down(tile.x, tile.y, 0.1, 1.1)
    if not tile.below:
        brush.rect(tile.x, tile.y, x0, 0.6, x1, 0.95, front if front != top else scale(top, 0.6))
        brush.line_across(tile.x, tile.y, 1, 0.6, 0.95, 0.86)


def _fronted(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    """A solid thing with glowing embers in its front."""
    body = scale(top, 0.72)
    _block(brush, tile, top, body, x0, x1)
    if not tile.below:
        brush.rect(tile.x, tile.y, 0.25, 0.66, 0.75, 0.9, mix(front, EMBERS, 0.6))
        brush.rect(tile.x, tile.y, 0.4, 0.75, 0.6, 0.9, mix(front, EMBERS, 0.95))


def _drawers(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    _block(brush, tile, top, front, x0, x1)
    if not tile.below:
        brush.rect(tile.x, tile.y, 0.42, 0.72, 0.58, 0.8, KNOB)


def _table(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    """A top on legs; some tiles have a plate."""
    brush.rect(tile.x, tile.y, x0, 0 if tile.above else 0.1, x1, 1.0 if tile.below else 0.66, top)
    if not tile.above:
        brush.line_down(tile.x, tile.y, 0.2, 1.1)
    if not tile.below:
        brush.rect(tile.x, tile.y, x0, 0.66, x1, 0.74, scale(top, 0.7))
        for left in ([x0] if not tile.left else []) + ([x1 - 0.14] if not tile.right else []):
            brush.rect(tile.x, tile.y, left, 0.74, left + 0.14, 1, scale(top, 0.5))
    if tile.dice(3) == 0 and brush.grain >= 6:
        brush.rect(tile.x, tile.y, 0.35, 0.25, 0.65, 0.5, 0xEDE8DC)


def _seat(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    """A back, a seat before it, and feet."""
    alone = not (tile.left or tile.right)
    left, right = (0.2, 0.8) if alone else (x0, x1)
    brush.rect(tile.x, tile.y, left, 0.1, right, 0.45, top)
    brush.rect(tile.x, tile.y, left, 0.45, right, 0.75, scale(front, 1.08))
    brush.rect(tile.x, tile.y, left, 0.75, right, 0.84, scale(front, 0.7))
    for foot in (left, right - 0.12):
        if alone or (foot == left and not tile.left) or (foot != left and not tile.right):
            brush.rect(tile.x, tile.y, foot, 0.84, foot + 0.12, 1, scale(top, 0.6))


def _shelf(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    """Boards with things of several colours on them."""
    brush.rect(tile.x, tile.y, x0, 0, x1, 1, scale(top, 0.62))
    brush.rect(tile.x, tile.y, x0, 0, x1, 0.14, scale(top, 1.15))
    g = brush.grain
    first, last = round(x0 * g), round(x1 * g)
    for shelf, (y0, y1) in enumerate(((0.2, 0.52), (0.62, 0.94))):
        for column in range(first, last):
            n = (tile.x * 7 + tile.y * 3 + shelf * 5 + column * 11) % 9
            if n < 7:
                colour = (
                    front if n > 4 else SPINES[n % len(SPINES)] if top == 0x5A4028 else scale(front, 0.85 + n * 0.08)
                )
                brush.rect(tile.x, tile.y, column / g, y0 + (n % 3) / (2 * g), (column + 1) / g, y1, colour)


def _bed(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    """A pillow, then the blanket, folded back."""
    if not tile.above:
        brush.rect(tile.x, tile.y, 0, 0, 1, 0.16, 0x5A4028)
        brush.rect(tile.x, tile.y, 0.08, 0.16, 0.92, 0.5, top)
        brush.rect(tile.x, tile.y, 0, 0.5, 1, 0.62, mix(top, front, 0.4))
        brush.rect(tile.x, tile.y, 0, 0.62, 1, 1, front)
    else:
        brush.rect(tile.x, tile.y, 0, 0, 1, 1, top)
        brush.tone(tile.x, tile.y, 0, 0.7, 1, 1, 0.86)


def _round(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    """A round thing, such as a barrel."""
    brush.rect(tile.x, tile.y, 0.2, 0.1, 0.8, 0.95, front)
    brush.rect(tile.x, tile.y, 0.1, 0.25, 0.9, 0.8, front)
    brush.rect(tile.x, tile.y, 0.2, 0.1, 0.8, 0.35, top)
    brush.tone(tile.x, tile.y, 0.1, 0.5, 0.9, 0.6, 0.75)


def _plant(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    brush.rect(tile.x, tile.y, 0.3, 0.7, 0.7, 1, 0x9A5C3C)
    brush.rect(tile.x, tile.y, 0.2, 0.25, 0.8, 0.65, front)
    brush.rect(tile.x, tile.y, 0.3, 0.05, 0.7, 0.45, top)
    brush.rect(tile.x, tile.y, 0.1, 0.35, 0.35, 0.55, top)
    brush.rect(tile.x, tile.y, 0.65, 0.3, 0.9, 0.5, scale(top, 1.15))


def _lamp(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    brush.rect(tile.x, tile.y, 0.42, 0.35, 0.58, 0.95, front)
    brush.rect(tile.x, tile.y, 0.2, 0.05, 0.8, 0.4, top)
    brush.rect(tile.x, tile.y, 0.25, 0.88, 0.75, 1, front)


def _basin(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    brush.rect(tile.x, tile.y, x0, 0.1, x1, 0.95, top)
    brush.rect(tile.x, tile.y, x0 + 0.14, 0.25, x1 - 0.14, 0.7, front)
    brush.rect(tile.x, tile.y, x0, 0.8, x1, 0.95, scale(top, 0.8))


def _piano(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    _block(brush, tile, top, scale(top, 0.8), x0, x1)
    if not tile.below:
        brush.rect(tile.x, tile.y, x0, 0.5, x1, 0.7, 0xEFEAE0)
        g = brush.grain
        for column in range(0, g, 2):
            brush.rect(tile.x, tile.y, column / g, 0.5, (column + 1) / g, 0.6, INK_BLACK)


def _board(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    """A board in a frame, with something written or pinned on it."""
    brush.rect(tile.x, tile.y, x0, 0, x1, 0.9, scale(front, 0.9))
    brush.rect(tile.x, tile.y, x0 + 0.06 * (not tile.left), 0.1, x1 - 0.06 * (not tile.right), 0.75, top)
    for n in range(3):
        wide = 0.3 + 0.15 * ((tile.x + n) % 3)
        brush.rect(
            tile.x, tile.y, 0.15, 0.2 + 0.2 * n, 0.15 + wide, 0.2 + 0.2 * n + 1 / brush.grain, mix(top, 0xFFFFFF, 0.45)
        )


def _rug(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    brush.fill(tile.x, tile.y, 0xA0685A)
    rim = 0x7C4A46
    if not tile.above:
        brush.rect(tile.x, tile.y, 0, 0, 1, 0.2, rim)
    if not tile.below:
        brush.rect(tile.x, tile.y, 0, 0.8, 1, 1, rim)
    if not tile.left:
        brush.rect(tile.x, tile.y, 0, 0, 0.2, 1, rim)
    if not tile.right:
        brush.rect(tile.x, tile.y, 0.8, 0, 1, 1, rim)
    brush.rect(tile.x, tile.y, 0.4, 0.4, 0.6, 0.6, 0xBE8C74)


def _easel(brush: Brush, tile: FurnitureTile, top: int, front: int, x0: float, x1: float) -> None:
    brush.rect(tile.x, tile.y, 0.15, 0.05, 0.85, 0.65, top)
    brush.rect(tile.x, tile.y, 0.3, 0.2, 0.7, 0.5, 0x88A0B4)
    for left in (0.2, 0.68):
        brush.rect(tile.x, tile.y, left, 0.65, left + 0.12, 1, front)


Drawing = Callable[[Brush, FurnitureTile, int, int, float, float], None]
FLAT_ON_THE_FLOOR = frozenset(("rug", "bed", "cot"))
DRAWN: dict[str, Drawing] = {
    "oven": _fronted, "stove": _fronted, "fireplace": _fronted, "cabinet": _drawers, "cupboard": _drawers,
    "desk": _drawers, "press": _drawers, "table": _table, "workbench": _table, "chair": _seat, "sofa": _seat,
    "bench": _seat, "pew": _seat, "stool": _seat, "shelf": _shelf, "bookshelf": _shelf, "bed": _bed, "cot": _bed,
    "barrel": _round, "plant": _plant, "lamp": _lamp, "sink": _basin, "bath": _basin, "piano": _piano,
    "board": _board, "notice_board": _board, "rug": _rug, "easel": _easel,
}  # fmt: skip
