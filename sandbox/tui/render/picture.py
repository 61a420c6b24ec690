"""The town without people: everything that can be worked out once from a plan, and its pixels at an hour."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from sandbox.town.plan import Plan
from sandbox.tui.render.furniture import BEDS, bed_side, paint_furniture
from sandbox.tui.render.ground import doubled, paint_ground
from sandbox.tui.render.light import COARSE, FINE, Floats, Packed, glow_patch, light_at, pack, shine
from sandbox.tui.render.motion import Motion, find_motion
from sandbox.tui.render.palette import GLASS_LIT, GLASS_NIGHT, split
from sandbox.tui.render.plants import paint_low, paint_trees
from sandbox.tui.render.roofs import build_roofs
from sandbox.tui.render.terrain import Terrain, read_terrain
from sandbox.tui.render.walls import find_windows, paint_shadows, paint_walls, paint_windows

STREET = -1  # the owner of street lamps: nobody, so they always shine at night
LAMP_REACH, WINDOW_REACH = 8.0, 4.5
LAMP_SPACING = 17


class Box(NamedTuple):
    """A rectangle of pixels: first row, first column, rows, columns."""

    row: int
    column: int
    rows: int
    columns: int


class Picture:
    """A plan painted. width, height: in cells (= tiles); a cell is two pixels, one above the other."""

    def __init__(self, plan: Plan, seed: int = 7, reduced_motion: bool = False) -> None:
        self.plan = plan
        self.terrain: Terrain = read_terrain(plan)
        self.width, self.height = self.terrain.width, self.terrain.height
        self.reduced_motion = reduced_motion
        self.names = {area.name: number for number, area in enumerate(plan.sectors)}
        self.windows = find_windows(self.terrain)
        self.lamps = _street_lamps(self.terrain)
        self._open = self._paint(seed)
        self.roofs = build_roofs(self.terrain, seed) if self.height and self.width else ()
        self.motion: Motion = find_motion(self.terrain, self.roofs)
        self._room = np.where(doubled(self.terrain.inside), 1.0, 0.0).astype(np.float32)
        self._room[doubled((self.terrain.wall | self.terrain.door) & (self.terrain.building >= 0))] = 0.6
        self._house = doubled(self.terrain.building)
        self._glow = self._glows()

    def _paint(self, seed: int) -> Floats:
        terrain = self.terrain
        out = paint_ground(terrain, seed)
        paint_shadows(out, terrain)
        paint_low(out, terrain)
        paint_walls(out, terrain)
        paint_windows(out, self.windows)
        paint_furniture(out, terrain)
        paint_trees(out, terrain)
        for y, x in self.lamps:
            out[2 * y - 1 : 2 * y + 1, x] = split(0x4A4640)
            out[2 * y - 2, x] = split(0xB9AE90)
            out[2 * y, x + 1 : x + 2] *= 0.8
        return out

    def _glows(self) -> dict[int, tuple[Box, Floats]]:
        """For each owner of lamps the box about them and how bright each of its pixels is."""
        sources: dict[int, list[tuple[int, int, float]]] = {}
        for y, x in self.lamps:
            sources.setdefault(STREET, []).append((2 * y - 1, x, LAMP_REACH))
        for pane in self.windows:
            sources.setdefault(pane.sector, []).append((pane.row + pane.south, pane.column, WINDOW_REACH))
        out = {}
        house = self._house >= 0
        high, wide = 2 * self.height, self.width
        for owner, places in sources.items():
            field: Floats = np.zeros((high, wide), np.float32)
            for row, column, reach in places:
                size = 2 * int(reach) + 1
                top, left = row - size // 2, column - size // 2
                y0, x0 = max(0, top), max(0, left)
                y1, x1 = min(high, top + size), min(wide, left + size)
                patch = glow_patch(size, size, reach)[y0 - top : y1 - top, x0 - left : x1 - left]
                field[y0:y1, x0:x1] = np.maximum(field[y0:y1, x0:x1], patch)
            field[house] *= 0.08
            ys, xs = np.flatnonzero(field.any(1)), np.flatnonzero(field.any(0))
            box = Box(int(ys[0]), int(xs[0]), int(ys[-1] - ys[0]) + 1, int(xs[-1] - xs[0]) + 1)
            out[owner] = (box, field[_slice(box)].copy())
        return out

    @property
    def whole(self) -> Box:
        """All pixels."""
        return Box(0, 0, 2 * self.height, self.width)

    def reach_of(self, sector: str) -> Box | None:
        """The pixels that a sector's roof and lights can change; None when it has neither."""
        number = self.names.get(sector)
        boxes = [Box(r.top, r.left, r.mask.shape[0], r.mask.shape[1]) for r in self.roofs if r.number == number]
        if number is not None and number in self._glow:
            boxes.append(self._glow[number][0])
        house = np.argwhere(self.terrain.building == (-2 if number is None else number))
        if len(house):
            (y0, x0), (y1, x1) = house.min(axis=0).tolist(), house.max(axis=0).tolist()
            boxes.append(Box(2 * y0, x0, 2 * (y1 - y0 + 1), x1 - x0 + 1))
        if not boxes:
            return None
        row, column = min(b.row for b in boxes), min(b.column for b in boxes)
        return Box(
            row,
            column,
            max(b.row + b.rows for b in boxes) - row,
            max(b.column + b.columns for b in boxes) - column,
        )

    def covered(self, x: int, y: int, alpha: Mapping[str, float]) -> bool:
        """Whether a roof hides what stands on a tile."""
        if not (0 <= x < self.width and 0 <= y < self.height and self.terrain.inside[y, x]):
            return False
        number = int(self.terrain.building[y, x])
        return number >= 0 and alpha.get(self.plan.sectors[number].name, 1.0) > 0.5

    def pillow(self, x: int, y: int) -> int:
        """How many columns left of the tile a sleeper lies: 1 where the bed reaches to the left."""
        if not (0 <= x < self.width and 0 <= y < self.height) or str(self.terrain.look[y, x]) not in BEDS:
            return 0
        return 1 if bed_side(self.terrain, x, y) < 0 else 0

    def sector_at(self, x: int, y: int) -> str:
        """The name of the plot a tile belongs to, or ""."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return ""
        number = int(self.terrain.sector[y, x])
        return self.plan.sectors[number].name if number >= 0 else ""

    def pixels(self, step: int, alpha: Mapping[str, float], lit: Collection[str], box: Box | None = None) -> Packed:
        """The pixels of a box (default all) at a tint step (0..47).

        Roofs are drawn as far as alpha closes them; lights of the lit sectors and of the streets are on.
        """
        box = box or self.whole
        place = _slice(box)
        light = light_at(step)
        room = glow = None
        if light.lamp > 0.01:
            glow = self._glow_in(box, lit)
            numbers = [self.names[name] for name in lit if name in self.names]
            room = np.where(np.isin(self._house[place], numbers), self._room[place], np.float32(0))
        still = np.zeros((box.rows, box.columns), np.float32) if glow is None else glow
        out = shine(self._open[place], light, room, still)
        self._light_windows(out, box, light.lamp, lit)
        for roof in self.roofs:
            share = alpha.get(roof.sector, 1.0)
            y0, x0 = max(box.row, roof.top), max(box.column, roof.left)
            y1 = min(box.row + box.rows, roof.top + roof.mask.shape[0])
            x1 = min(box.column + box.columns, roof.left + roof.mask.shape[1])
            if share <= 0 or y0 >= y1 or x0 >= x1:
                continue
            part = np.s_[y0 - roof.top : y1 - roof.top, x0 - roof.left : x1 - roof.left]
            here = np.s_[y0 - box.row : y1 - box.row, x0 - box.column : x1 - box.column]
            tiles = shine(roof.colour[part], light, None, still[here])
            cover = (roof.mask[part] * np.float32(share))[..., None]
            out[here] += (tiles - out[here]) * cover
        return pack(out, COARSE if light.lamp > 0.01 else FINE)

    def _glow_in(self, box: Box, lit: Collection[str]) -> Floats:
        out = np.zeros((box.rows, box.columns), np.float32)
        for owner in (STREET, *(self.names[name] for name in sorted(lit) if name in self.names)):
            if owner not in self._glow:
                continue
            (row, column, rows, columns), field = self._glow[owner]
            y0, x0 = max(box.row, row), max(box.column, column)
            y1, x1 = min(box.row + box.rows, row + rows), min(box.column + box.columns, column + columns)
            if y0 < y1 and x0 < x1:
                here = out[y0 - box.row : y1 - box.row, x0 - box.column : x1 - box.column]
                np.maximum(here, field[y0 - row : y1 - row, x0 - column : x1 - column], out=here)
        return out

    def _light_windows(self, out: Floats, box: Box, lamp: float, lit: Collection[str]) -> None:
        if lamp <= 0.01:
            return
        bright = {self.names[name] for name in lit if name in self.names}
        places = [(p.row, p.column, GLASS_LIT if p.sector in bright else GLASS_NIGHT) for p in self.windows]
        places += [(2 * y - 2, x, 0xFFE2A0) for y, x in self.lamps]
        for row, column, colour in places:
            y, x = row - box.row, column - box.column
            if 0 <= y < box.rows and 0 <= x < box.columns:
                out[y, x] += (np.array(split(colour), np.float32) - out[y, x]) * lamp


def _slice(box: Box) -> tuple[slice, slice]:
    return slice(box.row, box.row + box.rows), slice(box.column, box.column + box.columns)


def _street_lamps(terrain: Terrain) -> tuple[tuple[int, int], ...]:
    """Tiles beside roads and on paved squares, LAMP_SPACING apart, never at a door or on a private plot."""
    out: list[tuple[int, int]] = []
    ground, height, width = terrain.ground, terrain.height, terrain.width
    for y in range(2, height - 1):
        for x in range(1, width - 1):
            if terrain.kind[y, x] != "ground" or ground[y, x] not in ("grass", "paving", "meadow", "gravel"):
                continue
            number = int(terrain.sector[y, x])
            if number >= 0 and terrain.sectors[number].roof:
                continue
            around = ground[y - 1 : y + 2, x - 1 : x + 2]
            crowded = (terrain.look[y - 1 : y + 4, max(0, x - 2) : x + 3] == "tree").any()
            if crowded or not (around == "road").any() or terrain.door[y - 1 : y + 2, x - 1 : x + 2].any():
                continue
            if all(abs(y - v) * 1.6 + abs(x - u) >= LAMP_SPACING for v, u in out):
                out.append((y, x))
    return tuple(out)
