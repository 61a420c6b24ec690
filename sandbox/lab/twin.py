"""A span of a save lived again without one act of its player: the same seed and the same other acts, and nothing kept.

The embedded mind answers. What chance brings does not hang on how many events there are, so that whatever comes out
otherwise came of the act, or of what that has set going.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from sandbox.core.domain import Command
from sandbox.core.events import Event, Record
from sandbox.engine.engine import Engine
from sandbox.engine.journal import Nowhere
from sandbox.engine.registry import REGISTRY
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.readers.event_diff import MADE, Numbers, content
from sandbox.store.errors import explain_unfitting
from sandbox.store.read import SaveReader

RARELY = 100_000  # new objects between two looks for garbage
GONE = "what it was about is not there without the act"
UNKNOWN = "nothing says which command it was"


class Missed(NamedTuple):
    """An act that could not be done again, and why."""

    record: Record
    why: str


class Twin(NamedTuple):
    """records: all events of the span without the act, in order. missed: acts that could not be repeated."""

    records: list[Record]
    missed: list[Missed]


class _Gone(Exception):
    """A card, a comment or a message that nobody has written here."""


async def live_without(
    save: SaveReader, act: Record, others: Sequence[Record], span: Sequence[Record], until: int
) -> Twin:
    """Live on from the step before that of an act until second `until`, at least; the save is only read.

    others: the acts to repeat, in order, each as soon as its own second has come. span: all events of the save from the
    act's step on. Raises SaveError if the save cannot be read.
    """
    world = await _before(save, act.stamp.step - 1)
    engine = Engine(world, EmbeddedMind(world.chance, world.scenario.lines), Nowhere())
    theirs = Numbers(span)
    with _unhindered():
        return await _lived(engine, [*others], theirs, until)


async def _lived(engine: Engine, waiting: list[Record], theirs: Numbers, until: int) -> Twin:
    world, records, missed = engine.world, list[Record](), list[Missed]()
    while world.now < until:
        asked: dict[int, Record] = {}
        while waiting and waiting[0].stamp.t <= world.now:
            record = waiting.pop(0)
            try:
                command = _command(record, theirs, Numbers(records))
                engine.do(command)
                asked[id(command)] = record
            except _Gone:
                missed.append(Missed(record, GONE))
            except ValueError as error:
                missed.append(Missed(record, str(error)))
        records += await engine.step()
        missed += [Missed(asked[id(command)], why) for command, why in engine.refused if id(command) in asked]
        engine.refused.clear()
    return Twin(records, missed)


@contextmanager
def _unhindered() -> Iterator[None]:
    """A day leaves many objects and hardly any garbage: looking for it as often as usual takes a tenth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(RARELY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


async def _before(save: SaveReader, step: int) -> World:
    """The world at the end of that step, ready to be lived on. Raises SaveError."""
    if step == 0:
        world = await save.beginning()
        world.memories.live = True
        return world
    world = await save.seek(step)
    with explain_unfitting(save.path):
        await world.memories.catch_up(save, world.seq)
    return world


def _command(record: Record, theirs: Numbers, ours: Numbers) -> Command:
    """The command that an act was, about the same things under the numbers they have here. Raises _Gone, ValueError."""
    make = REGISTRY.again.get(type(record.event))
    if make is None:
        raise ValueError(UNKNOWN)
    return make(_renumbered(record.event, theirs, ours), record.stamp)


def _renumbered(e: Event, theirs: Numbers, ours: Numbers) -> Event:
    made = MADE.get(type(e))
    own = (made[0], getattr(e, made[1])) if made is not None else None

    def number(sort: str, old: int) -> int:
        if (sort, old) == own:
            return old  # of what it makes: the platform gives it anew
        found = ours.number(sort, theirs.name(sort, old))
        if found is None:
            raise _Gone
        return found

    changed: Any = msgspec.convert(content(e, number), type(e))
    return e if changed == e else changed
