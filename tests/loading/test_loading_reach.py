"""Every arena and object can be reached, or is named with its tile."""

from __future__ import annotations

from sandbox.town.grid import TownMap
from sandbox.town.plan import Arena, FloorPlan, Glyph, Sector
from sandbox.town.reach import StartTile, connected_parts, cut_off

LEGEND = {
    ".": Glyph("grass", "ground", "grass"),
    "#": Glyph("wall", "wall", "wall"),
    "+": Glyph("door", "door", "door"),
    "~": Glyph("water", "water", "water"),
    "O": Glyph("oven", "object", "oven", ("bake",), walk=False),
    "b": Glyph("bed", "object", "bed", ("sleep",)),
}


def town(*rows: str, **arenas: tuple[int, int, int, int]) -> TownMap:
    """A town of one sector."""
    found = tuple(Arena(name, rect) for name, rect in arenas.items())
    return TownMap(FloorPlan(rows, LEGEND, (Sector("S", (0, 0, len(rows[0]), len(rows)), found),)))


def test_a_connected_town_has_nothing_cut_off() -> None:
    t = town("b.#..", "..+.O", "..#..", a=(0, 0, 2, 3), b=(3, 0, 2, 3))
    assert cut_off(t, [StartTile(0, "a bed")]) == []


def test_ways_do_not_go_round_the_edge_or_across_corners() -> None:
    assert connected_parts(town("..#..", ".#.#.", "#...#")) == [1, 1, 0, 2, 2, 1, 0, 3, 0, 2, 0, 3, 3, 3, 0]


def test_an_oven_behind_water_is_named() -> None:
    t = town("...~O", "...~~", a=(0, 0, 5, 2))
    assert [(c.x, c.y, c.what) for c in cut_off(t)] == [(4, 0, "S / a / oven")]


def test_a_bed_behind_a_wall_is_named_once_as_the_start_it_is() -> None:
    t = town("...#b", "...##", a=(0, 0, 2, 2), b=(2, 0, 3, 2))
    lost = cut_off(t, [StartTile(4, "the bed of Mara")])
    assert [(c.x, c.y, c.what) for c in lost] == [(4, 0, "the bed of Mara")]


def test_a_tile_cut_off_within_an_arena_is_named() -> None:
    t = town("..#.", "..##", a=(0, 0, 4, 2), b=(0, 0, 1, 1))
    assert [(c.x, c.y, c.what) for c in cut_off(t)] == [(3, 0, "S / a")]


def test_an_arena_without_a_tile_to_stand_on_is_named() -> None:
    t = town("..~~", "..~~", a=(0, 0, 2, 2), pond=(2, 0, 2, 2))
    assert [(c.x, c.y, c.what) for c in cut_off(t)] == [(2, 0, "S / pond")]


def test_the_ring_outside_is_not_taken_for_the_town() -> None:
    ring = ["........", ".######.", ".#..+.#.", ".#..#.#.", ".######.", "........"]
    assert cut_off(town(*ring, a=(2, 2, 2, 2), b=(5, 2, 1, 2))) == []
