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
from functools import partial
from pathlib import Path

import aiosqlite

from sandbox.core.events import Record, chain_digests, to_row
from sandbox.core.room import check_room
from sandbox.engine.engine import JournalFull
from sandbox.store import caches
from sandbox.store.errors import Displaced, OutOfMemory, SaveError, explain, is_damage
from sandbox.store.facts import PendingStep, StepRow
from sandbox.store.ground import Ground
from sandbox.store.lock import Identity, identity
from sandbox.store.rescue import BEFORE, DAMAGED, OVERWRITTEN, copy_database, is_whole, left_over, rescue, restore_save
from sandbox.store.spans import feed_rows
from sandbox.store.unversioned import NOTED, note

TOGETHER = 0.25  # seconds of steps in one transaction when running free
COMMITS, BYTES = 64, 2 << 20  # after which the log is brought into the file
QUEUE = 512  # steps; whoever writes more waits


class Writer:
    """Appends steps to a save. paced: one transaction a step, else all steps of 250 ms together.

    last: the last step taken. Its attributes change only in `take`. here: the file that is written, and ground: how it
    is watched, None if it lives in memory. remember: makes blocks of memories, if anybody does, from event `told` on;
    retell: makes those of a feed.
    unversioned: the digest of all steps taken that leaves out versions, b"" if it is not known.
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
        self.spoiled = ""  # what has become of the file, in words, when it does not hold what was written here
        self._commits = self._bytes = 0  # since the last checkpoint
        self._least = last.step  # that the file has at least, without the log
        self.remember: caches.Remember | None = None
        self.told = 0
        self.retell: caches.Retell | None = None
        self.unversioned = b""
        self._path, self._db, self._snapped, self._kept = path, db, snapped, last
        self._whole: caches.BaseState | None = None  # the last whole state that is kept
        self._alike = 0  # how many are told by it
        self.queue: deque[PendingStep] = deque()
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
        """Wait while the queue is full. Raises JournalFull or SaveError if an earlier step could not be kept."""
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
            await self._leave()
            self._complain()
        if self._kept.step < target:
            self._complain()

    @property
    def overwritten(self) -> bool:
        """Whether what stands in the file by now is another's."""
        return self.spoiled == OVERWRITTEN

    @property
    def damaged(self) -> bool:
        """Whether the file is this save's still, but damaged."""
        return self.spoiled in (DAMAGED, BEFORE)

    @property
    def displaced(self) -> bool:
        """Whether another file has the save's name by now, or none, or the file has been overwritten or damaged."""
        if self.spoiled:
            return True
        try:
            return self._here is not None and identity(self._path) != self._here
        except OSError:  # its folder may not be looked into for now
            return False

    @property
    def rescued(self) -> bool:
        """Whether all that is kept stands in another file as well."""
        upto = (self.last if self.spoiled else self._kept).step
        return isinstance(self._trouble, Displaced) and self._trouble.upto == upto

    async def _spoiled(self, last: StepRow) -> bool:
        """Whether the file has been overwritten or damaged. last: the last step that is in it. Whoever asks writes
        alone.
        """
        if not self.spoiled and self._ground is not None and await self._ground.overwritten():
            if await asyncio.to_thread(is_whole, self._path, self._least, last):
                await self._ground.renew()
            else:
                self.spoiled = OVERWRITTEN
        return bool(self.spoiled)

    async def _damage(self) -> str:
        """What has become of a file that SQLite finds damaged, in words: somebody may have written to it just now; if
        nobody has, the disk has not kept it, or it was so when it was opened.
        """
        assert self._ground is not None
        if await self._ground.overwritten():
            return OVERWRITTEN
        return DAMAGED if await self._ground.differs() else BEFORE

    async def _look(self) -> None:
        """See whether the file has been overwritten."""
        async with self.alone:
            await self._spoiled(self._kept)

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
        await self._look()
        if self.displaced or isinstance(self._trouble, Displaced):  # it may have been put back
            await self._leave()
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
        """Put the head of the queue on disk; what cannot be kept stays in it, and the trouble is remembered."""
        self._hurry.clear()  # whoever sets it from now on waits for a later batch
        try:
            if not self._closing:  # what is lived already is tried at the end, however little is left
                check_room()
            async with self.alone:
                if not isinstance(self._trouble, Displaced) and not await self._spoiled(self._kept):
                    # else `_leave` may have been before us, and kept it all
                    batch = list(self.queue)[: 1 if self.paced else None]
                    await self._transact(batch)
                    if not await self._spoiled(
                        batch[-1].end if batch else self._kept
                    ):  # what was written over what another wrote is not kept
                        self._done(batch)
                        await self._checkpoint()
            if self.displaced:
                await self._leave()
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError) as error:
            self._trouble = explain(self._path, error)
        except (sqlite3.Error, MemoryError) as error:
            if self._ground is not None and is_damage(error):
                self.spoiled = await self._damage()
                await self._leave()
            else:
                told = explain(self._path, error) if isinstance(error, sqlite3.Error) else OutOfMemory(self._path)
                self._trouble = JournalFull(str(told))
                self._trouble.__cause__ = error
        except Exception as error:
            self._trouble = error
        async with self._changed:
            self._changed.notify_all()

    def _done(self, batch: Sequence[PendingStep]) -> None:
        """These, the first of the queue, are kept."""
        for step in batch:
            self.queue.popleft()
            self._kept = step.end

    async def _leave(self) -> None:
        """Write the whole save elsewhere, with all that waits; the trouble says where. Nothing is taken after that but
        a step that was being made, for which this is done again, as it is if there was no room for all of it.
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
        """Bring the log into the file, now and then. Whoever calls writes alone."""
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
        shots, whole, alike = list[caches.Snapshot](), self._whole, self._alike
        for p in batch:
            if p.state is not None:
                by = whole if whole is not None and whole.step < p.end.step and alike < caches.ALIKE else None
                shot = await asyncio.to_thread(caches.pack_state, *p.end.place, p.state, by)
                alike += 1
                if by is None:
                    worth = caches.LEAST <= len(p.state) <= caches.MOST
                    whole, alike = caches.BaseState(shot.step, shot.digest, p.state) if worth else None, 0
                shots.append(shot)
        blocks = [
            await asyncio.to_thread(caches.pack_block, *p.end.place, *p.memories)
            for p in batch
            if p.memories is not None
        ]
        feeds = await feed_rows(db, batch)
        await db.execute("BEGIN IMMEDIATE")
        try:
            fresh = batch[await self._already(batch) :]
            rows = [row for p in fresh for row in p.rows]
            await db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?)", [p.end for p in fresh])
            await db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            await db.executemany("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", shots)
            for table, made in (("memories", [(block.after, block) for block in blocks]), ("feeds", feeds)):
                for after, block in made:  # of those after that event, none could be taken
                    await db.execute(f"DELETE FROM {table} WHERE seq > ?", (after,))
                    await db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?)", block)
            if batch[-1].unversioned:
                await db.execute(NOTED, note(batch[-1].end.step, batch[-1].unversioned))
            await db.commit()
            self._whole, self._alike = whole, alike
            self._bytes += sum(len(row.data) for row in rows) + sum(shot.size for shot in shots)
        except Exception:
            if db.in_transaction:
                await db.rollback()
            raise

    async def _already(self, batch: Sequence[PendingStep]) -> int:
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
