"""The town without people: everything computed once from a plan, its pixels at an hour, and small movement: glints on
water, smoke over lit houses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.town.plan import FloorPlan
from sandbox.tui.map.furniture import BEDS, bed_side, paint_furniture
from sandbox.tui.map.ground import double_rows, hash_grid, paint_ground, paint_low, paint_trees
from sandbox.tui.map.houses import Roof, build_roofs, find_windows, paint_shadows, paint_walls, paint_windows
from sandbox.tui.map.light import COARSE, FINE, Floats, Packed, glow_patch, light_at, pack_colours, shine
from sandbox.tui.map.terrain import Terrain, read_terrain
from sandbox.tui.theme.colours import GLASS_LIT, GLASS_NIGHT, split
from sandbox.tui.view.cells import NEAR, Box, MapScale, bounds

Mask = npt.NDArray[np.bool_]

SHEET = 64  # side in pixels of the repeating pattern of strokes
DENSE = 0.009  # share of its pixels at which a stroke begins
FALL, FRAMES = 3, 3  # pixels that strokes fall at once, and frames between two falls
STROKE, VEIL = np.array([198, 216, 238], np.float32), 0.55  # colour and opacity of strokes
WET = np.array([0.84, 0.88, 0.94], np.float32)  # factor of rain on the light
DARK = np.array([0.58, 0.62, 0.74], np.float32)  # factor of a blackout

_begin = hash_grid(SHEET, SHEET, 53) < DENSE
_STROKES: Mask = _begin | np.roll(_begin, 1, axis=0)  # each stroke is two pixels long


class Weather(NamedTuple):
    """The sectors with rain and those with a blackout; "" among them means the whole town."""

    rain: frozenset[str] = frozenset()
    dark: frozenset[str] = frozenset()


CLEAR = Weather()


def sector_mask(terrain: Terrain, sectors: frozenset[str]) -> Mask:
    """A mask of the tiles of these sectors."""
    if "" in sectors:
        return np.ones((terrain.height, terrain.width), np.bool_)
    numbers = [i for i, area in enumerate(terrain.sectors) if area.name in sectors]
    out: Mask = np.isin(terrain.sector, numbers)
    return out


def falls_on(terrain: Terrain, sectors: frozenset[str], roofs: Mapping[str, float]) -> Mask:
    """A mask of the tiles on which rain is drawn: outdoors and on closed roofs. roofs: sector -> alpha."""
    opened = [i for i, area in enumerate(terrain.sectors) if roofs.get(area.name, 1.0) <= 0.5]
    inside = (terrain.building >= 0) & np.isin(terrain.building, opened)
    out: Mask = sector_mask(terrain, sectors) & ~inside
    return out


def apply_weather(out: Floats, terrain: Terrain, weather: Weather, area: Box) -> Floats:
    """The pixels `out` of an area (in pixels) under that weather."""
    for sectors, factor in ((weather.rain, WET), (weather.dark, DARK)):
        if "" in sectors:
            out = out * factor
        elif sectors:
            here = double_rows(sector_mask(terrain, sectors))[area.within()]
            out = np.where(here[..., None], out * factor, out)
    return out


def strokes(view: Box, frame: int, wet: Mask, scale: MapScale = NEAR) -> Mask:
    """A mask of the pixels of a view with a stroke of rain in a frame. view: in cells of `scale` tiles; wet: tiles on
    which it falls.
    """
    high, wide = 2 * max(0, view.height), max(0, view.width)
    rows, columns = np.arange(high) + 2 * view.y, np.arange(wide) + view.x
    fallen = frame // FRAMES * FALL
    out: Mask = _STROKES[np.ix_((rows - fallen) % SHEET, columns % SHEET)]
    y, x = (rows / 2 * scale.y).astype(np.intp), (columns * scale.x).astype(np.intp)
    inside = ((rows >= 0) & (y < wet.shape[0]))[:, None] & ((columns >= 0) & (x < wet.shape[1]))[None, :]
    under = wet[np.ix_(np.clip(y, 0, wet.shape[0] - 1), np.clip(x, 0, wet.shape[1] - 1))]
    out = out & inside & under
    return out


STREET = -1  # owner number of street lamps: no sector, so they shine every night
LAMP_REACH, WINDOW_REACH = 8.0, 4.5  # pixels that their light reaches
LAMP_SPACING = 17  # least distance of street lamps in tiles (rows count 1.6)
SEED = 7  # salt of the grain of grounds and roofs
GLINTS = 0.035  # share of water pixels that ever glint
CYCLE = 24  # frames of glints before they repeat, each one on for a sixth
GLINT_FRAMES = 8  # frames between two changes of the glints
SMOKE_FRAMES = 6  # frames between two steps of smoke


class Puff(NamedTuple):
    """Smoke at a pixel. share: its opacity (0..1)."""

    row: int
    column: int
    share: float


class Motion(NamedTuple):
    """Where a picture moves. rows, columns, phase: where and when water glints; chimneys: sector, row, column."""

    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    phase: npt.NDArray[np.intp]
    chimneys: tuple[tuple[str, int, int], ...]


class Picture:
    """The painted plan. width, height: in cells (= tiles); a cell is two pixels, one above the other."""

    def __init__(self, plan: FloorPlan) -> None:
        self.plan = plan
        self.terrain: Terrain = read_terrain(plan)
        self.width, self.height = self.terrain.width, self.terrain.height
        self.names = {area.name: number for number, area in enumerate(plan.sectors)}
        self.windows = find_windows(self.terrain)
        self.lamps = _street_lamps(self.terrain)
        self._open = self._paint()
        self.roofs = build_roofs(self.terrain, SEED) if self.height and self.width else ()
        self.motion: Motion = find_motion(self.terrain, self.roofs)
        self._room = np.where(double_rows(self.terrain.inside), 1.0, 0.0).astype(np.float32)
        self._room[double_rows((self.terrain.wall | self.terrain.door) & (self.terrain.building >= 0))] = 0.6
        self._house = double_rows(self.terrain.building)
        self._whole = Box(0, 0, self.width, 2 * self.height)
        self._glow = self._glows()

    def _paint(self) -> Floats:
        terrain = self.terrain
        out = paint_ground(terrain, SEED)
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
        """Owner of lamps -> area in pixels and brightness (0..1) of each of them."""
        sources: dict[int, list[tuple[int, int, float]]] = {}
        for y, x in self.lamps:
            sources.setdefault(STREET, []).append((2 * y - 1, x, LAMP_REACH))
        for pane in self.windows:
            sources.setdefault(pane.sector, []).append((pane.row + pane.south, pane.column, WINDOW_REACH))
        out = {}
        house = self._house >= 0
        for owner, places in sources.items():
            field: Floats = np.zeros(house.shape, np.float32)
            for row, column, reach in places:
                size = 2 * int(reach) + 1
                about = Box(column - size // 2, row - size // 2, size, size)
                shared = about.shared(self._whole)
                here = field[shared.within()]
                np.maximum(here, glow_patch(size, reach)[shared.within(about)], out=here)
            field[house] *= 0.08
            area = bounds(field)
            out[owner] = (area, field[area.within()].copy())
        return out

    def reach_of(self, sector: str) -> Box | None:
        """The pixels that a sector's roof and lights can change; None when it has neither."""
        number = self.names.get(sector)
        if number is None:
            return None
        areas = [roof.area for roof in self.roofs if roof.number == number]
        if number in self._glow:
            areas.append(self._glow[number][0])
        if (house := self._house == number).any():
            areas.append(bounds(house))
        if not areas:
            return None
        x, y = min(a.x for a in areas), min(a.y for a in areas)
        return Box(x, y, max(a.x + a.width for a in areas) - x, max(a.y + a.height for a in areas) - y)

    def holds(self, x: int, y: int) -> bool:
        """Whether a tile is on the map."""
        return 0 <= x < self.width and 0 <= y < self.height

    def house_at(self, x: int, y: int) -> str:
        """The building in which a tile lies indoors, or ""."""
        number = int(self.terrain.building[y, x]) if self.holds(x, y) and self.terrain.inside[y, x] else -1
        return self.plan.sectors[number].name if number >= 0 else ""

    def covered(self, x: int, y: int, alpha: Mapping[str, float]) -> bool:
        """Whether a roof hides a tile. alpha: sector -> alpha of its roof."""
        house = self.house_at(x, y)
        return bool(house) and alpha.get(house, 1.0) > 0.5

    def pillow(self, x: int, y: int) -> int:
        """How many columns left of the tile a sleeper is drawn: 1 if the bed is widened to the left, else 0."""
        in_bed = self.holds(x, y) and str(self.terrain.look[y, x]) in BEDS
        return 1 if in_bed and bed_side(self.terrain, x, y) < 0 else 0

    def sector_at(self, x: int, y: int) -> str:
        """The name of the plot a tile belongs to, or ""."""
        number = int(self.terrain.sector[y, x]) if self.holds(x, y) else -1
        return self.plan.sectors[number].name if number >= 0 else ""

    def pixels(
        self,
        step: int,
        alpha: Mapping[str, float],
        lit: Collection[str],
        area: Box | None = None,
        weather: Weather = CLEAR,
    ) -> Packed:
        """The pixels of an area (default all) at a tint step (0..47).

        alpha: sector -> opacity of its roof; lit: sectors with a light on. Lights are off in a blackout; one of the
        whole town also turns the street lamps off.
        """
        whole = "" in weather.dark
        lit = () if whole else [name for name in lit if name not in weather.dark]
        area = area or self._whole
        light = light_at(step)
        bright = {self.names[name] for name in lit if name in self.names}
        bare, rooms, glow = self.bare(area, lit if light.lamp > 0.01 else None, street=not whole)
        room = rooms if light.lamp > 0.01 else None
        out = shine(bare, light, room, glow)
        if light.lamp > 0.01:
            self._light_windows(out, area, light.lamp, bright, not whole)
        for roof in self.roofs:
            share = alpha.get(roof.sector, 1.0)
            if share <= 0 or not roof.area.overlap(area):
                continue
            shared = roof.area.shared(area)
            part, here = shared.within(roof.area), shared.within(area)
            tiles = shine(roof.colour[part], light, None, glow[here])
            cover = (roof.mask[part] * np.float32(share))[..., None]
            out[here] += (tiles - out[here]) * cover
        return pack_colours(apply_weather(out, self.terrain, weather, area), COARSE if light.lamp > 0.01 else FINE)

    def bare(self, area: Box, lit: Collection[str] | None, street: bool = True) -> tuple[Floats, Floats, Floats]:
        """The pixels of an area (on the map) without roofs in plain daylight; then each one's indoor lamp light and its
        glow of nearby lamps (0..1). lit: sectors with a light on, None = no lamp shines; street: whether street lamps
        shine.
        """
        place = area.within()
        glow = np.zeros((area.height, area.width), np.float32)
        if lit is None:
            return self._open[place], glow, glow
        bright = {self.names[name] for name in lit if name in self.names}
        self._add_glow(glow, area, {STREET, *bright} if street else bright)
        room: Floats = np.where(np.isin(self._house[place], list(bright)), self._room[place], np.float32(0))
        return self._open[place], room, glow

    def _add_glow(self, out: Floats, area: Box, owners: Collection[int]) -> None:
        for owner in owners:
            if owner in self._glow:
                about, field = self._glow[owner]
                shared = about.shared(area)
                here = out[shared.within(area)]
                np.maximum(here, field[shared.within(about)], out=here)

    def _light_windows(self, out: Floats, area: Box, lamp: float, bright: Collection[int], streets: bool) -> None:
        places = [(p.row, p.column, GLASS_LIT if p.sector in bright else GLASS_NIGHT) for p in self.windows]
        places += [(2 * y - 2, x, 0xFFE2A0) for y, x in self.lamps] if streets else []
        for row, column, colour in places:
            if area.holds(column, row):
                y, x = row - area.y, column - area.x
                out[y, x] += (np.array(split(colour), np.float32) - out[y, x]) * lamp


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


