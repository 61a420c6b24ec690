"""A save watched again: opened from a file or over the living town, gone about in, and gone on with."""

from __future__ import annotations

import asyncio
import gc
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from diary import Diary
from larkspur import SIZES, SMALL, WIDE, press, saved, screen_of, settle, text, until
from textual.pilot import Pilot

from sandbox.core.clock import HOUR, Clock
from sandbox.engine.drivers import run_free
from sandbox.store.branch import read_listing
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes import replay_jumps
from sandbox.tui.panes.replay_jumps import go_to_notable, jump_to
from sandbox.tui.view import opening
from sandbox.tui.view.replay_log import notable_from

LIVED = 6 * HOUR


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory, diary: Diary) -> Path:
    """The first six hours of a Larkspur, in steps of a minute."""
    return saved(diary, tmp_path_factory.mktemp("lived") / "larkspur.db", LIVED)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of one's own; saves are kept in it."""
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    (tmp_path / "saves").mkdir()
    return tmp_path


@pytest.fixture
def save(lived: Path, home: Path) -> Path:
    """The save, to be done with as one likes."""
    return Path(shutil.copy(lived, home / "saves" / "day.db"))


@asynccontextmanager
async def watching(
    path: Path, size: tuple[int, int] = WIDE, at: opening.At | None = None
) -> AsyncIterator[tuple[SandboxApp, Pilot[None]]]:
    """The app over a recorded save, paused, its log read to the end."""
    async with opening.open_replay(path, at) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=size) as pilot:
            await until(lambda: (tape := screen_of(app).scrubber.tape) is not None and tape.whole)
            await settle(pilot)
            yield app, pilot
            await app.end()


@asynccontextmanager
async def living(path: Path, size: tuple[int, int] = WIDE) -> AsyncIterator[tuple[SandboxApp, Pilot[None]]]:
    """The app over a save that is gone on with, paused."""
    async with opening.open_living(path) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            yield app, pilot
            await app.end()


def row(app: SandboxApp) -> int:
    """The y of the scrubber's first row."""
    return screen_of(app).scrubber.region.y


def spoil(path: Path, sql: str) -> None:
    db = sqlite3.connect(path)
    with db:
        db.execute("DELETE FROM snapshots")
        db.execute(sql)
    db.close()


# ---- opening


@SIZES
async def test_a_save_opens_at_its_beginning_with_the_whole_log_told(save: Path, size: tuple[int, int]) -> None:
    async with watching(save, size) as (app, _):
        assert app.viewer.replaying
        assert app.viewer.world.step == 1
        assert text(app)[0].startswith(" ◀◀ REPLAY 07:31 of 13:30 ■ paused")
        assert "07:31 of 13:30" in text(app)[row(app)]
        chronicle = app.viewer.chronicle
        assert chronicle[chronicle.told - 1].t > LIVED - HOUR
        assert app.viewer.told < chronicle.told / 10  # what is to come is not told yet


async def test_it_begins_to_play_by_itself(save: Path) -> None:
    async with opening.open_replay(save) as session:
        app = SandboxApp(session)
        assert app.viewer.pace.running
        assert app.viewer.pace.speed == "normal"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("at", "hour"),
    [(opening.At(100), "09:10"), (opening.At(None, 1, 12 * HOUR), "12:00"), (opening.At(None, 9, 0), "13:30")],
)
async def test_it_can_open_at_a_step_or_a_time(save: Path, at: opening.At, hour: str) -> None:
    async with watching(save, at=at) as (app, _):
        assert app.viewer.world.clock.hhmm(app.viewer.world.now) == hour


@pytest.mark.slow
async def test_what_was_said_just_before_is_known_however_it_opens(save: Path) -> None:
    async with opening.open_replay(save, opening.At(None, 1, 12 * HOUR)) as session:
        world = session.world
        by_step, by_time = opening.At(world.step), opening.At(None, 1, 12 * HOUR)
    for at in (by_step, by_time):
        async with watching(save, at=at) as (app, _):
            assert any(app.viewer.floor.last(who, app.viewer.shown) for who in app.viewer.world.cast)


@pytest.mark.slow
async def test_a_fault_of_the_town_beneath_a_replay_is_not_lost(save: Path) -> None:
    async with living(save) as (app, pilot):
        oven = KeyError("oven")
        app.viewer.pace._break(oven)
        await press(pilot, "r")
        assert app.viewer.replaying
        await app.end()
        assert app.fault is oven


