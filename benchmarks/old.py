"""What grows with age: towns that have run for weeks, the cost of continuing one, and a town of many people."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

import msgspec

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup, run_sandbox
from benchmarks.scaled_town import multiply_people
from sandbox.cli.calibration import calibration_time, set_heap_aside
from sandbox.cli.screen_speed import call_command, resident_bytes
from sandbox.cli.telling import say_json
from sandbox.cli.town_speed import STEP, load_measured
from sandbox.core.clock import DAY
from sandbox.core.events import Record
from sandbox.engine.drivers import run_free
from sandbox.store.session import create_save, open_session
from sandbox.talk.model import Exchanged

TALKED = 3  # other events that an exchange of words costs as much as, beyond itself
WEEK, MONTH = 7, 30  # days
CROWD, CROWD_DAYS = 4, 6  # times as many people, and days to run
TRIES = 3  # of which the least counts


class DayCost(msgspec.Struct, frozen=True):
    """A day. cost: CPU seconds, divided by those of the calibration loop; happened: events, those of talk counted by
    what they cost.

    memory: bytes resident at its end, None if unknown.
    """

    cost: float
    happened: int
    memory: int | None

    @property
    def each(self) -> float:
        """The cost of an event, in calibration loops."""
        return self.cost / max(1, self.happened)


class AgeCost(NamedTuple):
    """step: wall seconds of `sandbox run SAVE --steps 1`; beside: its CPU seconds, divided by those after the first
    day. growth: the cost of an event in the last week, divided by that in the first. memory: bytes added a day, after
    the first.
    """

    step: float
    beside: float
    growth: float
    memory: float | None


async def measure_old_group(run: BenchmarkRun) -> list[Reading]:
    """Measure a town of many days, and one of many people."""
    days, short = (WEEK, 2) if run.quick else (MONTH, CROWD_DAYS)
    got = measure_age(run.folder / "old.db", days)
    lived, growth = measure_crowded_town(run.folder / "crowd.db", short)
    note = f"{days} days"
    costs = ", ".join(f"{day.cost * run.loop:.0f} s" for day in lived)
    return [
        Reading("old.step", got.step, note),
        Reading("old.beside", got.beside, note),
        Reading("old.day", got.growth, note),
        Reading("old.memory", got.memory, note),
        Reading("old.crowd", growth, f"{short} days: {costs}"),
    ]


def measure_age(path: Path, days: int) -> AgeCost:
    """Run a town in its own process, and continue it in others."""
    lived = _lived(1, path, days)
    first, last = lived[0].memory, lived[-1].memory
    memory = None if first is None or last is None or days < 2 else (last - first) / (days - 1)
    week = min(WEEK, days // 2)
    late = (days - week) // WEEK * WEEK if days > WEEK else days - week  # the same days of the week as the first
    young = path.with_name(f"{path.stem}-young.db")
    run_sandbox("saves", "branch", str(path), "--at", str(DAY // STEP), "--out", str(young))
    cost, step = _going_on(path)
    return AgeCost(step, cost / _going_on(young)[0], _each(lived[late : late + week]) / _each(lived[:week]), memory)


def measure_crowded_town(path: Path, days: int) -> tuple[Sequence[DayCost], float]:
    """Days of a town with CROWD times the people, and an event's cost on the last over that on the first."""
    lived = _lived(CROWD, path, days)
    return lived, lived[-1].each / lived[0].each


def _going_on(path: Path) -> tuple[float, float]:
    """CPU and wall seconds of one more step, the least of TRIES."""
    import resource

    tries = []
    for _ in range(TRIES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = run_sandbox("run", str(path), "--steps", "1", "--json")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        tries.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall))
    return min(cpu for cpu, _ in tries), min(wall for _, wall in tries)


def _each(days: Sequence[DayCost]) -> float:
    return sum(day.cost for day in days) / max(1, sum(day.happened for day in days))


def _lived(times: int, path: Path, days: int) -> list[DayCost]:
    """Days of a town with so many times the people, run in its own process."""
    command = call_command(live_days, str(times), str(path), str(days))
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return msgspec.json.decode(told, type=list[DayCost])


def live_days(times: str, path: str, days: str) -> None:
    """The work of that process: run so many days, and print them as JSON."""
    say_json(msgspec.to_builtins(asyncio.run(_live(int(times), Path(path), int(days)))))


async def _live(times: int, path: Path, days: int) -> list[DayCost]:
    await (await create_save(multiply_people(load_measured(), times), path)).close()
    out = list[DayCost]()
    happened = 0

    def saw(records: Sequence[Record]) -> None:
        nonlocal happened
        happened += len(records) + TALKED * sum(isinstance(r.event, Exchanged) for r in records)

    async with open_session(path) as session:
        session.engine.watchers.append(saw)
        set_heap_aside()
        for day in range(1, days + 1):
            happened, unit = 0, calibration_time()
            began = process_time()
            await run_free(session.engine, until=day * DAY)
            await session.save.settle()
            spent = process_time() - began
            unit = (unit + calibration_time()) / 2
            out.append(DayCost(spent / unit, happened, resident_bytes(os.getpid())))
    return out


OLD_GROUP = FigureGroup(
    "old",
    (
        FigureSpec("old.step", "s", "from the command until that town has run one more step, wall", 1.5),
        FigureSpec("old.beside", "", "CPU of that, divided by the same after its first day", 1.2),
        FigureSpec("old.day", "", "what an event costs in its last week, divided by its first", 1.05),
        FigureSpec("old.memory", "MB/day", "resident memory that each day adds", 2.0),
        FigureSpec("old.crowd", "", "what an event of the hundred costs on the last day, divided by the first", 1.15),
    ),
    measure_old_group,
    "a town of thirty days, and one of a hundred people, six days; five minutes",
)
