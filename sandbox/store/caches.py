"""Caches beside the log. Snapshots hold the state at some steps, so that a jump need not begin at the first event;
blocks hold what people remember (`people/memory_blocks.py`) or a feed, so that a long log need not be read.

Each is bound to its place in the log: its checksum covers the digest of its step and the packed bytes, so that only
data packed here, or forged with care, is unpacked; and its size is limited by its world and the number of events. A
snapshot that fails a check is skipped, and the state comes from an earlier one or, after a few, from the events. From a
bad block on, everything comes from the events.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from itertools import accumulate
from typing import Annotated, Any, NamedTuple, overload

import msgspec

from sandbox.store.schema import LEVEL, NO_MEMORY

# Raised together with a migration, which deletes older rows; an older program then refuses the save.
STATE_FORMAT, CHANGE_FORMAT, BLOCK_FORMAT, FEED_FORMAT = 14, 15, 7, 1
SPAN_FORMAT = 2  # of a block of a feed that joins others (`spans.py`)
TRIES = 3  # snapshots tried (the nearest, then whole ones) before the events alone are used
LOT = 32  # snapshots of which only the first is whole; the n-th is a difference from n without its lowest bit
LEAST, MOST = 64 << 10, 16 << 20  # bytes of a state that may serve as a base: it stays in memory, and is cut to pieces
EVERY_EVENTS = 1_100  # events from one snapshot to the next: some 25 ms to read and apply
EVERY_SECONDS = 6_500  # the same in town time, for crowds: a tick is one event, and takes as long as thirty
LARGE = 1_360_000  # bytes of a state; larger ones are saved less often, as more people make more events
MAX_SIZE = 256 << 20  # bytes of one state, unpacked
ROOM = 1 << 20  # bytes that any state or block may have, unpacked; more for events, and
TIMES, GROWTH = 4, 1_000  # for a state: times its world's first state, and bytes an event (Larkspur: 10 to 50)
PLACE = 8  # bytes of a step's number
BLOCK_EVENTS = 12_000  # events in a block; making one takes some megabytes for a moment
AN_EVENT = 2_000  # bytes a block may have for each event (Larkspur: some 100)
A_USER = 64  # bytes more, in a block of a feed, for each event and user of a crowd
Retell = Callable[[], tuple[int, bytes] | None]  # returns the last event of the previous block, and the next
# the second at which a step ends -> the last event of the previous block, and the pieces of the next
Remember = Callable[[int], tuple[int, list[bytes]]]


class BadCache(ValueError):
    """A snapshot or a block that cannot be trusted, and why."""


class Snapshot(NamedTuple):
    """A row of `snapshots`, in column order. size: bytes of the state before packing. data: the packed state, or in
    CHANGE_FORMAT the step of an earlier state and the packed difference from it.
    """

    step: int
    seq: int
    format: int
    size: int
    digest: bytes
    data: bytes


class BlockRow(NamedTuple):
    """A row of `memories` or `feeds`, in column order. It covers events in (after, seq]. size: bytes before packing."""

    step: int
    seq: int
    after: int
    format: int
    size: int
    digest: bytes
    data: bytes


def _unpacked(row: Snapshot | BlockRow, most: int, place: bytes) -> bytes:
    """Check the size and checksum of a row, and unpack it. most: bytes it may have; place: what its checksum covers
    besides the data. Raises BadCache.
    """
    _look_at(row, most, place)
    return _inflated(row.data, row.size)


def _look_at(row: Snapshot | BlockRow, most: int, place: bytes) -> None:
    """Check the size and checksum of a row without unpacking it; see `_unpacked`. Raises BadCache."""
    if type(row.size) is not int or not 0 <= row.size <= most or type(row.data) is not bytes:
        raise BadCache(f"its size {row.size!r} is out of bounds")
    if row.digest != sha256(place + row.data).digest():
        raise BadCache("its checksum is wrong")


def _inflated(data: bytes, size: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        found: bytes = unpacker.decompress(data, size + 1)  # never more than the row announces
    except zlib.error as error:
        if str(error).startswith(NO_MEMORY):
            raise MemoryError from error
        raise BadCache(f"it cannot be unpacked ({error})") from None
    if len(found) != size or not unpacker.eof or unpacker.unused_data:
        raise BadCache(f"it does not unpack to the {size} bytes it announces")
    return found


# ---- snapshots


class NewestSnapshot(NamedTuple):
    """The newest snapshot: the last event and second of its step, and the bytes of its state."""

    seq: int = 0
    t: int = 0
    size: int = 0


def due(seq: int, t: int, last: NewestSnapshot) -> bool:
    """Whether a snapshot is due for a step that ends with this event, at this second."""
    since = (seq - last.seq) / EVERY_EVENTS + (t - last.t) / EVERY_SECONDS
    return since >= min(MOST, max(LARGE, last.size)) / LARGE


def max_state_size(fresh: int, seq: int) -> int:
    """The most bytes a state may have after event `seq`. fresh: bytes of its world's first state."""
    return min(MAX_SIZE, ROOM + TIMES * fresh + GROWTH * seq)


