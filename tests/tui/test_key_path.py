"""Which modules a key enters, from the key to the screen drawn after it: only what it changes is made anew."""

from __future__ import annotations

import sys
from types import FrameType

from larkspur import WIDE, Clock, press, screen_of, settle
from textual.pilot import Pilot

from sandbox.tui.app.app import SandboxApp

MOST = 30  # modules that pausing may enter
MAP = {"sandbox.tui.map.painter", "sandbox.tui.map.picture", "sandbox.tui.map.labels"}


async def drawn(pilot: Pilot[None], app: SandboxApp, clock: Clock) -> None:
    """The map is up to date: roofs have opened, and marks of moods are gone."""
    for _ in range(5):
        clock.now += 60
        screen_of(app).town.pull()
        await settle(pilot)


async def entered(pilot: Pilot[None], app: SandboxApp, key: str) -> set[str]:
    """The modules of the program of which a function is called between a key and the screen drawn after it."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, of: object) -> None:
        if event == "call":
            found.add(str(frame.f_globals.get("__name__", "")))

    sys.setprofile(note)
    try:
        app.simulate_key(key)
        await settle(pilot)
        screen_of(app).town.pull()  # as its own clock asks it to, twelve times a second
        await settle(pilot)
    finally:
        sys.setprofile(None)
    return {name for name in found if name.startswith("sandbox.")}


async def paused(pilot: Pilot[None], app: SandboxApp) -> set[str]:
    """The modules that pausing enters, of a town that runs and whose map shows the moment."""
    await press(pilot, "space")
    assert app.viewer.pace.running
    screen_of(app).town.pull()
    screen_of(app).pulse()
    await settle(pilot)
    found = await entered(pilot, app, "space")
    assert not app.viewer.pace.running
    return found


async def test_a_key_enters_few_modules_but_those_of_what_it_changes(app: SandboxApp, clock: Clock) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await drawn(pilot, app, clock)
        tries = [await paused(pilot, app) for _ in range(8)]  # a roof that opens just then draws the map as well
        least = min(tries, key=len)
        assert {"sandbox.tui.commands.time", "sandbox.tui.view.pace", "sandbox.tui.panes.status"} <= least
        assert len(least) <= MOST, sorted(least)
        assert not least & MAP

        moved = await entered(pilot, app, "right")
        assert moved >= MAP
