"""Measuring what takes long: towns that have been lived in for weeks, what going on with one costs and what grows from
day to day; and an experiment.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, process_time
from typing import NamedTuple

import msgspec

from sandbox.cli.figures_parts import loop
from sandbox.cli.figures_screen import resident_bytes
from sandbox.cli.telling import say_json
from sandbox.core.clock import DAY
from sandbox.core.events import Record
from sandbox.engine.drivers import run_free
from sandbox.engine.loading import find_world, load
from sandbox.engine.scaled_town import multiply_people
from sandbox.store.session import create_save, open_session
from sandbox.talk.model import Exchanged

TALKED = 3  # an exchange of words costs as much as so many other events more
WEEK = 7
TRIES = 3
STEP = 60  # seconds of a step
LIVE = "import sys; from sandbox.cli.figures_long import live; live(*sys.argv[1:])"


class DayCost(msgspec.Struct, frozen=True):
    """A day. cost: CPU seconds, in loops of the calibration; happened: events, those of talk counted as what they cost.

    memory: bytes resident at its end, None where that is not known.
    """

    cost: float
    happened: int
    memory: int | None

    @property
    def each(self) -> float:
        """What an event cost."""
        return self.cost / max(1, self.happened)


class Old(NamedTuple):
    """step: wall seconds of `sandbox run SAVE --steps 1`; beside: CPU seconds of it, a multiple of those after the
    first day. growth: what an event costs in the last week, a multiple of the first. memory: bytes a day, after the
    first.
    """

    step: float
    beside: float
    growth: float
    memory: float | None


def measure_old(world: str, seed: int, path: Path, days: int) -> Old:
    """Live a town in a process of its own, and go on with it in others."""
    lived = _lived(world, seed, 1, path, days)
    first, last = lived[0].memory, lived[-1].memory
    memory = None if first is None or last is None or days < 2 else (last - first) / (days - 1)
    week = min(WEEK, days // 2)
    late = (days - week) // WEEK * WEEK if days > WEEK else days - week  # the same days of the week as the first
    young = path.with_name(f"{path.stem}-young.db")
    _run("saves", "branch", str(path), "--at", str(DAY // STEP), "--out", str(young))
    cost, step = _going_on(path)
    return Old(step, cost / _going_on(young)[0], _each(lived[late : late + week]) / _each(lived[:week]), memory)


def measure_town_crowd(world: str, seed: int, times: int, path: Path, days: int) -> tuple[Sequence[DayCost], float]:
    """The days of a town with so many times the people, and what an event costs on the last beside the first."""
    lived = _lived(world, seed, times, path, days)
    return lived, lived[-1].each / lived[0].each


def measure_lab(folder: Path, seeds: int) -> float:
    """Wall seconds of so many seeds of the first comparison that ships, in two processes, with its report."""
    arms = ["--arm", "drama_on", "--arm", "drama_on_emotion_off"]
    return _run("lab", "run", "sentipolis", *arms, "--seeds", str(seeds), "--jobs", "2", "--out", str(folder))


def _going_on(path: Path) -> tuple[float, float]:
    """CPU and wall seconds of one step more, the least of some."""
    tries = []
    for _ in range(TRIES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = _run("run", str(path), "--steps", "1", "--json")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        tries.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall))
    return min(cpu for cpu, _ in tries), min(wall for _, wall in tries)


def _each(days: Sequence[DayCost]) -> float:
    return sum(day.cost for day in days) / max(1, sum(day.happened for day in days))


def _run(*words: str) -> float:
    """Wall seconds that a command takes."""
    began = monotonic()
    subprocess.run([sys.executable, "-m", "sandbox", *words], check=True, stdout=subprocess.DEVNULL)
    return monotonic() - began


def _lived(world: str, seed: int, times: int, path: Path, days: int) -> list[DayCost]:
    command = [sys.executable, "-c", LIVE, world, str(seed), str(times), str(path), str(days)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return msgspec.json.decode(told, type=list[DayCost])


def live_days(world: str, seed: str, times: str, path: str, days: str) -> None:
    """Live so many days and print them as JSON: what the process of its own does."""
    found = asyncio.run(_live(world, int(seed), int(times), Path(path), int(days)))
    say_json(msgspec.to_builtins(found))


async def _live(world: str, seed: int, times: int, path: Path, days: int) -> list[DayCost]:
    await (await create_save(multiply_people(load(find_world(world), seed=seed, step=STEP), times), path)).close()
    out: list[DayCost] = []
    happened = 0

    def saw(records: Sequence[Record]) -> None:
        nonlocal happened
        happened += len(records) + TALKED * sum(isinstance(r.event, Exchanged) for r in records)

    async with open_session(path) as session:
        session.engine.watchers.append(saw)
        gc.collect()
        gc.freeze()
        for day in range(1, days + 1):
            happened, unit = 0, loop()
            began = process_time()
            await run_free(session.engine, until=day * DAY)
            await session.save.settle()
            out.append(DayCost((process_time() - began) / ((unit + loop()) / 2), happened, resident_bytes(os.getpid())))
    return out
