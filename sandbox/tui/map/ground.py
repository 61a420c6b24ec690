"""Grounds and floors as pixels: grass, roads, boards, tiles, water, each in a few shades with a grain.

The grain comes from hashes of positions, not a random generator, so that a picture is the same wherever it is drawn.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from sandbox.tui.map.terrain import Terrain, neighbours, shift_mask
from sandbox.tui.theme.colours import FENCE, FLOWERS, GROUNDS, LEAF, TREES, TRUNK, mix, scale, split


def paint_low(out: Pixels, terrain: Terrain) -> None:
    """Draw what is lower than a person: flowers, hedges and fences."""
    for y, x in np.argwhere(np.isin(terrain.look, ["flowers", "hedge", "fence", "railing", "gate"])):
        look = str(terrain.look[y, x])
        if look == "flowers":
            _flowers(out, int(y), int(x))
        elif look == "hedge":
            _hedge(out, terrain, int(y), int(x))
        else:
            _fence(out, terrain, int(y), int(x))


def paint_trees(out: Pixels, terrain: Terrain) -> None:
    """Draw trees in reading order, so that nearer ones cover farther ones; houses are not painted over."""
    free = ~double_rows((terrain.building >= 0) | terrain.door | terrain.wall)
    places = [(int(y), int(x)) for y, x in np.argwhere(terrain.look == "tree")]
    for y, x in places:
        _tree_shadow(out, free, y, x)
    for y, x in places:
        _crown(out, free, y, x)


def _put(out: Pixels, free: PixelMask, row: int, column: int, colour: int) -> None:
    if 0 <= row < out.shape[0] and 0 <= column < out.shape[1] and free[row, column]:
        out[row, column] = split(colour)


def _tree_shadow(out: Pixels, free: PixelMask, y: int, x: int) -> None:
    foot = 2 * y + 1
    for row, first, last in ((foot, 0, 4), (foot + 1, -1, 3)):
        for column in range(max(0, x + first), min(out.shape[1], x + last)):
            if row < out.shape[0] and free[row, column]:
                out[row, column] *= 0.74


def _crown(out: Pixels, free: PixelMask, y: int, x: int) -> None:
    dark, middle, light = TREES[pick_at(x, y, 3, len(TREES))]
    big = pick_at(x, y, 4, 3) > 0
    foot = 2 * y + 1
    _put(out, free, foot, x, TRUNK if y else dark)  # in the top row there is no room for a crown
    reach, tall = (2, 5) if big else (1, 4)
    for up in range(1, tall + 1):
        for side in range(-reach, reach + 1):
            rim = up in (1, tall)
            if rim and abs(side) == reach:
                continue
            lit = side - (up - tall / 2) * 0.9
            colour = light if lit < -1.3 else middle if lit < 0.9 else dark
            if pick_at(x + side, foot - up, 6, 5) == 0:
                colour = mix(colour, dark, 0.35)
            _put(out, free, foot - up, x + side, colour)


def _flowers(out: Pixels, y: int, x: int) -> None:
    bloom = FLOWERS[pick_at(x // 3, y // 2, 7, len(FLOWERS))]
    for row in (2 * y, 2 * y + 1):
        leaf = LEAF[pick_at(x, row, 8, len(LEAF))]
        out[row, x] = split(mix(leaf, bloom, 0.62) if pick_at(x, row, 9, 3) == 0 else leaf)


def _hedge(out: Pixels, terrain: Terrain, y: int, x: int) -> None:
    below = y + 1 < terrain.height and terrain.look[y + 1, x] == "hedge"
    above = y > 0 and terrain.look[y - 1, x] == "hedge"
    tone = mix(LEAF[1], LEAF[2], pick_at(x, y, 8, 4) / 4)
    out[2 * y, x] = split(scale(tone, 0.98 if above else 1.16))
    out[2 * y + 1, x] = split(scale(tone, 0.94) if below else scale(LEAF[0], 0.74))
    if x + 1 < terrain.width and terrain.kind[y, x + 1] == "ground":
        out[2 * y : 2 * y + 2, x + 1] *= 0.85


def _fence(out: Pixels, terrain: Terrain, y: int, x: int) -> None:
    beside = any(0 <= q < terrain.width and terrain.look[y, q] == terrain.look[y, x] for q in (x - 1, x + 1))
    if beside:
        out[2 * y, x] = split(FENCE[0] if x % 2 else scale(FENCE[0], 0.9))
        if x % 2:
            out[2 * y + 1, x] = split(FENCE[1])
        else:
            out[2 * y + 1, x] *= 0.7
    else:
        out[2 * y, x], out[2 * y + 1, x] = split(FENCE[0]), split(scale(FENCE[0], 0.8))


Pixels: TypeAlias = npt.NDArray[np.float32]  # (2 * height, width, 3), 0..255
Noise: TypeAlias = npt.NDArray[np.float32]  # (height, width), 0..1
PixelMask: TypeAlias = npt.NDArray[np.bool_]  # (2 * height, width)
Kind = TypeVar("Kind", bound=np.generic)

# Brightness of a ground's rim where it meets a soft ground or water.
EDGED = {"road": 0.90, "path": 0.93, "paving": 0.90, "planks": 0.74, "sand": 0.94, "gravel": 0.92}
SOFT = ("grass", "meadow", "lawn", "soil")


def paint_ground(terrain: Terrain, seed: int) -> Pixels:
    """The ground of the whole map as pixels, with nothing standing on it."""
    high, wide = 2 * terrain.height, terrain.width
    out = np.zeros((high, wide, 3), np.float32)
    drift = value_noise(high, wide, 6, 9, seed)
    grain = hash_grid(high, wide, seed + 1)
    names = double_rows(terrain.ground)
    for name in sorted({*names.ravel().tolist()}):
        here = names == name
        shade = _shade(name, drift, grain, high, wide)
        table = np.array([split(c) for c in GROUNDS[name]], np.float32)
        out[here] = table[shade][here]
        _pattern(out, name, here, grain)
    _edges(out, names, terrain)
    _shore(out, names == "water", np.isin(names, ["paving", "path"]), grain)
    return out


def double_rows(tiles: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """Tile rows as pixel rows: each row twice."""
    return np.repeat(tiles, 2, axis=0)


def _shade(name: str, drift: Noise, grain: Noise, high: int, wide: int) -> npt.NDArray[np.intp]:
    """The index (0..3) of the shade of each pixel: broad patches for soft grounds, strips for boards."""
    if name in ("wood", "planks"):
        rows = np.arange(high)[:, None] // 2
        joint = (np.arange(wide)[None, :] + rows * 5) // 7
        return ((rows * 3 + joint * 5 + rows * joint) % 4).astype(np.intp)
    if name == "water":
        drift = value_noise(high, wide, 2, 11, 77)
    share = 0.72 if name in SOFT else 0.55
    mixed = drift * share + (grain > 0.5) * (grain * (1 - share))
    shade: npt.NDArray[np.intp] = np.clip(mixed * 4.6 - 0.3, 0, 3).astype(np.intp)
    return shade


def _pattern(out: Pixels, name: str, here: PixelMask, grain: Noise) -> None:
    """Draw the pattern of a ground: seams, slabs or tufts."""
    y, x = np.mgrid[0 : out.shape[0], 0 : out.shape[1]]
    if name == "paving":
        out[here & ((x // 3 + y // 3) % 2 == 0)] *= 0.955
    elif name == "tile":
        out[here & ((x // 2 + y // 2) % 2 == 0)] *= 0.90
    elif name == "stone":
        out[here & ((y % 4 == 3) | ((x + (y // 4) * 3) % 6 == 0))] *= 0.90
    elif name == "wood":
        out[here & (y % 4 == 3)] *= 0.91
    elif name == "planks":
        out[here & (y % 2 == 1)] *= 0.86
    elif name in ("grass", "meadow"):
        out[here & (grain > 0.965)] *= 0.84
        if name == "meadow":
            out[here & (grain < 0.05)] *= np.array([1.14, 1.10, 0.98], np.float32)
    elif name.startswith("carpet"):
        out[here & ((x + y) % 4 == 0)] *= 0.955
    elif name in ("road", "path", "gravel", "sand"):
        out[here & (grain > 0.97)] *= 0.93


def _edges(out: Pixels, names: npt.NDArray[np.generic], terrain: Terrain) -> None:
    """Darken the rim of streets and the like beside soft grounds and water, so that they have clear edges."""
    soft = np.isin(names, [*SOFT, "water"])
    near = neighbours(soft) & ~double_rows(terrain.inside)
    for name, factor in EDGED.items():
        out[near & (names == name)] *= factor
    kerb = (names == "road") & neighbours(names == "paving")
    out[kerb] *= 0.86


def _shore(out: Pixels, water: PixelMask, laid: PixelMask, grain: Noise) -> None:
    """Draw shores: lighter water along the land, a wet rim on it (stone where `laid`), streaks further out."""
    if not water.any():
        return
    land = ~water
    reach = land | neighbours(land)
    out[water & reach] = out[water & reach] * 0.75 + np.array([120, 178, 196], np.float32) * 0.25 * 1.1
    second = neighbours(reach) & water & ~reach
    out[second] = out[second] * 0.9 + np.array([84, 150, 184], np.float32) * 0.12
    y, x = np.mgrid[0 : out.shape[0], 0 : out.shape[1]]
    streak = water & ~reach & ((y * 7 + (x + y // 3 * 11) // 6) % 11 == 0)
    out[streak] *= 1.07
    wet = land & neighbours(water)
    out[wet & ~laid] *= np.array([0.86, 0.84, 0.82], np.float32)
    _rim(out, water, wet & laid)
    out[water & (grain > 0.985) & ~reach] *= 1.06


def _rim(out: Pixels, water: PixelMask, rim: PixelMask) -> None:
    """Draw a stone rim around water in paved places, darker below and at the right of the water."""
    stone = np.array([206, 202, 190], np.float32)
    out[rim] = stone
    out[rim & (shift_mask(water, 1, 0) | shift_mask(water, 0, 1))] = stone * 0.66
    out[shift_mask(rim, 1, 0) & water] *= 0.82  # the rim's shadow on the water


# ---- noise from hashes


def hash_grid(height: int, width: int, salt: int) -> Noise:
    """Independent values in [0, 1), one for each place of a height x width grid.

    An avalanche of multiplications and shifts on 32 bits.
    """
    y, x = np.mgrid[0:height, 0:width].astype(np.uint32)
    with np.errstate(over="ignore"):
        v = x * np.uint32(0x9E3779B1) ^ y * np.uint32(0x85EBCA77) ^ np.uint32(salt * 0xC2B2AE3D & 0xFFFFFFFF)
        v = (v ^ v >> np.uint32(15)) * np.uint32(0x2C1B3C6D)
        v = (v ^ v >> np.uint32(12)) * np.uint32(0x297A2D39)
        v = v ^ v >> np.uint32(15)
    out: Noise = ((v >> np.uint32(8)).astype(np.float32) / np.float32(1 << 24)).astype(np.float32)
    return out


def value_noise(height: int, width: int, scale_y: int, scale_x: int, salt: int) -> Noise:
    """Smooth noise in [0, 1): hashed corners every scale_y x scale_x places, eased between."""
    corners = hash_grid(height // scale_y + 2, width // scale_x + 2, salt)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y, x = y / scale_y, x / scale_x
    iy, ix = y.astype(np.intp), x.astype(np.intp)
    fy, fx = y - iy, x - ix
    fy, fx = fy * fy * (3 - 2 * fy), fx * fx * (3 - 2 * fx)
    top = corners[iy, ix] * (1 - fx) + corners[iy, ix + 1] * fx
    low = corners[iy + 1, ix] * (1 - fx) + corners[iy + 1, ix + 1] * fx
    out: Noise = (top * (1 - fy) + low * fy).astype(np.float32)
    return out


def pick_at(x: int, y: int, salt: int, count: int) -> int:
    """A number below count, from a hash of a place and a salt."""
    v = (x * 0x9E3779B1 ^ y * 0x85EBCA77 ^ salt * 0xC2B2AE3D) & 0xFFFFFFFF
    v = (v ^ v >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    v = (v ^ v >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return (v >> 8) % count
