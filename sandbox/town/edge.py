"""Where a road comes into town: the tile at the edge of the map by which somebody comes, and leaves."""

from __future__ import annotations

from collections import deque

from sandbox.town.grid import TownMap
from sandbox.town.plan import Rect

ROAD = 2  # what a step costs where one walks best


def way_in(town: TownMap, goal: int, part: Rect) -> int:
    """The tile at the edge of a part of the map by which one comes to a tile: of those on a road the nearest, else of
    all; the tile itself where no way leads to the edge.
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
