"""Time that helps: what it runs to and says so, what it slows down for, nights, alerts, what one missed."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, forget, live, press, said, screen_of, settle, text, words
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Input

from sandbox.core.clock import HOUR
from sandbox.engine.drivers import SPEEDS
from sandbox.readers.facts import SpeechTurn
from sandbox.readers.timeline import OCCASION, TimelineRow
from sandbox.store.session import open_session
from sandbox.talk.model import Utterance
from sandbox.tui.app.actions import KEYS
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.commands.watch import Watch
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.nowline import now_line
from sandbox.tui.panes.status import status_line
from sandbox.tui.sheets.page import AlertsSheet, ChronicleSheet, PageSheet, page_of
from sandbox.tui.sheets.until import HourScreen, parse_hour
from sandbox.tui.view import ports
from sandbox.tui.view.row_words import row_headline, weightiest_rows
from sandbox.tui.view.timeline_rows import HOURLY
from sandbox.tui.view.viewer import Alert, Viewer

LONG = 20_000  # turns of the loop that a run of a day may take


async def stands(pilot: Pilot[None], app: SandboxApp) -> str:
    """Let time run to where it stops by itself; the words of the status."""
    for _ in range(LONG):
        if not app.viewer.pace.running:
            break
        await asyncio.sleep(0)
    assert not app.viewer.pace.running, app.viewer.pace.words
    await pilot.pause()
    await pilot.pause()
    return app.viewer.pace.words


def guard(app: SandboxApp) -> Watch:
    return screen_of(app).guard


def row(
    weight: float, *who: str, t: int = 1800, seq: int = 10**6, talk: str = "", text: str = "X and Y met"
) -> TimelineRow:
    return TimelineRow(t, seq, "!", text, who, talk, weight)


# ---- what time runs to


@SIZES
async def test_until_an_hour_says_so_on_the_way_and_there(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        goal = ports.until_hour(app.viewer, 8 * HOUR)
        guard(app).run(goal)
        assert app.viewer.pace.words == "▶ until 08:00"
        assert app.viewer.pace.speed == "max"
        assert await stands(pilot, app) == "■ until 08:00 reached"
        assert app.viewer.world.clock.hhmm(int(app.viewer.shown)) == "08:00"
        assert text(app)[0].startswith(" ■ until 08:00 reached")


async def test_until_an_hour_that_is_past_means_tomorrow(app: SandboxApp) -> None:
    clock = app.viewer.world.clock
    assert ports.until_hour(app.viewer, 6 * HOUR).at == clock.midnight(2) + 6 * HOUR
    assert ports.tomorrow(clock, 0, clock.midnight(2) + 6 * HOUR) == "tomorrow"
    assert ports.tomorrow(clock, 0, clock.midnight(3)) == "Thursday"
    assert ports.tomorrow(clock, 0, HOUR) == ""


async def test_until_somebody_talks(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        guard(app).run(ports.until_talk(app.viewer, "mara"))
        assert app.viewer.pace.words == "▶ until Mara talks"
        words = await stands(pilot, app)
        assert words.startswith("■ Mara talks with ")
        assert app.viewer.world.people.residents["mara"].talk


@pytest.mark.slow
async def test_until_a_mood_turns(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = app.viewer
        before = viewer.view.row("mara", viewer.shown).mood
        guard(app).run(ports.until_mood_turns(viewer, "mara"))
        assert viewer.pace.words == "▶ until Mara's mood turns"
        words = await stands(pilot, app)
        now = viewer.view.row("mara", viewer.shown).mood
        assert now != before
        assert words == f"■ Mara is {now}, no longer {before}"


async def test_what_does_not_come_in_time_is_said_to_be_so(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = app.viewer
        never = ports.TimeGoal("to the moon", lambda records, rows: "", "no moon in a whole day", patience=600)
        guard(app).run(never)
        assert await stands(pilot, app) == "■ no moon in a whole day"
        assert viewer.world.now <= 720


@SIZES
async def test_space_and_escape_stop_the_running(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        for key in ("space", "escape"):
            guard(app).run(ports.TimeGoal("far away", lambda records, rows: ""))
            await press(pilot, key)
            assert app.viewer.pace.words == "■ you paused"
        await app.viewer.pace.ask_step()
        assert app.viewer.pace.words == "■ you paused"


@pytest.mark.slow
@SIZES
async def test_u_lists_what_to_run_to_and_runs_there(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "u")
        assert screen_of(app).sheets.kind == "until"
        seen = words(app)
        for part in (
            "an hour ...",
            "noon",
            "12:00",
            "the morning",
            "tomorrow 06:00",
            "The school gate",
            "Choose somebody",
        ):
            assert part in seen
        await press(pilot, "u")
        assert not screen_of(app).sheets.kind
        screen_of(app).choose("mara")
        await press(pilot, "u")
        assert "Mara talks" in words(app)
        assert "Mara's mood turns" in words(app)
        await press(pilot, "j", "enter")
        assert app.viewer.pace.words == "▶ until The school gate"
        assert not screen_of(app).sheets.kind
        assert await stands(pilot, app) == "■ until The school gate reached"
        assert app.viewer.world.clock.hhmm(app.viewer.world.now) == "08:20"


@pytest.mark.slow
@SIZES
async def test_an_hour_is_typed_and_a_wrong_one_is_told(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "u", "enter")
        assert isinstance(app.screen, HourScreen)
        app.screen.query_one(Input).value = "25:00"
        await press(pilot, "enter")
        assert '"25:00" is not an hour; type it as 18:00' in words(app)
        app.screen.query_one(Input).value = "7.45"
        await press(pilot, "enter")
        assert await stands(pilot, app) == "■ until 07:45 reached"
        await press(pilot, "u", "enter", "escape")
        assert not isinstance(app.screen, HourScreen)


@pytest.mark.parametrize(
    ("typed", "second"),
    [
        ("18:00", 18 * HOUR),
        ("18", 18 * HOUR),
        ("0730", 27000),
        ("730", 27000),
        ("6.30", 23400),
        ("24:00", 0),
        ("9h", 9 * HOUR),
        ("6pm", 18 * HOUR),
        ("6.30 PM", 18 * HOUR + 1800),
        ("12am", 0),
        ("12:15pm", 12 * HOUR + 900),
    ],
)
def test_hours_as_people_type_them(typed: str, second: int) -> None:
    assert parse_hour(typed) == second


@pytest.mark.parametrize("typed", ["", "soon", "18:60", "25", "1:2:3", "18pm", "pm", "0am"])
def test_no_hours(typed: str) -> None:
    with pytest.raises(ValueError, match="is not an hour; type it as 18:00"):
        parse_hour(typed)


# ---- the next notable event


@pytest.mark.slow
@SIZES
async def test_n_stops_at_a_notable_row_with_its_people_in_view(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        viewer, screen = app.viewer, screen_of(app)
        for _ in range(4):
            start = viewer.chronicle.told
            await press(pilot, "n")
            status = await stands(pilot, app)
            stop = viewer.stop
            assert stop is not None
            assert stop.weight >= viewer.notable.line
            assert stop == max(viewer.chronicle.since(start), key=lambda r: r.weight)
            assert status == f"■ STOP {row_headline(stop)}"
            assert text(app)[0].startswith(f" {status}"[:50])
            if viewer.selected or stop.mark != OCCASION:  # of an occasion, whoever is there already
                assert viewer.selected in stop.who
                assert viewer.selected in screen.town.in_view()
            assert screen.timeline.chosen == stop
            seen = " ".join(words(app).split())
            assert stop.text.split(":")[0][:30] in seen
            assert "t talk" in seen or not stop.talk
            assert "space on" in seen


async def test_backspace_goes_back_to_before_the_stop(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = screen_of(app)
        screen.choose("bo" if "bo" in app.viewer.world.cast else "mara")
        before = screen.here()
        await press(pilot, "n")
        await stands(pilot, app)
        await press(pilot, "backspace")
        assert screen.here() == before


@pytest.mark.slow
async def test_space_dismisses_a_stop_and_goes_on_at_the_speed_before(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = app.viewer
        viewer.pace.faster(1)
        await press(pilot, "n")
        await stands(pilot, app)
        assert viewer.stop is not None
        await press(pilot, "space")
        assert viewer.stop is None
        assert viewer.pace.running
        assert viewer.pace.words == "▶ fast"
        await live(app, "08:30")
        assert screen_of(app).timeline.chosen == viewer.chronicle[screen_of(app).timeline.shown()[-1]]


async def test_on_a_small_screen_a_stop_shows_the_town_where_its_words_are(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "3", "n")
        await stands(pilot, app)
        assert screen_of(app).current == "town"
        shown = "\n".join(text(app))
        assert "because" in shown or "it began with this" in shown


async def test_two_notable_rows_of_one_step_are_two_stops(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = app.viewer
        first, second = row(6.0, "mara", t=1, text="A"), row(9.0, "jory", t=1, text="B")
        guard(app).run(ports.until_notable(viewer))
        viewer.chronicle.add([first, second])
        guard(app).saw([], [first, second])
        await pilot.pause()
        assert (viewer.stop, viewer.selected) == (second, "jory")
        now = viewer.world.now
        await press(pilot, "n")
        assert (viewer.stop, viewer.world.now) == (first, now)


async def test_what_a_stop_left_over_is_forgotten_once_time_has_gone_on(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = app.viewer
        found = [row(6.0, "mara", t=1, text="A"), row(9.0, "jory", t=1, text="B")]
        guard(app).run(ports.until_notable(viewer))
        viewer.chronicle.add(found)
        guard(app).saw([], found)
        await press(pilot, "full_stop")
        forget(app)  # as if a thousand days had passed
        await press(pilot, "n")
        assert viewer.stop not in found


@pytest.mark.slow
async def test_an_occasion_is_shown_where_it_is(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "12:04")
        await press(pilot, "n")
        await stands(pilot, app)
        viewer, town = app.viewer, screen_of(app).town
        assert viewer.stop is not None
        assert viewer.stop.text.startswith("Time for the pancake race at the square")
        x, y, w, h = next(s.rect for s in viewer.world.scenario.plan.sectors if s.name == "Market Square")
        assert town.camera.sees(x + w / 2, y + h / 2, 5)


@pytest.mark.slow
@SIZES
async def test_capital_n_goes_to_the_last_notable_row_and_leaves_time_alone(
    app: SandboxApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        viewer = app.viewer
        await live(app, "08:45")
        status = viewer.pace.words
        await press(pilot, "N")
        last = [r for r in viewer.chronicle.since(0) if r.weight >= viewer.notable.line][-1]
        assert viewer.selected in last.who
        assert screen_of(app).timeline.chosen == last
        assert viewer.pace.words == status


# ---- slowing down for a row


def hard(app: SandboxApp, t: float, talk: str, who: tuple[str, str]) -> None:
    """Let hard words be said."""
    line = Utterance(who[0], "Enough!", "snap", "", "", -0.8, ())
    app.viewer.floor._turns.append(SpeechTurn(talk, who, int(t), "snap", (line,), 0.2, -0.8))


async def quarrel(app: SandboxApp) -> str:
    """Live to a talk that goes on, and let hard words fall in it; its id."""
    viewer = app.viewer
    while not any(len(talk.who) == 2 for talk in viewer.world.talk.open.values()):
        await viewer.pace.ask_step()
    talk = next(iter(viewer.world.talk.open.values()))
    hard(app, viewer.world.now, talk.id, (talk.who[0], talk.who[1]))
    return talk.id


@pytest.mark.parametrize("speed", ["normal", "fast"])
async def test_a_row_of_whom_one_follows_slows_time_until_it_closes(app: SandboxApp, speed: str) -> None:
    async with app.run_test(size=WIDE):
        viewer = app.viewer
        talk = await quarrel(app)
        viewer.select(viewer.world.talk.open[talk].who[1])
        viewer.following = True
        place = viewer.world.handbook.at(viewer.world.talk.open[talk].place)
        pace = viewer.pace
        pace.paced.speed = [s.name for s in SPEEDS].index(speed)
        pace.paced.paused = False
        guard(app).slow.saw()
        assert pace.words == f"▶ slow: quarrel {place}"
        viewer.world.talk.open.pop(talk)
        guard(app).slow.saw()
        assert pace.speed == "slow"  # the last words are still to be seen
        guard(app).slow.saw()
        assert pace.words == f"▶ {speed}"
        guard(app).slow.saw()
        assert pace.words == f"▶ {speed}"


@SIZES
async def test_a_row_that_begins_in_view_slows_time(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        talk = await quarrel(app)
        screen_of(app).town.look_at(app.viewer.world.talk.open[talk].who[0])
        await pilot.pause()
        app.viewer.pace.paced.paused = False
        guard(app).saw([], [])
        assert app.viewer.pace.words.startswith("▶ slow: quarrel ")
        screen_of(app).update()
        await pilot.pause()
        assert text(app)[0].startswith(" ▶ slow: quarrel ")


async def test_a_speed_key_ends_the_slowness_and_the_same_row_brings_none_again(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = app.viewer
        talk = await quarrel(app)
        viewer.select(viewer.world.talk.open[talk].who[0])
        viewer.following = True
        viewer.pace.paced.paused = False
        guard(app).slow.saw()
        assert viewer.pace.slowed
        await press(pilot, "greater_than_sign")
        assert viewer.pace.words == "▶ fast"
        hard(app, viewer.world.now, talk, (viewer.selected, "mara"))
        guard(app).slow.saw()
        guard(app).slow.saw()
        assert viewer.pace.words == "▶ fast"


@pytest.mark.parametrize("case", ["off", "max", "running to", "elsewhere"])
async def test_what_time_does_not_slow_down_for(app: SandboxApp, case: str) -> None:
    async with app.run_test(size=WIDE):
        viewer = app.viewer
        talk = await quarrel(app)
        viewer.pace.paced.paused = False
        if case == "elsewhere":
            screen_of(app).town.stand(0, 0, 0)
            if any(who in screen_of(app).town.in_view() for who in viewer.world.talk.open[talk].who):
                screen_of(app).town.stand(1000, 1000, 0)
        else:
            viewer.select(viewer.world.talk.open[talk].who[0])
            viewer.following = True
        if case == "off":
            viewer.settings = viewer.settings.with_("auto_slow", "off")
        if case == "max":
            viewer.pace.paced.speed = 3
        if case == "running to":
            viewer.pace.run_to("far away")
        guard(app).slow.saw()
        assert not viewer.pace.slowed


# ---- quiet nights


async def asleep(app: SandboxApp) -> None:
    """Live to the moment at which the last one sleeps."""
    viewer = app.viewer
    await viewer.pace.ask_step()
    while viewer.world.now < 13 * HOUR or any(r.awake for r in viewer.world.people.residents.values()):
        await viewer.session.engine.step()
    viewer.pace.paced.shown = float(viewer.world.now)


async def doze(app: SandboxApp, pilot: Pilot[None]) -> None:
    """Put everybody to bed at once, and let time run into that night."""
    viewer = app.viewer
    for resident in viewer.world.people.residents.values():
        resident.awake = False
        if resident.act is not None:
            resident.act.until = viewer.world.now + 3 * HOUR
    viewer.pace.paced.paused = False
    guard(app).night.saw()
    for _ in range(50):
        await pilot.pause()


async def wake(app: SandboxApp, pilot: Pilot[None]) -> None:
    """Mara gets up."""
    app.viewer.world.people.residents["mara"].awake = True
    guard(app).night.saw()
    await pilot.pause()


@pytest.mark.slow
@SIZES
async def test_a_quiet_night_is_skipped_to_the_first_who_wakes_with_the_page_to_read(
    app: SandboxApp, clock: Clock, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        viewer, screen = app.viewer, screen_of(app)
        await asleep(app)
        viewer.pace.paced.speed = 3
        viewer.pace.toggle()
        said_at_night = set()
        for _ in range(LONG):
            said_at_night.add(viewer.pace.words)
            if not viewer.pace.running:
                break
            await asyncio.sleep(0)
        night = next(said for said in said_at_night if said.startswith("night: to 0"))
        await pilot.pause()
        await pilot.pause()
        up = [r for r in viewer.view.rows(viewer.shown) if r.awake]
        assert up
        assert viewer.pace.words == f"■ {up[0].name} is the first up (max)"
        assert viewer.world.clock.hhmm(viewer.world.now)[:2] == night[-5:-3]
        assert screen.sheets.kind == "page"
        assert "Tue 4 Mar, day 1" in words(app)
        clock.now += 3600  # it waits until a key is pressed
        await settle(pilot)
        assert screen.sheets.kind == "page"
        await press(pilot, "space")
        assert not screen.sheets.kind
        assert viewer.pace.words == "▶ max"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("key", ["space", "escape", "enter"])
async def test_a_key_closes_the_page_and_the_day_goes_on(
    app: SandboxApp, clock: Clock, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.tui.commands.night.LATE", 0)  # an early night has the page of its own day
    async with app.run_test(size=WIDE) as pilot:
        viewer, screen = app.viewer, screen_of(app)
        await doze(app, pilot)
        assert viewer.pace.night
        await wake(app, pilot)
        assert viewer.pace.words == "■ Mara is the first up"
        assert screen.sheets.kind == "page"
        await settle(pilot)
        assert "space go on" in text(app)[-1]
        assert "enter" not in text(app)[-1]  # there is nothing to open
        await press(pilot, "down")
        assert screen.sheets.kind == "page"
        await press(pilot, key)
        assert not screen.sheets.kind
        assert viewer.pace.running == (key != "escape")  # which only puts the page away
        assert screen.current == "town"


async def test_from_its_first_moment_a_quiet_night_has_no_lit_room_and_nobody_in_one(
    app: SandboxApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=WIDE) as pilot, app.viewer.pace._lock:  # no step is made but by this test
        viewer, town = app.viewer, screen_of(app).town
        monkeypatch.setattr(type(viewer.world.clock), "second_of_day", lambda clock, t: 23 * HOUR)
        town.leapt()
        alpha, lit = town.painter._state[1:3]
        assert lit
        assert min(alpha.values()) == 0
        viewer.ready = lambda: False  # the terminal is behind: no frame comes by itself
        for resident in viewer.world.people.residents.values():
            resident.awake = False
            if resident.act is not None:
                resident.act.until = viewer.world.now + 3 * HOUR
        viewer.pace.paced.paused = False
        guard(app).night.saw()
        await settle(pilot)
        alpha, lit = town.painter._state[1:3]
        assert (lit, min(alpha.values())) == (frozenset(), 1)
        rows = [viewer.view.row(who, viewer.shown) for who in town.painter.bodies]
        assert not [row.id for row in rows if town.picture.house_at(round(row.x), round(row.y))]


@pytest.mark.slow
async def test_the_page_is_a_stop_on_the_way_to_the_next_notable_event_and_nowhere_else(
    app: SandboxApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.tui.commands.night.LATE", 0)
    async with app.run_test(size=WIDE) as pilot, app.viewer.pace._lock:  # no step is made but by this test
        viewer, screen, run = app.viewer, screen_of(app), guard(app).run
        run(ports.until_hour(viewer, 6 * HOUR))
        await doze(app, pilot)
        assert (viewer.pace.night, screen.sheets.kind) == ("", "")
        await wake(app, pilot)
        viewer.pace.pause()
        run(ports.until_notable(viewer))
        await doze(app, pilot)
        assert viewer.pace.night
        assert screen.sheets.kind == "page"
        await wake(app, pilot)
        assert viewer.pace.words == "■ Mara is the first up"
        assert screen.sheets.kind == "page"
        await press(pilot, "n")  # and on
        assert not screen.sheets.kind
        assert viewer.pace.goal == "to the next notable event"


async def test_a_page_that_comes_too_late_does_not_cover_the_new_day(
    app: SandboxApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.tui.commands.night.LATE", 0)
    async with app.run_test(size=WIDE) as pilot:
        screen, gate = screen_of(app), asyncio.Event()

        async def slowly(stage: TownLayout, day: int) -> PageSheet | None:
            await gate.wait()
            return await page_of(stage, day)

        monkeypatch.setattr("sandbox.tui.commands.night.page_of", slowly)
        await doze(app, pilot)
        await wake(app, pilot)
        await press(pilot, "space")
        assert app.viewer.pace.running
        gate.set()
        await settle(pilot)
        assert not screen.sheets.kind


async def test_the_next_event_is_not_covered_by_what_was_open(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j", "w")
        assert screen_of(app).sheets.kind
        await press(pilot, "n")
        await stands(pilot, app)
        assert not screen_of(app).sheets.kind


async def test_a_step_after_a_stop_is_no_stop(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "n")
        await stands(pilot, app)
        assert "space go on" in text(app)[-1]
        await press(pilot, "full_stop")
        assert app.viewer.pace.words == "■ you paused"
        assert "space go on" in text(app)[-1]
        await press(pilot, "space")
        assert "space pause" in text(app)[-1]


async def test_a_sheet_that_is_open_stays_and_the_night_goes_by(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer, screen = app.viewer, screen_of(app)
        await press(pilot, "question_mark")
        kind = screen.sheets.kind
        await doze(app, pilot)
        assert viewer.pace.night
        await wake(app, pilot)
        assert screen.sheets.kind == kind
        assert viewer.pace.words == "▶ normal"


async def test_a_night_is_lived_through_where_that_is_set(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = app.viewer
        viewer.settings = viewer.settings.with_("quiet_skip", "off")
        await doze(app, pilot)
        assert not viewer.pace.night


@pytest.mark.slow
@SIZES
async def test_the_page_of_the_day_can_be_read_any_time(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:30")
        screen = screen_of(app)
        await screen.do("go.page")
        await settle(pilot)
        assert screen.sheets.kind == "page"
        assert "day 1 so far" in words(app)
        assert any(p.first in words(app) for p in app.viewer.world.cast.values())
        await screen.do("go.page")
        assert not screen.sheets.kind


@pytest.mark.slow
async def test_the_chronicle_and_the_page_lead_to_their_events(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "12:40")
        screen = screen_of(app)
        for action, kind in (("go.page", "page"), ("go.chronicle", "chronicle")):
            await screen.do(action)
            await settle(pilot)
            assert screen.sheets.kind == kind
            sheet = screen.sheets.topmost
            assert isinstance(sheet, PageSheet | ChronicleSheet)
            entry = next(x for x in sheet.entries(60) if isinstance(x.key, int))
            await entry.enter()
            await settle(pilot)
            assert screen.sheets.kind in ("event", "talk")
            screen.close_all()


# ---- alerts


async def test_what_calls_for_attention(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        viewer, watch = app.viewer, guard(app)
        viewer.favourites = {"mara"}
        viewer.select("jory")
        viewer.following = True
        calls = [row(3.0, "mara", seq=1), row(4.0, "jory", seq=2), row(8.0, "dov", seq=3)]
        silent = [row(2.9, "mara", seq=4), row(3.9, "jory", seq=5), row(7.9, "dov", seq=6)]
        watch.saw([], [*calls, *silent])
        assert [alert.row for alert in viewer.alerts] == calls
        assert [alert.why for alert in viewer.alerts] == [
            "Mara is a favourite",
            "you follow Jory",
            "the talk of the town",
        ]
        assert viewer.unread == 3
        one = [row(8.0, "dov", seq=7, talk="t"), row(9.0, "dov", seq=8, talk="t")]
        watch.saw([], one)
        assert viewer.alerts[-1].row == one[1]
        assert viewer.unread == 4
        watch.saw([], [row(9.0, "dov", seq=100 + i) for i in range(30)])
        assert (len(viewer.alerts), viewer.unread) == (20, 34)


@pytest.mark.slow
@SIZES
async def test_alerts_are_counted_shown_and_lead_there(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        viewer, screen = app.viewer, screen_of(app)
        viewer.favourites.add("mara")
        await live(app, "08:45")
        assert viewer.unread
        screen.update()
        await pilot.pause()
        assert f"! {viewer.unread}" in text(app)[0]
        alert = viewer.alerts[-1]
        await press(pilot, "exclamation_mark")
        assert viewer.unread == 0
        assert screen.sheets.kind == "alerts"
        assert row_headline(alert.row) in words(app)
        await press(pilot, "enter")
        assert not screen.sheets.kind
        assert viewer.selected in alert.row.who
        assert screen.timeline.chosen == alert.row
        assert "! " not in text(app)[0]


def test_an_alert_stays_new_where_it_stands_and_what_comes_meanwhile_is_read(town: Town) -> None:
    viewer = Viewer(town)

    def told() -> list[str]:
        return [said(entry.lines[0]).split()[0] for entry in sheet.entries(70)]

    viewer.alerts = [Alert(row(9.0, seq=n, text=f"x{n}"), "why") for n in range(3)]
    viewer.unread = 2
    sheet = AlertsSheet(cast(TownLayout, SimpleNamespace(viewer=viewer)))
    assert told() == ["!", "!", "x0"]
    viewer.alerts.append(Alert(row(9.0, seq=3, text="x3"), "why"))
    viewer.unread += 1
    assert told() == ["!", "!", "!", "x0"]
    assert viewer.unread == 0


@SIZES
async def test_no_alerts_says_how_they_come(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "exclamation_mark")
        assert "No alerts yet" in words(app)
        assert "* makes one" in " ".join(words(app).split())


# ---- since you looked


def test_the_best_are_the_weightiest_one_for_each_talk() -> None:
    rows = [
        row(2.0, t=1),
        row(9.0, t=2, talk="a"),
        row(8.0, t=3, talk="a"),
        row(5.0, t=4),
        row(4.0, t=5),
        row(3.0, t=6),
    ]
    assert [r.weight for r in weightiest_rows(rows)] == [9.0, 5.0, 4.0]
    assert [r.weight for r in weightiest_rows(rows, but=rows[2])] == [5.0, 4.0, 3.0]
    assert weightiest_rows([row(1.9)]) == ()


@pytest.mark.slow
@SIZES
async def test_after_u_the_weightiest_rows_stand_over_the_town(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        viewer, screen = app.viewer, screen_of(app)
        started = viewer.chronicle.told
        guard(app).run(ports.until_hour(viewer, 9 * HOUR))
        await stands(pilot, app)
        assert len(viewer.missed) == 3
        assert [r.weight for r in viewer.missed] == sorted((r.weight for r in viewer.missed), reverse=True)
        assert screen.timeline.away == started
        assert screen.missed.display
        assert 2 <= screen.missed.size.height <= (6 if size == WIDE else 4)
        assert viewer.missed[0].text[:30] in words(app)
        await press(pilot, "escape")
        assert not screen.missed.display
        await screen.do("go.since")
        await pilot.pause()
        assert screen.missed.display
        await press(pilot, "space")
        assert not screen.missed.display
        assert viewer.missed == ()


async def test_the_timeline_draws_the_line_where_one_looked_away(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        timeline = screen_of(app).timeline
        await live(app, "07:54")
        guard(app).run(ports.until_hour(app.viewer, 8 * HOUR))
        await stands(pilot, app)
        assert timeline.away is not None
        unseen = sum(number >= timeline.away for number in timeline.shown())
        assert unseen
        await press(pilot, "2", *"k" * (unseen - 1))
        assert "you looked away here" in words(app)


@pytest.mark.slow
async def test_the_panel_leaves_whom_one_looks_at_in_sight(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        screen, viewer = screen_of(app), app.viewer
        viewer.missed = (row(5.0), row(4.0), row(3.0))
        for who in viewer.world.cast:
            screen.choose(who)
            screen.town.look_at(who)
            screen.missed.stand(screen.town, screen.has_class("-small"))
            await pilot.pause()
            spot = viewer.view.row(who, viewer.shown)
            y = round(spot.y / screen.town.camera.scale.y) - screen.town.camera.y + screen.town.content_region.y
            assert not screen.missed.region.y <= y < screen.missed.region.bottom, who


@pytest.mark.slow
async def test_coming_back_from_an_earlier_moment_shows_what_came_after_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "08:45")
        viewer = app.viewer
        guard(app).back_from(3600.0)
        assert viewer.missed
        assert all(r.t > 3600 for r in viewer.missed)


@pytest.mark.slow
@SIZES
async def test_a_save_gone_on_with_begins_with_what_mattered(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    save = tmp_path / "larkspur-1.db"
    async with open_session("larkspur", seed=42, save=save) as session:
        for _ in range(80):
            await session.engine.step()
    async with open_session(save) as session:
        app = SandboxApp(session, clock=Clock())
        app.viewer.pace.paced.pause()
        try:
            async with app.run_test(size=size) as pilot:
                await pilot.pause()
                await pilot.pause()
                screen = screen_of(app)
                assert screen.missed.display
                weightiest = weightiest_rows(app.viewer.chronicle.since(0))[0]
                assert weightiest.text[:20] in words(app)
                assert size == SMALL or "before you left" in words(app)
        finally:
            await app.end()


@pytest.mark.slow
@SIZES
async def test_a_replay_goes_to_an_hour_and_coming_back_shows_what_came_after(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    async with open_session("larkspur", seed=42, save=tmp_path / "larkspur-1.db") as session:
        app = SandboxApp(session, clock=Clock())
        app.viewer.pace.paced.pause()
        try:
            async with app.run_test(size=size) as pilot:
                await live(app, "08:50")
                await press(pilot, "r")
                await pilot.pause()
                assert app.viewer.replaying
                await screen_of(app).do("time.until")
                await pilot.pause()
                await press(pilot, "enter")
                app.screen.query_one(Input).value = "08:10"
                await press(pilot, "enter")
                assert app.viewer.world.clock.hhmm(int(app.viewer.shown)) == "08:10"
                await app.leave_replay()
                await pilot.pause()
                assert not app.viewer.replaying
                assert app.viewer.missed
                assert all(r.t > 2400 for r in app.viewer.missed)
        finally:
            await app.end()


@pytest.mark.slow
@SIZES
async def test_a_click_on_what_one_missed_goes_there(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        guard(app).run(ports.until_hour(app.viewer, 9 * HOUR))
        await stands(pilot, app)
        first = min(app.viewer.missed, key=lambda row: row.t)
        await pilot.click("#missed", offset=(12, 0 if size == SMALL else 1))
        await pilot.pause()
        assert app.viewer.selected == first.who[0]


# ---- the first and the now line


def test_the_status_stands_in_its_order_and_loses_moods_first_then_its_right_end(town: Town) -> None:
    viewer = Viewer(town)
    viewer.pace.paced.pause()
    viewer.unread = 2
    for resident in viewer.world.people.residents.values():
        resident.awake = True
    count = Counter(viewer.view.row(who, 0).mood for who in viewer.world.cast)
    moods = sorted(count.items(), key=lambda m: (-m[1], m[0]))
    parts = [
        "■ you paused",
        "Tue 4 Mar 07:30",
        "day 1",
        "25 up 0 asleep",
        f"{moods[0][0]} {moods[0][1]}",
        "! 2",
        "not saved",
    ]
    whole = said(status_line(viewer, 200))
    places = [whole.index(part) for part in parts]
    assert places == sorted(places)
    before = 0
    for width in range(60, 201):
        line = said(status_line(viewer, width))
        assert cell_len(line) <= width
        assert line.startswith("■ you paused  Tue 4 Mar 07:30")
        assert "! 2" in line
        told = [f" {mood} {n}" in line for mood, n in moods]
        assert told == sorted(told, reverse=True)  # the rarest go first
        assert sum(told) >= before
        before = sum(told)
        assert not any(told) or line.endswith("not saved")
    assert all(told)
    assert "not saved" not in said(status_line(viewer, 66))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_long_reason_leaves_the_hour_in_sight(town: Town, width: int) -> None:
    viewer = Viewer(town)
    viewer.pace.arrive("STOP " + "Somebody with a very long name and others too had words " * 3)
    assert "Tue 4 Mar 07:30" in said(status_line(viewer, width))


def test_a_full_disk_is_told_first(town: Town) -> None:
    viewer = Viewer(town)
    viewer.pace.paced.pause("disk full: saves/a.db")
    assert said(status_line(viewer, 100)).startswith("■ disk full: saves/a.db  ")


def test_the_now_line_teaches_one_key_at_a_time_and_knows_remapped_ones(town: Town) -> None:
    viewer = Viewer(town)
    taught = []
    for id in ("time.next", "chosen.open", "chosen.why", "chosen.talk", "go.find", "time.pause"):
        line = now_line(viewer, 120, {**KEYS, "go.find": "f5"})
        taught.append(said(line).split("   ")[-1].strip())
        assert line[-1].style is not None
        assert line[-1].style.meta["does"] in (id, "go.find")
        viewer.learnt.add(id)
        viewer.select("mara")
    assert taught == ["n next event", "enter who is this", "w why", "t the talk", "f5 find", "space pause"]
    assert "pause" not in said(now_line(viewer, 120, KEYS))


@SIZES
async def test_a_click_on_the_now_line_does_what_its_key_does(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.click("#nowline", offset=(8, 0))
        await pilot.pause()
        assert screen_of(app).sheets.kind == "until"  # "next 08:20 The school gate   u until"


async def test_a_click_on_the_first_words_pauses_and_goes_on(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        await pilot.click("#status", offset=(4, 0))
        await pilot.pause()
        assert app.viewer.pace.running
        await pilot.click("#status", offset=(60, 0))
        await pilot.pause()
        assert app.viewer.pace.running


@SIZES
async def test_a_click_on_a_key_of_the_last_row_does_it_and_one_on_the_alerts_opens_them(
    app: SandboxApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.click("#footer", offset=(text(app)[-1].index("go on") + 2, 0))
        await pilot.pause()
        assert app.viewer.pace.running
        app.viewer.pace.pause()
        app.viewer.unread = 12
        screen_of(app).update()
        await settle(pilot)
        await pilot.click("#status", offset=(text(app)[0].index("! 12") + 3, 0))
        await settle(pilot)
        assert screen_of(app).sheets.kind == "alerts"


# ---- the timeline while time flies


def test_the_row_of_an_hour_counts_talks_however_many_rows_each_has(app: SandboxApp) -> None:
    layout = app._towns.first.screen
    viewer, watch = app.viewer, layout.guard
    watch._hour = 0
    viewer.whole.add([row(5.0, t=0, talk=talk) for talk in ("a", "a", "a", "b", "")])
    watch._tell_hour()
    assert " up, 2 talks" in viewer.whole[viewer.whole.told - 1].text


@pytest.mark.slow
async def test_while_time_flies_the_timeline_tells_the_notable_and_one_line_an_hour(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        viewer, timeline = app.viewer, screen_of(app).timeline
        await live(app, "10:05")
        hours = [r for r in viewer.chronicle.since(0) if r.mark == HOURLY]
        assert [viewer.world.clock.hhmm(r.t) for r in hours] == ["08:00", "09:00", "10:00"]
        assert all(" up, " in r.text and " talks, mostly " in r.text for r in hours)
        assert not any(viewer.chronicle[n].mark == HOURLY for n in timeline.shown())
        viewer.pace.paced.speed, viewer.pace.paced.paused = 2, False
        flying = [viewer.chronicle[n] for n in timeline.shown()]
        viewer.pace.paced.paused = True
        assert [r for r in flying if r.mark == HOURLY] == hours
        assert all(r.mark == HOURLY or r.weight >= viewer.notable.line for r in flying)
