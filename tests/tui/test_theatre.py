"""A scene staged at a stop: real lines one by one, at reading pace or by a key, and the town as it was afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from larkspur import SIZES, WIDE, Clock, live, press, screen_of, settle, text, until, words
from textual.pilot import Pilot

from sandbox.core.clock import HOUR
from sandbox.engine.drivers import run_free
from sandbox.engine.scenario import Scenario
from sandbox.readers.scripts import Beat, SceneScript
from sandbox.readers.talks import SPOKEN
from sandbox.readers.timeline import TimelineRow
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.map.close import fit_room, paint_close
from sandbox.tui.map.closeup import CloseAscii
from sandbox.tui.map.picture import Picture
from sandbox.tui.map.staged_scene import Playing
from sandbox.tui.sheets.staged_screen import TheatreScreen
from sandbox.tui.view import opening
from sandbox.tui.view.cells import Box

BEATS = (
    Beat("ada", "bo", "Where is it?", moods={"bo": "afraid"}),
    Beat("bo", "ada", "Where is what?", moods={"ada": "angry"}, side="for peace"),
)
SCRIPT = SceneScript(
    "Ada and Bo", "a ladder", "", 60, ("ada", "bo"), (), {"ada": "calm", "bo": "calm"}, BEATS, ("It is over",)
)


async def stop(app: SandboxApp, pilot: Pilot[None], mark: str = "", hour: str = "08:45") -> TimelineRow:
    """Live until then, and let time stand at the weightiest row of a talk, or of a mark."""
    await live(app, hour)
    chronicle = app.viewer.chronicle
    found = [
        n
        for n, row in enumerate(chronicle.since(chronicle.first), chronicle.first)
        if (row.mark == mark if mark else row.talk and row.mark in SPOKEN)
    ]
    number = max(found, key=lambda n: chronicle[n].weight)
    screen_of(app).guard.stop_at(number)
    await settle(pilot)
    return chronicle[number]


def theatre(app: SandboxApp) -> TheatreScreen:
    assert isinstance(app.screen, TheatreScreen)
    return app.screen


# ---- pace


def test_words_are_typed_and_stay_to_be_read(clock: Clock) -> None:
    playing = Playing(SCRIPT, clock)
    assert playing.letters == 0
    clock.now += 0.26
    assert playing.letters == 5
    clock.now += 0.05 * len(BEATS[0].text) + 1.2 - 0.26 - 0.01
    assert playing.letters == len(BEATS[0].text)
    assert not playing.beat_on()
    clock.now += 0.02
    assert playing.beat_on()
    assert playing.beat == BEATS[1]


def test_with_reduced_motion_whole_lines_come(clock: Clock) -> None:
    assert Playing(SCRIPT, clock, still=True).letters == len(BEATS[0].text)


def test_the_speed_that_is_set_is_that_of_the_words(clock: Clock) -> None:
    slow, fast = (Playing(SCRIPT, clock, speed=speed) for speed in ("slow", "max"))
    clock.now += 0.4
    assert slow.letters < fast.letters


def test_a_mood_changes_with_the_line_that_moved_it(clock: Clock) -> None:
    playing = Playing(SCRIPT, clock)
    assert playing.moods() == {"ada": "calm", "bo": "afraid"}
    assert playing.moods(before=True) == {"ada": "calm", "bo": "calm"}
    assert playing.sides() == {}
    assert playing.next()
    assert playing.moods() == {"ada": "angry", "bo": "afraid"}
    assert playing.sides() == {"for peace": ["bo"]}
    assert playing.next()
    assert playing.over
    assert not playing.next()


# ---- on the screen


@pytest.mark.slow
@SIZES
async def test_enter_at_a_stop_stages_its_talk_line_by_line(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        row, viewer = await stop(app, pilot), app.viewer
        before = (viewer.shown, viewer.world.seq, screen_of(app).here())
        assert "enter watch" in words(app)
        await press(pilot, "enter")
        playing = theatre(app).playing
        story = viewer.story(row.talk)
        assert story is not None
        assert [beat.text for beat in playing.script.beats] == [said.text for said in story.lines]
        for said in story.lines:
            assert playing.beat is not None
            assert playing.beat.text == said.text
            assert viewer.name(said.who) in words(app)
            await press(pilot, "x")
        assert "What came of it" in words(app)
        await press(pilot, "x")
        assert app.screen is screen_of(app)
        assert (viewer.shown, viewer.world.seq, screen_of(app).here()) == before
        assert not viewer.pace.running


async def test_words_go_on_by_themselves(app: SandboxApp, clock: Clock) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await stop(app, pilot)
        await press(pilot, "enter")
        screen = theatre(app)
        first = screen.playing.beat
        assert first is not None
        clock.now += 0.05 * len(first.text) + 0.1
        screen._beat()
        await settle(pilot)
        assert first.text[:20] in words(app)
        clock.now += 1.2
        screen._beat()
        assert screen.playing.at == 1


@pytest.mark.slow
async def test_escape_leaves_a_scene_and_a_talk_in_full_is_a_key_away(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        row = await stop(app, pilot)
        await press(pilot, "enter", "escape")
        assert app.screen is screen_of(app)
        assert app.viewer.stop == row
        await press(pilot, "t")
        assert screen_of(app).sheets.kind == "talk"


@pytest.mark.slow
async def test_enter_on_a_row_of_the_timeline_opens_the_talk_as_ever(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await stop(app, pilot)
        await press(pilot, "2", "enter")
        assert app.screen is screen_of(app)
        assert screen_of(app).sheets.kind == "talk"


@pytest.mark.slow
async def test_enter_on_somebody_else_goes_to_them(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        row, screen = await stop(app, pilot), screen_of(app)
        screen.choose(next(who for who in app.viewer.world.cast if who not in row.who))
        await press(pilot, "enter")
        assert app.screen is screen
        assert screen.current == "person"


@pytest.mark.slow
@SIZES
async def test_in_ascii_a_scene_is_ascii(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        app.change("glyphs", "ascii")
        app.change("motion", "reduced")
        await stop(app, pilot)
        await press(pilot, "enter")
        screen = theatre(app)
        assert isinstance(screen.pane.drawing.painter, CloseAscii)
        beat = screen.playing.beat
        assert beat is not None
        assert screen.playing.letters == len(beat.text)
        lines = screen.pane.drawing.lines(*size)
        assert len(lines) == size[1]
        assert all("▀" not in segment.text for line in lines for segment in line)


@pytest.mark.slow
@SIZES
async def test_every_line_of_a_scene_fits_the_screen(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await stop(app, pilot)
        await press(pilot, "enter")
        screen = theatre(app)
        while True:
            lines = screen.pane.drawing.lines(*size)
            assert len(lines) == size[1]
            assert all(sum(segment.cell_length for segment in line) <= size[0] for line in lines)
            if not screen.playing.next():
                break


@pytest.mark.slow
async def test_a_contest_is_staged_place_by_place(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await stop(app, pilot, "%", "12:31")
        await press(pilot, "enter")
        script = theatre(app).playing.script
        assert script.beats[-1].text.endswith("comes first")
        assert script.where.startswith("Market Square")
        for _ in script.beats:
            await press(pilot, "space")
        assert any("has won" in line for line in text(app))


# ---- from close by


@pytest.mark.slow
@SIZES
async def test_plus_at_near_zoom_goes_into_the_room_and_minus_comes_out(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        town = screen_of(app).town
        await live(app, "08:15")
        await press(pilot, "j", "c", "plus")
        who = app.viewer.selected
        assert town.closer.on
        assert who in town.painter.bodies
        assert who in town.in_view()
        address = app.viewer.world.map.area_of
        close = town.painter.close  # type: ignore[attr-defined]
        row = app.viewer.view.row(who, app.viewer.shown)
        assert close.shows(row.x, row.y)
        assert address
        await press(pilot, "full_stop", "plus", "left")
        assert town.closer.on
        await press(pilot, "minus")
        assert not town.closer.on
        assert town.zoom == 0
        await press(pilot, "plus", "escape")
        assert not town.closer.on
        await press(pilot, "plus", "v")
        assert not town.closer.on  # the look cursor is one of the map
        assert town.over.cursor is not None


@pytest.mark.slow
async def test_who_is_followed_into_another_room_is_seen_there(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        town, world = screen_of(app).town, app.viewer.world
        await live(app, "08:00")
        await press(pilot, "j", "c", "f", "plus")
        who, rooms = app.viewer.selected, set()
        for _ in range(300):
            await app.viewer.pace.ask_step()
            town.pull()
            rooms.add(town.closer.room)
            assert who in town.in_view(), world.clock.hhmm(world.now)
            if len(rooms) > 1:
                break
        assert len(rooms) > 1


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_a_hostile_name_draws_nothing_in_a_room(hostile: object, clock: Clock, size: tuple[int, int]) -> None:
    app = SandboxApp(hostile, clock=clock)  # type: ignore[arg-type]
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        who = next(iter(app.viewer.world.cast))
        screen_of(app).go_to_person(who)
        await press(pilot, "plus")
        assert screen_of(app).town.closer.on
        assert all("\x1b" not in line for line in text(app))


# ---- in a replay


@pytest.mark.slow
async def test_in_a_replay_a_stop_is_staged_and_time_stays_where_it_is(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "hour.db"
    async with open_session("larkspur", seed=42, save=path) as session:
        await run_free(session.engine, until=HOUR)
    async with opening.open_replay(path, None) as replay:
        app = SandboxApp(replay)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await until(lambda: (tape := screen_of(app).scrubber.tape) is not None and tape.whole)
            stop = None
            while stop is None or not stop.talk:
                await press(pilot, "n")
                stop = app.viewer.stop
                assert stop is not None
            before = (app.viewer.shown, screen_of(app).here())
            await press(pilot, "enter")
            script = theatre(app).playing.script
            assert script.t <= app.viewer.shown
            assert {beat.who for beat in script.beats} <= set(script.who)
            await press(pilot, *"x" * (len(script.beats) + 1))
            assert app.screen is screen_of(app)
            assert (app.viewer.shown, screen_of(app).here()) == before
            await app.end()


@pytest.mark.parametrize(("columns", "rows"), [(1, 17), (2, 1), (3, 2), (1, 1)])
def test_a_room_in_a_view_that_is_hardly_there_is_drawn(larkspur: Scenario, columns: int, rows: int) -> None:
    x, y, width, height = next(
        (sector.rect[0], sector.rect[1], 10, 8) for sector in larkspur.plan.sectors if sector.name == "Tansy Bakery"
    )
    close = fit_room(Box(x, y, width, height), (x + 2, y + 2), columns, rows)
    drawn = paint_close(Picture(larkspur.plan), close, 15, frozenset({"Tansy Bakery"}))
    assert drawn.shape == (2 * rows, columns, 3)
