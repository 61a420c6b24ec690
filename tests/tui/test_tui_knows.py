"""Who knows this, and from whom: asked on the sheet of an event or a talk, answered as a tree that leads on."""

from __future__ import annotations

import pytest
from larkspur import SIZES, Town, live, press, said, screen_of, settle
from textual.pilot import Pilot

from sandbox.readers.beliefs import known_facts
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.sheets.event import EventSheet, open_event
from sandbox.tui.sheets.talk import TalkSheet
from sandbox.tui.sheets.why import ASKS, KnowsSheet

WIDTH = 70


async def read(pilot: Pilot[None]) -> None:
    """Let a sheet read what it tells."""
    for _ in range(4):
        await pilot.pause(0.02)
        await settle(pilot)


def whole(sheet: KnowsSheet | EventSheet) -> str:
    return "\n".join("".join(said(line)) for entry in sheet.entries(WIDTH) for line in entry.lines)


@pytest.mark.slow
@SIZES
async def test_an_event_of_a_matter_is_asked_who_knows_and_each_branch_leads_to_an_event(
    app: SandboxApp, size: Town
) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "10:00")
        screen, viewer = screen_of(app), app.viewer
        world = viewer.world
        matter = max(
            world.pressures.open, key=lambda id: sum(len(k.knowers) for k in known_facts(world, id, world.now))
        )
        await open_event(screen, world.pressures.open[matter].seq)
        await read(pilot)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, EventSheet)
        asked = next(e for e in sheet.entries(WIDTH) if e.key == ("knows", matter))
        assert ASKS in said(asked.lines[0])
        await asked.enter()
        await read(pilot)
        tree = screen.sheets.topmost
        assert isinstance(tree, KnowsSheet)
        found = [k for one in known_facts(world, matter, int(viewer.shown)) for k in one.knowers]
        assert found
        text = whole(tree)
        assert all(viewer.name(k.who) in text for k in found)
        branches = [e for e in tree.entries(WIDTH) if e.does]
        assert len(branches) == len(found)
        await branches[-1].enter()
        await read(pilot)
        assert isinstance(screen.sheets.topmost, (EventSheet, TalkSheet))
        await press(pilot, "escape")
        assert isinstance(screen.sheets.topmost, KnowsSheet)


async def test_what_nobody_knows_says_so(app: SandboxApp) -> None:
    async with app.run_test() as pilot:
        await live(app, "07:35")
        screen = screen_of(app)
        screen.open_sheet(KnowsSheet(screen, "forgotten"))
        await read(pilot)
        assert isinstance(screen.sheets.topmost, KnowsSheet)
        assert "nobody else knows" in screen.sheets.topmost.plain()
