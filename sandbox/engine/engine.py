"""The engine: one step after another. What drives it (a clock on the wall, or nothing) is in `drivers`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from sandbox.core.chance import Stream
from sandbox.core.events import Event, Record, Stamp
from sandbox.core.protocols import Mind, Question
from sandbox.engine.journal import Journal
from sandbox.engine.opening import open_world
from sandbox.engine.registry import systems
from sandbox.engine.world import World

SLICE = 0.004


class Running:
    """The step that is being made (a `core.protocols.Step`)."""

    def __init__(self, world: World, mind: Mind) -> None:
        self.number = world.step + 1
        self.now = world.now
        self.end = world.now + world.step_seconds
        self.records: list[Record] = []
        self._world = world
        self._mind = mind
        self._slice = perf_counter()

    @property
    def happened(self) -> Sequence[Record]:
        return self.records

    def chance(self, agent: str, purpose: str, n: int = 0) -> Stream:
        return self._world.chance.stream(self.number, agent, purpose, n)

    async def ask(self, questions: Sequence[Question]) -> list[Any]:
        return list(await self._mind.answer(questions, self.number)) if questions else []

    def emit(self, event: Event, *, t: int | None = None, actor: str = "", causes: tuple[int, ...] = ()) -> int:
        world = self._world
        t = self.now if t is None else t
        if not self.now <= t < self.end:
            raise ValueError(
                f"{event.KIND} of {actor or 'the town'} at {t}: outside step {self.number} [{self.now}, {self.end})"
            )
        if t < world.last.get(actor, 0):
            raise ValueError(f"{event.KIND} of {actor} at {t}: before their last event at {world.last[actor]}")
        record = Record(Stamp(world.seq + 1, self.number, t, actor, causes), event)
        world.apply(record)
        self.records.append(record)
        return record.stamp.seq

    async def breathe(self) -> None:
        if perf_counter() - self._slice > SLICE:
            await asyncio.sleep(0)
            self._slice = perf_counter()


class Engine:
    """A world, a mind and a journal. `inputs` are events (with their actor) that the next step begins with."""

    def __init__(self, world: World, mind: Mind, journal: Journal) -> None:
        self.world = world
        self.mind = mind
        self.journal = journal
        self.inputs: list[tuple[Event, str]] = []
        self.watchers: list[Callable[[Sequence[Record]], None]] = []
        self.stepping = False
        self._systems = systems()

    async def step(self) -> Sequence[Record]:
        """Make one step, give it to the journal, and return its records.

        Raises JournalFull if the journal cannot take it; the step then stands in the world and the journal keeps
        it in waiting.
        """
        world = self.world
        running = Running(world, self.mind)
        self.stepping = True
        try:
            if running.number == 1:
                open_world(running, world)
            for event, actor in self.inputs:
                running.emit(event, actor=actor)
            self.inputs.clear()
            for system in self._systems:
                await system(running, world)
            world.advance(running.number)
        finally:
            self.stepping = False
        for watcher in self.watchers:
            watcher(running.records)
        await self.journal.write(world.step, world.now, running.records, world.snapshot)
        return running.records
