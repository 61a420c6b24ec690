"""Directing on the screen: cards for what is chosen, whom they are likely to touch, and what was dealt."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, live, press, screen_of, settle, text, words
from textual.widgets import Input

from sandbox.director.model import CardPlayed, Dealt
from sandbox.engine.drivers import run_free
from sandbox.engine.scenario import Scenario
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.commands.playing import chosen_subject, open_deal_sheet
from sandbox.tui.sheets.cards import CardsSheet
from sandbox.tui.sheets.deal import DealSheet, PartSheet
from sandbox.tui.sheets.deal_context import Subject, deal_at_once, effect_times
from sandbox.tui.sheets.interview import InterviewScreen
from sandbox.tui.sheets.place import PlaceSheet
from sandbox.tui.sheets.post import PostSheet
from sandbox.tui.view import opening

ESCAPES = "[bold red]x[/] \x1b[31mred\x07 [@click=app.quit]q[/]"


def played(town: Town) -> list[CardPlayed]:
    return [r.event for r in town.journal.lived if isinstance(r.event, CardPlayed)]


def sheet(app: SandboxApp) -> DealSheet:
    found = screen_of(app).sheets.topmost
    assert isinstance(found, DealSheet)
    return found


def notices(app: SandboxApp) -> str:
    return " ".join(n.message for n in app._notifications)


@pytest.mark.slow
@SIZES
async def test_a_card_is_dealt_in_four_keys_and_takes_effect_at_once(
    app: SandboxApp, town: Town, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:40")
        screen_of(app).choose("mara")
        await press(pilot, "x")
        assert "Direct: Mara Tansy" in words(app)
        await press(pilot, "enter")  # the letter
        assert "It cannot be dealt yet: a letter says nothing" in words(app)
        await press(pilot, "enter", "j", "enter")  # a matter
        assert "Likely to touch" in words(app)
        assert "reads it first" in words(app)
        assert not played(town)
        now = app.viewer.world.now
        await press(pilot, "enter")
        assert [e.dealt.to for e in played(town)] == ["mara"]
        assert app.viewer.world.now == now + 60  # one step, and time stands as before
        assert not app.viewer.pace.running
        assert screen_of(app).sheets.topmost is None
        assert "A letter without a name has come for Mara" in notices(app)
        rows = app.viewer.chronicle
        assert any(rows[i].text.startswith("A letter without a name") for i in range(rows.first, rows.told))


async def test_time_that_runs_goes_on_running(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "08:40")
        app.viewer.pace.paced.go()
        assert await deal_at_once(screen_of(app), Dealt(card="rain"))
        await app.viewer.pace.step_once()
        assert app.viewer.pace.running
        assert [c.kind for c in app.viewer.world.conditions.open.values()] == ["rain"]


@pytest.mark.slow
async def test_cards_are_those_for_what_is_chosen(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "09:00")
        stage = screen_of(app)
        await press(pilot, "x")
        assert "Direct: the town" in words(app)
        assert "A seat beside somebody" not in words(app)
        await press(pilot, "x")
        assert stage.sheets.topmost is None
        stage.open_sheet(PlaceSheet(stage, "Tansy Bakery"))
        assert chosen_subject(stage) == Subject(where="Tansy Bakery")
        await press(pilot, "x")
        assert "Direct: the bakery" in words(app)
        assert "A locked door" in words(app)
        stage.close_all()
        stage.open_sheet(PostSheet(stage, 0))
        assert chosen_subject(stage) == Subject(post=0)
        stage.close_all()
        stage.choose("otis")
        stage.show_pane("person")
        stage.person.show_tab(3)
        await settle(pilot)
        found = chosen_subject(stage)
        assert found.who == "otis"
        assert found.matter in app.viewer.world.pressures.open


@pytest.mark.slow
async def test_a_post_under_the_cursor_of_the_feed_and_a_place_under_that_of_the_map_are_chosen(
    app: SandboxApp,
) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "10:00")
        stage = screen_of(app)
        stage.show_pane("feed")
        await settle(pilot)
        found = chosen_subject(stage)
        assert found.on == ("post",)
        await press(pilot, "x")
        assert "A trend" in words(app)
        await press(pilot, "enter")
        assert sheet(app).dealt.post == found.post
        stage.close_all()
        stage.show_pane("town")
        x, y, wide, high = next(s.rect for s in stage.town.picture.plan.sectors if s.name == "Tansy Bakery")
        stage.town.stand(x + wide / 2, y + high / 2, 0)
        stage.town.over.cursor = (x + wide / 2, y + 0.5)
        await settle(pilot)
        assert chosen_subject(stage).where == "Tansy Bakery"


@pytest.mark.slow
async def test_names_that_are_codes_stay_words(hostile: Town, clock: Clock) -> None:
    app = SandboxApp(hostile, clock=clock)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        who = next(iter(hostile.world.cast))
        stage.choose(who)
        await press(pilot, "x")
        assert "[bold red]Eve[/]" in words(app)
        assert "\x1b" not in words(app)
        await deal_at_once(stage, Dealt(card="letter", to=who, words="Hello"))
        await settle(pilot)
        await stage.do("direct.dealt")
        await settle(pilot)
        assert "\x1b" not in words(app) + notices(app)
        assert "has come for [bold: Hello" in notices(app)


@pytest.mark.slow
async def test_what_changes_somebody_by_force_stands_apart_and_is_called_so(app: SandboxApp) -> None:
    async with app.run_test(size=(120, 70)) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        stage.choose("mara")
        await press(pilot, "x")
        rows = text(app)
        force = next(i for i, row in enumerate(rows) if "By force: these change somebody" in row)
        assert all(i > force for i, row in enumerate(rows) if "A change of mood" in row or "A whisper" in row)
        assert any(i < force for i, row in enumerate(rows) if "A rumour" in row)
        stage.close_all()
        open_deal_sheet(stage, "mood")
        await settle(pilot)
        assert "deal it, by force" in words(app)
        names = [c.title for c in app.get_system_commands(stage)]
        assert "direct: a change of mood (by force) ..." in names
        assert "direct: a letter ..." in names
        assert "direct: what was dealt" in names


@pytest.mark.slow
async def test_the_reason_why_a_card_cannot_be_dealt_is_said_and_it_is_not(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        stage.choose("mara")
        open_deal_sheet(stage, "job_offered")
        await settle(pilot)
        await press(pilot, "G", "enter")
        assert "a job needs somebody else" in words(app)
        assert not played(town)
        assert isinstance(stage.sheets.topmost, DealSheet)


@pytest.mark.slow
async def test_words_may_be_anything_and_reach_nothing_as_code(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        stage.choose("mara")
        open_deal_sheet(stage, "letter")
        await settle(pilot)
        await press(pilot, "j", "enter")
        app.screen.query_one(Input).value = ESCAPES + " long" * 200
        await press(pilot, "enter")
        assert len(sheet(app).dealt.words) <= 400
        assert "\x1b" not in words(app)
        assert "[bold red]x" in words(app)
        await press(pilot, "G", "enter")
        assert [len(e.dealt.words) <= 400 for e in played(town)] == [True]
        assert "\x1b" not in words(app) + notices(app)


@pytest.mark.slow
async def test_coins_are_a_number(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        stage.choose("mara")
        open_deal_sheet(stage, "money_found")
        await settle(pilot)
        await press(pilot, "enter", *"lots", "enter")
        assert '"lots" is not a number of coins; type one from 1 to 10,000' in words(app)
        app.screen.query_one(Input).value = "25"
        await press(pilot, "enter")
        assert sheet(app).dealt.coins == 25
        assert "finds 25" in words(app)


async def test_who_sleeps_is_waited_for_and_that_is_said(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        world = app.viewer.world
        await live(app, "07:40")
        asleep = [who for who, r in world.people.residents.items() if not r.awake]
        who = asleep[0] if asleep else "mara"
        world.people.residents[who].awake = False
        stage = screen_of(app)
        stage.choose(who)
        open_deal_sheet(stage, "letter")
        sheet(app).made = msgspec.structs.replace(sheet(app).made, words="The lamp is out")
        stage.update()
        await settle(pilot)
        assert "is asleep; it may have to wait until they wake" in words(app)


@pytest.mark.slow
async def test_a_card_may_be_held_back_and_the_list_says_so(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        await press(pilot, "x")
        await stage.do("direct.dealt")
        await settle(pilot)
        assert "No card has been dealt yet" in words(app)
        stage.close_all()
        world = app.viewer.world
        names = [m.says for m in effect_times(world.clock, world.now)]
        assert names[0] == "now"
        assert "tomorrow morning, 08:00" in names
        open_deal_sheet(stage, "rain")
        await settle(pilot)
        await press(pilot, "k", "k", "enter", "j", "j", "enter")
        assert sheet(app).dealt.later == 3600
        await press(pilot, "enter")
        await deal_at_once(stage, Dealt(card="letter", to="mara", words="The lamp by the bridge is out"))
        await settle(pilot)
        await stage.do("direct.dealt")
        await settle(pilot)
        rows = words(app)
        assert "held back until Tue 4 Mar 09:40" in rows
        assert rows.index("The lamp") < rows.index("It rains")  # the latest first
        await press(pilot, "enter")
        assert stage.sheets.kind == "event"


async def test_of_a_card_that_holds_for_a_while_the_list_says_that_it_goes_on(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        await deal_at_once(stage, Dealt(card="rain", lasts=3 * 3600))
        await live(app, "08:45")
        await stage.do("direct.dealt")
        await settle(pilot)
        rows = " ".join(words(app).split())
        assert "reached " in rows
        assert "it goes on" in rows
        assert "has been waiting" not in rows


async def test_influence_is_counted_where_the_world_says_so(scenario: Scenario, clock: Clock) -> None:
    rich = msgspec.structs.replace(scenario, parameters={**scenario.parameters, "director.influence": 3})
    app = SandboxApp(Town(rich), clock=clock)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        stage = screen_of(app)
        await press(pilot, "x")
        assert "influence 3 of 3 left today" in words(app)
        assert "takes 2" in words(app)
        assert await deal_at_once(stage, Dealt(card="blackout"))
        await settle(pilot)
        await press(pilot, "x")
        assert "influence 1 of 3 left today" in words(app)
        square = next(x for x in app.viewer.world.map.areas if x.startswith("Market Square"))
        assert not await deal_at_once(stage, Dealt(card="occasion", where=square))
        await settle(pilot)
        assert "costs 2 of your influence, and 1 is left today" in notices(app)


@pytest.mark.slow
async def test_keys_pressed_fast_deal_one_card(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        open_deal_sheet(stage, "rain")
        await settle(pilot)
        for _ in range(6):
            app.simulate_key("enter")
        await settle(pilot)
        assert len(played(town)) == 1


async def test_who_leaves_the_list_meanwhile_is_still_whom_one_chose(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        stage.choose("mara")
        open_deal_sheet(stage, "seat")
        await settle(pilot)
        await press(pilot, "enter")
        found = stage.sheets.topmost
        assert isinstance(found, PartSheet)
        chosen = stage.sheets.chosen
        assert chosen is not None
        deed = chosen.does
        assert deed is not None
        stage.close_all()  # the list has gone before the key came
        deed()
        assert stage.sheets.topmost is None


@pytest.mark.parametrize("size", [(60, 18), (40, 12)], ids=["least", "less"])
async def test_there_is_room_for_it_on_the_smallest_terminal(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        stage.choose("mara")
        await press(pilot, "x", "enter", "j", "k", "escape", "escape")
        assert stage.sheets.topmost is None


@pytest.mark.slow
async def test_somebody_is_asked_about_a_card_right_after_it(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        stage.choose("mara")
        await deal_at_once(stage, Dealt(card="letter", to="mara", words="The lamp by the bridge is out"))
        await settle(pilot)
        await press(pilot, "i")
        assert isinstance(app.screen, InterviewScreen)
        assert "? What about the letter?" in words(app)
        await press(pilot, "up", "enter")
        while stage.interviews.pending:
            await pilot.pause(0)
        await settle(pilot)
        (asked,) = stage.interviews.of("mara")
        assert asked.ask == "What about the letter?"
        assert "lamp by the bridge" in asked.answer


@pytest.mark.slow
async def test_all_cards_of_the_world_are_one_row_away(app: SandboxApp) -> None:
    async with app.run_test(size=(120, 60)) as pilot:
        await live(app, "08:40")
        stage = screen_of(app)
        stage.choose("mara")
        await press(pilot, "x")
        assert "A locked door" not in words(app)
        await press(pilot, "G", "enter")
        assert isinstance(stage.sheets.topmost, CardsSheet)
        assert "A locked door" in words(app)


@pytest.mark.slow
async def test_a_replay_deals_no_card_and_offers_to_go_on_live(tmp_path: Path) -> None:
    path = tmp_path / "day.db"
    async with open_session("larkspur", seed=42, save=path) as session:
        await run_free(session.engine, steps=20)
    async with opening.open_replay(path) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await settle(pilot)
            stage = screen_of(app)
            await press(pilot, "x")
            assert "No card can be dealt in a replay" in words(app)
            assert "b go on live from here" in words(app)
            assert not await deal_at_once(stage, Dealt(card="rain"))
            open_deal_sheet(stage, "rain")
            await settle(pilot)
            assert "No card can be dealt in a replay" in words(app)
            assert "deal it" not in words(app)
            await press(pilot, "b")
            await settle(pilot)
            assert not app.viewer.replaying
            assert await deal_at_once(screen_of(app), Dealt(card="rain"))
            await app.end()
