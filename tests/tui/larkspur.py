"""Larkspur in memory, to be watched in tests, and what a test does with the screen over it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from diary import Diary, undisturbed
from rich.segment import Segment
from textual.pilot import Pilot

from sandbox.core.events import EventRow, Record, Stamp, to_row
from sandbox.core.protocols import JournalFull
from sandbox.engine.drivers import run_free
from sandbox.engine.engine import Engine
from sandbox.engine.registry import decode
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.minds.budget import Thinking
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.spec import Model
from sandbox.readers.timeline import TimelineRow
from sandbox.store.facts import StepRow
from sandbox.store.session import open_session
from sandbox.store.side_tables import InterviewRow
from sandbox.tui.app.app import OPENING, SandboxApp
from sandbox.tui.app.screen import TownScreen

WIDE, SMALL = (120, 40), (80, 24)


def SIZES(test: Callable[..., Any]) -> Callable[..., Any]:
    """Run a test at both sizes; by default at one of them, as its name has it."""
    both = pytest.mark.parametrize("size", [WIDE, SMALL], ids=["wide", "small"])
    return pytest.mark.sampled(1, slow=0, over="size")(both(test))


class Memory:
    """A journal in lists, to be read back as a save is. full: whether it refuses."""

    path = ":memory:"
    displaced = False
    warnings: Sequence[str] = ()
    machine = SimpleNamespace(decode=decode)

    def __init__(self, founding: Record) -> None:
        self.founding = founding
        self.full = False
        self.lived: list[Record] = []
        self.ends = [StepRow(0, 0, 1, b"")]

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        if self.full:
            raise JournalFull("disk full: saves/larkspur-1.db")
        self.lived += records
        self.ends.append(StepRow(step, t, self.lived[-1].stamp.seq if self.lived else 1, b""))

    async def blocks(self, upto: int) -> AsyncGenerator[bytes]:
        for block in ():
            yield block

    @property
    def last_seq(self) -> int:
        return self.ends[-1].last_seq

    async def seek(self, step: int) -> World:
        world = World.found(self.founding)
        for record in self.lived:
            if record.stamp.step > step:
                break
            while world.step + 1 < record.stamp.step:
                world.advance(world.step + 1)
            world.apply(record)
        while world.step < step:
            world.advance(world.step + 1)
        return world

    async def rows(self, after: int, upto: int) -> list[EventRow]:
        return [to_row(r) for r in self.lived if after < r.stamp.seq <= upto]

    async def records(
        self, kinds: Collection[str], after: int, upto: int, of: Collection[str] | None = None
    ) -> list[Record]:
        found = [r for r in self.lived if after < r.stamp.seq <= upto and r.event.KIND in kinds]
        return [r for r in found if of is None or r.stamp.actor in of]

    async def interviews(self, who: str = "") -> list[InterviewRow]:
        return []

    async def steps(self, first: int, last: int) -> list[StepRow]:
        return self.ends[first : last + 1]

    async def step_at(self, t: float) -> int:
        return next((end.step for end in self.ends if end.t >= t), self.ends[-1].step)

    async def retry(self) -> None:
        if self.full:
            raise JournalFull("disk full: saves/larkspur-1.db")

    async def settle(self) -> None:
        return


class Town:
    """A session of Larkspur in memory."""

    replaying = False
    thinking: Thinking | None = None
    withheld: Mapping[str, Model] = {}
    left: Sequence[str] = ()
    given: tuple[str, ...] = ()

    def __init__(self, scenario: Scenario, path: Path | None = None) -> None:
        founding = Record(Stamp(1, 0, 0, "", ()), Founded(scenario, {}))
        self.world = World.found(founding)
        self.journal = Memory(founding)
        self.engine = Engine(self.world, EmbeddedMind(self.world.chance, scenario.lines), self.journal)
        self.view = View(self.world)
        self.engine.watchers.append(self.view.saw)
        self.path = path

    @property
    def save(self) -> Memory:
        """The log."""
        return self.journal


class Clock:
    """A clock on the wall that moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def saved(diary: Diary, path: Path, until: int) -> Path:
    """A save of so many seconds of the Larkspur of these tests."""

    async def go() -> None:
        async with open_session("larkspur", seed=diary.scenario.seed, save=path) as session:
            await run_free(session.engine, until=until)

    with pytest.MonkeyPatch.context() as patch, undisturbed():
        diary.lend(patch)
        asyncio.run(go())
    return path


async def live(app: SandboxApp, until: str) -> None:
    """Make steps until that time of the first day, and show it."""
    world = app.viewer.world
    with undisturbed(), app.batch_update():  # what is drawn of it meanwhile nobody sees
        while world.clock.hhmm(world.now) < until:
            await app.viewer.pace.ask_step()
            assert app.viewer.pace.fault is None, app.viewer.pace.words


async def settle(pilot: Pilot[None]) -> None:
    """All that was asked for is done, laid out and drawn; unlike `pilot.pause()` without a wait for an idle machine."""
    for _ in range(4):
        await pilot.pause(0)
    await opened(pilot)


async def opened(pilot: Pilot[None]) -> None:
    """No town is being opened any more, and the screen of the last is there."""
    while any(worker.group == OPENING and not worker.is_finished for worker in pilot.app.workers):
        await asyncio.sleep(0.01)
    await pilot.pause(0)


async def until(true: Callable[[], bool]) -> None:
    """Let the program go on until something holds; it may be another thread that sees to it."""
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.002)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys one after the other, and see what each does."""
    for key in keys:
        pilot.app.simulate_key(key)
        await settle(pilot)


def text(app: SandboxApp) -> list[str]:
    """The screen's rows as a terminal would show them."""
    return ["".join(s.text for s in strip) for strip in app.screen._compositor.render_strips()]


def words(app: SandboxApp) -> str:
    """All rows as one text."""
    return " ".join(text(app))


def said(line: Sequence[Segment]) -> str:
    """The text of a line."""
    return "".join(segment.text for segment in line)


def screen_of(app: SandboxApp) -> TownScreen:
    """The town that is shown, whatever lies over it."""
    return next(screen for screen in reversed(app.screen_stack) if isinstance(screen, TownScreen))


def tell(app: SandboxApp, row: TimelineRow) -> None:
    """Put a row into the timeline."""
    app.viewer.chronicle.add([row])


def forget(app: SandboxApp) -> None:
    """No row of the timeline is kept any more; numbers go on."""
    chronicle = app.viewer.chronicle
    kept, chronicle.kept = chronicle.kept, 0
    chronicle.add(())
    chronicle.kept = kept
