"""Branches that nobody has named: the newest few in a folder are kept, and one that gets a name stays.

A mark in meta holds the path such a branch was made at, hashed. One that has been renamed, or given a title, is
somebody's; one that is open is left alone. Nothing else is ever deleted.
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

KEPT = 10  # unnamed branches in a folder
LONGEST = 60  # letters of a title


async def by_the_way(source: Save | Path, step: int, out: Path, open: Collection[Path] = ()) -> Path:
    """Make an unnamed branch at that step; the oldest unnamed one beside it is deleted if there are more than KEPT.

    open: files being looked at, which stay. Raises SaveError, JournalFull.
    """
    made = await branch(source, step, out, unnamed=True)
    await asyncio.to_thread(_thin, made.parent, {os.path.realpath(path) for path in (*open, made)})
    return made


async def name(target: Save | Path, title: str) -> str:
    """Give a save a title, so that it stays. Returns the title as saved. Raises SaveError, also for an empty one."""
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
    if touched is not None:  # lists sort by the last play, and this was none
        with suppress(OSError):
            os.utime(target, ns=(touched.st_atime_ns, touched.st_mtime_ns))
    return title


def is_unnamed(path: Path, meta: dict[str, str]) -> bool:
    """Whether a save was made as an unnamed branch, and has not been named or moved since."""
    return meta.get(UNNAMED) in (made_as(path), os.path.realpath(path))  # older saves have the path itself


def _thin(folder: Path, kept: Collection[str]) -> None:
    """Delete the oldest unnamed branches of a folder beyond KEPT, except those in `kept`."""
    found = sorted(_unnamed(folder), reverse=True)
    for _, _, path in found[KEPT:]:
        if os.path.realpath(path) not in kept:
            _delete(path)


def _unnamed(folder: Path) -> Iterator[tuple[str, int, Path]]:
    """The unnamed branches of a folder: time made, number in the name, path."""
    for path in folder.glob("*.db"):
        with suppress(OSError, SaveError):
            if path.is_symlink() or not path.is_file() or path.name.startswith("."):
                continue
            meta = _meta(path)
            if is_unnamed(path, meta):
                yield meta.get("created", ""), _number(path), path


def _number(path: Path) -> int:
    """The number at the end of a file's name, which orders those made in one second; 0 without one."""
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
    """Delete a save if it is still unnamed and nobody plays it."""
    with suppress(OSError, SaveError):
        lock = WriteLock.take(path)
        try:
            if is_unnamed(path, _meta(path)):
                for file in (path, path_beside(path, LOG), path_beside(path, INDEX)):
                    file.unlink(missing_ok=True)
        finally:
            lock.release()
