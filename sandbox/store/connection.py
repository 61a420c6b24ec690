"""A connection to a save on a thread of its own, which goes when it is closed, whatever happens."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import aiosqlite

Opener = Callable[[Path], tuple[sqlite3.Connection, bool]]


async def open_connection(opener: Opener, path: Path) -> tuple[aiosqlite.Connection, bool]:
    """A connection on a thread of its own, and whether it takes the file for unchanging. Raises SaveError."""

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
    """Close a connection. Its thread goes also where memory is wanting for that, for it keeps the program alive."""
    try:
        await db.close()
    except BaseException:
        db.stop()
        raise
