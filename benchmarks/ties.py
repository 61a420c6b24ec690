"""What the network of ties costs: its measures, reading ties from a log, and drawing it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.calibration import best_time
from sandbox.cli.screen_speed import COLUMNS, ROWS
from sandbox.core.plain import count_of
from sandbox.lab.networks import network_report
from sandbox.people.ties import Matrix, Signals, TieParameters, average_likes, evidence_matrix, update_ties
from sandbox.readers.tielines import KINDS, TieLines
from sandbox.store.save import Save

PEOPLE, KNOWN = 1000, 0.02  # the chance of each pair to be close
ROUNDS = 2  # of which the best counts
PICTURES = 100


class TieTimes(NamedTuple):
    """Wall seconds to read all ties of a log, and to find all ties at one moment; pairs: how many these are."""

    read: float
    at: float
    pairs: int


async def measure_ties_group(run: BenchmarkRun) -> list[Reading]:
    """Measure a thousand people, and the town."""
    report, edges = measure_report()
    path, days = await run.saved_days()
    lines = await measure_tie_lines(path)
    drawn = await measure_graph(path)
    note = f"{PEOPLE:,} people, {edges:,} ties, who all know one another by sight"
    return [
        Reading("ties.round", measure_tie_round(), f"{PEOPLE:,} people, all pairs active"),
        Reading("ties.report", report, note),
        Reading("ties.read", lines.read, f"{count_of(days, 'day')}, 25 people"),
        Reading("ties.at", lines.at, f"{lines.pairs} pairs"),
        Reading("ties.redraw", median(drawn), f"worst {max(drawn) * 1e3:.1f} ms"),
    ]


def crowded_ties() -> Matrix:
    """Ties of a thousand people who all know one another by sight, and forty each well."""
    chance = np.random.Generator(np.random.PCG64(1))
    ties = chance.uniform(0.0, 0.25, (PEOPLE, PEOPLE))
    close = chance.random((PEOPLE, PEOPLE)) < KNOWN
    close |= close.T
    ties[close] = chance.uniform(0.3, 1.0, int(close.sum()))
    np.fill_diagonal(ties, 0.0)
    return ties


def measure_report() -> tuple[float, int]:
    """CPU seconds of a report, and its number of edges."""
    ties = crowded_ties()
    edges = network_report(ties)["edges"]
    return best_time(ROUNDS, lambda: network_report(ties)), int(edges or 0)


def measure_tie_round() -> float:
    """CPU seconds of one round of the rule of ties among a thousand people who all act on each other."""
    chance = np.random.Generator(np.random.PCG64(2))
    shape = (PEOPLE, PEOPLE)
    likes, dislikes, messages = (np.floor(chance.random(shape) * 1.5) for _ in range(3))
    s = Signals(
        likes, dislikes, chance.uniform(-1, 1, shape) * messages, messages, chance.random(shape) < 0.3,
        np.ones(shape, dtype=np.bool_),
    )  # fmt: skip
    ties, liked = chance.random(shape), np.zeros(shape)
    return best_time(
        5 * ROUNDS,
        lambda: update_ties(ties, evidence_matrix(s, average_likes(liked, s.likes)), s.acted, TieParameters()),
    )


async def measure_tie_lines(path: Path) -> TieTimes:
    """Measure reading the ties of a save."""
    async with await Save.open(path, read_only=True) as save:
        world = await save.beginning()
        began = perf_counter()
        lines = TieLines(world)
        async for records in save.slices(KINDS):
            lines.read(records)
        read = perf_counter() - began
    began = perf_counter()
    found = lines.at(save.now)
    return TieTimes(read, perf_counter() - began, len(found))


async def measure_graph(save: Path) -> list[float]:
    """CPU seconds of PICTURES pictures of the graph of ties, each one layout step further."""
    from sandbox.tui.app.app import SandboxApp
    from sandbox.tui.graph import scene
    from sandbox.tui.panes.ties import TiesPane
    from sandbox.tui.view.opening import open_replay

    times = []
    async with open_replay(save) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=(COLUMNS + 2, ROWS)) as pilot:
            await pilot.press("6")
            await pilot.pause()
            pane = app.screen.query_one(TiesPane)
            while pane.measuring:
                await asyncio.sleep(0.01)
            for _ in range(PICTURES):
                easel = pane.easel
                assert easel.force is not None
                began = process_time()
                easel.force = scene.step_layout(easel.force._replace(heat=scene.WARM), easel.pull)
                pane.pull()
                times.append(process_time() - began)
            await app.end()
    return times


TIES_GROUP = FigureGroup(
    "ties",
    (
        FigureSpec("ties.round", "ms", "a round of the rule of ties, 1,000 people, all pairs active", 20.0),
        FigureSpec("ties.report", "s", "measuring the network of 1,000 people who all know one another", 3.0),
        FigureSpec("ties.read", "ms", "reading everybody's ties from a save of seven days, wall", 500.0),
        FigureSpec("ties.at", "ms", "their ties at one moment, wall", 2.0),
        FigureSpec("ties.redraw", "ms", "a picture of the graph, 100x34 cells, 25 people drifting, middle of 100", 8.0),
    ),
    measure_ties_group,
    "the network of ties; some seconds",
)
