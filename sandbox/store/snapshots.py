"""Snapshots: the state at some steps, so that a jump need not begin at the first event. Only a cache.

A snapshot is bound to its place in the log: its checksum covers the digest of its step, and the packed bytes, so that
nothing is unpacked that was not packed here or made up with care; and what was made up can be no larger than the world
may be. One that fails any test is skipped, and the state comes from an earlier one or, after a few, from the events.
"""

from __future__ import annotations

import zlib
from hashlib import sha256
from typing import NamedTuple

FORMAT = 5  # raised together with a migration, which drops the older ones: an older program refuses the save
TRIES = 2  # bad ones, before the events alone are asked
EVERY_EVENTS = 2_500  # take 50 ms to apply, a third of what a jump may take
MOST_EVENTS = 20_000
EVERY_SECONDS = 6 * 3600
BYTES_AN_EVENT = 200  # of a large state: more people, more events before the next
MAX_SIZE = 256 << 20  # bytes of one state, unpacked
ROOM, TIMES, GROWTH = (
    1 << 20,
    4,
    1_000,
)  # bytes; times the state a world begins with; bytes an event (Larkspur: 10 to 50)
LEVEL = 6
NO_MEMORY = "Error -4 "  # how zlib says it


class BadSnapshot(ValueError):
    """A snapshot that cannot be trusted, and why."""


class Snapshot(NamedTuple):
    """A row of `snapshots`, in column order. size: bytes of the state before packing."""

    step: int
    seq: int
    format: int
    size: int
    digest: bytes
    data: bytes


class Taken(NamedTuple):
    """Where the newest snapshot stands: its last event, its second, and the bytes of its state."""

    seq: int = 0
    t: int = 0
    size: int = 0


def due(seq: int, t: int, last: Taken) -> bool:
    """Whether a step that ends with this event, at this second, is to be kept whole."""
    events = min(MOST_EVENTS, max(EVERY_EVENTS, last.size // BYTES_AN_EVENT))
    return seq - last.seq >= events or t - last.t >= EVERY_SECONDS


def bound(fresh: int, seq: int) -> int:
    """The bytes a state may have after that event at most. fresh: those of the state its world begins with."""
    return min(MAX_SIZE, ROOM + TIMES * fresh + GROWTH * seq)


def _checksum(step_digest: bytes, data: bytes) -> bytes:
    return sha256(step_digest + data).digest()


def pack(step: int, seq: int, step_digest: bytes, state: bytes) -> Snapshot:
    """A state as the row that keeps it."""
    data = zlib.compress(state, LEVEL)
    return Snapshot(step, seq, FORMAT, len(state), _checksum(step_digest, data), data)


def unpack(row: Snapshot, last_seq: int, step_digest: bytes, most: int) -> bytes:
    """The state in a row. last_seq and step_digest: what `steps` says of its step; most: bytes it may have.

    Raises BadSnapshot.
    """
    if row.format != FORMAT:
        raise BadSnapshot(f"its format is {row.format}, not {FORMAT}")
    if row.seq != last_seq:
        raise BadSnapshot(f"it stands at event {row.seq}, its step ends at {last_seq}")
    if not isinstance(row.size, int) or not 0 <= row.size <= most or not isinstance(row.data, bytes):
        raise BadSnapshot(f"its size {row.size!r} is out of bounds")
    if row.digest != _checksum(step_digest, row.data):
        raise BadSnapshot("its checksum is wrong")
    unpacker = zlib.decompressobj()
    try:
        state = unpacker.decompress(row.data, row.size + 1)  # never more than was announced
    except zlib.error as error:
        if str(error).startswith(NO_MEMORY):
            raise MemoryError from error
        raise BadSnapshot(f"it cannot be unpacked ({error})") from None
    if len(state) != row.size or not unpacker.eof or unpacker.unused_data:
        raise BadSnapshot(f"it does not unpack to the {row.size} bytes it announces")
    return state
