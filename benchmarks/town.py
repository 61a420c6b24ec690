"""What a town costs: a day of it, and each person among few and among many."""

from __future__ import annotations

from time import process_time

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from benchmarks.scaled_town import copies
from sandbox.cli.town_speed import unkept_engine
from sandbox.core.clock import HOUR
from sandbox.engine.drivers import run_free
from sandbox.engine.scenario import Scenario

TOWNS = 40  # copies of Larkspur in one: 1,000 people
WINDOW = (8 * HOUR, 10 * HOUR)  # time of day, in seconds, that is timed


async def measure_town_day(run: BenchmarkRun) -> list[Reading]:
    """Measure a day written to a file."""
    day = await run.day()
    return [Reading("day.cpu", day.cpu), Reading("day.wall", day.wall), Reading("day.size", day.size)]


async def measure_heads(run: BenchmarkRun) -> list[Reading]:
    """Measure the cost of a person, and how much it grows among a thousand."""
    small, people = await _window_cost(run.scenario)
    readings = [Reading("head.25", small / people, f"{people} people")]
    if not run.quick:
        large, many = await _window_cost(copies(run.scenario, TOWNS))
        readings.append(Reading("head.1000", large / many, f"{many:,} people"))
        readings.append(Reading("head.factor", large / many / (small / people)))
    return readings


async def _window_cost(scenario: Scenario) -> tuple[float, int]:
    """CPU seconds of the window, with nothing saved, and the number of people."""
    engine = unkept_engine(scenario)
    first = engine.world.clock.midnight(1)
    await run_free(engine, until=first + WINDOW[0])
    began = process_time()
    await run_free(engine, until=first + WINDOW[1])
    return process_time() - began, len(scenario.cast)


DAY_GROUP = FigureGroup(
    "day",
    (
        FigureSpec("day.cpu", "s", "a day of Larkspur, 25 people, steps of a minute, kept in a file", 5.0),
        FigureSpec("day.wall", "s", "the same in real time", 5.0),
        FigureSpec("day.size", "MB", "the size of that file", 6.0),
    ),
    measure_town_day,
    usual=True,
)
HEAD_GROUP = FigureGroup(
    "head",
    (
        FigureSpec("head.25", "ms", "CPU time per person from 08:00 to 10:00, nothing kept"),
        FigureSpec("head.1000", "ms", "the same in 40 towns joined into one"),
        FigureSpec("head.factor", "", "how much more a person costs among 1,000", 1.5),
    ),
    measure_heads,
    usual=True,
)
