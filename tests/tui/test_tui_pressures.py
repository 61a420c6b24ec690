"""Pressures on the screen: what a stop says, what a person's panes say, where enter leads, and who is in trouble."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, live, press, said, screen_of, settle, text, words
from textual.pilot import Pilot

from sandbox.core.fields import fields
from sandbox.core.places import shipped_folder
from sandbox.engine.loading import load
from sandbox.people.beliefs import CLUE, SAW, TRUTH, Belief, Fact
from sandbox.people.claim_model import StandingClaim
from sandbox.people.goal_model import TakenStep
from sandbox.people.pressure_deck import DramaDeck
from sandbox.people.pressure_model import Ended, Sparked, Stirred
from sandbox.readers.all_stories import event_people
from sandbox.readers.pressures import STAGES
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes.person_matters import purse_words, strongest_pressure, trouble, visible_pressures
from sandbox.tui.panes.stop_panel import missed_lines
from sandbox.tui.sheets.event import EventSheet, open_event
from sandbox.tui.sheets.page import page_of
from sandbox.tui.sheets.talk import NONE, TalkSheet, deed_entries, open_talk, outcomes
from sandbox.tui.view.row_words import row_reason, summary_line, why_told
from sandbox.tui.view.viewer import Viewer

PANEL = 72  # cells of a line of the panel a stop has


async def ends(app: SandboxApp) -> list[TimelineRow]:
    """The rows of pressures that ended in a talk, once the first day has lived to the hour of one."""
    for hour in range(9, 22):
        await live(app, f"{hour:02}:00")
        rows = app.viewer.chronicle.since(0)
        if found := [row for row in rows if row.matter and row.talk and row.weight >= 6 and row.mark == "&"]:
            return found
    raise AssertionError("nothing ended in a talk all day")


async def read(pilot: Pilot[None]) -> None:
    """Let a sheet read what it tells."""
    for _ in range(4):
        await pilot.pause(0.02)
        await settle(pilot)


# ---- the stop


async def test_a_stop_names_who_and_why_in_five_lines(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        viewer = app.viewer
        for row in await ends(app):
            matter = viewer.timeline.matters[row.matter]
            viewer.stop = row
            panel = " ".join(said(told.line).strip() for told in missed_lines(viewer, PANEL, 5))
            assert viewer.name(matter.holder) in panel
            assert viewer.name(matter.about) in panel
            assert matter.cause.split(",")[0] in panel
            assert f"it began with this: {matter.cause}" in row_reason(viewer, row)


@pytest.mark.slow
async def test_the_panel_of_what_was_not_seen_holds_whole_rows(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "09:00")
        viewer = app.viewer
        viewer.missed = tuple(sorted(viewer.chronicle.since(0), key=lambda row: -row.weight))
        for most in (2, 4, 8):
            told = missed_lines(viewer, PANEL, most)
            assert len({id(line.row) for line in told}) >= most // 2 - 1
            for row in {id(line.row): line.row for line in told}.values():
                lines = [said(line.line).strip() for line in told if line.row is row]
                assert " ".join(lines).endswith(" ".join(row.text.split()))


@pytest.mark.slow
async def test_what_came_of_a_stop_was_not_before_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        viewer = app.viewer
        viewer.stop, *_ = await ends(app)
        rows = viewer.chronicle.since(0)
        viewer.missed = tuple(rows)
        told = [line.row for line in missed_lines(viewer, PANEL, 8)]
        assert viewer.stop in told
        assert any(row.seq < viewer.stop.seq for row in told)
        viewer.missed = tuple(row for row in rows if row.seq > viewer.stop.seq)
        assert viewer.missed
        assert {line.row.seq for line in missed_lines(viewer, PANEL, 8)} == {viewer.stop.seq}


@pytest.mark.slow
async def test_the_reason_of_a_turn_quotes_the_words_that_settled_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        viewer = app.viewer
        row, *_ = await ends(app)
        who, line = summary_line(viewer, row)
        story = viewer.story(row.talk)
        assert story is not None
        assert line in {x.text for x in story.lines if x.seq == story.deeds[0].seq}
        assert f"{viewer.name(who)} said “{line.removesuffix('.')}”" in row_reason(viewer, row)


async def test_how_a_matter_began_is_no_reason_for_its_end(app: SandboxApp) -> None:
    """Nobody broke a promise because they had given it."""
    async with app.run_test(size=WIDE):
        await live(app, "07:40")
        viewer = app.viewer
        matter = viewer.timeline.matters["two_hundred"]
        text = f"Mara and Vera have fallen out for good: {matter.gist}"
        row = TimelineRow(viewer.world.now, 5, "!", text, ("mara", "vera"), "", 8.5, "two_hundred", "", over=True)
        assert why_told(viewer, row) == f"it began with this: {matter.cause}"
        slept = row._replace(why="Mara slept through the hour")
        assert why_told(viewer, slept) == f"because Mara slept through the hour; it began with this: {matter.cause}"
        assert why_told(viewer, row._replace(over=False)) == f"because {matter.cause}"


async def test_a_row_that_only_shows_something_says_what_it_was(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        viewer = app.viewer
        await live(app, "07:40")
        row = TimelineRow(
            viewer.world.now, 5, "&", "Mara looks straight past Vera; Wilf noticed", ("mara",), "", 1.8, "two_hundred"
        )
        matter = viewer.timeline.matters["two_hundred"]
        assert row_reason(viewer, row) == f"{matter.cause}; Mara wanted to have it out with Vera over {matter.gist}"


@pytest.mark.slow
async def test_what_is_so_now_has_its_own_reason(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "09:00")
        why = "Lev and Vera have fallen out for good"
        row = TimelineRow(0, 9, "#", "Lev belongs to the choir no more", ("lev",), "", 8.0, why=why)
        assert why_told(app.viewer, row) == f"because {why}", "whatever else has moved Lev"


async def test_what_comes_from_outside_has_no_reason(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "07:40")
        row = TimelineRow(app.viewer.world.now, 5, "&", "The wind took a hat", ("mara", "vera"), "", 5.5)
        assert row_reason(app.viewer, row) == ""


@pytest.mark.slow
async def test_n_stops_at_a_story(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "21:00")
        viewer = app.viewer
        stops = [row for row in viewer.chronicle.since(0) if row.weight >= viewer.notable.line]
        assert 10 <= len(stops) <= 36, "\n".join(f"{row.weight} {row.mark} {row.text[:70]}" for row in stops)
        assert sum(bool(row.matter) for row in stops) >= len(stops) / 3
        assert not any(row.mark in "+-~x^,o." for row in stops)


# ---- the person


@pytest.mark.slow
@SIZES
async def test_matters_tell_what_presses_somebody(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "07:35")
        screen, viewer = screen_of(app), app.viewer
        screen.choose("mara")
        await press(pilot, "3", "left_square_bracket", "left_square_bracket")
        whole = " ".join(screen.person.copied_all().split())
        found = visible_pressures(viewer, "mara", viewer.shown)
        assert {"two_hundred", "bread_slate", "easter_solo"} <= {p.id for p in found}
        assert "an apology for two hundred loaves, eleven Christmases late" in whole
        assert "because Vera sent the Christmas order back" in whole
        assert "by 07:50" in whole
        assert all(STAGES[p.stage] in whole for p in found)
        assert "in their own words" in whole


@pytest.mark.slow
async def test_a_pressure_leads_to_its_latest_event(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:00")
        screen, viewer = screen_of(app), app.viewer
        screen.choose("mara")
        await press(pilot, "3", "left_square_bracket", "left_square_bracket")
        first = visible_pressures(viewer, "mara", viewer.shown)[0]
        await press(pilot, "enter")
        await read(pilot)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, EventSheet)
        assert sheet.record.stamp.seq == first.last


@pytest.mark.slow
async def test_now_says_what_presses_most(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:30")
        screen, viewer = screen_of(app), app.viewer
        screen.choose("mara")
        await press(pilot, "3")
        assert "trouble  grudge: an apology for" in words(app)
        found = strongest_pressure(viewer, "mara", viewer.shown)
        assert found is not None
        assert found.id == "two_hundred"


@SIZES
async def test_now_says_what_is_in_the_purse_and_matters_what_is_owed(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "07:35")
        screen, viewer = screen_of(app), app.viewer
        screen.choose("otis")
        await press(pilot, "3")
        has = viewer.world.people.residents["otis"].purse.coins
        assert purse_words(viewer, "otis") == f"{has}, owes 62"
        assert f"purse {has}, owes 62" in " ".join(screen.person.copied_all().split())
        await press(pilot, "left_square_bracket", "left_square_bracket")
        assert "debt, Mara: 62" in " ".join(screen.person.copied_all().split())
        assert purse_words(viewer, "mara").endswith("is owed 62")
        viewer.world.money = None
        assert purse_words(viewer, "otis") == ""


async def test_what_others_keep_from_one_does_not_press_one(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "07:32")
        viewer = app.viewer
        secret = viewer.world.pressures.open["quiet_notes"]
        viewer.world.pressures.open = {secret.id: secret}
        assert strongest_pressure(viewer, "hettie", viewer.shown) is secret
        assert strongest_pressure(viewer, "anselm", viewer.shown) is None
        assert visible_pressures(viewer, "anselm", viewer.shown) == [secret]


@pytest.mark.slow
async def test_matters_show_what_is_wanted_what_is_done_what_is_next_and_what_stands_in_the_way(
    app: SandboxApp,
) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "09:00")
        screen, world = screen_of(app), app.viewer.world
        id, plan = next((id, x) for id, x in world.goals.open.items() if x.claim.kind == "couple")
        p, name = world.pressures.open[id], world.handbook.name
        me, them, helper = name(p.holder), name(p.about), name(plan.steps[0].whom)
        world.pressures.open = {p.id: p}
        plan.done.append(TakenStep(plan.seq, p.t))
        world.claims.of[p.about].append("away")
        world.claims.open["away"] = StandingClaim("away", "couple", p.about, "ivo")
        screen.choose(p.holder)
        await press(pilot, "3", "left_square_bracket", "left_square_bracket")
        found = screen.person.tabs[screen.person.tab].entries(p.holder, app.viewer.shown, 90, 40)
        shown = [" ".join(said(line) for line in entry.lines).strip() for entry in found]
        assert f"wants: {me} and {them} are a couple" in shown
        assert any(x.startswith(f"+ {me} knows from {helper} now what {them} likes (") for x in shown)
        assert f"next: to be alone with {them} for once" in shown
        assert f"in the way: {them} and Ivo are a couple" in shown


async def test_matters_say_what_somebody_would_know_and_has_come_upon(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "07:32")
        screen, world = screen_of(app), app.viewer.world
        p = next(iter(world.pressures.open.values()))
        p.asks = "riddle"
        says = "the song about the ferry is about somebody else"
        world.beliefs.facts |= {p.asks: Fact(p.asks, p.asks, "secret", TRUTH, p.about, "", "", 0, says, "")}
        world.beliefs.facts["c"] = Fact("c", p.asks, "secret", CLUE, p.about, "", "", 0, "a rhyme is crossed out", "")
        for id in ("c", p.asks):
            world.beliefs.held.setdefault(p.holder, {})[id] = Belief(id, p.about, "", "", 0, 9.0, p.t, p.t, SAW, p.seq)
        screen.choose(p.holder)
        await press(pilot, "3", "left_square_bracket", "left_square_bracket")
        found = screen.person.tabs[screen.person.tab].entries(p.holder, app.viewer.shown, 90, 40)
        shown = [" ".join(said(line) for line in entry.lines).strip() for entry in found]
        assert f"wants to know: whether {says}" in shown
        assert "clue: a rhyme is crossed out" in shown


async def test_who_has_nothing_open_is_said_to_be_free_of_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "07:32")
        screen = screen_of(app)
        app.viewer.world.pressures.open.clear()
        screen.choose("mara")
        await press(pilot, "3", "left_square_bracket", "left_square_bracket")
        assert "Nothing presses Mara now" in words(app)
        assert trouble(app.viewer, "mara", app.viewer.shown) == 0


@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["wide", "small"])
async def test_the_list_of_people_says_how_much_trouble_each_has(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        await press(pilot, "4")
        first = screen_of(app).people.sorted()[0]
        much = f"{trouble(app.viewer, first, app.viewer.shown):.1f}"
        row = next(row for row in text(app) if app.viewer.name(first) in row and "." in row)
        assert much in row


# ---- sheets


@pytest.mark.slow
async def test_the_sheet_of_a_turn_tells_what_it_was_and_whose_feelings_moved(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "09:00")
        record = next(r for r in town.journal.lived if isinstance(r.event, Ended) and r.event.feelings)
        assert isinstance(record.event, Ended)
        matter = app.viewer.timeline.matters[record.event.id]
        await open_event(screen_of(app), record.stamp.seq)
        await read(pilot)
        sheet = screen_of(app).sheets.topmost
        assert sheet is not None
        whole = " ".join(sheet.plain().split())
        assert matter.stakes in whole
        assert f"because {matter.cause}" in whole
        assert "likes" in whole
        assert "It came from" in whole
        assert {matter.holder, matter.about} <= set(event_people(record, app.viewer.timeline.teller))


@pytest.mark.slow
async def test_the_sheet_of_a_stirring_says_how_far_it_has_come_and_who_knows(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "12:30")
        record = next(r for r in town.journal.lived if isinstance(r.event, Stirred) and r.event.told)
        assert isinstance(record.event, Stirred)
        await open_event(screen_of(app), record.stamp.seq)
        await read(pilot)
        sheet = screen_of(app).sheets.topmost
        assert sheet is not None
        whole = sheet.plain()
        assert f"it {STAGES[record.event.stage]}" in whole
        assert "of it since" in whole


@pytest.mark.slow
async def test_a_talk_about_a_pressure_tells_how_it_was_taken_and_by_what_rules(
    app: SandboxApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = app.viewer
        row, *_ = await ends(app)
        await open_talk(screen_of(app), row.talk)
        await read(pilot)
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, TalkSheet)
        assert sheet.story is not None
        done = sheet.story.deeds[0]
        took = viewer.world.handbook.drama.exchanges[done.do].took[done.answer]
        whole = " ".join(line for line in "\n".join(said(x) for e in sheet.entries(70) for x in e.lines).split("\n"))
        other = viewer.name(sheet.story.other(done.who))
        assert f"; {other} {took}." in " ".join(whole.split())
        assert f"; {other} {took}." in sheet.plain()
        assert done.why[0].name in whole
        assert viewer.timeline.matters[done.matter].cause.split(",")[0] in " ".join(whole.split())
        monkeypatch.setattr(Viewer, "knower", done.who)  # who was there knows what was done, and no more
        told = deed_entries(sheet.stage, sheet.story, 200, NONE)
        assert [said(*entry.lines) for entry in told] == outcomes(sheet.story, viewer.world.handbook)


async def test_a_spark_names_whom_it_befalls(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "07:40")
        record = town.journal.lived[-1]._replace(event=Sparked("hat", {"actor": "mara", "target": "vera"}, "A hat."))
        assert {"mara", "vera"} <= set(event_people(record, app.viewer.timeline.teller))


# ---- a deck that a world has emptied


LISTS = tuple(name for name, f in fields(DramaDeck).items() if isinstance(f.default, dict | tuple))


@pytest.mark.sampled(0)
@pytest.mark.parametrize("lists", [*([name] for name in LISTS), LISTS], ids="+".join)
async def test_an_emptied_deck_still_has_its_timeline_people_and_day_page(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, lists: Sequence[str]
) -> None:
    monkeypatch.setattr("sandbox.engine.drivers.perf_counter", clock)
    world = tmp_path / "larkspur"
    shutil.copytree(shipped_folder("worlds") / "larkspur", world)
    (world / "drama.yaml").write_text(f"only: [{', '.join(lists)}]\n")
    (world / "goals.yaml").unlink()  # they ask for kinds of pressure that are no more, which is a fault
    app = SandboxApp(Town(load(world, seed=42, step=300)), clock=clock)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "12:00")
        await settle(pilot)
        stage = screen_of(app)
        for who in app.viewer.world.cast:
            visible_pressures(app.viewer, who, app.viewer.world.now)
        stage.open_sheet(await page_of(stage, 1))
        await settle(pilot)
        assert stage.sheets.kind == "page"
        assert app.viewer.chronicle.since(0)
