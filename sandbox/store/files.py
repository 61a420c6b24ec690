"""Making a save appear: whole, under its final name, or not at all."""

from __future__ import annotations

import glob
import os
import sqlite3
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import sandbox
from sandbox.store import guard, schema
from sandbox.store.errors import SaveError, telling
from sandbox.store.lock import WriteLock
from sandbox.store.place import INDEX, beside, check_sides, wal


def new_meta(notes: Mapping[str, str]) -> dict[str, str]:
    """What is known of a new save beside its log: the notes, an identity, the time, the version that made it."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {**notes, "uid": str(uuid.uuid4()), "created": now, "sandbox": sandbox.__version__}


def ordinary(path: Path) -> None:
    """Raise SaveError if something stands there that is no ordinary file: a move would put ours in a device's place."""
    if path.is_dir():
        raise SaveError(path, "is a folder", "name a file")
    if path.exists() and not path.is_file():
        raise SaveError(path, "is no ordinary file", "name a file")


def publish(path: Path, fill: Callable[[sqlite3.Connection], None], overwrite: bool) -> WriteLock:
    """Make a save: fill writes into a new database of our tables, which then takes its name in one move; a link stays
    one.

    Returns the save's write lock, which the caller holds. Raises SaveError if the name is taken (unless overwrite), is
    being played, or the file cannot be written; then no file is left.
    """
    with telling(path):
        ordinary(path)
        check_sides(path)
        path = Path(os.path.realpath(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = WriteLock.take(path)
        temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
        try:
            if path.exists() and not overwrite:
                raise SaveError(path, "exists already", "choose another name, or say --force")
            for left in path.parent.glob(f".{glob.escape(path.name)}.*.tmp*"):
                left.unlink(missing_ok=True)  # of a try that was killed: we hold the lock of this name
            db = sqlite3.connect(temporary, isolation_level=None)
            try:
                guard.disarm(db)
                schema.install(db)
                fill(db)
                db.execute("PRAGMA journal_mode = WAL")  # now, for it takes a rollback journal, which must never stay
            finally:
                db.close()
            for left in (wal(path), beside(path, INDEX)):
                left.unlink(missing_ok=True)  # of the file about to be replaced; a log must never meet another's pages
            os.replace(temporary, path)
            return lock
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            with suppress(OSError):
                temporary.with_name(temporary.name + "-journal").unlink(missing_ok=True)
            lock.release()
            raise
