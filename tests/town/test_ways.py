"""Paths and sight."""

import zlib
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from maps import shortest, town_of, walked

from sandbox.core.chance import Chance
from sandbox.town.grid import TownMap
from sandbox.town.ways import Ways, end_of, view_from

CHANCE = Chance(1)


def stream(n: int):
    return CHANCE.stream(1, "mara", "walk", n)


grids = st.integers(3, 12).flatmap(
    lambda w: st.lists(st.text("...#~T+", min_size=w, max_size=w), min_size=3, max_size=10)
)


@given(grids, st.data())
def test_a_way_is_found_if_there_is_one_and_is_the_shortest(rows: list[str], data: st.DataObject) -> None:
    town = town_of("\n".join(rows))
    open_ = [t for t in range(len(town.walkable)) if town.walkable[t]]
    assume(open_)
    start, goal = data.draw(st.sampled_from(open_)), data.draw(st.sampled_from(open_))
    path = Ways(town).path(start, goal, stream(start))
    far = shortest(town, start).get(goal)
    if path is None:
        assert far is None
        return
    walked(town, start, path)
    assert end_of(start, path, town.width) == goal
    assert len(path) == far


def test_no_way_is_none_and_no_distance_is_no_way() -> None:
    town = town_of("..#..\n..#..")
    ways = Ways(town)
    assert ways.path(0, 4, stream(0)) is None
    assert ways.path(0, 0, stream(0)) == ""


ROOMS = {"Mill House": {"bedroom": (1, 1, 4, 3), "kitchen": (6, 1, 5, 3)}}
HOUSE = town_of(
    """
    ############....
    #bb..#..O..#.T..
    #b...+.....+....
    #....#..b..#.~~.
    ############....
    """,
    ROOMS,
)


@given(st.data())
def test_a_way_into_a_room_is_near_the_shortest(data: st.DataObject) -> None:
    open_ = [t for t in range(len(HOUSE.walkable)) if HOUSE.walkable[t]]
    start, goal = data.draw(st.sampled_from(open_)), data.draw(st.sampled_from(open_))
    path = Ways(HOUSE).path(start, goal, stream(start))
    assert path is not None
    walked(HOUSE, start, path)
    assert end_of(start, path, HOUSE.width) == goal
    assert len(path) <= shortest(HOUSE, start)[goal] + 6


@pytest.fixture(scope="module")
def ways(town: TownMap) -> Ways:
    return Ways(town)


@given(st.data())
def test_anybody_can_walk_anywhere_in_larkspur(ways: Ways, data: st.DataObject) -> None:
    town = ways.town
    tiles = st.sampled_from(sorted({t for a in town.areas.values() for t in a.tiles}))
    start, goal = data.draw(tiles), data.draw(tiles)
    path = ways.path(start, goal, stream(goal))
    assert path is not None
    walked(town, start, path)
    assert end_of(start, path, town.width) == goal


@pytest.mark.slow
def test_ways_in_larkspur_are_hardly_longer_than_they_must_be(ways: Ways) -> None:
    town = ways.town
    tiles = sorted({t for a in town.areas.values() for t in a.tiles})
    made = needed = 0
    for start in tiles[:: len(tiles) // 40]:
        far = shortest(town, start)
        for goal in tiles[7 :: len(tiles) // 25]:
            made += len(ways.path(start, goal, stream(goal)) or "")
            needed += far[goal]
    assert needed <= made <= 1.25 * needed


def test_two_people_need_not_walk_in_one_file(ways: Ways) -> None:
    town = ways.town
    start, goal = town.areas["Chapel / nave"].tiles[0], town.areas["Number Nine / lounge"].tiles[0]
    assert len({ways.path(start, goal, stream(n)) for n in range(20)}) > 1
    assert ways.path(start, goal, stream(1)) == ways.path(start, goal, stream(1))


def test_fields_that_are_forgotten_are_made_anew_alike(town: TownMap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.town.ways.CACHE_BYTES", 1)
    small, large = Ways(town), Ways(town)
    goals = [a.tiles[0] for a in list(town.areas.values())[:8]]
    first = [small.path(goals[-1], g, stream(g)) for g in goals]
    monkeypatch.undo()
    assert [large.path(goals[-1], g, stream(g)) for g in goals] == first
    assert len(small._fields) == 1


# ---- sight


def sight(text: str) -> bool:
    """Whether the first b sees the second."""
    town = town_of(text)
    a, b = (i for i, c in enumerate("".join(text.split())) if c == "b")
    assert Ways(town).sees(a, b) == Ways(town).sees(b, a)
    return Ways(town).sees(a, b)


def test_walls_block_sight_and_doors_water_trees_and_things_do_not() -> None:
    assert not sight("#######\n#b.#.b#\n#######")
    for clear in ".+~TO":
        assert sight(f"#######\n#b.{clear}.b#\n#######")


def test_sight_ends_at_the_radius() -> None:
    assert sight("b" + "." * 11 + "b")
    assert not sight("b" + "." * 12 + "b")
    assert not sight("b" + "." * 30 + "b")


def test_everybody_sees_where_they_stand(town: TownMap, ways: Ways) -> None:
    for area in town.areas.values():
        assert ways.sees(area.tiles[0], area.tiles[0])


@given(st.data())
def test_who_sees_is_seen(ways: Ways, data: st.DataObject) -> None:
    town = ways.town
    open_ = [t for t in range(len(town.walkable)) if town.walkable[t]]
    a = data.draw(st.sampled_from(open_))
    x, y = town.xy(a)
    near = [t for t in open_ if abs(t % town.width - x) <= 13 and abs(t // town.width - y) <= 13]
    b = data.draw(st.sampled_from(near))
    assert ways.sees(a, b) == ways.sees(b, a)


@pytest.mark.parametrize(("r", "shown"), [(12, 3572798829), (21, 3072830643)])
def test_sixty_boards_are_seen_as_libtcod_showed_them(r: int, shown: int) -> None:
    chance, found = Random(r), 0
    for board in range(60):
        clear = bytes(chance.random() > 0.02 * (1 + board % 8) for _ in range((2 * r + 1) ** 2))
        found = zlib.crc32(view_from(clear, r), found)
    assert found == shown  # of tcod 21.2.2


def test_what_is_seen_is_what_libtcod_shows() -> None:
    """Its symmetric shadowcasting, rounded as there: the recorded days were lived with it."""
    rows = ("...#...", ".......", "..#....", ".......", "...#.#.", ".......", ".......")
    seen = ("  .#...", "  .....", "..#....", ".......", "...#.# ", "... .. ", "..   ..")
    found = view_from(bytes(sign == "." for row in rows for sign in row), 3)
    shown = "".join(sign if yes else " " for sign, yes in zip("".join(rows), found, strict=True))
    assert tuple(shown[at : at + 7] for at in range(0, 49, 7)) == seen
