"""What a floor plan looks like: walls, floors, roofs and the light of the hour."""

from __future__ import annotations

import numpy as np
import pytest
from hamlet import HAMLET, NIGHT, NOON, OPEN

from sandbox.people.mood_words import MARKS
from sandbox.town.plan import FloorPlan, Glyph, Sector
from sandbox.tui.map.furniture import MOTIFS, FurnitureTile, motif_for
from sandbox.tui.map.light import STEPS, light_at, tint_step, unpack_colours
from sandbox.tui.map.picture import Picture, glints
from sandbox.tui.map.scene import Roofs
from sandbox.tui.theme.colours import MOODS

STEP = tint_step(NOON)


def brightness(picture: Picture, row: int, column: int, alpha: dict[str, float], step: int = STEP) -> float:
    return float(unpack_colours(picture.pixels(step, alpha, ()))[row, column].mean())


def test_a_wall_has_a_lit_top_and_a_darker_face(picture: Picture) -> None:
    top, face = brightness(picture, 2, 3, OPEN), brightness(picture, 3, 3, OPEN)
    assert top > face * 1.2


def test_a_wall_throws_its_shadow_to_the_right_and_below(picture: Picture) -> None:
    ground = unpack_colours(picture.pixels(STEP, OPEN, ()))
    beside, open_grass = ground[4:11, 29].mean(), ground[28:32, 10:30].mean()
    assert beside < open_grass * 0.9
    floor_below, floor = brightness(picture, 4, 25, OPEN), brightness(picture, 8, 26, OPEN)
    assert floor_below < floor * 0.9


def test_a_closed_roof_hides_what_is_inside_and_opening_shows_it(picture: Picture) -> None:
    bare, closed = picture.pixels(STEP, OPEN, ()), picture.pixels(STEP, {}, ())
    half = picture.pixels(STEP, {"Hut": 0.5, "Old House": 0.0}, ())
    inside = np.s_[4:10, 24:28]
    assert (bare[inside] != closed[inside]).all()
    low = np.minimum(unpack_colours(bare[inside]), unpack_colours(closed[inside])) - 4
    high = np.maximum(unpack_colours(bare[inside]), unpack_colours(closed[inside])) + 4
    assert ((unpack_colours(half[inside]) >= low) & (unpack_colours(half[inside]) <= high)).all()


def test_a_roof_covers_the_house_and_never_its_garden(picture: Picture) -> None:
    building = picture.terrain.building
    assert (building[1:6, 1:9] == 0).all()
    assert (building[1:6, 9:18] == -1).all()
    assert (building[10:14] == -1).all()


def test_the_south_wall_with_its_door_stays_in_sight_below_the_eaves(picture: Picture) -> None:
    closed, bare = picture.pixels(STEP, {}, ()), picture.pixels(STEP, OPEN, ())
    assert (closed[10:12, 1:9] == bare[10:12, 1:9]).all()


def test_a_roof_opens_in_three_frames_and_closes_again() -> None:
    roofs = Roofs(["Hut", "Old House"])
    seen = []
    for _ in range(3):
        roofs.move(frozenset(["Hut"]))
        seen.append(roofs.alpha["Hut"])
    assert seen == [pytest.approx(0.67, abs=0.01), pytest.approx(0.33, abs=0.01), 0.0]
    assert roofs.alpha["Old House"] == 1.0
    assert not roofs.moving
    for _ in range(3):
        roofs.move(frozenset())
    assert roofs.alpha["Hut"] == 1.0


def test_equal_neighbours_join_into_one_thing() -> None:
    counter = motif_for("counter")
    middle = counter(FurnitureTile(5, 4, False, False, True, True))
    assert middle == counter(FurnitureTile(6, 4, False, False, True, True))
    left = counter(FurnitureTile(4, 4, False, False, False, True))
    assert left != middle


