"""Walking as arithmetic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.town.model import FEW, Spots
from sandbox.town.ways import Spot, arrival_time, end_of, map_position, tile_at, tiles_walked

WIDTH = 1000
START = 500 * WIDTH + 500

walks = st.builds(
    lambda t, path, pace: Spot(START, t, path, pace, end_of(START, path, WIDTH)),
    st.integers(0, 10**6),
    st.text("NSWE", min_size=1, max_size=150),
    st.integers(1, 60),
)


@given(walks)
def test_at_arrival_one_is_at_the_end(walk: Spot) -> None:
    end = arrival_time(walk)
    assert tile_at(walk, end, WIDTH) == walk.to
    assert tile_at(walk, end + 999, WIDTH) == walk.to
    assert map_position(walk, end, WIDTH) == (walk.to % WIDTH, walk.to // WIDTH)


@given(walks)
def test_one_second_before_arrival_the_last_tile_is_not_reached(walk: Spot) -> None:
    assert tiles_walked(walk, arrival_time(walk) - 1) < len(walk.path)
    assert tiles_walked(walk, walk.t) == 0
    assert tile_at(walk, walk.t - 5, WIDTH) == START


@given(walks, st.lists(st.integers(0, 4000), min_size=2, max_size=20))
def test_a_walker_never_goes_back_on_the_path(walk: Spot, seconds: list[int]) -> None:
    done = [tiles_walked(walk, walk.t + s) for s in sorted(seconds)]
    assert done == sorted(done)
    assert done[-1] <= len(walk.path)


@given(walks, st.integers(0, 4000))
def test_tile_and_position_agree_to_within_a_tile(walk: Spot, s: int) -> None:
    tile = tile_at(walk, walk.t + s, WIDTH)
    x, y = map_position(walk, walk.t + s, WIDTH)
    assert abs(x - tile % WIDTH) + abs(y - tile // WIDTH) < 1
    ahead = map_position(walk, walk.t + s + 1, WIDTH)
    assert abs(ahead[0] - x) + abs(ahead[1] - y) <= walk.pace / 60 + 1e-9


@pytest.mark.parametrize(
    ("tiles", "pace", "seconds"), [(0, 20, 0), (1, 20, 3), (20, 20, 60), (7, 60, 7), (1, 14, 5), (3, 14, 13)]
)
def test_a_walk_takes_its_time_rounded_up(tiles: int, pace: int, seconds: int) -> None:
    assert arrival_time(Spot(START, 50, "E" * tiles, pace)) == 50 + seconds


def test_who_stands_stays() -> None:
    here = Spot(START, 50)
    assert arrival_time(here) == 50
    assert tile_at(here, 10**6, WIDTH) == START
    assert map_position(here, 10**6, WIDTH) == (500.0, 500.0)


@pytest.mark.slow
@given(
    st.lists(st.tuples(walks, walks), min_size=FEW + 1, max_size=FEW + 9), st.lists(st.integers(0, 10**6), max_size=9)
)
def test_whoever_comes_near_is_found_before_and_after_they_set_out(
    ways: list[tuple[Spot, Spot]], moments: list[int]
) -> None:
    spots = Spots({str(i): way for i, (way, _) in enumerate(ways)})
    reach = 4
    for after in (False, True):
        for i, way in enumerate(ways) if after else ():
            spots[str(i)] = way[1]
        for t in moments:
            tiles = {who: tile_at(spot, t, WIDTH) for who, spot in spots.items()}
            here = tiles["0"]
            x, y = here % WIDTH, here // WIDTH
            near = [w for w, k in tiles.items() if abs(k % WIDTH - x) <= reach and abs(k // WIDTH - y) <= reach]
            found = spots.near(here, reach, WIDTH)
            assert [who for who in found if who in near] == near
