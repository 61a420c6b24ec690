"""A room from close by: as large as it fits, everybody where they stand, those who speak in the light; and faces."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hamlet import NIGHT, NOON, someone

from sandbox.tui.map.close import GRAINS, fit_room
from sandbox.tui.map.closeup import CloseAscii, CloseLetters, ClosePainter, unstack
from sandbox.tui.map.light import unpack_colours
from sandbox.tui.map.people import FACES, MapFigure, draw_portrait, letter_portrait
from sandbox.tui.map.picture import Picture
from sandbox.tui.theme.colours import HAIR, PALETTES, SKIN
from sandbox.tui.view.cells import Box

ROOM, STONES, SIZES = Box(2, 2, 6, 3), Box(9, 10, 11, 4), ((80, 16), (118, 30), (158, 34), (40, 10))
KINDS = (ClosePainter, CloseLetters, CloseAscii)
Kind = type[ClosePainter] | type[CloseLetters]


def drawn(
    kind: Kind,
    picture: Picture,
    *people: MapFigure,
    size: tuple[int, int] = (80, 20),
    second: int = NOON,
    lit: tuple[str, ...] = ("Old House",),
    speakers: tuple[str, ...] = (),
) -> ClosePainter | CloseLetters:
    """The room of the old house with these people in it."""
    painter = kind(picture)
    painter.close = fit_room(ROOM, (4.0, 3.0), *size)
    painter.speakers, painter.speaking = speakers, speakers[0] if speakers else ""
    painter.compose(Box(0, 0, *size), second, people, lit=lit)
    return painter


def light(painter: ClosePainter | CloseLetters, area: Box | None = None) -> float:
    """How light a frame is, or a part of it."""
    canvas = painter.canvas
    whole = Box(0, 0, canvas.width, canvas.height)
    cells = (area or whole).shared(whole).within()
    return float(unpack_colours(np.concatenate([canvas.fg[cells], canvas.bg[cells]])).mean())


@pytest.mark.parametrize("size", SIZES)
def test_a_room_is_shown_with_its_walls_as_large_as_it_fits(size: tuple[int, int]) -> None:
    close = fit_room(ROOM, (4.0, 3.0), *size)
    assert (close.x, close.y, close.width, close.height) == (1, 1, 8, 5)
    larger = [g for g in GRAINS if g > close.grain]
    assert all(g * 8 > size[0] or g * 5 > 2 * size[1] for g in larger)
    assert close.grain * 8 <= size[0]
    assert close.grain * 5 <= 2 * size[1]


def test_of_a_place_that_is_too_large_the_part_in_question_is_shown() -> None:
    close = fit_room(Box(0, 0, 60, 40), (50.0, 30.0), 80, 16)
    assert close.shows(50, 30)
    assert close.width * close.grain <= 80
    assert not close.shows(2, 2)


def test_about_a_place_in_the_open_one_sees_as_far_as_there_is_room() -> None:
    close = fit_room(STONES, (14.0, 12.0), 158, 24, outdoors=True)
    assert close.width > STONES.width
    assert (close.width + 1) * close.grain > 158
    assert close.shows(9, 10)
    assert close.shows(19, 13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
def test_everybody_stands_where_they_are(picture: Picture, kind: Kind, size: tuple[int, int]) -> None:
    people = [someone("ada", 2, 2), someone("bo", 6, 4)]
    painter = drawn(kind, picture, *people, size=size)
    for figure in people:
        body = painter.bodies[figure.id]
        assert painter.close.tile(body.x + body.width // 2, body.y + body.height - 1) == (figure.x, figure.y)
        assert (
            f" {figure.name} " in "".join(s.text for s in painter.line(painter.words[-1].y)) or len(painter.words) == 2
        )


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_beyond_the_room_is_drawn(picture: Picture, kind: Kind) -> None:
    assert set(drawn(kind, picture, someone("ada", 3, 3), someone("bo", 15, 12)).bodies) == {"ada"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_person_has_the_colour_of_their_mood(picture: Picture, kind: Kind) -> None:
    calm = drawn(kind, picture, someone("ada", 4, 3, "calm")).canvas
    angry = drawn(kind, picture, someone("ada", 4, 3, "angry")).canvas
    assert angry.changed(calm).any()


def test_two_who_stand_on_one_tile_are_both_seen() -> None:
    people = [someone("ada", 4, 3), someone("bo", 4, 3), someone("cy", 4, 3)]
    moved = unstack(people, ("bo",))
    assert (moved[1].x, moved[1].y) == (4, 3)  # who speaks keeps their place
    assert all(abs(a.x - b.x) >= 0.75 or abs(a.y - b.y) >= 0.75 for a, b in combinations(moved, 2))


def test_who_speaks_stands_in_the_light(picture: Picture) -> None:
    people = [someone("ada", 2, 2), someone("bo", 7, 4)]
    plain, staged = (drawn(ClosePainter, picture, *people, speakers=who) for who in ((), ("ada",)))
    ada, bo = (staged.bodies[who] for who in ("ada", "bo"))
    assert light(staged, ada) > 0.85 * light(plain, ada)
    assert light(staged, bo) < 0.7 * light(plain, bo)


def test_by_night_a_room_is_dark_unless_somebody_is_up(picture: Picture) -> None:
    day, lit, dark = (
        light(drawn(ClosePainter, picture, second=second, lit=lit))
        for second, lit in ((NOON, ("Old House",)), (NIGHT, ("Old House",)), (NIGHT, ()))
    )
    assert day > lit > 1.3 * dark


def test_in_ascii_nothing_else_is_written(picture: Picture) -> None:
    painter = drawn(CloseAscii, picture, someone("ada", 4, 3, asleep=True), speakers=("ada",))
    text = ["".join(s.text for s in painter.line(y)) for y in range(painter.canvas.height)]
    assert all(line.isascii() for line in text)
    assert "(a)" in "".join(text)
    assert "counter" in "".join(text)


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("palette", PALETTES)
def test_no_two_moods_have_the_same_face(small: bool, palette: str) -> None:
    faces = {draw_portrait("brown", "light", mood, "grey" if palette == "grey" else palette, small) for mood in FACES}
    assert len(faces) == len(FACES)
    without_clothes = {face[:-1] for face in faces}
    assert len(without_clothes) == len(FACES)  # not by the colour alone
    assert len({letter_portrait(mood, "Ada", small) for mood in FACES}) == len(FACES)


def test_a_face_is_made_of_the_look() -> None:
    for hair in HAIR:
        for skin in SKIN:
            cells = {cell for row in draw_portrait(hair, skin, "calm") for cell in row}
            assert {HAIR[hair], SKIN[skin]} <= cells
    assert draw_portrait("blue", "green", "merry") == draw_portrait("brown", "light", "vague")


@pytest.mark.parametrize("small", [False, True])
def test_a_face_has_whole_cells_and_its_letters_are_ascii(small: bool) -> None:
    face = draw_portrait("brown", "light", "sad", small=small)
    assert len(face) % 2 == 0
    assert len({len(row) for row in face}) == 1
    letters = letter_portrait("sad", "Élodie", small)
    assert len({len(row) for row in letters}) == 1
    assert all(row.isascii() for row in letters)


def test_who_says_something_in_a_tone_wears_what_they_feel() -> None:
    face, afraid = draw_portrait("brown", "light", "angry", worn="afraid"), draw_portrait("brown", "light", "afraid")
    assert face[:-1] == draw_portrait("brown", "light", "angry")[:-1]
    assert face[-1] == afraid[-1]
