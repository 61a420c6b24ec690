"""The loop that advances town time behind the screen. It alone makes steps; keys only request them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import TypeVar

from sandbox.engine.drivers import SPEEDS, Paced
from sandbox.store.errors import SaveError
from sandbox.store.player import EndOfSave
from sandbox.tui.view.opening import Session

T = TypeVar("T")
NAP = 0.02  # seconds between two ticks of the loop while time runs
BUDGET = 0.006  # seconds of steps before keys are handled again
LOOK = 0.1  # seconds between two checks whether the last step has ended, on stopping
REPLAY_MAX = 3600.0  # simulated seconds a second: a replay goes no faster than the eye can follow
MAX = len(SPEEDS) - 1
FLYING = ("fast", "max")
CHOOSING = "while you choose"  # a reason why time is paused
UNSEEN = "while there is no room to show it"
USUAL = next(i for i, speed in enumerate(SPEEDS) if speed.name == "normal")


class Pace:
    """Runs a session's time at a chosen speed until `stop`.

    fault: what broke the loop, if anything did; no step follows. goal: what time runs to at full speed, in words that
    follow "▶", or "" (`run_to` sets it, its caller ends it by `arrive`). slowed: why time is slow for now, or "".
    night: the time of day a quiet night is skipped to, or "". clock: wall-clock seconds. stopped_waiting: the current
    step is not to wait for any mind.
    """

    def __init__(self, session: Session, clock: Callable[[], float] = perf_counter) -> None:
        self.session = session
        self._clock = clock
        self.paced = Paced(session.engine, fastest=REPLAY_MAX if session.replaying else 0.0)
        self.fault: Exception | None = None
        self.goal = self.slowed = self.night = ""
        self._asked: deque[asyncio.Future[None]] = deque()
        self._stirred = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ending = False
        self._since: float | None = None  # wall-clock second at which the current step began
        self.stopped_waiting = False
        self._lock = asyncio.Lock()

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
        """The speed in effect: slow, normal, fast or max."""
        return SPEEDS[self.paced.speed if self.paced.held is None else self.paced.held].name

    def stands_for(self, reason: str) -> bool:
        """Whether time is paused for that reason."""
        return self.paced.paused and self.paced.reason == reason

    @property
    def flies(self) -> bool:
        """Whether time passes so fast that only notable rows can be read."""
        return self.running and self.speed in FLYING

    @property
    def waits(self) -> float:
        """Seconds since the current step began, if it is waiting for a mind; else 0."""
        thinking = self.session.thinking
        if thinking is None or not thinking.waiting or self._since is None:
            return 0.0
        return max(0.001, self._clock() - self._since)

    @property
    def stepping(self) -> bool:
        """Whether a requested step is still to be made."""
        return bool(self._asked)

    @property
    def words(self) -> str:
        """What time does and why, as the first words of the status; if paused, also the speed unless normal."""
        if isinstance(self.fault, SaveError):
            return f"■ {self.fault}"
        if self.fault is not None:
            return f"■ stopped by a fault: {type(self.fault).__name__}: {self.fault}"
        if self.night:
            return f"night: to {self.night}"
        if self.paced.paused:
            return f"■ {self.paced.reason}" + (f" ({self.speed})" if self.paced.speed != USUAL else "")
        if self.goal:
            return f"▶ {self.goal}"
        return f"▶ {self.speed}" + (f": {self.slowed}" if self.slowed else "")

    # ---- what others ask for

    def run_to(self, goal: str, steady: bool = False) -> None:
        """Run at full speed until `arrive`, `toggle` or a change of speed. steady: at normal speed instead."""
        if self.fault is None:
            self.goal, self.slowed = goal, ""
            self.paced.held = USUAL if steady else MAX
            self.paced.go()
            self._stirred.set()

    def set_run_speed(self, speed: int) -> None:
        """Change the speed (index into SPEEDS) at which time runs to its goal, if it has one."""
        if self.goal:
            self.paced.held = speed

    def skip(self, until: str) -> None:
        """Run at full speed through a quiet night, until `end_run` or `arrive`. until: a time of day to show."""
        self.night, self.paced.held = until, MAX

    def arrive(self, reason: str) -> None:
        """Pause because the goal is reached, or for another reason that the player must see."""
        self.end_run()
        self.paced.pause(reason)
        self.paced.shown = float(self.paced.engine.world.now)

    def slow(self, why: str) -> None:
        """Slow down until `end_run`. why: the reason to show."""
        self.slowed, self.paced.held = why, 0

    def end_run(self) -> None:
        """End a run to a goal, a slow quarrel or a quiet night: back to the speed the player chose."""
        self.goal = self.slowed = self.night = ""
        self.paced.held = None

    # ---- what keys ask for

    def toggle(self) -> None:
        """Pause or resume."""
        if self.fault is not None:
            return
        self.end_run()
        if self.paced.paused:
            self.paced.go()
        else:
            self.paced.pause()
        self._stirred.set()

    def pause(self) -> None:
        """Pause if time runs."""
        if not self.paced.paused:
            self.toggle()

    def pause_for(self, why: str = CHOOSING) -> None:
        """Pause for a passing reason; unlike `pause` this keeps the goal, and `resume_after` resumes."""
        if self.running:
            self.paced.pause(why)

    def resume_after(self, why: str = CHOOSING) -> None:
        """Resume after `pause_for`, unless time is now paused for another reason."""
        if self.stands_for(why):
            self.paced.go()
            self._stirred.set()

    def faster(self, by: int) -> bool:
        """Change the speed by so many levels (negative: slower); return whether it changed."""
        before = self.paced.speed
        self.end_run()
        self.paced.speed = max(0, min(MAX, before + by))
        self._stirred.set()
        return self.paced.speed != before

    def ask_step(self) -> asyncio.Future[None]:
        """Pause and have the loop make one step; the future is done when it is made or cannot be."""
        if self.fault is None and not self._ending:
            self.end_run()
            self.paced.pause()
        return self.step_once()

    def step_once(self) -> asyncio.Future[None]:
        """Have the loop make one step without pausing or resuming; the future is done when it is made or cannot be."""
        made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.fault is not None or self._ending:
            made.set_result(None)
            return made
        self._asked.append(made)
        self._stirred.set()
        return made

    def stop_waiting(self) -> None:
        """Stop waiting for slow minds, both those asked now and those the current step still asks."""
        self.stopped_waiting = self._since is not None
        if self.session.thinking is not None:
            self.session.thinking.go_on()

    def stop_waiting_again(self) -> None:
        """Repeat `stop_waiting` for requests that the step has made since."""
        if self.stopped_waiting:
            self.stop_waiting()

    # ---- the loop

    async def begin(self) -> None:
        """Make a new world's first step, so that people stand where their day starts.

        With a slow mind the loop makes it instead, so that the screen appears first.
        """
        if self.session.thinking is None:
            await self._found()

    async def _found(self) -> None:
        if self.paced.engine.world.step == 0 and self.fault is None and not self.session.replaying:
            shown = self.paced.shown
            try:
                await self._timed(self.paced.step())
            except Exception as fault:
                self._break(fault)
            self.paced.shown = shown

    async def _timed(self, made: Awaitable[None]) -> None:
        """Await the making of steps, with `_since` set meanwhile."""
        self._since = self._clock()
        try:
            await made
        finally:
            self._since, self.stopped_waiting = None, False

    def start(self) -> None:
        """Begin the loop, in the running event loop."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="pace")

    async def stop(self, patience: float = 5.0) -> None:
        """End the loop between two steps. A step that waits for a mind, or takes longer than `patience` seconds, is
        cancelled; the steps before it are kept.
        """
        self._ending = True
        self._stirred.set()
        if self._task is None:
            return
        while not self._task.done() and patience > 0 and not self.waits:
            await asyncio.wait({self._task}, timeout=LOOK)
            patience -= LOOK
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _run(self) -> None:
        try:
            if self.session.thinking is not None:
                async with self._lock:
                    await self._found()
            while not self._ending and self.fault is None:
                try:
                    await self._once()
                except EndOfSave as end:
                    self.paced.shown = float(self.paced.engine.world.now)
                    self.arrive(str(end))
                    self._answer()
                except SaveError as error:
                    if not self.session.replaying:
                        raise
                    self.arrive(error.what)  # this part of the log cannot be read; the replay can still jump elsewhere
                    self._answer()
        except Exception as fault:  # any fault must reach the screen and the exit code
            self._break(fault)
        finally:
            while self._asked:
                self._answer()

    def _break(self, fault: Exception) -> None:
        self.fault = fault
        self.paced.pause("stopped by a fault")

    def _answer(self) -> None:
        """Complete the oldest request for a step, made or not."""
        if self._asked:
            made = self._asked.popleft()
            if not made.done():
                made.set_result(None)

    async def between(self, deed: Callable[[], Awaitable[T]]) -> T:
        """Do something between two steps, or at once while a step waits for a mind, when the world does not change."""
        if self.waits:
            return await deed()
        async with self._lock:
            return await deed()

    async def _once(self) -> None:
        if self._asked:
            async with self._lock:
                await self._timed(self.paced.step())
            self._answer()
            return
        async with self._lock:
            await self._timed(self.paced.tick(BUDGET))
        if self.paced.paused:
            self._stirred.clear()
            if not self._asked and not self._ending:
                await self._stirred.wait()
        elif self.speed == "max":
            await asyncio.sleep(0.001)
        else:
            await asyncio.sleep(NAP)
