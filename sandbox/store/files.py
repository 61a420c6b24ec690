"""Writing files that appear whole, under their final name, or not at all: saves and texts. Which save a name means."""

from __future__ import annotations

import glob
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import sandbox
from sandbox.core.places import expand_path, saves_dir
from sandbox.store import guard, schema
from sandbox.store.errors import NameTaken, SaveError, explain_errors
from sandbox.store.lock import INDEX, WriteLock, check_apart, check_sides, ours, path_beside, wal


def new_meta(notes: Mapping[str, str]) -> dict[str, str]:
    """The rows of meta of a new save: the notes, a new uid, the time, and the version that made it."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {**notes, "uid": str(uuid.uuid4()), "created": now, "sandbox": sandbox.__version__}


def ordinary(path: Path) -> None:
    """Raise SaveError if the path is not an ordinary or new file: moving ours there would replace, say, a device."""
    if "\0" in str(path):
        raise SaveError(path, "is no name of a file", "name a file")
    if not path.name or path.is_dir():
        raise SaveError(path, "is a folder", "name a file")
    if path.exists() and not path.is_file():
        raise SaveError(path, "is no ordinary file", "name a file")
    check_apart(path, ours)


def check_name_free(path: Path, overwrite: bool) -> None:
    """Raise NameTaken if the file exists, unless it may be replaced."""
    if path.exists() and not overwrite:
        raise NameTaken(path, "exists already", "choose another name, or say --force")


def _is_save(path: Path) -> bool:
    """Whether a file is a database. Not for one played here: closing it would drop SQLite's locks. Raises OSError."""
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


@contextmanager
def appearing(path: Path, overwrite: bool) -> Iterator[TextIO]:
    """A text file to write, which gets its name when complete; a device or a pipe is written to directly.

    It never replaces a save, which may be hours of a town. Raises SaveError if the name is taken (unless overwrite) or
    the file cannot be written; then no file is left.
    """
    with explain_errors(path):
        if "\0" not in str(path) and path.exists() and not path.is_file() and not path.is_dir():
            with path.open("w", encoding="utf-8", newline="") as out:
                yield out
            return
        ordinary(path)
        if path.exists() and (ours(path) or _is_save(path)):
            raise SaveError(path, "is a save", "choose another name")
        check_name_free(path, overwrite)
        part = path.with_name(f".{uuid.uuid4().hex}.part")
        try:
            with part.open("x", encoding="utf-8", newline="") as out:
                yield out
            check_name_free(path, overwrite)  # somebody may have taken it meanwhile
            os.replace(part, path)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def publish_save(
    path: Path, fill: Callable[[sqlite3.Connection], None], overwrite: bool, mode: int = 0o666
) -> WriteLock:
    """Make a save: `fill` writes into a new database with our tables, which then gets its name in one move; a symbolic
    link stays, and its target is replaced. mode: rights of the file, of which the umask takes some.

    Returns the save's write lock, which the caller holds. Raises SaveError if the name is taken (unless overwrite), is
    being played, or the file cannot be written; then no file is left.
    """
    with explain_errors(path):
        ordinary(path)
        check_sides(path)
        path = Path(os.path.realpath(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = WriteLock.take(path)
        temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
        try:
            check_name_free(path, overwrite)
            for left in path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 32}.tmp*"):
                left.unlink(missing_ok=True)  # of a try that was killed: we hold the lock of this name
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
            db = sqlite3.connect(temporary.absolute().as_uri(), uri=True, isolation_level=None)
            try:
                guard.disarm(db)
                schema.install(db)
                fill(db)
                db.execute("PRAGMA journal_mode = WAL")  # now, for it takes a rollback journal, which must never stay
            finally:
                db.close()
            for left in (wal(path), path_beside(path, INDEX)):
                left.unlink(missing_ok=True)  # of the file about to be replaced; a log must never meet another's pages
            lock.hold(temporary)
            os.replace(temporary, path)
            return lock
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            with suppress(OSError):
                temporary.with_name(temporary.name + "-journal").unlink(missing_ok=True)
            lock.release()
            raise


# ---- which save a name means


def is_save(target: str | Path) -> Path | None:
    """The save that a name means, or None if it means a world: a folder is a world, a file is a save.

    A name that ends in .db is a save even if there is no such file; without a folder it is looked for among the saves.
    The .db may be left out if there is such a save, and no world of that name.
    """
    path = expand_path(target)
    try:
        if path.is_dir():
            return None
        if path.exists():
            return path
    except (OSError, ValueError):
        return None
    if path.suffix == ".db":
        return _kept(path) or path
    found = _kept(path.with_name(f"{path.name}.db"))
    return None if found is None or _is_world(target) else found


def _kept(path: Path) -> Path | None:
    """That file if it exists: at the path, or, for a bare name, in the folder of saves."""
    places = [path, saves_dir() / path.name] if path.parent == Path() else [path]
    try:
        return next((p for p in places if p.is_file()), None)
    except (OSError, ValueError):
        return None


def _is_world(target: str | Path) -> bool:
    from sandbox.engine.loading import WorldFaults, find_world

    try:
        find_world(target)
    except WorldFaults:
        return False
    return True


def path_of_save(name: str) -> Path:
    """The path of the save that a command names, with or without its .db; it may not exist."""
    path = expand_path(name)
    found = is_save(name)
    if found is None and path.name:
        found = _kept(path.with_name(f"{path.name}.db"))  # even if a world has that name
    return found or path
