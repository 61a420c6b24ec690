"""A floor plan as arrays for drawing: the thing on each tile, the ground under it, the building it belongs to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sandbox.town.plan import Arena, FloorPlan, Sector
from sandbox.tui.theme.colours import OUTDOOR, ground_name

Mask: TypeAlias = npt.NDArray[np.bool_]
Words: TypeAlias = npt.NDArray[np.str_]
Numbers: TypeAlias = npt.NDArray[np.int16]

GROWN = frozenset({"hedge", "fence", "railing", "gate"})  # garden walls, which never belong to a house


@dataclass(frozen=True)
class Terrain:
    """Arrays of height x width tiles. building: number of the sector whose roof covers the tile, else -1.

    inside: enclosed floor of a building. outer: its walls and doors that touch the open air. ground: what
    lies under a tile (a key of colours.GROUNDS).
    """

    height: int
    width: int
    look: Words
    kind: Words
    ground: Words
    sector: Numbers
    building: Numbers
    inside: Mask
    wall: Mask
    door: Mask
    outer: Mask
    sectors: tuple[Sector, ...]


def read_terrain(plan: FloorPlan) -> Terrain:
    """The plan as arrays. Letters without a legend and short rows become grass; areas are cut at the rim."""
    height, width = len(plan.rows), max((len(row) for row in plan.rows), default=0)
    look = np.full((height, width), "grass", "<U16")
    kind = np.full((height, width), "ground", "<U8")
    for y, row in enumerate(plan.rows):
        for x, letter in enumerate(row):
            if glyph := plan.legend.get(letter):
                look[y, x], kind[y, x] = glyph.look, glyph.kind
    wall = (kind == "wall") & ~np.isin(look, list(GROWN))
    door = kind == "door"
    sector = np.full((height, width), -1, np.int16)
    floor = np.full((height, width), "", "<U10")
    building = np.full((height, width), -1, np.int16)
    inside = np.zeros((height, width), np.bool_)
    for number, area in enumerate(plan.sectors):
        place = _slices(area.rect, height, width)
        sector[place] = number
        for order, arena in enumerate(area.arenas):
            dyed = ("carpet", "carpet1", "carpet2")[(number + order) % 3]
            floor[_slices(arena.rect, height, width)] = dyed if arena.floor == "carpet" else arena.floor
        if area.roof:
            enclosed, whole = _house(area, wall, door, height, width)
            inside |= enclosed
            building[whole] = number
    ground = _grounds(look, kind, floor, inside)
    outer = (wall | door) & (building >= 0) & _near(building < 0)
    return Terrain(height, width, look, kind, ground, sector, building, inside, wall, door, outer, plan.sectors)


def outdoors(arena: Arena) -> bool:
    """Whether an arena is open to the sky, by its tags, else by its floor."""
    if "indoors" in arena.tags:
        return False
    return "outdoors" in arena.tags or ground_name(arena.floor) in OUTDOOR


def _slices(rect: tuple[int, int, int, int], height: int, width: int) -> tuple[slice, slice]:
    x, y, w, h = rect
    return slice(max(0, y), max(0, min(height, y + h))), slice(max(0, x), max(0, min(width, x + w)))


def _house(area: Sector, wall: Mask, door: Mask, height: int, width: int) -> tuple[Mask, Mask]:
    """Enclosed floor, and the whole building: what a flood fill from the plot's edge and open arenas cannot reach."""
    place = _slices(area.rect, height, width)
    plot = np.zeros((height, width), np.bool_)
    plot[place] = True
    solid = (wall | door) & plot
    air = np.zeros_like(plot)
    rows, columns = place
    if plot.any():
        air[rows, [columns.start, columns.stop - 1]] = True
        air[[rows.start, rows.stop - 1], columns] = True
    for arena in area.arenas:
        if outdoors(arena):
            air[_slices(arena.rect, height, width)] = True
    air &= plot & ~solid
    while True:
        wider = (air | neighbours(air)) & plot & ~solid
        if (wider == air).all():
            break
        air = wider
    enclosed = plot & ~solid & ~air
    for arena in area.arenas:
        if "indoors" in arena.tags:
            enclosed[_slices(arena.rect, height, width)] = True
    enclosed &= ~solid
    return enclosed, enclosed | (solid & _near(enclosed))


def split_runs(line: Mask) -> list[list[int]]:
    """The indices set in a line, one list for each run of neighbours."""
    places = np.flatnonzero(line)
    return [part.tolist() for part in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(part)]


def shift_mask(mask: Mask, down: int, right: int) -> Mask:
    """The mask shifted (negative: up, left); cells that come in at the edges are unset."""
    out = np.zeros_like(mask)
    high, wide = mask.shape
    here = mask[max(0, -down) : high - down, max(0, -right) : wide - right]
    out[max(0, down) :, max(0, right) :][: here.shape[0], : here.shape[1]] = here
    return out


def neighbours(mask: Mask) -> Mask:
    """The cells of which one of the four neighbours is set."""
    return shift_mask(mask, 1, 0) | shift_mask(mask, -1, 0) | shift_mask(mask, 0, 1) | shift_mask(mask, 0, -1)


def _near(mask: Mask) -> Mask:
    """The set cells and their eight neighbours; beyond the rim of the map nothing is set."""
    wide = mask | shift_mask(mask, 0, 1) | shift_mask(mask, 0, -1)
    return wide | shift_mask(wide, 1, 0) | shift_mask(wide, -1, 0)


def _grounds(look: Words, kind: Words, floor: Words, inside: Mask) -> Words:
    """The ground of each tile: the floor indoors, the letter's own look outdoors, else the commonest one nearby."""
    own = (kind == "ground") | (kind == "water") | (look == "flowers")
    known: list[list[str]] = []
    for tiles in zip(floor.tolist(), look.tolist(), own.tolist(), inside.tolist(), strict=True):
        known.append([])
        for name, letter, mine, within in zip(*tiles, strict=True):
            bare = not name or (mine and not within and letter != "floor" and ground_name(letter))
            known[-1].append((ground_name(letter) if mine else "") if bare else ground_name(name) or "wood")
    out = np.array(known, "<U10").reshape(look.shape)
    for y, x in np.argwhere(out == "").tolist():
        around = (v for row in known[max(0, y - 2) : y + 3] for v in row[max(0, x - 2) : x + 3])
        votes = Counter(v for v in around if v and v != "water")
        out[y, x] = max(votes, key=lambda v: (votes[v], v)) if votes else "grass"
    return out
