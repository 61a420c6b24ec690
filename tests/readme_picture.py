"""The README's picture of the screen, one day without a terminal: `python tests/readme_picture.py docs/town.svg`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.commands.app import shot
from sandbox.tui.view.viewer import Viewer

WIDTH, HEIGHT = 120, 40  # cells of the picture
UNTIL = "12:14"  # earliest time of day that it shows


async def readme_picture(until: str = UNTIL) -> str:
    """The screen as SVG: Larkspur on its first day, from `until` ("hh:mm") as soon as somebody speaks in the square."""
    with TemporaryDirectory() as folder:
        async with open_session("larkspur", save=Path(folder, "larkspur-1.db")) as session:
            app = SandboxApp(session)
            pace = app.viewer.pace
            pace.paced.pause()
            async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
                await pilot.pause()
                await pace.stop()
                world = session.world
                while world.clock.hhmm(world.now) < until or not _speaker(app.viewer, world.now):
                    await session.engine.step()
                pace.paced.go()
                pace.paced.shown = float(world.now)
                screen = app.screen
                assert isinstance(screen, TownScreen)
                who = _speaker(app.viewer, world.now)
                screen.choose(who)
                screen.town.look_at(who)
                for _ in range(5):  # roofs open in three frames
                    screen.town.pull()
                    await pilot.pause()
                screen.update()
                await pilot.pause()
                return shot(screen)


def _speaker(viewer: Viewer, t: int) -> str:
    """The id of somebody who is speaking in the square at second t, "" if nobody is."""
    speakers = (turn.who[0] for turn in viewer.floor.at(float(t)))
    return next((who for who in speakers if viewer.view.place(who, t) == "at the square"), "")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(readme_picture()), encoding="utf-8")
