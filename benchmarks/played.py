"""What playing a person costs: the list of what there is to say, and how soon a key has an effect."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.figures import FigureSpec, Reading, key_reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.screen_speed import SIZE, key_wait
from sandbox.cli.town_speed import SEED, WORLD
from sandbox.core.clock import HOUR
from sandbox.engine.drivers import run_free
from sandbox.play.acts import talk_offers
from sandbox.play.model import Play
from sandbox.store.session import open_session
from sandbox.town.ways import tile_at

if TYPE_CHECKING:
    from sandbox.engine.world import World
    from sandbox.tui.panes.layout import TownLayout

ME, NEAR = "kit", "jory"  # the person played, and the one whose sheet is opened
MORNING = 3 * HOUR  # seconds after the start, at which people are up and about
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
KEYS = 100
PATIENCE = 2.0  # seconds to wait for a key's effect


class PlayerTimes(NamedTuple):
    """Wall seconds, sorted. acts: to list what there is to say to each other person, with forecasts; keys: from a key
    to its effect on the screen: a walk begun, a sheet opened or closed.
    """

    acts: list[float]
    keys: list[float]


async def measure_played_group(run: BenchmarkRun) -> list[Reading]:
    """Measure with Kit played."""
    got = await measure_player(run.folder / "played.db")
    acts = f"the slowest of {len(got.acts)}; middle {median(got.acts) * 1e3:.1f} ms"
    return [Reading("played.acts", got.acts[-1], acts), key_reading("played.key", got.keys)]


async def measure_player(save: Path) -> PlayerTimes:
    """Measure a town at half past ten of its first day, in which Kit is played."""
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.app.screen import TownScreen
    from sandbox.tui.view.settings import Settings

    acts, waits = list[float](), list[float]()
    async with open_session(WORLD, seed=SEED, save=save, paced=True) as session:
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
            for n in range(KEYS):
                await asyncio.sleep(0.05)
                key = "d" if n % 3 else _arrow(session.world, n)
                waits.append(await key_wait(app, key, lambda: _seen(stage), PATIENCE))
        await app.viewer.pace.stop()
    return PlayerTimes(sorted(acts), sorted(waits))


def _arrow(w: World, n: int) -> str:
    """An arrow key towards a walkable tile, in turn."""
    x, y = w.map.xy(tile_at(w.town.spots[ME], w.now, w.map.width))
    free = [key for key, (dx, dy) in ARROWS.items() if w.map.walkable[(y + dy) * w.map.width + x + dx]]
    return free[n // 3 % len(free)]


def _seen(stage: TownLayout) -> tuple[object, ...]:
    """What a key changes: whether a sheet is open, and where the played person goes."""
    spot = stage.viewer.world.town.spots[ME]
    return stage.sheets.topmost is None, spot.tile, spot.path


PLAYED_GROUP = FigureGroup(
    "played",
    (
        FigureSpec("played.acts", "ms", "listing what there is to say, with forecasts, the slowest, wall", 20.0),
        FigureSpec("played.key", "ms", "from a key to what it does (a walk, a sheet), 95 of 100 keys, wall", 50.0),
    ),
    measure_played_group,
    "being somebody in a town at half past ten; some seconds",
)
