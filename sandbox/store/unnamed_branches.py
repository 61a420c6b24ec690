"""Branches made by the way, which nobody has named: the newest few of a folder are kept, and one that is named stays.

A mark in meta says which file such a branch was made as. One that has another name by now is somebody's, as is one with
a title of its own; one that is open is left alone. Nothing else is ever deleted.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from sandbox.core.text import clean
from sandbox.store import guard
from sandbox.store.branch import UNNAMED, branch, made_as
from sandbox.store.errors import SaveError, explain_errors
from sandbox.store.lock import INDEX, LOG, WriteLock, path_beside
from sandbox.store.save import Save

KEPT = 10
LONGEST = 60  # letters of a title


async def by_the_way(source: Save | Path, step: int, out: Path, open: Collection[Path] = ()) -> Path:
    """A branch at that step that nobody has named; the oldest such beside it goes if there are more than KEPT.

    open: files that are being looked at, and stay. Raises SaveError, JournalFull.
    """
    made = await branch(source, step, out, unnamed=True)
    await asyncio.to_thread(_thin, made.parent, {os.path.realpath(path) for path in (*open, made)})
    return made


async def name(target: Save | Path, title: str) -> str:
    """Call a save something; from then on it stays. The title as it is kept. Raises SaveError, also for no name."""
    title = clean(title, LONGEST)
    path = target.path if isinstance(target, Save) else target
    if not title:
        raise SaveError(path, "cannot be called nothing", "give it a name")
    if isinstance(target, Save):
        await target.note("title", title)
        await target.note(UNNAMED, "")
        return title
    touched = os.stat(target) if target.exists() else None
    async with await Save.open(target) as opened:
        title = await name(opened, title)
    if touched is not None:  # lists have what was played last first, and that it was not
        with suppress(OSError):
            os.utime(target, ns=(touched.st_atime_ns, touched.st_mtime_ns))
    return title


def is_unnamed(path: Path, meta: dict[str, str]) -> bool:
    """Whether a save was made by the way and has not been named since."""
    return meta.get(UNNAMED) in (made_as(path), os.path.realpath(path))  # the second: of saves made before


def _thin(folder: Path, kept: Collection[str]) -> None:
    """Delete the oldest unnamed branches of a folder beyond KEPT, but none of those."""
    found = sorted(_unnamed(folder), reverse=True)
    for _, _, path in found[KEPT:]:
        if os.path.realpath(path) not in kept:
            _delete(path)


def _unnamed(folder: Path) -> Iterator[tuple[str, int, Path]]:
    """Those of a folder: when each was made, by the clock and by its file, and the file."""
    for path in folder.glob("*.db"):
        with suppress(OSError, SaveError):
            if path.is_symlink() or not path.is_file() or path.name.startswith("."):
                continue
            meta = _meta(path)
            if is_unnamed(path, meta):
                yield meta.get("created", ""), _number(path), path


def _number(path: Path) -> int:
    """The number that a file's name ends with, of those made in one second; 0 if with none."""
    last = path.stem.rpartition("-")[2]
    return int(last) if last.isdecimal() and len(last) < 10 else 0


def _meta(path: Path) -> dict[str, str]:
    db, still = guard.reading(path)
    try:
        with explain_errors(path):
            return {str(key): str(value) for key, value in db.execute("SELECT key, value FROM meta")}
    finally:
        db.close()
        if not still:
            guard.tidy(path)


def _delete(path: Path) -> None:
    """Delete a save that is unnamed still, unless somebody plays it."""
    with suppress(OSError, SaveError):
        lock = WriteLock.take(path)
        try:
            if is_unnamed(path, _meta(path)):
                for file in (path, path_beside(path, LOG), path_beside(path, INDEX)):
                    file.unlink(missing_ok=True)
        finally:
            lock.release()
