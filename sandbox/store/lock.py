"""Who may write a save: one process at a time.

SQLite holds no lock between two transactions, so the intention to write is a lock of the operating system on a side
file `NAME-lock`. It ends with its process, however that ends; a side file left by a kill means nothing, and the next
clean close removes it. Whoever only reads asks for no lock.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from sandbox.core.ordinary import open_ordinary
from sandbox.store.errors import SaveError, telling
from sandbox.store.place import LOCK, beside

_OURS: set[Path] = set()  # the side files this program holds
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
TRIES, PAUSE = 4, 0.02  # seconds

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _grab(fd: int, shared: bool) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _grab(fd: int, shared: bool) -> None:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def side_file(path: Path) -> Path:
    """Where the lock of this save lies."""
    return beside(path, LOCK)


def ours(path: Path) -> bool:
    """Whether it is this program that plays the save."""
    return side_file(path) in _OURS


class WriteLock:
    """Held from opening a save for writing until its close."""

    def __init__(self, side: Path, fd: int) -> None:
        self._side, self._fd = side, fd
        _OURS.add(side)

    @classmethod
    def take(cls, path: Path) -> WriteLock:
        """Raises SaveError at once if another process (or another part of this one) plays the save."""
        side = side_file(path)
        with telling(path):
            tries = 0
            while True:
                fd = open_ordinary(side, os.O_RDWR | os.O_CREAT | _NO_LINK)
                try:
                    _grab(fd, shared=False)
                except (BlockingIOError, PermissionError):
                    os.close(fd)
                    tries += 1
                    if tries < TRIES:  # a reader may hold it for the blink in which it asks who writes
                        time.sleep(PAUSE)
                        continue
                    raise SaveError(
                        path, "is being played by another process", "close it there, or branch from this save"
                    ) from None
                except OSError:  # a disk without locks: the key of `steps` still stops a second writer
                    return cls(side, fd)
                if _same(fd, side):
                    return cls(side, fd)
                os.close(fd)  # its holder removed the file between our open and our lock

    def release(self) -> None:
        """Give the save free and remove the side file. Never raises."""
        if self._fd < 0:
            return
        _OURS.discard(self._side)
        if sys.platform == "win32":  # pragma: no cover
            os.close(self._fd)  # an open file cannot be removed there; one that another has opened stays
            _remove(self._side)
        else:
            if _same(self._fd, self._side):
                _remove(self._side)
            os.close(self._fd)
        self._fd = -1

    __del__ = release  # a cancel may drop a lock nobody has got hold of yet


def being_written(path: Path) -> bool:
    """Whether somebody holds the save's write lock now."""
    try:
        fd = open_ordinary(side_file(path), os.O_RDWR | _NO_LINK)
    except OSError:
        return False
    try:
        _grab(fd, shared=True)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False


def _same(fd: int, side: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), side.stat())
    except OSError:
        return False


def _remove(side: Path) -> None:
    with suppress(OSError):
        side.unlink(missing_ok=True)
