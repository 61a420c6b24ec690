"""Houses: low cut walls with doors and windows, lit from the upper left, with shadows at the lower right; and roofs,
hipped or gabled, whose shape follows from the outline of the house.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.tui.map.ground import PixelMask, Pixels, double_rows, hash_grid
from sandbox.tui.map.terrain import Terrain, shift_mask, split_runs
from sandbox.tui.theme.colours import DOOR, GLASS, ROOFS, WALL_FACE, WALL_TOPS, split
from sandbox.tui.view.cells import Box, bounds

ACROSS_EVERY, DOWN_EVERY = 5, 4  # tiles from window to window along a wall


class Window(NamedTuple):
    """A window at a pixel (row, column) of a sector's outer wall; south: the wall faces the lower edge of the map."""

    row: int
    column: int
    sector: int
    south: bool


def paint_shadows(out: Pixels, terrain: Terrain) -> None:
    """Draw the shadows of walls, and of whole houses to their right and below, on the ground."""
    solid = double_rows(terrain.wall)
    _shade(out, solid, ((0, 1, 0.74), (1, 0, 0.70), (1, 1, 0.74)))
    house = double_rows(terrain.building >= 0)
    far = shift_mask(house, 1, 2) | shift_mask(house, 2, 1)
    out[far & ~house & ~shift_mask(solid, 0, 1) & ~shift_mask(solid, 1, 0)] *= 0.84


def paint_walls(out: Pixels, terrain: Terrain) -> None:
    """Draw walls and doors: lit tops, darker faces where no wall is below, a lighter edge at the upper left."""
    solid = double_rows(terrain.wall)
    owner = double_rows(terrain.building)
    below = shift_mask(solid, -1, 0) | _door_below(terrain)
    upper, left = shift_mask(solid, 1, 0), shift_mask(solid, 0, 1)
    for number in sorted({*owner[solid].tolist()}):
        top = np.array(split(WALL_TOPS[number % len(WALL_TOPS)]), np.float32)
        here = solid & (owner == number)
        out[here] = top * 0.93
        out[here & ~(upper & left)] = np.minimum(top * 1.04, 255)
        out[here & ~below] = top * WALL_FACE
    for y, x in np.argwhere(terrain.door):
        out[2 * y, x], out[2 * y + 1, x] = split(DOOR[0]), split(DOOR[1])


def find_windows(terrain: Terrain) -> tuple[Window, ...]:
    """Place windows at even steps along the outer walls, away from corners and doors."""
    out: list[Window] = []
    wall, inside, building = terrain.wall, terrain.inside, terrain.building
    across = np.zeros_like(wall)  # walls that run left and right, indoors on one side only
    across[1:-1, 1:-1] = wall[1:-1, :-2] & wall[1:-1, 2:] & (inside[:-2, 1:-1] != inside[2:, 1:-1])
    down = np.zeros_like(wall)
    down[1:-1, 1:-1] = wall[:-2, 1:-1] & wall[2:, 1:-1] & (inside[1:-1, :-2] != inside[1:-1, 2:])
    straight = wall & terrain.outer
    for y in range(terrain.height):
        for run in split_runs((straight & across)[y]):
            panes = run if len(run) < 3 else [x for i, x in enumerate(run) if i % ACROSS_EVERY in (1, 2)]
            out += [Window(2 * y + 1, x, int(building[y, x]), bool(inside[y - 1, x])) for x in panes]
    for x in range(terrain.width):
        for run in split_runs((straight & down)[:, x]):
            panes = run if len(run) < 2 else [y for i, y in enumerate(run) if i % DOWN_EVERY == 1]
            out += [Window(2 * y + half, x, int(building[y, x]), False) for y in panes for half in (0, 1)]
    return tuple(out)


def paint_windows(out: Pixels, windows: tuple[Window, ...]) -> None:
    """Draw the windows as they look by day."""
    for pane in windows:
        out[pane.row, pane.column] = split(GLASS)


def _door_below(terrain: Terrain) -> PixelMask:
    mask = np.zeros((2 * terrain.height, terrain.width), np.bool_)
    mask[1:-1:2] = terrain.door[1:] & terrain.wall[:-1]
    return mask


def _shade(out: Pixels, solid: PixelMask, steps: tuple[tuple[int, int, float], ...]) -> None:
    done = solid.copy()
    for down, right, factor in steps:
        here = shift_mask(solid, down, right) & ~done
        out[here] *= factor
        done |= here


