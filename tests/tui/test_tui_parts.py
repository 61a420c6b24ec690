"""What the screen is made of, without a screen: the table, lines, the camera, speech, the pace."""

from __future__ import annotations

import asyncio
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from larkspur import Clock, Town
from rich.cells import cell_len

from sandbox.core.events import Record, Stamp
from sandbox.engine.drivers import SPEEDS
from sandbox.store.errors import Displaced
from sandbox.talk.model import Exchanged, Opened, Shift, Utterance
from sandbox.tui.app import actions
from sandbox.tui.map.camera import Camera, densest
from sandbox.tui.panes.roster import PANES
from sandbox.tui.panes.status import footer_actions, save_status, tabs_line
from sandbox.tui.view.action import LIVE, REPLAY, SHEET, keys_of
from sandbox.tui.view.pace import Pace
from sandbox.tui.view.person_words import age, short_age
from sandbox.tui.view.speech import Bubbles, CurrentTalks, talk_mark
from sandbox.tui.view.text_lines import fit, gauge, ink, justify, outside, signed_bar, width_of, wrap_cells
from sandbox.tui.view.viewer import Viewer

# ---- the table


@pytest.mark.slow
def test_ids_and_bindings_are_unique() -> None:
    assert len(actions.BY_ID) == len(actions.ACTIONS)
    for where, when in product(actions.WHERES, (LIVE, REPLAY)):
        keys = [k for a in actions.usable(where, when) for k in keys_of(a, {})]
        assert len(keys) == len(set(keys)), (where, when)
    assert not list(actions.clashes({}))


def test_keys_that_belong_to_the_terminal_are_left_alone() -> None:
    taken = {key for a in actions.ACTIONS for key in a.keys.split(",")}
    assert not taken & {"ctrl+c", "ctrl+q", "ctrl+p", "ctrl+z"}


def test_palette_entries_are_area_and_verb() -> None:
    assert all(a.palette.count(": ") == 1 for a in actions.ACTIONS if a.palette)


def test_a_remapped_key_is_shown() -> None:
    shown = footer_actions("town", actions.usable("town"), False, {"time.pause": "p"}, 200)
    assert next(keys_of(a, {"time.pause": "p"}) for a in shown if a.id == "time.pause") == ["p"]


@pytest.mark.parametrize("width", [20, 60, 78, 118, 200])
@pytest.mark.parametrize("where", actions.WHERES)
def test_the_footer_fits_and_keeps_what_matters(where: str, width: int) -> None:
    shown = [a.id for a in footer_actions(where, actions.usable(where), True, {}, width)]
    assert shown
    if width >= 60:
        assert "time.pause" in shown
        assert "go.out" in shown if where == SHEET else "app.help" in shown


# ---- lines


@given(st.text(max_size=120), st.integers(1, 50))
def test_lines_fit(text: str, width: int) -> None:
    assert width_of(fit([ink("ab "), outside(text)], width)) <= width
    assert width_of(justify([outside(text)], [ink("right")], width)) <= width


@given(st.text(max_size=200), st.integers(2, 40), st.integers(1, 5))
def test_wrapped_text_fits(text: str, width: int, most: int) -> None:
    lines = wrap_cells(text, width, most)
    assert 1 <= len(lines) <= most
    assert all(cell_len(line) <= width for line in lines)


@given(st.floats(-2, 2), st.integers(5, 60))
def test_bars_have_their_width(value: float, width: int) -> None:
    assert width_of(signed_bar(value, width, 0xFFFFFF)) in (width, width - 1)
    assert width_of(gauge(value, width, 0xFFFFFF)) == width


def test_outside_text_is_cleaned() -> None:
    assert outside("a\x1b[31mb\nc").text == "ab c"


def test_ages_in_words() -> None:
    assert [age(s) for s in (30, 720, 3 * 3600, 3 * 86400)] == ["just now", "12 min ago", "3 h ago", "3 days ago"]
    assert [age(s, " old", "brand new") for s in (-5, 5400)] == ["brand new", "2 h old"]
    assert [short_age(s) for s in (30, 720, 3 * 3600, 3 * 86400)] == ["now", "12m", "3h", "3d"]