# ---- decorative movement, off with reduced motion


def find_motion(terrain: Terrain, roofs: Iterable[Roof]) -> Motion:
    """Find where water glints and chimneys smoke."""
    dice = hash_grid(2 * terrain.height, terrain.width, 31)
    rows, columns = np.nonzero(double_rows(terrain.look == "water") & (dice < GLINTS))
    phase = (dice[rows, columns] / GLINTS * CYCLE).astype(np.intp)
    return Motion(rows, columns, phase, tuple((r.sector, *r.chimney) for r in roofs))


def glints(motion: Motion, frame: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Rows and columns of the water pixels that glint in a frame."""
    on = (motion.phase + frame // GLINT_FRAMES) % CYCLE < CYCLE // 6
    return motion.rows[on], motion.columns[on]


def smoke(motion: Motion, smoking: Collection[str], frame: int) -> list[Puff]:
    """Puffs of smoke above the chimneys of the sectors `smoking`; they rise, drift right and thin out."""
    out = []
    beat = frame // SMOKE_FRAMES
    for sector, row, column in motion.chimneys:
        if sector not in smoking:
            continue
        out += [
            Puff(row - age, column + (age + beat // 2) % 2 + age // 3, 0.55 - 0.11 * age)
            for age in range(1, 5)
            if (beat - age + row) % 3
        ]
    return out
