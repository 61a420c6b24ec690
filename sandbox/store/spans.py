"""Blocks of a feed: one beside each snapshot, and now and then one that joins many; else continuing a long save would
have to read as many blocks as it has snapshots.

A block that joins others replaces the last of them. The others stay, for jumps to steps between: from any block few
lead back to the first event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import aiosqlite

from sandbox.store import caches
from sandbox.store.facts import PendingStep

SPAN = 16  # blocks that are joined into one
MOST = 16 << 20  # bytes of joined blocks, unpacked; joining would not make a large crowd's any quicker
_LINKS = """SELECT step, seq, after, size FROM feeds WHERE format = ?1 AND seq <= ?3 AND seq >
    coalesce((SELECT max(seq) FROM feeds WHERE format = ?2 AND seq <= ?3 AND typeof(seq) = 'integer'), 0)
    AND typeof(seq) = 'integer' AND typeof(size) = 'integer' ORDER BY step"""
_ROWS = """SELECT step, seq, after, format, size, feeds.digest, data, steps.digest FROM feeds JOIN steps USING (step)
    WHERE step IN (SELECT value FROM json_each(?)) ORDER BY step"""


class BlockLink(NamedTuple):
    """A block that joins no others: its step, the events in (after, seq] that it covers, its bytes unpacked."""

    step: int
    seq: int
    after: int
    size: int


async def feed_rows(db: aiosqlite.Connection, made: Sequence[PendingStep]) -> list[tuple[int, caches.BlockRow]]:
    """The rows for the blocks of a feed in these steps, in order, each with the event after which the newest block in
    it begins. db: has the blocks of earlier steps.
    """
    found, blocks = list[tuple[int, caches.BlockRow]](), dict[int, bytes]()
    links: list[BlockLink] | None = None
    for p in made:
        if p.feed is None:
            continue
        after, block = p.feed
        if links is None:
            kinds = caches.FEED_FORMAT, caches.SPAN_FORMAT
            links = [BlockLink(*row) for row in await db.execute_fetchall(_LINKS, (*kinds, after))]
        blocks[p.end.step] = block
        links = joinable_links([*links, BlockLink(p.end.step, p.end.last_seq, after, len(block))])
        row = None if len(links) % SPAN else await _spanning(db, links, blocks, p)  # if one is bad, not at each
        if row is None:
            row = await asyncio.to_thread(caches.pack_feed, *p.end.place, after, block)
        else:
            links, blocks = [], {}
        found.append((after, row))
    return found


def joinable_links(links: Sequence[BlockLink]) -> list[BlockLink]:
    """The longest run at the end of these that follow each other and have MOST bytes together at most."""
    at, size = len(links) - 1, links[-1].size
    while at and links[at - 1].seq == links[at].after and size + links[at - 1].size <= MOST:
        at -= 1
        size += links[at].size
    return list(links[at:])


def join_spans(blocks: Sequence[bytes]) -> bytes:
    """Join blocks that follow each other into one. Raises ValueError."""
    from sandbox.feed.blocks import encode, join_blocks, read

    return encode(join_blocks([read(block) for block in blocks]))


def renew_block(block: bytes) -> bytes:
    """A block as this version writes it: older versions wrote fewer fields. Raises ValueError."""
    from sandbox.feed.blocks import encode, read

    return encode(read(block))


async def _spanning(
    db: aiosqlite.Connection, links: Sequence[BlockLink], fresh: Mapping[int, bytes], last: PendingStep
) -> caches.BlockRow | None:
    """The row of one block that joins all these; None if one of them is bad. fresh: blocks not yet on disk."""
    kept = await db.execute_fetchall(_ROWS, (str([link.step for link in links if link.step not in fresh]),))

    def row() -> caches.BlockRow | None:
        bulk = MOST // caches.A_USER  # allows each block the size of all together
        try:
            blocks = {}
            for *columns, digest in kept:
                block = caches.BlockRow(*columns)
                blocks[block.step] = caches.unpack_feed(block, block.seq, digest, bulk)
            whole = join_spans([(fresh if link.step in fresh else blocks)[link.step] for link in links])
        except (KeyError, ValueError):  # the next to open the save reports it
            return None
        return caches.pack_feed(*last.end.place, links[0].after, whole, caches.SPAN_FORMAT)

    return await asyncio.to_thread(row)
