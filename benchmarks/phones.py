"""What phones cost: what they and a county's strangers add to a day, and the pane of the feed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from benchmarks.figures import FigureSpec, Reading, key_reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.screen_speed import SIZE, key_wait
from sandbox.cli.town_speed import SEED, WORLD, measure_day
from sandbox.core.clock import HOUR
from sandbox.engine.drivers import SPEEDS, run_free
from sandbox.store.session import open_session

WITHOUT = ("feed.on=false", "feed.crowd=0")
WIDTH = 44  # cells of a card
CARDS, KEYS, UNTIL = 400, 60, 3 * HOUR  # how many are timed, after that second of town time
PATIENCE = 1.0  # seconds to wait for a key's effect


class PhoneCost(NamedTuple):
    """CPU seconds: day, of a day of the town as shipped; without, of one without phones and strangers. Wall seconds:
    card, the median to lay out a card; keys, from a key in the pane to its effect at full speed, sorted.
    """

    day: float
    without: float
    card: float
    keys: list[float]


async def measure_phones_group(run: BenchmarkRun) -> list[Reading]:
    """Measure people with phones among strangers."""
    got = await measure_phones(run.folder)
    return [
        Reading("phones.day", got.day - got.without, f"{got.day:.2f} s with, {got.without:.2f} s without"),
        Reading("phones.card", got.card),
        key_reading("phones.key", got.keys),
    ]


async def measure_phones(folder: Path) -> PhoneCost:
    """The best of two days of each sort, in turn, and a pane being scrolled while the crowd ticks."""
    day, without = [], []
    for n in range(2):
        day.append((await measure_day(folder / f"phones-{n}.db")).cpu)
        without.append((await measure_day(folder / f"none-{n}.db", WITHOUT)).cpu)
    card, keys = await _measure_pane(folder / "phones-pane.db")
    return PhoneCost(min(day), min(without), card, sorted(keys))


async def _measure_pane(save: Path) -> tuple[float, list[float]]:
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.panes.feed import FeedPane
    from sandbox.tui.panes.feed_reader import FeedReader, card_lines
    from sandbox.tui.view.settings import Settings

    waits: list[float] = []
    async with open_session(WORLD, seed=SEED, save=save, paced=True) as session:
        await run_free(session.engine, until=UNTIL)
        app = SandboxApp(session, Settings().with_("quiet_skip", "off"))
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            reader = FeedReader(app.viewer)
            roots = app.viewer.world.feed.roots
            cards = roots.card[: roots.n][-CARDS:].tolist()
            times = []
            for number in (*cards, *cards):  # a first time for strangers' words, which are made when first shown
                began = perf_counter()
                card_lines(reader, number, WIDTH)
                times.append(perf_counter() - began)
            await pilot.press("5")
            pane = app.screen.query_one(FeedPane)
            app.viewer.pace.faster(len(SPEEDS))
            await asyncio.sleep(1.0)
            for n in range(KEYS):
                await asyncio.sleep(0.03)
                waits.append(await key_wait(app, "k" if n % 2 else "j", lambda: pane.chosen, PATIENCE))
        await app.viewer.pace.stop()
    return median(times[len(cards) :]), waits


PHONES_GROUP = FigureGroup(
    "phones",
    (
        FigureSpec("phones.day", "s", "what phones add to a day of Larkspur", 2.0),
        FigureSpec("phones.card", "ms", "making a card of the feed to be shown", 0.2),
        FigureSpec(
            "phones.key",
            "ms",
            "from a key in the feed to its effect while the crowd ticks, 95 of 100 keys, wall",
            50.0,
        ),
    ),
    measure_phones_group,
    "people at their phones among the strangers of a county; twenty seconds",
)
