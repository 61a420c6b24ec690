"""Reading the caches of a save: snapshots, and blocks of memories and of a feed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path
from typing import Any, Literal

from sandbox.store import caches
from sandbox.store.errors import COPY, OutOfMemory, SaveError
from sandbox.store.facts import StepRow

BLOCK = "step, seq, after, format, size, digest, data"


class CacheReader(ABC):
    """The part of a save's reader that reads the cache tables."""

    path: Path

    @abstractmethod
    async def _fetch(self, sql: str, values: Iterable[Any] = ()) -> list[Any]: ...

    @abstractmethod
    def _warn(self, text: str) -> None: ...

    async def cached(self, table: Literal["snapshots", "memories", "feeds"]) -> list[int]:
        """The steps that have a row in this table."""
        return [step for (step,) in await self._fetch(f"SELECT step FROM {table} ORDER BY step")]

    async def snapshot(self, step: int) -> caches.Snapshot:
        """The snapshot of a step, unchecked. Raises SaveError if there is none."""
        found = await self._fetch("SELECT step, seq, format, size, digest, data FROM snapshots WHERE step = ?", (step,))
        if not found:
            raise SaveError(self.path, f"has no snapshot of step {step}", COPY)
        return caches.Snapshot(*found[0])

    async def state(self, step: int, last_seq: int, digest: bytes, most: int) -> bytes:
        """The state of the world in the snapshot of a step. last_seq, digest: of that step in `steps`; most: bytes it
        may have. Raises BadCache, or SaveError if there is none.
        """
        row = await self.snapshot(step)
        if not (whole := caches.base_step(row)):
            return caches.unpack_state(row, last_seq, digest, most)
        base = await self.snapshot(whole)
        for seq, its in await self._fetch("SELECT last_seq, digest FROM steps WHERE step = ?", (whole,)):
            by = caches.BaseState(whole, base.digest, caches.unpack_state(base, seq, its, caches.ROOM + 2 * most))
            return caches.unpack_state(row, last_seq, digest, most, by)
        raise caches.BadCache(f"it is told by step {whole}, which is not there")

    async def block(self, end: StepRow) -> caches.BlockPieces:
        """The block of memories saved at a step, verified by its checksum, not unpacked. Raises BadCache."""
        found = await self._fetch(f"SELECT {BLOCK} FROM memories WHERE step = ?", (end.step,))
        if not found:
            raise caches.BadCache("there is none")
        return caches.unpack_block(caches.BlockRow(*found[0]), end.last_seq, end.digest)

    async def _chain(self, table: Literal["memories", "feeds"], upto: int) -> list[StepRow]:
        """The steps with the fewest blocks that follow each other without a gap from event 0 to `upto`."""
        sql = (
            f"SELECT step, seq, after, steps.t, last_seq, steps.digest FROM {table} JOIN steps USING (step)"
            " WHERE typeof(seq) = 'integer' AND seq <= ? ORDER BY step"
        )
        rows = await self._fetch(sql, (upto,))
        chain = {*caches.steps_in_chain([row[:3] for row in rows])}
        return [StepRow(row[0], *row[3:]) for row in rows if row[0] in chain]

    async def feed_block(self, end: StepRow, bulk: int) -> tuple[int, bytes]:
        """The block of a feed saved at a step, verified and unpacked, after the number of the event after which it
        begins. bulk: users of the crowd (`World.bulk`). Raises BadCache.
        """
        found = await self._fetch(f"SELECT {BLOCK} FROM feeds WHERE step = ?", (end.step,))
        if not found:
            raise caches.BadCache("there is none")
        row = caches.BlockRow(*found[0])
        return row.after, caches.unpack_feed(row, end.last_seq, end.digest, bulk)

    async def feed_blocks(self, upto: int, bulk: int) -> list[bytes]:
        """The blocks of a feed up to event `upto`, from the first to the last before a bad one."""
        sql = f"SELECT {BLOCK} FROM feeds WHERE step IN (SELECT value FROM json_each(?))"
        try:
            ends = await self._chain("feeds", upto)
            steps = str([end.step for end in ends])
            kept = {row[0]: caches.BlockRow(*row) for row in await self._fetch(sql, (steps,))}
        except OutOfMemory:
            raise
        except SaveError as error:
            self._warn(f"{self.path}: what is kept of its feed is passed over: {error.what}")
            return []
        found: list[bytes] = []
        for end in ends:
            try:
                found.append(caches.unpack_feed(kept[end.step], end.last_seq, end.digest, bulk))
            except MemoryError:
                raise
            except Exception as error:  # whatever is wrong with it, it is only a cache
                self._warn(f"{self.path}: the feed kept of step {end.step} is passed over: {error}")
                break
        return found

    async def blocks(self, upto: int) -> AsyncGenerator[caches.BlockPieces]:
        """The blocks of memories up to event `upto`, from the first to the last before a bad one; not unpacked."""
        for end in await self._chain("memories", upto):
            try:
                block = await self.block(end)
            except (MemoryError, OutOfMemory):
                raise
            except Exception as error:  # whatever is wrong with it, it is only a cache
                self._warn(f"{self.path}: the memories kept of step {end.step} are passed over: {error}")
                return
            yield block
