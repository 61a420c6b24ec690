"""A save: the file a world is played into, continued, watched and replayed from.

`Save` is both the engine's journal and a `SaveReader`. Use it as an async context manager: a connection left open keeps
its thread, and with it the program, alive.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import aiosqlite
import msgspec

from sandbox.core.events import ZERO, EventRow, Record, chain_digest, check_numbers, to_row, without_versions
from sandbox.store import caches, guard, rescue
from sandbox.store.caches import Remember, Retell
from sandbox.store.errors import COPY, SaveError, explain, explain_errors
from sandbox.store.facts import Machine, StepRow
from sandbox.store.files import new_meta, path_of_save, publish_save
from sandbox.store.ground import Ground
from sandbox.store.lock import Identity, WriteLock, identity, wal
from sandbox.store.read import MEMORY, SaveReader
from sandbox.store.schema import INSERT_EVENT, INSERT_FOUNDING, INSERT_STEP, to_stored
from sandbox.store.side_tables import CallRows, InterviewRow, VectorRows
from sandbox.store.verify import Progress, SaveVerdict, verify
from sandbox.store.writer import Writer

if TYPE_CHECKING:
    from sandbox.engine.world import World

APART = "keep the two together until it is played again, which makes them one"
FOREIGN = "move that log away before anything of that name is opened, whose log it is not"


class Save(SaveReader):
    """One save. Made by `create` or `open`; implements `engine.journal.Journal` unless it is open for reading only."""

    def __init__(
        self,
        path: Path,
        db: aiosqlite.Connection,
        still: bool,
        machine: Machine | None,
        lock: WriteLock | None,
        doubted: bool = False,
    ) -> None:
        super().__init__(path, db, still, machine, doubted)
        self._lock, self._closed = lock, False
        self._log = wal(path)  # resolved now: a link may lead elsewhere later
        self._log_is: Identity | None = None
        self._ground: Ground | None = None
        self._writer: Writer | None = None
        self._calls: CallRows | None = None

    @classmethod
    async def create(
        cls,
        path: Path | str,
        founding: Record,
        meta: Mapping[str, str] | None = None,
        *,
        overwrite: bool = False,
        paced: bool = False,
        machine: Machine | None = None,
    ) -> Self:
        """A new save that holds event 1, open for writing. path: a file, or ":memory:".

        meta: title, parent and so on; uid, time and version are added. A file appears whole or not at all. Raises
        SaveError if it exists (unless overwrite) or cannot be made.
        """
        check_numbers(founding.event)
        save = await cls.of_row(path, to_row(founding), meta or {}, overwrite, paced, machine)
        save._ours = True
        return save

    @classmethod
    async def of_row(
        cls,
        path: Path | str,
        row: EventRow,
        meta: Mapping[str, str],
        overwrite: bool = False,
        paced: bool = False,
        machine: Machine | None = None,
    ) -> Self:
        """Like `create`, of event 1 as it lies in a save."""
        if (row.seq, row.step, row.t) != (1, 0, 0):
            raise ValueError("a save begins with event 1 of step 0")
        path, notes = Path(path), new_meta(meta)
        notes |= [rescue.note(0, chain_digest(ZERO, 0, [without_versions(row)]))]

        def fill(db: sqlite3.Connection) -> None:
            db.execute("BEGIN")
            db.execute(INSERT_EVENT, to_stored(row))
            db.execute(INSERT_FOUNDING, (row.data,))
            db.execute(INSERT_STEP, (0, 0, 1, chain_digest(ZERO, 0, [row])))
            db.executemany("INSERT INTO meta VALUES (?, ?)", notes.items())
            db.execute("COMMIT")

        if path == MEMORY:
            return await cls._writing(path, lambda _: (guard.memory(fill), False), None, paced, machine)
        lock = await asyncio.to_thread(publish_save, path, fill, overwrite)
        return await cls._writing(path, _append, lock, paced, machine)

    @classmethod
    async def open(
        cls,
        path: Path | str,
        *,
        read_only: bool = False,
        paced: bool = False,
        doubted: bool = False,
        machine: Machine | None = None,
    ) -> Self:
        """An existing save, to continue or to read. Raises SaveError; a failed open changes nothing.

        doubted: only for `verify`, read only: accept malformed rows of `steps`, which it reports.

        paced: write every step at once, for a world played by the clock; else steps of 250 ms together. Any number of
        processes can read a save while one plays it.
        """
        path = Path(path)
        if not read_only:
            await asyncio.to_thread(guard.check_header, path)  # no lock beside what is no save
            return await cls._writing(path, _append, await asyncio.to_thread(WriteLock.take, path), paced, machine)
        db, still = await guard.open_connection(guard.reading, path)
        save = cls(path, db, still, machine, None, doubted)
        try:
            await save.refresh()
        except BaseException:
            await save.close()
            raise
        return save

    @classmethod
    async def _writing(
        cls, path: Path, opener: guard.Opener, lock: WriteLock | None, paced: bool, machine: Machine | None
    ) -> Self:
        try:
            here = None if path == MEMORY else identity(path)
            db, _ = await guard.open_connection(opener, path)
        except BaseException:
            if lock:
                lock.release()
            raise
        save = cls(path, db, False, machine, lock)
        try:
            save._log_is = None if path == MEMORY else identity(save._log)
            await save.refresh()
            last = StepRow(save.last_step, save.now, save.last_seq, save.digest)
            if last.last_seq != (await save._fetch("SELECT max(seq) FROM events"))[0][0] or len(last.digest) != 32:
                raise SaveError(path, "does not end where its last step does", COPY)
            snapped = await save._fetch(
                "SELECT seq, t, size FROM snapshots JOIN steps USING (step)"
                " WHERE typeof(seq) = 'integer' AND typeof(size) = 'integer' ORDER BY step DESC LIMIT 1"
            )
            taken = caches.NewestSnapshot(*snapped[0]) if snapped else caches.NewestSnapshot()
            save._ground = Ground(path, lock.file) if lock is not None and lock.file >= 0 else None
            save._writer = Writer(path, db, last, taken, here, save._ground)
            save._writer.unversioned = rescue.noted_digest(await save.info())
            save.paced = paced
        except BaseException:
            await save.close()
            raise
        return save

    @property
    def paced(self) -> bool:
        """Whether every step is written at once; may be changed while playing."""
        return self._pen().paced

    @paced.setter
    def paced(self, yes: bool) -> None:
        self._pen().paced = yes

    def remembers(self, remember: Remember, told: int) -> None:
        """Also save blocks of memories. remember: makes the next one; told: the last event that blocks cover."""
        self._pen().remember, self._pen().told = remember, told

    def retells(self, retell: Retell) -> None:
        """Also save blocks of a feed, beside snapshots. retell: makes the next one (`World.feed_block`)."""
        self._pen().retell = retell

    def keep_caches(self, world: World) -> None:
        """Also save blocks of what a world, at the end of this save, remembers and of its feed."""
        if world.cast:
            self.remembers(world.memories.block, world.memories.told)
        self.retells(world.feed_block)

    @property
    def writes(self) -> bool:
        """Whether steps can be written: opened for playing, and not closed."""
        return self._writer is not None and not self._closed

    @property
    def in_memory(self) -> bool:
        """Whether the log lives in memory only."""
        return self.path == MEMORY

    @property
    def displaced(self) -> bool:
        return self._writer is not None and self._writer.displaced

    async def copy(self) -> sqlite3.Connection:
        """A copy in memory of what is written so far; the caller closes it."""
        other = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        await self._db.backup(other)
        return other

    async def write(self, step: int, t: int, records: Sequence[Record], snapshot: Callable[[], bytes]) -> None:
        """Take a finished step; see `engine.journal.Journal`. `digest`, `last_step`, `last_seq` and `now` change at
        once.

        Raises ValueError if this is not the next step, which is then not taken. Raises JournalFull if an earlier step
        could not be written: this one is taken all the same, and waits in memory with the others for `retry`.
        """
        await self.write_rows(step, t, [to_row(record) for record in records], snapshot)

    async def write_rows(self, step: int, t: int, rows: list[EventRow], snapshot: Callable[[], bytes]) -> None:
        """Like `write`, of events as they lie in a save."""
        pen = self._pen()
        pen.take(step, t, rows, snapshot)
        self.last_step, self.now, self.last_seq, self.digest = pen.last
        await pen.room()

    async def bookmark(self, step: int, note: str) -> None:
        """Set the note of a step ("" removes it). Raises SaveError if there is no such step."""
        await self.settle()
        if not 0 <= step <= self.last_step:
            raise SaveError(self.path, f"has no step {step}", f"name one from 0 to {self.last_step}")
        async with self._pen().alone:
            if note:
                await self._db.execute_fetchall("INSERT OR REPLACE INTO bookmarks VALUES (?, ?)", (step, note))
            else:
                await self._db.execute_fetchall("DELETE FROM bookmarks WHERE step = ?", (step,))

    async def note(self, key: str, value: str) -> None:
        """Write a row of meta. Raises SaveError."""
        with explain_errors(self.path):
            async with self._pen().alone:
                await self._db.execute_fetchall("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    async def asked(self, found: InterviewRow) -> None:
        """Save an interview. Raises SaveError."""
        await self.settle()
        row = (*found[:6], msgspec.json.encode(found.memories).decode())
        with explain_errors(self.path):
            async with self._pen().alone:
                await self._db.execute_fetchall("INSERT INTO interviews VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", row)

    @property
    def calls(self) -> CallRows:
        """The store for calls of language models."""
        if self._calls is None:
            self._calls = CallRows(self.path, self._db, self._pen().alone)
        return self._calls

    @property
    def vectors(self) -> VectorRows:
        """The store for vectors of texts."""
        return VectorRows(self._db, self._pen().alone)

    async def settle(self) -> None:
        """Return when all steps taken so far are on disk. Raises JournalFull."""
        await self._pen().settle()

    async def retry(self) -> None:
        """After JournalFull, once there is room: write what waits in memory. Raises JournalFull if there is none."""
        await self._pen().retry()

    async def refresh(self) -> None:
        """Read where the log ends now (of a save that another process plays)."""
        if self._writer is None:
            await super().refresh()

    async def unversioned(self) -> bytes:
        """The digest of all steps without the versions the save was made with: 32 bytes. Raises SaveError."""
        pen = self._writer
        if pen is not None and pen.unversioned:
            return pen.unversioned
        if pen is not None:
            await self.settle()
        at = self.last_step
        found = rescue.noted_digest(await self.info()) or await rescue.of_log(self)
        if self.writes and pen is not None and at == self.last_step:
            pen.unversioned = found
            await self.note(*rescue.note(at, found))
        return found

    async def verify(self, progress: Progress | None = None) -> SaveVerdict:
        """Replay the whole log and compare every step; see `store.verify`."""
        return await verify(self, progress)

    async def close(self) -> None:
        """Write what waits, merge the log into the file, and close the connection, whatever happens.

        Raises JournalFull if steps could not be written: the save then ends at an earlier step; Displaced if its file
        was deleted, replaced, overwritten or damaged meanwhile.
        """
        if self._closed:
            return
        self._closed = True
        closing = asyncio.create_task(self._close(), name=f"close {self.path.name}")
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:  # a task cancelled meanwhile ends when all is written
            await asyncio.wait({closing})
            closing.result()
            raise

    async def _close(self) -> None:
        try:
            if self._writer is not None:
                await self._writer.stop()
        finally:
            await self._shut()

    async def _shut(self) -> None:
        why = ""
        try:
            if self._ground is not None:
                await self._ground.close()
            if self._writer is not None and self._writer.overwritten and self._ground is not None:
                self._ground.empty_log()
            elif self._lock is not None:
                try:
                    await self._db.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
                except sqlite3.Error as error:
                    told = explain(self.path, error)
                    why = f"; it {told.what}; {told.mend}"
                except MemoryError:
                    why = "; memory was wanting"
        finally:
            self._over = True
            try:
                await guard.close_connection(self._db)
            finally:
                if self._lock is not None:
                    pen = self._writer
                    displaced = self.displaced and not (pen is not None and pen.damaged)  # by what is another's
                    rescued = pen is not None and pen.rescued
                    if left := guard.left_apart(self._log, self._log_is, displaced, rescued):
                        self.warn(f"{self.path}: {left}; {FOREIGN if displaced else APART}{why}")
                    self._lock.release()
                elif not self._still and self.path != MEMORY:
                    await asyncio.to_thread(guard.tidy, self.path)

    def _pen(self) -> Writer:
        if self._writer is None or self._closed:
            raise SaveError(
                self.path, "is open for reading only" if not self._closed else "is closed", "open it to play"
            )
        return self._writer

    def _tail(self) -> list[EventRow]:
        return [row for step in self._writer.queue for row in step.rows] if self._writer else []

    def _tail_steps(self) -> list[StepRow]:
        return [step.end for step in self._writer.queue] if self._writer else []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()


def _append(path: Path) -> tuple[sqlite3.Connection, bool]:
    return guard.writing(path), False


async def read_save(name: str) -> Save:
    """The save that a command names, open for reading. Raises SaveError."""
    return await Save.open(path_of_save(name), read_only=True)
