"""What keys and the mouse do on the whole screen, wide and small."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partialmethod

import pytest
from larkspur import Clock, Town, live, text
from textual.events import Click, MouseDown, MouseEvent, MouseMove, MouseScrollDown, MouseUp
from textual.pilot import Pilot
from textual.widget import Widget

from sandbox.core.faults import Fault
from sandbox.engine.loading import WorldFaults
from sandbox.tui import actions
from sandbox.tui.app import SandboxApp, run_app
from sandbox.tui.panes.footer import footer_actions
from sandbox.tui.screen import TownScreen

WIDE, SMALL = (120, 40), (80, 24)
SIZES = pytest.mark.parametrize("size", [WIDE, SMALL], ids=["wide", "small"])


def screen_of(app: SandboxApp) -> TownScreen:
    screen = app.screen
    assert isinstance(screen, TownScreen)
    return screen


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        pilot.app.simulate_key(key)
        await pilot.pause()
    await pilot.pause()  # what a key made appear is laid out first, then drawn


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
        assert "next person" in rows[-2] or "next person" in rows[-3]
        assert "▀" in rows[10]


@SIZES
async def test_no_pane_is_empty_without_saying_why(town: Town, app: SandboxApp, size: tuple[int, int]) -> None:
    app.viewer.rows.clear()
    async with app.run_test(size=size) as pilot:
        app.viewer.rows.clear()
        await press(pilot, "2")
        assert "Nothing has happened yet" in " ".join(text(app))
        await press(pilot, "3")
        assert "Nobody is chosen" in " ".join(text(app))


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
        assert app.viewer.name(seen[0]) in " ".join(text(app))


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


@SIZES
async def test_each_state_has_a_way_out(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:00")
        screen = screen_of(app)
        for keys in (
            ("j", "t"),
            ("j", "w"),
            ("question_mark",),
            ("2", "enter"),
            ("3", "z", "w"),
            ("z",),
            ("j", "f"),
            ("2",),
        ):
            await press(pilot, *keys)
            for _ in range(5):
                await press(pilot, "escape")
            assert (screen.sheet.kind, screen.large, screen.current) == ("", False, "town"), keys
            assert (app.viewer.selected, app.viewer.following) == ("", False), keys
            assert app.focused is screen.town, keys


@SIZES
async def test_every_footer_key_does_something(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:10")
        screen = screen_of(app)
        done: set[str] = set()
        for pane in ("1", "2", "3"):
            await press(pilot, "escape", "escape", "escape", pane, "j")
            for action in footer_actions(screen.footer.where, True, {}, size[0] - 2):
                if action.id == "quit":
                    continue
                await press(pilot, pane)
                if action.id == "camera.centre":
                    at = app.viewer.view.row(app.viewer.selected, app.viewer.shown)
                    screen.town.camera.centre(0 if at.x > 54 else 108, 0 if at.y > 37 else 74)
                if action.id in ("list.down", "list.last"):
                    await press(pilot, "g")
                before = state(screen)
                await press(pilot, action.keys.split(",")[0])
                assert state(screen) != before, (pane, action.id)
                done.add(action.id)
                while screen.sheet.kind or screen.large:
                    await press(pilot, "escape")
        assert {"time.pause", "help", "person.why", "talk.read"} <= done


def state(screen: TownScreen) -> tuple[object, ...]:
    viewer, camera, pace = screen.viewer, screen.town.camera, screen.viewer.pace
    return (
        viewer.selected, viewer.following, camera.x, camera.y, pace.words, pace.paced.speed, screen.sheet.kind,
        screen.current, screen.large, screen.timeline.chosen, viewer.world.step + len(pace._asked),
    )  # fmt: skip


async def test_why_a_person_feels_so_within_seven_keys(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "09:00")
        await press(pilot, "j", "w")
        rows = text(app)
        assert any("Why " in row for row in rows)
        assert any("ago" in row or "just now" in row for row in rows)


@SIZES
async def test_the_talk_in_full_from_the_timeline(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        screen = screen_of(app)
        await press(pilot, "2")
        while (row := screen.timeline.chosen) is not None and not row.talk:
            await press(pilot, "k")
        await press(pilot, "enter")
        assert screen.sheet.kind == "talk"
        assert row is not None
        story = app.viewer.timeline.talk(row.talk)
        assert story is not None
        assert story.lines[0].text.split()[0] in " ".join(text(app))


async def test_the_timeline_stays_at_its_end_until_moved(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:00")
        timeline = screen_of(app).timeline
        await press(pilot, "2")
        assert timeline.chosen == timeline.shown()[-1][1]
        await press(pilot, "k", "k")
        kept = timeline.chosen
        await live(app, "08:20")
        assert timeline.chosen == kept
        await press(pilot, "G")
        await live(app, "08:30")
        assert timeline.chosen == timeline.shown()[-1][1]
        await press(pilot, "g")
        assert timeline.chosen == timeline.shown()[0][1]


# ---- sizes


async def test_small_shows_one_pane_and_the_card(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j")
        rows = text(app)
        assert "1 Town" in rows[-2]
        assert app.viewer.world.cast[app.viewer.selected].name in rows[-6]
        assert rows[-4].strip().startswith("because")
        await press(pilot, "tab")
        assert screen_of(app).current == "timeline"
        assert "▀" not in text(app)[8]
        await press(pilot, "3")
        assert "pleasure" in " ".join(text(app))


async def test_a_tiny_screen_names_the_size_it_needs(app: SandboxApp) -> None:
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        rows = " ".join(text(app))
        assert "60 x 18" in rows
        assert "▀" not in rows
        await pilot.resize_terminal(60, 18)
        await pilot.pause()
        assert "▀" in " ".join(text(app))


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
        assert "Timeline" in " ".join(text(app))


# ---- what comes from outside


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
        assert "[bold red]Eve[/]" in " ".join(text(app))


# ---- faults


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
    assert run_app(opened) == 1
    assert "stopped by a fault: KeyError" in seen[0]
    assert seen[1] == "closed"
    assert "KeyError: 'oven'" in capsys.readouterr().err
    gc.unfreeze()


async def test_a_town_gone_on_with_tells_what_was_before(town: Town) -> None:
    for _ in range(40):
        await town.engine.step()
    app = SandboxApp(town)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        assert town.world.step == 40
        assert len(app.viewer.rows) > 5


def test_what_cannot_be_opened_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    @asynccontextmanager
    async def nothing():  # type: ignore[no-untyped-def]
        await asyncio.sleep(0)
        raise WorldFaults([Fault("worlds/x/world.yaml", 3, 1, "no area")])
        yield

    assert run_app(nothing) == 2
    assert capsys.readouterr().err == "worlds/x/world.yaml:3: no area\n"


def test_every_action_has_a_method() -> None:
    from sandbox.tui.panes.sheet import Sheet
    from sandbox.tui.panes.timeline import TimelinePane
    from sandbox.tui.panes.town import TownPane

    owners = {actions.TOWN: [TownPane], actions.LIST: [TimelinePane, Sheet], actions.ANYWHERE: [TownScreen]}
    for action in actions.ACTIONS:
        name = action.name.split("(")[0]
        for owner in [TownScreen] if name.startswith("screen.") else owners[action.where]:
            assert hasattr(owner, f"action_{name.removeprefix('screen.')}"), action.id


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
    app = SandboxApp(town, keymap={"time.pause": "p", "town.next": "n"})
    app.viewer.pace.paced.pause()
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "n", "p")
        assert app.viewer.selected
        assert app.viewer.pace.running
        await press(pilot, "space")
        assert app.viewer.pace.running
        assert " p pause " in text(app)[-1]
