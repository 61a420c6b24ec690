"""What drives the engine: a loop as fast as possible, or a wall clock. Both make the same steps in the same order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from sandbox.core.protocols import JournalFull
from sandbox.engine.engine import Engine, Journal
from sandbox.engine.world import World

BREATH = 0.02  # seconds of work before other tasks get a turn


class Speed(NamedTuple):
    """A named speed. rate: simulated seconds per real second; 0 = as fast as possible."""

    name: str
    rate: float


SPEEDS = (Speed("slow", 15.0), Speed("normal", 60.0), Speed("fast", 600.0), Speed("max", 0.0))


class Steps(Protocol):
    """What `Paced` drives: an engine, or anything else that steps a world."""

    @property
    def world(self) -> World: ...

    @property
    def journal(self) -> Journal: ...

    async def step(self) -> Any:
        """Make one step."""
        ...


async def run_free(
    engine: Engine, *, steps: int | None = None, until: int | None = None, on_step: Callable[[], None] | None = None
) -> int:
    """Make `steps` steps, or step until second `until` of the world; return how many were made.

    Raises JournalFull as soon as the journal cannot store a step.
    """
    made = 0
    breath = perf_counter()
    world = engine.world
    while (steps is None or made < steps) and (until is None or world.now < until):
        await engine.step()
        made += 1
        if on_step is not None:
            on_step()
        if perf_counter() - breath > BREATH:
            await asyncio.sleep(0)
            breath = perf_counter()
    return made


class Paced:
    """Drives an engine for a watching player. `shown` is the simulated second on the screen; it follows the world's
    clock. Call `tick` often: it makes the steps that are due, for a few milliseconds at most.

    reason: why time is paused, in words. held: a speed that overrides `speed` for now, or None. full: the journal could
    not store the last step; going on tries again. fastest: simulated seconds per real second at the highest speed, 0 =
    as fast as possible.
    """

    def __init__(self, engine: Steps, speed: int = 1, fastest: float = 0.0) -> None:
        self.engine = engine
        self.speed = speed
        self.held: int | None = None
        self.fastest = fastest
        self.paused = False
        self.reason = ""
        self.shown = float(engine.world.now)
        self._wall = perf_counter()
        self.full = False

    def pause(self, reason: str = "you paused") -> None:
        """Pause time."""
        self.paused, self.reason = True, reason

    def go(self) -> None:
        """Let time run again."""
        self.paused, self.reason = False, ""
        self._wall = perf_counter()

    def wake(self) -> None:
        """Ignore the time since the last tick, in which the program was suspended."""
        self._wall = perf_counter()

    async def step(self) -> None:
        """Make one step at once, whatever the speed, and show its end."""
        await self._make()
        self.shown = float(self.engine.world.now)

    async def _make(self) -> bool:
        try:
            if self.full:  # there may be room on the disk again
                await self.engine.journal.retry()
                self.full = False
            await self.engine.step()
        except JournalFull as full:
            self.full = True
            self.pause(str(full))
            return False
        return True

    async def tick(self, budget: float = 0.012) -> None:
        """Advance `shown` by the wall clock and make the steps needed for it. budget: seconds of work, at most."""
        wall = perf_counter()
        passed, self._wall = min(0.25, wall - self._wall), wall
        if self.paused:
            return
        rate = SPEEDS[self.speed if self.held is None else self.held].rate or self.fastest
        wanted = self.shown + passed * rate if rate else float("inf")
        world = self.engine.world
        while world.now < wanted:
            if not await self._make():
                wanted = float(world.now)
                break
            if self.paused:  # paused by a watcher, who has set `shown`, or by a key while the step waited for a mind
                return
            if perf_counter() - wall > budget:
                break
            await asyncio.sleep(0)
        self.shown = min(wanted, float(world.now))