# ---- going about


@pytest.mark.slow
@SIZES
async def test_keys_go_a_step_and_an_hour_back_and_on(save: Path, size: tuple[int, int]) -> None:
    async with watching(save, size, opening.At(200)) as (app, pilot):
        viewer = app.viewer
        await press(pilot, "comma")
        assert (viewer.world.step, viewer.shown) == (199, 199 * 60)
        await press(pilot, "full_stop")
        await until(lambda: viewer.world.step == 200)
        await press(pilot, "right_curly_bracket")
        assert viewer.shown == 260 * 60
        await press(pilot, "left_curly_bracket", "left_curly_bracket")
        assert viewer.shown == 140 * 60
        assert "09:50 of 13:30" in text(app)[0]


@pytest.mark.slow
async def test_back_from_the_beginning_and_on_from_the_end_stay_there(save: Path) -> None:
    async with watching(save) as (app, pilot):
        await press(pilot, "left_curly_bracket", "comma")
        assert app.viewer.world.step == 1
        for _ in range(7):
            await press(pilot, "right_curly_bracket")
        assert app.viewer.shown == LIVED
        assert text(app)[0].startswith(" ◀◀ REPLAY the end of the recording, 13:30; b goes on live")
        await press(pilot, "space")
        await until(lambda: not app.viewer.pace.running)
        assert app.viewer.pace.fault is None


@pytest.mark.slow
async def test_a_jump_keeps_who_is_chosen_the_map_and_the_pane(save: Path) -> None:
    async with watching(save) as (app, pilot):
        screen, viewer = screen_of(app), app.viewer
        viewer.select("mara")
        await press(pilot, "3")
        camera = (screen.town.camera.x, screen.town.camera.y)
        await jump_to(screen, 4 * HOUR)
        await settle(pilot)
        assert viewer.selected == "mara"
        assert screen.current == "person"
        assert (screen.town.camera.x, screen.town.camera.y) == camera


@pytest.mark.slow
async def test_a_jump_is_drawn_once_and_what_has_died_is_looked_for_when_nobody_jumps_any_more(
    save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_jumps, "REST", 0.01)
    async with watching(save) as (app, _):
        screen, drawn, asked = screen_of(app), list[float](), list[float]()
        pull, update = screen.footer.pull, screen.update
        monkeypatch.setattr(screen.footer, "pull", lambda: (drawn.append(app.viewer.shown), pull()))
        monkeypatch.setattr(screen, "update", lambda: (asked.append(app.viewer.shown), update()))
        assert await jump_to(screen, 4 * HOUR)
        assert not gc.isenabled()
        screen.pulse()
        assert (drawn, asked) == ([4 * HOUR], [])
        await until(gc.isenabled)
        monkeypatch.setattr(replay_jumps, "REST", 100)
        assert await jump_to(screen, 2 * HOUR)
    assert gc.isenabled()


@pytest.mark.slow
async def test_a_jump_whose_save_is_closed_meanwhile_breaks_nothing(save: Path) -> None:
    async with watching(save) as (app, _):
        screen, reader = screen_of(app), app.viewer.session.save
        assert isinstance(reader, Save)
        await asyncio.gather(jump_to(screen, 4 * HOUR), reader.close(), jump_to(screen, 2 * HOUR))
        await jump_to(screen, 3 * HOUR)
        assert "is closed" in app.viewer.pace.words
        await screen.do("time.last")
        await screen.do("chosen.open")
        await screen.do("go.page")
        assert app._exception is None


@pytest.mark.slow
async def test_after_a_jump_people_walk_as_they_did(save: Path) -> None:
    async with watching(save) as (app, _):
        viewer, screen = app.viewer, screen_of(app)
        moments = [3 * HOUR + 7 + 60 * i for i in range(12)]
        await jump_to(screen, moments[0] - 120)
        there = []
        for t in moments:  # played through
            while viewer.world.now < t:
                await viewer.session.engine.step()
            there.append([(r.x, r.y) for r in viewer.view.rows(t)])
        assert any(a != b for a, b in pairwise(there))
        for t, places in zip(moments, there, strict=True):
            await jump_to(screen, t)
            assert [(r.x, r.y) for r in viewer.view.rows(t)] == places


