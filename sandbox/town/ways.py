"""Ways through the town: distance fields that people descend, and what a tile sees.

A field belongs to an arena and covers the town that holds it; the last steps, from the arena's edge to the tile, come
from a small field of the arena alone. Fields are made when first needed; a bounded cache keeps
them. Decisions read these; a replay does not, for a walk's event carries its path.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Sequence

import msgspec
import numpy as np

from sandbox.core.chance import Stream
from sandbox.town.grid import TownMap
from sandbox.town.plan import Rect

STEPS = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}  # letter of a path -> column and row


class Spot(msgspec.Struct, gc=False):
    """Where a person is. Standing: path is "". Walking: from tile, along path, since t, at pace tiles a minute.

    to: the tile at the path's end.
    """

    tile: int
    t: int
    path: str = ""
    pace: int = 20
    to: int = -1


def arrival_time(spot: Spot) -> int:
    """The second at which a walk ends, rounded up (its start when standing)."""
    return spot.t + -(-len(spot.path) * 60 // spot.pace)


def tiles_walked(spot: Spot, t: int) -> int:
    """How many tiles of the path lie behind at t."""
    return min(len(spot.path), max(0, (t - spot.t) * spot.pace // 60))


def tile_at(spot: Spot, t: int, width: int) -> int:
    """The tile a person is on at t."""
    if not spot.path:
        return spot.tile
    n = tiles_walked(spot, t)
    if n >= len(spot.path):
        return spot.to
    return end_of(spot.tile, spot.path[:n], width)


def map_position(spot: Spot, t: float, width: int) -> tuple[float, float]:
    """Column and row at a moment, between tiles while walking (for the screen)."""
    done = min(float(len(spot.path)), max(0.0, (t - spot.t) * spot.pace / 60))
    n = int(done)
    tile = end_of(spot.tile, spot.path[:n], width)
    dx, dy = STEPS[spot.path[n]] if n < len(spot.path) else (0, 0)
    return tile % width + dx * (done - n), tile // width + dy * (done - n)


def end_of(tile: int, path: str, width: int) -> int:
    """The tile at the end of a path."""
    return tile + path.count("E") - path.count("W") + width * (path.count("S") - path.count("N"))


CACHE_BYTES = 64 << 20  # most memory for distance fields
VIEW_BYTES = 32 << 20  # most memory for fields of view
FAR = np.iinfo(np.int32).max


class Ways:
    """Paths and sight over one town. parts: windows (x, y, width, height) that hold a whole town each."""

    def __init__(self, town: TownMap, parts: tuple[Rect, ...] = (), vision: int = 12) -> None:
        self.town = town
        self.parts = parts or ((0, 0, town.width, town.height),)
        self.whole = (0, 0, town.width, town.height)
        self.vision = vision
        self._fields: OrderedDict[tuple[str, Rect], CostField] = OrderedDict()
        self._bytes = 0
        self._seen: dict[int, bytes] = {}
        self._clear = np.pad(town.clear, vision).tobytes()

    def part(self, tile: int) -> Rect:
        """The window of the town that holds a tile; the whole map if none does."""
        x, y = self.town.xy(tile)
        return next((p for p in self.parts if p[0] <= x < p[0] + p[2] and p[1] <= y < p[1] + p[3]), self.whole)

    def _window(self, a: int, b: int) -> Rect:
        part = self.part(a)
        return part if part == self.part(b) else self.whole

    def field(self, goals: Sequence[int], window: Rect, key: str) -> CostField:
        """Cost to the nearest goal from each tile of the window."""
        found = self._fields.get((key, window))
        if found is not None:
            self._fields.move_to_end((key, window))
            return found
        field = self._fields[key, window] = CostField(self.town, window, goals)
        self._bytes += 6 * len(field.steps)  # one for each step, one where nobody has come yet, four for the cost
        while self._bytes > CACHE_BYTES and len(self._fields) > 1:
            _, old = self._fields.popitem(last=False)
            self._bytes -= 6 * len(old.steps)
        return field

    def leads(self, start: int, to: int) -> bool:
        """Whether one can walk from a tile to another."""
        x, y = self.town.xy(to)
        if not self.town.cost[y, x]:
            return False
        field = self.field((to,), self._window(start, to), f"tile {to}")
        return field.cost_at(field.place(start)) != FAR

    def path(self, start: int, to: int, chance: Stream) -> str | None:
        """The way as letters N, S, W, E, one a tile; "" if already there; None if there is none."""
        if start == to:
            return ""
        address = self.town.area_of[to]
        if address:
            area = self.town.areas[address]
            here, before = start, ""
            if self.town.area_of[start] != address:
                way, here = _descend(start, self.field(area.tiles, self._window(start, to), address), chance)
                if way is None:
                    return None
                before = way
            if here == to:
                return before
            last, _ = _descend(here, self.field((to,), area.arena.rect, f"{address} {to}"), chance)
            if last is not None:
                return before + last
        return _descend(start, self.field((to,), self._window(start, to), f"tile {to}"), chance)[0]

    def sees(self, a: int, b: int) -> bool:
        """Whether somebody at tile a has tile b in view: within the radius, no wall between."""
        width = self.town.width
        r = self.vision
        dx, dy = b % width - a % width, b // width - a // width
        if dx * dx + dy * dy > r * r:
            return False
        seen = self._seen.get(a)
        if seen is None:
            clear = self.town.clear.flat
            if b in self._seen and clear[a] and clear[b]:
                return self.sees(b, a)  # what is no wall is seen from where it sees
            if len(self._seen) * (2 * r + 1) ** 2 > VIEW_BYTES:
                self._seen.clear()
            seen = self._seen[a] = self._view(a)
        side = 2 * r + 1
        return bool(seen[(dy + r) * side + dx + r])

    def _view(self, tile: int) -> bytes:
        side, width = 2 * self.vision + 1, self.town.width + 2 * self.vision
        corner = tile // self.town.width * width + tile % self.town.width
        rows = (self._clear[at : at + side] for at in range(corner, corner + side * width, width))
        return view_from(b"".join(rows), self.vision)


class CostField:
    """What it costs to come from each place of a window to the nearest of some goals: Dijkstra's algorithm, carried on
    only as far as has been asked. A place is a tile's index where the rows of the window have a rim that stops all.
    """

    __slots__ = ("_at", "_corner", "_due", "_left", "costs", "side", "steps", "width")

    def __init__(self, town: TownMap, window: Rect, goals: Collection[int]) -> None:
        x, y, w, h = window
        self.width, self._corner, self.side = town.width, (x - 1, y - 1), w + 1
        cost = town.cost[y : y + h, x : x + w].tobytes()
        rim, rows = bytes(w + 1), (cost[at : at + w] for at in range(0, w * h, w))
        self.steps = b"\0".join((rim, *rows, rim))  # of stepping onto each place, 0 = one cannot
        self.costs = array("i", (FAR,)) * len(self.steps)
        places = [self.place(goal) for goal in goals]
        assert all(0 <= goal % town.width - x < w and 0 <= goal // town.width - y < h for goal in goals)
        self._left = bytearray(self.steps)  # of these, where nobody has come yet
        self._due = defaultdict(list, {0: places})  # places by cost, from which it is carried on
        self._at = 0
        for place in places:
            self.costs[place] = self._left[place] = 0

    def place(self, tile: int) -> int:
        """The place of a tile."""
        x, y = self._corner
        return (tile // self.width - y) * self.side + tile % self.width - x

    def cost_at(self, place: int) -> int:
        """The cost from a place, FAR where there is no way. `costs` is then right wherever it is less."""
        costs, left, side, due, at = self.costs, self._left, self.side, self._due, self._at
        while due and at < costs[place]:
            for there in due.pop(at, ()):
                for near in (there - 1, there + 1, there - side, there + side):
                    if step := left[near]:  # whoever comes first comes cheapest: the step costs all the same
                        left[near] = 0
                        costs[near] = so_far = at + step
                        due[so_far].append(near)
            at += 1
        self._at = at
        return costs[place]


def _descend(start: int, field: CostField, chance: Stream) -> tuple[str | None, int]:
    """Descend a field from start to a goal: the path's letters (None if there is no way) and the goal.

    Among equally short steps the walker tends to go straight on, and chance decides the rest: two people between the
    same two doors need not walk in one file.
    """
    place = field.place(start)
    here = field.cost_at(place)
    if here == FAR:
        return None, start
    costs, steps = field.costs, field.steps
    aside = {"N": -field.side, "S": field.side, "W": -1, "E": 1}
    out, last = "", ""
    while here > 0:
        here -= steps[place]
        choices = [letter for letter, by in aside.items() if costs[place + by] == here]
        if len(choices) == 1:
            last = choices[0]
        elif last not in choices or chance.unit() >= 0.8:
            last = chance.choice(choices)
        out += last
        place += aside[last]
    return out, end_of(start, out, field.width)


def view_from(clear: bytes, r: int) -> bytes:
    """Which tiles of a square are in view (1) from its middle, row by row: symmetric shadowcasting (Albert Ford) as in
    libtcod. clear: whether one sees through each tile; r: tiles from the middle to the edge.
    """
    side, middle = 2 * r + 1, 2 * r * (r + 1)
    seen = bytearray(len(clear))
    seen[middle] = 1
    for out, along in ((1, side), (side, 1), (-side, -1), (-1, -side)):  # a quarter each: to the next row, and in it
        rows = [(1, -1, 1, 1, 1)]  # how far out; the slopes between which one sees it, as fractions
        while rows:
            depth, low, low_of, high, high_of = rows.pop()
            a, b = 2 * depth * low, 2 * depth * high
            first = (a + low_of) // (2 * low_of) if a > 0 else -((low_of - a) // (2 * low_of))  # halves away from 0
            last = -((high_of - b) // (2 * high_of)) if b > 0 else (high_of + b) // (2 * high_of)  # and towards it
            wall = False
            for column in range(first, last + 1):
                tile = middle + depth * out + column * along
                before, wall = wall, not clear[tile]
                if wall or (column * low_of >= depth * low and column * high_of <= depth * high):
                    seen[tile] = 1
                if before and not wall:
                    low, low_of = 2 * column - 1, 2 * depth
                if wall and not before and column > first and depth < r:
                    rows.append((depth + 1, low, low_of, 2 * column - 1, 2 * depth))
            if not wall and depth < r:
                rows.append((depth + 1, low, low_of, high, high_of))
    return bytes(seen)
