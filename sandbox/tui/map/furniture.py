"""Furniture as motifs of 1 x 2 pixels that join with equal neighbours: a row of counter tiles is one counter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np

from sandbox.tui.map.ground import Pixels, pick_at
from sandbox.tui.map.terrain import Terrain, split_runs
from sandbox.tui.theme.colours import mix, scale, split


class FurnitureTile(NamedTuple):
    """One tile of furniture: where, with neighbours of the same look above, below, left and right."""

    x: int
    y: int
    above: bool
    below: bool
    left: bool
    right: bool

    def dice(self, count: int) -> int:
        """A number below count, fixed by the tile's place."""
        return pick_at(self.x, self.y, 5, count)


def furniture_tile(terrain: Terrain, x: int, y: int) -> FurnitureTile:
    """The furniture on a tile, with its neighbours."""

    def same(dx: int, dy: int) -> bool:
        inside = 0 <= y + dy < terrain.height and 0 <= x + dx < terrain.width
        return inside and bool(terrain.look[y + dy, x + dx] == terrain.look[y, x])

    return FurnitureTile(x, y, same(0, -1), same(0, 1), same(-1, 0), same(1, 0))


Pair: TypeAlias = tuple[int, int]  # upper and lower pixel
Motif: TypeAlias = Callable[[FurnitureTile], Pair]

BLANKETS = (0x8B5A5E, 0x5E7391, 0x6F7F58, 0x94794E, 0x77638A)
SPINES = (0x8C4A40, 0x4E6480, 0x6E7448, 0x9A7A44, 0x6A4E6E)
PILLOW = 0xE6E0D2
AWNINGS = (0xA8584A, 0x4F6E8E, 0x6E7E46, 0x9A6A3C)
CANVAS, POST = 0xD8CDB4, 0x63482E
GOODS = (0xA8884C, 0x7F8C4E, 0xA6704C, 0x94805C)
BEDS = frozenset({"bed", "cot"})
FLAT = frozenset({"rug", "bandstand", "pond", "swing", "flowers", "boat", "slide", "stall", "fountain"})  # no shadow
SMALL = frozenset({"chair", "stool", "crate", "barrel", "till", "plant"})  # looks that could be mistaken for a person
MUTED, SMALL_MUTED = 0.14, 0.42  # share of the floor's colour in things (SMALL ones), so that people stand out


def block_motif(top: int, front: int, trim: int | None = None) -> Motif:
    """A lit top and, where no equal tile is below, a darker front. trim: colour of a mark on some tops."""

    def draw(spot: FurnitureTile) -> Pair:
        edge = 1.08 if not spot.left else 0.92 if not spot.right else 1.0
        upper = scale(top, edge if not spot.above else edge * 0.97)
        lower = scale(top, edge * 0.97) if spot.below else scale(front, edge)
        if trim is not None and (spot.x + spot.y) % 2 == 0:
            upper = trim
        return upper, lower

    return draw


def front_motif(top: int, front: int, mark: int) -> Motif:
    """A solid thing whose front shows a mark: embers, knobs, a dial."""

    def draw(spot: FurnitureTile) -> Pair:
        edge = 1.08 if not spot.left else 0.94
        return scale(top, edge), scale(top, edge) if spot.below else mix(front, mark, 0.9 if spot.x % 2 else 0.45)

    return draw


def table_motif(top: int) -> Motif:
    """A top with shadow beneath and legs at the ends."""

    def draw(spot: FurnitureTile) -> Pair:
        end = not (spot.left and spot.right)
        upper = scale(top, 1.08 if not spot.left else 1.0)
        return upper, upper if spot.below else scale(top, 0.55 if end else 0.42)

    return draw


def seat_motif(back: int, cushion: int) -> Motif:
    """A back above a cushion; the ends of a long one have arms."""

    def draw(spot: FurnitureTile) -> Pair:
        arm = (spot.left or spot.right) and not (spot.left and spot.right)
        return (cushion if spot.above else back), scale(back, 0.9) if arm else cushion

    return draw


def frame_motif(rim: int, middle: int, foot: int, alone: Pair) -> Motif:
    """A rim around a middle. foot: colour of the lower rim; alone: the pair for a single tile."""

    def draw(spot: FurnitureTile) -> Pair:
        if not (spot.left or spot.right or spot.above or spot.below):
            return alone
        side = not (spot.left and spot.right)
        upper = rim if side or not spot.above else middle
        lower = foot if not spot.below else rim if side else middle
        return upper, lower

    return draw


def stripe_motif(first: int, second: int, front: int, goods: tuple[int, ...] = ()) -> Motif:
    """A striped top over a front on which goods show here and there."""

    def draw(spot: FurnitureTile) -> Pair:
        lower = goods[spot.dice(len(goods))] if goods and spot.dice(3) else front
        return (first if spot.x % 2 else second), lower

    return draw


def pole_motif(head: int, foot: int) -> Motif:
    """The same two pixels everywhere: a head and a foot."""
    return lambda spot: (head, foot)


def bed_motif(spot: FurnitureTile) -> Pair:
    """A pillow above a blanket."""
    blanket = BLANKETS[spot.dice(len(BLANKETS))]
    return (blanket, scale(blanket, 0.84)) if spot.above else (PILLOW, blanket)


def bed_side(terrain: Terrain, x: int, y: int) -> int:
    """The side to which a single bed or cot is widened, so that a sleeper fits: 1 right, -1 left, 0 none. A double bed
    (two bed tiles side by side) is wide enough.
    """
    if any(str(look) in BEDS for look in (*terrain.look[y, max(0, x - 1) : x], *terrain.look[y, x + 1 : x + 2])):
        return 0
    for side in (1, -1):
        if 0 <= x + side < terrain.width and str(terrain.look[y, x + side]) == "floor":
            return side
    return 0