@pytest.mark.slow
async def test_of_a_talk_under_way_only_what_was_said_by_then_is_told(save: Path) -> None:
    async with watching(save) as (app, _):
        viewer = app.viewer
        talk = next(r for r in viewer.chronicle.since(0) if r.talk and r.t > HOUR)
        await jump_to(screen_of(app), int(talk.talk.partition(".")[0]) + 1)
        assert viewer.story(talk.talk) is None


@pytest.mark.slow
async def test_after_a_jump_talk_under_way_is_heard(save: Path) -> None:
    async with watching(save) as (app, _):
        viewer, screen = app.viewer, screen_of(app)
        await jump_to(screen, HOUR)
        for t in range(HOUR, 2 * HOUR, 60):
            while viewer.world.now < t:
                await viewer.session.engine.step()
            if played := viewer.floor.at(t):
                break
        await jump_to(screen, 5 * HOUR)
        await jump_to(screen, t)
        assert viewer.floor.at(t) == played


@pytest.mark.slow
@SIZES
async def test_the_next_notable_event_is_one_key_away_and_the_last_one_too(save: Path, size: tuple[int, int]) -> None:
    async with watching(save, size) as (app, pilot):
        viewer = app.viewer
        line = viewer.notable.line
        notable = sorted({r.t for r in viewer.chronicle.since(0) if r.weight >= line and r.t > viewer.shown})
        assert len(notable) > 3
        seen = []
        for t in notable[:3]:
            await press(pilot, "n")
            await until(lambda: viewer.stop is not None)
            await settle(pilot)
            assert viewer.stop is not None
            assert viewer.stop.t == t < viewer.shown  # the end of the step it happened in
            assert viewer.selected in viewer.stop.who
            assert text(app)[0].count("STOP")
            seen.append(viewer.shown)
        await press(pilot, "N")
        assert viewer.shown == seen[1]
        await jump_to(screen_of(app), LIVED)
        await go_to_notable(screen_of(app), 1)  # none: it says so and stays
        assert viewer.shown == LIVED


# ---- the scrubber


@pytest.mark.slow
@SIZES
async def test_events_stand_on_the_line_and_a_click_goes_there(save: Path, size: tuple[int, int]) -> None:
    async with watching(save, size) as (app, pilot):
        scrubber = screen_of(app).scrubber
        drawn = text(app)[row(app)]
        marks = [x for x, char in enumerate(drawn) if char in "▁▂▃▄▅▆▇█"]
        assert len(marks) > 3
        assert await pilot.click(scrubber, offset=(marks[3], 0))
        await until(lambda: app.viewer.shown > 60)
        await settle(pilot)
        line = app.viewer.notable.line
        assert any(r.t == app.viewer.shown and r.weight >= line for r in app.viewer.chronicle.since(0))
        assert text(app)[row(app)][marks[3]] == "┃"


@pytest.mark.slow
async def test_a_drag_goes_to_where_it_ends(save: Path) -> None:
    async with watching(save) as (app, pilot):
        scrubber = screen_of(app).scrubber
        await pilot.mouse_down(scrubber, offset=(40, 0))
        for x in (41, 60, 61, 100):
            await pilot.hover(scrubber, offset=(x, 0))
        await pilot.hover(scrubber, offset=(117, 0))
        await pilot.mouse_up(scrubber, offset=(117, 0))
        await until(lambda: app.viewer.shown > LIVED - 300)
        assert abs(scrubber.moment_of(scrubber._scale.width - 2) - app.viewer.shown) < 600


async def test_under_the_mouse_it_tells_the_hour_and_the_event(save: Path) -> None:
    async with watching(save) as (app, pilot):
        viewer, scrubber = app.viewer, screen_of(app).scrubber
        best = max((r for r in viewer.chronicle.since(0)), key=lambda r: r.weight)
        cell = scrubber._left + scrubber._scale.cell(best.t)
        await pilot.hover(scrubber, offset=(cell + 1, 0))
        await settle(pilot)
        drawn = text(app)[row(app)]
        assert viewer.world.clock.hhmm(best.t) in drawn
        assert best.text[:15] in drawn


@pytest.mark.slow
async def test_in_ascii_it_is_drawn_in_ascii(save: Path) -> None:
    async with watching(save) as (app, pilot):
        app.viewer.settings = app.viewer.settings.with_("glyphs", "ascii")
        screen_of(app).scrubber.pull()
        await settle(pilot)
        scrubber = screen_of(app).scrubber
        told = [segment.text for line in scrubber.lines(118, 2) for segment in line]
        assert "".join(told).isascii()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [WIDE, SMALL, (60, 18), (200, 60)])
