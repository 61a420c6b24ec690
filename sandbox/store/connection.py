"""A connection to a save on a thread of its own, which ends when the connection is closed, whatever happens."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import aiosqlite

Opener = Callable[[Path], tuple[sqlite3.Connection, bool]]


async def open_connection(opener: Opener, path: Path) -> tuple[aiosqlite.Connection, bool]:
    """Open a connection on a thread of its own; also whether it reads the file as immutable. Raises SaveError."""

    async def opened() -> tuple[aiosqlite.Connection, bool]:
        db, still = await asyncio.to_thread(opener, path)
        try:
            return await aiosqlite.Connection(lambda: db, 64), still
        except BaseException:  # no thread, or no memory for one
            db.close()
            raise

    opening = asyncio.create_task(opened())
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:  # nobody else would close it
        db, _ = await opening
        await close_connection(db)
        raise


async def close_connection(db: aiosqlite.Connection) -> None:
    """Close a connection. Its thread ends even if memory is short: else it would keep the program alive."""
    try:
        await db.close()
    except BaseException:
        db.stop()
        raise
