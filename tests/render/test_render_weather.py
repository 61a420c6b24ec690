"""Rain and blackouts on the map: where they are seen, that they cost no more than they must, and when nothing moves."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hamlet import ALL, NIGHT, NOON, OPEN, someone

from sandbox.tui.map.letters import AsciiPainter, FarPainter, LetterPainter
from sandbox.tui.map.light import light_at, tint_step, unpack_colours
from sandbox.tui.map.painter import Painter
from sandbox.tui.map.picture import CLEAR, FRAMES, WET, Picture, Weather, falls_on, strokes
from sandbox.tui.view.cells import MapScale

RAIN = Weather(rain=frozenset(("",)))
DARK = Weather(dark=frozenset(("",)))
PAINTERS = [Painter, partial(FarPainter, scale=MapScale(2.0, 2.0)), LetterPainter, AsciiPainter]


def cells(painter: Painter) -> bytes:
    canvas = painter.canvas
    return canvas.code.tobytes() + canvas.fg.tobytes() + canvas.bg.tobytes()


def test_it_rains_out_of_doors_and_on_closed_roofs_and_into_no_open_house(picture: Picture) -> None:
    whole = frozenset(("",))
    building = picture.terrain.building >= 0
    assert falls_on(picture.terrain, whole, {}).all()
    assert (falls_on(picture.terrain, whole, OPEN) == ~building).all()


def test_rain_over_a_part_of_town_stays_there(picture: Picture) -> None:
    wet = falls_on(picture.terrain, frozenset(("Square",)), OPEN)
    assert wet.sum() == 11 * 4
    assert wet[10:14, 9:20].all()
    seen = strokes(ALL, 0, wet)
    assert not seen[: 2 * 10].any()
    clear, rainy = picture.pixels(24, OPEN, ()), picture.pixels(24, OPEN, (), weather=Weather(frozenset(("Square",))))
    assert (clear[:20] == rainy[:20]).all()
    assert (clear[20:28, 9:20] != rainy[20:28, 9:20]).all()


def test_strokes_fall(picture: Picture) -> None:
    wet = falls_on(picture.terrain, frozenset(("",)), {})
    one, next_ = strokes(ALL, 0, wet), strokes(ALL, FRAMES, wet)
    assert one.any()
    assert (one[:-3] == next_[3:]).all()
    assert (strokes(ALL, 1, wet) == one).all()


@pytest.mark.parametrize("kind", PAINTERS, ids=["pictures", "far", "letters", "ascii"])
def test_rain_moves_but_where_motion_is_reduced(picture: Picture, kind: type[Painter]) -> None:
    for still in (False, True):
        painter = kind(picture)
        painter.still, painter.weather = still, RAIN
        painter.compose(ALL, NOON, [], roofs=OPEN, frame=0)
        first = cells(painter)
        painter.compose(ALL, NOON, [], roofs=OPEN, frame=4)
        assert (cells(painter) == first) is still
        painter.weather = CLEAR
        painter.compose(ALL, NOON, [], roofs=OPEN, frame=0)
        assert cells(painter) != first


@pytest.mark.parametrize("kind", PAINTERS, ids=["pictures", "far", "letters", "ascii"])
def test_no_stroke_hides_who_stands_there(picture: Picture, kind: type[Painter]) -> None:
    dry, wet = kind(picture), kind(picture)
    wet.weather = RAIN
    who = someone("una", 14.0, 12.0)
    for painter in (dry, wet):
        painter.still = True
        painter.compose(ALL, NOON, [who], roofs=OPEN)
    assert dry.bodies == wet.bodies
    if kind is Painter:
        body = dry.bodies["una"]
        there = np.s_[body.y : body.y + 1, body.x : body.x + 2]
        assert (dry.canvas.fg[there] == wet.canvas.fg[there]).all()


def test_a_blackout_puts_out_windows_rooms_and_street_lamps(picture: Picture) -> None:
    lit = ("Old House", "Hut")
    bright = unpack_colours(picture.pixels(tint_step(NIGHT), OPEN, lit))
    dark = unpack_colours(picture.pixels(tint_step(NIGHT), OPEN, lit, weather=DARK))
    unlit = unpack_colours(picture.pixels(tint_step(NIGHT), OPEN, ()))
    room = np.s_[6:10, 3:6]
    assert dark[room].mean() < unlit[room].mean() < bright[room].mean()
    y, x = picture.lamps[0]
    assert dark[2 * y - 2, x].mean() < 0.5 * bright[2 * y - 2, x].mean()
    assert dark.max() < 150


def test_a_blackout_of_one_house_leaves_the_others_their_light(picture: Picture) -> None:
    lit, step = ("Old House", "Hut"), tint_step(NIGHT)
    bright = picture.pixels(step, OPEN, lit)
    dark = picture.pixels(step, OPEN, lit, weather=Weather(dark=frozenset(("Hut",))))
    assert (bright[4:10, 2:8] == dark[4:10, 2:8]).all()
    assert (bright[4:10, 24:28] != dark[4:10, 24:28]).all()


def test_by_day_rain_takes_some_of_the_light(picture: Picture) -> None:
    clear, rainy = (unpack_colours(picture.pixels(24, {}, (), weather=w)).mean() for w in (CLEAR, RAIN))
    assert rainy == pytest.approx(clear * WET.mean(), rel=0.03)
    assert light_at(24).lamp == 0


def test_a_frame_without_change_sends_nothing(painter: Painter) -> None:
    painter.weather = RAIN
    painter.compose(ALL, NOON, [], roofs=OPEN)
    assert painter.compose(ALL, NOON, [], roofs=OPEN).rows == ()
