"""Rules for a plan: rows of one length, letters of the legend, areas inside their parents and not overlapping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandbox.core.faults import in_quotes
from sandbox.core.fields import Finding, duplicates, unknown_words
from sandbox.town.plan import SIDE, Arena, FloorPlan, Glyph, Rect, Sector

Area = Sector | Arena


class _Tiles:
    """The tiles taken by areas of one kind, which must not overlap."""

    def __init__(self, whole: Rect) -> None:
        self._rows = [bytearray(whole[2]) for _ in range(whole[3])]

    def take(self, rect: Rect) -> bool:
        """Take the tiles of a rectangle; True if one was taken already."""
        x, y, w, h = rect
        rows = self._rows[y : y + h]
        taken = any(1 in row[x : x + w] for row in rows)
        for row in rows:
            row[x : x + w] = b"\1" * len(row[x : x + w])
        return taken


def of_areas(sectors: Sequence[Sector], whole: Rect) -> Iterator[Finding]:
    """Faults of areas. whole: the map, or the largest allowed."""
    inner, outer = _Tiles(whole), _Tiles(whole)
    yield from _beside(sectors, "sector", whole, "the map", outer)
    for sector in sectors:
        yield from _beside(sector.arenas, "arena", sector.rect, in_quotes(sector.name), inner)
        for arena in sector.arenas:
            if "indoors" in arena.tags and "outdoors" in arena.tags:
                yield Finding(arena, "", "is tagged indoors and outdoors; keep one", written=True)


def _beside(areas: Sequence[Area], what: str, outer: Rect, of: str, tiles: _Tiles) -> Iterator[Finding]:
    """Areas of one kind lie within their parent and do not overlap."""
    yield from duplicates(areas, "name")
    for area in areas:
        yield from _slash(area)
        (x, y, w, h), (ox, oy, ow, oh) = area.rect, outer
        if x < ox or y < oy or x + w > ox + ow or y + h > oy + oh:
            yield Finding(area, "rect", f"{_span(area.rect)} reaches outside {of} ({_span(outer)})")
        if tiles.take(area.rect):
            for other in areas[: areas.index(area)]:
                left, top = max(x, other.rect[0]), max(y, other.rect[1])
                right = min(x + w, other.rect[0] + other.rect[2])
                bottom = min(y + h, other.rect[1] + other.rect[3])
                if left < right and top < bottom:
                    common = _span((left, top, right - left, bottom - top))
                    words = f"{what} {in_quotes(area.name)} overlaps {in_quotes(other.name)} at {common}"
                    yield Finding(area, "", f"{words}; move or shrink one")


def _slash(thing: Area | Glyph) -> Iterator[Finding]:
    if "/" in thing.name:
        yield Finding(thing, "", f'the name {in_quotes(thing.name)} holds a "/", which parts addresses; choose another')


def _span(rect: Rect) -> str:
    x, y, w, h = rect
    return f"x {x} to {x + w - 1}, y {y} to {y + h - 1}"


def of_legend(legend: dict[str, Glyph]) -> Iterator[Finding]:
    """Faults of a legend."""
    for glyph in legend.values():
        yield from _slash(glyph)
        for key in ("affords", "idle"):
            if glyph.kind != "object" and getattr(glyph, key):
                mend = f'"{key}" is for objects; write kind: object, or take it out'
                yield Finding(glyph, key, mend, written=True)


def of_plan(plan: FloorPlan, parts: Iterable[Rect]) -> Iterator[Finding]:
    """Faults of a plan that does not come from files, where the loader reports rows and letters itself."""
    rows, height = plan.rows, len(plan.rows)
    width = len(rows[0]) if rows else 0
    if not width:
        yield Finding(plan, "rows", "the map is empty")
    if max(width, height) > SIDE:
        yield Finding(plan, "rows", f"the map is {width} by {height} tiles; the most is {SIDE} by {SIDE}")
    if any(len(row) != width for row in rows):
        yield Finding(plan, "rows", "the rows of the map differ in length")
    if any(len(letter) != 1 for letter in plan.legend):
        yield Finding(plan, "legend", "a letter of the legend is not one character")
    yield from unknown_words(plan, "rows", sorted(set().union(*rows)), plan.legend, "letter of the map in the legend:")
    yield from of_legend(plan.legend)
    whole = (0, 0, width, height)
    yield from of_areas(plan.sectors, whole)
    floor = {ord(letter): "1" if glyph.walkable else "0" for letter, glyph in plan.legend.items()}
    walkable = [row.translate(floor) for row in rows]
    for arena in (arena for sector in plan.sectors for arena in sector.arenas):
        x, y, w, h = arena.rect
        if not any("1" in row[x : x + w] for row in walkable[y : y + h]):
            yield Finding(arena, "", "has no tile to stand on")
    taken = _Tiles(whole)
    for x, y, w, h in parts:
        if x + w > width or y + h > height or taken.take((x, y, w, h)):
            yield Finding(plan, "", "a part of the map reaches out of it, or overlaps another")