# ---- roofs

CHIMNEY = (0x8A6658, 0x5E443C)


class Roof(NamedTuple):
    """One roof. area: its pixels; colour: (h, w, 3); mask: (h, w); chimney: its mouth (row, column)."""

    sector: str
    number: int
    area: Box
    colour: Pixels
    mask: PixelMask
    chimney: tuple[int, int]


def build_roofs(terrain: Terrain, seed: int) -> tuple[Roof, ...]:
    """Make a roof for each house. South walls with doors and windows stay visible below the eaves."""
    house = terrain.building >= 0
    south = house & shift_mask(~house, -1, 0)
    covered = np.where(south & (terrain.wall | terrain.door), -1, terrain.building)
    grain = hash_grid(2 * terrain.height, terrain.width, seed + 3)
    out = []
    for number, area in enumerate(terrain.sectors):
        mask = double_rows(covered == number)
        if area.roof and mask.any():
            out.append(_roof(area.name, number, area.roof, mask, grain))
    return tuple(out)


def _roof(name: str, number: int, tone: str, whole: PixelMask, grain: Pixels) -> Roof:
    area = bounds(whole)
    place = area.within()
    mask = whole[place]
    north, south, west, east = _distances(mask)
    base = np.array(split(ROOFS.get(tone, ROOFS["slate"])), np.float32)
    wide = mask.shape[1] >= mask.shape[0]
    hipped = not mask.all() or number % 3 != 1
    sides = np.stack([north, south, west, east])
    if not hipped:
        sides[2:] += 0 if not wide else 999
        sides[:2] += 0 if wide else 999
    slope = sides.argmin(0)
    depth = sides.min(0)
    light = np.array([1.12, 0.80, 1.00, 0.70], np.float32)[slope]
    run = np.where(slope < 2, np.arange(mask.shape[0])[:, None], np.arange(mask.shape[1])[None, :])
    light = light * np.where(run % 2 == 0, 1.0, 0.945) * np.where(grain[place] > 0.8, 0.955, 1.0)
    ranked = np.sort(sides, axis=0)
    ridge = (ranked[1] - ranked[0] <= 0) | ((np.abs(north - south) <= 1) & (slope < 2) & (slope == 0) & (depth > 2))
    ridge |= (np.abs(west - east) <= 1) & (slope == 2) & (depth > 2)
    light = np.where(ridge & (depth > 0), 1.26, light)
    light = np.where((south == 0) | (east == 0), 0.58, light)
    light = np.where(((north == 0) | (west == 0)) & (south > 0) & (east > 0), light * 0.90, light)
    colour = np.clip(base * light[..., None], 0, 255).astype(np.float32)
    chimney = _chimney(colour, mask, number)
    return Roof(name, number, area, colour, mask, (area.y + chimney[0], area.x + chimney[1]))


def _distances(mask: PixelMask) -> tuple[npt.NDArray[np.int32], ...]:
    """For each pixel its distance in roof pixels from the eaves in the north, south, west and east."""

    def count(m: PixelMask) -> npt.NDArray[np.int32]:
        out = np.zeros(m.shape, np.int32)
        for i in range(1, len(m)):
            out[i] = np.where(m[i] & m[i - 1], out[i - 1] + 1, 0)
        return out

    return count(mask), count(mask[::-1])[::-1], count(mask.T).T, count(mask.T[::-1])[::-1].T


def _chimney(colour: Pixels, mask: PixelMask, number: int) -> tuple[int, int]:
    """Draw a chimney, 2 x 3 pixels, on the lit slope; return its mouth (row, column)."""
    high, wide = mask.shape
    row, column = max(1, min(high // 4, 4)), wide // 4 if number % 2 else wide - wide // 4 - 2
    for dy in range(3):
        for dx in range(2):
            y, x = row + dy, column + dx
            if 0 <= y < high and 0 <= x < wide and mask[y, x]:
                colour[y, x] = np.array(split(CHIMNEY[1 if dx or dy == 0 else 0]), np.float32)
    for dy, dx in ((1, 2), (2, 2), (3, 1), (3, 2)):
        if row + dy < high and column + dx < wide and mask[row + dy, column + dx]:
            colour[row + dy, column + dx] *= 0.74
    return row, column
