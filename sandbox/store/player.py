"""Replaying a save from its log, step by step: no system runs and no mind is asked; a step is its events applied.

`Replayer` has the interface of the engine: whatever paces an engine can pace it. `pack` replays a save into a new file
that takes its place.
"""

from __future__ import annotations

import asyncio
import glob
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import NamedTuple

from sandbox.core.events import EventRow, Record
from sandbox.core.protocols import JournalFull
from sandbox.engine.engine import Nowhere
from sandbox.engine.world import World
from sandbox.store import guard
from sandbox.store.errors import COPY, OutOfMemory, SaveError, bad_rows_error, explain, explain_errors
from sandbox.store.facts import Machine, StepRow, engine
from sandbox.store.files import publish_save
from sandbox.store.lock import WriteLock, check_single, wal
from sandbox.store.own_log import LAST, digests_match
from sandbox.store.read import SaveReader
from sandbox.store.save import Save

FIRST, GROUP = 4, 250  # steps read at first (a jump needs one), and then at a time


class RelivedStep(NamedTuple):
    """A replayed step: the world at its end, and its events."""

    world: World
    records: list[Record]


async def relive(save: SaveReader, upto: int | None = None, world: World | None = None) -> AsyncIterator[RelivedStep]:
    """Replay a save from event 1 to step `upto` (default: the last), and yield each step at its end, from step 0.

    world: a world of this save at the end of a step (`seek`), to go on from; that step is not yielded. Each yield has
    the same world object, moved on. It makes no memories unless the caller turns them on. Digests are not compared
    (`store.verify` does). Raises SaveError for an event that is missing or cannot be read.
    """
    if world is None:
        founding = await save.found()
        world, seq = await save.beginning(), founding.stamp.seq
        yield RelivedStep(world, [founding])
    else:
        seq = world.seq
    last = save.last_step if upto is None else upto
    decode, apply = save.machine.decode, world.apply
    for first, upto in _groups(world.step + 1, last):
        ends = await save.steps(first, upto)
        if not ends:
            break
        rows, at, read = [], 0, seq
        for end in ends:
            count = end.last_seq - seq
            if end.last_seq > read:
                few = save.few(world, save.last_seq)
                read = max([end.last_seq, *(x.last_seq for x in ends if x.last_seq <= seq + few)])
                rows, at = await save.unchecked(seq, read), 0
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
                raise bad_rows_error(save.path, error, f"cannot be read beyond step {world.step} ({error})") from error
            world.advance(end.step)
            if world.now != end.t:
                raise SaveError(save.path, f"ends step {end.step} at second {end.t}, not {world.now}", COPY)
            at, seq = at + count, end.last_seq
            yield RelivedStep(world, records)
    if world.step != last:
        raise SaveError(save.path, f"has no step {world.step + 1}", COPY)


def _groups(first: int, last: int) -> Iterator[tuple[int, int]]:
    """The steps from first to last in groups, a short one first: (first, last) of each."""
    count = FIRST
    while first <= last:
        yield first, min(first + count - 1, last)
        first, count = first + count, GROUP


class EndOfSave(Exception):
    """The save has no further step."""


class Replayer:
    """Replays a save, which stays open meanwhile. world: the current one; `go` replaces it.

    watchers: called with the records of each step. Make one with `begin`.
    """

    def __init__(self, save: SaveReader, world: World) -> None:
        self.save = save
        self.world = world
        self.journal = Nowhere()
        self.watchers: list[Callable[[Sequence[Record]], None]] = []
        self._lived: AsyncIterator[RelivedStep] | None = None

    @classmethod
    async def begin(cls, save: SaveReader, step: int) -> Replayer:
        """A replayer at the end of that step. Raises SaveError."""
        return cls(save, await save.seek(step))

    async def step(self) -> Sequence[Record]:
        """Replay the next step and return its events. Raises EndOfSave after the last one; of a save that another
        process plays, after the last one so far.

        Raises SaveError if it cannot be read; `world` is then a new one, at the end of the step before.
        """
        lived = await self._next()
        if lived is None:
            await self.save.refresh()
            lived = await self._next() if self.save.last_step > self.world.step else None
        if lived is None:
            raise EndOfSave(f"the end of the recording, {self.world.clock.hhmm(self.world.now)}")
        for watcher in self.watchers:
            watcher(lived.records)
        return lived.records

    async def _next(self) -> RelivedStep | None:
        """The next step, None after the last one known."""
        if self._lived is None:
            self._lived = relive(self.save, None, self.world)
        try:
            lived = await anext(self._lived, None)
        except SaveError:
            self._lived = None
            with suppress(SaveError):  # some events of the step may have changed the world
                self.world = await self.save.seek(self.world.step)
            raise
        if lived is None:
            self._lived = None
        return lived

    async def go(self, step: int, begun: Callable[[World], None] = lambda world: None) -> Sequence[Record]:
        """Jump to the end of that step; return its events. begun: called with the world at the start of the step.

        Raises SaveError; the replayer then stays where it was.
        """
        world = await self.save.seek(step if step < 1 else step - 1)
        begun(world)
        lived, records = relive(self.save, None, world), list[Record]()
        if step > 0:
            found = await anext(lived, None)
            if found is None:
                raise SaveError(self.save.path, f"has no step {step}", f"name one from 0 to {self.save.last_step}")
            records = found.records
        self.world, self._lived = world, lived
        return records


