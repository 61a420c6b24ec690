"""Reading the log of a save, its events and steps, its caches, and its side tables.

While a save is being played, steps not yet on disk are read too, so that a reader never sees less than the player.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Sequence
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any, Literal

import aiosqlite
import msgspec

from sandbox.core.clock import parse_start
from sandbox.core.events import EventRow, Record
from sandbox.core.faults import safe
from sandbox.store import caches, guard
from sandbox.store.errors import COPY, OutOfMemory, SaveError, explain_errors, explain_faults, explain_unreadable
from sandbox.store.facts import FoundingSaid, Machine, SaveInfo, StepRow, engine
from sandbox.store.schema import WHAT_VIEWS_READ, from_stored
from sandbox.store.side_tables import InterviewRow, parse_interview

LOG = logging.getLogger(__name__)
SLICE = 1000  # rows decoded or applied before the screen has a turn, about 5 ms
MANY = 2000  # events of the log in a run at most
BASES = 8 << 20  # bytes of states kept unpacked, as jumps near each other need the same
RUN = 4 << 20  # letters of data in a run, about
COLUMNS = "seq, step, t, kind, v, actor, causes, data"
BLOCK = "step, seq, after, format, size, digest, data"


@lru_cache(maxsize=1)  # a program opens saves of one world again and again, and this is most of opening one
def _founding(machine: Machine, row: EventRow) -> Record:
    """Event 1, checked. Raises ValueError."""
    founding = machine.decode(row)
    machine.check(founding)
    return founding


class LogReader:
    """The log of a save, open for reading.

    path: the file, or ":memory:". last_step, last_seq, now, digest: where the log ends; of a save that another process
    plays, where it ended at the last `refresh`. warnings: caches that were skipped, faults of a policy, and
    what closing left beside the file.
    """

    def __init__(
        self, path: Path, db: aiosqlite.Connection, still: bool, machine: Machine | None, doubted: bool = False
    ) -> None:
        """doubted: accept malformed rows of `steps`, for `verify`, which reports them."""
        self._doubted = doubted
        self.path, self.warnings = path, list[str]()
        self.last_step, self.last_seq, self.now, self.digest = -1, 0, 0, b""
        self._db, self._still, self._machine = db, still, machine
        self._mark = guard.file_mark(path) if still else None
        self._founding: Record | None = None
        self._bases = dict[bytes, caches.BaseState]()  # states by which others are told, unpacked of late
        self._over = False  # whether the connection is closed
        self._ours = False  # whether event 1 was made here, and so needs no check

    @property
    def machine(self) -> Machine:
        if self._machine is None:
            self._machine = engine()
        return self._machine

    @property
    def displaced(self) -> bool:
        """Whether it is played here, and its file was deleted, replaced, overwritten or damaged meanwhile."""
        return False

    async def refresh(self) -> None:
        """Read where the log ends now. Raises SaveError."""
        rows = await self._fetch("SELECT step, t, last_seq, digest FROM steps ORDER BY step DESC LIMIT 1")
        if not rows:
            raise SaveError(self.path, "holds no step", COPY)
        self.last_step, self.now, self.last_seq, self.digest = self._ends(rows)[0]

    def _ends(self, rows: Sequence[Sequence[Any]]) -> list[StepRow]:
        """Turn rows of `steps` into StepRows, each checked. Raises SaveError."""
        ends = [StepRow(*r) for r in rows]
        return ends if self._doubted else [end.checked(self.path) for end in ends]

    async def info(self) -> SaveInfo:
        """A summary of the save."""
        meta = {str(k): str(v) for k, v in await self._fetch("SELECT key, value FROM meta")}
        last = StepRow(self.last_step, self.now, self.last_seq, self.digest)
        return SaveInfo.of(self.path, meta, last)

    async def found(self) -> Record:
        """Event 1, which holds the scenario, checked. Raises SaveError."""
        if self._founding is None:
            rows = await self.rows(0, 1)
            if not rows:
                raise SaveError(self.path, "lacks its first event", COPY)
            with explain_faults(self.path, lambda error: f"holds no world that can be lived: {error}"):
                self._founding = self.machine.decode(rows[0]) if self._ours else _founding(self.machine, rows[0])
        return self._founding

    async def founding_said(self) -> FoundingSaid:
        """A little of event 1, for a summary of the save. Raises SaveError."""
        rows = await self.rows(0, 1)
        if not rows:
            raise SaveError(self.path, "lacks its first event", COPY)
        with explain_unreadable(self.path):
            said = msgspec.json.decode(rows[0].data, type=FoundingSaid)
            parse_start(said.scenario.start)  # raises ValueError
            return said

    async def rows(
        self, after: int, upto: int, kinds: Collection[str] | None = None, of: Collection[str] | None = None
    ) -> list[EventRow]:
        """The raw events with seq in (after, upto], in order; only of these kinds and these actors, if given. Raises
        SaveError.
        """
        found = await self.unchecked(after, upto, kinds, of)
        with explain_unreadable(self.path):
            return msgspec.convert(found, list[EventRow])  # checks types; twice as fast as EventRow(*r), too

    async def unchecked(
        self, after: int, upto: int, kinds: Collection[str] | None = None, of: Collection[str] | None = None
    ) -> list[EventRow]:
        """Like `rows`, but as plain tuples whose columns may hold anything; the caller handles all errors."""
        tail = [row for row in self._tail() if after < row.seq <= upto]
        some = ""
        for column, among in (("kind", kinds), ("actor", of)):
            if among is not None:
                some += f" AND {column} IN ({','.join('?' * len(among))})"
                tail = [row for row in tail if getattr(row, column) in among]
        sql = f"SELECT {COLUMNS} FROM events WHERE seq > ? AND seq <= ?{some} ORDER BY seq"
        found = from_stored(await self._fetch(sql, (after, upto, *(kinds or ()), *(of or ()))))
        if tail:  # taken before the query: rows written since then are in both
            kept = {row[0] for row in found[-len(tail) :]}
            found.extend(row for row in tail if row.seq not in kept)
        return found

    async def records(
        self, kinds: Collection[str], after: int, upto: int, of: Collection[str] | None = None
    ) -> list[Record]:
        """The events of these kinds (and actors, if given) with seq in (after, upto], in order. Raises SaveError."""
        return await self._decoded(await self.rows(after, upto, kinds, of))

    async def runs(self, kinds: Collection[str] | None = None) -> AsyncGenerator[tuple[int, list[EventRow]]]:
        """All raw events in order, or those of these kinds, in runs: the number of the event up to which the log has
        been read, and the events. A run covers MANY events at most, fewer if their data would be much more than RUN,
        and at most twice as many as the run before. Raises SaveError.
        """
        after, many, last = 0, 1, self.last_seq
        while after < last:
            upto = min(after + many, last)
            rows = await self.rows(after, upto, kinds)
            size = sum(len(row.data) for row in rows)
            yield upto, rows
            many = max(1, min(MANY, 2 * many, many * RUN // max(1, size)))
            after = upto

    async def slices(
        self, kinds: Collection[str], moved: Callable[[int, int], None] = lambda done, of: None
    ) -> AsyncGenerator[list[Record]]:
        """All events of these kinds, a run at a time. moved: called with how many events are read, of how many."""
        last = self.last_seq
        async for upto, rows in self.runs(kinds):
            yield await self._decoded(rows)
            moved(upto, last)

    async def steps(self, first: int = 0, last: int | None = None) -> list[StepRow]:
        """The rows of `steps` from first to last, in order."""
        upto = self.last_step if last is None else last
        tail = [s for s in self._tail_steps() if first <= s.step <= upto]
        found = await self._fetch(
            "SELECT step, t, last_seq, digest FROM steps WHERE step BETWEEN ? AND ? ORDER BY step", (first, upto)
        )
        rows = self._ends(found)
        known = rows[-1].step if rows else first - 1
        return rows + [s for s in tail if s.step > known]

    async def count_steps(self) -> int:
        """How many steps there are, step 0 included."""
        ((kept, last),) = await self._fetch("SELECT count(*), max(step) FROM steps")
        return int(kept) + sum(1 for s in self._tail_steps() if s.step > last)

    async def step_at(self, t: float) -> int:
        """The first step that ends at second t or later; the last one if there is none."""
        kept = next((s.step for s in self._tail_steps() if s.t >= t), self.last_step)
        rows = await self._fetch("SELECT min(step) FROM steps WHERE t >= ?", (max(0, ceil(t)),))
        found = rows[0][0]
        return found if isinstance(found, int) and found <= self.last_step else kept

    async def interviews(self, who: str = "") -> list[InterviewRow]:
        """The latest thousand interviews, the oldest first, with one person or with all."""
        rows = await self._fetch(
            "SELECT step, t, who, ask, answer, model, memories FROM interviews WHERE ? IN ('', who)"
            " ORDER BY id DESC LIMIT 1000",
            (who,),
        )
        return [found for row in reversed(rows) if (found := parse_interview(row)) is not None]

    async def answered(self) -> int:
        """How many calls of language models gave a usable answer."""
        rows = await self._fetch("SELECT count(*) FROM calls WHERE fault = ''")
        return int(rows[0][0])

    async def bookmarks(self) -> dict[int, str]:
        """The reader's notes by step: a side table, outside the log and its digest."""
        rows = await self._fetch(
            "SELECT step, note FROM bookmarks WHERE typeof(note) = 'text' ORDER BY step LIMIT 1000"
        )
        return {step: note[:400] for step, note in rows}

    # ---- caches: snapshots, and blocks of memories and of a feed

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
        chain, by = [(await self.snapshot(step), last_seq, digest)], None
        sql = "SELECT last_seq, digest FROM steps WHERE step = ?"
        while by is None and (whole := caches.base_step(chain[-1][0])):
            row, ends = await self.snapshot(whole), await self._fetch(sql, (whole,))
            if not ends or len(chain) >= caches.LOT.bit_length():
                raise caches.BadCache(f"it is told by step {whole}, which is not there or too far away")
            if (by := self._bases.get(row.digest)) is None:
                chain.append((row, *ends[0]))
        for row, seq, its in chain[:0:-1]:
            state = caches.unpack_state(row, seq, its, caches.ROOM + 2 * most, by)
            by = self._bases[row.digest] = caches.BaseState(row.step, row.digest, state)
        while sum(len(base.state) for base in self._bases.values()) > BASES:
            del self._bases[next(iter(self._bases))]
        return caches.unpack_state(chain[0][0], last_seq, digest, most, by)

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
            self.warn(f"{self.path}: what is kept of its feed is passed over: {error.what}")
            return []
        found: list[bytes] = []
        for end in ends:
            try:
                found.append(caches.unpack_feed(kept[end.step], end.last_seq, end.digest, bulk))
            except MemoryError:
                raise
            except Exception as error:  # whatever is wrong with it, it is only a cache
                self.warn(f"{self.path}: the feed kept of step {end.step} is passed over: {error}")
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
                self.warn(f"{self.path}: the memories kept of step {end.step} are passed over: {error}")
                return
            yield block

    # ---- the file as a whole

    async def strays(self) -> bool:
        """Whether there are events that belong to no step."""
        sql = "SELECT count(*) FROM events WHERE seq < 1 OR seq > (SELECT max(last_seq) FROM steps)"
        return bool((await self._fetch(sql))[0][0])

    async def views_read(self, data: str) -> bool:
        """Whether the row that views read tells of event 1 with this data."""
        made = await self._fetch(WHAT_VIEWS_READ.format("(SELECT ? AS data)"), (data,))
        return made == await self._fetch("SELECT * FROM founding")

    async def integrity(self) -> str:
        """What SQLite finds wrong with the pages and indexes of the file, "" if nothing."""
        found = str((await self._fetch("PRAGMA integrity_check(1)"))[0][0])
        return "" if found == "ok" else found

    def warn(self, text: str) -> None:
        """Tell whoever has opened it: once in the log, and in `warnings`."""
        text = safe(text)
        if text not in self.warnings:
            self.warnings.append(text)
            LOG.warning("%s", text)

    async def _decoded(self, rows: Sequence[EventRow]) -> list[Record]:
        out: list[Record] = []
        for start in range(0, len(rows), SLICE):
            with explain_unreadable(self.path):
                out.extend(map(self.machine.decode, rows[start : start + SLICE]))
            if len(rows) > SLICE:
                await asyncio.sleep(0)
        return out

    async def _fetch(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        if self._over:
            raise SaveError(self.path, "is closed", "open it again")
        with explain_errors(self.path):
            if self._still and guard.has_changed(self.path, self._mark):  # somebody plays what we read as immutable
                self._mark = guard.file_mark(self.path)
                old, (self._db, self._still) = self._db, await guard.open_connection(guard.reading, self.path)
                await guard.close_connection(old)
                if self._over:  # closed meanwhile
                    await guard.close_connection(self._db)
                    raise SaveError(self.path, "is closed", "open it again")
            return list(await self._db.execute_fetchall(sql, values))

    def _tail(self) -> list[EventRow]:
        """Events not yet on disk, in order."""
        return []

    def _tail_steps(self) -> list[StepRow]:
        """Steps not yet on disk, in order."""
        return []
