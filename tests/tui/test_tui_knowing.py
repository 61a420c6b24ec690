"""Whoever plays somebody is shown what that person can know, and learns how by one hint at a time."""

from __future__ import annotations

import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, live, press, screen_of, settle, text, words
from rich.cells import cell_len

from sandbox.core.clock import HOUR, MINUTE
from sandbox.engine.drivers import run_free
from sandbox.people.beliefs import SAW, Belief, Fact
from sandbox.people.mood import CALM
from sandbox.people.mood_words import MARKS
from sandbox.people.played import PutTo
from sandbox.play.knowing import knows_matter
from sandbox.play.model import Play, SawAll, Walk
from sandbox.readers.timeline import TimelineRow
from sandbox.talk.model import Closed
from sandbox.talk.pressure_aims import earshot
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes.person_known import KnownTab
from sandbox.tui.panes.person_matters import matter_of_pressure
from sandbox.tui.sheets.event import EventSheet
from sandbox.tui.sheets.page import page_of
from sandbox.tui.sheets.place import PlaceSheet
from sandbox.tui.sheets.talk import TalkSheet
from sandbox.tui.sheets.why import WhySheet
from sandbox.tui.view.lessons import LESSONS, hint
from sandbox.tui.view.person_words import mood_words
from sandbox.tui.view.text_lines import as_text
from sandbox.tui.view.viewer import Viewer


async def be(app: SandboxApp, pilot, who: str, at: str = "08:50") -> Viewer:
    """Be somebody, in a town that stands at an hour of the first day."""
    await live(app, at)
    screen_of(app).choose(who)
    await press(pilot, "p")
    return app.viewer


def others(viewer: Viewer, sight: bool) -> list[str]:
    """The people in sight, or out of it."""
    me, t = viewer.knower, viewer.shown
    return [who for who in viewer.world.cast if who != me and viewer.view.shows(who, t) == sight]


def told(viewer: Viewer) -> str:
    return "".join(segment.text for segment in hint(viewer, viewer.keys))


# ---- what is shown


