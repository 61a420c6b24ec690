"""Who may write a save: one process at a time.

SQLite holds no lock between two transactions, so a writer holds two locks of the operating system: one for the name, on
a side file `NAME-lock`, and one on the file itself, which may have a second name, or be renamed. Both end with their
process, however it ends; a side file left by a killed process means nothing, and the next clean close removes it.
Readers need no lock.

The lock on the file is on one byte far behind its end, and belongs to an open file description. A lock of the process
would be lost when any handle of the file is closed; one on the whole file would, on some systems, shut out SQLite's own
locks. These are of the process: they are lost if a handle of the file is closed before SQLite has closed its own. So
the handle with our lock is closed last, and no other is opened for a file that is played here.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sandbox.core.places import open_ordinary, read_ordinary
from sandbox.store.errors import NameTaken, SaveError, explain_errors

LOG, INDEX, JOURNAL, LOCK = "-wal", "-shm", "-journal", "-lock"
SIDES = (LOG, INDEX, LOCK)  # side files that we and SQLite make
Identity = tuple[int, int]  # device and inode of a file


def path_beside(path: Path, suffix: str) -> Path:
    """The path of a side file of a save."""
    return Path(os.path.realpath(path) + suffix)


def wal(path: Path) -> Path:
    """The write-ahead log SQLite keeps beside a save that is open."""
    return path_beside(path, LOG)


def identity(path: Path) -> Identity | None:
    """Device and inode of the file with that name now; None if there is none. Raises OSError if that is unknown."""
    try:
        seen = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return seen.st_dev, seen.st_ino


def check_apart(path: Path, played: Callable[[Path], bool]) -> None:
    """Refuse a name that belongs to a side file of a save, or of a save to come. Raises SaveError.

    played: whether this program plays a save (`ours`). Such a save is not opened here: closing it would drop SQLite's
    locks on it.
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
    """How many other names (hard links) a file has, and which of these are in its folder. Raises OSError."""
    real = Path(os.path.realpath(path))
    seen = os.stat(real)
    if seen.st_nlink < 2:
        return 0, []
    found = [
        real.with_name(e.name) for e in os.scandir(real.parent) if e.inode() == seen.st_ino and e.name != real.name
    ]
    return seen.st_nlink - 1, sorted(p for p in found if identity(p) == (seen.st_dev, seen.st_ino))


def check_single(path: Path) -> None:
    """Refuse to play a file that has another name: its log is beside one name, so under the other its last steps are
    missing, and after a crash its pages do not fit each other. Raises SaveError.
    """
    with explain_errors(path):
        many, near = namesakes(path)
    if many:
        which = f"with {near[0].name}" if near else f"with {many} other name{'s' * (many > 1)} elsewhere"
        mend = f"`cp {path.name} FILE` makes it a file of its own, or delete the other name"
        raise SaveError(path, f"is one file {which} (a hard link), and can be played under a single name alone", mend)


def check_log(path: Path) -> None:
    """Refuse to read a file whose log is beside another name of it. Raises SaveError."""
    with explain_errors(path):
        near = [] if wal(path).exists() else namesakes(path)[1]
        for other in near:
            if wal(other).exists():
                raise SaveError(path, f"is one file with {other.name}, beside which its log is", f"name {other.name}")


def check_sides(path: Path) -> None:
    """Refuse what must not be beside a save, before SQLite finds it. Raises SaveError.

    SQLite would apply a rollback journal to the file unseen; no save of ours has one, for ours use a write-ahead log. A
    side file that is no ordinary file, or a link, would be waited on or written through.
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


_OURS: set[Path] = set()  # the side files this program holds
_PLAYED: set[Identity] = set()  # the files this program plays
BY_ANOTHER = "is being played by another process"
FAR = 1 << 62  # the byte that is locked; SQLite's lie at 2^30
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
TRIES, PAUSE = 4, 0.02  # tries to get a lock, and seconds between them

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _grab(fd: int, shared: bool) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

    def _hold(fd: int) -> None:
        """On Windows nothing: an open file can be neither linked nor renamed while SQLite has it."""

    def _is_held(fd: int) -> bool:
        return False
else:
    import fcntl

    def _grab(fd: int, shared: bool) -> None:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

    _MAC = sys.platform == "darwin"  # whose constants Python does not name
    _SET = getattr(fcntl, "F_OFD_SETLK", 90 if _MAC else None)
    _GET = getattr(fcntl, "F_OFD_GETLK", 92 if _MAC else None)

    def _asked(fd: int, how: int, kind: int) -> int:
        """Ask for a lock of one byte; return the kind of lock in the answer."""
        if _MAC:  # start, length, process, kind, from where
            return int(struct.unpack("qqihh", fcntl.fcntl(fd, how, struct.pack("qqihh", FAR, 1, 0, kind, 0)))[3])
        return int(struct.unpack("hhqqi0q", fcntl.fcntl(fd, how, struct.pack("hhqqi0q", kind, 0, FAR, 1, 0)))[0])

    def _hold(fd: int) -> None:
        """Lock the file. Raises BlockingIOError or PermissionError if another has; OSError where there are no locks."""
        if _SET is not None:
            _asked(fd, _SET, fcntl.F_WRLCK)

    def _is_held(fd: int) -> bool:
        """Whether another has locked the file."""
        return _GET is not None and _asked(fd, _GET, fcntl.F_RDLCK) != fcntl.F_UNLCK


def side_file(path: Path) -> Path:
    """The path of a save's lock file."""
    return path_beside(path, LOCK)


