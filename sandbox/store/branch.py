"""Branches: new saves that share another's steps up to one of them. Also the list of saves in a folder."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from sandbox.core.text import clean
from sandbox.store import guard
from sandbox.store.errors import SaveError, explain_errors
from sandbox.store.facts import SaveInfo, StepRow
from sandbox.store.files import new_meta, publish_save
from sandbox.store.lock import INDEX, LOG, WriteLock, path_beside, wal
from sandbox.store.rescue import NOTE
from sandbox.store.save import Save

LONGEST = 1000  # letters of the path from a branch to its parent
ROOM = 32 << 10  # kilobytes of SQLite's page cache while a branch is made
UNNAMED = "unnamed"  # in meta, of a branch that nobody has named: hash of the path it was made at
PARENT_AT = "parent_at"  # in meta: path of the parent, relative to the folder of the branch
BY_STEP = (
    "snapshots",
    "memories",
    "feeds",
    "bookmarks",
    "interviews",
    "calls",
)  # tables to copy by step; vectors have none, and are not copied

FORK = "SELECT step, t, last_seq, digest FROM steps WHERE step = CAST(? AS INTEGER)"


class SaveListing(NamedTuple):
    """A file in a folder of saves: what it is, or why it cannot be opened."""

    path: Path
    info: SaveInfo | None
    error: str = ""


async def branch(
    source: Save | Path | str,
    step: int,
    out: Path | str,
    *,
    title: str | None = None,
    overwrite: bool = False,
    unnamed: bool = False,
) -> Path:
    """Write a save that ends at that step of the source, with a new identity and its parentage in meta.

    source: a file, or a save being played (its waiting steps are written first). The new file holds nothing of later
    steps, and appears whole or not at all. unnamed: it may be deleted when there are many such.
    Raises SaveError (no such step, out exists), and JournalFull if the source's disk is full.
    """
    out = Path(out)
    memory: sqlite3.Connection | None = None
    if isinstance(source, Save):
        if source.writes:
            await source.settle()
        memory = await source.copy() if source.in_memory else None
        source = source.path
    path = Path(source)
    if out.exists() and path.exists() and out.samefile(path):
        raise SaveError(out, "would be its own branch", "choose another name")
    notes = {} if title is None else {"title": title}
    notes |= {UNNAMED: made_as(out)} if unnamed else {}
    notes |= {PARENT_AT: at} if memory is None and (at := _seen_from(path, out)) else {}
    await asyncio.to_thread(_branch, memory, path, step, out, notes, overwrite)
    return out


def made_as(path: Path) -> str:
    """A hash of a file's full path, from which the path cannot be read."""
    return sha256(os.fsencode(os.path.realpath(path))).hexdigest()


def _seen_from(path: Path, out: Path) -> str:
    """The path of a file relative to the folder of `out`; "" if it would lead through the root of the file system,
    since it would then name the user's folders.
    """
    try:
        there, here = os.path.realpath(path), os.path.dirname(os.path.realpath(out))
        common = os.path.commonpath([there, here])
    except ValueError:
        return ""
    return "" if common == os.path.dirname(common) else Path(os.path.relpath(there, here)).as_posix()


def parent_path(save: SaveListing) -> Path | None:
    """Where the parent of a branch was when that was made; None if the save has no valid relative path to it."""
    at = save.info.meta.get(PARENT_AT, "") if save.info is not None and save.info.parent else ""
    if not at or len(at) > LONGEST or "\0" in at or os.path.isabs(at):
        return None
    return Path(os.path.normpath(Path(os.path.realpath(save.path)).parent / at))


def _branch(
    memory: sqlite3.Connection | None, path: Path, step: int, out: Path, own: Mapping[str, str], overwrite: bool
) -> None:
    db, still = (memory, False) if memory is not None else guard.reading(path)
    try:
        with explain_errors(path):
            found = db.execute("SELECT step, t, last_seq, digest FROM steps WHERE step = ?", (step,)).fetchone()
            if not found:
                last = db.execute("SELECT max(step) FROM steps").fetchone()[0]
                raise SaveError(path, f"has no step {step}", f"name one from 0 to {last}")
            end = StepRow(*found).checked(path)
            meta = dict(db.execute("SELECT key, value FROM meta"))

        def fill(new: sqlite3.Connection) -> None:
            source = db.execute("PRAGMA database_list").fetchone()[2]
            if source:
                _copied(new, path, still, step)
            else:  # in memory, or of an older format and so read from a copy in memory
                _cut(db, new, path, step)
            left = {UNNAMED, PARENT_AT, *([NOTE] if not SaveInfo.of(path, meta, end).unversioned else [])}
            notes = {
                **{key: value for key, value in meta.items() if key not in left},
                **own,
                "parent": meta.get("uid", ""),
                "parent_step": str(step),
                "parent_digest": end.digest.hex(),
            }
            new.execute("DELETE FROM meta")
            new.executemany("INSERT INTO meta VALUES (?, ?)", new_meta(notes).items())
            new.execute("COMMIT")
            new.execute("VACUUM" if not source else "DETACH source")  # what was deleted leaves the file

        publish_save(out, fill, overwrite).release()
    finally:
        db.close()
        if memory is None:
            guard.tidy(path)


