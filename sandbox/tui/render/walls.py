"""Walls cut low, doors and windows: solid lines lit from the upper left, shadows at the lower right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandbox.tui.render.ground import PixelMask, Pixels, doubled
from sandbox.tui.render.palette import DOOR, GLASS, WALL_FACE, WALL_TOPS, split
from sandbox.tui.render.terrain import Terrain

WINDOW_EVERY = 5


class Window(NamedTuple):
    """Glass at a pixel (row, column) of a sector's outer wall; south: that wall faces the lower edge."""

    row: int
    column: int
    sector: int
    south: bool


def paint_shadows(out: Pixels, terrain: Terrain) -> None:
    """Ground shadows of walls, and of whole houses to their right and below, on the empty ground."""
    solid = doubled(terrain.wall)
    _shade(out, solid, ((0, 1, 0.74), (1, 0, 0.70), (1, 1, 0.74)))
    house = doubled(terrain.building >= 0)
    far = _moved(house, 1, 2) | _moved(house, 2, 1)
    out[far & ~house & ~_moved(solid, 0, 1) & ~_moved(solid, 1, 0)] *= 0.84


def paint_walls(out: Pixels, terrain: Terrain) -> None:
    """Lit tops, darker faces where the ground shows below, a lighter edge at the upper left."""
    solid = doubled(terrain.wall)
    owner = doubled(terrain.building)
    below = np.zeros_like(solid)
    below[:-1] = solid[1:]
    below |= _door_below(terrain)
    upper, left = _moved(solid, 1, 0), _moved(solid, 0, 1)
    for number in np.unique(owner[solid]):
        top = np.array(split(WALL_TOPS[int(number) % len(WALL_TOPS)]), np.float32)
        here = solid & (owner == number)
        out[here] = top * 0.93
        out[here & ~(upper & left)] = np.minimum(top * 1.04, 255)
        out[here & ~below] = top * WALL_FACE
    for y, x in np.argwhere(terrain.door):
        out[2 * y, x], out[2 * y + 1, x] = split(DOOR[0]), split(DOOR[1])


def find_windows(terrain: Terrain) -> tuple[Window, ...]:
    """Panes at even steps along the outer walls, away from corners and doors."""
    out: list[Window] = []
    wall, inside, building = terrain.wall, terrain.inside, terrain.building
    height, width = wall.shape
    for y in range(1, height - 1):
        run = 0
        for x in range(1, width - 1):
            straight = terrain.outer[y, x] and wall[y, x] and wall[y, x - 1] and wall[y, x + 1]
            north_in, south_in = inside[y - 1, x], inside[y + 1, x]
            if not straight or north_in == south_in:
                run = 0
                continue
            run += 1
            if run % WINDOW_EVERY in (2, 3):
                out.append(Window(2 * y + 1, x, int(building[y, x]), bool(north_in)))
    for x in range(1, width - 1):
        run = 0
        for y in range(1, height - 1):
            straight = terrain.outer[y, x] and wall[y, x] and wall[y - 1, x] and wall[y + 1, x]
            if not straight or inside[y, x - 1] == inside[y, x + 1]:
                run = 0
                continue
            run += 1
            if run % 4 == 2:
                out += [Window(2 * y + half, x, int(building[y, x]), False) for half in (0, 1)]
    return tuple(out)


def paint_windows(out: Pixels, windows: tuple[Window, ...]) -> None:
    """The panes by day."""
    for pane in windows:
        out[pane.row, pane.column] = split(GLASS)


def _door_below(terrain: Terrain) -> PixelMask:
    mask = np.zeros((2 * terrain.height, terrain.width), np.bool_)
    mask[1:-1:2] = terrain.door[1:] & terrain.wall[:-1]
    return mask


def _moved(mask: PixelMask, down: int, right: int) -> PixelMask:
    """The mask shifted down and to the right; nothing comes in at the edges."""
    out = np.zeros_like(mask)
    high, wide = mask.shape
    out[down:, right:] = mask[: high - down, : wide - right]
    return out


def _shade(out: Pixels, solid: PixelMask, steps: tuple[tuple[int, int, float], ...]) -> None:
    done = solid.copy()
    for down, right, factor in steps:
        here = _moved(solid, down, right) & ~done
        out[here] *= factor
        done |= here