async def test_it_fills_its_rows_and_no_more(save: Path, size: tuple[int, int]) -> None:
    async with watching(save, size) as (app, _):
        scrubber = screen_of(app).scrubber
        width, height = scrubber.content_size
        assert scrubber.lines(width, height)
        for line in scrubber.lines(width, height):
            assert sum(segment.cell_length for segment in line) == width


# ---- leaving


@pytest.mark.slow
@SIZES
async def test_escape_leads_out_to_the_menu_and_back(save: Path, size: tuple[int, int]) -> None:
    async with watching(save, size) as (app, pilot):
        screen = screen_of(app)
        await press(pilot, "j", "escape")
        assert screen.sheets.topmost is None
        await press(pilot, "escape")
        await until(lambda: screen.sheets.kind == "menu")
        await press(pilot, "escape")
        assert screen.sheets.topmost is None
        assert app.viewer.replaying


# ---- bookmarks


@pytest.mark.slow
@SIZES
async def test_a_bookmark_is_put_found_gone_to_and_taken_away(save: Path, size: tuple[int, int]) -> None:
    async with watching(save, size, opening.At(150)) as (app, pilot):
        await press(pilot, "B")
        await until(lambda: bool(screen_of(app).scrubber.tape.bookmarks))
        await settle(pilot)
        assert "◆" in text(app)[row(app)] or "┃" in text(app)[row(app)]
        await press(pilot, "right_curly_bracket")
        assert "◆" in text(app)[row(app)]
        await screen_of(app).do("replay.marks")
        await settle(pilot)
        assert screen_of(app).sheets.kind == "marks"
        await press(pilot, "enter")
        await until(lambda: app.viewer.world.step == 150)
        assert screen_of(app).sheets.topmost is None
        async with await Save.open(save, read_only=True) as kept:
            assert list(await kept.bookmarks()) == [150]
        await press(pilot, "B")
        await until(lambda: not screen_of(app).scrubber.tape.bookmarks)
    async with await Save.open(save, read_only=True) as kept:
        assert await kept.bookmarks() == {}
        assert (await kept.verify()).ok


@pytest.mark.slow
async def test_a_bookmark_can_be_put_while_the_town_lives(save: Path) -> None:
    async with living(save) as (app, pilot):
        await press(pilot, "B")
        await settle(pilot)
        step = app.viewer.world.step
        assert list(await app.viewer.session.save.bookmarks()) == [step]


async def test_a_save_that_another_plays_takes_no_bookmark_and_says_why(save: Path) -> None:
    async with watching(save) as (app, pilot):
        async with await Save.open(save):
            await press(pilot, "B")
            await until(lambda: bool(app._notifications))
            assert "being played by another process" in next(iter(app._notifications)).message
        assert app.viewer.pace.fault is None


