"""The sheets of goals and bets: what stands in the way, what falls due, and that enter gives the town a command."""

from __future__ import annotations

import pytest
from larkspur import SIZES, Town, live, press, said, screen_of, settle, text, words
from msgspec.structs import replace

from sandbox.director.bet_offers import Bet
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.sheets.goals_and_bets import STAKES, BetsSheet, GoalsSheet
from sandbox.tui.widgets.sheet_pane import Sheet

WIDTH = 70


def whole(sheet: Sheet) -> str:
    return "\n".join("".join(said(line)) for entry in sheet.entries(WIDTH) for line in entry.lines)


@pytest.mark.slow
@SIZES
async def test_goals_tell_how_far_they_have_come_and_enter_follows_one(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "10:00")
        screen, world = screen_of(app), app.viewer.world
        await screen.do("direct.goals")
        await settle(pilot)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, GoalsSheet)
        text = whole(sheet)
        assert all(aim.title in text for aim in world.aim_deck.values())
        assert "in the way: " in text
        assert " left, until " in text
        first = next(e for e in sheet.entries(WIDTH) if e.does)
        await press(pilot, "enter")
        await live(app, "10:02")
        assert list(world.aims.followed) == [first.key]
        assert whole(sheet).index("▸") < whole(sheet).index("in the way")  # what is followed comes first
        await press(pilot, "enter")
        await live(app, "10:04")
        assert world.aims.followed == {}
        await screen.do("direct.goals")  # its own row closes it
        assert screen.sheets.topmost is None


@pytest.mark.slow
@SIZES
async def test_bets_tell_odds_and_enter_bets_ten_points_or_more(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "10:00")
        screen, world = screen_of(app), app.viewer.world
        await screen.do("direct.bets")
        await settle(pilot)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, BetsSheet)
        assert "100 points" in whole(sheet)
        assert "The pancake race: the dented pan" in whole(sheet)
        await press(pilot, "right_square_bracket")
        sheet = screen.sheets.topmost
        assert isinstance(sheet, BetsSheet)
        assert sheet.stake == STAKES[1]
        await press(pilot, "enter")
        await live(app, "10:02")
        (placed,) = world.bets.open.values()
        assert placed.stake == STAKES[1]
        assert f"{100 - STAKES[1]} points" in whole(sheet)
        assert placed.says in " ".join(whole(sheet).split())
        await live(app, "12:45")
        assert world.bets.open == {}
        texts = [row.text for row in app.viewer.chronicle]
        assert any(text.startswith(("You have won", "You have lost")) for text in texts)


@pytest.mark.slow
async def test_a_bet_made_while_time_stands_is_seen_at_once_and_made_once(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await live(app, "10:00")
        app.viewer.pace.pause()
        screen, world = screen_of(app), app.viewer.world
        await screen.do("direct.bets")
        await settle(pilot)
        await press(pilot, "enter")
        rows = " ".join(words(app).split())
        assert "90 points" in rows
        assert "with the next step" in rows
        assert "10 bet" in rows
        await press(pilot, "enter")
        assert [c.stake for c in town.engine.commands if isinstance(c, Bet)] == [10]
        assert "You have bet 10 on that" in [n.message for n in app._notifications][-1]
        await press(pilot, "down", "right_square_bracket", "right_square_bracket", "right_square_bracket", "enter")
        assert "more than you have left, 90 points" in [n.message for n in app._notifications][-1]
        await app.viewer.pace.ask_step()
        screen.update()
        await settle(pilot)
        assert [x.stake for x in world.bets.open.values()] == [10]
        assert "with the next step" not in words(app)
        await press(pilot, "up", *["left_square_bracket"] * 3, "enter")
        assert "you have bet 10 points on that already" in [n.message for n in app._notifications][-1]


@pytest.mark.slow
async def test_a_bet_that_waits_is_taken_back_by_u(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await live(app, "10:00")
        app.viewer.pace.pause()
        screen = screen_of(app)
        await screen.do("direct.bets")
        await settle(pilot)
        await press(pilot, "enter")
        await screen.do("saves.undo")
        await settle(pilot)
        assert town.engine.commands == []
        assert "100 points" in words(app)


@pytest.mark.slow
async def test_a_goal_chosen_while_time_stands_is_seen_at_once_and_enter_lets_it_go_again(
    app: SandboxApp, town: Town
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await live(app, "10:00")
        app.viewer.pace.pause()
        screen, world = screen_of(app), app.viewer.world
        await screen.do("direct.goals")
        await settle(pilot)
        await press(pilot, "enter")
        assert "followed from the next step on" in words(app)
        await press(pilot, "enter")
        assert town.engine.commands == []
        assert "followed from the next step on" not in words(app)
        await press(pilot, "enter")
        await app.viewer.pace.ask_step()
        screen.update()
        await settle(pilot)
        assert len(world.aims.followed) == 1
        await press(pilot, "enter")
        assert "let go with the next step" in words(app)


@pytest.mark.slow
async def test_a_bet_that_can_be_no_longer_when_its_step_begins_is_told(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await live(app, "10:00")
        app.viewer.pace.pause()
        screen = screen_of(app)
        await screen.do("direct.bets")
        await settle(pilot)
        await press(pilot, "enter")
        (command,) = town.engine.commands
        assert isinstance(command, Bet)
        town.world.bets.points = 5
        await app.viewer.pace.ask_step()
        screen.update()
        await settle(pilot)
        assert "It was not possible: a stake of 10 is more than the" in [n.message for n in app._notifications][-1]
        assert town.engine.refused == []


@pytest.mark.slow
async def test_goals_whose_hour_is_past_are_told_as_over_and_not_offered(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await live(app, "10:00")
        world = town.world
        aim = next(iter(world.aim_deck.values()))
        world.aim_deck[aim.id] = replace(aim, by="day 1 09:00")
        screen = screen_of(app)
        await screen.do("direct.goals")
        await settle(pilot)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, GoalsSheet)
        last = sheet.entries(WIDTH)[-1]
        text = "\n".join("".join(said(line)) for line in last.lines)
        assert aim.title in text
        assert "over: its hour is past" in text
        assert "in the way" not in text
        assert last.does is None


def footer(app: SandboxApp) -> str:
    return text(app)[-1]


@pytest.mark.slow
async def test_the_footer_says_what_keys_do_on_each_of_the_sheets(app: SandboxApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await live(app, "10:00")
        app.viewer.pace.pause()
        screen = screen_of(app)
        await screen.do("direct.goals")
        await settle(pilot)
        assert "enter follow" in footer(app)
        await press(pilot, "enter")
        assert "enter let go" in footer(app)
        await press(pilot, "down")
        assert "enter follow" in footer(app)
        await press(pilot, "escape")
        await screen.do("direct.bets")
        await settle(pilot)
        assert "enter bet" in footer(app)
        assert "] raise stake" in footer(app)
        assert "[ lower" in footer(app)
        await press(pilot, "enter")
        assert "U take back" in footer(app)
        await press(pilot, "U")
        assert "U take back" not in footer(app)
        await press(pilot, "escape", "x")
        assert "enter look at it" in footer(app)
        await press(pilot, "enter")
        assert "enter choose" in footer(app)
        assert "enter open" not in footer(app)