@pytest.mark.parametrize("look", [*MOTIFS, "a thing nobody knows"])
def test_every_look_has_colours_in_every_company(look: str) -> None:
    for bits in range(16):
        spot = FurnitureTile(3, 5, *(bool(bits >> i & 1) for i in range(4)))
        assert all(0 <= c <= 0xFFFFFF for c in motif_for(look)(spot))


def test_night_is_darker_and_bluer(picture: Picture) -> None:
    day = unpack_colours(picture.pixels(STEP, {}, ())).mean(axis=(0, 1))
    night = unpack_colours(picture.pixels(tint_step(NIGHT), {}, ())).mean(axis=(0, 1))
    assert night.sum() < day.sum() * 0.6
    assert night[2] / night.sum() > day[2] / day.sum()


def test_a_window_glows_only_where_somebody_is_awake(picture: Picture) -> None:
    step = tint_step(NIGHT)
    dark, lit = picture.pixels(step, {}, ()), picture.pixels(step, {}, {"Hut"})
    pane = next(w for w in picture.windows if w.south and picture.plan.sectors[w.sector].name == "Hut")
    red, _, blue = unpack_colours(lit)[pane.row, pane.column]
    assert red > 200 > blue
    assert unpack_colours(dark)[pane.row, pane.column].sum() < 300
    assert (dark[:, :20] == lit[:, :20]).all()
    assert (picture.pixels(STEP, {}, ()) == picture.pixels(STEP, {}, {"Hut"})).all()


def test_a_day_has_48_tints_and_colours_are_coarse(picture: Picture) -> None:
    assert {tint_step(s) for s in range(0, 86_400, 600)} == set(range(STEPS))
    assert all(0 <= light_at(step).lamp <= 1 for step in range(STEPS))
    assert not (picture.pixels(STEP, {}, ()) & 0x030303).any()


def test_a_part_is_painted_as_the_whole_is(picture: Picture) -> None:
    step = tint_step(NIGHT)
    box = picture.reach_of("Hut")
    assert box is not None
    whole = picture.pixels(step, {"Hut": 0.33}, {"Hut"})
    part = picture.pixels(step, {"Hut": 0.33}, {"Hut"}, box)
    assert (part == whole[box.within()]).all()


def test_the_same_plan_is_always_the_same_picture(picture: Picture) -> None:
    assert (Picture(HAMLET).pixels(9, {}, ()) == picture.pixels(9, {}, ())).all()


def test_water_glints_slowly_and_a_little(picture: Picture) -> None:
    rows, columns = glints(picture.motion, 0)
    assert all(picture.terrain.look[y // 2, x] == "water" for y, x in zip(rows, columns, strict=True))
    assert len(rows) < 0.05 * 16 * 8
    again, _ = glints(picture.motion, 1)
    assert (again == rows).all()


@pytest.mark.parametrize(
    "plan",
    [
        FloorPlan((), {}, ()),
        FloorPlan(("",), {}, ()),
        FloorPlan(("#",), {"#": Glyph("wall", "wall", "wall")}, (Sector("A", (0, 0, 1, 1), (), "slate"),)),
        FloorPlan(
            ("?!",),
            {},
            (Sector("Far", (50, 50, 9, 9), (), "moss"), Sector("Big", (-3, -3, 99, 99), (), "no")),
        ),
    ],
    ids=["nothing", "no columns", "one wall", "areas beyond the map"],
)
def test_odd_plans_are_drawn_without_complaint(plan: FloorPlan) -> None:
    pixels = Picture(plan).pixels(3, {}, {"Far", "nowhere"})
    assert pixels.shape == (2 * len(plan.rows), max((len(r) for r in plan.rows), default=0))


def test_every_palette_has_every_mood_in_its_own_colour() -> None:
    assert MOODS.keys() == MARKS.keys()
    for palette in zip(*MOODS.values(), strict=True):
        assert len(set(palette)) == len(MOODS)
    assert len(set(MARKS.values())) == len(MARKS)
