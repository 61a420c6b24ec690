"""What `bench` measures of phones: what they and the strangers of a county add to a day, and the pane of the feed."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, process_time
from typing import NamedTuple

from sandbox.cli.figures_screen import SIZE
from sandbox.core.clock import DAY, HOUR
from sandbox.engine.drivers import SPEEDS, run_free
from sandbox.store.session import open_session

SEED = 42
WITHOUT = ("feed.on=false", "feed.crowd=0")
WIDTH = 44  # cells of a card
CARDS, KEYS, UNTIL = 400, 60, 3 * HOUR
PATIENCE = 1.0  # seconds for a key


class Phoned(NamedTuple):
    """Seconds of CPU: day, without: a day of the town as it ships, and without phones and strangers; card: a card made
    to be shown, the middle. keys: seconds from a key in the pane to its effect at full speed, in order of size.
    """

    day: float
    without: float
    card: float
    keys: list[float]


async def _lived(world: str, path: Path, *settings: str) -> float:
    async with open_session(world, seed=SEED, step=60, save=path, set=settings) as session:
        began = process_time()
        await run_free(session.engine, until=DAY)
        await session.save.settle()
        return process_time() - began


async def measure_phones(world: str, folder: Path) -> Phoned:
    """The best of two days of each sort, in turn, and a pane in which one scrolls while the crowd ticks."""
    day, without = [], []
    for n in range(2):
        day.append(await _lived(world, folder / f"phones-{n}.db"))
        without.append(await _lived(world, folder / f"none-{n}.db", *WITHOUT))
    card, keys = await _pane(world, folder / "phones-pane.db")
    return Phoned(min(day), min(without), card, sorted(keys))


async def _pane(world: str, save: Path) -> tuple[float, list[float]]:
    import asyncio

    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.panes.feed import FeedPane
    from sandbox.tui.panes.feed_card import card_lines
    from sandbox.tui.panes.feed_reader import FeedReader
    from sandbox.tui.view.settings import Settings

    waits: list[float] = []
    async with open_session(world, seed=SEED, save=save, paced=True) as session:
        await run_free(session.engine, until=UNTIL)
        app = SandboxApp(session, Settings().with_("quiet_skip", "off"))
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            reader = FeedReader(app.viewer)
            roots = app.viewer.world.feed.roots
            cards = roots.card[: roots.n][-CARDS:].tolist()
            times = []
            for number in (*cards, *cards):  # strangers' words are made when first looked at
                began = perf_counter()
                card_lines(reader, number, WIDTH)
                times.append(perf_counter() - began)
            await pilot.press("5")
            pane = app.screen.query_one(FeedPane)
            app.viewer.pace.faster(len(SPEEDS))
            await asyncio.sleep(1.0)
            for n in range(KEYS):
                await asyncio.sleep(0.03)
                before, began = pane.chosen, monotonic()
                app.simulate_key("k" if n % 2 else "j")
                while pane.chosen == before and monotonic() - began < PATIENCE:
                    await asyncio.sleep(0)
                waits.append(monotonic() - began)
        await app.viewer.pace.stop()
    return median(times[len(cards) :]), waits
