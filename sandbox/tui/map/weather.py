"""What holds out of doors for a while: rain, which falls in strokes, and a blackout, in which nothing shines. Pure
functions of the picture, the view and the number of the frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.tui.map.ground import double_rows, hash_grid
from sandbox.tui.map.light import Floats
from sandbox.tui.map.terrain import Terrain
from sandbox.tui.view.cells import NEAR, Box, MapScale

Mask = npt.NDArray[np.bool_]

SHEET = 64  # pixels of the pattern of strokes, which repeats
DENSE = 0.009  # share of its pixels at which a stroke begins
FALL, FRAMES = 3, 3  # pixels that strokes fall at a time, and frames between two times
STROKE, VEIL = np.array([198, 216, 238], np.float32), 0.55  # their colour, and how much of it covers what lies behind
WET = np.array([0.84, 0.88, 0.94], np.float32)  # what rain leaves of the light
DARK = np.array([0.58, 0.62, 0.74], np.float32)  # what a blackout leaves of it

_begin = hash_grid(SHEET, SHEET, 53) < DENSE
_STROKES: Mask = _begin | np.roll(_begin, 1, axis=0)  # each two pixels long


class Weather(NamedTuple):
    """The parts of town in which it rains, and in which there is no light; "" among them is the whole town."""

    rain: frozenset[str] = frozenset()
    dark: frozenset[str] = frozenset()


CLEAR = Weather()


def sector_mask(terrain: Terrain, sectors: frozenset[str]) -> Mask:
    """The tiles of parts of town, (height, width)."""
    if "" in sectors:
        return np.ones((terrain.height, terrain.width), np.bool_)
    numbers = [i for i, area in enumerate(terrain.sectors) if area.name in sectors]
    out: Mask = np.isin(terrain.sector, numbers)
    return out


def falls_on(terrain: Terrain, sectors: frozenset[str], roofs: Mapping[str, float]) -> Mask:
    """The tiles on which rain is seen to fall: out of doors, and on closed roofs. roofs: alpha of each."""
    opened = [i for i, area in enumerate(terrain.sectors) if roofs.get(area.name, 1.0) <= 0.5]
    inside = (terrain.building >= 0) & np.isin(terrain.building, opened)
    out: Mask = sector_mask(terrain, sectors) & ~inside
    return out


def apply_weather(out: Floats, terrain: Terrain, weather: Weather, area: Box) -> Floats:
    """Colours of an area of the picture, in pixels, in that weather."""
    for sectors, factor in ((weather.rain, WET), (weather.dark, DARK)):
        if "" in sectors:
            out = out * factor
        elif sectors:
            here = double_rows(sector_mask(terrain, sectors))[area.within()]
            out = np.where(here[..., None], out * factor, out)
    return out


def strokes(view: Box, frame: int, wet: Mask, scale: MapScale = NEAR) -> Mask:
    """The pixels of a view at which a stroke of rain is seen in a frame. view: in cells of so many tiles; wet: tiles on
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
