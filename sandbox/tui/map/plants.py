"""What grows and fences it in: trees with a light side and a shadow, hedges, flower beds, fences."""

from __future__ import annotations

import numpy as np

from sandbox.tui.map.ground import PixelMask, Pixels, double_rows, pick_at
from sandbox.tui.map.terrain import Terrain
from sandbox.tui.theme.colours import FENCE, FLOWERS, LEAF, TREES, TRUNK, mix, scale, split


def paint_low(out: Pixels, terrain: Terrain) -> None:
    """Flowers, hedges and fences: what is lower than a person."""
    for y, x in np.argwhere(np.isin(terrain.look, ["flowers", "hedge", "fence", "railing", "gate"])):
        look = str(terrain.look[y, x])
        if look == "flowers":
            _flowers(out, int(y), int(x))
        elif look == "hedge":
            _hedge(out, terrain, int(y), int(x))
        else:
            _fence(out, terrain, int(y), int(x))


def paint_trees(out: Pixels, terrain: Terrain) -> None:
    """Crowns in reading order, a nearer tree before a farther one; houses are not painted over."""
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
    _put(out, free, foot, x, TRUNK if y else dark)  # at the upper rim there is no room for a crown
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
