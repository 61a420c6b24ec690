"""A save lived again from its log, step by step: no systems, no minds, only events applied in order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.store.errors import COPY, SaveError, amiss
from sandbox.store.read import Reader

FIRST, GROUP = 4, 250  # steps read at first, for a jump wants one, and then at a time


class Lived(NamedTuple):
    """A step lived again: the world as it stands at its end, and the step's events."""

    world: World
    records: list[Record]


async def relive(save: Reader, upto: int | None = None, world: World | None = None) -> AsyncIterator[Lived]:
    """Live a save from event 1 to that step (default: the last) and stop at the end of each step, from step 0.

    world: where to go on from, a world of this save at the end of some step (`seek`); then that step is not given
    again. The world given is one and the same, moved on. Memories are left to whoever asks for them. Digests are not
    compared (`store.verify` does). Raises SaveError for an event that is missing or cannot be read.
    """
    if world is None:
        founding = await save.found()
        world, seq = await save.beginning(), founding.stamp.seq
        yield Lived(world, [founding])
    else:
        seq = world.seq
    last = save.last_step if upto is None else upto
    decode, apply = save.machine.decode, world.apply
    for first, upto in _groups(world.step + 1, last):
        ends = await save.steps(first, upto)
        if not ends:
            break
        rows = await save.unchecked(seq, ends[-1].last_seq)
        at = 0
        for end in ends:
            count = end.last_seq - seq
            try:
                records = [decode(row) for row in rows[at : at + count]]
                if end.step != world.step + 1 or len(records) != count:
                    raise ValueError("rows are missing")
                now, until, number = world.now, end.t, end.step
                for record in records:
                    _, step, t, _, _ = record[0]
                    if step != number or not now <= t < until:
                        raise ValueError(f"event {record.stamp.seq} is of step {step} and second {t}")
                    apply(record)
            except Exception as error:
                raise amiss(save.path, error, f"cannot be read beyond step {world.step} ({error})") from error
            world.advance(end.step)
            if world.now != end.t:
                raise SaveError(save.path, f"ends step {end.step} at second {end.t}, not {world.now}", COPY)
            at, seq = at + count, end.last_seq
            yield Lived(world, records)
    if world.step != last:
        raise SaveError(save.path, f"has no step {world.step + 1}", COPY)


def _groups(first: int, last: int) -> Iterator[tuple[int, int]]:
    """The steps from first to last in runs, a short one to begin with: (first, last) of each."""
    count = FIRST
    while first <= last:
        yield first, min(first + count - 1, last)
        first, count = first + count, GROUP
