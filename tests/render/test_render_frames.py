"""What a frame holds and what it says has changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hamlet import ALL, NIGHT, NOON, OPEN, someone
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sandbox.tui.map import people
from sandbox.tui.map.bubbles import SHAPES, Bubble, figure_area, place_bubbles, wrap_bubble
from sandbox.tui.map.letters import AsciiPainter, FarPainter, LetterPainter, figure_cells, shrunk
from sandbox.tui.map.painter import Painter
from sandbox.tui.map.people import MapFigure, TalkLink
from sandbox.tui.map.picture import Picture
from sandbox.tui.theme.colours import DARK, mood_colour
from sandbox.tui.view.cells import Box, Canvas, MapScale, fit_text, to_ascii

FAR = partial(FarPainter, scale=MapScale(2.0, 2.0))
PAINTERS = [Painter, FAR, LetterPainter, AsciiPainter]
COARSE = 0xFCFCFC  # what is left of a colour, so that few styles are needed


def text_of(painter: Painter) -> list[str]:
    return ["".join(s.text for s in painter.line(y)) for y in range(painter.canvas.height)]


def cells_of(canvas: Canvas) -> np.ndarray:
    return np.stack([canvas.code, canvas.fg.astype(np.int64), canvas.bg.astype(np.int64)])


def test_a_person_is_two_cells_wide_and_two_high_in_the_mood_colour(painter: Painter) -> None:
    painter.compose(ALL, NOON, [], roofs=OPEN)
    bare = painter.canvas
    painter.compose(ALL, NOON, [someone("ada", 12, 12, "angry")], roofs=OPEN)
    cells = painter.canvas
    assert cells.fg[12, 12] == mood_colour("angry", "default") & COARSE
    assert cells.changed(bare)[11:13, 12:14].all()


def test_the_nearer_person_hides_the_farther(painter: Painter) -> None:
    near, far = someone("ada", 12, 12, "joy"), someone("bo", 12, 11.5, "sad")
    painter.compose(ALL, NOON, [near, far])
    assert painter.canvas.fg[12, 12] == mood_colour("joy", "default") & COARSE
    both = cells_of(painter.canvas)
    painter.compose(ALL, NOON, [far, near])
    assert (cells_of(painter.canvas) == both).all()


def test_walking_up_or_down_is_smooth_by_half_cells(painter: Painter) -> None:
    painter.compose(ALL, NOON, [someone("ada", 12, 12)])
    delta = painter.compose(ALL, NOON, [someone("ada", 12, 11.5)])
    assert set(delta.rows) == {10, 11, 12, 13}


def test_a_roof_hides_people_until_it_is_mostly_open(painter: Painter) -> None:
    ada = someone("ada", 25, 3, name_shown=True)
    painter.compose(ALL, NOON, [])
    empty = cells_of(painter.canvas)
    painter.compose(ALL, NOON, [ada])
    assert (cells_of(painter.canvas) == empty).all()
    painter.compose(ALL, NOON, [ada], roofs={"Hut": 0.34})
    assert "Ada" in "".join(text_of(painter))


def test_a_sleeper_lies_in_the_bed(painter: Painter) -> None:
    painter.compose(ALL, NIGHT, [], roofs=OPEN)
    bare = painter.canvas
    painter.compose(ALL, NIGHT, [someone("ada", 2, 2, asleep=True, mark="z")], roofs=OPEN)
    changed = painter.canvas.changed(bare)
    assert np.argwhere(changed).tolist() == [[1, 2], [2, 2], [2, 3]]


def test_dirty_rows_are_exactly_those_that_changed(painter: Painter) -> None:
    ada, bo = someone("ada", 12, 12), someone("bo", 4, 9, "sad")
    painter.compose(ALL, NOON, [ada, bo])
    before = cells_of(painter.canvas)
    delta = painter.compose(ALL, NOON, [ada._replace(x=13), bo])
    differs = (cells_of(painter.canvas) != before).any(axis=0)
    assert not delta.full
    assert list(delta.rows) == np.flatnonzero(differs.any(axis=1)).tolist()
    covered = np.zeros_like(differs)
    for y, first, last in delta.spans:
        covered[y, first:last] = True
    assert covered[differs].all()
    assert covered.sum() < 30


def test_nothing_changed_is_nothing_to_draw(painter: Painter) -> None:
    frame = (ALL, NIGHT, [someone("ada", 12, 12)])
    assert painter.compose(*frame).full
    assert painter.compose(*frame, frame=500).rows == ()


def test_moving_the_view_draws_everything(painter: Painter) -> None:
    painter.compose(ALL, NOON, [])
    assert painter.compose(ALL._replace(x=1), NOON, []).full


@pytest.mark.parametrize("kind", PAINTERS)
def test_frames_drawn_one_after_another_equal_a_fresh_one(picture: Picture, kind: Callable[[Picture], Painter]) -> None:
    steps = [
        (NOON, {}, set()),
        (NIGHT, {}, set()),
        (NIGHT, {"Hut": 0.33}, {"Hut"}),
        (NIGHT, {"Hut": 0.0}, {"Old House"}),
    ]
    kept = kind(picture)
    for i, (second, roofs, lit) in enumerate(steps):
        people = [someone("ada", 10 + i, 12, name_shown=True), someone("bo", 25, 3, mark="!")]
        kept.compose(ALL, second, people, roofs=roofs, lit=lit, frame=i)
        fresh = kind(picture)
        fresh.compose(ALL, second, people, roofs=roofs, lit=lit, frame=i)
        assert (cells_of(kept.canvas) == cells_of(fresh.canvas)).all()
        assert [kept.line(y) for y in range(16)] == [fresh.line(y) for y in range(16)]


@pytest.mark.parametrize("kind", PAINTERS)
@given(
    x=st.integers(-60, 60),
    y=st.integers(-40, 40),
    width=st.integers(0, 50),
    height=st.integers(0, 30),
    px=st.floats(-5, 40),
    py=st.floats(-5, 25),
)
def test_any_view_and_any_place_is_drawn(
    picture: Picture, kind: Callable[[Picture], Painter], x: int, y: int, width: int, height: int, px: float, py: float
) -> None:
    painter = kind(picture)
    ada = someone("ada", px, py, mark="?", selected=True, asleep=px > 20)
    painter.compose(Box(x, y, width, height), NIGHT, [ada], [Bubble("ada", "Ada", "joy", "Well, well.")], lit={"Hut"})
    assert [sum(s.cell_length for s in painter.line(row)) for row in range(height)] == [width] * height
    assert painter.line(height) == [] == painter.line(-1)


def test_beyond_the_map_it_is_dark(painter: Painter) -> None:
    painter.compose(Box(100, 100, 4, 2), NOON, [])
    assert (painter.canvas.fg == DARK).all()
    assert text_of(painter) == ["    ", "    "]


@given(
    talkers=st.lists(st.tuples(st.integers(0, 28), st.integers(1, 15)), min_size=2, max_size=4, unique=True),
    said=st.text(min_size=1, max_size=80),
)
def test_a_bubble_never_covers_the_talkers_and_stays_in_view(talkers: list[tuple[int, int]], said: str) -> None:
    people = [someone(f"p{i}", x, y) for i, (x, y) in enumerate(talkers)]
    bodies = {f.id: figure_area(f, 0, 0) for f in people}
    among = tuple(bodies)
    placed = place_bubbles([Bubble(id_, "Ada", "joy", said, among) for id_ in among], bodies, ALL)
    assert (len(said) <= 20) <= len(placed) <= 3  # of long ones there may be none with room
    for i, one in enumerate(placed):
        assert not any(one.area.overlap(body) for body in bodies.values())
        assert not any(one.area.overlap(other.area) for other in placed[:i])
        assert one.area.x >= 0 <= one.area.y
        assert one.area.x + one.area.width <= 30
        assert one.area.y + one.area.height <= 16


def test_a_bubble_stays_where_it_was_while_people_walk(painter: Painter) -> None:
    said = [Bubble("ada", "Ada", "angry", "You said what?", ("bo",))]
    painter.compose(ALL, NOON, [someone("ada", 12, 12), someone("bo", 16, 12)], said)
    before = next(y for y, line in enumerate(text_of(painter)) if "Ada" in line), painter.canvas
    painter.compose(ALL, NOON, [someone("ada", 12, 12), someone("bo", 17, 12)], said)
    assert (painter.canvas.code[before[0]] == before[1].code[before[0]]).all()


def test_a_bubble_names_its_speaker_in_the_mood_colour(painter: Painter) -> None:
    painter.compose(ALL, NOON, [someone("ada", 12, 12)], [Bubble("ada", "Ada", "angry", "On the feed?!")])
    row = next(y for y, line in enumerate(text_of(painter)) if "─ Ada ─" in line)
    column = next(x for x in range(30) if painter.canvas.code[row, x] == ord("╭"))
    assert painter.canvas.fg[row, column] == mood_colour("angry", "default")


@given(st.text(max_size=200))
def test_words_are_wrapped_by_cells(text: str) -> None:
    for columns in SHAPES:
        assert all(cell_len(line) <= columns for line in wrap_bubble(text, columns))


LONG = " ".join(["Forty-one years, and I lied to you about a mooring that is signed away."] * 2)


@pytest.mark.parametrize("said", [LONG, "Er, right, this puts paid to the post bicycle.", "Donau" * 12])
@pytest.mark.parametrize("view", [Box(0, 0, 80, 19), Box(0, 0, 104, 42)], ids=["small", "large"])
def test_what_is_said_stands_whole_in_its_bubble(said: str, view: Box) -> None:
    people = [someone("ada", 40, 10), someone("bo", 44, 10)]
    bodies = {f.id: figure_area(f, 0, 0) for f in people}
    (placed,) = place_bubbles([Bubble("ada", "Ada", "joy", said, tuple(bodies))], bodies, view)
    assert "".join("".join(placed.lines).split()) == "".join(said.split())
    assert len(placed.lines) <= 4
    assert placed.area.height == len(placed.lines) + 2


def test_a_name_never_hides_who_speaks_or_is_spoken_to(painter: Painter) -> None:
    for x in range(8, 13):
        for y in (9, 10, 11, 12, 13):
            people = [someone("bo", 10, 11, name_shown=True, mark="!"), someone("ada", x, y, selected=True)]
            people += [someone("cleo", 12, 8, name_shown=True)]
            painter.compose(ALL, NOON, people)
            for chip in (area for area in painter.words if area.width > 2):
                hidden = [who for who, body in painter.bodies.items() if chip.overlap(body)]
                assert not hidden, (x, y)


def test_on_paper_letters_stand_on_a_light_ground(picture: Picture) -> None:
    usual, paper = LetterPainter(picture), LetterPainter(picture, paper=True)
    for painter in (usual, paper):
        painter.compose(ALL, NOON, [someone("ada", 12, 12, selected=True)], [Bubble("ada", "Ada", "joy", "Well?")])
    for y in range(16):
        for segment in paper.line(y):
            assert segment.style is not None
            assert segment.style.color is not None
            ink, ground = segment.style.color.number, segment.style.bgcolor.number
            assert ink != ground
            assert ink in range(9) or (segment.text, ink, ground) == ("A", 15, 0)  # dark on light, but for the chosen
    assert any(segment.style.bgcolor.number == 0 for segment in usual.line(0))


@pytest.mark.parametrize("name", ["[bold red]Eve[/]", "\x1b[31mEve\x1b[0m", "Eve\n\r\t\x07", "\u202eEve"])
@pytest.mark.parametrize("kind", PAINTERS)
def test_markup_and_escapes_in_names_are_inert(picture: Picture, kind: Callable[[Picture], Painter], name: str) -> None:
    painter = kind(picture)
    eve = MapFigure("eve", name, 12, 12, "joy", name_shown=True, selected=True, mark=name)
    painter.compose(ALL, NOON, [eve], [Bubble("eve", name, "joy", name)])
    assert all(c.isprintable() for line in text_of(painter) for c in line)
    assert [sum(s.cell_length for s in painter.line(row)) for row in range(16)] == [30] * 16
    if name.startswith("[bold"):
        assert "[bold" in "".join(text_of(painter))


def test_wide_names_keep_the_row_straight(painter: Painter) -> None:
    for x in range(-3, 32):
        painter.compose(ALL, NOON, [MapFigure("mei", "美玲さん", x, 12, name_shown=True, mark="美")])
        assert [sum(s.cell_length for s in painter.line(row)) for row in range(16)] == [30] * 16


def test_a_wide_sign_cut_in_two_leaves_a_blank() -> None:
    canvas = Canvas(1, 4)
    canvas.write(0, 0, "美美", 1, 2)
    canvas.write(1, 0, "a", 1, 2)
    canvas.write(3, 0, "美", 1, 2)
    assert [int(c) for c in canvas.code[0]] == [ord(" "), ord("a"), ord(" "), ord(" ")]


def test_the_selected_person_has_a_ring_and_a_name(painter: Painter) -> None:
    painter.compose(ALL, NOON, [someone("ada", 12, 12)])
    plainly = painter.canvas
    painter.compose(ALL, NOON, [someone("ada", 12, 12, selected=True)])
    changed = painter.canvas.changed(plainly)
    assert changed[12, 11]
    assert changed[12, 14]
    assert " Ada " in "".join(text_of(painter))


def test_reduced_motion_stands_still_and_else_only_water_moves(picture: Picture) -> None:
    still, moving = Painter(picture), Painter(picture)
    still.still = True
    for painter in (still, moving):
        painter.compose(ALL, NOON, [])
    rows = {y for f in range(1, 200) for y in moving.compose(ALL, NOON, [], frame=f).rows}
    assert rows <= set(range(10, 14))
    assert all(not still.compose(ALL, NOON, [], frame=f).rows for f in range(1, 200))


def test_ascii_is_ascii(picture: Picture) -> None:
    painter = AsciiPainter(picture)
    painter.compose(
        ALL,
        NOON,
        [someone("ada", 12, 12, mark="♥", selected=True)],
        [Bubble("ada", "Zoë", "joy", "Ça va… ♥")],
    )
    assert all(c.isascii() and c.isprintable() for line in text_of(painter) for c in line)
    assert to_ascii("│é…") == "|e~"


def test_equal_cells_share_one_segment(painter: Painter) -> None:
    painter.compose(Box(100, 0, 8, 2), NOON, [])
    assert painter.line(0)[0] is painter.line(1)[0]
    assert len(painter.line(0)) == 1


def test_far_away_a_person_is_an_initial_on_the_mood(picture: Picture) -> None:
    painter = FAR(picture)
    painter.compose(Box(0, 0, 15, 8), NOON, [someone("ada", 12, 12, "sad")])
    assert painter.canvas.bg[6, 6] == mood_colour("sad", "default")
    assert "A" in text_of(painter)[6]


def test_texts_are_cut_to_their_cells() -> None:
    assert fit_text("Bartholomew Cubbins", 8) == "Barthol…"
    assert fit_text("Bo", 8) == "Bo"


def test_names_of_people_side_by_side_are_both_readable(painter: Painter) -> None:
    people = [someone("roberta", 10, 11, name_shown=True), someone("frederick", 13, 11, name_shown=True)]
    painter.compose(ALL, NOON, people)
    text = "".join(text_of(painter))
    assert "Roberta" in text
    assert "Frederick" in text


def test_from_afar_a_block_has_its_mean_colour() -> None:
    pixels = np.zeros((6, 6), np.uint32)
    pixels[:, 3:] = 0x808080
    assert shrunk(pixels, MapScale(3.0, 3.0)).tolist() == [[0, 0x808080]] * 2
    assert shrunk(pixels, MapScale(2.0, 3.0)).tolist() == [[0, 0x404040, 0x808080]] * 2
    assert shrunk(np.full((5, 7), 0x80A0C0, np.uint32), MapScale(1.7, 1.3)).tolist() == [[0x80A0C0] * 5] * 4


@given(st.integers(1, 40), st.integers(1, 40), st.floats(1.0, 5.0), st.floats(1.0, 5.0))
def test_from_afar_a_picture_covers_all_of_the_map(high: int, wide: int, x: float, y: float) -> None:
    small = shrunk(np.full((2 * high, wide), 0xFCFCFC, np.uint32), MapScale(x, y))
    assert small.shape[0] % 2 == 0
    assert small.shape[0] * y >= 2 * high - 1e-3
    assert small.shape[1] * x >= wide - 1e-3


def test_people_who_would_share_a_cell_stand_side_by_side() -> None:
    crowd = [someone(name, 12, 12) for name in ("ada", "bo", "cleo")]
    cells = figure_cells(crowd, MapScale(2.0, 2.0), Box(1, 2, 20, 20))
    assert len(set(cells.values())) == 3
    assert cells["ada"] == (5, 4, 1, 1)


def test_a_name_stands_where_it_covers_nobody(painter: Painter) -> None:
    people = [someone("ada", 12, 8, name_shown=True), someone("bo", 12, 11), someone("cleo", 11, 11)]
    painter.compose(ALL, NOON, people)
    (chip,) = [area for area in painter.words if area.width > 2]
    assert not any(chip.overlap(body) for body in painter.bodies.values())


def test_what_is_written_over_a_frame_is_part_of_it(painter: Painter) -> None:
    painter.compose(ALL, NOON, [])
    delta = painter.compose(ALL, NOON, [], over=lambda canvas: canvas.write(3, 4, "oak", 1, 2))
    assert delta.spans == ((4, 3, 6),)
    assert painter.compose(ALL, NOON, []).spans == ((4, 3, 6),)


def test_letters_from_afar_show_houses_roads_and_water(picture: Picture) -> None:
    painter = LetterPainter(picture, scale=MapScale(2.0, 2.0))
    painter.compose(Box(0, 0, 15, 8), NOON, [someone("ada", 25, 3), someone("bo", 3, 3, asleep=True)])
    rows = text_of(painter)
    assert "░" in rows[1]
    assert "≈" in rows[5]
    assert "A" in rows[1]
    assert "B" not in "".join(rows).upper()


# ---- who talks with whom


def test_a_line_on_the_ground_joins_those_who_talk_by_its_tone(painter: Painter) -> None:
    two = [MapFigure("a", "A", 4.0, 4.0), MapFigure("b", "B", 9.0, 4.0)]

    def drawn(tone: str) -> set[tuple[int, int]]:
        painter.links = []
        painter.compose(ALL, NOON, two, roofs=OPEN)
        bare = painter.canvas
        painter.links = [TalkLink("a", "b", tone), TalkLink("a", "somebody else", tone)]
        painter.compose(ALL, NOON, two, roofs=OPEN)
        inks = {people.LINK_INKS["default"][tone] & COARSE}
        cells = zip(*np.nonzero(painter.canvas.changed(bare)), strict=True)
        found = {(int(y), int(x)) for y, x in cells}
        at = painter.canvas
        assert all({int(at.fg[y, x]), int(at.bg[y, x])} & inks for y, x in found)
        return found

    warm, plain, hostile = (drawn(tone) for tone in (people.WARM, people.PLAIN, people.HOSTILE))
    assert {x for _, x in warm} == {*range(4, 11)}
    assert plain < warm
    assert {x for _, x in hostile} == {x for _, x in warm}


def test_those_far_from_each_other_are_not_joined() -> None:
    far = MapFigure("b", "B", 40.0, 4.0)
    assert not [*people.link_pixels(MapFigure("a", "A", 4.0, 4.0), far, people.WARM, "default")]
    assert [*people.cells_between(1, 1, 4, 1)] == [(2, 1), (3, 1)]
    assert not [*people.cells_between(1, 1, 2, 1)]
