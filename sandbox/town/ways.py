"""Ways through the town: distance fields that people descend, and what a tile sees.

A field belongs to an arena and covers the town that holds it; the last steps, from the arena's edge to the tile, come
from a small field of the arena alone. Fields are made when first needed; a bounded cache keeps
them. Decisions read these; a replay does not, for a walk's event carries its path.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Collection, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

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
        self._fields: OrderedDict[tuple[str, Rect], array[int]] = OrderedDict()
        self._bytes = 0
        self._seen: dict[int, bytes] = {}

    def part(self, tile: int) -> Rect:
        """The window of the town that holds a tile; the whole map if none does."""
        x, y = self.town.xy(tile)
        return next((p for p in self.parts if p[0] <= x < p[0] + p[2] and p[1] <= y < p[1] + p[3]), self.whole)

    def _window(self, a: int, b: int) -> Rect:
        part = self.part(a)
        return part if part == self.part(b) else self.whole

    def field(self, goals: Sequence[int], window: Rect, key: str) -> array[int]:
        """Cost to the nearest goal from each tile of the window, row by row; FAR where there is no way."""
        found = self._fields.get((key, window))
        if found is not None:
            self._fields.move_to_end((key, window))
            return found
        x0, y0, w, h = window
        places = [(x - x0, y - y0) for x, y in map(self.town.xy, goals)]
        field = cost_field(self.town.cost[y0 : y0 + h, x0 : x0 + w], places)
        self._fields[key, window] = field
        self._bytes += 4 * len(field)
        while self._bytes > CACHE_BYTES and len(self._fields) > 1:
            _, old = self._fields.popitem(last=False)
            self._bytes -= 4 * len(old)
        return field

    def leads(self, start: int, to: int) -> bool:
        """Whether one can walk from a tile to another."""
        window = self._window(start, to)
        (x, y), (tx, ty) = self.town.xy(start), self.town.xy(to)
        if not self.town.cost[ty, tx]:
            return False
        field = self.field((to,), window, f"tile {to}")
        return field[(y - window[1]) * window[2] + x - window[0]] != FAR

    def path(self, start: int, to: int, chance: Stream) -> str | None:
        """The way as letters N, S, W, E, one a tile; "" if already there; None if there is none."""
        if start == to:
            return ""
        address = self.town.area_of[to]
        if address:
            area = self.town.areas[address]
            here, before = start, ""
            if self.town.area_of[start] != address:
                window = self._window(start, to)
                way, here = self._descend(start, self.field(area.tiles, window, address), window, chance)
                if way is None:
                    return None
                before = way
            if here == to:
                return before
            rect = area.arena.rect
            last, _ = self._descend(here, self.field((to,), rect, f"{address} {to}"), rect, chance)
            if last is not None:
                return before + last
        window = self._window(start, to)
        return self._descend(start, self.field((to,), window, f"tile {to}"), window, chance)[0]

    def _descend(self, start: int, field: array[int], window: Rect, chance: Stream) -> tuple[str | None, int]:
        """Descend a field from start to a goal: the path's letters (None if there is no way) and the goal.

        Among equally short steps the walker tends to go straight on, and chance decides the rest: two people between
        the same two doors need not walk in one file.
        """
        x0, y0, w, h = window
        x, y = self.town.xy(start)
        x, y = x - x0, y - y0
        here = field[y * w + x]
        if here == FAR:
            return None, start
        out: list[str] = []
        last = ""
        while here > 0:
            best = here
            choices: list[str] = []
            for letter, (dx, dy) in STEPS.items():
                nx, ny = x + dx, y + dy
                if 0 <= nx < w and 0 <= ny < h:
                    d = field[ny * w + nx]
                    if d < best:
                        best, choices = d, [letter]
                    elif d == best and choices:
                        choices.append(letter)
            if len(choices) == 1:
                letter = choices[0]
            elif last in choices and chance.unit() < 0.8:
                letter = last
            else:
                letter = chance.choice(choices)
            out.append(letter)
            last = letter
            dx, dy = STEPS[letter]
            x, y, here = x + dx, y + dy, best
        return "".join(out), (y + y0) * self.town.width + x + x0

    def sees(self, a: int, b: int) -> bool:
        """Whether somebody at tile a has tile b in view: within the radius, no wall between."""
        width = self.town.width
        r = self.vision
        dx, dy = b % width - a % width, b // width - a // width
        if dx * dx + dy * dy > r * r:
            return False
        seen = self._seen.get(a)
        if seen is None:
            if len(self._seen) * (2 * r + 1) ** 2 > VIEW_BYTES:
                self._seen.clear()
            seen = self._seen[a] = self._view(a)
        side = 2 * r + 1
        return bool(seen[(dy + r) * side + dx + r])

    def _view(self, tile: int) -> bytes:
        r = self.vision
        side = 2 * r + 1
        x, y = self.town.xy(tile)
        window = np.zeros((side, side), dtype=np.bool_)
        x0, x1, y0, y1 = max(0, x - r), min(self.town.width, x + r + 1), max(0, y - r), min(self.town.height, y + r + 1)
        window[y0 - y + r : y1 - y + r, x0 - x + r : x1 - x + r] = self.town.clear[y0:y1, x0:x1]
        return view_from(window.tobytes(), r)


def cost_field(cost: NDArray[np.int8], goals: Collection[tuple[int, int]]) -> array[int]:
    """What it costs to come to each tile, row by row, from the nearest of some (column, row): Dijkstra's algorithm. FAR
    where there is no way. cost: of stepping onto each tile, 0 = one cannot. Goals are within it.
    """
    assert all(0 <= x < cost.shape[1] and 0 <= y < cost.shape[0] for x, y in goals)
    steps, side = np.pad(cost, 1).tobytes(), cost.shape[1] + 2  # with a rim that stops all
    found = [FAR] * len(steps)
    due = {0: [(y + 1) * side + x + 1 for x, y in goals]}  # tiles by cost
    for tile in due[0]:
        found[tile] = 0
    at = 0
    while due:
        for tile in due.pop(at, ()):
            for near in (tile - 1, tile + 1, tile - side, tile + side):
                # whoever comes first comes cheapest: the step costs all the same
                if steps[near] and found[near] == FAR:
                    found[near] = so_far = at + steps[near]
                    due.setdefault(so_far, []).append(near)
        at += 1
    return array("i", np.array(found, np.int32).reshape(-1, side)[1:-1, 1:-1].tobytes())


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
