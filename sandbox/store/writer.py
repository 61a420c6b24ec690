"""Putting finished steps on disk: one queue, one task, whole steps only.

A step is encoded and proved (its digest) the moment it is handed over; keeping it comes later, together with its
neighbours when the world runs free. What the disk refuses stays in the queue, in order, until there is room. When the
file is deleted or replaced meanwhile, all of the save is written elsewhere, and nothing more is taken.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import aiosqlite

from sandbox.core.events import Record
from sandbox.core.log import Row, chains, to_row
from sandbox.engine.journal import JournalFull
from sandbox.store import caches
from sandbox.store.errors import Displaced, OutOfMemory, SaveError, explain
from sandbox.store.facts import StepRow
from sandbox.store.place import Identity, identity
from sandbox.store.rescue import rescue
from sandbox.store.unversioned import note

TOGETHER = 0.25  # seconds of steps in one transaction when running free
NOTED = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
QUEUE = 512  # steps; whoever writes more waits


class Pending(NamedTuple):
    """A step on its way to the disk. state: the world's, if a snapshot is due; memories: a block of them, if one is.
    unversioned: the digest so far that leaves out versions, b"" if it is not known.
    """

    end: StepRow
    rows: list[Row]
    state: bytes | None
    memories: tuple[int, bytes] | None = None
    unversioned: bytes = b""


class Writer:
    """Appends steps to a save. paced: one transaction a step, else all steps of 250 ms together.

    last: the last step taken. Its attributes change only in `take`. here: the file that is written, None if it lives in
    memory. remember: makes blocks of memories, if anybody does, from event `told` on. unversioned: the digest of all
    steps taken that leaves out versions, b"" if it is not known.
    """

    def __init__(
        self, path: Path, db: aiosqlite.Connection, last: StepRow, snapped: caches.Taken, here: Identity | None
    ) -> None:
        self.last, self.paced, self._here = last, False, here
        self.remember: caches.Remember | None = None
        self.told = 0
        self.unversioned = b""
        self._path, self._db, self._snapped, self._kept = path, db, snapped, last.step
        self.queue: deque[Pending] = deque()
        self._trouble: Exception | None = None
        self._changed = asyncio.Condition()
        self._hurry = asyncio.Event()
        self._work = asyncio.Event()
        self._closing = False
        self.alone = asyncio.Lock()  # held by whoever writes to the database
        self._task = asyncio.create_task(self._run(), name=f"save {path.name}")

    def take(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        """Accept the next step, also while the disk is full. Raises ValueError if this is not the next one."""
        if step != self.last.step + 1 or t < self.last.t:
            raise ValueError(f"step {step} at {t} s cannot follow step {self.last.step} at {self.last.t} s")
        for seq, (stamp, _) in enumerate(records, self.last.last_seq + 1):
            if stamp.seq != seq or stamp.step != step:
                raise ValueError(
                    f"event {stamp.seq} of step {stamp.step} stands where event {seq} of step {step} belongs"
                )
        rows = [to_row(record) for record in records]
        seq = self.last.last_seq + len(rows)
        state = None
        if caches.due(seq, t, self._snapped):
            state = snapshot()
            self._snapped = caches.Taken(seq, t, len(state))
        memories = None
        if self.remember is not None and seq - self.told >= caches.BLOCK_EVENTS:
            memories = self.remember(t)
            self.told = seq
        digest, *bare = chains((self.last.digest, *([self.unversioned] * bool(self.unversioned))), step, rows)
        self.last, self.unversioned = StepRow(step, t, seq, digest), bare[0] if bare else b""
        self.queue.append(Pending(self.last, rows, state, memories, self.unversioned))
        self._work.set()

    async def room(self) -> None:
        """Wait while the queue is full. Raises JournalFull or SaveError if an earlier step could not be kept."""
        if not self._trouble and len(self.queue) >= QUEUE:
            self._hurry.set()
            async with self._changed:
                await self._changed.wait_for(lambda: len(self.queue) < QUEUE or self._trouble is not None)
        self._complain()

    async def settle(self) -> None:
        """Return when every step taken so far is on disk. Raises JournalFull or SaveError."""
        target = self.last.step
        if self._kept < target and self._trouble is None:
            self._hurry.set()
            async with self._changed:
                await self._changed.wait_for(lambda: self._kept >= target or self._trouble is not None)
        if self.displaced or isinstance(self._trouble, Displaced):
            await self._leave()
            self._complain()
        if self._kept < target:
            self._complain()

    @property
    def displaced(self) -> bool:
        """Whether another file has the save's name by now, or none."""
        try:
            return self._here is not None and identity(self._path) != self._here
        except OSError:  # its folder may not be looked into for now
            return False

    @property
    def rescued(self) -> bool:
        """Whether all that is kept stands in another file as well."""
        return isinstance(self._trouble, Displaced) and self._trouble.upto == self._kept

    async def retry(self) -> None:
        """Keep what the disk refused, now that there is room. Raises JournalFull if there is not."""
        if isinstance(self._trouble, JournalFull):
            self._trouble = None
            self._work.set()
        await self.settle()

    async def stop(self) -> None:
        """Keep everything and end the task. Raises JournalFull or SaveError if something could not be kept."""
        self._closing = True
        self._hurry.set()
        self._work.set()
        try:
            await asyncio.wait([self._task])
        finally:
            self._task.cancel()  # only if we are cancelled ourselves is it still at work
        if self.queue and (self._trouble is None or isinstance(self._trouble, JournalFull)):
            await self._keep()  # a last try
        if self.displaced or isinstance(self._trouble, Displaced):  # it may have been put back
            await self._leave()
        if self.queue or isinstance(self._trouble, Displaced):
            self._complain()

    def _complain(self) -> None:
        if self._trouble is not None:
            raise self._trouble

    async def _run(self) -> None:
        while True:
            if not self.queue or self._trouble:
                if self._closing:
                    return
                self._work.clear()
                await self._work.wait()
                continue
            if not self.paced and not self._closing:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), TOGETHER)
            await self._keep()

    async def _keep(self) -> None:
        """Put the head of the queue on disk; what cannot be kept stays in it, and the trouble is remembered."""
        self._hurry.clear()  # whoever sets it from now on waits for a later batch
        try:
            async with self.alone:
                if not isinstance(self._trouble, Displaced):  # `_leave` may have been before us, and kept it all
                    batch = list(self.queue)[: 1 if self.paced else None]
                    await self._transact(batch)
                    self._done(batch)
            if self.displaced:
                await self._leave()
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError) as error:
            self._trouble = explain(self._path, error)
        except (sqlite3.Error, MemoryError) as error:
            told = explain(self._path, error) if isinstance(error, sqlite3.Error) else OutOfMemory(self._path)
            self._trouble = JournalFull(str(told))
            self._trouble.__cause__ = error
        except Exception as error:
            self._trouble = error
        async with self._changed:
            self._changed.notify_all()

    def _done(self, batch: Sequence[Pending]) -> None:
        """These, the first of the queue, are kept."""
        for step in batch:
            self.queue.popleft()
            self._kept = step.end.step

    async def _leave(self) -> None:
        """Write the whole save elsewhere, with all that waits; the trouble says where. Nothing is taken after that but
        a step that was being made, for which this is done again, as it is if there was no room for all of it.
        """
        async with self.alone:
            if self.rescued and not self.queue:
                return
            batch = list(self.queue)
            with suppress(sqlite3.Error, SaveError):  # the file is open still, whatever its name
                await self._transact(batch)
                self._done(batch)
            before = self._trouble if isinstance(self._trouble, Displaced) else None
            self._trouble = await rescue(self._db, self._path, before, self._kept, self.last.step)

    async def _transact(self, batch: Sequence[Pending]) -> None:
        db = self._db
        if not batch:
            return
        if db.in_transaction:  # one that a cancel cut short
            await db.rollback()
        shots = [
            await asyncio.to_thread(caches.pack_state, *_place(p.end), p.state) for p in batch if p.state is not None
        ]
        blocks = [
            await asyncio.to_thread(caches.pack_block, *_place(p.end), *p.memories)
            for p in batch
            if p.memories is not None
        ]
        await db.execute("BEGIN IMMEDIATE")
        try:
            fresh = batch[await self._already(batch) :]
            rows = [row for p in fresh for row in p.rows]
            await db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?)", [p.end for p in fresh])
            await db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            await db.executemany("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", shots)
            for block in blocks:  # of those after the one it goes on from, none could be taken
                await db.execute("DELETE FROM memories WHERE seq > ?", (block.after,))
            await db.executemany("INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?, ?, ?, ?)", blocks)
            if batch[-1].unversioned:
                await db.execute(NOTED, note(batch[-1].end.step, batch[-1].unversioned))
            await db.commit()
        except Exception:
            if db.in_transaction:
                await db.rollback()
            raise

    async def _already(self, batch: Sequence[Pending]) -> int:
        """How many of these steps are on disk: after a commit whose answer was lost. Raises SaveError for another's."""
        found = list(
            await self._db.execute_fetchall("SELECT step, digest FROM steps WHERE step >= ?", (batch[0].end.step,))
        )
        if any(i >= len(batch) or (s, d) != (batch[i].end.step, batch[i].end.digest) for i, (s, d) in enumerate(found)):
            raise SaveError(
                self._path,
                "is being played by another process, which wrote steps first",
                "branch from this save",
            )
        return len(found)


def _place(end: StepRow) -> tuple[int, int, bytes]:
    return end.step, end.last_seq, end.digest
