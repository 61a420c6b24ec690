"""The file of a save being played: whether it still holds what was written, and a spare copy of it.

Overwriting a file in place (`cp other.db x.db`, `rsync --inplace`) keeps the file and destroys its content. While a
save is played, its file changes only at checkpoints, when the log beside it is merged into it; so any other change is
seen by size and times, at every commit. The old content is then in the spare: the same bytes in a file without a name,
which ends with the program. Spare and log together are always the whole save. A large file gets a spare only after it
has been played for a moment: copying a month takes longer than a step.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import struct
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import aiosqlite

from sandbox.store.lock import Identity, identity, wal
from sandbox.store.own_log import FRAME, HEADER

PIECE = 1 << 20  # bytes that are copied or compared at a time
LARGE, MOMENT = 32 << 20, 2.0  # a file of more bytes is copied only after so many seconds of play


class Ground:
    """The file of a save being played here. file: a handle of it, which the save's lock keeps open until the end."""

    def __init__(self, path: Path, file: int) -> None:
        self._file, self._folder = file, Path(os.path.realpath(path)).parent
        self.log = wal(path)
        self.log_is: Identity | None = identity(self.log)
        self._spare: BinaryIO | None = None
        self._cut = False  # whether the last checkpoint was cut short
        self._left = threading.Event()
        self._looks = self._look()
        self._wanted = asyncio.Event()
        self._copying = asyncio.create_task(self._copy_soon(), name="spare")

    def _look(self) -> tuple[int, int, int]:
        """Size and times of the file."""
        seen = os.fstat(self._file)
        return seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns

    async def overwritten(self) -> bool:
        """Whether the file holds other bytes than were written here. Cheap while size and times are the same."""
        now = self._look()
        if now == self._looks:
            return False
        await self._copied()
        if self._spare is None:
            return now[:2] != self._looks[:2]
        if not await asyncio.to_thread(self._same):
            return True
        self._looks = now
        return False

    async def differs(self) -> bool:
        """Whether the file is known to hold other bytes than were written here, even if size and times are equal."""
        await self._copied()
        try:
            return self._spare is not None and not await asyncio.to_thread(self._same)
        except OSError:  # a part of it cannot even be read
            return True

    async def renew(self) -> None:
        """Make a new spare: another program has written to the file, which is whole."""
        await self._copied()
        self._drop()
        self._looks = self._look()
        self._copying = asyncio.create_task(self._copy_soon(), name="spare")

    async def checkpoint(self, db: aiosqlite.Connection) -> bool:
        """Merge the log into the file and the spare; return whether the file then holds what was written. The caller is
        the only one to write, and has checked `overwritten`. Raises sqlite3.Error.
        """
        await self._copied()
        try:
            ((_, frames, done),) = await db.execute_fetchall("PRAGMA wal_checkpoint(PASSIVE)")
        except sqlite3.OperationalError:  # cut short: the file alone is half written, but with the log it is whole
            await self.renew()
            self._cut = True
            raise
        self._looks = self._look()
        if self._spare is None:
            if self._cut:  # there may have been no room for one
                await self.renew()
            self._cut = False
            return True
        self._cut = False
        try:
            await asyncio.to_thread(self._follow, self._spare.fileno(), frames, done)
        except (OSError, struct.error):
            self._drop()
            return True
        spare = self._spare.fileno()
        return self._look()[0] == os.fstat(spare).st_size and os.pread(self._file, 100, 0) == os.pread(spare, 100, 0)

    async def write(self, out: Path) -> bool:
        """Write the whole save into a new file, with its log beside it; False if there is no spare. Raises OSError."""
        await self._copied()
        if self._spare is None:
            return False
        await asyncio.to_thread(self._write, self._spare.fileno(), out)
        return True

    async def leave(self, out: Path) -> bool:
        """Give the spare a name and put the log beside it: together they are the whole save, and need no more room on
        the disk. Return whether that worked. After it, only close the connection. Raises FileExistsError.
        """
        await self._copied()
        return self._spare is not None and await asyncio.to_thread(self._leave, self._spare.fileno(), out)

    def _leave(self, spare: int, out: Path) -> bool:
        try:
            handles = os.open("/proc/self/fd", os.O_RDONLY)
            try:  # only with a folder named so does it follow what it finds there
                os.link(str(spare), out, src_dir_fd=handles, follow_symlinks=True)
            finally:
                os.close(handles)
            kept = self.log.read_bytes() if identity(self.log) == self.log_is else b""
            try:
                wal(out).write_bytes(kept)
            except OSError:  # there is room for it where it lies
                self.empty_log()
                wal(out).write_bytes(kept)
        except FileExistsError:
            raise
        except OSError:
            return False
        return True

    def empty_log(self) -> None:
        """Empty the log, so that SQLite merges nothing into the file, which is another's by now. Never raises."""
        with suppress(OSError):
            if identity(self.log) == self.log_is:
                os.truncate(self.log, 0)

    async def close(self) -> None:
        """Delete the spare."""
        self._left.set()
        await self._copied()
        self._drop()

    async def _copy_soon(self) -> None:
        if self._looks[0] > LARGE:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), MOMENT)
        if not self._left.is_set():
            await asyncio.to_thread(self._copy)

    async def _copied(self) -> None:
        """Wait until the copy to the spare has ended."""
        self._wanted.set()
        await asyncio.wait([self._copying])

    def _drop(self) -> None:
        if self._spare is not None:
            self._spare.close()
            self._spare = None

    def _copy(self) -> None:
        """Make the spare; without room on the disk there is none."""
        spare: BinaryIO | None = None
        try:
            spare = _unnamed(self._folder)
            at, size = 0, self._looks[0]
            while at < size and not self._left.is_set():
                at += _moved(self._file, spare.fileno(), at, min(PIECE, size - at))
            if at == size and self._look()[:2] == self._looks[:2]:
                self._spare, spare = spare, None
        except (OSError, MemoryError):
            pass
        finally:
            if spare is not None:
                spare.close()

    def _same(self) -> bool:
        assert self._spare is not None
        spare = self._spare.fileno()
        size = os.fstat(spare).st_size
        if os.fstat(self._file).st_size != size:
            return False
        return all(
            os.pread(self._file, PIECE, at) == os.pread(spare, PIECE, at) for at in range(0, size, PIECE)
        )  # fmt: skip

    def _follow(self, spare: int, frames: int, done: int) -> None:
        """Repeat on the spare what a checkpoint did to the file. frames: how many the log has; done: how many were
        merged. Of each page only the last frame counts, and only if merged.
        """
        with self.log.open("rb") as log:
            page, pages = struct.unpack(">8xI20x", log.read(HEADER))[0], 0
            last: dict[int, int] = {}
            for n in range(frames):
                log.seek(HEADER + n * (FRAME + page))
                number, after = struct.unpack(">II16x", log.read(FRAME))
                last[number], pages = n, after or pages
            for number, n in last.items():
                if n < done and number <= pages:
                    log.seek(HEADER + n * (FRAME + page) + FRAME)
                    os.pwrite(spare, log.read(page), (number - 1) * page)
        if pages and done == frames:
            os.ftruncate(spare, pages * page)

    def _write(self, spare: int, out: Path) -> None:
        with out.open("xb", buffering=0) as file:
            at, size = 0, os.fstat(spare).st_size
            while at < size:
                at += _moved(spare, file.fileno(), at, min(PIECE, size - at))
        if identity(self.log) == self.log_is:
            shutil.copyfile(self.log, wal(out))


def _unnamed(folder: Path) -> BinaryIO:
    """A new file without a name, which can get one later if the system allows it. Raises OSError."""
    with suppress(AttributeError, OSError):
        return open(os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o644), "r+b", buffering=0)
    return tempfile.TemporaryFile(dir=folder, buffering=0)


def _moved(source: int, target: int, at: int, size: int) -> int:
    """Copy up to `size` bytes to the same place of another file; return how many. Raises OSError, also at the end."""
    if hasattr(os, "copy_file_range"):  # on some disks that copies nothing until one of the two is changed
        with suppress(OSError):
            if done := os.copy_file_range(source, target, size, at, at):
                return done
    data = os.pread(source, size, at)
    if not data:
        raise OSError("the file has become shorter")
    return os.pwrite(target, data, at)
