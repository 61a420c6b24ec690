"""Whether the write-ahead log beside a save belongs to it.

SQLite applies a `-wal` to whatever file has the name, for nothing in it says which file it was written for. If a copy
(a backup, another save) has replaced that file, the two would mix, and the next close would make that permanent. So
both are compared before a save that nobody plays is used with a log: together they must have every page, and what they
hold together must continue what the file holds alone.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from pathlib import Path
from typing import NamedTuple

from sandbox.core.events import ZERO, EventRow, chain_digest
from sandbox.core.places import read_ordinary
from sandbox.store.errors import SaveError, is_damage
from sandbox.store.facts import StepRow
from sandbox.store.lock import wal
from sandbox.store.schema import from_stored

HEADER, FRAME = 32, 24  # bytes before the first page of a log, and before each
LAST = "SELECT step, t, last_seq, digest FROM steps ORDER BY step DESC LIMIT 1"


class _Life(NamedTuple):
    """The uid of a save, and its last step."""

    uid: str
    end: StepRow


def check_pages(path: Path) -> None:
    """Refuse a file and its log if some page is in neither. Raises SaveError, OSError."""
    log = wal(path)
    if not log.exists():
        return
    with read_ordinary(path) as file:
        size, counted = struct.unpack(">16xH10xI", file.read(32))
        size, whole = 65536 if size == 1 else size, file.seek(0, os.SEEK_END)
    page, last, there = _pages(log)
    pages = whole // size if size else 0
    if not last or pages < counted:  # after a checkpoint that was cut short: it writes the first page first
        return
    if page != size or any(number not in there for number in range(pages + 1, last + 1)):
        raise _another(path)


def _pages(log: Path) -> tuple[int, int, set[int]]:
    """Of a log: bytes of a page, pages of the file after its last commit (0: no commit), and the pages it holds."""
    with read_ordinary(log) as file:
        head = file.read(HEADER)
        if len(head) < HEADER:
            return 0, 0, set()
        page, salts, last, there = int.from_bytes(head[8:12], "big"), head[16:24], 0, set[int]()
        while len(frame := file.read(FRAME)) == FRAME and frame[8:16] == salts:
            number, after = struct.unpack(">II", frame[:8])
            there.add(number)
            last = after or last
            file.seek(page, os.SEEK_CUR)
    return page, last, there


def check_own_log(path: Path, both: sqlite3.Connection, alone: sqlite3.Connection) -> None:
    """Refuse a log that does not continue what the file holds. Raises SaveError, and sqlite3.Error for other faults.

    both: reads file and log; alone: only the file, which is half written if a checkpoint was cut short: then all
    passes.
    """
    try:
        file = _life(alone)
    except (sqlite3.Error, ValueError):
        return
    try:
        whole = _life(both)
        if whole.uid == file.uid and digests_match(both, whole.end, file.end):
            return
    except ValueError:
        pass
    except sqlite3.Error as error:
        if not is_damage(error) and getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR:
            raise
    raise _another(path)


def _life(db: sqlite3.Connection) -> _Life:
    """Read uid and last step. Raises ValueError if the save's parts do not fit each other, and sqlite3.Error."""
    found = db.execute(LAST).fetchone()
    end = StepRow(*found) if found else None
    (most,) = db.execute("SELECT max(seq) FROM events").fetchone()
    (many,) = db.execute("SELECT count(*) FROM events").fetchone()
    uid = db.execute("SELECT value FROM meta WHERE key = 'uid'").fetchone()
    if end is None or end.odd() or not end.last_seq == most == many or uid is None:
        raise ValueError("is not whole")
    return _Life(str(uid[0]), end)


def _another(path: Path) -> SaveError:
    log = wal(path).name
    what = f"has the log of another file beside it ({log}): a copy was put in the place of the one it was written with"
    return SaveError(
        path, what, f"move {log} away to open this one; what it holds goes with that other file, keep both"
    )


def digests_match(db: sqlite3.Connection, last: StepRow, begin: StepRow | None = None) -> bool:
    """Whether a save has every step up to `last`, each with the events of its digest; checked from the step after
    `begin`, which is known to be right, or from the first.
    """
    first, after, digest = (-1, 0, ZERO) if begin is None else (begin.step, begin.last_seq, begin.digest)
    kept = db.execute("SELECT * FROM events WHERE seq > ? ORDER BY seq", (after,))
    rows = (EventRow._make(from_stored((row,))[0]) for row in kept)
    row = next(rows, None)
    steps = db.execute("SELECT step, last_seq, digest FROM steps WHERE step > ? ORDER BY step", (first,))
    number = first
    for number, (step, end, kept) in enumerate(steps, first + 1):
        some = list[EventRow]()
        while row is not None and row.seq <= end:
            some.append(row)
            row = next(rows, None)
        digest = chain_digest(digest, number, some)
        if (number, digest) != (step, kept):
            return False
    return (number, digest) == (last.step, last.digest)
