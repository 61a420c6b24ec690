"""Walls cut low, doors and windows: solid lines lit from the upper left, shadows at the lower right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandbox.tui.render.ground import PixelMask, Pixels, doubled
from sandbox.tui.render.palette import DOOR, GLASS, WALL_FACE, WALL_TOPS, split
from sandbox.tui.render.terrain import Mask, Terrain, moved

ACROSS_EVERY, DOWN_EVERY = 5, 4


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
    far = moved(house, 1, 2) | moved(house, 2, 1)
    out[far & ~house & ~moved(solid, 0, 1) & ~moved(solid, 1, 0)] *= 0.84


def paint_walls(out: Pixels, terrain: Terrain) -> None:
    """Lit tops, darker faces where the ground shows below, a lighter edge at the upper left."""
    solid = doubled(terrain.wall)
    owner = doubled(terrain.building)
    below = moved(solid, -1, 0) | _door_below(terrain)
    upper, left = moved(solid, 1, 0), moved(solid, 0, 1)
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
    across = np.zeros_like(wall)  # walls that run left and right, the open air on one side only
    across[1:-1, 1:-1] = wall[1:-1, :-2] & wall[1:-1, 2:] & (inside[:-2, 1:-1] != inside[2:, 1:-1])
    down = np.zeros_like(wall)
    down[1:-1, 1:-1] = wall[:-2, 1:-1] & wall[2:, 1:-1] & (inside[1:-1, :-2] != inside[1:-1, 2:])
    straight = wall & terrain.outer
    for y in range(terrain.height):
        for run in _runs((straight & across)[y]):
            panes = run if len(run) < 3 else [x for i, x in enumerate(run) if i % ACROSS_EVERY in (1, 2)]
            out += [Window(2 * y + 1, x, int(building[y, x]), bool(inside[y - 1, x])) for x in panes]
    for x in range(terrain.width):
        for run in _runs((straight & down)[:, x]):
            panes = run if len(run) < 2 else [y for i, y in enumerate(run) if i % DOWN_EVERY == 1]
            out += [Window(2 * y + half, x, int(building[y, x]), False) for y in panes for half in (0, 1)]
    return tuple(out)


def _runs(line: Mask) -> list[list[int]]:
    """The set places of a line, neighbours together."""
    places = np.flatnonzero(line)
    return [part.tolist() for part in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(part)]


def paint_windows(out: Pixels, windows: tuple[Window, ...]) -> None:
    """The panes by day."""
    for pane in windows:
        out[pane.row, pane.column] = split(GLASS)


def _door_below(terrain: Terrain) -> PixelMask:
    mask = np.zeros((2 * terrain.height, terrain.width), np.bool_)
    mask[1:-1:2] = terrain.door[1:] & terrain.wall[:-1]
    return mask


def _shade(out: Pixels, solid: PixelMask, steps: tuple[tuple[int, int, float], ...]) -> None:
    done = solid.copy()
    for down, right, factor in steps:
        here = moved(solid, down, right) & ~done
        out[here] *= factor
        done |= here
