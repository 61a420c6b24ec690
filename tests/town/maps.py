"""Small maps in a line or two, and the slow, sure way to walk them."""

from __future__ import annotations

from collections import deque

from sandbox.town.grid import TownMap
from sandbox.town.plan import Arena, FloorPlan, Glyph, Rect, Sector

LEGEND = {
    ".": Glyph("grass", "ground", "grass"),
    "=": Glyph("road", "ground", "road"),
    "#": Glyph("wall", "wall", "wall"),
    "+": Glyph("door", "door", "door"),
    "~": Glyph("water", "water", "water"),
    "T": Glyph("tree", "tree", "tree"),
    "b": Glyph("bed", "object", "bed", ("sleep",), "made"),
    "O": Glyph("oven", "object", "oven", ("bake", "cook"), "cold", False),
}
STEP = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}


def town_of(
    text: str, sectors: dict[str, dict[str, Rect]] | None = None, tags: tuple[str, ...] = ("indoors",)
) -> TownMap:
    """A town of these rows. sectors: name -> arena -> rect of its inside; a sector is the box around its arenas."""
    rows = tuple(text.split())
    found = []
    for name, arenas in (sectors or {}).items():
        x0, y0 = min(r[0] for r in arenas.values()), min(r[1] for r in arenas.values())
        x1, y1 = max(r[0] + r[2] for r in arenas.values()), max(r[1] + r[3] for r in arenas.values())
        inside = tuple(Arena(a, rect, tags=tags) for a, rect in arenas.items())
        found.append(Sector(name, (x0, y0, x1 - x0, y1 - y0), inside))
    return TownMap(FloorPlan(rows, LEGEND, tuple(found)))


def shortest(town: TownMap, start: int) -> dict[int, int]:
    """Tiles from start to every tile one can reach, by breadth-first search."""
    far = {start: 0}
    edge = deque([start])
    while edge:
        tile = edge.popleft()
        for n in town.beside(tile):
            if town.walkable[n] and n not in far:
                far[n] = far[tile] + 1
                edge.append(n)
    return far


def walked(town: TownMap, start: int, path: str) -> list[int]:
    """The tiles stepped onto, in order; fails at the first that cannot be."""
    x, y = town.xy(start)
    out = []
    for letter in path:
        dx, dy = STEP[letter]
        x, y = x + dx, y + dy
        assert 0 <= x < town.width, "over the edge"
        assert 0 <= y < town.height, "over the edge"
        tile = y * town.width + x
        assert town.walkable[tile], f"into {town.plan.rows[y][x]!r} at {x}, {y}"
        out.append(tile)
    return out