class BaseState(NamedTuple):
    """A state from which later ones differ. digest: of its row; number: its place in its lot, from 0."""

    step: int
    digest: bytes
    state: bytes
    number: int = 0


def pack_next(
    step: int, seq: int, step_digest: bytes, state: bytes, bases: tuple[BaseState, ...]
) -> tuple[Snapshot, tuple[BaseState, ...]]:
    """Pack a state into its row; return also the bases of the next one. bases: as returned for the one before."""
    held = sum(len(base.state) for base in bases)
    number = bases[-1].number + 1 if bases and bases[-1].step < step and held <= MOST else LOT
    worth = LEAST <= len(state) <= MOST
    left = tuple(base for base in bases if base.number <= number & (number - 1)) if worth and number < LOT else ()
    row = pack_state(step, seq, step_digest, state, left[-1] if left else None)
    return row, (*left, BaseState(step, row.digest, state, number if left else 0)) if worth else ()


def pack_state(step: int, seq: int, step_digest: bytes, state: bytes, by: BaseState | None = None) -> Snapshot:
    """Pack a state into its row. by: an earlier state, to save only the difference from that."""
    if by is None:
        data = zlib.compress(state, LEVEL)
        return Snapshot(step, seq, STATE_FORMAT, len(state), sha256(step_digest + data).digest(), data)
    data = by.step.to_bytes(PLACE, "big") + zlib.compress(make_delta(by.state, state), LEVEL)
    return Snapshot(step, seq, CHANGE_FORMAT, len(state), sha256(step_digest + by.digest + data).digest(), data)


def base_step(row: Snapshot) -> int:
    """The step of the state that a snapshot is a difference from; 0 if it is whole. Raises BadCache."""
    if row.format != CHANGE_FORMAT:
        return 0
    if type(row.data) is not bytes or not 0 < (step := int.from_bytes(row.data[:PLACE], "big")) < row.step:
        raise BadCache("it is told by no state before it")
    return step


def unpack_state(row: Snapshot, last_seq: int, step_digest: bytes, most: int, by: BaseState | None = None) -> bytes:
    """The state in a row. last_seq, step_digest: of its step in `steps`; most: bytes it may have; by: the state it
    is a difference from. Raises BadCache.
    """
    kind = STATE_FORMAT if by is None else CHANGE_FORMAT
    if row.format != kind:
        raise BadCache(f"its format is {row.format}, not {kind}")
    if row.seq != last_seq:
        raise BadCache(f"it stands at event {row.seq}, its step ends at {last_seq}")
    if by is None:
        return _unpacked(row, most, step_digest)
    _look_at(row, most, step_digest + by.digest)
    unpacker = zlib.decompressobj()
    try:
        told = unpacker.decompress(row.data[PLACE:], ROOM + TIMES * most)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError("more than any state has")
        return apply_delta(by.state, told, row.size)
    except (zlib.error, ValueError) as error:
        if str(error).startswith(NO_MEMORY):
            raise MemoryError from error
        raise BadCache(f"it cannot be told by another ({error})") from None


# ---- blocks of memories


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """A piece of a block, packed. size: bytes before packing."""

    size: Annotated[int, msgspec.Meta(ge=0, le=MAX_SIZE)]
    data: bytes


_pieces = msgspec.msgpack.Decoder(list[Packed]).decode


class BlockPieces(Sequence[bytes]):
    """The pieces of a block, each unpacked anew when asked for. Raises BadCache for one that cannot be."""

    def __init__(self, packed: Sequence[Packed]) -> None:
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed)

    @overload
    def __getitem__(self, at: int) -> bytes: ...

    @overload
    def __getitem__(self, at: slice) -> list[bytes]: ...

    def __getitem__(self, at: int | slice) -> bytes | list[bytes]:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        piece = self._packed[at]
        return _inflated(piece.data, piece.size)


def pack_block(step: int, seq: int, step_digest: bytes, after: int, pieces: Sequence[bytes]) -> BlockRow:
    """Pack the pieces of a block of memories, each by itself, into a row."""
    data = msgspec.msgpack.encode([Packed(len(piece), zlib.compress(piece, LEVEL)) for piece in pieces])
    return BlockRow(step, seq, after, BLOCK_FORMAT, sum(map(len, pieces)), _proof(step_digest, after, data), data)


def unpack_block(row: BlockRow, last_seq: int, step_digest: bytes) -> BlockPieces:
    """The block of memories in a row, verified by its checksum, not yet unpacked. last_seq, step_digest: of its step in
    `steps`. Raises BadCache.
    """
    most = _fitting(row, last_seq, (BLOCK_FORMAT,), AN_EVENT)
    _look_at(row, most, _place(step_digest, row.after))
    try:
        found = _pieces(row.data)
    except msgspec.MsgspecError as error:
        raise BadCache(f"it is no block ({error})") from None
    if sum(piece.size for piece in found) != row.size:
        raise BadCache(f"its pieces are not the {row.size} bytes it announces")
    return BlockPieces(found)


