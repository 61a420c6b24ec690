"""Things on the map: a mark where one lies, what the look cursor says of it, what one may ask about it."""

from __future__ import annotations

import pytest
from larkspur import SIZES, WIDE, Clock, Town, live, press, screen_of, settle, text, words
from textual.pilot import Pilot

from sandbox.core.places import shipped
from sandbox.engine.loading import load
from sandbox.engine.scenario import Scenario
from sandbox.stories.things import Thing
from sandbox.tui import reading
from sandbox.tui.app import SandboxApp
from sandbox.tui.leaves.interview import InterviewScreen
from sandbox.tui.panes.over import THING


@pytest.fixture(scope="module")
def other() -> Scenario:
    """A town in which something comes before noon."""
    return load(shipped("worlds") / "larkspur", seed=17)


@pytest.fixture
def sparked(other: Scenario, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> SandboxApp:
    monkeypatch.setattr("sandbox.engine.drivers.perf_counter", clock)
    app = SandboxApp(Town(other), clock=clock)
    app.viewer.pace.paced.pause()
    return app


async def lying(app: SandboxApp, pilot: Pilot[None]) -> Thing:
    """Live until something lies on the map, and look there."""
    await live(app, "11:40")
    (thing,) = app.viewer.things.at(app.viewer.shown)
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
async def test_a_thing_has_a_mark_a_name_and_its_event(sparked: SandboxApp, size: tuple[int, int]) -> None:
    async with sparked.run_test(size=size) as pilot:
        thing = await lying(sparked, pilot)
        assert any(THING in line for line in text(sparked))
        await look(sparked, pilot)
        clock, viewer = sparked.viewer.world.clock, sparked.viewer
        told = f"{thing.text}, {viewer.name(thing.who)}'s since {clock.hhmm(thing.t)}"
        assert told[: size[0] - 40] in words(sparked)  # a narrow row cuts it
        await press(pilot, "enter")
        leaf = screen_of(sparked).sheet.leaf
        assert leaf is not None
        assert leaf.kind == "event"
        assert leaf.record.stamp.seq == thing.seq  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_what_lies_there_is_known_from_the_log_alone(sparked: SandboxApp) -> None:
    async with sparked.run_test(size=WIDE) as pilot:
        await lying(sparked, pilot)
        viewer = sparked.viewer
        read = await reading.things(viewer)
        for t in range(0, int(viewer.shown), 600):
            assert read.at(t) == viewer.things.at(t)


@pytest.mark.slow
async def test_a_roof_hides_what_lies_beneath_it(sparked: SandboxApp) -> None:
    async with sparked.run_test(size=WIDE) as pilot:
        thing = await lying(sparked, pilot)
        town = screen_of(sparked).town
        assert town.picture.house_at(thing.x, thing.y)
        sparked.change("roofs", "closed")
        for _ in range(4):
            town.pull()
            await settle(pilot)
        assert not town.over._lying


@pytest.mark.slow
async def test_from_close_by_it_is_marked_too(sparked: SandboxApp) -> None:
    async with sparked.run_test(size=WIDE) as pilot:
        await lying(sparked, pilot)
        await press(pilot, "plus")
        town = screen_of(sparked).town
        assert town.closer.on
        assert len(town.over._lying) == 1


@pytest.mark.slow
async def test_who_has_to_do_with_it_may_be_asked_about_it(sparked: SandboxApp) -> None:
    async with sparked.run_test(size=WIDE) as pilot:
        thing, screen = await lying(sparked, pilot), screen_of(sparked)
        before = sparked.viewer.world.snapshot()
        for who in thing.people:
            screen.go_to_person(who)
            await press(pilot, "i")
            assert f"What about the {thing.bare}?" in words(sparked)
            await press(pilot, "up", "enter")
            for _ in range(200):
                await pilot.pause(0)
                if screen.interviews.of(who):
                    break
            (asked,) = screen.interviews.of(who)
            assert asked.ask == f"What about the {thing.bare}?"
            others = [sparked.viewer.name(x) for x in thing.people if x != who]
            assert all(name in asked.answer for name in others)  # what came of it is between them
            await press(pilot, "escape")
        other = next(who for who in sparked.viewer.world.cast if who not in thing.people)
        screen.go_to_person(other)
        await press(pilot, "i")
        assert isinstance(sparked.screen, InterviewScreen)
        assert "What about" not in words(sparked)
        assert sparked.viewer.world.snapshot() == before
