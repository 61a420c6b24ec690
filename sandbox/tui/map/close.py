"""The close view of a room: its geometry, and its ground, walls and things as pixels.

A cell of the screen is two pixels, one above the other, so a tile of `grain` x `grain` pixels is square.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from sandbox.tui.map.closethings import Brush, draw_thing, drawn_close
from sandbox.tui.map.furniture import furniture_tile
from sandbox.tui.map.ground import Pixels, hash_grid
from sandbox.tui.map.light import Floats, light_at, shine
from sandbox.tui.map.picture import Picture
from sandbox.tui.map.terrain import Terrain
from sandbox.tui.theme.colours import DARK, DOOR, GLASS, GLASS_LIT, GLASS_NIGHT, WALL_FACE, WALL_TOPS, scale, split
from sandbox.tui.view.cells import Box

GRAINS = (12, 10, 8, 6, 4)  # pixels a tile may be wide; the largest that fits is taken
WALLS = 1  # tiles around a room that are shown with it
ROUGH = 0.07  # how much the brightness of open ground varies from pixel to pixel


class Close(NamedTuple):
    """The geometry of a close view. x, y, width, height: the tiles it shows; grain: pixels a tile is wide; left, top:
    the pixel at which the first tile begins, in a view of columns x rows cells.
    """

    x: int
    y: int
    width: int
    height: int
    grain: int
    left: int
    top: int
    columns: int
    rows: int

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """The first pixel (column, row) of a place in tiles."""
        return self.left + round((x - self.x) * self.grain), self.top + round((y - self.y) * self.grain)

    def shows(self, x: float, y: float) -> bool:
        """Whether a tile is in view."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def tile(self, column: int, row: int) -> tuple[int, int]:
        """The tile at a cell; it may lie beyond the tiles shown."""
        return self.x + (column - self.left) // self.grain, self.y + (2 * row - self.top) // self.grain


