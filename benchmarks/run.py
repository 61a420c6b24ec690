"""A run of benchmarks: groups of figures, and the saves that several groups use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from benchmarks.figures import FigureSpec, Reading, TargetFigure, hold_to_target
from sandbox.cli.calibration import calibration_time, set_heap_aside
from sandbox.cli.town_speed import DaySpeed, load_measured, measure_day
from sandbox.core.clock import DAY
from sandbox.engine.drivers import run_free
from sandbox.engine.scenario import Scenario
from sandbox.store.session import open_session

WEEK = 7  # days


class BenchmarkRun:
    """A run of benchmarks in an empty folder, whose saves are made once. quick: leave out what takes long. loop: CPU
    seconds of the calibration loop beside the current group.
    """

    def __init__(self, folder: Path, quick: bool = False) -> None:
        self.folder = folder
        self.quick = quick
        self.loop = 1.0
        self._day: DaySpeed | None = None

    async def measure(self, group: FigureGroup) -> list[TargetFigure]:
        """Measure the figures of a group, in the order of its list."""
        set_heap_aside()  # the heap of earlier groups must not slow this one
        self.loop = calibration_time()
        found = {reading.name: reading for reading in await group.measure(self)}
        unlisted = found.keys() - {spec.name for spec in group.figures}
        assert not unlisted, f"{group.name} does not list {unlisted}"
        return [hold_to_target(spec, found[spec.name], self.loop) for spec in group.figures if spec.name in found]

    @cached_property
    def scenario(self) -> Scenario:
        """The town that is measured."""
        return load_measured()

    async def day(self) -> DaySpeed:
        """The cost of a day, which is run once."""
        if self._day is None:
            self._day = await measure_day(self._day_save)
        return self._day

    @property
    def _day_save(self) -> Path:
        return self.folder / "day.db"

    async def saved_day(self) -> Path:
        """The save of that day."""
        await self.day()
        return self._day_save

    async def saved_days(self) -> tuple[Path, int]:
        """A save of a week, or of a day with `quick`, made once; and its number of days."""
        day = await self.saved_day()
        if self.quick:
            return day, 1
        week = self.folder / "week.db"
        if not week.exists():
            async with open_session(day, save=week) as session:
                await run_free(session.engine, until=WEEK * DAY)
        return week, WEEK


class FigureGroup(NamedTuple):
    """Figures that are measured together. about: a remark on all of them. usual: whether it is measured when no groups
    are named.
    """

    name: str
    figures: tuple[FigureSpec, ...]
    measure: Callable[[BenchmarkRun], Awaitable[list[Reading]]]
    about: str = ""
    usual: bool = False


def run_sandbox(*words: str) -> float:
    """Wall seconds of a `sandbox` command. Raises CalledProcessError if it fails; it prints why."""
    began = monotonic()
    subprocess.run([sys.executable, "-m", "sandbox", *words], check=True, stdout=subprocess.DEVNULL)
    return monotonic() - began
