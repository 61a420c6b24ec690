"""Writing finished steps to disk: one queue, one task, whole steps only.

A step is encoded and its digest computed the moment it is handed over; writing it comes later, together with its
neighbours when the world runs free. What the disk refuses stays in the queue, in order, until there is room. If the
file is deleted, replaced, overwritten or damaged meanwhile, the whole save is written elsewhere, and no more is taken.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import aiosqlite

from sandbox.core.events import EventRow, chain_digests
from sandbox.core.protocols import JournalFull
from sandbox.core.room import check_room
from sandbox.store import caches
from sandbox.store.errors import Displaced, OutOfMemory, SaveError, explain, is_damage
from sandbox.store.facts import PendingStep, StepRow
from sandbox.store.ground import Ground
from sandbox.store.lock import Identity, identity
from sandbox.store.rescue import (
    BEFORE,
    DAMAGED,
    NOTED,
    OVERWRITTEN,
    copy_database,
    is_whole,
    left_over,
    note,
    rescue,
    restore_save,
)
from sandbox.store.schema import INSERT_EVENT, INSERT_STEP, to_stored
from sandbox.store.spans import feed_rows

TOGETHER = 0.25  # seconds of steps in one transaction when running free
COMMITS, BYTES = 64, 2 << 20  # commits or bytes after which the log is merged into the file
QUEUE = 512  # steps that may wait in memory


class Writer:
    """Appends steps to a save. paced: one transaction for each step, else one for all steps of 250 ms.

    last: the last step taken; it changes only in `take`. here: the identity of the file, ground: what watches it; None
    in memory. remember: makes blocks of memories, if set; they cover events up to `told`; retell: makes those of a
    feed. unversioned: the digest of all steps taken without versions, b"" if unknown.
    """

    def __init__(
        self,
        path: Path,
        db: aiosqlite.Connection,
        last: StepRow,
        snapped: caches.NewestSnapshot,
        here: Identity | None,
        ground: Ground | None,
    ) -> None:
        self.last, self.paced, self._here, self._ground = last, False, here, ground
        self.spoiled = ""  # what happened to the file, in words, if it lacks what was written here
        self._commits = self._bytes = 0  # since the last checkpoint
        self._least = last.step  # the file has at least this step without its log
        self.remember: caches.Remember | None = None
        self.told = 0
        self.retell: caches.Retell | None = None
        self.unversioned = b""
        self._path, self._db, self._snapped, self._kept = path, db, snapped, last
        self._bases: tuple[caches.BaseState, ...] = ()  # states written from which the next may differ
        self.queue: deque[PendingStep] = deque()
        self._trouble: Exception | None = None
        self._changed = asyncio.Condition()
        self._hurry = asyncio.Event()
        self._work = asyncio.Event()
        self._closing = False
        self.alone = asyncio.Lock()  # held by whoever writes to the database
        self._task = asyncio.create_task(self._run(), name=f"save {path.name}")

    def take(self, step: int, t: int, rows: list[EventRow], snapshot: Callable[[], bytes]) -> None:
        """Accept the next step, even while the disk is full. Raises ValueError if this is not the next one."""
        if step != self.last.step + 1 or t < self.last.t:
            raise ValueError(f"step {step} at {t} s cannot follow step {self.last.step} at {self.last.t} s")
        for seq, row in enumerate(rows, self.last.last_seq + 1):
            if row.seq != seq or row.step != step:
                raise ValueError(f"event {row.seq} of step {row.step} stands where event {seq} of step {step} belongs")
        seq = self.last.last_seq + len(rows)
        state = feed = None
        if caches.due(seq, t, self._snapped):
            state = snapshot()
            feed = self.retell() if self.retell is not None else None
            self._snapped = caches.NewestSnapshot(seq, t, len(state))
        memories = None
        if self.remember is not None and seq - self.told >= caches.BLOCK_EVENTS:
            memories = self.remember(t)
            self.told = seq
        digest, *bare = chain_digests((self.last.digest, *([self.unversioned] * bool(self.unversioned))), step, rows)
        self.last, self.unversioned = StepRow(step, t, seq, digest), bare[0] if bare else b""
        self.queue.append(PendingStep(self.last, rows, state, memories, self.unversioned, feed))
        self._work.set()

    async def room(self) -> None:
        """Wait while the queue is full. Raises JournalFull or SaveError if an earlier step could not be written."""
        if not self._trouble and len(self.queue) >= QUEUE:
            self._hurry.set()
            async with self._changed:
                await self._changed.wait_for(lambda: len(self.queue) < QUEUE or self._trouble is not None)
        self._complain()

    async def settle(self) -> None:
        """Return when every step taken so far is on disk. Raises JournalFull or SaveError."""
        target = self.last.step
        if self._kept.step < target and self._trouble is None:
            self._hurry.set()
            async with self._changed:
                await self._changed.wait_for(lambda: self._kept.step >= target or self._trouble is not None)
        await self._look()
        if self.displaced or isinstance(self._trouble, Displaced):
            await self._rescue()
            self._complain()
        if self._kept.step < target:
            self._complain()

    @property
    def overwritten(self) -> bool:
        """Whether another program has put other content into the file."""
        return self.spoiled == OVERWRITTEN

    @property
    def damaged(self) -> bool:
        """Whether the file is still this save's, but damaged."""
        return self.spoiled in (DAMAGED, BEFORE)

    @property
    def displaced(self) -> bool:
        """Whether the file was deleted, replaced, overwritten or damaged."""
        if self.spoiled:
            return True
        try:
            return self._here is not None and identity(self._path) != self._here
        except OSError:  # its folder cannot be read at the moment
            return False

    @property
    def rescued(self) -> bool:
        """Whether all that was written is in another file as well."""
        upto = (self.last if self.spoiled else self._kept).step
        return isinstance(self._trouble, Displaced) and self._trouble.upto == upto

    async def _spoiled(self, last: StepRow) -> bool:
        """Whether the file was overwritten or damaged. last: the last step in it. The caller holds `alone`."""
        if not self.spoiled and self._ground is not None and await self._ground.overwritten():
            if await asyncio.to_thread(is_whole, self._path, self._least, last):
                await self._ground.renew()
            else:
                self.spoiled = OVERWRITTEN
        return bool(self.spoiled)

    async def _damage(self) -> str:
        """What happened to a file that SQLite finds damaged, in words: another program has just written to it, or the
        disk has not kept it, or it was damaged before it was opened.
        """
        assert self._ground is not None
        if await self._ground.overwritten():
            return OVERWRITTEN
        return DAMAGED if await self._ground.differs() else BEFORE

    async def _look(self) -> None:
        """Check whether the file has been overwritten."""
        async with self.alone:
            await self._spoiled(self._kept)

    async def retry(self) -> None:
        """Write what the disk refused, now that there is room. Raises JournalFull if there is none."""
        if isinstance(self._trouble, JournalFull):
            self._trouble = None
            self._work.set()
        await self.settle()

    async def stop(self) -> None:
        """Write everything and end the task. Raises JournalFull or SaveError if something could not be written."""
        self._closing = True
        self._hurry.set()
        self._work.set()
        try:
            await asyncio.wait([self._task])
        finally:
            self._task.cancel()  # it is still running only if we are cancelled ourselves
        if self.queue and (self._trouble is None or isinstance(self._trouble, JournalFull)):
            await self._keep()  # a last try
        await self._look()
        if self.displaced or isinstance(self._trouble, Displaced):  # it may have been put back
            await self._rescue()
            if self.overwritten and isinstance(self._trouble, Displaced) and self._ground and not self._trouble.kept:
                upto = self._kept.step
                self._trouble = await left_over(self._ground, self._trouble, self._path, upto, self.last.step)
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
        """Write the head of the queue; what fails stays in it, and the error is stored in `_trouble`."""
        self._hurry.clear()  # whoever sets it from now on waits for a later batch
        try:
            if not self._closing:  # at the end all steps are tried, however little room is left
                check_room()
            async with self.alone:
                if not isinstance(self._trouble, Displaced) and not await self._spoiled(self._kept):
                    # else `_rescue` may have written it all already
                    batch = list(self.queue)[: 1 if self.paced else None]
                    await self._transact(batch)
                    if not await self._spoiled(
                        batch[-1].end if batch else self._kept
                    ):  # what we wrote over another program's content does not count
                        self._done(batch)
                        await self._checkpoint()
            if self.displaced:
                await self._rescue()
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError) as error:
            self._trouble = explain(self._path, error)
        except (sqlite3.Error, MemoryError) as error:
            if self._ground is not None and is_damage(error):
                self.spoiled = await self._damage()
                await self._rescue()
            else:
                told = explain(self._path, error) if isinstance(error, sqlite3.Error) else OutOfMemory(self._path)
                self._trouble = JournalFull(str(told))
                self._trouble.__cause__ = error
        except Exception as error:
            self._trouble = error
        async with self._changed:
            self._changed.notify_all()

    def _done(self, batch: Sequence[PendingStep]) -> None:
        """Remove these steps, which are written, from the head of the queue."""
        for step in batch:
            self.queue.popleft()
            self._kept = step.end

    async def _rescue(self) -> None:
        """Write the whole save elsewhere, with the waiting steps; `_trouble` says where. After that only a step already
        in the making is taken, and this is called again for it, as it is if there was no room for all.
        """
        async with self.alone:
            if self.rescued and (self.spoiled or not self.queue):
                return
            batch = list(self.queue)
            before = self._trouble if isinstance(self._trouble, Displaced) else None
            if self.spoiled:
                whole = partial(restore_save, self._db, self._ground, batch, self.last)
                self._trouble = await rescue(whole, self._path, before, self.last.step, self.last.step, self.spoiled)
                return
            with suppress(sqlite3.Error, SaveError):  # the file is open still, whatever its name
                await self._transact(batch)
                self._done(batch)
            whole = partial(copy_database, self._db)
            self._trouble = await rescue(whole, self._path, before, self._kept.step, self.last.step)

    async def _checkpoint(self) -> None:
        """Merge the log into the file, now and then. The caller holds `alone`."""
        self._commits += 1
        if self._ground is None or (self._commits < COMMITS and self._bytes < BYTES):
            return
        self._commits = self._bytes = 0
        with suppress(sqlite3.OperationalError):  # no room: it is tried again
            if not await self._ground.checkpoint(self._db):
                self.spoiled = OVERWRITTEN

    async def _transact(self, batch: Sequence[PendingStep]) -> None:
        db = self._db
        if not batch:
            return
        if db.in_transaction:  # one that a cancel cut short
            await db.rollback()
        shots, bases = list[caches.Snapshot](), self._bases
        for p in batch:
            if p.state is not None:
                shot, bases = await asyncio.to_thread(caches.pack_next, *p.end.place, p.state, bases)
                shots.append(shot)
        blocks = [
            await asyncio.to_thread(caches.pack_block, *p.end.place, *p.memories)
            for p in batch
            if p.memories is not None
        ]
        feeds = await feed_rows(db, batch)
        stored = await asyncio.to_thread(lambda: [[*map(to_stored, p.rows)] for p in batch])
        await db.execute("BEGIN IMMEDIATE")
        try:
            done = await self._already(batch)
            fresh, rows = batch[done:], [row for some in stored[done:] for row in some]
            await db.executemany(INSERT_STEP, [p.end for p in fresh])
            await db.executemany(INSERT_EVENT, rows)
            await db.executemany("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", shots)
            for table, made in (("memories", [(block.after, block) for block in blocks]), ("feeds", feeds)):
                for after, block in made:  # blocks after that event were of no use
                    await db.execute(f"DELETE FROM {table} WHERE seq > ?", (after,))
                    await db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?)", block)
            if batch[-1].unversioned:
                await db.execute(NOTED, note(batch[-1].end.step, batch[-1].unversioned))
            await db.commit()
            self._bases = bases
            self._bytes += sum(len(row[7]) for row in rows) + sum(shot.size for shot in shots)
        except Exception:
            if db.in_transaction:
                await db.rollback()
            raise

    async def _already(self, batch: Sequence[PendingStep]) -> int:
        """How many of these steps a commit with a lost answer has written. Raises SaveError for another's steps."""
        found = list(
            await self._db.execute_fetchall("SELECT step, digest FROM steps WHERE step >= ?", (batch[0].end.step,))
        )
        if any(i >= len(batch) or (s, d) != (batch[i].end.step, batch[i].end.digest) for i, (s, d) in enumerate(found)):
            raise SaveError(
                self._path, "is being played by another process, which wrote steps first", "branch from this save"
            )
        return len(found)