# ---- making a save small in its place


LIVED = ("events", "founding", "steps", "snapshots", "memories", "feeds")  # tables made by living the log again
PART = "save.db"  # the new file, in a folder of its own
BESIDE = ("bookmarks", "calls", "interviews", "vectors", "meta")  # copied as they are


async def pack(path: Path, machine: Machine | None = None) -> tuple[int, int]:
    """Write a save anew, as small as this program writes it, with all caches; return its bytes before and after.

    Events, digests, name and notes stay, and so do the file's rights and times. Raises SaveError: it is open, may not
    be written, or is not whole, or there is no room beside it. The file is then as it was.
    """
    path = Path(os.path.realpath(path))
    guard.check_header(path)
    check_single(path)
    if not os.access(path, os.W_OK):
        raise SaveError(path, "may not be written", "allow it, or pack a copy")
    _merge_log(path)
    touched = path.stat()
    with explain_errors(path):
        private = Path(mkdtemp(".pack", f".{path.name}.", path.parent))
    part = private / PART
    try:
        end = await _lived(path, part, machine or engine())
        if wal(part).exists():
            raise SaveError(part, "has no room for all of it", "make room beside the save")
        await asyncio.to_thread(_published, path, part, end, touched)
    except (JournalFull, SaveError) as error:
        if isinstance(error, SaveError) and error.path == path:
            raise
        why = error.__cause__ if isinstance(error, JournalFull) else error
        if not isinstance(why, SaveError):
            why = explain(part, why) if isinstance(why, sqlite3.Error) else OutOfMemory(part)
        raise SaveError(path, f"cannot be packed: a copy {why.what}", f"{why.mend}, and pack it again") from error
    finally:
        rmtree(private, ignore_errors=True)
    return touched.st_size, path.stat().st_size


def _merge_log(path: Path) -> None:
    """Take what a killed program left beside a save into it, and remove what a killed `pack` left. Raises SaveError."""
    lock = WriteLock.take(path)
    try:
        if wal(path).exists():
            guard.reading(path, mine=True)[0].close()  # it is ours, and whole
            with explain_errors(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as db:
                guard.disarm(db)
                if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    raise SaveError(path, "is being read by another program", "close it there, and pack it again")
        for left in path.parent.glob(f".{glob.escape(path.name)}.{'[a-z0-9_]' * 8}.pack"):  # as `mkdtemp` names them
            with suppress(SaveError):  # another `pack` is at work in it
                WriteLock.take(left / PART).release()
                rmtree(left, ignore_errors=True)
    finally:
        lock.release()


async def _lived(path: Path, part: Path, machine: Machine) -> StepRow:
    """Live a save again into a new file; return its last step. Raises SaveError, JournalFull."""
    rows = list[EventRow]()

    def decode(row: EventRow) -> Record:
        rows.append(EventRow._make(row))
        return machine.decode(row)

    async with await Save.open(path, read_only=True, machine=machine._replace(decode=decode)) as old:
        await old.found()
        async with await Save.of_row(part, rows[0], {}) as new:
            async for world, _ in relive(old):
                if not world.step:
                    world.memories.live = bool(world.cast)
                    world.note_feed(0)
                    new.keep_caches(world)
                else:
                    await new.write_rows(world.step, world.now, rows[:], world.snapshot)
                rows.clear()
            if await old.steps() != await new.steps():
                raise SaveError(path, "differs from its digests", "`sandbox replay SAVE --verify` tells where")
            await new.settle()
            return StepRow(new.last_step, new.now, new.last_seq, new.digest)


def _published(path: Path, part: Path, end: StepRow, touched: os.stat_result) -> None:
    """Put a save that was lived again into the place of the old one, with its rights and times, and with what stands
    beside the log of that.
    """

    def fill(db: sqlite3.Connection) -> None:
        old, _ = guard.reading(path, mine=True)
        with closing(old), explain_errors(path):
            if old.execute(LAST).fetchone() != end:
                raise SaveError(path, "was played meanwhile", "pack it again")
            db.execute("BEGIN")
            for table in BESIDE:
                kept = old.execute(f"SELECT * FROM {table}")
                marks = ", ".join("?" * len(kept.description))
                db.executemany(f"INSERT INTO {table} VALUES ({marks})", kept)
            db.execute("COMMIT")
        guard.attach_source(db, part, True)
        for table in LIVED:
            db.execute(f"INSERT INTO main.{table} SELECT * FROM source.{table}")
        db.execute("DETACH source")
        if not digests_match(db, end):
            raise SaveError(path, "could not be packed whole", COPY)

    lock = publish_save(path, fill, True, touched.st_mode & 0o777)
    with suppress(OSError, AttributeError):  # as far as one may; Windows has no owners
        os.chown(path, touched.st_uid, touched.st_gid)
    with suppress(OSError):
        os.chmod(path, touched.st_mode)  # the umask has taken some
        os.utime(path, ns=(touched.st_atime_ns, touched.st_mtime_ns))
    lock.release()
