"""Measuring a receipt: what came of a post by hand in a day of a town, and that day lived without it."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.engine.drivers import run_free
from sandbox.feed.commands import OnFeed
from sandbox.lab import receipts
from sandbox.store.save import Save
from sandbox.store.session import open_session

ACT_AT = HOUR  # seconds after the world's start
POST = OnFeed(by="mara", action="create_post", arguments={"text": "The bread is out, and the slate is full, Basil."})


class Receipts(NamedTuple):
    """CPU seconds of what is told at once, and of all of it with the twin; events of the day, and of the chain."""

    told: float
    whole: float
    events: int
    chain: int


async def measure_receipt(world: str, seed: int, path: Path) -> Receipts:
    """Live a day in which somebody posts by hand, then tell what came of it."""
    async with open_session(world, seed=seed, save=path) as session:
        await run_free(session.engine, until=ACT_AT)
        session.engine.do(POST)
        await run_free(session.engine, until=ACT_AT + DAY + HOUR // 6)
    async with await Save.open(path, read_only=True) as save:
        began = process_time()
        found = await receipts.read(save)
        told = receipts.receipt(found)
        at_once = process_time() - began
        twin = await receipts.twin_of(save, found)
        receipts.receipt(found, twin)
        return Receipts(at_once, process_time() - began, len(found.span), told.told.events)
