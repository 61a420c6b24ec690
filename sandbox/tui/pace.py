"""The loop that lets time run behind the screen. It alone makes steps; keys only ask it to."""

from __future__ import annotations

import asyncio
from collections import deque

from sandbox.engine.drivers import SPEEDS, Paced
from sandbox.engine.engine import Engine

NAP = 0.02
BUDGET = 0.006  # seconds of steps before keys are looked at again
MAX = len(SPEEDS) - 1
USUAL = next(i for i, speed in enumerate(SPEEDS) if speed.name == "normal")


class Pace:
    """Runs an engine at a speed until `stop`. fault: what broke the engine, if anything did; no step follows it."""

    def __init__(self, engine: Engine) -> None:
        self.paced = Paced(engine)
        self.fault: Exception | None = None
        self._asked: deque[asyncio.Future[None]] = deque()
        self._stirred = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ending = False

    # ---- what the screen shows

    @property
    def shown(self) -> float:
        """The simulated second on the screen."""
        return self.paced.shown

    @property
    def running(self) -> bool:
        """Whether time passes."""
        return not self.paced.paused

    @property
    def speed(self) -> str:
        """slow, normal, fast or max."""
        return SPEEDS[self.paced.speed].name

    @property
    def words(self) -> str:
        """What time does, and why, as the first words of the status; paused, the speed to come unless it is usual."""
        if self.fault is not None:
            return f"■ stopped by a fault: {type(self.fault).__name__}: {self.fault}"
        if not self.paced.paused:
            return f"▶ {self.speed}"
        return f"■ {self.paced.reason}" + (f" ({self.speed})" if self.paced.speed != USUAL else "")

    # ---- what keys ask for

    def toggle(self) -> None:
        """Pause, or go on."""
        if self.fault is not None:
            return
        if self.paced.paused:
            self.paced.go()
        else:
            self.paced.pause()
        self._stirred.set()

    def faster(self, by: int) -> bool:
        """Change the speed by so many; whether it changed."""
        before = self.paced.speed
        self.paced.speed = max(0, min(MAX, before + by))
        self._stirred.set()
        return self.paced.speed != before

    def ask_step(self) -> asyncio.Future[None]:
        """Pause, and make one step as soon as the loop gets to it; the future is done when it is made."""
        made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.fault is not None or self._ending:
            made.set_result(None)
            return made
        if not self.paced.paused:
            self.paced.pause()
        self._asked.append(made)
        self._stirred.set()
        return made

    # ---- the loop

    async def begin(self) -> None:
        """Make a new world's first step, so that people stand where their day starts."""
        if self.paced.engine.world.step == 0 and self.fault is None:
            try:
                await self.paced.engine.step()
            except Exception as fault:
                self._break(fault)

    def start(self) -> None:
        """Begin the loop, in the running event loop."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="pace")

    async def stop(self, patience: float = 5.0) -> None:
        """End the loop between two steps. A step that does not end within `patience` seconds is broken off."""
        self._ending = True
        self._stirred.set()
        if self._task is None:
            return
        _, late = await asyncio.wait({self._task}, timeout=patience)
        for task in late:
            task.cancel()
            await asyncio.wait({task})

    async def _run(self) -> None:
        try:
            while not self._ending and self.fault is None:
                await self._once()
        except Exception as fault:  # whatever it is, it must reach the screen and the exit code
            self._break(fault)
        finally:
            for made in self._asked:
                if not made.done():
                    made.set_result(None)
            self._asked.clear()

    def _break(self, fault: Exception) -> None:
        self.fault = fault
        self.paced.pause("stopped by a fault")

    async def _once(self) -> None:
        if self._asked:
            await self.paced.step()
            made = self._asked.popleft()
            if not made.done():
                made.set_result(None)
            return
        await self.paced.tick(BUDGET)
        if self.paced.paused:
            self._stirred.clear()
            if not self._asked and not self._ending:
                await self._stirred.wait()
        elif self.paced.speed == MAX:
            await asyncio.sleep(0.001)
        else:
            await asyncio.sleep(NAP)
