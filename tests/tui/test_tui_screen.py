"""What keys and the mouse do on the whole screen, wide and small."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partialmethod

import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, forget, live, press, said, screen_of, settle, text, words
from textual.command import CommandPalette
from textual.events import Click, MouseDown, MouseEvent, MouseMove, MouseScrollDown, MouseUp
from textual.notifications import Notify
from textual.pilot import Pilot
from textual.widget import Widget

from sandbox.core.faults import Fault
from sandbox.engine.loading import WorldFaults
from sandbox.readers.talks import TALK
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.program import run_app
from sandbox.tui.view.person_words import DESPITE
from sandbox.tui.view.settings import Settings
from sandbox.tui.view.textual_internals import open_palette

FRAMES = 12  # a second

# ---- the first sight


@SIZES
async def test_the_first_frame_shows_people_in_the_square(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = screen_of(app)
        assert app.viewer.world.step == 1
        seen = screen.town.in_view()
        assert "mara" in seen
        assert len(seen) >= 4
        rows = text(app)
        assert rows[0].startswith(" ■ you paused  Tue 4 Mar 07:30  day 1 | ")
        assert "n next event" in rows[-2] or "n next event" in rows[-3]
        assert "▀" in rows[10]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("size", "people"), [(WIDE, 5), (SMALL, 3)], ids=["wide", "small"])
async def test_after_ten_seconds_people_move_and_somebody_talks_in_view(
    app: SandboxApp, clock: Clock, size: tuple[int, int], people: int
) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        town, pace = screen_of(app).town, app.viewer.pace
        began = {f.id: (f.x, f.y) for f in town.figures}
        pace.paced.go()
        most, signs, moved = 0, set(), set()
        for _ in range(10 * FRAMES):
            clock.now += 1 / FRAMES
            await pace.between(pace.paced.tick)
            town.pull()
            most = max(most, len(town.in_view()))
            signs |= {f.mark for f in town.figures if f.mark} | ({"bubble"} if app.viewer.spoken else set())
            moved |= {f.id for f in town.figures if began.get(f.id, (f.x, f.y)) != (f.x, f.y)}
        lived = pace.shown - app.viewer.world.clock.midnight(1) - 7.5 * 3600
        assert 300 < lived <= 630  # hard words in view slow it down
        assert most >= people
        assert signs - {"z"}
        assert moved


@SIZES
async def test_no_pane_is_empty_without_saying_why(town: Town, app: SandboxApp, size: tuple[int, int]) -> None:
    forget(app)
    async with app.run_test(size=size) as pilot:
        forget(app)
        await press(pilot, "2")
        assert "Nothing has happened yet" in words(app)
        await press(pilot, "3")
        assert "Nobody is chosen" in words(app)


# ---- time


@SIZES
async def test_space_stops_the_clock_and_lets_it_go_on(app: SandboxApp, clock: Clock, size: tuple[int, int]) -> None:
    pace = app.viewer.pace
    async with app.run_test(size=size) as pilot:
        shown = pace.shown
        clock.now += 1
        await pilot.pause()
        assert pace.shown == shown
        await press(pilot, "space")
        assert pace.running
        clock.now += 0.2
        await pace.paced.tick()
        assert pace.shown == pytest.approx(shown + 12)
        await press(pilot, "space")
        assert pace.words == "■ you paused"
        assert text(app)[0].startswith(" ■ you paused")


async def test_a_step_is_one_step(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        world = app.viewer.world
        before = world.step
        await press(pilot, "full_stop")
        await app.viewer.pace.ask_step()
        assert world.step == before + 2
        assert app.viewer.shown == world.now


async def test_speeds_run_from_slow_to_max(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        pace = app.viewer.pace
        names = []
        for key in ("greater_than_sign",) * 3 + ("less_than_sign",) * 4:
            await press(pilot, key)
            names.append(pace.speed)
        assert names == ["fast", "max", "max", "fast", "normal", "slow", "slow"]


# ---- choosing


@SIZES
async def test_j_and_k_go_through_those_in_view(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        seen = screen_of(app).town.in_view()
        chosen = []
        for key in ("j", "j", "k"):
            await press(pilot, key)
            chosen.append(app.viewer.selected)
        assert chosen == [seen[0], seen[1], seen[0]]
        assert app.viewer.name(seen[0]) in words(app)


@SIZES
async def test_a_click_chooses_and_a_second_follows(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        mara = next(f for f in town.figures if f.id == "mara")
        at = (mara.column - town.camera.x, mara.feet // 2 - town.camera.y)
        edge = town.content_region.offset - town.region.offset
        await pilot.click(town, offset=(at[0] + edge.x, at[1] + edge.y))
        await pilot.pause()
        assert app.viewer.selected == "mara"
        assert not app.viewer.following
        await pilot.click(town, offset=(at[0] + edge.x, at[1] + edge.y), times=2)
        await pilot.pause()
        assert app.viewer.following


@pytest.mark.slow
async def test_a_click_on_a_row_goes_to_whom_it_tells_of(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:30")
        screen = screen_of(app)
        screen.update()
        await pilot.click(screen.timeline, offset=(10, 3))
        await pilot.pause()
        row = screen.timeline.chosen
        assert row is not None
        assert app.viewer.selected == row.who[0]
        person = app.viewer.view.row(row.who[0], app.viewer.shown)
        assert screen.town.camera.sees(person.x, person.y)


def mouse(kind: type[MouseEvent], widget: Widget, x: int, y: int, button: int = 0) -> MouseEvent:
    at = widget.region.offset
    return kind(widget, x, y, 0, 0, button, False, False, False, screen_x=at.x + x, screen_y=at.y + y)


async def test_dragging_and_the_wheel_pan_and_choose_nobody(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        town.camera.centre(54, 37)
        x, y = town.camera.x, town.camera.y
        for kind, at in ((MouseDown, (40, 8)), (MouseMove, (37, 6)), (MouseUp, (37, 6)), (Click, (37, 6))):
            town.post_message(mouse(kind, town, *at, button=1))
            await pilot.pause()
        assert (town.camera.x, town.camera.y) == (x + 3, y + 2)
        assert app.viewer.selected == ""
        town.post_message(mouse(MouseScrollDown, town, 40, 8))
        await pilot.pause()
        assert town.camera.y == y + 5


@SIZES
async def test_arrows_pan_and_shift_goes_further(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        camera = screen_of(app).town.camera
        camera.centre(54, 37)
        x, y = camera.x, camera.y
        await press(pilot, "left", "down")
        assert (camera.x, camera.y) == (x - 4, y + 2)
        await press(pilot, "right", "up", "shift+up")
        assert camera.x == x
        assert camera.y == max(0, y - (camera.height + 1) // 2)


@pytest.mark.slow
@SIZES
async def test_who_is_followed_stays_in_view(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = screen_of(app)
        screen.choose("una", look=True)
        await press(pilot, "f")
        assert app.viewer.following
        paced = app.viewer.pace.paced
        for _ in range(45):
            await app.viewer.pace.ask_step()
            for part in (45, 30, 15, 0):
                paced.shown = app.viewer.world.now - part
                screen.town.pull()
                row = app.viewer.view.row("una", paced.shown)
                assert screen.town.camera.sees(row.x, row.y)
        await press(pilot, "left")
        assert not app.viewer.following


# ---- going in and out


@pytest.mark.slow
@SIZES
async def test_the_talk_in_full_from_the_timeline(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        screen = screen_of(app)
        await press(pilot, "2")
        while (row := screen.timeline.chosen) is not None and not (
            row.mark == TALK and (story := app.viewer.story(row.talk)) is not None and story.lines
        ):
            await press(pilot, "k")
        await press(pilot, "enter")
        assert screen.sheets.kind == "talk"
        assert row is not None
        assert story is not None
        assert story.lines[0].text.split()[0] in words(app)


@pytest.mark.slow
async def test_the_timeline_stays_at_its_end_until_moved(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:00")
        timeline = screen_of(app).timeline

        def newest() -> TimelineRow:
            return app.viewer.chronicle[timeline.shown()[-1]]

        await press(pilot, "2")
        assert timeline.chosen == newest()
        await press(pilot, "k", "k")
        kept = timeline.chosen
        await live(app, "08:20")
        assert timeline.chosen == kept
        await press(pilot, "G")
        await live(app, "08:30")
        assert timeline.chosen == newest()
        await press(pilot, "g")
        assert timeline.chosen == app.viewer.chronicle[timeline.shown()[0]]


@pytest.mark.slow
async def test_the_row_under_the_cursor_is_in_view_however_long_the_others_are(app: SandboxApp) -> None:
    """A post may be longer than a small pane holds: as much of it as there is room for."""
    async with app.run_test(size=WIDE):
        timeline = screen_of(app).timeline
        await live(app, "08:30")
        assert len(timeline.shown()) > 30
        for number in timeline.shown():
            timeline.go_to(number)
            for width, height in ((40, 19), (24, 11), (24, 8)):
                in_view = " ".join(" ".join(map(said, timeline.lines(width, height))).split())
                assert app.viewer.chronicle[number].text[: width * height // 2] in in_view


# ---- sizes


async def test_small_shows_one_pane_and_the_card(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j")
        rows = text(app)
        assert "1 Town" in rows[-2]
        assert app.viewer.world.cast[app.viewer.selected].name in rows[-6]
        assert rows[-4].split()[0] in ("because", DESPITE)
        await press(pilot, "tab")
        assert screen_of(app).current == "timeline"
        assert "▀" not in text(app)[8]
        await press(pilot, "3")
        assert "pleasure" in words(app)


async def test_a_tiny_screen_names_the_size_it_needs(app: SandboxApp) -> None:
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        rows = words(app)
        assert "60 x 18" in rows
        assert "▀" not in rows
        await pilot.resize_terminal(60, 18)
        await pilot.pause()
        assert "▀" in words(app)
        for narrow in (5, 10), (3, 20), (8, 10):
            await pilot.resize_terminal(*narrow)
            screen_of(app).footer.pull()
            await pilot.pause()
            await pilot.resize_terminal(100, 30)
            await pilot.pause()
            assert "▀" in words(app)


@pytest.mark.slow
async def test_a_storm_of_sizes_leaves_a_whole_screen(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:00")
        await press(pilot, "j", "w")
        for width, height in (
            (80, 24),
            (59, 18),
            (200, 60),
            (60, 17),
            (1, 1),
            (110, 18),
            (109, 40),
            (300, 90),
            (60, 18),
        ):
            await pilot.resize_terminal(width, height)
            screen_of(app).town.pull()
            await pilot.pause()
            rows = text(app)
            assert len(rows) == height
        await press(pilot, "escape")
        for width, height in ((60, 18), (120, 40), (80, 24), (120, 40)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
        assert app.focused is screen_of(app).town
        assert "Timeline" in words(app)


# ---- what comes from outside


@pytest.mark.slow
@SIZES
async def test_hostile_names_are_plain_text(hostile: Town, size: tuple[int, int]) -> None:
    app = SandboxApp(hostile)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await live(app, "08:10")
        screen = screen_of(app)
        who = hostile.world.scenario.cast[0].id
        screen.choose(who, look=True)
        for key in ("3", "w", "w", "t", "t", "2", "1"):
            await press(pilot, key)
            rows = text(app)
            assert all(c.isprintable() for row in rows for c in row)
        await press(pilot, "3")
        assert "[bold red]Eve[/]" in words(app)


# ---- faults


def test_no_notice_is_read_as_markup(app: SandboxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[Notify] = []
    monkeypatch.setattr(app, "post_message", posted.append)
    app.notify("[bold red]no[/]", markup=True)
    assert not posted[0].notification.markup


@pytest.mark.slow
def test_a_fault_is_shown_and_the_code_is_1(
    town: Town, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken() -> None:
        raise KeyError("oven")

    async def look(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, SandboxApp)
        town.engine.step = broken  # type: ignore[method-assign,assignment]
        await app.viewer.pace.ask_step()
        await press(pilot, "space")
        seen.append(text(app)[0])
        await pilot.press("q")

    @asynccontextmanager
    async def opened() -> AsyncIterator[Town]:
        yield town
        seen.append("closed")

    seen: list[str] = []
    monkeypatch.setattr(SandboxApp, "run_async", partialmethod(SandboxApp.run_async, headless=True, auto_pilot=look))
    assert run_app(opened).code == 1
    assert "stopped by a fault: KeyError" in seen[0]
    assert seen[1] == "closed"
    assert "KeyError: 'oven'" in capsys.readouterr().err
    gc.unfreeze()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_program_that_is_ended_from_outside_closes_its_save(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(pilot: Pilot[None]) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await settle(pilot)

    @asynccontextmanager
    async def opened() -> AsyncIterator[Town]:
        yield town
        closed.append(True)

    closed: list[bool] = []
    monkeypatch.setattr(SandboxApp, "run_async", partialmethod(SandboxApp.run_async, headless=True, auto_pilot=look))
    assert run_app(opened).code == 128 + signal.SIGTERM
    assert closed
    gc.unfreeze()


async def test_a_town_gone_on_with_tells_what_was_before(town: Town) -> None:
    for _ in range(40):
        await town.engine.step()
    app = SandboxApp(town)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        assert town.world.step == 40
        assert len(app.viewer.chronicle) > 5


def test_what_cannot_be_opened_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    @asynccontextmanager
    async def nothing():  # type: ignore[no-untyped-def]
        await asyncio.sleep(0)
        raise WorldFaults([Fault("worlds/x/world.yaml", 3, 1, "no area")])
        yield

    assert run_app(nothing).code == 2
    assert capsys.readouterr().err == "worlds/x/world.yaml:3: no area\n"


@pytest.mark.slow
async def test_the_palette_has_the_actions_by_area(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p", *"time: faster")
        await pilot.press("enter")
        await pilot.pause()
        if app.viewer.pace.speed == "normal":  # the first enter may have moved to the list only
            await pilot.press("enter")
            await pilot.pause()
        assert app.viewer.pace.speed == "fast"


async def test_keys_can_be_remapped_by_id(town: Town) -> None:
    app = SandboxApp(town, replace(Settings(), keys={"time.pause": "p", "town.next": "n"}))
    app.viewer.pace.paced.pause()
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "n", "p")
        assert app.viewer.selected
        assert app.viewer.pace.running
        await press(pilot, "space")
        assert app.viewer.pace.running
        assert " p pause " in text(app)[-1]


async def test_a_remapped_action_leaves_its_key_to_its_twin_in_a_replay(town: Town) -> None:
    app = SandboxApp(town, replace(Settings(), keys={"time.rewind": "f5"}))
    app.viewer.pace.paced.pause()
    asked: list[str] = []

    async def rewind(viewer: object) -> None:
        asked.append("rewind")

    app.rewind = rewind  # type: ignore[method-assign]
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "r")
        assert not asked
        await press(pilot, "f5")
        assert asked


@pytest.mark.slow
async def test_a_palette_that_is_taken_away_before_it_is_there_breaks_nothing(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        open_palette(app)
        app.pop_screen()
        await settle(pilot)
        assert app._exception is None
        await press(pilot, "ctrl+p")
        assert CommandPalette.is_open(app)


@pytest.mark.slow
@SIZES
async def test_keys_in_quick_succession_lead_where_the_last_of_them_leads(
    app: SandboxApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for digit, pane in (("4", "people"), ("2", "timeline"), ("5", "feed")) * 3:
            for key in ("1", "j", digit):
                app.simulate_key(key)
            await settle(pilot)
            screen = screen_of(app)
            assert (screen.current, app.focused) == (pane, screen.panes[pane])