def test_the_strip_marks_where_one_is_and_what_is_new() -> None:
    line = tabs_line([kind.PLACE for kind in PANES], "town", {"timeline"}, True, 80)
    assert "".join(s.text for s in line).split() == [
        "1",
        "Town",
        "2",
        "Timeline•",
        "3",
        "Person",
        "4",
        "People",
        "5",
        "Feed",
        "6",
        "Ties",
    ]
    assert line[0].style is not None
    assert line[0].style.reverse


# ---- the camera

sizes = st.integers(1, 200)


@given(sizes, sizes, sizes, sizes, st.lists(st.tuples(st.integers(-300, 300), st.integers(-300, 300)), max_size=8))
def test_the_camera_stays_on_the_map(w: int, h: int, width: int, height: int, pans: list[tuple[int, int]]) -> None:
    camera = Camera(w, h)
    camera.resize(width, height)
    for dx, dy in pans:
        camera.pan(dx, dy)
        assert 0 <= camera.x <= w - width if w > width else -(width - w) <= camera.x <= 0
        assert 0 <= camera.y <= h - height if h > height else -(height - h) <= camera.y <= 0


@given(st.lists(st.tuples(st.floats(0, 107), st.floats(0, 73)), max_size=20), st.integers(10, 90), st.integers(8, 60))
def test_who_is_followed_stays_in_view(path: list[tuple[float, float]], width: int, height: int) -> None:
    camera = Camera(108, 74)
    camera.resize(width, height)
    for x, y in path:
        camera.keep(x, y)
        assert camera.sees(x, y)


def test_the_camera_starts_where_most_people_are() -> None:
    assert densest([(0, 0), (50, 50), (52, 50), (51, 50)]) == (51, 50)
    assert densest([], [(3, 4)]) == (3, 4)


# ---- speech


def said(
    talk: str, t: int, *texts: str, lead: str = "gossip", valence: float = 0.1, change: float = 0.1
) -> list[Record]:
    lines = tuple(Utterance("ab"[i % 2], text, lead, "", "", valence, ()) for i, text in enumerate(texts))
    shift = Shift("a", (change, 0.0, 0.0), (0.0, 0.0, 0.0), "")
    return [Record(Stamp(1, 1, t, "a", ()), Exchanged(talk, 1, lead, lines, (shift,)))]


def opened(talk: str, a: str = "a", b: str = "b") -> list[Record]:
    return [Record(Stamp(1, 1, 0, a, ()), Opened(talk, b, "", "chat", "", 3, ()))]


def test_lines_of_an_exchange_share_its_time() -> None:
    floor = CurrentTalks(60)
    floor.saw(opened("t1") + said("t1", 100, "One.", "Two."))
    assert floor.at(99) == floor.at(160) == []
    (turn,) = floor.at(100)
    assert [floor.spoken(turn, t).line.text for t in (100, 129, 130, 159)] == ["One.", "One.", "Two.", "Two."]
    assert floor.spoken(turn, 140).to == "a"


def test_marks_tell_a_row_from_gossip_and_tenderness() -> None:
    floor = CurrentTalks(60)
    floor.saw(said("r", 0, "x", lead="snap") + said("g", 0, "x") + said("c", 0, "x", lead="comfort", valence=0.6))
    floor.saw(said("h", 0, "x", lead="small_talk"))
    assert {turn.talk: talk_mark(turn) for turn in floor.at(0)} == {"r": "!", "g": "?", "c": "♥", "h": '"'}


def test_a_bubble_stays_long_enough_to_be_read(clock: Clock) -> None:
    floor = CurrentTalks(60)
    floor.saw(opened("t1") + said("t1", 0, "First line.", "Second line."))
    bubbles = Bubbles(floor, clock)
    seen = dict.fromkeys("ab")

    def line(t: float) -> str:
        spoken = bubbles.choose(floor.at(t), t, "slow", "", True, seen)
        return spoken[0].line.text if spoken else ""

    assert line(0) == "First line."
    clock.now += 1.0
    assert line(40) == "First line."
    clock.now += 1.0
    assert line(45) == "Second line."
    clock.now += 0.5
    assert line(70) == "Second line."
    clock.now += 9
    assert line(70) == ""


