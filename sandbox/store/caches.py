"""What is kept beside the log only to be quick: snapshots, which hold the state at some steps, so that a jump need not
begin at the first event, and blocks of what people remember (`people/memory_blocks.py`), so that a long log need not be
read.

Each is bound to its place in the log: its checksum covers the digest of its step, and the packed bytes, so that nothing
is unpacked that was not packed here or made up with care; and what was made up can be no larger than the world, or its
events, may be. A snapshot that fails any test is skipped, and the state comes from an earlier one or, after a few, from
the events. A block that does ends what is taken from them, and the rest comes from the events.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from itertools import accumulate
from typing import Annotated, Any, NamedTuple, overload

import msgspec
import numpy as np

# Raised together with a migration, which drops the older ones: an older program refuses the save.
STATE_FORMAT, CHANGE_FORMAT, BLOCK_FORMAT, FEED_FORMAT = 14, 15, 7, 1
SPAN_FORMAT = 2  # of a block of a feed that spans others (`spans.py`)
TRIES = 3  # bad snapshots, before the events alone are asked: the nearest, then whole ones
ALIKE = 5  # snapshots that hold only what is otherwise than in a whole one, before the next whole one
LEAST, MOST = 64 << 10, 16 << 20  # bytes of a state that others are told by: it stays in memory, and is cut to pieces
EVERY_EVENTS = 1_100  # take some 25 ms to read and apply, as does what a crowd does in
EVERY_SECONDS = 6_500  # of few events: a tick of a crowd is one, and takes as long as thirty
LARGE = 1_360_000  # bytes of a state from which on a larger one is kept less often: more people, more events
MAX_SIZE = 256 << 20  # bytes of one state, unpacked
ROOM = 1 << 20  # bytes that either may have, unpacked, and
TIMES, GROWTH = 4, 1_000  # a state: times that a world begins with; bytes an event (Larkspur: 10 to 50)
PLACE = 8  # bytes of a step
LEVEL = 6
NO_MEMORY = "Error -4 "  # how zlib says it
BLOCK_EVENTS = 12_000  # of a block; what making one takes for a moment is some megabytes
AN_EVENT = 2_000  # bytes of a block for each event (Larkspur: some 100)
A_USER = 64  # bytes of a block of a feed for each user of a crowd and event
Retell = Callable[[], tuple[int, bytes] | None]  # the event the last block of a feed ended with, and the next
# the second a step ends -> the event the last block ended with, and the pieces of the next
Remember = Callable[[int], tuple[int, list[bytes]]]


class BadCache(ValueError):
    """A snapshot or a block that cannot be trusted, and why."""


class Snapshot(NamedTuple):
    """A row of `snapshots`, in column order. size: bytes of the state before packing. data: the state, or else (by its
    format) the step of a whole one, and what is otherwise than there.
    """

    step: int
    seq: int
    format: int
    size: int
    digest: bytes
    data: bytes


class BlockRow(NamedTuple):
    """A row of `memories` or `feeds`, in column order. after, seq: the events it lies between. size: bytes before
    packing.
    """

    step: int
    seq: int
    after: int
    format: int
    size: int
    digest: bytes
    data: bytes


def _unpacked(row: Snapshot | BlockRow, most: int, place: bytes) -> bytes:
    """What a row holds whose place in the log is right. most: bytes it may have; place: what its checksum covers beside
    them. Raises BadCache.
    """
    _look_at(row, most, place)
    return _inflated(row.data, row.size)


def _look_at(row: Snapshot | BlockRow, most: int, place: bytes) -> None:
    """Raise BadCache unless a row is what was packed there, whatever that unpacks to."""
    if type(row.size) is not int or not 0 <= row.size <= most or type(row.data) is not bytes:
        raise BadCache(f"its size {row.size!r} is out of bounds")
    if row.digest != sha256(place + row.data).digest():
        raise BadCache("its checksum is wrong")


def _inflated(data: bytes, size: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        found: bytes = unpacker.decompress(data, size + 1)  # never more than was announced
    except zlib.error as error:
        if str(error).startswith(NO_MEMORY):
            raise MemoryError from error
        raise BadCache(f"it cannot be unpacked ({error})") from None
    if len(found) != size or not unpacker.eof or unpacker.unused_data:
        raise BadCache(f"it does not unpack to the {size} bytes it announces")
    return found


# ---- snapshots


class NewestSnapshot(NamedTuple):
    """Where the newest snapshot stands: its last event, its second, and the bytes of its state."""

    seq: int = 0
    t: int = 0
    size: int = 0


def due(seq: int, t: int, last: NewestSnapshot) -> bool:
    """Whether a step that ends with this event, at this second, is to be kept whole."""
    since = (seq - last.seq) / EVERY_EVENTS + (t - last.t) / EVERY_SECONDS
    return since >= min(MOST, max(LARGE, last.size)) / LARGE


def max_state_size(fresh: int, seq: int) -> int:
    """The bytes a state may have after that event at most. fresh: those of the state its world begins with."""
    return min(MAX_SIZE, ROOM + TIMES * fresh + GROWTH * seq)


class BaseState(NamedTuple):
    """A whole state that others are told by. digest: that of its row."""

    step: int
    digest: bytes
    state: bytes


def pack_state(step: int, seq: int, step_digest: bytes, state: bytes, by: BaseState | None = None) -> Snapshot:
    """A state as the row that keeps it. by: an earlier one, to keep only what is otherwise."""
    if by is None:
        data = zlib.compress(state, LEVEL)
        return Snapshot(step, seq, STATE_FORMAT, len(state), sha256(step_digest + data).digest(), data)
    data = by.step.to_bytes(PLACE, "big") + zlib.compress(make_delta(by.state, state), LEVEL)
    return Snapshot(step, seq, CHANGE_FORMAT, len(state), sha256(step_digest + by.digest + data).digest(), data)


def base_step(row: Snapshot) -> int:
    """The step of the whole state that one is told by, 0 if it is whole itself. Raises BadCache."""
    if row.format != CHANGE_FORMAT:
        return 0
    if type(row.data) is not bytes or not 0 < (step := int.from_bytes(row.data[:PLACE], "big")) < row.step:
        raise BadCache("it is told by no state before it")
    return step


def unpack_state(row: Snapshot, last_seq: int, step_digest: bytes, most: int, by: BaseState | None = None) -> bytes:
    """The state in a row. last_seq and step_digest: what `steps` says of its step; most: bytes it may have; by: what it
    is told by. Raises BadCache.
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
    """A piece of a block as it is kept. size: bytes before packing."""

    size: Annotated[int, msgspec.Meta(ge=0, le=MAX_SIZE)]
    data: bytes


