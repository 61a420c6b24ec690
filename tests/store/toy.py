"""A world of counters, small enough to reckon by hand, played into a save like the real one."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from sandbox.core.events import Event, EventRow, Record, Stamp
from sandbox.store.facts import Machine
from sandbox.store.save import Save


class Begun(Event, frozen=True):
    KIND: ClassVar[str] = "begun"
    step: int


class Added(Event, frozen=True):
    KIND: ClassVar[str] = "added"
    amount: int
    after: int
    note: str = ""


class Slowed(Event, frozen=True):
    KIND: ClassVar[str] = "slowed"
    step: int


KINDS = {e.KIND: msgspec.json.Decoder(e) for e in (Begun, Added, Slowed)}
FOUNDING = Record(Stamp(1, 0, 0, "", ()), Begun(60))
PEOPLE = ("ada", "bo", "cem")


def decode(row: EventRow) -> Record:
    if row.kind not in KINDS:
        raise ValueError(f"unknown kind {row.kind}")
    causes = msgspec.json.decode(row.causes, type=tuple[int, ...])
    return Record(Stamp(row.seq, row.step, row.t, row.actor, causes), KINDS[row.kind].decode(row.data))


class World:
    """Sums by person; a step is some seconds long and may be slowed from the next step on."""

    def __init__(self) -> None:
        self.step = self.now = 0
        self.seconds = self.later = 60
        self.sums: dict[str, int] = {}

    @classmethod
    def found(cls, founding: Record) -> World:
        world = cls()
        world.seconds = world.later = founding.event.step
        return world

    rebuild_kinds = ()
    bulk = 0

    def check_rebuilt(self) -> None:
        """A snapshot of it holds everything."""

    def apply(self, record: Record) -> None:
        event = record.event
        if isinstance(event, Slowed):
            self.later = event.step
        elif isinstance(event, Added):
            total = self.sums.get(record.stamp.actor, 0) + event.amount
            if total != event.after:
                raise ValueError(f"{total} is not {event.after}")
            self.sums[record.stamp.actor] = total

    def advance(self, step: int) -> None:
        self.step, self.now = step, self.now + self.seconds
        self.seconds = self.later

    def snapshot(self) -> bytes:
        return msgspec.json.encode([self.step, self.now, self.seconds, self.later, self.sums])

    def restore(self, data: bytes) -> None:
        state = msgspec.json.decode(data, type=tuple[int, int, int, int, dict[str, int]])
        self.step, self.now, self.seconds, self.later, self.sums = state


MACHINE = Machine(decode, World.found)


def next_step(world: World, seq: int, events: int = 3, note: str = "") -> list[Record]:
    """Live one step; the records. Every seventh step is silent, every fiftieth changes the step's length."""
    step, start, records = world.step + 1, world.now, []
    for i in range(0 if step % 7 == 0 else events):
        who = PEOPLE[(step + i) % 3]
        amount = (step * 31 + i * 17) % 11 - 5
        event: Event = Added(amount, world.sums.get(who, 0) + amount, note)
        if step % 50 == 0 and i == 0:
            event = Slowed(120 if step % 100 else 60)
        records.append(Record(Stamp(seq + i + 1, step, start + i, who, (seq,) if i else ()), event))
        world.apply(records[-1])
    world.advance(step)
    return records


async def play(save: Save, world: World, steps: int, events: int = 3, note: str = "") -> World:
    """Live so many steps into the save."""
    for _ in range(steps):
        records = next_step(world, save.last_seq, events, note)
        await save.write(world.step, world.now, records, world.snapshot)
    return world


async def make(path, steps: int, events: int = 3, **how) -> World:
    """A finished save; the world at its end."""
    async with await Save.create(path, FOUNDING, {"title": "Toy"}, machine=MACHINE, **how) as save:
        return await play(save, World.found(FOUNDING), steps, events)
