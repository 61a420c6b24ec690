"""A save whose file is deleted, replaced, overwritten or damaged while it is played: it is written whole under another
name.

Of a file that went the open connection still has all. Of one that was overwritten or damaged a spare has what it held,
the log beside it what came since, and memory what was not kept yet. Of one that was damaged before it was opened, what
is no cache may be whole. Whatever is made of these is proved by its digests.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import aiosqlite

from sandbox.core.places import saves_dir
from sandbox.store import guard, schema
from sandbox.store.errors import COPY, Displaced, SaveError, explain
from sandbox.store.facts import PendingStep, StepRow
from sandbox.store.ground import Ground
from sandbox.store.lock import INDEX, path_beside, wal
from sandbox.store.own_log import LAST, digests_match
from sandbox.store.unversioned import NOTED, note

WHILE = "while it was played"
OVERWRITTEN, DAMAGED, BEFORE = f"was overwritten {WHILE}", f"was damaged {WHILE}", "is damaged"
PARTS = ("events", "steps", "meta", "bookmarks", "calls", "interviews")  # all that is no cache
Whole = Callable[[Path], Awaitable[None]]  # writes all of a save into a file that is not there yet


async def rescue(
    whole: Whole, path: Path, before: Displaced | None, upto: int, last: int, spoiled: str = ""
) -> Displaced:
    """Write all of a save into a file beside it, or among the saves if that cannot be.

    whole: writes it. before: what an earlier call returned; its file is made anew. upto: the last step that is written;
    last: that of the town. spoiled: what has become of a file that is there still, in words. Returns what is to be said
    of it. No transaction is open.
    """
    kept = None if before is None else before.kept
    what = (spoiled or f"{_went(path)} {WHILE}") if before is None else before.what
    why = "its folder is gone"
    for folder in dict.fromkeys((path.parent if kept is None else kept.parent, saves_dir())):
        if folder != saves_dir() and not folder.is_dir():
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            out = await _written(whole, folder, path.stem, kept)
        except sqlite3.Error as error:
            told = explain(path, error)
            why = f"the copy {told.what}; {told.mend}"
        except SaveError as error:
            why = f"the copy {error.what}"
        except OSError as error:
            why = f"{folder}: {(error.strerror or str(error)).lower()}"
        else:
            return Displaced(path, what, f"{_most(upto, last)} is kept in {out}, go on with that", out, upto)
    if before is None or kept is None:
        return Displaced(path, what, f"it could not be kept elsewhere: {why}", None)
    return Displaced(path, what, f"{_most(before.upto, last)} is kept in {kept}: {why}", kept, before.upto)


def _went(path: Path) -> str:
    return "was replaced by another file" if os.path.lexists(path) else "was deleted"


async def copy_database(db: aiosqlite.Connection, out: Path) -> None:
    """Write what a connection has kept."""
    await db.execute_fetchall("VACUUM INTO ?", (os.fspath(out),))


async def restore_save(
    db: aiosqlite.Connection, ground: Ground | None, queue: Sequence[PendingStep], last: StepRow, out: Path
) -> None:
    """Write what a save held whose file was overwritten or damaged, and what waits. Raises SaveError or sqlite3.Error
    if that is not all.
    """
    if ground is not None and await ground.write(out):
        try:
            return await asyncio.to_thread(_complete, out, queue, last)
        except (sqlite3.Error, SaveError):
            _remove(out)
    try:
        await copy_database(db, out)  # somebody else may have brought the log into the file, and nothing is lost
        return await asyncio.to_thread(_complete, out, queue, last)
    except (sqlite3.Error, SaveError):
        _remove(out)
    await _read_out(db, out)
    await asyncio.to_thread(_complete, out, queue, last)


async def _read_out(db: aiosqlite.Connection, out: Path) -> None:
    """Write all of a save that is no cache, row by row: what is damaged may be a cache or an index."""
    with closing(sqlite3.connect(out, isolation_level=None)) as new:
        schema.install(guard.disarm(new))
    await db.execute_fetchall("ATTACH ? AS kept", (os.fspath(out),))
    try:
        for part in PARTS:
            rows = f"SELECT * FROM main.{part} NOT INDEXED WHERE true"  # without a condition it would copy indices too
            await db.execute_fetchall(f"INSERT INTO kept.{part} {rows}")
    finally:
        await db.execute_fetchall("DETACH kept")


def _complete(out: Path, queue: Sequence[PendingStep], last: StepRow) -> None:
    """Add the steps that a copy lacks, and prove by its digests that the file alone, without a log, is all of it."""
    with closing(sqlite3.connect(out, isolation_level=None)) as db:
        guard.disarm(db)
        db.execute("PRAGMA journal_mode = WAL")
        (at,) = db.execute("SELECT max(step) FROM steps").fetchone()
        lacks = [step for step in queue if step.end.step > (-1 if at is None else at)]
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?)", [step.end for step in lacks])
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [r for step in lacks for r in step.rows])
        if lacks and lacks[-1].unversioned:
            db.execute(NOTED, note(last.step, lacks[-1].unversioned))
        db.execute("COMMIT")
        (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()  # a close tells of no failure
    with closing(sqlite3.connect(f"{out.absolute().as_uri()}?immutable=1", uri=True)) as db:
        guard.disarm(db)
        if busy or not digests_match(db, last):
            raise SaveError(out, "is not whole", COPY)


def is_whole(path: Path, least: int, last: StepRow) -> bool:
    """Whether a file and the log beside it hold every step up to that one, and the file alone at least so many of them:
    as it is when another program has brought the log into it.
    """
    place = path.absolute().as_uri()
    try:
        with (
            closing(sqlite3.connect(f"{place}?mode=ro", uri=True)) as both,
            closing(sqlite3.connect(f"{place}?immutable=1", uri=True)) as alone,
        ):
            guard.disarm(both)
            guard.disarm(alone)
            end = StepRow(*alone.execute(LAST).fetchone())
            found = both.execute("SELECT step, t, last_seq, digest FROM steps WHERE step = ?", (end.step,)).fetchone()
            return least <= end.step and found == tuple(end) and digests_match(alone, end) and digests_match(both, last)
    except Exception:  # whatever has come into it, it is not what was written
        return False


def _remove(out: Path) -> None:
    _remove_all(out, wal(out), path_beside(out, INDEX))


def _remove_all(*files: Path) -> None:
    for file in files:
        with suppress(OSError):
            file.unlink(missing_ok=True)


def _most(upto: int, last: int) -> str:
    return "all of it" if upto == last else f"all of it up to step {upto}"


async def _written(whole: Whole, folder: Path, stem: str, kept: Path | None) -> Path:
    """A copy that appears whole or not at all, and replaces nothing but an earlier one."""
    temporary = folder / f".{stem}.{uuid.uuid4().hex}.tmp"
    try:
        await whole(temporary)
        _remove_all(wal(temporary), path_beside(temporary, INDEX))
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        out = kept if kept is not None and kept.parent == folder else _reserved(folder, stem)
        os.replace(temporary, out)
    except BaseException:
        _remove(temporary)
        raise
    return out


def _names(folder: Path, stem: str) -> Iterator[Path]:
    """What a save that is kept elsewhere may be called."""
    return (folder / (f"{stem}-kept-{n}.db" if n > 1 else f"{stem}-kept.db") for n in count(1))


def _reserved(folder: Path, stem: str) -> Path:
    """A name that was free, now taken by an empty file."""
    for out in _names(folder, stem):
        with suppress(FileExistsError):
            os.close(os.open(out, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
            return out
    raise AssertionError("names never end")


async def left_over(ground: Ground, trouble: Displaced, path: Path, upto: int, last: int) -> Displaced:
    """Where no copy could be written of a save that was overwritten: its spare is given a name, for which no room is
    wanted. What is to be said of it then. Nothing more is done with the save but closing it.
    """
    for out in _names(path.parent, path.stem):
        with suppress(FileExistsError):
            if not await ground.leave(out):
                return trouble
            where = f"{out} and {wal(out).name}, go on with that, and move neither before"
            return Displaced(path, trouble.what, f"{_most(upto, last)} is kept in {where}", out, upto)
    raise AssertionError("names never end")
