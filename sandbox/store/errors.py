"""What can be wrong with a save, said in one line: the file, the fault, and how to fix it."""

from __future__ import annotations

import errno
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from sandbox.core.faults import safe
from sandbox.core.plain import safe_line
from sandbox.core.room import left

COPY = "restore a copy of the file, or branch from another save"
NOT_OURS = "name a file that `sandbox play` or `sandbox run --save` made"


class SaveError(Exception):
    """A save that cannot be opened, read or written. `str()` is one line for a person, whatever the file holds.

    what: the fault; mend: how to fix it; code: exit code of the command that ends with it.
    """

    code = 2

    def __init__(self, path: Path | str, what: str, mend: str) -> None:
        what = safe(what)
        super().__init__(safe_line(f"{path}: {what}; {mend}"))
        self.path, self.what, self.mend = Path(path), what, mend


class NameTaken(SaveError):
    """A name that is taken: the file exists, or another process or part of this one holds its lock."""


class Displaced(SaveError):
    """The file of a save being played was deleted, replaced, overwritten or damaged. kept: where the save is now, None
    if nowhere; upto: the last step in that file.
    """

    code = 1

    def __init__(self, path: Path, what: str, mend: str, kept: Path | None, upto: int = -1) -> None:
        super().__init__(path, what, mend)
        self.kept, self.upto = kept, upto


class OutOfReach(SaveError):
    """A save that cannot be read or written at the moment; its content is not known to be wrong."""


class OutOfMemory(OutOfReach):
    """There is too little memory to read or write a save; nothing is wrong with it."""

    code = 1

    def __init__(self, path: Path | str) -> None:
        more = "close other programs" if left() is None else "raise the limit of this shell (`ulimit -v`)"
        super().__init__(path, "needs more memory than there is", f"{more} and try again")


_LOCKED = (OutOfReach, "is locked by another program", "close that program, or work on a copy of the file")
_CLOSED = (OutOfReach, "cannot be opened", "check the rights of the file and of its folder")
_SAYINGS: dict[int, tuple[type[SaveError], str, str]] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_NOTADB: (SaveError, "is not a save", NOT_OURS),
    sqlite3.SQLITE_CORRUPT: (SaveError, "is damaged", COPY),
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_READONLY: (OutOfReach, "may not be written", "check the rights of the file and of its folder"),
    sqlite3.SQLITE_FULL: (OutOfReach, "has no room left on its disk", "make room and try again"),
    sqlite3.SQLITE_IOERR: (OutOfReach, "could not be read or written by the disk", "check the disk, then try again"),
    sqlite3.SQLITE_TOOBIG: (SaveError, "holds a value larger than any save has", "do not use this file"),
    sqlite3.SQLITE_AUTH: (SaveError, "holds something that would act by itself", "do not use this file"),
    sqlite3.SQLITE_CONSTRAINT: (SaveError, "does not take what should follow its last step", COPY),
}


LARGER = "raise that limit (`ulimit -f unlimited`), or check the disk, and try again"


def largest() -> str:
    """The size limit for files in this shell, in words; "" without one."""
    if sys.platform == "win32":  # pragma: no cover
        return ""
    import resource

    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return "" if limit == resource.RLIM_INFINITY else f"{limit:,} bytes"


def explain(path: Path | str, error: sqlite3.Error) -> SaveError:
    """Turn a database error into a SaveError. The original message stands in brackets."""
    code = getattr(error, "sqlite_errorcode", None)
    if code in (sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_IOERR_NOMEM):
        return OutOfMemory(path)
    plain = sqlite3.SQLITE_CORRUPT if code is None else code & 0xFF
    if plain == sqlite3.SQLITE_IOERR and (most := largest()):
        return OutOfReach(path, f"could not be written ({error}): no file may be larger than {most} here", LARGER)
    kind, what, mend = _SAYINGS.get(plain, (SaveError, "cannot be read", COPY))
    return kind(path, f"{what} ({error})", mend)


def is_damage(error: BaseException) -> bool:
    """Whether a database error means that the file is damaged."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def bad_rows_error(path: Path | str, error: Exception, what: str, mend: str = COPY) -> SaveError:
    """The error for rows of a save that cannot be used: `what`, unless only memory was short."""
    return OutOfMemory(path) if isinstance(error, MemoryError) else SaveError(path, what, mend)


@contextmanager
def explain_faults(path: Path | str, what: Callable[[Exception], str], mend: str = COPY) -> Iterator[None]:
    """Turn any error about rows of a save, which may come from anywhere, into a SaveError. what: its words."""
    try:
        yield
    except SaveError:
        raise
    except Exception as error:
        raise bad_rows_error(path, error, what(error), mend) from error


def explain_unfitting(path: Path | str) -> AbstractContextManager[None]:
    """Turn errors from applying an event into a SaveError: it may name people who do not live there."""
    return explain_faults(path, lambda error: f"holds an event that does not fit its world ({error!r})")


def explain_unreadable(path: Path | str) -> AbstractContextManager[None]:
    """Turn errors from decoding an event into a SaveError."""
    return explain_faults(path, lambda error: f"holds an event that cannot be read ({error})")


@contextmanager
def explain_errors(path: Path | str) -> Iterator[None]:
    """Turn every database or file error inside into a SaveError."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(path, error) from error
    except MemoryError as error:
        raise OutOfMemory(path) from error
    except PermissionError as error:
        raise OutOfReach(path, "may not be opened", "check the rights of the file and of its folder") from error
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise OutOfReach(
                path, f"could not be written: no file may be larger than {largest()} here", LARGER
            ) from error
        raise OutOfReach(path, f"cannot be used ({error.strerror or error})", "check the name and the disk") from error
