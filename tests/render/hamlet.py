"""A hamlet of two houses, a square and a pond to draw in tests: 30 x 16 tiles."""

from __future__ import annotations

from typing import Any

from sandbox.town.plan import Arena, FloorPlan, Glyph, Sector
from sandbox.tui.map.people import MapFigure
from sandbox.tui.view.cells import Box

ROWS = (
    "..............................",
    ".########..............######.",
    ".#b     #..|||||||.....#    #.",
    ".#      +..|.....|.....#    #.",
    ".#   CCC#..|.....|.....#    #.",
    ".####+###..|||||||.....##+###.",
    "..............................",
    "==============================",
    "==============================",
    "..............................",
    "...T.....:::::::::::.....~~~~.",
    ".........:::::::::::.....~~~~.",
    ".........:::::::::::.....~~~~.",
    "...***...:::::::::::.....~~~~.",
    "..............................",
    "..............................",
)
LEGEND = {
    ".": Glyph("grass", "ground", "grass"),
    "=": Glyph("road", "ground", "road"),
    ":": Glyph("paving", "ground", "paving"),
    " ": Glyph("floor", "ground", "floor"),
    "#": Glyph("wall", "wall", "wall"),
    "+": Glyph("door", "door", "door"),
    "~": Glyph("water", "water", "water"),
    "T": Glyph("tree", "tree", "tree"),
    "|": Glyph("fence", "tree", "fence"),
    "*": Glyph("flowers", "tree", "flowers"),
    "b": Glyph("bed", "object", "bed"),
    "C": Glyph("counter", "object", "counter", walk=False),
}
SECTORS = (
    Sector(
        "Old House",
        (1, 1, 17, 5),  # the house and its fenced garden
        (
            Arena("room", (2, 2, 6, 3), "wood", ("indoors",)),
            Arena("garden", (12, 3, 5, 2), "grass", ("outdoors",)),
        ),
        "slate",
    ),
    Sector("Hut", (23, 1, 6, 5), (Arena("den", (24, 2, 4, 3), "tile", ("indoors",)),), "terracotta"),
    Sector("Square", (9, 10, 11, 4), (Arena("stones", (9, 10, 11, 4), "paving", ("outdoors",)),)),
)
HAMLET = FloorPlan(ROWS, LEGEND, SECTORS)
ALL = Box(0, 0, 30, 16)
NOON, NIGHT = 12 * 3600, 23 * 3600
OPEN = {"Old House": 0.0, "Hut": 0.0}


def someone(id_: str, x: float, y: float, mood: str = "joy", **more: Any) -> MapFigure:
    """A person of that name at a tile."""
    return MapFigure(id_, id_.title(), x, y, mood, **more)
