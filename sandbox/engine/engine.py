"""The engine makes one step after another. What calls it (a wall clock, or a loop) is in `drivers`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from time import perf_counter
from typing import Any, Protocol

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY
from sandbox.core.domain import Command
from sandbox.core.events import Event, Record, Stamp, check_numbers
from sandbox.core.protocols import Answer, Mind, Question, Step
from sandbox.core.text import clean
from sandbox.engine.briefing import brief
from sandbox.engine.domain import StandIn, StoodIn
from sandbox.engine.world import World
from sandbox.minds.check import Usable
from sandbox.minds.embedded import EmbeddedMind, spec_of
from sandbox.people.model import Block, Chose, Planned, Recalled
from sandbox.people.mood_queries import describe
from sandbox.people.planning import resolve
from sandbox.people.question_mood import Described
from sandbox.town.model import Placed


class Journal(Protocol):
    """Stores whole steps, in order."""

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        """Store a finished step. t: second at which it ends.

        snapshot is called, before this returns, only if the journal wants one at this step. The step is always
        accepted; raises JournalFull if steps wait in memory because they could not be written to disk.
        """
        ...

    async def retry(self) -> None:
        """After JournalFull: try again to write the waiting steps. Raises JournalFull if there is still no room."""
        ...

    async def settle(self) -> None:
        """Return once all steps so far are on disk. Raises JournalFull."""
        ...


class Nowhere:
    """A journal that stores nothing, for measuring the engine alone."""

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        return

    async def retry(self) -> None:
        return

    async def settle(self) -> None:
        return


def open_world(step: Step, w: World) -> None:
    """Place those with an opening, and put to bed those who are asleep; the others start at home."""
    second = w.clock.second_of_day(0)
    taken: set[int] = set()
    for who, persona in w.cast.items():
        opening = w.scenario.opening.get(who)
        if opening is not None:
            area = w.map.areas[resolve(persona, opening.where)]
            free = [t for t in area.tiles if t not in taken] or list(area.tiles)
            tile = step.chance(who, "opening").choice(free)
            taken.add(tile)
            x, y = w.map.xy(tile)
            step.emit(Placed(x, y), actor=who)
        elif not w.people.residents[who].awake:
            x, y = w.map.xy(w.town.spots[who].tile)
            wake = (persona.routine.wake - second) % DAY
            step.emit(Planned(1, (Block(0, wake, "sleep", persona.home, "asleep"),)), actor=who)
            things = [t for t in w.map.areas[persona.home].things if w.town.spots[who].tile in t.spots]
            thing = things[0].address if things else ""
            step.emit(Chose("sleep", "sleep", persona.home, thing, x, y, wake, 1, True), actor=who)


SLICE = 180  # simulated seconds; long steps are made in such slices
FAULT = 200  # letters of the reason why the embedded mind answered
BREATH = 0.004  # seconds of work before the screen gets a turn


class Running:
    """The step being made (a `core.protocols.Step`), slice by slice."""

    def __init__(self, world: World, mind: Mind) -> None:
        self.number = world.step + 1
        self.start, self.stop = world.now, world.now + world.step_seconds
        self.now, self.end = self.start, min(self.start + SLICE, self.stop)
        self.records: list[Record] = []
        self._world = world
        self._mind = mind
        self._slice = 0
        self._waves: dict[type[Question], int] = {}
        self._recalled: dict[str, set[int]] = {}
        self._stood_in: dict[str, list[StandIn]] = {}
        self._breath = perf_counter()

    def next_slice(self) -> bool:
        """Go to the next slice of the step; False if this was the last."""
        if self.end >= self.stop:
            return False
        self._slice += 1
        self.now, self.end = self.end, min(self.end + SLICE, self.stop)
        return True

    @property
    def happened(self) -> Sequence[Record]:
        return self.records

    def chance(self, agent: str, purpose: str, n: int = 0) -> Stream:
        return self._world.chance.stream(self.number, agent, self._name(purpose), n)

    def lots(self, agents: Iterable[str], purpose: str) -> list[float]:
        return self._world.chance.lots(self.number, agents, self._name(purpose))

    def _name(self, purpose: str) -> str:
        return f"{purpose}+{self._slice}" if self._slice else purpose

    async def ask(self, questions: Sequence[Question]) -> list[Any]:
        if not questions:
            return []
        kind = type(questions[0])
        for q in questions:
            if not self.start <= q.now < self.stop:
                raise ValueError(f"{kind.__name__} of {q.who} at {q.now}: outside step {self.number}")
        said = self._world.registry.answers.get(kind)
        given = [said(self._world, q) for q in questions] if said is not None else []
        if not any(x is not None for x in given):
            return await self._answered(questions)
        rest = iter(await self._answered([q for q, x in zip(questions, given, strict=True) if x is None]))
        return [next(rest) if x is None else x for x in given]

    async def _answered(self, questions: Sequence[Question]) -> list[Answer]:
        """The mind's answers to questions of one type."""
        if not questions:
            return []
        kind = type(questions[0])
        wave = self._waves.get(kind, 0)
        self._waves[kind] = wave + 1
        if any(map(self._mind.reads, questions)):
            questions = await self._briefed(questions)
        answers = await self._mind.answer(questions, self.number, wave)
        for q, answer in zip(questions, answers, strict=True):
            if answer.fault:
                self._stood_in.setdefault(q.who, []).append(StandIn(spec_of(q).name, clean(answer.fault, FAULT)))
        return list(answers)

    async def _briefed(self, questions: Sequence[Question]) -> list[Question]:
        """The questions, with a brief for each that a mind reads. The mood in it is described by the mind, too."""
        reads = [self._mind.reads(q) for q in questions]
        world = self._world
        people = dict.fromkeys(q.who for q, read in zip(questions, reads, strict=True) if read)
        times = {who: max(self.now, world.last.get(who, 0)) for who in people}
        feeling = [who for who in people if world.mood_parameters.on]
        moods: list[Described] = await self.ask([describe(world, who, times[who]) for who in feeling])
        said = {who: mood.text for who, mood in zip(feeling, moods, strict=True)}
        out: list[Question] = []
        for q, read in zip(questions, reads, strict=True):
            if read:
                found, ids = brief(world, q, said.get(q.who, ""), times[q.who])
                self.recall(q.who, ids)
                q = msgspec.structs.replace(q, brief=found)
            out.append(q)
        return out

    def emit(self, event: Event, *, t: int | None = None, actor: str = "", causes: tuple[int, ...] = ()) -> int:
        world = self._world
        t = self.now if t is None else t
        if not self.start <= t < self.stop:
            whose = f"{event.KIND} of {actor or 'the town'}"
            raise ValueError(f"{whose} at {t}: outside step {self.number} [{self.start}, {self.stop})")
        for who in (actor, *event.touches()):
            if t < world.last.get(who, 0):
                raise ValueError(f"{event.KIND} of {who} at {t}: before their last event at {world.last[who]}")
        check_numbers(event)
        record = Record(Stamp(world.seq + 1, self.number, t, actor, causes), event)
        world.apply(record)
        self.records.append(record)
        return record.stamp.seq

    def recall(self, who: str, ids: Sequence[int]) -> None:
        self._recalled.setdefault(who, set()).update(ids)

    def settle(self) -> None:
        """The last events of a step: which memories were recalled, and where the embedded mind answered instead."""
        for who in self._world.cast if self._recalled or self._stood_in else ():
            t = max(self.now, self._world.last.get(who, 0))
            if who in self._recalled:
                self.emit(Recalled(tuple(sorted(self._recalled[who]))), t=t, actor=who)
            if who in self._stood_in:
                self.emit(StoodIn(tuple(self._stood_in[who])), t=t, actor=who)

    async def breathe(self) -> None:
        if perf_counter() - self._breath > BREATH:
            await asyncio.sleep(0)
            self._breath = perf_counter()


