"""Making a save small in place: its log is lived again into a new file, which takes its place when all is proved."""

from __future__ import annotations

import asyncio
import glob
import os
import sqlite3
import uuid
from contextlib import closing, suppress
from pathlib import Path

from sandbox.core.events import EventRow, Record
from sandbox.store import guard
from sandbox.store.errors import COPY, SaveError, explain_errors
from sandbox.store.facts import Machine, StepRow, engine
from sandbox.store.files import publish_save
from sandbox.store.lock import INDEX, WriteLock, check_single, path_beside, wal
from sandbox.store.own_log import LAST, digests_match
from sandbox.store.player import relive
from sandbox.store.save import Save

LIVED = ("events", "founding", "steps", "snapshots", "memories", "feeds")  # tables made by living the log again
BESIDE = ("bookmarks", "calls", "interviews", "vectors", "meta")  # copied as they are


async def pack(path: Path, machine: Machine | None = None) -> tuple[int, int]:
    """Write a save anew, as small as this program writes it, with all caches; return its bytes before and after.

    Events, digests, name and notes stay, and so do the file's rights and times. Raises SaveError: it is open, may not
    be written, or is not whole; JournalFull: there is no room beside it. The file is then as it was.
    """
    path = Path(os.path.realpath(path))
    guard.check_header(path)
    check_single(path)
    if not os.access(path, os.W_OK):
        raise SaveError(path, "may not be written", "allow it, or pack a copy")
    WriteLock.take(path).release()
    touched = path.stat()
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.pack*"):  # of a try that was killed
        left.unlink(missing_ok=True)
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.pack")
    try:
        end = await _lived(path, part, machine or engine())
        await asyncio.to_thread(_published, path, part, end)
    finally:
        for left in (part, wal(part), path_beside(part, INDEX)):
            left.unlink(missing_ok=True)
    with suppress(OSError):
        os.chmod(path, touched.st_mode)
        os.utime(path, ns=(touched.st_atime_ns, touched.st_mtime_ns))
    return touched.st_size, path.stat().st_size


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


def _published(path: Path, part: Path, end: StepRow) -> None:
    """Put a save that was lived again into the place of the old one, with what stands beside the log of that."""

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

    publish_save(path, fill, True).release()
