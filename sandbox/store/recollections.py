"""Blocks of what people remember (`people/blocks.py`), kept beside the log so that a long one need not be read again.

Only a cache, like snapshots: a block is bound to its place in the log, for its checksum covers the digest of its step
and the packed bytes, so that nothing is unpacked that was not packed here or made up with care; and what was made up
can be no larger than its events allow. One that fails any test ends what is taken from them, and the rest comes from
the events.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

FORMAT = 3  # raised together with a migration, which drops the older ones
EVERY = 12_000  # events; what making a block takes for a moment is some megabytes
ROOM, AN_EVENT = 1 << 20, 2_000  # bytes that a block may have, unpacked, and more for each event (Larkspur: some 100)
PACKING = [{"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": 1 << 19}]  # a fifth smaller than zlib makes them
MEMORY = 16 << 20  # bytes that unpacking may take beside the block itself

Remember = Callable[[int], tuple[int, bytes]]  # the second a step ends -> the event the last block ended with, the next


class BadBlock(ValueError):
    """A block that cannot be trusted, and why."""


class Kept(NamedTuple):
    """A row of `memories`, in column order. after, seq: the events it lies between. size: bytes before packing."""

    step: int
    seq: int
    after: int
    format: int
    size: int
    digest: bytes
    data: bytes


def _checksum(step_digest: bytes, after: int, data: bytes) -> bytes:
    return sha256(step_digest + after.to_bytes(8, "big") + data).digest()


def pack(step: int, seq: int, step_digest: bytes, after: int, block: bytes) -> Kept:
    """A block as the row that keeps it."""
    data = lzma.compress(block, filters=PACKING)
    return Kept(step, seq, after, FORMAT, len(block), _checksum(step_digest, after, data), data)


def unpack(row: Kept, last_seq: int, step_digest: bytes) -> bytes:
    """The block in a row. last_seq and step_digest: what `steps` says of its step. Raises BadBlock."""
    if row.format != FORMAT:
        raise BadBlock(f"its format is {row.format}, not {FORMAT}")
    if row.seq != last_seq:
        raise BadBlock(f"it ends at event {row.seq}, its step at {last_seq}")
    if type(row.after) is not int or not 0 <= row.after < row.seq:
        raise BadBlock(f"it cannot begin after event {row.after!r}")
    most = ROOM + AN_EVENT * (row.seq - row.after)
    if type(row.size) is not int or not 0 <= row.size <= most or type(row.data) is not bytes:
        raise BadBlock(f"its size {row.size!r} is out of bounds")
    if row.digest != _checksum(step_digest, row.after, row.data):
        raise BadBlock("its checksum is wrong")
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
    try:
        block = unpacker.decompress(row.data, row.size + 1)  # never more than was announced
    except (lzma.LZMAError, EOFError) as error:
        raise BadBlock(f"it cannot be unpacked ({error})") from None
    if len(block) != row.size or not unpacker.eof or unpacker.unused_data:
        raise BadBlock(f"it does not unpack to the {row.size} bytes it announces")
    return block


def chain(links: Sequence[tuple[Any, Any, Any]]) -> list[int]:
    """The steps of the newest blocks that follow each other from event 0. links: (step, seq, after), by step."""
    found: list[int] = []
    at: object = 0
    for step, seq, after in links:
        if after == 0:
            found, at = [step], seq
        elif found and after == at:
            found.append(step)
            at = seq
    return found
