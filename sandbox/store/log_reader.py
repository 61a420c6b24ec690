"""Reading the log of a save: its events and steps, and what stands beside them.

While a save is being played, the steps not yet on disk are read too, so that a reader never sees less than the player.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiosqlite
import msgspec

from sandbox.core.events import EventRow, Record
from sandbox.core.faults import safe
from sandbox.store import guard
from sandbox.store.cache_reader import CacheReader
from sandbox.store.connection import close_connection, open_connection
from sandbox.store.errors import (
    COPY,
    SaveError,
    explain_errors,
    explain_faults,
    explain_unreadable,
)
from sandbox.store.facts import Machine, SaveInfo, StepRow, engine
from sandbox.store.side_tables import InterviewRow, parse_interview

if TYPE_CHECKING:
    pass

LOG = logging.getLogger(__name__)
BY_NUMBER = 20_000  # events searched by number, in 3 ms more: a damaged index by kind would leave some out
SLICE = 1000  # rows decoded or applied before the screen has a turn, about 5 ms
MANY = 2000  # events of the log that are gone through together
RUN = 4 << 20  # letters of data, about, of the events of a run
COLUMNS = "seq, step, t, kind, v, actor, causes, data"


class LogReader(CacheReader):
    """The log of a save, open for reading.

    path: the file, or ":memory:". last_step, last_seq, now, digest: where the log ends; for a save that another process
    plays, where it ended when last looked at (`refresh`). warnings: bad snapshots met so far, and how it was left.
    """

    def __init__(
        self, path: Path, db: aiosqlite.Connection, still: bool, machine: Machine | None, doubted: bool = False
    ) -> None:
        """doubted: take rows of `steps` as they stand, odd or not, for a proof that tells what is wrong with them."""
        self._doubted = doubted
        self.path, self.warnings = path, list[str]()
        self.last_step, self.last_seq, self.now, self.digest = -1, 0, 0, b""
        self._db, self._still, self._machine = db, still, machine
        self._mark = guard.file_mark(path) if still else None
        self._founding: Record | None = None
        self._over = False  # whether the connection is closed
        self._ours = False  # whether event 1 is known to be of a world that was loaded and checked

    @property
    def machine(self) -> Machine:
        if self._machine is None:
            self._machine = engine()
        return self._machine

    @property
    def displaced(self) -> bool:
        """Whether it is played here, and its file was deleted or replaced meanwhile."""
        return False

    async def refresh(self) -> None:
        """Look where the log ends now."""
        rows = await self._fetch("SELECT step, t, last_seq, digest FROM steps ORDER BY step DESC LIMIT 1")
        if not rows:
            raise SaveError(self.path, "holds no step", COPY)
        self.last_step, self.now, self.last_seq, self.digest = self._ends(rows)[0]

    def _ends(self, rows: Sequence[Sequence[Any]]) -> list[StepRow]:
        """Rows of `steps`, each looked at. Raises SaveError."""
        ends = [StepRow(*r) for r in rows]
        return ends if self._doubted else [end.checked(self.path) for end in ends]

    async def info(self) -> SaveInfo:
        """The save at a glance."""
        meta = {str(k): str(v) for k, v in await self._fetch("SELECT key, value FROM meta")}
        last = StepRow(self.last_step, self.now, self.last_seq, self.digest)
        return SaveInfo.of(self.path, meta, last)

    async def found(self) -> Record:
        """Event 1: the scenario, checked. Raises SaveError."""
        if self._founding is None:
            rows = await self.rows(0, 1)
            if not rows:
                raise SaveError(self.path, "lacks its first event", COPY)
            with explain_faults(self.path, lambda error: f"holds no world that can be lived: {error}"):
                founding = self.machine.decode(rows[0])
                if not self._ours:
                    self.machine.check(founding)
            self._founding = founding
        return self._founding

    async def rows(
        self, after: int, upto: int, kinds: Collection[str] | None = None, of: Collection[str] | None = None
    ) -> list[EventRow]:
        """The raw events with seq in (after, upto], in order; of these kinds and these actors only, if given. Raises
        SaveError.

        What a life goes on from is read in runs of less than BY_NUMBER, and so needs no index.
        """
        found = await self.unchecked(after, upto, kinds, of)
        with explain_unreadable(self.path):
            return msgspec.convert(found, list[EventRow])  # a column may hold anything; twice as fast as Row(*r), too

    async def unchecked(
        self, after: int, upto: int, kinds: Collection[str] | None = None, of: Collection[str] | None = None
    ) -> list[EventRow]:
        """As `rows`, but plain tuples whose columns may hold anything: for whoever takes each apart and catches all."""
        tail = [row for row in self._tail() if after < row.seq <= upto]
        some = ""
        for column, among in (("kind", kinds), ("actor", of)):
            if among is not None:
                some += f" AND {column} IN ({','.join('?' * len(among))})"
                tail = [row for row in tail if getattr(row, column) in among]
        how = "NOT INDEXED" if of is None and upto - after <= BY_NUMBER else ""
        found = await self._fetch(
            f"SELECT {COLUMNS} FROM events {how} WHERE seq > ? AND seq <= ?{some} ORDER BY seq",
            (after, upto, *(kinds or ()), *(of or ())),
        )
        if tail:  # taken before the query: what the writer has kept since then stands in both
            kept = {row[0] for row in found[-len(tail) :]}
            found.extend(row for row in tail if row.seq not in kept)
        return found

    async def records(
        self, kinds: Collection[str], after: int, upto: int, of: Collection[str] | None = None
    ) -> list[Record]:
        """The events of these kinds with seq in (after, upto], in order; of these actors only, if given. Raises
        SaveError.
        """
        return await self._decoded(await self.rows(after, upto, kinds, of))

    async def runs(self, kinds: Collection[str] | None = None) -> AsyncGenerator[tuple[int, list[EventRow]]]:
        """All raw events in order, of these kinds if given, some at a time: with the number of the event up to which
        the log has been gone through. So many come together as are not much larger than RUN, and MANY at most; a run
        goes twice as far as the one before it, or less. Raises SaveError.
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
        """All events of these kinds, a run of the log at a time. moved: told how far it is, of how many events."""
        last = self.last_seq
        async for upto, rows in self.runs(kinds):
            yield await self._decoded(rows)
            moved(upto, last)

    async def steps(self, first: int = 0, last: int | None = None) -> list[StepRow]:
        """The rows of `steps` from first to last, in order."""
        upto = self.last_step if last is None else last
        tail = [s for s in self._tail_steps() if first <= s.step <= upto]
        found = await self._fetch(
            "SELECT step, t, last_seq, digest FROM steps WHERE step BETWEEN ? AND ? ORDER BY step",
            (first, upto),
        )
        rows = self._ends(found)
        known = rows[-1].step if rows else first - 1
        return rows + [s for s in tail if s.step > known]

    async def count_steps(self) -> int:
        """How many there are, founding counted."""
        ((kept, last),) = await self._fetch("SELECT count(*), max(step) FROM steps")
        return int(kept) + sum(1 for s in self._tail_steps() if s.step > last)

    async def step_at(self, t: float) -> int:
        """The first step that ends at second t or later; the last one if there is none."""
        kept = next((s.step for s in self._tail_steps() if s.t >= t), self.last_step)
        rows = await self._fetch("SELECT min(step) FROM steps WHERE t >= ?", (max(0, int(t)),))
        found = rows[0][0]
        return found if isinstance(found, int) and found <= self.last_step else kept

    async def interviews(self, who: str = "") -> list[InterviewRow]:
        """Interviews so far, the oldest first, of one person or of all; no more than the latest thousand."""
        rows = await self._fetch(
            "SELECT step, t, who, ask, answer, model, memories FROM interviews WHERE ? IN ('', who)"
            " ORDER BY id DESC LIMIT 1000",
            (who,),
        )
        return [found for row in reversed(rows) if (found := parse_interview(row)) is not None]

    async def answered(self) -> int:
        """How many calls of language models gave an answer that could be used."""
        rows = await self._fetch("SELECT count(*) FROM calls WHERE fault = ''")
        return int(rows[0][0])

    async def bookmarks(self) -> dict[int, str]:
        """Notes that a reader has put to steps: a side table, outside the log and its digest."""
        rows = await self._fetch(
            "SELECT step, note FROM bookmarks WHERE typeof(note) = 'text' ORDER BY step LIMIT 1000"
        )
        return {step: note[:400] for step, note in rows}

    async def strays(self) -> bool:
        """Whether there are events outside all steps."""
        sql = "SELECT count(*) FROM events WHERE seq < 1 OR seq > (SELECT max(last_seq) FROM steps)"
        return bool((await self._fetch(sql))[0][0])

    async def integrity(self) -> str:
        """What the database itself finds wrong with its pages and indexes, "" if nothing."""
        found = str((await self._fetch("PRAGMA integrity_check(1)"))[0][0])
        return "" if found == "ok" else found

    def _warn(self, text: str) -> None:
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
            if self._still and guard.has_changed(self.path, self._mark):  # somebody plays what we took for unchanging
                self._mark = guard.file_mark(self.path)
                old, (self._db, self._still) = self._db, await open_connection(guard.reading, self.path)
                await close_connection(old)
                if self._over:  # closed meanwhile
                    await close_connection(self._db)
                    raise SaveError(self.path, "is closed", "open it again")
            return list(await self._db.execute_fetchall(sql, values))

    def _tail(self) -> list[EventRow]:
        """Events not yet on disk, in order."""
        return []

    def _tail_steps(self) -> list[StepRow]:
        """Steps not yet on disk, in order."""
        return []
