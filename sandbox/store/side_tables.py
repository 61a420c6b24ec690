"""A save's tables beside its log, outside the digest: calls of language models, interviews, vectors of texts.

A call is on disk before its answer is used; calls of one moment are written together. The file may come from anybody: a
row with values of wrong types is ignored.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import aiosqlite
import msgspec

from sandbox.minds.budget import Call, Key, NotKept, Spent
from sandbox.store.errors import explain

_KEY = "step = ? AND wave = ? AND who = ? AND question = ? AND n = ? AND attempt = ?"
MOST = 1_000_000_000  # most tokens or US dollars that are believed of one call
_FIELDS = Call.__struct_fields__[1:]  # the columns behind those of the key


class CallRows:
    """The calls of a save (a `minds.budget.CallStore`). alone: held while writing to the database."""

    def __init__(self, path: Path, db: aiosqlite.Connection, alone: asyncio.Lock) -> None:
        self._path, self._db, self._alone = path, db, alone
        self._waiting: list[Call] = []

    async def find(self, key: Key) -> Call | None:
        try:
            rows = list(await self._db.execute_fetchall(f"SELECT {', '.join(_FIELDS)} FROM calls WHERE {_KEY}", key))
            return msgspec.convert(dict(zip(_FIELDS, rows[0], strict=True)) | {"key": key}, Call) if rows else None
        except (msgspec.ValidationError, sqlite3.Error):  # a TEXT column may hold invalid UTF-8
            return None

    async def keep(self, call: Call) -> None:
        """Write a call, together with others that wait. Raises NotKept."""
        self._waiting.append(call)
        async with self._alone:
            if not any(other is call for other in self._waiting):  # another task has written it along with its own
                return
            batch = self._waiting[:]
            try:
                await self._write(batch)
            except sqlite3.Error as error:  # the other tasks try theirs themselves, and get the error
                self._waiting.remove(call)
                raise NotKept(explain(self._path, error).what) from error
            del self._waiting[: len(batch)]

    async def _write(self, batch: list[Call]) -> None:
        marks = ", ".join("?" * 15)
        rows = [(*call.key, *msgspec.structs.astuple(call)[1:]) for call in batch]
        await _insert(self._db, f"INSERT OR REPLACE INTO calls VALUES ({marks})", rows)

    async def spent(self) -> dict[tuple[int, str], Spent]:
        rows = await self._db.execute_fetchall(
            "SELECT day, model, count(*), sum(tokens_in + tokens_out), sum(cost) FROM calls"
            " WHERE typeof(day) = 'integer' AND typeof(model) = 'text'"
            " AND typeof(tokens_in) = 'integer' AND typeof(tokens_out) = 'integer'"
            f" AND typeof(cost) = 'real' AND tokens_in BETWEEN 0 AND {MOST} AND tokens_out BETWEEN 0 AND {MOST}"
            f" AND cost BETWEEN 0 AND {MOST} GROUP BY day, model"
        )
        return {(day, model): Spent(n, int(tokens), float(cost)) for day, model, n, tokens, cost in rows}


async def _insert(db: aiosqlite.Connection, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows in a transaction of their own. Raises sqlite3.Error."""
    try:
        await db.execute("BEGIN IMMEDIATE")
        await db.executemany(sql, rows)
        await db.commit()
    except BaseException:
        if db.in_transaction:
            await db.rollback()
        raise


class InterviewRow(NamedTuple):
    """An interview: step and second of the town, the person, question and answer, the model that gave it ("" = the
    embedded mind), and the ids of the memories the answer rests on.
    """

    step: int
    t: int
    who: str
    ask: str
    answer: str
    model: str = ""
    memories: tuple[int, ...] = ()


def parse_interview(row: tuple[Any, ...]) -> InterviewRow | None:
    """A row of `interviews`; None if it is malformed."""
    try:
        *values, memories = row
        return msgspec.convert((*values, msgspec.json.decode(memories)), InterviewRow)
    except (msgspec.MsgspecError, TypeError):
        return None


# ---- vectors of texts, saved so that a paid maker is asked only once


AT_ONCE = 500  # keys in one query
LARGEST = 32_768  # bytes of a row: 16,384 components in float16


class VectorRows:
    """The vectors of a save (a `minds.vectors.VectorStore`). alone: held while writing to the database."""

    def __init__(self, db: aiosqlite.Connection, alone: asyncio.Lock) -> None:
        self._db, self._alone = db, alone

    async def find(self, name: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for at in range(0, len(keys), AT_ONCE):
            part = keys[at : at + AT_ONCE]
            try:
                rows = await self._db.execute_fetchall(
                    f"SELECT key, row FROM vectors WHERE maker = ? AND key IN ({', '.join('?' * len(part))})"
                    f" AND typeof(row) = 'blob' AND length(row) BETWEEN 1 AND {LARGEST}",
                    (name, *part),
                )
                found.update((key, row) for key, row in rows)
            except sqlite3.Error:
                break
        return found

    async def keep(self, name: str, rows: Mapping[bytes, bytes]) -> None:
        """Save vectors by their keys; they are only a cache, so database errors are ignored."""
        async with self._alone:
            with suppress(sqlite3.Error):
                made = [(name, *row) for row in rows.items()]
                await _insert(self._db, "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", made)