def test_the_selected_persons_talk_goes_before_the_liveliest(clock: Clock) -> None:
    floor = CurrentTalks(60)
    floor.saw(opened("t1") + opened("t2", "c", "d") + said("t1", 0, "Mild.") + said("t2", 0, "Wild.", change=0.9))
    bubbles = Bubbles(floor, clock)
    seen = dict.fromkeys("abcd")
    assert [wild.line.text for wild in bubbles.choose(floor.at(0), 0, "normal", "", True, seen)] == ["Wild."]
    assert [mine.line.text for mine in bubbles.choose(floor.at(0), 0, "normal", "a", True, seen)] == ["Mild."]


# ---- the pace


async def test_a_step_is_made_when_asked_for(town: Town) -> None:
    pace = Pace(town)
    pace.paced.pause()
    pace.start()
    await pace.ask_step()
    await asyncio.gather(pace.ask_step(), pace.ask_step())
    assert town.world.step == 3
    assert pace.shown == town.world.now
    assert pace.words == "■ you paused"
    await pace.stop()


async def test_a_fault_is_told_and_ends_the_steps(town: Town) -> None:
    async def broken() -> None:
        raise KeyError("oven")

    town.engine.step = broken  # type: ignore[method-assign,assignment]
    pace = Pace(town)
    pace.start()
    await pace.ask_step()
    assert isinstance(pace.fault, KeyError)
    assert pace.words.startswith("■ stopped by a fault: KeyError")
    pace.toggle()
    await pace.ask_step()
    assert town.world.step == 0
    await pace.stop()


async def test_a_full_disk_pauses_and_says_so(town: Town) -> None:
    town.journal.full = True
    pace = Pace(town)
    pace.start()
    await pace.ask_step()
    assert pace.words == "■ disk full: saves/larkspur-1.db"
    assert not pace.running
    await pace.stop()


async def test_a_disk_that_is_full_from_the_beginning_is_no_fault(town: Town) -> None:
    town.journal.full = True
    viewer = Viewer(town)
    pace = viewer.pace
    await pace.begin()
    assert (pace.fault, pace.running, pace.shown) == (None, False, 0.0)
    assert pace.words == "■ disk full: saves/larkspur-1.db"
    town.journal.full = False
    await pace.paced.step()
    assert not pace.paced.full


async def test_the_status_does_not_call_saved_what_is_not(town: Town, tmp_path: Path) -> None:
    town.path = tmp_path / "a.db"
    viewer = Viewer(town)
    viewer.fleeting = True
    assert save_status(viewer) == "saved once played"
    viewer.fleeting = False
    assert save_status(viewer) == "saved"
    town.journal.full = True
    await viewer.pace.paced.step()
    viewer.pace.arrive("STOP somebody came")
    assert save_status(viewer) == "saved up to here"


async def test_a_save_whose_file_is_gone_is_not_called_saved(town: Town, tmp_path: Path) -> None:
    town.path = tmp_path / "a.db"
    viewer = Viewer(town)
    town.journal.displaced = True
    assert save_status(viewer) == "file is gone"
    other = tmp_path / "a-kept.db"
    viewer.pace.fault = Displaced(town.path, "was deleted while it was played", f"all of it is kept in {other}", other)
    assert save_status(viewer) == "kept elsewhere"
    assert viewer.pace.words == f"■ {viewer.pace.fault}"
    viewer.pace.fault = Displaced(town.path, "was deleted while it was played", "there is no room for it", None)
    assert save_status(viewer) == "not saved"


async def test_the_four_speeds_have_ends(town: Town) -> None:
    pace = Pace(town)
    assert pace.speed == "normal"
    assert [pace.faster(1) and pace.speed for _ in range(4)] == ["fast", "max", False, False]
    assert [pace.faster(-1) and pace.speed for _ in range(4)] == ["fast", "normal", "slow", False]
    assert [s.name for s in SPEEDS] == ["slow", "normal", "fast", "max"]