# ---- blocks of a feed


def pack_feed(step: int, seq: int, step_digest: bytes, after: int, block: bytes, kind: int = FEED_FORMAT) -> BlockRow:
    """Pack a block of a feed into a row. kind: its format."""
    data = zlib.compress(block, LEVEL)
    return BlockRow(step, seq, after, kind, len(block), _proof(step_digest, after, data), data)


def unpack_feed(row: BlockRow, last_seq: int, step_digest: bytes, bulk: int) -> bytes:
    """Unpack the block of a feed in a row. bulk: users of the crowd (`World.bulk`). Raises BadCache."""
    most = _fitting(row, last_seq, (FEED_FORMAT, SPAN_FORMAT), AN_EVENT + A_USER * bulk)
    return _unpacked(row, most, _place(step_digest, row.after))


# ---- both


def _place(step_digest: bytes, after: int) -> bytes:
    return step_digest + after.to_bytes(8, "big")


def _proof(step_digest: bytes, after: int, data: bytes) -> bytes:
    return sha256(_place(step_digest, after) + data).digest()


def _fitting(row: BlockRow, last_seq: int, kinds: Collection[int], an_event: int) -> int:
    """Check the format and place of a block; return how many bytes it may have. an_event: bytes allowed for each event.
    Raises BadCache.
    """
    if row.format not in kinds:
        raise BadCache(f"its format is {row.format}, not {' or '.join(map(str, kinds))}")
    if row.seq != last_seq:
        raise BadCache(f"it ends at event {row.seq}, its step at {last_seq}")
    if type(row.after) is not int or not 0 <= row.after < row.seq:
        raise BadCache(f"it cannot begin after event {row.after!r}")
    return min(MAX_SIZE, ROOM + an_event * (row.seq - row.after))


def steps_in_chain(links: Sequence[tuple[Any, Any, Any]]) -> list[int]:
    """The steps of the blocks that follow each other without a gap from event 0 to the newest that can be reached.
    links: (step, seq, after), by step; of two with the same seq, the later counts.
    """
    before = dict[Any, tuple[int, Any]]()  # the event a block ends with -> its step, and the event it goes on from
    for step, seq, after in links:
        if (after == 0 or after in before) and after < seq:
            before[seq] = step, after
    found, at = list[int](), next(reversed(before), 0)
    while at in before:
        step, at = before[at]
        found.append(step)
    return found[::-1]


# ---- the difference between two states


CUT = re.compile(rb"(?s).{16}[^\xa0-\xbf\xc4\xd9]{0,384}[\xa0-\xbf\xc4\xd9]|.{1,400}")  # some 30 bytes, up to a text
NEW = -1  # instead of a start in the base: bytes that it lacks
WIDE = "<i4"


class Delta(msgspec.Struct, frozen=True, array_like=True):
    """The difference of a state from a base. starts, lengths: int32 arrays; where each run of bytes begins in the base
    (NEW: it is not there), and its length. new: the bytes of all runs that the base lacks.
    """

    starts: bytes
    lengths: bytes
    new: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Delta).decode


def make_delta(base: bytes, state: bytes) -> bytes:
    """The difference of a state from a base, encoded."""
    import numpy as np

    cuts = CUT.findall(base)
    known = dict(zip(cuts, accumulate(map(len, cuts), initial=0), strict=False))
    starts, lengths, new, end = list[int](), list[int](), list[bytes](), NEW
    for part in CUT.findall(state):
        if end >= 0 and base.startswith(part, end):
            lengths[-1] += len(part)
            end += len(part)
            continue
        at = known.get(part, NEW)
        if at == NEW:
            new.append(part)
        if at == NEW and starts and starts[-1] == NEW:
            lengths[-1] += len(part)
        else:
            starts.append(at)
            lengths.append(len(part))
        end = at + len(part) if at >= 0 else NEW
    return _encode(Delta(np.array(starts, WIDE).tobytes(), np.array(lengths, WIDE).tobytes(), b"".join(new)))


def apply_delta(base: bytes, delta: bytes, size: int) -> bytes:
    """The state of `size` bytes that differs from a base so. Raises ValueError if they do not fit."""
    import numpy as np

    try:
        told = _decode(delta)
    except msgspec.MsgspecError as error:
        raise ValueError(f"it tells of no state: {error}") from error
    starts, lengths = (np.frombuffer(column, WIDE).astype(np.int64) for column in (told.starts, told.lengths))
    if len(starts) != len(lengths) or lengths.sum() != size:
        raise ValueError(f"it does not make the {size} bytes it announces")
    inside = (starts >= NEW) & (lengths > 0) & (starts + lengths <= len(base))
    if not inside[starts != NEW].all() or (lengths < 0).any() or lengths[starts == NEW].sum() != len(told.new):
        raise ValueError("it speaks of bytes that are not there")
    found, at = list[bytes](), 0
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if start == NEW:
            found.append(told.new[at : at + length])
            at += length
        else:
            found.append(base[start : start + length])
    return b"".join(found)
