"""The town of a foreign scenario: its map, its areas and its windows."""

from __future__ import annotations

from sandbox.core.faults import quoted
from sandbox.engine.claims import known, named, need, once
from sandbox.engine.load_plan import SIDE
from sandbox.town.plan import Plan, Rect


def check_plan(plan: Plan, parts: tuple[Rect, ...]) -> set[str]:
    """Check the map and its areas; their addresses."""
    rows, height = plan.rows, len(plan.rows)
    width = len(rows[0]) if rows else 0
    need(width, "the map is empty")
    need(max(width, height) <= SIDE, f"the map is {width} by {height} tiles; the most is {SIDE} by {SIDE}")
    need(all(len(row) == width for row in rows), "the rows of the map differ in length")
    need(all(len(letter) == 1 for letter in plan.legend), "a letter of the legend is not one character")
    known(sorted(set().union(*rows)), plan.legend, "letter of the map in the legend:")
    for glyph in plan.legend.values():
        _place(glyph.name, "the name of a tile")
    whole = (0, 0, width, height)
    sectors, arenas = _Cover(whole), _Cover(whole)
    floor = {ord(letter): "1" if glyph.walkable else "0" for letter, glyph in plan.legend.items()}
    walkable = [row.translate(floor) for row in rows]
    once([s.name for s in plan.sectors], "sector")
    out: set[str] = set()
    for sector in plan.sectors:
        _place(sector.name, "the name of a sector")
        sectors.add(sector.rect, whole, sector.name)
        once([a.name for a in sector.arenas], "arena")
        for arena in sector.arenas:
            _place(arena.name, "the name of an arena")
            arenas.add(arena.rect, sector.rect, arena.name)
            x, y, w, h = arena.rect
            free = any("1" in row[x : x + w] for row in walkable[y : y + h])
            need(free, f"the arena {quoted(arena.name)} has no tile to stand on")
            out.add(f"{sector.name} / {arena.name}")
    windows = _Cover(whole)
    for part in parts:
        windows.add(part, whole, "a part")
    return out


def _place(text: str, what: str) -> None:
    named(text, what)
    need("/" not in text, f'{what} holds a "/"')


class _Cover:
    """Which tiles are taken by rectangles of one kind, which never overlap."""

    def __init__(self, whole: Rect) -> None:
        self._taken = [bytearray(whole[2]) for _ in range(whole[3])]

    def add(self, rect: Rect, outer: Rect, name: str) -> None:
        (x, y, w, h), (ox, oy, ow, oh) = rect, outer
        inside = w > 0 and h > 0 and ox <= x and oy <= y and x + w <= ox + ow and y + h <= oy + oh
        need(inside, f"{quoted(name)} reaches out of what it lies in")
        full = b"\1" * w
        for row in self._taken[y : y + h]:
            if row.find(1, x, x + w) >= 0:
                raise ValueError(f"{quoted(name)} overlaps another")
            row[x : x + w] = full