class EngineBroken(RuntimeError):
    """A step failed halfway: the world can no longer be used. The journal holds every step before it."""


class Engine:
    """A world, a mind and a journal. refused: commands that were impossible once their step began, with the reason."""

    def __init__(self, world: World, mind: Mind, journal: Journal) -> None:
        self.world = world
        self.mind = mind
        self.journal = journal
        self.commands: list[Command] = []
        self.refused: list[tuple[Command, str]] = []
        self.watchers: list[Callable[[Sequence[Record]], None]] = []
        self._systems = world.registry.systems()
        self._half_made = 0

    def _asked(self) -> Mind:
        """The mind, wrapped so that only answers that the world can take come through."""
        return self.mind if isinstance(self.mind, EmbeddedMind) else Usable(self.mind, lambda: self._embedded)

    @cached_property
    def _embedded(self) -> EmbeddedMind:
        return EmbeddedMind(self.world.chance, self.world.scenario.lines)

    async def step(self) -> Sequence[Record]:
        """Make one step, give it to the journal, and return its records.

        Raises JournalFull if the journal cannot write it; the world has then made the step and the journal keeps it in
        memory. Any other error (or cancelling) leaves the world half changed: the next call raises EngineBroken, and
        the save must be opened again.
        """
        world = self.world
        if self._half_made:
            raise EngineBroken(f"step {self._half_made} broke off half made; open the save again")
        running = Running(world, self._asked())
        self._half_made = running.number
        await self._make(running)
        self._half_made = 0
        for watcher in self.watchers:
            watcher(running.records)
        await self.journal.write(world.step, world.now, running.records, world.snapshot)
        return running.records

    def do(self, command: Command) -> None:
        """Do a command at the beginning of the next step. Raises ValueError, with a sentence, if it is impossible.

        While a step is being made this cannot be checked; the command may then end in `refused` when its step begins.
        """
        if not self._half_made:
            self.world.registry.acts(self.world, command)
        self.commands.append(command)

    def _obey(self, running: Running, command: Command) -> None:
        try:
            acts = self.world.registry.acts(self.world, command)
        except ValueError as error:
            self.refused.append((command, str(error)))
            return
        for event, actor, causes in acts:
            running.emit(event, actor=actor, causes=causes)

    async def _make(self, running: Running) -> None:
        world = self.world
        if running.number == 1:
            open_world(running, world)
        while self.commands:
            self._obey(running, self.commands.pop(0))
        while True:
            for system in self._systems:
                await system(running, world)
            if not running.next_slice():
                break
        running.settle()
        world.advance(running.number)
