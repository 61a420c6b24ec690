"""Reading a save: its log, and the world as it was at the end of any step.

`SaveReader` is what a view, a story or an experiment needs; `Save` adds writing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sandbox.core.events import EventRow, Record
from sandbox.core.room import pause_gc
from sandbox.store import caches, guard
from sandbox.store.errors import (
    COPY,
    OutOfMemory,
    SaveError,
    explain_errors,
    explain_faults,
    explain_unfitting,
    explain_unreadable,
)
from sandbox.store.facts import Machine, StepRow
from sandbox.store.log_reader import COLUMNS, MANY, SLICE, LogReader
from sandbox.store.schema import from_stored

if TYPE_CHECKING:
    from sandbox.engine.world import World

MEMORY = Path(":memory:")
TOGETHER = 16 << 20  # bytes of a crowd's packed actions read at a time


class SaveReader(LogReader):
    """A save open for reading, which can rebuild its world at any step."""

    _fresh = 0  # bytes of the world's first state, 0 until known

    async def seek(self, step: int | None = None, *, noting: bool = False) -> World:
        """The world at the end of that step (default: the last), from a good snapshot near it if there is one.

        noting: it will be continued, so changes of its feed are noted from the last block of that on. Raises SaveError
        if there is no such step, or an event cannot be read.
        """
        with pause_gc():
            return await self._sought(step, noting)

    async def _sought(self, step: int | None, noting: bool) -> World:
        ends = await self.steps(*((self.last_step,) if step is None else (step, step)))
        if not ends:
            raise SaveError(self.path, f"has no step {step}", f"name one from 0 to {self.last_step}")
        end = ends[-1]
        world, after = await self._nearest(end.step, noting)
        at, count = world.step + 1, len(await self.steps(world.step + 1, end.step))
        if count != end.step - world.step:
            raise SaveError(self.path, f"lacks a step between {world.step} and {end.step}", COPY)
        mend = "`sandbox replay SAVE --verify` tells what differs; branch from an earlier step"
        with explain_faults(self.path, lambda error: f"cannot be read beyond step {at - 1} ({error})", mend):
            many = self.few(world, SLICE)
            while after < end.last_seq:
                upto = min(after + many, end.last_seq)
                rows = await self.rows(after, upto)
                if len(rows) != upto - after or rows[0].step < at or rows[-1].step > end.step:
                    raise ValueError("events are missing or out of order")
                for row in rows:
                    if row.step > end.step:
                        raise ValueError("events are out of order")
                    while at < row.step:
                        world.advance(at)
                        at += 1
                    if not world.now <= row.t < end.t:
                        raise ValueError(f"event {row.seq} is of second {row.t}, which its step does not hold")
                    world.apply(self.machine.decode(row))
                after = upto
                await asyncio.sleep(0)
            for rest in range(at, end.step + 1):
                world.advance(rest)
            if world.now != end.t:
                raise ValueError(f"step {end.step} ends at second {world.now}, not {end.t}")
        return world

    async def past(self, upto: int) -> PastEvents | None:
        """What can read the events up to `upto` later, without awaiting; None if the log is in memory only."""
        if self.path == MEMORY:
            return None
        sql = "SELECT step, t, last_seq, digest FROM steps WHERE last_seq <= ? ORDER BY step DESC LIMIT 1"
        return PastEvents(self.path, self.machine, upto, self._ends(await self._fetch(sql, (upto,)))[0])

    async def _nearest(self, step: int, noting: bool = False) -> tuple[World, int]:
        """A world from the nearest good snapshot at or before the step, or from event 1; and its last event."""
        sql = (
            "SELECT step, last_seq, steps.digest FROM steps JOIN snapshots USING (step) WHERE step <= ?1 AND"
            " (format = ?2 OR step = (SELECT max(step) FROM steps JOIN snapshots USING (step) WHERE step <= ?1))"
            " ORDER BY step DESC LIMIT ?3"
        )
        for at, last_seq, digest in await self._fetch(sql, (step, caches.STATE_FORMAT, caches.TRIES)):
            world = await self.beginning()
            try:
                self._fresh = self._fresh or len(world.snapshot())
                most = caches.max_state_size(self._fresh, last_seq)
                world.restore(await self.state(at, last_seq, digest, most))
                await self._rebuild(world, last_seq, noting)
                if world.step != at:
                    raise caches.BadCache(f"it holds step {world.step}")
                return world, last_seq
            except (MemoryError, OutOfMemory) as error:
                raise OutOfMemory(self.path) from error
            except Exception as error:  # whatever is wrong with it, it is only a cache
                self.warn(f"{self.path}: the snapshot of step {at} is passed over: {error}")
        world = await self.beginning()
        if noting:
            world.note_feed(0)
        return world, 1

    async def _rebuild(self, world: World, upto: int, noting: bool) -> None:
        """Rebuild what snapshots do not hold, from saved blocks and from the events after these up to `upto`. Raises
        ValueError if it does not fit the snapshot.
        """
        why = ""
        if kept := await self.feed_blocks(upto, world.bulk):
            try:
                begin = world.rebuild_from_blocks(kept)
                return await self._rebuild_after(world, begin, upto, noting)
            except (MemoryError, OutOfMemory):
                raise
            except Exception as error:  # whatever is wrong with them, they are only a cache
                why = f"{self.path}: what is kept of its feed is passed over: {error}"
                world.reset_rebuilt()
        await self._rebuild_after(world, 0, upto, noting)
        if why:  # else it is the snapshot that is wrong
            self.warn(why)

    async def _rebuild_after(self, world: World, begin: int, upto: int, noting: bool) -> None:
        if noting:
            world.note_feed(begin)
        many = self.few(world, MANY)
        for after in range(begin, upto, many):
            for record in await self.records(world.rebuild_kinds, after, min(after + many, upto)):
                world.rebuild(record)
            await asyncio.sleep(0)
        world.check_rebuilt()

    @staticmethod
    def few(world: World, usual: int) -> int:
        """How many events to read at a time: fewer if one may hold a crowd's actions, about a byte a user."""
        return max(1, min(usual, TOGETHER // world.bulk)) if world.bulk else usual

    async def beginning(self) -> World:
        """The world as event 1 makes it. Raises SaveError."""
        founding = await self.found()
        with explain_faults(self.path, lambda error: f"holds no world that can be founded ({error})"):
            return self.machine.found(founding)


class PastEvents(NamedTuple):
    """Reads the events of a file up to `upto` on a connection of its own. end: the last step not after that."""

    path: Path
    machine: Machine
    upto: int
    end: StepRow

    def __call__(self, kinds: Collection[str], take: Callable[[Record], None]) -> None:
        """Pass the events of these kinds to `take`, in order. Raises SaveError."""
        db, _ = guard.reading(self.path)
        with closing(db), explain_errors(self.path), explain_unreadable(self.path):
            step, digest = self.end.step, self.end.digest
            if db.execute("SELECT digest FROM steps WHERE step = ?", (step,)).fetchall() != [(digest,)]:
                raise SaveError(self.path, f"is another save by now: its step {step} differs", "open it again")
            sql = f"SELECT {COLUMNS} FROM events WHERE seq <= ? AND kind IN ({','.join('?' * len(kinds))}) ORDER BY seq"
            for row in db.execute(sql, (self.upto, *kinds)):
                record = self.machine.decode(msgspec.convert(from_stored((row,))[0], EventRow))
                with explain_unfitting(self.path):
                    take(record)