async def test_a_recording_that_ships_is_not_written_into(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.tui.sheets.until.recorded_day", lambda: save)
    before = save.read_bytes()
    async with watching(save) as (app, pilot):
        await press(pilot, "B")
        await until(lambda: bool(app._notifications))
        assert "belongs to the program" in next(iter(app._notifications)).message
    assert save.read_bytes() == before


async def test_without_bookmarks_the_list_says_how_to_put_one(save: Path) -> None:
    async with watching(save) as (app, pilot):
        await screen_of(app).do("replay.marks")
        await settle(pilot)
        assert "B puts one" in " ".join(text(app))


# ---- over the living town


@pytest.mark.sampled(1)
@SIZES
@pytest.mark.parametrize("key", ["r", "escape"])
async def test_the_living_town_waits_while_it_is_watched_again(save: Path, size: tuple[int, int], key: str) -> None:
    async with living(save, size) as (app, pilot):
        town, screen = app.viewer, screen_of(app)
        await town.pace.ask_step()
        town.pace.toggle()
        step, place = town.world.step, screen.here()
        digest = town.session.save.digest
        await press(pilot, "r")
        await until(lambda: app.viewer.replaying)
        await settle(pilot)
        assert not app.viewer.pace.running
        assert "rewound" in text(app)[0]
        assert app.viewer.world.step >= step
        assert app.viewer.shown == town.shown
        assert app.viewer.world.snapshot() == town.world.snapshot()
        await press(pilot, "left_curly_bracket")
        assert app.viewer.world.step < step
        await press(pilot, key)
        await until(lambda: not app.viewer.replaying)
        await settle(pilot)
        assert app.viewer is town
        assert screen_of(app) is screen
        assert screen.here() == place
        assert not town.pace.running
        assert "back from the replay" in text(app)[0]
        assert town.session.save.digest == digest or town.world.step > step
        await town.pace.ask_step()
        assert town.world.step > step


@pytest.mark.slow
async def test_what_is_not_on_disk_yet_is_watched_too(home: Path) -> None:
    async with open_session("larkspur", seed=42) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            for _ in range(20):
                await app.viewer.pace.ask_step()
            await press(pilot, "r")
            await until(lambda: app.viewer.replaying)
            await press(pilot, "left_curly_bracket")
            assert app.viewer.world.step == 1
            await jump_to(screen_of(app), 20 * 60)
            assert app.viewer.world.step == 20
            await app.end()


@pytest.mark.slow
async def test_keys_pressed_twice_rewind_leave_and_branch_once(save: Path, home: Path) -> None:
    async with living(save) as (app, pilot):
        town = app.viewer
        app.simulate_key("r")
        app.simulate_key("r")
        await until(lambda: app.viewer.replaying)
        await settle(pilot)
        assert len(app._towns.sittings) <= 2
        if app.viewer is town:
            await press(pilot, "r")
        app.simulate_key("b")
        app.simulate_key("b")
        await until(lambda: app.viewer is not town and not app.viewer.replaying)
        await settle(pilot)
        assert [p.name for p in sorted((home / "saves").glob("*.db"))] == ["day.db", "larkspur-1.db"]


@pytest.mark.slow
async def test_who_is_chosen_stays_chosen_in_the_replay(save: Path) -> None:
    async with living(save) as (app, pilot):
        await press(pilot, "j")
        who, place = app.viewer.selected, screen_of(app).here()
        await press(pilot, "r")
        await until(lambda: app.viewer.replaying)
        await settle(pilot)
        assert app.viewer.selected == who
        assert screen_of(app).here() == place


# ---- going on live


@SIZES
async def test_a_branch_goes_on_live_from_the_step_that_is_shown(save: Path, size: tuple[int, int], home: Path) -> None:
    before = save.read_bytes()
    async with watching(save, size, opening.At(200)) as (app, pilot):
        await press(pilot, "b")
        await until(lambda: not app.viewer.replaying)
        await settle(pilot)
        viewer = app.viewer
        assert viewer.world.step == 200
        assert not viewer.pace.running
        assert viewer.session.path == home / "saves" / "larkspur-1.db"
        assert "live from here" in text(app)[0]
        assert app.kept == viewer.session.path
        async with await Save.open(save, read_only=True) as source:
            (end,) = await source.steps(200, 200)
            assert viewer.session.save.digest == end.digest
        await viewer.pace.ask_step()
        assert viewer.world.step == 201
    assert save.read_bytes() == before
    async with await Save.open(home / "saves" / "larkspur-1.db", read_only=True) as kept:
        assert (await kept.verify()).ok


async def test_a_branch_of_the_living_town_leaves_it_whole(save: Path, home: Path) -> None:
    async with living(save) as (app, pilot):
        last = app.viewer.world.step
        await press(pilot, "r")
        await until(lambda: app.viewer.replaying)
        await press(pilot, "left_curly_bracket", "b")
        await until(lambda: not app.viewer.replaying and app.viewer.session.path != save)
        assert app.viewer.world.step == last - 60
        assert len(app._towns.sittings) == 1
    async with await Save.open(save, read_only=True) as kept:
        assert kept.last_step == last
        assert (await kept.verify()).ok


# ---- saves that are not what they should be


@pytest.mark.slow
@SIZES
async def test_a_damaged_step_stops_the_replay_and_nothing_else(save: Path, size: tuple[int, int]) -> None:
    spoil(save, "UPDATE events SET data = '{' WHERE kind IN ('chose', 'exchanged') AND step >= 98")
    async with watching(save, size, opening.At(90)) as (app, pilot):
        viewer = app.viewer
        assert screen_of(app).scrubber.tape.fault
        for _ in range(15):
            await viewer.pace.ask_step()
        assert "cannot be read" in viewer.pace.words
        assert viewer.pace.fault is None
        assert viewer.world.step < 100
        screen_of(app).pulse()
        await settle(pilot)
        assert "cannot be read" in text(app)[0]
        await press(pilot, "right_curly_bracket", "right_curly_bracket")  # a jump beyond it is refused, too
        assert viewer.world.step < 100
        await jump_to(screen_of(app), 1200)
        assert viewer.world.step == 20
        await viewer.pace.ask_step()
        assert viewer.world.step == 21


@pytest.mark.slow
async def test_an_event_of_somebody_unknown_does_not_end_the_program(save: Path) -> None:
    spoil(save, "UPDATE events SET actor = 'nobody' WHERE kind = 'talk_opened' AND step > 200")
    async with watching(save) as (app, pilot):
        await press(pilot, "right_curly_bracket", "n", "N")
        assert app.viewer.pace.fault is None


@pytest.mark.slow
async def test_a_file_that_is_gone_is_told(save: Path) -> None:
    async with watching(save) as (app, pilot):
        shutil.move(save, save.with_suffix(".old"))
        await press(pilot, "right_curly_bracket", "B", "b")
        await settle(pilot)
        assert app.viewer.replaying
        assert app.viewer.pace.fault is None


async def test_branches_made_at_once_take_names_of_their_own_which_lead_out_of_no_folder(
    save: Path, home: Path
) -> None:
    class Named:
        step = 1

        class scenario:
            name = "../../etc/x y"

    async with await Save.open(save, read_only=True) as kept:
        made = await asyncio.gather(*(opening.branch_save(kept, Named) for _ in range(3)))  # type: ignore[arg-type]
    assert {out.parent for out in made} == {home / "saves"}
    assert len({*made}) == 3
    for out in made:
        found = (await read_listing(out)).info
        assert found is not None
        assert found.step == 1


@pytest.mark.slow
async def test_what_another_process_lives_on_is_told_and_played_on(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.tui.view.replay_log.LOOK", 0.0)
    async with watching(save) as (app, pilot):
        screen = screen_of(app)
        await jump_to(screen, LIVED)
        async with open_session(save, paced=True) as session:
            await run_free(session.engine, steps=5)
            await session.save.settle()
            await until(lambda: screen.scrubber.tape.told == LIVED + 300)
            await press(pilot, "full_stop")
            await until(lambda: app.viewer.world.now == LIVED + 60)


@pytest.fixture
def short_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if days had three hours."""
    monkeypatch.setattr(Clock, "midnight", lambda clock, day: (day - 1) * 3 * HOUR)
    monkeypatch.setattr(Clock, "day", lambda clock, t: int(t) // (3 * HOUR) + 1)


@pytest.mark.slow
@pytest.mark.usefixtures("short_days")
async def test_the_way_to_the_next_notable_event_leads_by_the_page_of_the_day_that_ended(save: Path) -> None:
    async with watching(save) as (app, _):
        viewer, screen = app.viewer, screen_of(app)
        notable = [row for row in viewer.chronicle.between(0, 3 * HOUR) if row.weight >= viewer.notable.line]
        await jump_to(screen, float(notable[-1].t + 1))
        found = notable_from(viewer, viewer.shown, 1)
        assert found is not None
        await screen.do("time.next")
        assert (viewer.shown, viewer.pace.words) == (3 * HOUR, "■ the end of day 1")
        assert screen.sheets.kind == "page"
        await screen.do("time.next")
        assert not screen.sheets.kind
        assert viewer.stop == viewer.chronicle[found]


@pytest.mark.usefixtures("short_days")
@pytest.mark.parametrize("skip", ["on", "off"], ids=["to the end of the day", "to the next event"])
async def test_where_a_jump_fails_nothing_is_said_to_be_reached(save: Path, skip: str) -> None:
    async with watching(save) as (app, _):
        viewer, screen = app.viewer, screen_of(app)
        notable = [row for row in viewer.chronicle.between(0, 3 * HOUR) if row.weight >= viewer.notable.line]
        await jump_to(screen, float(notable[-1].t + 1))
        step, reader = viewer.world.step, viewer.session.save
        assert isinstance(reader, Save)
        await reader.close()
        viewer.settings = viewer.settings.with_("quiet_skip", skip)
        await screen.do("time.next")
        assert viewer.pace.words == "■ is closed"
        assert (viewer.world.step, viewer.stop, screen.sheets.kind) == (step, None, "")
        assert viewer.shown < 3 * HOUR