def _copied(new: sqlite3.Connection, path: Path, still: bool, step: int) -> None:
    """Copy another save's rows up to a step into a new save; the transaction stays open. Later rows are not read: this
    takes half the time of copying the file and deleting, and a month of a town is over a hundred megabytes.
    """
    guard.attach_source(new, path, still)
    new.execute(f"PRAGMA main.cache_size = {-ROOM}")
    new.execute("PRAGMA main.journal_mode = OFF")  # a file that is not finished is thrown away
    new.execute("BEGIN IMMEDIATE")
    new.execute("INSERT INTO main.founding SELECT * FROM source.founding")
    new.execute("INSERT INTO main.steps SELECT * FROM source.steps WHERE step <= ?", (step,))
    upto = new.execute("SELECT last_seq FROM main.steps WHERE step = ?", (step,)).fetchone()[0]
    new.execute("INSERT INTO main.events SELECT * FROM source.events WHERE seq <= ?", (upto,))
    for table in BY_STEP:
        new.execute(f"INSERT INTO main.{table} SELECT * FROM source.{table} WHERE step <= ?", (step,))


def _cut(db: sqlite3.Connection, new: sqlite3.Connection, path: Path, step: int) -> None:
    """Copy a whole save into a new one, then delete all later than a step; the transaction stays open."""
    db.backup(new)
    new.execute("PRAGMA journal_mode = DELETE")
    new.execute("BEGIN IMMEDIATE")
    guard.check_inside(path, new)
    new.execute("DELETE FROM events WHERE seq > (SELECT last_seq FROM steps WHERE step = ?)", (step,))
    for table in (*BY_STEP, "steps"):
        new.execute(f"DELETE FROM {table} WHERE step > ?", (step,))
    new.execute("DELETE FROM vectors")  # they have no step, and may be of texts of later ones


async def saves_list(folder: Path | str) -> list[SaveListing]:
    """The saves (`*.db`) of a folder, the newest first; one that cannot be opened is listed with the reason."""
    return await asyncio.to_thread(_list, Path(folder))


async def read_listing(path: Path) -> SaveListing:
    """One save, as an entry of the list."""
    return await asyncio.to_thread(_look, path)


def _list(folder: Path) -> list[SaveListing]:
    files = [p for p in folder.glob("*.db") if p.is_file() and not p.name.startswith(".")] if folder.is_dir() else []
    return [_look(p) for p in sorted(files, key=lambda p: (-_touched(p), p.name))]


def _touched(path: Path) -> float:
    return max((p.stat().st_mtime for p in (path, wal(path)) if p.exists()), default=0.0)


@contextmanager
def _read(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads a file for a moment. Raises SaveError."""
    db, still = guard.reading(path)
    try:
        with explain_errors(path):
            yield db
    finally:
        db.close()
        if not still:
            guard.tidy(path)


def _look(path: Path) -> SaveListing:
    try:
        with _read(path) as db:
            meta = dict(db.execute("SELECT key, value FROM meta"))
            last = db.execute("SELECT step, t, last_seq, digest FROM steps ORDER BY step DESC LIMIT 1").fetchone()
            begun = db.execute("SELECT start FROM founding").fetchone()
            fork = db.execute(FORK, (meta.get("parent_step", ""),)).fetchone() if meta.get("parent") else None
            first = db.execute("SELECT digest FROM steps WHERE step = 0").fetchone()
        if last is None:
            return SaveListing(path, None, "holds no step")
        info = SaveInfo.of(path, meta, StepRow(*last).checked(path))
        start = begun[0] if begun and isinstance(begun[0], str) else ""
        root = first[0].hex() if first and isinstance(first[0], bytes) else ""
        left = StepRow(*fork) if fork else None
        return SaveListing(path, info._replace(start=start, root=root, fork=None if left and left.odd() else left))
    except SaveError as error:
        return SaveListing(path, None, str(error))


# ---- branches that nobody has named: the newest few in a folder are kept, and one that gets a name stays. A mark in
# meta holds the path such a branch was made at, hashed. One that has been renamed, or given a title, is somebody's; one
# that is open is left alone. Nothing else is ever deleted.


KEPT = 10  # unnamed branches in a folder
LONGEST_TITLE = 60  # letters of a title


async def by_the_way(source: Save | Path, step: int, out: Path, open: Collection[Path] = ()) -> Path:
    """Make an unnamed branch at that step; the oldest unnamed one beside it is deleted if there are more than KEPT.

    open: files being looked at, which stay. Raises SaveError, JournalFull.
    """
    made = await branch(source, step, out, unnamed=True)
    await asyncio.to_thread(_thin, made.parent, {os.path.realpath(path) for path in (*open, made)})
    return made


async def give_title(target: Save | Path, title: str) -> str:
    """Give a save a title, so that it stays. Returns the title as saved. Raises SaveError, also for an empty one."""
    title = clean(title, LONGEST_TITLE)
    path = target.path if isinstance(target, Save) else target
    if not title:
        raise SaveError(path, "cannot be called nothing", "give it a name")
    if isinstance(target, Save):
        await target.note("title", title)
        await target.note(UNNAMED, "")
        return title
    touched = os.stat(target) if target.exists() else None
    async with await Save.open(target) as opened:
        title = await give_title(opened, title)
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
    with _read(path) as db:
        return {str(key): str(value) for key, value in db.execute("SELECT key, value FROM meta")}


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
