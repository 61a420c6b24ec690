"""What drama costs: lines and decisions, finding incidents in the log, looking up claims, and the save of a week."""

from __future__ import annotations

import gc
from itertools import permutations
from pathlib import Path
from time import process_time

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.calibration import best_time
from sandbox.cli.town_speed import measure_talk
from sandbox.core.clock import DAY
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.claim_handlers import between, knows
from sandbox.readers.incidents import KINDS, Incidents
from sandbox.store.save import Save
from sandbox.store.session import founding


async def measure_drama_group(run: BenchmarkRun) -> list[Reading]:
    """Measure each part by itself."""
    got = await measure_talk(run.scenario, DAY)
    event, events = await measure_incidents(await run.saved_day())
    claim, claims = measure_claims(run.scenario)
    path, days = await run.saved_days()
    size = None if run.quick else path.stat().st_size
    return [
        Reading("talk.line", got.line, f"{got.lines:,} lines"),
        Reading("talk.decision", got.decision, f"{got.decisions:,} decisions"),
        Reading("drama.event", event, f"{events:,} events"),
        Reading("drama.claim", claim, f"{claims:,} claims"),
        Reading("drama.week", size, "left out" if run.quick else f"{days} days"),
    ]


async def measure_incidents(save: Path) -> tuple[float, int]:
    """CPU seconds to find incidents, for each event read; and how many events there were."""
    async with await Save.open(save, read_only=True) as log:
        world = await log.beginning()
        records = await log.records(KINDS, 0, log.last_seq)
    times = []
    for _ in range(3):
        finder = Incidents(world.handbook, world.clock)
        gc.collect()
        began = process_time()
        finder.read(records)
        finder.of(finder.day)
        times.append(process_time() - began)
    return min(times) / max(1, len(records)), len(records)


def measure_claims(scenario: Scenario) -> tuple[float, int]:
    """CPU seconds for an ordered pair of people: to look up the claims between them, and whether one person knows of
    each. And the number of open claims.
    """
    world = World.found(founding(scenario))
    pairs = [*permutations(world.cast, 2)]
    asks = next(iter(world.cast))

    def look() -> None:
        for a, b in pairs:
            for claim in between(world, a, b):
                knows(world, asks, claim)

    return best_time(15, look) / len(pairs), len(world.claims.open)


DRAMA_GROUP = FigureGroup(
    "drama",
    (
        FigureSpec("talk.line", "ms", "a line of the embedded mind, over a day", 0.1),
        FigureSpec("talk.decision", "ms", "a decision: whom to talk to and why, whether to, how to take it", 0.15),
        FigureSpec("drama.event", "ms", "finding incidents, for each event of the log", 0.01),
        FigureSpec("drama.claim", "us", "looking up what is so between two people", 2.0),
        FigureSpec("drama.week", "MB", "a save of a week", 25.0),
    ),
    measure_drama_group,
    usual=True,
)