_pieces = msgspec.msgpack.Decoder(list[Packed]).decode


class BlockPieces(Sequence[bytes]):
    """The pieces of a block, each unpacked when it is asked for, and never kept. Raises BadCache for one that cannot
    be.
    """

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
    """The pieces of a block of memories as the row that keeps them, each packed by itself."""
    data = msgspec.msgpack.encode([Packed(len(piece), zlib.compress(piece, LEVEL)) for piece in pieces])
    return BlockRow(step, seq, after, BLOCK_FORMAT, sum(map(len, pieces)), _proof(step_digest, after, data), data)


def unpack_block(row: BlockRow, last_seq: int, step_digest: bytes) -> BlockPieces:
    """The block of memories in a row, proved to be what was packed there, though none of it is unpacked. last_seq and
    step_digest: what `steps` says of its step. Raises BadCache.
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
    """A block of a feed as the row that keeps it. kind: its format."""
    data = zlib.compress(block, LEVEL)
    return BlockRow(step, seq, after, kind, len(block), _proof(step_digest, after, data), data)


def unpack_feed(row: BlockRow, last_seq: int, step_digest: bytes, bulk: int) -> bytes:
    """The block of a feed in a row. bulk: how many users a crowd has (`World.bulk`). Raises BadCache."""
    most = _fitting(row, last_seq, (FEED_FORMAT, SPAN_FORMAT), AN_EVENT + A_USER * bulk)
    return _unpacked(row, most, _place(step_digest, row.after))


# ---- both


def _place(step_digest: bytes, after: int) -> bytes:
    return step_digest + after.to_bytes(8, "big")


def _proof(step_digest: bytes, after: int, data: bytes) -> bytes:
    return sha256(_place(step_digest, after) + data).digest()


def _fitting(row: BlockRow, last_seq: int, kinds: Collection[int], an_event: int) -> int:
    """The bytes that a block may have, if it is of its place. an_event: those that an event may leave in it. Raises
    BadCache.
    """
    if row.format not in kinds:
        raise BadCache(f"its format is {row.format}, not {' or '.join(map(str, kinds))}")
    if row.seq != last_seq:
        raise BadCache(f"it ends at event {row.seq}, its step at {last_seq}")
    if type(row.after) is not int or not 0 <= row.after < row.seq:
        raise BadCache(f"it cannot begin after event {row.after!r}")
    return min(MAX_SIZE, ROOM + an_event * (row.seq - row.after))


def steps_in_chain(links: Sequence[tuple[Any, Any, Any]]) -> list[int]:
    """The steps of blocks that follow each other from event 0, to the newest that can be reached so. links: (step, seq,
    after), by step; of what one seq is told by, the later counts.
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


# ---- what is otherwise in one state than in another, as bytes


CUT = re.compile(rb"[\s\S]{24,400}?[\xa0-\xbf\xc4\xd9]|[\s\S]{1,400}")  # some 40 bytes, up to the head of a text
NEW = -1  # instead of a place in the other: bytes that it does not have
WIDE = np.dtype("<i4")


class Delta(msgspec.Struct, frozen=True, array_like=True):
    """starts, lengths: of each run of bytes, where it begins in the other, and how long it is. new: those of runs that
    begin nowhere there.
    """

    starts: bytes
    lengths: bytes
    new: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Delta).decode


def make_delta(base: bytes, state: bytes) -> bytes:
    """What has to be told of a state to whoever has the base."""
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
    """The state of which that was told, of so many bytes. Raises ValueError if it cannot be."""
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