def _widen_bed(out: Pixels, terrain: Terrain, x: int, y: int) -> None:
    """Widen a bed to two columns, and extend it one pixel below its tile where the floor is free."""
    side = bed_side(terrain, x, y)
    if side:
        out[2 * y : 2 * y + 2, x + side] = out[2 * y : 2 * y + 2, x] * 0.95
    if y + 1 < terrain.height:
        for column in {x, x + side}:
            if str(terrain.look[y + 1, column]) == "floor":
                out[2 * y + 2, column] = out[2 * y + 1, x] * 0.82


def shelf_motif(board: int, *goods: int) -> Motif:
    """A board above things of several muted colours."""
    return lambda spot: (board, goods[spot.dice(len(goods))])


def timber_motif(spot: FurnitureTile) -> Pair:
    """Long pale boards in a stack."""
    return 0xC49E68 if spot.above else 0xCFAA74, 0xA8834F if spot.below else 0x7C5E38


KINDS: dict[str, Callable[..., Motif]] = {
    "basin": lambda rim, water: frame_motif(rim, water, scale(rim, 0.8), (rim, water)),
    "block": block_motif,
    "frame": frame_motif,
    "front": front_motif,
    "pole": pole_motif,
    "seat": seat_motif,
    "shelf": shelf_motif,
    "stripe": stripe_motif,
    "table": table_motif,
}
Colours: TypeAlias = tuple[int | tuple[int, ...], ...]
_READ = msgspec.yaml.decode(
    Path(__file__).with_name("furniture.yaml").read_bytes(), type=dict[str, tuple[str, Colours]]
)
MOTIFS: dict[str, Motif] = {look: KINDS[kind](*colours) for look, (kind, colours) in _READ.items()} | {
    "bookshelf": shelf_motif(0x5A4028, *SPINES),
    "timber": timber_motif,
    "cot": pole_motif(PILLOW, 0x8FA6A8),
    "bed": bed_motif,
}


def motif_for(look: str) -> Motif:
    """The motif of a look; an unknown look gets a plain box in a colour derived from its name."""
    found = MOTIFS.get(look)
    if found is None:
        tone = mix(0x8A7458, SPINES[sum(map(ord, look)) % len(SPINES)], 0.5)
        found = block_motif(tone, scale(tone, 0.62))
    return found


def paint_furniture(out: Pixels, terrain: Terrain) -> None:
    """Draw all objects of the map in reading order, each with a small shadow at its right and below."""
    height, width = terrain.height, terrain.width
    for y, looks in enumerate(terrain.look.tolist()):
        for x, name in enumerate(looks):
            if name not in MOTIFS and terrain.kind[y, x] != "object":
                continue
            spot = furniture_tile(terrain, x, y)
            upper, lower = motif_for(name)(spot)
            if name not in FLAT:
                if x + 1 < width and not spot.right and terrain.kind[y, x + 1] in ("ground", "water"):
                    out[2 * y + 1, x + 1] *= 0.80
                if y + 1 < height and not spot.below and terrain.kind[y + 1, x] in ("ground", "water"):
                    out[2 * y + 2, x] *= 0.76
            share = SMALL_MUTED if name in SMALL else MUTED
            for row, colour in ((2 * y, upper), (2 * y + 1, lower)):
                out[row, x] = out[row, x] * share + np.array(split(colour), np.float32) * (1 - share)
            if name in BEDS:
                _widen_bed(out, terrain, x, y)
    _stalls(out, terrain)
    _fountains(out, terrain)


def _stalls(out: Pixels, terrain: Terrain) -> None:
    """Draw market stalls: a striped awning overhanging on both sides, goods below it, a shadow on the ground."""
    rows = enumerate(terrain.look == "stall")
    for y, first, last in ((y, run[0], run[-1]) for y, row in rows for run in split_runs(row)):
        cloth = AWNINGS[(first // 4 + y) % len(AWNINGS)]
        left, right = max(0, first - 1), min(terrain.width - 1, last + 1)
        top = 2 * y - 1
        if top < 0 or top + 4 >= 2 * terrain.height:
            continue
        out[top + 2 : top + 5, left + 1 : right + 2] *= 0.78
        for x in range(left, right + 1):
            stripe = CANVAS if (x - left) % 2 else cloth
            out[top, x] = split(scale(stripe, 1.06))
            out[top + 1, x] = split(stripe)
            out[top + 2, x] = split(scale(stripe, 0.72))
            post = x in (left, right)
            out[top + 3, x] = split(POST if post else GOODS[pick_at(x, y, 12, len(GOODS))])


def _fountains(out: Pixels, terrain: Terrain) -> None:
    """Draw fountains: a stone bowl and the jet above it."""
    for y, x in np.argwhere(terrain.look == "fountain").tolist():
        dots = ((-2, 0, 0xDCEBEF), (-1, 0, 0xC2DCE6), (-1, -1, 0x86B4CC), (-1, 1, 0x86B4CC), (0, 0, 0xE8F2F4))
        rim = ((0, -1, 0xB4B1AA), (0, 1, 0xA09D96), (1, -1, 0x8A8781), (1, 0, 0x9A9790), (1, 1, 0x76736E))
        for dy, dx, colour in (*dots, *rim):
            if 0 <= 2 * y + dy < out.shape[0] and 0 <= x + dx < out.shape[1]:
                out[2 * y + dy, x + dx] = split(colour)
