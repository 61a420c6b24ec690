"""A save whose file is deleted or replaced while it is played: the open connection still has all of it, and it is
written whole under another name.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from contextlib import suppress
from itertools import count
from pathlib import Path

import aiosqlite

from sandbox.core.places import saves_dir
from sandbox.store.errors import Displaced, explain


async def rescue(db: aiosqlite.Connection, path: Path, before: Displaced | None, upto: int, last: int) -> Displaced:
    """Write all that a connection has kept into a file beside the save, or among the saves if that cannot be.

    before: what an earlier call returned; its file is made anew. upto: the last step the connection has; last: that of
    the town. Returns what is to be said of it. No transaction is open.
    """
    kept = None if before is None else before.kept
    went = "was replaced by another file" if os.path.lexists(path) else "was deleted"
    what = f"{went} while it was played" if before is None else before.what
    why = "its folder is gone"
    for folder in dict.fromkeys((path.parent if kept is None else kept.parent, saves_dir())):
        if folder != saves_dir() and not folder.is_dir():
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            out = await _written(db, folder, path.stem, kept)
        except sqlite3.Error as error:
            told = explain(path, error)
            why = f"the copy {told.what}; {told.mend}"
        except OSError as error:
            why = f"{folder}: {(error.strerror or str(error)).lower()}"
        else:
            return Displaced(path, what, f"{_most(upto, last)} is kept in {out}, go on with that", out, upto)
    if before is None or kept is None:
        return Displaced(path, what, f"it could not be kept elsewhere: {why}", None)
    return Displaced(path, what, f"{_most(before.upto, last)} is kept in {kept}: {why}", kept, before.upto)


def _most(upto: int, last: int) -> str:
    return "all of it" if upto == last else f"all of it up to step {upto}"


async def _written(db: aiosqlite.Connection, folder: Path, stem: str, kept: Path | None) -> Path:
    """A copy that appears whole or not at all, and replaces nothing but an earlier one."""
    temporary = folder / f".{stem}.{uuid.uuid4().hex}.tmp"
    try:
        await db.execute_fetchall("VACUUM INTO ?", (os.fspath(temporary),))
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        out = kept if kept is not None and kept.parent == folder else _reserved(folder, stem)
        os.replace(temporary, out)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    return out


def _reserved(folder: Path, stem: str) -> Path:
    """A name that was free, now taken by an empty file."""
    for n in count(1):
        out = folder / (f"{stem}-kept-{n}.db" if n > 1 else f"{stem}-kept.db")
        with suppress(FileExistsError):
            os.close(os.open(out, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
            return out
    raise AssertionError("names never end")
