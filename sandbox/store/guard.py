"""Opening a file that may come from anywhere: it is checked before it is trusted, and never changed by the check.

First what is beside it and the bytes of its header, then the schema, which must be ours word for word: a foreign
trigger or view could act when we read or write. SQLite itself refuses values larger than any save has; nothing is ever
unpickled.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import aiosqlite

from sandbox.core.places import read_ordinary
from sandbox.store import schema
from sandbox.store.errors import COPY, NOT_OURS, SaveError, explain_errors
from sandbox.store.lock import (
    INDEX,
    JOURNAL,
    LOG,
    Identity,
    WriteLock,
    check_log,
    check_sides,
    check_single,
    identity,
    is_being_written,
    ours,
    path_beside,
    played_elsewhere,
    wal,
)
from sandbox.store.own_log import check_own_log, check_pages

BUSY_MS = 5000  # how long SQLite waits for a lock


Mark = tuple[int, int, int] | None  # inode, size, nanosecond of its last change


def file_mark(path: Path) -> Mark:
    """The mark of a file, to see later whether it has changed; None if it does not exist."""
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def has_changed(path: Path, before: Mark) -> bool:
    """Whether a file has been written since the mark, or has a log. One that another file has replaced does not count:
    whoever has it open still reads the old content.
    """
    now = file_mark(path)
    return now is not None and before is not None and now[0] == before[0] and (now != before or wal(path).exists())


def check_header(path: Path, *, mine: bool = False) -> None:
    """Check what is beside a file, and its first 100 bytes. Raises SaveError if it is no save.

    A save that this program plays was checked when opened (mine: it is being opened now) and is not read again: closing
    another handle of that file would drop SQLite's locks on it.
    """
    with explain_errors(path):
        if not path.exists():
            raise SaveError(path, "there is no such save", "`sandbox saves list` names those there are")
        if path.is_dir():
            raise SaveError(path, "is a folder, not a save", NOT_OURS)
        if not path.is_file():
            raise SaveError(path, "is not a file", NOT_OURS)
        check_sides(path)
        if not mine and ours(path):
            return
        with read_ordinary(path) as f:
            head = f.read(100)
            size = f.seek(0, os.SEEK_END)
    if not head:
        raise SaveError(path, "is empty", NOT_OURS)
    if not head.startswith(b"SQLite format 3\0"):
        raise SaveError(path, "is not a save", NOT_OURS)
    if len(head) < 100:
        raise SaveError(path, "is cut short", COPY)
    if int.from_bytes(head[68:72], "big") != schema.APPLICATION_ID:
        raise SaveError(path, "is a database, but not a save", NOT_OURS)
    _check_version(path, int.from_bytes(head[60:64], "big"))
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    if head[24:28] == head[92:96] and size < pages * (65536 if page == 1 else page) and not wal(path).exists():
        raise SaveError(path, "is cut short", COPY)


def _check_version(path: Path, version: int) -> None:
    if version > len(schema.MIGRATIONS):
        raise SaveError(path, f"was made by a newer version (format {version})", "install that version of sandbox")
    if version < 1:
        raise SaveError(path, "has no format number", COPY)


def check_inside(path: Path, db: sqlite3.Connection, called: str = "main") -> int:
    """The format of a save, once all its tables are known to be ours. called: its name in db. Raises SaveError."""
    version: int = db.execute(f"PRAGMA {called}.user_version").fetchone()[0]
    _check_version(path, version)
    newest = len(schema.MIGRATIONS)
    ours, theirs = schema.expected_rows(version, newest), schema.schema_rows(db, called)
    if version < newest:  # its views are not read, and a migration makes them again
        ours, theirs = ([part for part in parts if not part.is_view] for parts in (ours, theirs))
    names = {part.title for part in ours}
    if foreign := sorted(part.title for part in theirs if part.title not in names):
        raise SaveError(path, f"holds what no save holds ({foreign[0]})", "do not use this file")
    if missing := sorted(names - {part.title for part in theirs}):
        raise SaveError(path, f"lacks a part ({missing[0]})", COPY)
    if theirs != ours:
        odd = next((part for part in theirs if part not in ours), theirs[-1])
        raise SaveError(path, f"has another {odd.title} than its format says", "do not use this file")
    return version


def _by_us(action: int, one: str | None, two: str | None, database: str | None, inner: str | None) -> int:
    """SQLite's authorizer: allows our own statements, and nothing that a trigger or a view (inner) of the file asks.

    SQLite calls it for each table and column of a statement when that is prepared, never for rows.
    """
    return sqlite3.SQLITE_OK if inner is None else sqlite3.SQLITE_DENY


def disarm(db: sqlite3.Connection) -> sqlite3.Connection:
    """Forbid the triggers and views of a file to act, and limit the size of its values. Returns the connection."""
    db.set_authorizer(_by_us)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, schema.MAX_VALUE)
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def settle_in(db: sqlite3.Connection) -> sqlite3.Connection:
    """Apply the settings of every connection to a save. Returns the connection."""
    disarm(db)
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return db


def reading(path: Path, *, mine: bool = False) -> tuple[sqlite3.Connection, bool]:
    """A checked connection that cannot write, and whether it reads the file as immutable.

    A file at rest is read as immutable, which leaves nothing beside it; one that is being written, or has a write-ahead
    log left, is read with that log, or its latest steps would be missed. mine: the caller holds the write lock. Raises
    SaveError.
    """
    check_header(path, mine=mine)
    if not mine:
        if played_elsewhere(path):
            raise SaveError(path, "is being played under another name", "name it so, or wait until it is closed there")
        check_log(path)
    written = not mine and is_being_written(path)
    still = not wal(path).exists() and not written
    with explain_errors(path):
        if not still and not written:
            check_pages(path)
        db = sqlite3.connect(_unwritten(path, still), uri=True, isolation_level=None, check_same_thread=False)
        try:
            settle_in(db)
            db.execute("PRAGMA query_only = ON")
            if not still and not written:
                with closing(sqlite3.connect(_unwritten(path, True), uri=True)) as alone:
                    check_own_log(path, db, disarm(alone))
            if check_inside(path, db) < len(schema.MIGRATIONS):
                db = _lifted(db)
            return db, still
        except BaseException:
            db.close()
            tidy(path)
            raise


def _unwritten(path: Path, still: bool) -> str:
    """The URI that opens a file for reading. still: as immutable."""
    return path.absolute().as_uri() + ("?immutable=1" if still else "?mode=ro")


def attach_source(db: sqlite3.Connection, path: Path, still: bool) -> None:
    """Attach another save to a connection, as `source`, and check its schema again. Raises SaveError.

    db: disarmed, and of the newest format, as the other must be. still: as returned by `reading`.
    """
    db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    db.execute("ATTACH ? AS source", (_unwritten(path, still),))
    if check_inside(path, db, "source") != len(schema.MIGRATIONS):
        raise SaveError(path, "was brought back to an older format meanwhile", "try again")


def _lifted(old: sqlite3.Connection) -> sqlite3.Connection:
    """A copy in memory, migrated to the newest format, of a file that must not change; the original is closed."""
    new = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        old.backup(settle_in(new))
        schema.install(new)
    except BaseException:
        new.close()
        raise
    old.close()
    return new


def writing(path: Path) -> sqlite3.Connection:
    """A connection that appends; the caller holds the write lock. Raises SaveError.

    The file is checked before anything in it may change, and again in the transaction that first writes.
    """
    check_single(path)
    reading(path, mine=True)[0].close()
    with explain_errors(path):
        db = sqlite3.connect(
            path.absolute().as_uri() + "?mode=rw", uri=True, isolation_level=None, check_same_thread=False
        )
        try:
            settle_in(db)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA wal_autocheckpoint = 0")  # `Ground` does it: the file must not change at other times
            db.execute("BEGIN IMMEDIATE")  # fails now, not at the first step, if the file may not be written
            check_inside(path, db)
            schema.run_migrations(db)
            db.execute("COMMIT")
            return db
        except BaseException:
            db.close()
            raise


def memory(fill: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """A new save in memory, filled by `fill`."""
    db = settle_in(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))
    schema.install(db)
    fill(db)
    return db


def left_apart(log: Path, own: Identity | None, displaced: bool, rescued: bool) -> str:
    """After the last close of a save being played: what its write-ahead log still holds, in words, "" if nothing.

    own: which file that log is. displaced: another file, or none, has the save's name by now. SQLite then leaves its
    side files, which must not meet that file: they are deleted if empty, or if all in them is saved elsewhere too
    (rescued). The caller holds the write lock.
    """
    try:
        if own is None or identity(log) != own:
            return ""
        if log.stat().st_size and not (displaced and rescued):
            return f"some of its last steps are in {log.name} still"
        if displaced:
            for side in (log, Path(str(log).removesuffix(LOG) + INDEX)):
                side.unlink(missing_ok=True)
    except OSError:
        pass
    return ""


def tidy(path: Path) -> None:
    """Remove the empty write-ahead log that the last reader of a finished save left beside it. Never raises.

    Opening and closing a connection that may write makes SQLite remove it, unless others are open.
    """
    try:
        if wal(path).stat().st_size or os.path.lexists(path_beside(path, JOURNAL)):
            return  # steps that only the log holds: the next to play merges them
        lock = WriteLock.take(path)
    except (OSError, SaveError):
        return
    try:
        db = sqlite3.connect(path.absolute().as_uri() + "?mode=rw", uri=True)
        try:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            db.close()
    except sqlite3.Error:
        return
    finally:
        lock.release()


# ---- a connection on a thread of its own, which ends when the connection is closed, whatever happens


Opener = Callable[[Path], tuple[sqlite3.Connection, bool]]


async def open_connection(opener: Opener, path: Path) -> tuple[aiosqlite.Connection, bool]:
    """Open a connection on a thread of its own; also whether it reads the file as immutable. Raises SaveError."""

    async def opened() -> tuple[aiosqlite.Connection, bool]:
        db, still = await asyncio.to_thread(opener, path)
        try:
            return await aiosqlite.Connection(lambda: db, 64), still
        except BaseException:  # no thread, or no memory for one
            db.close()
            raise

    opening = asyncio.create_task(opened())
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:  # nobody else would close it
        db, _ = await opening
        await close_connection(db)
        raise


async def close_connection(db: aiosqlite.Connection) -> None:
    """Close a connection. Its thread ends even if memory is short: else it would keep the program alive."""
    try:
        await db.close()
    except BaseException:
        db.stop()
        raise
