"""Living a world without files: a journal that keeps everything in lists, and a day seen minute by minute.

A day costs much to live and little to read: it is kept on disk, where all processes and later runs find it.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import pickle
import sys
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sandbox.core.clock import DAY
from sandbox.core.events import Event, EventRow, Record, Stamp, to_row
from sandbox.core.places import PACKAGE, shipped_folder
from sandbox.core.protocols import Answer, Mind, Question
from sandbox.engine.engine import Engine
from sandbox.engine.registry import decode
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.model import CurrentAct
from sandbox.town.ways import tile_at

SOURCES = ("*.py", "*.yaml", "*.txt")


class Log:
    """A journal in memory; it can be read back as a save can."""

    def __init__(self) -> None:
        self.steps: list[list[Record]] = []

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        self.steps.append(list(records))

    async def retry(self) -> None:
        return

    async def settle(self) -> None:
        return

    async def blocks(self, upto: int) -> AsyncGenerator[bytes]:
        for block in ():
            yield block

    async def records(self, kinds: Collection[str], after: int, upto: int) -> Sequence[Record]:
        return [r for r in self.all() if r.event.KIND in kinds and after < r.stamp.seq <= upto]

    def all(self) -> list[Record]:
        return [r for step in self.steps for r in step]

    def rows(self) -> list[EventRow]:
        return [to_row(r) for r in self.all()]


class Listening:
    """A mind that hears every question put to another, and that one's answer."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.heard: list[tuple[Question, Answer]] = []

    def reads(self, question: Question) -> bool:
        return self.mind.reads(question)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        answers = await self.mind.answer(questions, step, wave)
        self.heard += zip(questions, answers, strict=True)
        return answers


def founding(scenario: Scenario) -> Record:
    return Record(Stamp(1, 0, 0, "", ()), Founded(scenario, {}))


def engine_of(scenario: Scenario, mind: Mind | None = None, world: World | None = None) -> Engine:
    world = world or World.found(founding(scenario))
    return Engine(world, mind or EmbeddedMind(world.chance, scenario.lines), Log())


def log_of(engine: Engine) -> Log:
    assert isinstance(engine.journal, Log)
    return engine.journal


def run(engine: Engine, steps: int, after: Callable[[], None] = lambda: None) -> Engine:
    """Make that many steps."""

    async def go() -> None:
        for _ in range(steps):
            await engine.step()
            after()

    asyncio.run(go())
    return engine


def again(records: Sequence[Record]) -> list[Record]:
    """The records as a save gives them back."""
    return [decode(to_row(r)) for r in records]


def restored(world: World, data: bytes, records: Iterable[Record]) -> World:
    """The world as a save opens it: from a snapshot, and for what no snapshot holds the events before it."""
    world.restore(data)
    for record in records:
        if type(record.event) in world.registry.rebuilders:
            world.rebuild(record)
    world.check_rebuilt()
    return world


class Glance(NamedTuple):
    """A person at the end of a step."""

    t: int
    tile: int
    doing: str
    awake: bool
    walking: bool
    act: CurrentAct | None
    going: CurrentAct | None
    talk: str


class Day(NamedTuple):
    """world: as it stands at the end. records: of each step. snapshots: at each tenth step and the last, by step."""

    scenario: Scenario
    world: World
    steps: list[list[Record]]
    snapshots: dict[int, bytes]
    glances: dict[str, list[Glance]]
    heard: list[tuple[Question, Answer]]

    def all(self) -> list[Record]:
        return [r for step in self.steps for r in step]

    def of(self, *kinds: type[Event]) -> list[Any]:
        """(stamp, event) of these types, in order: at least one, lest a test goes through none."""
        found = [r for r in self.all() if isinstance(r.event, kinds)]
        assert found, kinds
        return found

    def at(self, t: int) -> str:
        return self.world.clock.words(t)


class Seen(NamedTuple):
    """What of a day is kept: all but the world, which its events make again."""

    rows: list[list[EventRow]]
    snapshots: dict[int, bytes]
    glances: dict[str, list[Glance]]
    heard: list[tuple[Question, Answer]]


def a_day(scenario: Scenario, folder: Path | None = None) -> Day:
    """24 hours of it, out of the folder if they have been lived before; its world is made of its events."""
    seen = Seen(*pickle.loads(kept(folder, "day", scenario, lambda: pickle.dumps(tuple(seen_day(scenario))))))
    world = World.found(founding(scenario))
    steps = [[decode(row) for row in rows] for rows in seen.rows]
    for number, records in enumerate(steps, 1):
        for record in records:
            world.apply(record)
        world.advance(number)
    assert world.snapshot() == seen.snapshots[world.step], "the events of the day do not make the world that was lived"
    return Day(scenario, world, steps, *seen[1:])


def seen_day(scenario: Scenario) -> Seen:
    world = World.found(founding(scenario))
    mind = Listening(EmbeddedMind(world.chance, scenario.lines))
    engine = engine_of(scenario, mind, world)
    view = View(world)
    engine.watchers.append(view.saw)
    snapshots: dict[int, bytes] = {}
    glances: dict[str, list[Glance]] = {who: [] for who in world.cast}
    last = DAY // world.step_seconds

    def look() -> None:
        if world.step % 10 == 0 or world.step == last:
            snapshots[world.step] = world.snapshot()
        for who, r in world.people.residents.items():
            spot = world.town.spots[who]
            tile = tile_at(spot, world.now, world.map.width)
            glances[who].append(
                Glance(world.now, tile, view.doing(who), r.awake, bool(spot.path), r.act, r.going, r.talk)
            )

    run(engine, last, look)
    return Seen([[to_row(r) for r in step] for step in log_of(engine).steps], snapshots, glances, mind.heard)


def kept(folder: Path | None, name: str, scenario: Scenario, make: Callable[[], bytes]) -> bytes:
    """What is made of a scenario: out of the folder if there is one, or made and put there. Others wait."""
    if folder is None:  # nobody's to trust: what is read back are objects
        return make()
    path = folder / f"{name}-{fingerprint(scenario)}"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            new = path.with_suffix(".new")
            new.write_bytes(make())
            os.replace(new, path)
    return path.read_bytes()


def fingerprint(scenario: Scenario) -> str:
    """Of all that decides what is lived: the scenario, the code with its data, what lives it, the interpreter."""
    found = hashlib.blake2b(msgspec.json.encode(scenario), digest_size=12)
    found.update(sys.version.encode())
    files = [
        p
        for root in (PACKAGE, shipped_folder("worlds"), shipped_folder("personas"))
        for s in SOURCES
        for p in root.rglob(s)
    ]
    for path in sorted({*files, Path(__file__)}):
        found.update(path.read_bytes())
    return found.hexdigest()