def fit_room(room: Box, focus: tuple[float, float], columns: int, rows: int, outdoors: bool = False) -> Close:
    """A close view of a room with its walls in columns x rows cells, as large as fits; of a room that is too large, the
    part around `focus`. room, focus: in tiles. outdoors: also show the surroundings as far as there is room.
    """
    rim = 0 if outdoors else WALLS
    wide, high = room.width + 2 * rim, room.height + WALLS + rim  # heads reach into the tile above
    fits = (g for g in GRAINS if g * wide <= columns and g * high <= 2 * rows)
    grain = next(fits, min(GRAINS))
    most_wide, most_high = max(1, columns // grain), max(1, 2 * rows // grain)
    width, height = (most_wide, most_high) if outdoors else (min(wide, most_wide), min(high, most_high))
    x = _held(focus[0] + 0.5 - width / 2, room.x - rim, wide - width)
    y = _held(focus[1] + 0.5 - height / 2, room.y - WALLS, high - height)
    top = (2 * rows - height * grain) // 2
    return Close(x, y, width, height, grain, (columns - width * grain) // 2, top - top % 2, columns, rows)


def _held(first: float, least: int, room: int) -> int:
    """The first tile, clamped so that the view stays in the room; a view larger than the room centres it."""
    return least + room // 2 if room < 0 else max(least, min(round(first), least + room))


def paint_close(picture: Picture, close: Close, step: int, lit: Collection[str]) -> Pixels:
    """The pixels of a close view without people and roofs at a tint step (0..47). lit: sectors with a light on."""
    out: Pixels = np.full((2 * close.rows, close.columns, 3), split(DARK), np.float32)
    shared = Box(close.x, close.y, close.width, close.height).shared(Box(0, 0, picture.width, picture.height))
    if not shared.width or not shared.height:
        return out
    near = Box(shared.x, 2 * shared.y, shared.width, 2 * shared.height)
    light = light_at(step)
    bare, room, glow = (_grown(part, close.grain) for part in picture.bare(near, lit if light.lamp > 0.01 else None))
    _soften(bare, close.grain)
    _roughen(bare, picture.terrain, shared, close.grain)
    brush = Brush(bare, shared, close.grain)
    _tiles(brush, picture.terrain, shared)
    shone = shine(bare, light, room if light.lamp > 0.01 else None, glow)
    _panes(Brush(shone, shared, close.grain), picture, shared, light.lamp, lit)
    left, top = close.pixel(shared.x, shared.y)
    shone = shone[max(0, -top) :, max(0, -left) :]  # a tile may be larger than a view that is hardly there
    left, top = max(0, left), max(0, top)
    fits = shone[: max(0, len(out) - top), : max(0, out.shape[1] - left)]
    out[top : top + len(fits), left : left + fits.shape[1]] = fits
    return out


def _grown(pixels: Floats, grain: int) -> Floats:
    """Pixels of the near picture (a tile is 1 wide, 2 high) enlarged to `grain`."""
    return np.repeat(np.repeat(pixels, grain // 2, axis=0), grain, axis=1).copy()


def _soften(out: Pixels, grain: int) -> None:
    """Smooth the enlarged picture in place by a box blur of `grain` pixels."""
    for axis in (0, 1):
        sums = np.cumsum(
            np.pad(out, [(grain // 2, grain // 2) if n == axis else (0, 0) for n in range(3)], "edge"), axis
        )
        ends = [slice(None)] * 3
        starts = [slice(None)] * 3
        ends[axis], starts[axis] = slice(grain - 1, grain - 1 + out.shape[axis]), slice(0, out.shape[axis])
        first = np.roll(sums, 1, axis)
        first[tuple(slice(0, 1) if n == axis else slice(None) for n in range(3))] = 0
        out[:] = (sums[tuple(ends)] - first[tuple(starts)]) / grain


def _roughen(out: Pixels, terrain: Terrain, area: Box, grain: int) -> None:
    """Add noise to open ground, so that it does not look like an enlarged picture."""
    dice = hash_grid(area.height * grain, area.width * grain, 91 + area.x * 131 + area.y * 7)
    out *= (1.0 + ROUGH * (dice - 0.5))[..., None]
    sheet = np.isin(terrain.look[area.within()], ["tree", "hedge", "grass", "meadow", "flowers"])
    grown = np.repeat(np.repeat(sheet, grain, axis=0), grain, axis=1)
    out[grown & (dice > 0.82)] *= 0.88


def _tiles(brush: Brush, terrain: Terrain, area: Box) -> None:
    """Draw floors, then walls and doors, then things, each in reading order."""
    where = [(x, y) for y in range(area.y, area.y + area.height) for x in range(area.x, area.x + area.width)]
    for x, y in where:
        if terrain.inside[y, x] or terrain.ground[y, x] in ("planks", "paving"):
            _floor(brush, str(terrain.ground[y, x]), x, y)
    for x, y in where:
        if terrain.wall[y, x] and terrain.building[y, x] >= 0:
            _wall(brush, terrain, x, y)
        elif terrain.door[y, x]:
            _door(brush, terrain, x, y)
    for x, y in where:
        name = str(terrain.look[y, x])
        if drawn_close(name, str(terrain.kind[y, x])):
            draw_thing(brush, name, furniture_tile(terrain, x, y))


def _floor(brush: Brush, ground: str, x: int, y: int) -> None:
    """A tile of floor in its mean colour, with the seams visible from close by."""
    brush.fill(x, y, brush.mean(x, y))
    if ground in ("wood", "planks"):
        for n in range(2):
            board = 1.0 + 0.05 * ((x * 3 + y * 5 + n * 7) % 4 - 1.5) / 1.5
            brush.tone(x, y, 0, n / 2, 1, n / 2 + 0.5, board)
            brush.line_down(x, y, n / 2 + 0.5, 0.86)
            if (x + 2 * y + n) % 3 == 0:
                brush.line_across(x, y, 0.5, n / 2, n / 2 + 0.5, 0.86)
    elif ground in ("tile", "paving"):
        for dx, dy in ((0, 0), (1, 1)):
            brush.tone(x, y, dx / 2, dy / 2, dx / 2 + 0.5, dy / 2 + 0.5, 0.93)
        brush.line_down(x, y, 1, 0.92)
    elif ground == "stone":
        brush.line_down(x, y, 1, 0.86)
        brush.line_across(x, y, 0.5 if y % 2 else 1, 0, 1, 0.86)
        brush.tone(x, y, 0, 0, 1, 1, 1.0 + 0.04 * ((x * 5 + y * 3) % 3 - 1))
    elif ground.startswith("carpet"):
        brush.tone(x, y, 0.25, 0.25, 0.5, 0.5, 0.93)
        brush.tone(x, y, 0.75, 0.75, 1, 1, 0.93)


def _wall(brush: Brush, terrain: Terrain, x: int, y: int) -> None:
    """A wall's lit top, and its face where no wall or door is below it."""
    top = WALL_TOPS[int(terrain.building[y, x]) % len(WALL_TOPS)]
    brush.fill(x, y, scale(top, 0.95))
    below = y + 1 < terrain.height and (terrain.wall[y + 1, x] or terrain.door[y + 1, x])
    if not (y and terrain.wall[y - 1, x]):
        brush.line_down(x, y, 0, 1.06)
    if not (x and (terrain.wall[y, x - 1] or terrain.door[y, x - 1])):
        brush.line_across(x, y, 0, 0, 1, 1.06)
    if not below:
        brush.rect(x, y, 0, 0.35, 1, 1, scale(top, WALL_FACE))
        brush.rect(x, y, 0, 0.87, 1, 1, scale(top, WALL_FACE * 0.7))


def _door(brush: Brush, terrain: Terrain, x: int, y: int) -> None:
    upright = y > 0 and bool(terrain.wall[y - 1, x])
    brush.fill(x, y, scale(DOOR[1], 0.9))
    if upright:
        brush.rect(x, y, 0.25, 0, 0.75, 1, DOOR[0])
        brush.rect(x, y, 0.55, 0.5, 0.75, 0.65, 0xD8B868)
    else:
        brush.rect(x, y, 0, 0.2, 1, 1, DOOR[0])
        brush.line_across(x, y, 0.5, 0.2, 1, 0.8)
        brush.rect(x, y, 0.7, 0.55, 0.85, 0.7, 0xD8B868)


def _panes(brush: Brush, picture: Picture, area: Box, lamp: float, lit: Collection[str]) -> None:
    """Draw windows: bright by day, dark by night, warm in lit sectors."""
    bright = {picture.names[name] for name in lit if name in picture.names}
    day = light_at(24).multiply
    for pane in picture.windows:
        x, y = pane.column, pane.row // 2
        if not area.holds(x, y):
            continue
        night = GLASS_LIT if pane.sector in bright else GLASS_NIGHT
        glass = [g + (n - g) * lamp for g, n in zip(split(GLASS), split(night), strict=True)]
        colour = np.array(glass, np.float32) * day
        brush.glass(x, y, colour)
