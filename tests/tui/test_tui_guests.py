"""Who has come to town stands among its people, and who has left at the end of them, with the day on which they did."""

from __future__ import annotations

import pytest
from larkspur import SIZES, WIDE, Town, live, press, screen_of, words

from sandbox.core.events import Record, Stamp
from sandbox.director.model import DealCard, Dealt
from sandbox.people.guest_handlers import Left
from sandbox.tui.app.app import SandboxApp


def leaves(town: Town, who: str) -> None:
    """Have a guest leave, at the moment at which the world stands."""
    world = town.world
    world.people.residents[who].talk = ""
    world.apply(Record(Stamp(world.seq + 1, world.step, world.now - 1, who, ()), Left(0, 15)))
    town.view.version += 1


@pytest.mark.slow
@SIZES
async def test_a_guest_is_listed_like_anybody_and_last_once_they_have_left(
    app: SandboxApp, town: Town, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        town.engine.do(DealCard(Dealt(card="guest", guest="nils")))
        await live(app, "07:45")
        await press(pilot, "4")
        assert "nils" in screen_of(app).people.sorted()
        rows = [row.text for row in app.viewer.chronicle.between(0, 3600)]
        assert any("Nils Arden has come to town" in row for row in rows)
        leaves(town, "nils")
        await live(app, "07:47")
        await press(pilot, "4")
        people = screen_of(app).people
        assert people.sorted()[-1] == "nils"
        await press(pilot, "G")
        assert "Nils" in people.taken()
        assert "left Tue" in people.taken() or "left on Tuesday" in people.taken()


@pytest.mark.slow
async def test_the_inspector_says_that_somebody_is_out_of_town(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        town.engine.do(DealCard(Dealt(card="guest", guest="nils")))
        await live(app, "07:45")
        leaves(town, "nils")
        await live(app, "07:47")
        app.viewer.select("nils")
        await press(pilot, "4")
        told = words(app)
        assert "left on Tuesday" in told
        assert "out of town" in told
        assert "asleep" not in told.split("Nils Arden")[-1]
