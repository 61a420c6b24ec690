"""What holds for a while in the town stands in the first row and on the map."""

from __future__ import annotations

import pytest
from larkspur import SIZES, WIDE, Town, live, screen_of, settle, text, words

from sandbox.director.model import Dealt
from sandbox.town.conditions import TownCondition
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.map import overlay
from sandbox.tui.map.picture import CLEAR, Weather
from sandbox.tui.sheets.deal_context import deal_at_once


@pytest.mark.slow
@SIZES
async def test_the_first_row_says_what_holds_and_until_when(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "10:00")
        assert "rain" not in text(app)[0]
        await deal_at_once(screen_of(app), Dealt(card="rain"))
        await settle(pilot)
        screen_of(app).pulse()
        await settle(pilot)
        assert "rain to 13:00" in text(app)[0]


@pytest.mark.slow
async def test_a_shut_door_is_marked_on_the_map(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "10:00")
        stage = screen_of(app)
        stage.choose("mara")
        await deal_at_once(stage, Dealt(card="locked_door", where="Tansy Bakery"))
        await settle(pilot)
        (mark,) = overlay.marks(town.world, stage.town.picture)
        assert stage.town.picture.sector_at(int(mark.x), int(mark.y)) == "Tansy Bakery"
        stage.town.stand(mark.x, mark.y, 0)
        await settle(pilot)
        assert " shut " in words(app)
        assert overlay.weather_words(app.viewer) == ["the bakery shut to 13:00"]


@pytest.mark.slow
async def test_the_map_is_painted_in_the_weather_there_is_and_clears_up(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "10:00")
        stage = screen_of(app)
        assert overlay.weather(town.world) == CLEAR
        await deal_at_once(stage, Dealt(card="rain", where="Market Square", lasts=3600))
        await deal_at_once(stage, Dealt(card="blackout", lasts=3600))
        await settle(pilot)
        assert overlay.weather(town.world) == Weather(frozenset(("Market Square",)), frozenset(("",)))
        assert stage.town.painter.weather == overlay.weather(town.world)
        await live(app, "11:03")
        assert overlay.weather(town.world) == CLEAR
        assert overlay.weather_words(app.viewer) == []


async def test_conditions_that_are_no_weather_have_words_too(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE):
        for seq, kind in enumerate(("pushed", "deference"), 1):
            says = "something holds"
            town.world.conditions.open[seq] = TownCondition(kind, "", "", 3 * 3600, says, seq)  # type: ignore[arg-type]
        assert overlay.weather_words(app.viewer) == ["a post shown to all to 10:30", "deference to 10:30"]
        assert overlay.weather(town.world) == CLEAR