async def test_where_only_those_in_sight_are_known_no_other_order_is_offered_or_taken(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await be(app, pilot, "kit", "07:30")
        people = screen_of(app).people
        before = people.order
        await press(pilot, "4", "s")
        assert people.order == before
        assert "sort" not in text(app)[-1]
        assert "s in sight" not in words(app)


@pytest.mark.slow
async def test_of_who_is_out_of_sight_nothing_of_today_is_shown(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit")
        screen, t = screen_of(app), viewer.shown
        away = others(viewer, sight=False)
        assert away
        for who in away:
            row, true = viewer.view.row(who, t), town.view.row(who, t)
            assert row.doing == "not in sight"
            assert row.where == "not seen yet"
            assert not row.awake
            assert (viewer.view.pad(who, t), viewer.view.causes(who, t), viewer.view.agenda(who, t)) == (CALM, [], [])
            assert viewer.view.ties(who) == []
            assert true.doing != row.doing
        shown = {figure.id for figure in screen.town.figures}
        assert shown
        assert shown.isdisjoint(away)
        assert {row.id for row in viewer.view.rows(t)} == {"kit", *others(viewer, sight=True)}
        assert "in sight" in words(app)


@pytest.mark.slow
async def test_who_is_in_sight_looks_as_they_look_and_is_remembered_where_they_were(
    app: SandboxApp, town: Town
) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit")
        w, pace = viewer.world, viewer.pace
        for _ in range(400):
            if others(viewer, sight=True):
                break
            await pace.step_once()
        who = others(viewer, sight=True)[0]
        row, true = viewer.view.row(who, w.now), town.view.row(who, w.now)
        assert (row.mood, row.x, row.y) == (true.mood, true.x, true.y)
        assert "".join(x.text for x in mood_words(viewer, who, w.now)) == f"{MARKS[row.mood]} {row.mood}", (
            "and no nearer word"
        )
        assert "looking for" not in row.doing
        assert viewer.view.causes(who, w.now) == []
        for _ in range(400):
            if not viewer.view.shows(who, w.now):
                break
            await pace.step_once()
        assert "last seen" in viewer.view.place(who, w.now)


@SIZES
async def test_the_page_of_another_tells_what_one_believes_and_from_whom(
    app: SandboxApp, town: Town, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        viewer = await be(app, pilot, "kit")
        w = viewer.world
        for n, source in enumerate((SAW, "una")):
            fact = Fact(f"#{900 + n}", "x", "grudge", "row", "vera", "otis", "", 1, "the [bold]till[/]\x1b[31m", "")
            w.beliefs.facts[fact.id] = fact
            held = Belief(fact.id, "vera", "otis", "", 1, 30.0, w.now, 3600 * (n + 1), source, 5)
            w.beliefs.held.setdefault("kit", {})[fact.id] = held
        screen_of(app).choose("vera")
        await press(pilot, "3")
        shown = words(app)
        assert "What you know" in shown
        assert "What you believe" in shown
        assert "you saw it" in shown
        assert "Una told you, " in shown
        assert "[bold]" in shown or "till" in shown
        assert "\x1b" not in shown
        assert isinstance(screen_of(app).person.tabs[screen_of(app).person.tab], KnownTab)
        assert w.cast["vera"].secrets == () or w.cast["vera"].secrets[0][:20] not in shown
        await press(pilot, "]")
        assert "What you know" in words(app)


@pytest.mark.slow
async def test_ones_own_page_tells_everything_of_oneself(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit")
        screen_of(app).choose("kit")
        await press(pilot, "3")
        assert screen_of(app).person.tabs[0].name == "Now"
        assert "pleasure" in words(app)
        assert viewer.view.causes("kit", viewer.shown) == town.view.causes("kit", viewer.shown)


@pytest.mark.slow
async def test_the_timeline_tells_what_came_to_them_and_what_all_know(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit", "09:30")
        whole, known = viewer.whole, viewer.chronicle
        assert 0 < len(known) < len(whole)
        for row in known.since(known.first):
            assert not row.who or "kit" in row.who or row.mark in "#%*"
        for _ in range(180):
            await viewer.pace.step_once()
        assert viewer.chronicle is known
        texts = {row.text for row in known.since(known.first)}
        inner = [r for r in whole.since(whole.first) if r.matter and "kit" not in r.who and r.mark == "&"]
        assert not [r for r in inner if r.text in texts]
        assert screen_of(app).timeline.shown()[-1] < known.told


@pytest.mark.slow
async def test_why_of_another_cannot_be_known_until_all_is_shown(app: SandboxApp, town: Town, clock: Clock) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit")
        screen = screen_of(app)
        screen.choose("vera")
        for key in ("w", "i", "r"):
            await press(pilot, key)
            assert screen.sheets.topmost is None
            assert screen_of(app) is screen
            assert not viewer.replaying
        assert "You cannot know that; A (all-knowing" in " ".join(n.message for n in app._notifications)
        screen.choose("kit")
        await press(pilot, "w")
        assert isinstance(screen.sheets.topmost, WhySheet)
        await press(pilot, "escape", "A")
        assert viewer.knower == ""
        assert viewer.view is town.view
        assert viewer.chronicle is viewer.whole
        assert viewer.world.played.saw_all >= 0
        screen.choose("vera")
        await press(pilot, "w")
        assert isinstance(screen.sheets.topmost, WhySheet)
        await press(pilot, "escape", "A")
        assert viewer.knower == "kit"
        assert [r.event.on for r in town.journal.lived if isinstance(r.event, SawAll)] == [True, False]


@pytest.mark.slow
async def test_talks_and_events_of_others_are_not_opened(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit", "09:30")
        screen, known = screen_of(app), viewer.chronicle
        rows = viewer.whole.since(viewer.whole.first)
        known_talks = {row.talk for row in known.since(known.first)}
        strange = next(row.talk for row in rows if row.talk and "kit" not in row.who and row.talk not in known_talks)
        screen.open_sheet(TalkSheet(screen, strange))
        assert screen.sheets.topmost is None
        own = next((row.talk for row in rows if row.talk and "kit" in row.who), "")
        if own:
            screen.open_sheet(TalkSheet(screen, own))
            await settle(pilot)
            assert screen.sheets.topmost is not None
            other = next(who for who in screen.sheets.topmost.story.who if who != "kit")
            assert f"{viewer.name(other)} wanted" not in words(app)
            await press(pilot, "escape")
        record = next(r for r in town.journal.lived if r.event.KIND == "felt" and r.stamp.actor not in ("", "kit"))
        screen.open_sheet(EventSheet(screen, record))
        assert screen.sheets.topmost is None


@pytest.mark.slow
@SIZES
async def test_the_graph_shows_ones_own_ties_and_says_so(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await be(app, pilot, "kit")
        await press(pilot, "6")
        ties = screen_of(app).panes["ties"].desk.ties()
        assert ties.edges
        assert all("kit" in (edge.a, edge.b) for edge in ties.edges)
        assert not any(ties.side(who, "kit").known for who in ties.people if who != "kit")
        assert "your own ties" in words(app)


@pytest.mark.slow
async def test_who_plays_nobody_is_shown_all_and_the_switch_does_nothing(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:50")
        before = len(town.journal.lived)
        await press(pilot, "A")
        assert len(town.journal.lived) == before
        assert app.viewer.knower == ""
        assert app.viewer.view is town.view
        assert app.viewer.chronicle is app.viewer.whole


@pytest.mark.slow
async def test_given_back_all_is_shown_again(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit")
        viewer.whole.add([TimelineRow(viewer.world.now, 3, "&", "Vera means to beat Otis", ("vera",), "", 9.0, "x")])
        await settle(pilot)
        assert "Vera means to beat Otis" not in words(app)
        await press(pilot, "p", "2")
        assert viewer.chronicle is viewer.whole
        assert "Vera means to beat Otis" in words(app)


@pytest.mark.slow
async def test_a_talk_is_told_to_who_stands_by_and_to_nobody_else(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit")
        w, pace = viewer.world, viewer.pace
        x, y = w.map.xy(w.map.areas["Market Square / stalls"].tiles[0])
        town.engine.do(Walk(by="kit", x=x, y=y))
        heard = strange = 0
        for _ in range(600):
            before = viewer.chronicle.told
            await pace.step_once()
            known = viewer.chronicle.since(before)
            for stamp, e in (r for r in town.journal.lived if r.stamp.step == w.step and isinstance(r.event, Closed)):
                if "kit" in e.who:
                    continue
                near = any(earshot(w, w.town.spots["kit"].tile, w.town.spots[who].tile) for who in e.who)
                shown = [row for row in known if row.seq == stamp.seq and row.who == e.who]
                assert near or not shown
                heard += bool(shown)
                strange += not shown
            if heard and strange:
                break
        assert heard
        assert strange


@pytest.mark.slow
async def test_a_town_in_which_somebody_is_played_stands_when_it_is_opened(app: SandboxApp, town: Town) -> None:
    town.engine.do(Play(by="kit"))
    await run_free(town.engine, steps=1)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert not app.viewer.pace.running
        assert (app.viewer.selected, app.viewer.following) == ("kit", True)
        assert "the arrows walk" in words(app)


@pytest.mark.slow
async def test_no_pane_tells_a_matter_of_others_that_one_does_not_know(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=(190, 60)) as pilot:
        viewer = await be(app, pilot, "kit", "10:00")
        w, screen = viewer.world, screen_of(app)
        heard = {b.fact for b in w.beliefs.held.get("kit", {}).values()}
        open_ = [p for p in w.pressures.open.values() if p.id not in heard and not knows_matter(w, "kit", p)]
        strange = {p.gist[:24] for p in map(matter_of_pressure, open_)}
        strange |= {secret[:24] for who, p in w.cast.items() if who != "kit" for secret in p.secrets}
        assert len(strange) > 10
        for who in list(w.cast)[::4]:
            screen.choose(who)
            for pane in "23456":
                await press(pilot, pane)
                shown = words(app)
                assert not [text for text in strange if text in shown], (who, pane)
            screen.open_sheet(PlaceSheet(screen, "Market Square"))
            await settle(pilot)
            assert not [text for text in strange if text in words(app)], who
            await press(pilot, "escape")


# ---- lessons


@pytest.mark.slow
@SIZES
async def test_hints_stand_on_the_now_line_one_at_a_time_until_their_thing_is_done(
    app: SandboxApp, town: Town, clock: Clock, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        viewer = await be(app, pilot, "kit")
        assert "the arrows walk" in words(app)
        w = viewer.world
        x, y = w.map.xy(w.map.areas["Market Square / stalls"].tiles[0])
        town.engine.do(Walk(by="kit", x=x, y=y))
        await viewer.pace.step_once()
        assert "the arrows walk" not in told(viewer)
        for _ in range(200):
            await viewer.pace.step_once()
            if "what to say" in told(viewer):
                break
        assert "j chooses somebody in sight, enter" in told(viewer)
        w.played.did.append("wished")
        assert told(viewer).startswith("Kit: . waits" if w.now - w.played.since < 15 * MINUTE else "Kit: esc, then d")
        w.played.did += ["bidden", "worded"]
        w.played.since = w.now - 20 * MINUTE
        assert "your own page" in told(viewer)
        await press(pilot, "3")
        assert "gives you back" in told(viewer)
        w.played.did.append("play_ended")
        assert told(viewer) == ""


@pytest.mark.slow
async def test_hints_end_with_the_first_hour_and_with_the_setting(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit")
        assert told(viewer)
        viewer.world.played.since -= HOUR
        assert told(viewer) == ""
        viewer.world.played.since += HOUR
        viewer.world.played.put = PutTo("x", "vera", "remind", "debt", "You owe me.", (), viewer.world.now + 60)
        assert "answer" in told(viewer)
        screen_of(app).program.change("hints", "off")
        assert told(viewer) == ""


async def test_every_hint_fits_in_eighty_cells(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        viewer = await be(app, pilot, "kit", "07:40")
        for lesson in LESSONS:
            line = lesson.line(viewer, viewer.keys)
            assert cell_len("".join(segment.text for segment in line)) <= 78


@pytest.mark.slow
async def test_a_days_page_tells_whoever_is_played_what_they_can_know(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer = await be(app, pilot, "kit")
        sheet = await page_of(screen_of(app), 1)
        own = "\n".join(as_text(entry.lines) for entry in sheet.entries(80))
        assert "On the calendar" in own
        assert "What happened" not in own
        assert "cannot know" in own
        await press(pilot, "A")
        assert viewer.knower == ""
        assert "Overheard" in "\n".join(as_text(entry.lines) for entry in sheet.entries(80))
