"""Vectors of texts as a save keeps them beside its log, so that a maker that costs something is asked once.

They are a cache: what cannot be read or written is made again, and what is not of its type is as if it were not there.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence

import aiosqlite

AT_ONCE = 500  # keys in one query
LARGEST = 32_768  # bytes of a row: 16,384 components in float16


class VectorRows:
    """The vectors of a save (a `minds.vectors.VectorStore`). alone: held by whoever writes to the database."""

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
        async with self._alone:
            try:
                await self._db.execute("BEGIN IMMEDIATE")
                await self._db.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", [(name, *row) for row in rows.items()]
                )
                await self._db.commit()
            except BaseException as error:
                if self._db.in_transaction:
                    await self._db.rollback()
                if not isinstance(error, sqlite3.Error):
                    raise
