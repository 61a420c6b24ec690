"""The town as the engine uses it: tiles in flat arrays, areas by address, objects with the tiles they are used from.

Built once from a `FloorPlan`; nothing in it changes. A tile is `y * width + x`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.core.faults import in_quotes, suggestion
from sandbox.town.plan import Arena, FloorPlan, Glyph, Rect, Sector, arena_of, sector_of


class Thing(NamedTuple):
    """An object. spots: tiles it is used from, of its own area if it has any there. kind: its name without number;
    idle: its state at rest; takes: how many use it at once.
    """

    address: str
    kind: str
    arena: str
    tile: int
    spots: tuple[int, ...]
    affords: tuple[str, ...]
    idle: str
    takes: int = 1


class Area(NamedTuple):
    """An arena with its place in the tree. tiles: those one can stand on, in reading order."""

    address: str
    sector: Sector
    arena: Arena
    tiles: tuple[int, ...]
    things: tuple[Thing, ...]

    def beds(self) -> list[Thing]:
        """The things to sleep on: beds, or if there are none, things that afford rest, such as a sofa."""
        things = [thing for thing in self.things if thing.spots]
        found = [thing for thing in things if "sleep" in thing.affords]
        return found or [thing for thing in things if "rest" in thing.affords]

    def affords(self) -> set[str]:
        """All affordances of its objects."""
        return {a for thing in self.things for a in thing.affords}


class TownMap:
    """The static side of the map."""

    def __init__(self, plan: FloorPlan) -> None:
        self.plan = plan
        self.height = len(plan.rows)
        self.width = len(plan.rows[0]) if plan.rows else 0
        legend = plan.legend
        walk = {letter: g.walkable for letter, g in legend.items()}
        clear = {letter: not g.opaque for letter, g in legend.items()}
        road = {letter: g.look in ("road", "path", "paving", "planks") for letter, g in legend.items()}
        self.walkable = bytes(walk[c] for row in plan.rows for c in row)
        self.clear: NDArray[np.bool_] = np.array([[clear[c] for c in row] for row in plan.rows], dtype=np.bool_)
        outdoor_cost = {c: 2 if road[c] else 3 for c in legend}
        cost = [[outdoor_cost[c] if walk[c] else 0 for c in row] for row in plan.rows]
        self.cost: NDArray[np.int8] = np.array(cost, dtype=np.int8)
        self.areas: dict[str, Area] = {}
        self.things: dict[str, Thing] = {}
        self.area_of: list[str] = [""] * (self.width * self.height)
        for sector in plan.sectors:
            for arena in sector.arenas:
                area = self._area(sector, arena)
                self.areas[area.address] = area
        self.indoors = frozenset(a.address for a in self.areas.values() if "indoors" in a.arena.tags)
        self.inside = bytes(a in self.indoors for a in self.area_of)
        self._sectors = {s.name: s for s in plan.sectors}

    def _area(self, sector: Sector, arena: Arena) -> Area:
        address = f"{sector.name} / {arena.name}"
        x0, y0, w, h = arena.rect
        tiles: list[int] = []
        found: list[tuple[Glyph, int]] = []
        for y in range(y0, y0 + h):
            for x in range(x0, x0 + w):
                tile = y * self.width + x
                self.area_of[tile] = address
                glyph = self.plan.legend[self.plan.rows[y][x]]
                if glyph.kind == "object":
                    found.append((glyph, tile))
                if glyph.walkable:
                    tiles.append(tile)
                    self.cost[y, x] = 2 if glyph.kind != "object" else 4
        things = self._things(address, found)
        self.things |= {thing.address: thing for thing in things}
        return Area(address, sector, arena, tuple(tiles), things)

    def _things(self, address: str, found: list[tuple[Glyph, int]]) -> tuple[Thing, ...]:
        halves = _halves(found)
        found = [(glyph, tile) for glyph, tile in found if tile in halves]
        names = Counter(glyph.name for glyph, _ in found)
        count: Counter[str] = Counter()
        out = []
        for glyph, tile in found:
            count[glyph.name] += 1
            label = f"{glyph.name} {count[glyph.name]}" if names[glyph.name] > 1 else glyph.name
            beside = halves[tile] if glyph.walkable else [n for n in self.beside(tile) if self.walkable[n]]
            spots = tuple(n for n in beside if self.area_of[n] == address) or tuple(beside)
            whole = f"{address} / {label}", glyph.name, address, tile, spots, glyph.affords, glyph.idle, glyph.users
            out.append(Thing(*whole))
        return tuple(out)

    def beside(self, tile: int) -> list[int]:
        """The up to four tiles that share an edge with it."""
        x, y = tile % self.width, tile // self.width
        above, below = (tile - self.width, y > 0), (tile + self.width, y < self.height - 1)
        left, right = (tile - 1, x > 0), (tile + 1, x < self.width - 1)
        return [n for n, is_there in (above, left, right, below) if is_there]

    def xy(self, tile: int) -> tuple[int, int]:
        """Column and row of a tile."""
        return tile % self.width, tile // self.width

    def place_name(self, address: str) -> str:
        """How people call a place: "the bakery", "Rowan House", "the street"."""
        sector = self._sectors.get(sector_of(address))
        if sector is None:
            return "the street"
        return sector.called or sector.name

    def whereabouts(self, address: str) -> str:
        """Where something happens: "at the bakery", "in the kitchen at Rowan House", "in the street"."""
        area = self.areas.get(address) or self.areas.get(arena_of(address))
        if area is None:
            return "in the street"
        room = ""
        if "home" in area.arena.tags and "indoors" in area.arena.tags:
            room = f"in {area.arena.name} " if area.arena.name.startswith("room ") else f"in the {area.arena.name} "
        return f"{room}at {self.place_name(address)}"


def _halves(found: list[tuple[Glyph, int]]) -> dict[int, list[int]]:
    """First tile of each thing -> its tiles. Equal letters side by side are one thing if it takes several users."""
    out: dict[int, list[int]] = {}
    last: tuple[Glyph, int, int] | None = None  # letter, first tile and latest tile of what stands to the left
    for glyph, tile in found:
        one = last is not None and (last[0], last[2]) == (glyph, tile - 1) and len(out[last[1]]) < glyph.users
        first = last[1] if last is not None and one and glyph.walkable else tile
        out.setdefault(first, []).append(tile)
        last = glyph, first, tile
    return out


# ---- where a road comes into town


ROAD = 2  # path cost of a step on a road, the lowest


def way_in(town: TownMap, goal: int, part: Rect) -> int:
    """The tile at the edge of a part of the map from which one enters to reach `goal`: the nearest on a road, else the
    nearest of all; `goal` itself if no way leads to the edge.
    """
    x0, y0, width, height = part
    far = {goal: 0}
    waiting = deque((goal,))
    while waiting:
        tile = waiting.popleft()
        for n in town.beside(tile):
            x, y = town.xy(n)
            if n not in far and town.walkable[n] and x0 <= x < x0 + width and y0 <= y < y0 + height:
                far[n] = far[tile] + 1
                waiting.append(n)

    def rank(tile: int) -> tuple[bool, int, int]:
        x, y = town.xy(tile)
        return int(town.cost[y, x]) != ROAD, far[tile], tile

    def at_edge(tile: int) -> bool:
        x, y = town.xy(tile)
        return x in (x0, x0 + width - 1) or y in (y0, y0 + height - 1)

    return min(filter(at_edge, far), key=rank, default=goal)


# ---- addresses, as files name places


class Addresses:
    """names: sector -> names of its arenas, None if unknown. town: if given, objects are checked, too."""

    def __init__(self, names: Mapping[str, Collection[str] | None], town: TownMap | None = None) -> None:
        self._sectors = names
        self._town = town
        self.arenas = {f"{s} / {a}" for s, arenas in names.items() for a in arenas or ()}

    @classmethod
    def of(cls, plan: FloorPlan) -> Addresses:
        """The addresses of a floor plan."""
        return cls({s.name: [a.name for a in s.arenas] for s in plan.sectors})

    def wrong(self, address: str, words: Iterable[str] = (), objects: bool = False) -> str:
        """What is wrong with an address and how to fix it; "" if nothing is, or no area is known at all.

        words: what may stand instead ("home", "work"). objects: whether "Sector / arena / object" is allowed.
        """
        if not self.arenas or address in self.arenas or address in words:
            return ""
        sector, *rest = address.split(" / ")
        if self._sectors.get(sector, ()) is None:
            return ""
        of = list(self._sectors.get(sector) or ())
        if not rest and sector in self._sectors:
            return f"{in_quotes(sector)} is a whole sector" + (
                f"; write {in_quotes(f'{sector} / {of[0]}')}" if of else ""
            )
        arena = " / ".join((sector, *rest[:1]))
        if arena not in self.arenas or len(rest) > 2:
            near = suggestion(arena, (*self.arenas, *words)) or (
                f"; {in_quotes(sector)} has {', '.join(of)}" if of else ""
            )
            return f"no area {in_quotes(arena)}{near}"
        if not objects:
            return f"{in_quotes(address)} is an object; an area belongs here: {in_quotes(arena)}"
        if self._town is not None and address not in self._town.things:
            there = [t.address for t in self._town.areas[arena].things]
            return f"no object {in_quotes(address)}{suggestion(address, there)}"
        return ""
