"""Where a save lies: which file has its name, and what may stand beside it.

SQLite keeps its side files beside the file itself, so links are followed: two names of one save share them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from sandbox.core.ordinary import read_ordinary
from sandbox.store.errors import SaveError, explain_errors

LOG, INDEX, JOURNAL, LOCK = "-wal", "-shm", "-journal", "-lock"
SIDES = (LOG, INDEX, LOCK)  # what we and SQLite put there
Identity = tuple[int, int]  # device and number of a file


def path_beside(path: Path, suffix: str) -> Path:
    """The side file of a save."""
    return Path(os.path.realpath(path) + suffix)


def wal(path: Path) -> Path:
    """The write-ahead log SQLite keeps beside a save that is open."""
    return path_beside(path, LOG)


def identity(path: Path) -> Identity | None:
    """Which file has that name now; None if none has. Raises OSError if that cannot be told."""
    try:
        seen = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return seen.st_dev, seen.st_ino


def check_apart(path: Path, played: Callable[[Path], bool]) -> None:
    """Refuse to write what would take the name of a side file of a save, or of a save to come. Raises SaveError.

    played: whether this program plays a save (lock.py: ours). Such a file is not opened here: as it is closed, the
    locks that SQLite has on it would go.
    """
    for name in dict.fromkeys((str(path), os.path.realpath(path))):
        suffix = next((s for s in (*SIDES, JOURNAL) if name.lower().endswith(s)), "")
        save = Path(name[: -len(suffix)]) if suffix else None
        if save is not None and (save.suffix.lower() == ".db" or played(save) or _is_database(save)):
            raise SaveError(path, f"is a name that belongs to the save {save.name}", "choose another name")


def _is_database(path: Path) -> bool:
    try:
        with read_ordinary(path) as file:
            return file.read(15) == b"SQLite format 3"
    except (OSError, ValueError):
        return False


def namesakes(path: Path) -> tuple[int, list[Path]]:
    """How many other names a file has, and those that stand in its folder. Raises OSError."""
    real = Path(os.path.realpath(path))
    seen = os.stat(real)
    if seen.st_nlink < 2:
        return 0, []
    found = [
        real.with_name(e.name) for e in os.scandir(real.parent) if e.inode() == seen.st_ino and e.name != real.name
    ]
    return seen.st_nlink - 1, sorted(p for p in found if identity(p) == (seen.st_dev, seen.st_ino))


def check_single(path: Path) -> None:
    """Refuse to play a file that has another name: its log lies beside the one it is opened by, so that under the other
    its last steps are missing, and after a crash its pages do not fit each other. Raises SaveError.
    """
    with explain_errors(path):
        many, near = namesakes(path)
    if many:
        which = f"with {near[0].name}" if near else f"with {many} other name{'s' * (many > 1)} elsewhere"
        mend = f"`cp {path.name} FILE` makes it a file of its own, or delete the other name"
        raise SaveError(path, f"is one file {which} (a hard link), and can be played under a single name alone", mend)


def check_log(path: Path) -> None:
    """Refuse to read a file whose log was left beside another name of it. Raises SaveError."""
    with explain_errors(path):
        near = [] if wal(path).exists() else namesakes(path)[1]
        for other in near:
            if wal(other).exists():
                raise SaveError(path, f"is one file with {other.name}, beside which its log is", f"name {other.name}")


def check_sides(path: Path) -> None:
    """Refuse what must not stand beside a save, before SQLite meets it. Raises SaveError.

    A rollback journal would be played into the file, unseen; no save of ours has one, for ours keep a write-ahead log.
    A side file that is none, or a link to somewhere else, would be waited on or written through.
    """
    with explain_errors(path):
        for suffix in (*SIDES, JOURNAL):
            side = path_beside(path, suffix)
            try:
                mode = os.lstat(side).st_mode
            except FileNotFoundError:
                continue
            if suffix == JOURNAL:
                raise SaveError(
                    path,
                    f"has another program's unfinished change beside it ({side.name})",
                    "move that file away, then prove the save with `sandbox replay SAVE --verify`",
                )
            if not stat.S_ISREG(mode):
                raise SaveError(path, f"has something beside it that is no ordinary file ({side.name})", "move it away")
