"""A save whose file is deleted or replaced while it is played: the open connection still has all of it, and it is
written whole under another name.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import aiosqlite

from sandbox.core.places import saves_dir
from sandbox.store.errors import Displaced, explain


async def rescue(db: aiosqlite.Connection, path: Path, kept: Path | None, waiting: int) -> Displaced:
    """Write all that a connection has kept into a file beside the save, or among the saves if that cannot be.

    kept: the file an earlier call made, which is made anew. waiting: steps that the connection could not take. Returns
    what is to be said of it. No transaction is open.
    """
    most = f"all of it but the last {waiting} steps" if waiting else "all of it"
    what = "was replaced by another file" if os.path.lexists(path) else "was deleted"
    why = "its folder is gone"
    for folder in dict.fromkeys((path.parent if kept is None else kept.parent, saves_dir())):
        if folder != saves_dir() and not folder.is_dir():
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            out = await _written(db, folder, path.stem, kept)
        except sqlite3.Error as error:
            why = f"the copy {explain(path, error).what}"
        except OSError as error:
            why = f"{folder}: {(error.strerror or str(error)).lower()}"
        else:
            return Displaced(path, f"{what} while it was played", f"{most} is kept in {out}, go on with that", out)
    return Displaced(path, f"{what} while it was played", f"it could not be kept elsewhere ({why})", None)


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
    for out in _names(folder, stem):
        with suppress(FileExistsError):
            os.close(os.open(out, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
            return out
    raise AssertionError("names never end")


def _names(folder: Path, stem: str) -> Iterator[Path]:
    yield folder / f"{stem}-kept.db"
    yield from (folder / f"{stem}-kept-{n}.db" for n in count(2))
