"""What `bench` measures of being somebody: the list of what there is to say, and how soon a key does something."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, NamedTuple

from sandbox.cli.figures_screen import SIZE
from sandbox.core.clock import HOUR
from sandbox.engine.drivers import run_free
from sandbox.play.acts import talk_offers
from sandbox.play.model import Play
from sandbox.store.session import open_session
from sandbox.town.rules import tile_at

if TYPE_CHECKING:
    from sandbox.engine.world import World
    from sandbox.tui.panes.layout import TownLayout

ME, NEAR = "kit", "jory"  # who is played, and of whom the sheet is opened
MORNING = 3 * HOUR  # seconds after the start, at which people are up and about
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
PATIENCE = 2.0  # seconds for a key


class PlayerTimes(NamedTuple):
    """Seconds by the wall, in order of size. acts: what there is to say to each of the others, with how it is likely to
    be taken; keys: from a key to what it does on the screen: a walk begun, a sheet opened and closed.
    """

    acts: list[float]
    keys: list[float]


async def measure_player(world: str, seed: int, save: Path, keys: int) -> PlayerTimes:
    """Of a town at half past ten of its first day, in which Kit is played."""
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.app.screen import TownScreen
    from sandbox.tui.view.settings import Settings

    acts, waits = list[float](), list[float]()
    async with open_session(world, seed=seed, save=save, paced=True) as session:
        await run_free(session.engine, until=MORNING)
        session.engine.do(Play(by=ME))
        await session.engine.step()
        w = session.world
        for other in [who for who in w.cast if who != ME]:
            began = perf_counter()
            talk_offers(w, ME, other)
            acts.append(perf_counter() - began)
        app = SandboxApp(session, Settings())
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            app.viewer.pace.pause()
            stage = app.screen
            assert isinstance(stage, TownScreen)
            stage.choose(NEAR)

            for n in range(keys):
                await asyncio.sleep(0.05)
                before, began = _seen(stage), monotonic()
                app.simulate_key("d" if n % 3 else _arrow(session.world, n))
                while _seen(stage) == before and monotonic() - began < PATIENCE:
                    await asyncio.sleep(0)
                waits.append(monotonic() - began)
        await app.viewer.pace.stop()
    return PlayerTimes(sorted(acts), sorted(waits))


def _arrow(w: World, n: int) -> str:
    """An arrow in whose direction there is a way, another each time."""
    x, y = w.map.xy(tile_at(w.town.spots[ME], w.now, w.map.width))
    free = [key for key, (dx, dy) in ARROWS.items() if w.map.walkable[(y + dy) * w.map.width + x + dx]]
    return free[n // 3 % len(free)]


def _seen(stage: TownLayout) -> tuple[object, ...]:
    """What a key changes: whether a sheet is open, and where whoever is played goes."""
    spot = stage.viewer.world.town.spots[ME]
    return stage.sheets.topmost is None, spot.tile, spot.path
