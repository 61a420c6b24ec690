"""Writing a save whole under another name when its file is deleted, replaced, overwritten or damaged during play.

If the file is gone, the open connection still has everything. If it was overwritten or damaged, the spare has its old
content, the log what followed, and memory what is not written yet. If it was damaged before it was opened, the tables
that are no cache may be whole. The result is always verified by its digests.
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

from sandbox.core.events import ZERO, EventRow, chain_digest, without_versions
from sandbox.core.places import saves_dir
from sandbox.store import guard, schema
from sandbox.store.errors import COPY, Displaced, SaveError, explain
from sandbox.store.facts import PendingStep, SaveInfo, StepRow
from sandbox.store.ground import Ground
from sandbox.store.lock import INDEX, path_beside, wal
from sandbox.store.own_log import LAST, digests_match
from sandbox.store.read import SaveReader
from sandbox.store.schema import INSERT_EVENT, INSERT_STEP, to_stored

NOTED = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
NOTE = "unversioned"  # in meta: a step, and the digest after it in hex


def note(step: int, digest: bytes) -> tuple[str, str]:
    """The row of `meta` that holds the digest after a step."""
    return NOTE, f"{step} {digest.hex()}"


def noted_digest(info: SaveInfo) -> bytes:
    """The digest noted for the last step, b"" if none."""
    return bytes.fromhex(info.unversioned)


async def of_log(save: SaveReader) -> bytes:
    """The digest computed from every event, on disk or waiting. Raises SaveError."""
    last, steps = save.last_step, await save.count_steps()
    if steps <= last:
        raise SaveError(save.path, "lacks a step", COPY)
    digest, step, rows = ZERO, 0, list[EventRow]()
    async for _, some in save.runs():
        for row in some:
            if not step <= row.step <= last:
                raise SaveError(save.path, "holds events out of order", COPY)
            while step < row.step:
                digest, step, rows = chain_digest(digest, step, rows), step + 1, []
            rows.append(without_versions(row))
    while step <= last:
        digest, step, rows = chain_digest(digest, step, rows), step + 1, []
    return digest


WHILE = "while it was played"
OVERWRITTEN, DAMAGED, BEFORE = f"was overwritten {WHILE}", f"was damaged {WHILE}", "is damaged"
PARTS = ("events", "founding", "steps", "meta", "bookmarks", "calls", "interviews")  # tables that are no cache
Whole = Callable[[Path], Awaitable[None]]  # writes a whole save into a new file


async def rescue(
    whole: Whole, path: Path, before: Displaced | None, upto: int, last: int, spoiled: str = ""
) -> Displaced:
    """Write the whole save into a file beside the old one, or into the folder of saves if that fails.

    whole: writes it. before: the result of an earlier call, whose file is replaced. upto: the last step written; last:
    the last step of the world. spoiled: what happened to the file, in words, if it still exists. Returns the error to
    raise. No transaction may be open.
    """
    kept = None if before is None else before.kept
    went = "was replaced by another file" if os.path.lexists(path) else "was deleted"
    what = (spoiled or f"{went} {WHILE}") if before is None else before.what
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


async def copy_database(db: aiosqlite.Connection, out: Path) -> None:
    """Write what a connection sees into a new file."""
    await db.execute_fetchall("VACUUM INTO ?", (os.fspath(out),))


async def restore_save(
    db: aiosqlite.Connection, ground: Ground | None, queue: Sequence[PendingStep], last: StepRow, out: Path
) -> None:
    """Write the content of a save whose file was overwritten or damaged, and the waiting steps. Raises SaveError or
    sqlite3.Error if something is missing.
    """
    if ground is not None and await ground.write(out):
        try:
            return await asyncio.to_thread(_complete, out, queue, last)
        except (sqlite3.Error, SaveError):
            _remove(out)
    try:
        await copy_database(db, out)  # another program may have merged the log, and nothing is lost
        return await asyncio.to_thread(_complete, out, queue, last)
    except (sqlite3.Error, SaveError):
        _remove(out)
    await _read_out(db, out)
    await asyncio.to_thread(_complete, out, queue, last)


async def _read_out(db: aiosqlite.Connection, out: Path) -> None:
    """Copy all tables that are no cache, row by row: the damage may be in a cache."""
    with closing(sqlite3.connect(out, isolation_level=None)) as new:
        schema.install(guard.disarm(new))
    await db.execute_fetchall("ATTACH ? AS kept", (os.fspath(out),))
    try:
        for part in PARTS:
            rows = f"SELECT * FROM main.{part} WHERE true"  # without a condition indexes are copied too
            await db.execute_fetchall(f"INSERT INTO kept.{part} {rows}")
    finally:
        await db.execute_fetchall("DETACH kept")


def _complete(out: Path, queue: Sequence[PendingStep], last: StepRow) -> None:
    """Add the steps that a copy lacks, and verify by the digests that the file, without a log, has all steps."""
    with closing(sqlite3.connect(out, isolation_level=None)) as db:
        guard.disarm(db)
        db.execute("PRAGMA journal_mode = WAL")
        (at,) = db.execute("SELECT max(step) FROM steps").fetchone()
        lacks = [step for step in queue if step.end.step > (-1 if at is None else at)]
        db.execute("BEGIN IMMEDIATE")
        db.executemany(INSERT_STEP, [step.end for step in lacks])
        db.executemany(INSERT_EVENT, [to_stored(row) for step in lacks for row in step.rows])
        if lacks and lacks[-1].unversioned:
            db.execute(NOTED, note(last.step, lacks[-1].unversioned))
        db.execute("COMMIT")
        (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()  # a close does not report failure
    with closing(sqlite3.connect(f"{out.absolute().as_uri()}?immutable=1", uri=True)) as db:
        guard.disarm(db)
        if busy or not digests_match(db, last) or db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise SaveError(out, "is not whole", COPY)


def is_whole(path: Path, least: int, last: StepRow) -> bool:
    """Whether a file and its log hold every step up to `last`, and the file alone at least up to step `least`: as when
    another program has merged the log into it.
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
    except Exception:  # whatever it holds now, it is not what was written
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
    """Write a copy that appears whole or not at all, and replaces only an earlier copy; return its path."""
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
    """Names to try for a save that is kept elsewhere, without end."""
    return (folder / (f"{stem}-kept-{n}.db" if n > 1 else f"{stem}-kept.db") for n in count(1))


def _reserved(folder: Path, stem: str) -> Path:
    """The first free name, taken now by an empty file."""
    for out in _names(folder, stem):
        with suppress(FileExistsError):
            os.close(os.open(out, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
            return out
    raise AssertionError("names never end")


async def left_over(ground: Ground, trouble: Displaced, path: Path, upto: int, last: int) -> Displaced:
    """If no copy of an overwritten save could be written: give its spare a name, which needs no room on the disk.
    Returns the error to raise. The save can only be closed after that.
    """
    for out in _names(path.parent, path.stem):
        with suppress(FileExistsError):
            if not await ground.leave(out):
                return trouble
            where = f"{out} and {wal(out).name}, go on with that, and move neither before"
            return Displaced(path, trouble.what, f"{_most(upto, last)} is kept in {where}", out, upto)
    raise AssertionError("names never end")
