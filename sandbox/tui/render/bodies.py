"""People from close by: as pixels, a tile wide and two high, in clothes of the mood's colour."""

from __future__ import annotations

from functools import lru_cache

from sandbox.tui.render.palette import HAIR, SKIN, mix, scale
from sandbox.tui.render.people import Dot

TALL = {"short": 1.7, "tall": 2.3}  # tiles from head to feet; anybody else: 2
EYES = 8  # grain from which eyes are seen
EYE = 0x241C1A


@lru_cache(1024)
def body(hair: str, skin: str, clothes: int, build: str, grain: int, asleep: bool = False) -> tuple[Dot, ...]:
    """A person's pixels: rows below the feet's own row, columns to the right of the left edge, colour.

    grain: pixels a tile is wide. Whoever sleeps lies in the tile, the head on the pillow.
    """
    dark, face = HAIR.get(hair, HAIR["brown"]), SKIN.get(skin, SKIN["light"])
    return _lying(dark, face, clothes, grain) if asleep else _standing(dark, face, clothes, build, grain)


def _standing(dark: int, face: int, clothes: int, build: str, grain: int) -> tuple[Dot, ...]:
    high = round(grain * TALL.get(build, 2.0))
    out: dict[tuple[int, int], int] = {}

    def rect(x0: float, y0: float, x1: float, y1: float, colour: int) -> None:
        for row in range(round(y0 * high), max(round(y0 * high) + 1, round(y1 * high))):
            for column in range(round(x0 * grain), max(round(x0 * grain) + 1, round(x1 * grain))):
                out[row, column] = colour

    trousers = scale(clothes, 0.5)
    rect(0.27, 0.70, 0.73, 0.97, trousers)
    rect(0.47, 0.78, 0.53, 0.97, scale(trousers, 0.72))
    rect(0.22, 0.95, 0.48, 1, scale(trousers, 0.55))
    rect(0.52, 0.95, 0.78, 1, scale(trousers, 0.55))
    rect(0.2, 0.36, 0.8, 0.72, clothes)
    rect(0.62, 0.36, 0.8, 0.72, scale(clothes, 0.84))
    rect(0.05, 0.38, 0.22, 0.64, scale(clothes, 0.78))
    rect(0.78, 0.38, 0.95, 0.64, scale(clothes, 0.66))
    rect(0.05, 0.64, 0.22, 0.70, face)
    rect(0.78, 0.64, 0.95, 0.70, scale(face, 0.86))
    rect(0.4, 0.32, 0.6, 0.38, scale(face, 0.86))
    rect(0.24, 0.06, 0.76, 0.33, face)
    rect(0.62, 0.12, 0.76, 0.33, scale(face, 0.92))
    rect(0.24, 0, 0.76, 0.12, dark)
    rect(0.2, 0.04, 0.3, 0.22, dark)
    rect(0.7, 0.04, 0.8, 0.22, scale(dark, 0.86))
    if grain >= EYES:
        for eye in (0.38, 0.58):
            out[round(0.19 * high), round(eye * grain)] = EYE
        rect(0.42, 0.26, 0.58, 0.27, scale(face, 0.62))
    first = 1 - high
    return tuple((first + row, column, colour) for (row, column), colour in sorted(out.items()))


def _lying(dark: int, face: int, clothes: int, grain: int) -> tuple[Dot, ...]:
    cover = mix(clothes, 0x50566A, 0.45)
    out = []
    for row in range(grain):
        for column in range(grain):
            x, y = column / grain, row / grain
            if y < 0.5 and 0.25 <= x < 0.75:
                out.append((row - grain + 1, column, dark if y < 0.2 else face))
            elif y >= 0.5:
                out.append((row - grain + 1, column, cover if x < 0.6 else scale(cover, 0.86)))
    return tuple(out)
