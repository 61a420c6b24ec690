"""Check that a town is connected: every arena and object can be reached from everywhere people start.

A flood fill over walkable tiles, four neighbours each. Since ways run both ways, one connected part that
holds all starts, arenas and objects is the proof; whatever lies in another part is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from sandbox.town.grid import TownMap


class CutOff(NamedTuple):
    """Something nobody can get to.

    x, y: its tile, from 0. what: its address or description. mend: how to fix it.
    """

    x: int
    y: int
    what: str
    mend: str


class StartTile(NamedTuple):
    """A tile people start on. what: for messages, "the bed of Mara"."""

    tile: int
    what: str


def connected_parts(town: TownMap) -> list[int]:
    """For each tile the number of its connected part, from 1; 0 where nobody can stand."""
    width, walkable = town.width, town.walkable
    size = len(walkable)
    found = [0] * size
    number = 0
    for first in range(size):
        if found[first] or not walkable[first]:
            continue
        number += 1
        found[first] = number
        edge = [first]
        while edge:
            tile = edge.pop()
            x = tile % width
            for n in (tile - width, tile + width, tile - 1 if x else -1, tile + 1 if x + 1 < width else -1):
                if 0 <= n < size and not found[n] and walkable[n]:
                    found[n] = number
                    edge.append(n)
    return found


def main_part(town: TownMap, part: list[int], starts: Iterable[StartTile]) -> int:
    """The part that holds most arenas; of equals the one with most starts, then the largest, then the first.

    0 if nobody can stand anywhere. Not simply the largest: in some maps that is the ring outside the town.
    """
    arenas = Counter(n for area in town.areas.values() for n in {part[t] for t in area.tiles})
    votes = Counter(part[start.tile] for start in starts)
    sizes = Counter(n for n in part if n)
    return max(sizes, key=lambda n: (arenas[n], votes[n], sizes[n], -n), default=0)


def cut_off(town: TownMap, starts: Iterable[StartTile] = ()) -> list[CutOff]:
    """What is out of reach, in reading order: starts, arenas without a way in, objects without a free spot.

    An object counts as reached on its own tile if one can stand there, else from one of its four neighbours.
    An arena that is cut off as a whole is named once, without its objects. starts: tiles one can stand on, or
    objects' tiles beside one.
    """
    starts = list(starts)
    part = connected_parts(town)
    main = main_part(town, part, starts)
    out: list[CutOff] = []
    lost: set[str] = set()
    named: set[int] = set()

    def add(tile: int, what: str, mend: str) -> None:
        out.append(CutOff(*town.xy(tile), what, mend))
        named.add(part[tile])

    for address, area in town.areas.items():
        if any(part[t] == main for t in area.tiles):
            continue
        lost.add(address)
        if area.tiles:
            add(area.tiles[0], address, "no way leads in; put a door in its wall or clear a way")
        else:
            x, y, _, _ = area.arena.rect
            out.append(CutOff(x, y, address, "it has no tile to stand on; clear one of its tiles"))
    for start in starts:
        if part[start.tile] not in (0, main) and part[start.tile] not in named:
            add(start.tile, start.what, "no way leads out; clear one, or put a door in the wall")
    for thing in town.things.values():
        if thing.arena in lost or any(part[s] == main for s in thing.spots):
            continue
        if not any(part[s] in named for s in thing.spots):
            add(thing.tile, thing.address, "nobody can get to it; clear a tile beside it")
    for address, area in town.areas.items():
        for tile in area.tiles:
            if part[tile] != main and part[tile] not in named:
                add(tile, address, "no way leads to this tile; clear one, or put something on it")
    return sorted(out, key=lambda c: (c.y, c.x, c.what))
