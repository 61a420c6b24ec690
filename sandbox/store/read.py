"""Reading a save: its events and steps, and the world as it was at the end of any step.

`Reader` is what a view, a story or an experiment needs; `Save` adds writing. While a save is being played, the steps
not yet on disk are read too, so that a reader never sees less than the player.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import aiosqlite
import msgspec

from sandbox.core.events import EventRow, Record
from sandbox.core.faults import safe
from sandbox.core.room import pause_gc
from sandbox.store import caches, guard
from sandbox.store.cache_reader import CacheReader
from sandbox.store.connection import close_connection, open_connection
from sandbox.store.errors import (
    COPY,
    OutOfMemory,
    SaveError,
    explain_errors,
    explain_faults,
    explain_unfitting,
    explain_unreadable,
)
from sandbox.store.facts import Machine, SaveInfo, StepRow, engine
from sandbox.store.side_tables import InterviewRow, parse_interview

if TYPE_CHECKING:
    from sandbox.engine.world import World

LOG = logging.getLogger(__name__)
BY_NUMBER = 20_000  # events searched by number, in 3 ms more: a damaged index by kind would leave some out
MEMORY = Path(":memory:")
SLICE = 1000  # rows decoded or applied before the screen has a turn, about 5 ms
MANY = 2000  # events of the log that are gone through together
TOGETHER = 16 << 20  # bytes of packed events
RUN = 4 << 20  # letters of data, about, of the events of a run
COLUMNS = "seq, step, t, kind, v, actor, causes, data"


class SaveReader(CacheReader):
    """A save open for reading.

    path: the file, or ":memory:". last_step, last_seq, now, digest: where the log ends; for a save that another process
    plays, where it ended when last looked at (`refresh`). warnings: bad snapshots met so far, and
    how it was left.
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
        self._fresh = 0  # bytes of the state the world begins with, once that is known
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

    async def seek(self, step: int | None = None, *, noting: bool = False) -> World:
        """The world at the end of that step (default: the last), from a good snapshot near it if there is one.

        noting: it is to be gone on with, so what happens to its feed is noted from the last block of that on. Raises
        SaveError if there is no such step, or an event cannot be read.
        """
        with pause_gc():
            return await self._sought(step, noting)

    async def _sought(self, step: int | None, noting: bool) -> World:
        ends = await self.steps(*((self.last_step,) if step is None else (step, step)))
        if not ends:
            raise SaveError(self.path, f"has no step {step}", f"name one from 0 to {self.last_step}")
        end = ends[-1]
        world, after = await self._nearest(end.step, noting)
        at, count = world.step + 1, len(await self.steps(world.step + 1, end.step))
        if count != end.step - world.step:
            raise SaveError(self.path, f"lacks a step between {world.step} and {end.step}", COPY)
        mend = "`sandbox replay SAVE --verify` tells what differs; branch from an earlier step"
        with explain_faults(self.path, lambda error: f"cannot be read beyond step {at - 1} ({error})", mend):
            many = self._few(world, SLICE)
            while after < end.last_seq:
                upto = min(after + many, end.last_seq)
                rows = await self.rows(after, upto)
                if len(rows) != upto - after or rows[0].step < at or rows[-1].step > end.step:
                    raise ValueError("events are missing or out of order")
                for row in rows:
                    if row.step > end.step:
                        raise ValueError("events are out of order")
                    while at < row.step:
                        world.advance(at)
                        at += 1
                    if not world.now <= row.t < end.t:
                        raise ValueError(f"event {row.seq} is of second {row.t}, which its step does not hold")
                    world.apply(self.machine.decode(row))
                after = upto
                await asyncio.sleep(0)
            for rest in range(at, end.step + 1):
                world.advance(rest)
            if world.now != end.t:
                raise ValueError(f"step {end.step} ends at second {world.now}, not {end.t}")
        return world

    async def past(self, upto: int) -> PastEvents | None:
        """What reads the events up to that one, much later and at once; None if the log is in memory only."""
        if self.path == MEMORY:
            return None
        sql = "SELECT step, t, last_seq, digest FROM steps WHERE last_seq <= ? ORDER BY step DESC LIMIT 1"
        return PastEvents(self.path, self.machine, upto, self._ends(await self._fetch(sql, (upto,)))[0])

    async def strays(self) -> bool:
        """Whether there are events outside all steps."""
        sql = "SELECT count(*) FROM events WHERE seq < 1 OR seq > (SELECT max(last_seq) FROM steps)"
        return bool((await self._fetch(sql))[0][0])

    async def integrity(self) -> str:
        """What the database itself finds wrong with its pages and indexes, "" if nothing."""
        found = str((await self._fetch("PRAGMA integrity_check(1)"))[0][0])
        return "" if found == "ok" else found

    async def _nearest(self, step: int, noting: bool = False) -> tuple[World, int]:
        """A world from the nearest good snapshot at or before the step, or a newly founded one, and its last event."""
        sql = (
            "SELECT step, last_seq, steps.digest FROM steps JOIN snapshots USING (step) WHERE step <= ?1 AND"
            " (format = ?2 OR step = (SELECT max(step) FROM steps JOIN snapshots USING (step) WHERE step <= ?1))"
            " ORDER BY step DESC LIMIT ?3"
        )
        for at, last_seq, digest in await self._fetch(sql, (step, caches.STATE_FORMAT, caches.TRIES)):
            world = await self.beginning()
            try:
                self._fresh = self._fresh or len(world.snapshot())
                most = caches.max_state_size(self._fresh, last_seq)
                world.restore(await self.state(at, last_seq, digest, most))
                await self._fold(world, last_seq, noting)
                if world.step != at:
                    raise caches.BadCache(f"it holds step {world.step}")
                return world, last_seq
            except (MemoryError, OutOfMemory) as error:
                raise OutOfMemory(self.path) from error
            except Exception as error:  # whatever is wrong with it, it is only a cache
                self._warn(f"{self.path}: the snapshot of step {at} is passed over: {error}")
        world = await self.beginning()
        if noting:
            world.note_feed(0)
        return world, 1

    async def _fold(self, world: World, upto: int, noting: bool) -> None:
        """Make again what no snapshot holds: from blocks of it, and from its events after these up to that one. Raises
        ValueError if it is another.
        """
        why = ""
        if kept := await self.feed_blocks(upto, world.bulk):
            try:
                begin = world.unfold(kept)
                return await self._folded(world, begin, upto, noting)
            except (MemoryError, OutOfMemory):
                raise
            except Exception as error:  # whatever is wrong with them, they are only a cache
                why = f"{self.path}: what is kept of its feed is passed over: {error}"
                world.fold_anew()
        await self._folded(world, 0, upto, noting)
        if why:  # else it is the snapshot that is wrong
            self._warn(why)

    async def _folded(self, world: World, begin: int, upto: int, noting: bool) -> None:
        if noting:
            world.note_feed(begin)
        many = self._few(world, MANY)
        for after in range(begin, upto, many):
            for record in await self.records(world.folds, after, min(after + many, upto)):
                world.fold(record)
            await asyncio.sleep(0)
        world.folded()

    @staticmethod
    def _few(world: World, usual: int) -> int:
        """How many events are read together: fewer where one tells what a crowd did, and has a byte or so a user."""
        return max(1, min(usual, TOGETHER // world.bulk)) if world.bulk else usual

    async def beginning(self) -> World:
        """The world as event 1 makes it. Raises SaveError."""
        founding = await self.found()
        with explain_faults(self.path, lambda error: f"holds no world that can be founded ({error})"):
            return self.machine.found(founding)

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


class PastEvents(NamedTuple):
    """A way back to the events of a file up to one, on a connection of its own. end: the last step it begins with."""

    path: Path
    machine: Machine
    upto: int
    end: StepRow

    def __call__(self, kinds: Collection[str], take: Callable[[Record], None]) -> None:
        """Hand over the events of these kinds, in order. Raises SaveError."""
        db, _ = guard.reading(self.path)
        with closing(db), explain_errors(self.path), explain_unreadable(self.path):
            step, digest = self.end.step, self.end.digest
            if db.execute("SELECT digest FROM steps WHERE step = ?", (step,)).fetchall() != [(digest,)]:
                raise SaveError(self.path, f"is another save by now: its step {step} differs", "open it again")
            sql = f"SELECT {COLUMNS} FROM events WHERE seq <= ? AND kind IN ({','.join('?' * len(kinds))}) ORDER BY seq"
            for row in db.execute(sql, (self.upto, *kinds)):
                record = self.machine.decode(msgspec.convert(row, EventRow))
                with explain_unfitting(self.path):
                    take(record)