def ours(path: Path) -> bool:
    """Whether this program plays the save, under this name or another."""
    return side_file(path) in _OURS or _ours(path)


def _ours(path: Path) -> bool:
    with suppress(OSError):
        return identity(path) in _PLAYED
    return False


class WriteLock:
    """The lock of a save, held from opening it for writing until its close."""

    def __init__(self, side: Path, fd: int) -> None:
        self._side, self._fd = side, fd
        self.file = -1  # a handle of the save itself
        self._is: Identity | None = None  # which file that is
        _OURS.add(side)

    @classmethod
    def take(cls, path: Path) -> WriteLock:
        """Lock a save. Raises SaveError at once if another process or part of this one plays it, by any name."""
        lock = cls._named(path)
        try:
            lock.hold(path)
        except BaseException:
            lock.release()
            raise
        return lock

    def hold(self, path: Path) -> None:
        """Also lock the file of that name, if it exists; a file locked before is let go. Raises SaveError."""
        if sys.platform == "win32":  # pragma: no cover - it could not be moved then
            return
        with explain_errors(path):
            found = identity(path)
            if found is None or found == self._is:
                return
            if found in _PLAYED:
                raise SaveError(path, f"{BY_ANOTHER}, under another name", "close it there")
            try:
                fd = open_ordinary(path, os.O_RDWR)
            except OSError:  # it may not be written; whoever opens it reports that
                return
            try:
                _hold(fd)
            except (BlockingIOError, PermissionError):
                os.close(fd)
                raise SaveError(path, f"{BY_ANOTHER}, under another name", "close it there") from None
            except OSError:
                pass  # a disk without such locks: that of the name is all there is
            self._let_go()
            seen = os.fstat(fd)
            self.file, self._is = fd, (seen.st_dev, seen.st_ino)
            _PLAYED.add(self._is)

    def _let_go(self) -> None:
        if self._is is not None:
            _PLAYED.discard(self._is)
            os.close(self.file)
            self.file, self._is = -1, None

    @classmethod
    def _named(cls, path: Path) -> WriteLock:
        """Take the lock of the name alone."""
        side = side_file(path)
        with explain_errors(path):
            tries = 0
            while True:
                fd = open_ordinary(side, os.O_RDWR | os.O_CREAT | _NO_LINK)
                try:
                    _grab(fd, shared=False)
                except (BlockingIOError, PermissionError):
                    os.close(fd)
                    tries += 1
                    if tries < TRIES:  # a reader holds it for a moment while it checks who writes
                        time.sleep(PAUSE)
                        continue
                    raise NameTaken(path, BY_ANOTHER, "close it there, or branch from this save") from None
                except OSError:  # a disk without locks: the key of `steps` still stops a second writer
                    return cls(side, fd)
                if _same(fd, side):
                    return cls(side, fd)
                os.close(fd)  # its holder removed the file between our open and our lock

    def release(self) -> None:
        """Release all locks and remove the side file. Never raises."""
        self._let_go()
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

    __del__ = release  # a cancelled task may drop a lock before anybody has it


def played_elsewhere(path: Path) -> bool:
    """Whether the file is played under another name: its log is not beside this one, its pages may not fit."""
    for _ in range(TRIES):
        if not _held(path) or is_being_written(path) or wal(path).exists():
            return False
        time.sleep(PAUSE)  # it may have been closed between the two checks
    return True


def _held(path: Path) -> bool:
    """Whether anybody plays that file, under any name."""
    if _ours(path):
        return True
    try:
        fd = open_ordinary(path)
    except OSError:
        return False
    try:
        return _is_held(fd)
    except OSError:
        return False
    finally:
        os.close(fd)


def is_being_written(path: Path) -> bool:
    """Whether anybody plays the save under this name now."""
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
