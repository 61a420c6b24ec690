"""Things on the map: a mark where one lies, what the look cursor says of it, what one may ask about it."""

from __future__ import annotations

import pytest
from larkspur import SIZES, WIDE, live, press, screen_of, settle, text, words
from textual.pilot import Pilot

from sandbox.director.model import Dealt
from sandbox.readers.places import MapThing
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.map.overlay import THING
from sandbox.tui.sheets.deal_context import deal_at_once
from sandbox.tui.sheets.interview import InterviewScreen
from sandbox.tui.view import log_queries


async def lying(app: SandboxApp, pilot: Pilot[None]) -> MapThing:
    """Live until nine, have something come that lies on the map, and look there."""
    await live(app, "09:00")
    here = app.viewer.things.at(app.viewer.shown)
    assert await deal_at_once(screen_of(app), Dealt(card="lost_glove", to="esme", whom="kit"))
    for _ in range(12):  # it comes as soon as both are free
        await app.viewer.pace.ask_step()
        if app.viewer.things.at(app.viewer.shown) != here:
            break
    (thing,) = app.viewer.things.at(app.viewer.shown)
    assert thing.bare == "glove"
    town = screen_of(app).town
    town.stand(thing.x, thing.y, 0)
    for _ in range(4):  # roofs open in three frames
        town.pull()
        await settle(pilot)
    return thing


async def look(app: SandboxApp, pilot: Pilot[None]) -> None:
    """Put the look cursor on the mark."""
    town = screen_of(app).town
    await press(pilot, "v")
    ((column, row),) = town.over._lying
    town.over.cursor = town.camera.place(column, row)
    town.pull()
    await settle(pilot)


@pytest.mark.slow
@SIZES
async def test_a_thing_has_a_mark_a_name_and_its_event(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        thing = await lying(app, pilot)
        assert any(THING in line for line in text(app))
        await look(app, pilot)
        clock, viewer = app.viewer.world.clock, app.viewer
        assert f"{thing.text}, {viewer.name(thing.who)}'s since {clock.hhmm(thing.t)}" in words(app)
        await press(pilot, "enter")
        sheet = screen_of(app).sheets.topmost
        assert sheet is not None
        assert sheet.kind == "event"
        assert sheet.record.stamp.seq == thing.seq  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_what_lies_there_is_known_from_the_log_alone(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await lying(app, pilot)
        viewer = app.viewer
        read = await log_queries.things(viewer)
        for t in range(0, int(viewer.shown), 600):
            assert read.at(t) == viewer.things.at(t)


@pytest.mark.slow
async def test_a_roof_hides_what_lies_beneath_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        thing = await lying(app, pilot)
        town = screen_of(app).town
        assert town.picture.house_at(thing.x, thing.y)
        app.change("roofs", "closed")
        for _ in range(4):
            town.pull()
            await settle(pilot)
        assert not town.over._lying


@pytest.mark.slow
async def test_from_close_by_it_is_marked_too(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await lying(app, pilot)
        await press(pilot, "plus")
        town = screen_of(app).town
        assert town.closer.on
        assert len(town.over._lying) == 1


@pytest.mark.slow
async def test_who_has_to_do_with_it_may_be_asked_about_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        thing, screen = await lying(app, pilot), screen_of(app)
        before = app.viewer.world.snapshot()
        for who in thing.people:
            screen.go_to_person(who)
            await press(pilot, "i")
            assert f"What about the {thing.bare}?" in words(app)
            await press(pilot, "up", "enter")
            for _ in range(200):
                await pilot.pause(0)
                if screen.interviews.of(who):
                    break
            (asked,) = screen.interviews.of(who)
            assert asked.ask == f"What about the {thing.bare}?"
            others = [app.viewer.name(x) for x in thing.people if x != who]
            assert all(name in asked.answer for name in others)  # what came of it is between them
            await press(pilot, "escape")
        other = next(who for who in app.viewer.world.cast if who not in thing.people)
        screen.go_to_person(other)
        await press(pilot, "i")
        assert isinstance(app.screen, InterviewScreen)
        assert "What about" not in words(app)
        assert app.viewer.world.snapshot() == before
