"""Opening ordinary files only: a pipe or a device that stands in a file's place is refused, never waited on."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
_RAW = getattr(os, "O_BINARY", 0)


def must_be_ordinary(mode: int, path: Path) -> None:
    """Raise OSError unless a file's mode (`st_mode`) is that of an ordinary file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "no ordinary file", str(path))


def open_ordinary(path: Path, flags: int = os.O_RDONLY) -> int:
    """A descriptor of an ordinary file, links followed. flags: as `os.open` takes them.

    Looked at before, for some devices act when they are opened, and after, for it may be another by then. Raises
    OSError.
    """
    try:
        must_be_ordinary(os.stat(path).st_mode, path)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    fd = os.open(path, flags | _AT_ONCE | _RAW, 0o644)
    try:
        must_be_ordinary(os.fstat(fd).st_mode, path)
    except BaseException:
        os.close(fd)
        raise
    return fd


def read_ordinary(path: Path) -> BinaryIO:
    """An ordinary file open for reading its bytes. Raises OSError."""
    return os.fdopen(open_ordinary(path), "rb")
