"""Blocks: memories added since the last block, as bytes, so that a long log need not be read again.

A block consists of pieces: a header with everybody's counts; now and then the whole speech history; and for each person
a part with the new memories, the older ones left if some were forgotten, and those recalled. So one person's memories
load without the others'. Blocks loaded in order give bit for bit the memories that the log gives. They may come from
anywhere, so each is validated before use.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.people.impressions import SavedSpeech, SpeechHistory
from sandbox.people.memory_columns import MICRO, PackedMemory
from sandbox.people.memory_stream import MemoryStream

LAST = 2**31 - 1  # greatest number of a memory or an event, and greatest second
Count = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
PLACES = np.dtype("<i4")
POIGNANT = 10  # greatest poignancy
SAYING = 12_000  # events between blocks that hold the speech history, which is large; only these can be resumed from
HEAD, SAID, PARTS = 0, 1, 2  # index of the header, the speech and the first person's part in a block
Pieces = Sequence[bytes]  # each may be unpacked only when it is asked for; ValueError if it cannot be


class BlockMark(NamedTuple):
    """Where a block ended. seq: its last event; now: the second after it; counts, sizes: for each person, how many
    memories they had had, and how many were left.
    """

    seq: int
    now: int
    counts: tuple[int, ...]
    sizes: tuple[int, ...]


class StreamState(msgspec.Struct, frozen=True, array_like=True):
    """Somebody's stream at the end of a block. count: memories ever had; left: memories kept; since, reflected: as in
    MemoryStream.
    """

    who: str
    count: Count
    left: Count
    since: Annotated[float, msgspec.Meta(ge=0)]
    reflected: Count


class BlockHeader(msgspec.Struct, frozen=True, array_like=True):
    """after, seq: the block covers events after < n <= seq; now: the second after the last. told: whether it holds the
    speech history, so that one can resume from its end.
    """

    after: Count
    seq: Count
    now: Count
    told: bool
    people: list[StreamState]


class BlockPart(msgspec.Struct, frozen=True, array_like=True):
    """Somebody's part of a block. left: ids still kept of the older memories, None if all; touched, seconds: ids of
    older ones recalled since, and when last.

    The rest is columns of the new memories, oldest first. gaps: ids skipped before each; last: second of last recall,
    as difference to the one before; weight: poignancy; moods: one axis after the other, in millionths if exact; sizes,
    rest: lengths and bytes of what `memory_columns.PackedMemory` packs.
    """

    left: bytes | None
    touched: bytes
    seconds: bytes
    gaps: bytes
    last: bytes
    weight: bytes
    moods: bytes
    exact: bool
    sizes: bytes
    rest: bytes


_encode = msgspec.msgpack.Encoder().encode
_head = msgspec.msgpack.Decoder(BlockHeader).decode
_part = msgspec.msgpack.Decoder(BlockPart).decode
_said = msgspec.msgpack.Decoder(SavedSpeech).decode
_memories = msgspec.msgpack.Decoder(list[PackedMemory]).decode
_pieces = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
ARRAY = b"\xdd"  # MessagePack's tag of an array whose length follows in four bytes


def first_mark(streams: Mapping[str, MemoryStream]) -> BlockMark:
    """Where the first block begins."""
    nothing = (0,) * len(streams)
    return BlockMark(0, 0, nothing, nothing)


def wider(mark: BlockMark, many: int) -> BlockMark:
    """The mark extended to `many` people; newcomers had no memories by then."""
    more = (0,) * (many - len(mark.counts))
    return mark._replace(counts=mark.counts + more, sizes=mark.sizes + more)


def mark_of(streams: Mapping[str, MemoryStream], seq: int, now: int) -> BlockMark:
    """The mark at the end of a block that holds everything so far."""
    return BlockMark(seq, now, tuple(s.count for s in streams.values()), tuple(len(s) for s in streams.values()))


def make_pieces(
    streams: Mapping[str, MemoryStream], spoken: SpeechHistory, mark: BlockMark, seq: int, now: int
) -> list[bytes]:
    """The pieces of a block with everything since the mark."""
    told = mark.seq // SAYING < seq // SAYING
    people = [StreamState(who, s.count, len(s), s.since, s.reflected) for who, s in streams.items()]
    parts = [
        _made(stream, count, size, mark.now)
        for stream, count, size in zip(streams.values(), mark.counts, mark.sizes, strict=True)
    ]
    said = _encode(spoken.state()) if told else b""
    return [_encode(BlockHeader(mark.seq, seq, now, told, people)), said, *map(_encode, parts)]


def _made(stream: MemoryStream, count: int, size: int, since: int) -> BlockPart:
    """One person's part of a new block. count, size: their numbers in the last mark; since: that mark's second."""
    columns, old, end = stream.columns(), stream.older(count), len(stream)
    touched = np.flatnonzero(columns.last[:old] >= since)
    mood, rest = columns.after[:, old:end], stream.parts(old)
    millionths = np.rint(mood * MICRO)
    exact = bool(np.array_equal(millionths / MICRO, mood))
    return BlockPart(
        None if old == size else _bytes(columns.ids[:old]),
        _bytes(columns.ids[touched]),
        _bytes(columns.last[touched]),
        _bytes(np.diff(columns.ids[old:end], prepend=count - 1) - 1),
        _bytes(np.diff(columns.last[old:end], prepend=0)),
        _bytes(columns.weight[old:end]),
        _bytes(millionths) if exact else mood.astype("<f8").tobytes(),
        exact,
        _bytes(np.array([*map(len, rest)], np.int32)),
        b"".join(rest),
    )


def head_of(pieces: Pieces) -> BlockHeader:
    """The header of a block. Raises ValueError if it is invalid."""
    try:
        return _head(pieces[HEAD])
    except (msgspec.MsgspecError, IndexError) as error:
        raise ValueError(f"no block: {error}") from error


def read(pieces: Pieces, streams: Mapping[str, MemoryStream], mark: BlockMark) -> BlockHeader:
    """The header of a block that continues from a mark. Raises ValueError if it is invalid or does not continue it."""
    head = head_of(pieces)
    known = [*streams][: max(1, len(head.people))]  # whoever came later has no part in it
    if head.after != mark.seq or not head.after <= head.seq or [p.who for p in head.people] != known:
        raise ValueError("it does not go on from the one before")
    if not mark.now <= head.now or len(pieces) != PARTS + len(head.people):
        raise ValueError("it does not go on from the one before")
    for p, count in zip(head.people, mark.counts, strict=False):
        if not math.isfinite(p.since) or not max(count, p.left) <= p.count or p.reflected >= max(1, head.now):
            raise ValueError(f"the memories of {p.who} cannot be so many")
    return head


def after(head: BlockHeader, many: int) -> BlockMark:
    """The mark at the end of a block, extended to `many` people."""
    counts, sizes = tuple(p.count for p in head.people), tuple(p.left for p in head.people)
    return wider(BlockMark(head.seq, head.now, counts, sizes), many)


def read_speech(pieces: Pieces, head: BlockHeader, streams: Mapping[str, MemoryStream]) -> SavedSpeech:
    """The speech history in a block. Raises ValueError if there is none or it is invalid."""
    try:
        said = _said(pieces[SAID])
    except msgspec.MsgspecError as error:
        raise ValueError(f"nothing that was said: {error}") from error
    said.check(streams.keys(), head.now)
    return said


def restore_stream(
    stream: MemoryStream, place: int, chain: Sequence[tuple[BlockHeader, Pieces]], people: Set[str]
) -> MemoryStream:
    """Fill an empty stream with the memories of the person at index `place` in a chain of consecutive blocks. Raises
    ValueError for parts that do not fit together or hold impossible values.
    """
    parts: list[bytes] = []
    for head, pieces in chain:
        if place < len(head.people):
            try:
                part = _part(pieces[PARTS + place])
            except msgspec.MsgspecError as error:
                raise ValueError(f"no part of a block: {error}") from error
            parts = _take(stream, head.people[place], part, parts, head.now)
    _prove(stream, [head for head, _ in chain if place < len(head.people)], place, parts, people)
    stream.shelve(parts)
    return stream


def _take(stream: MemoryStream, person: StreamState, part: BlockPart, parts: list[bytes], now: int) -> list[bytes]:
    """Add a part's columns to a stream; the packed memories so far: those of `parts` still kept, then the new."""
    if part.left is not None:
        parts = [parts[at] for at in stream.forget_all_but(_column(part.left)).tolist()]
    touched, seconds = _column(part.touched), _column(part.seconds)
    gaps, last, weight, sizes = map(_column, (part.gaps, part.last, part.weight, part.sizes))
    last = np.cumsum(last.astype(np.int64))
    if len(touched) != len(seconds) or any(((x < 0) | (x >= now)).any() for x in (seconds, last)):
        raise ValueError("what came to mind is not of this time")
    stream.touch_each(touched, seconds)
    mood, n, ends = _mood(part), len(gaps), np.cumsum(sizes)
    if {len(last), len(weight), len(sizes), len(mood)} != {n} or len(part.rest) != (ends[-1] if n else 0):
        raise ValueError("its columns differ in length")
    if n and not (sizes.min() >= 1 and np.abs(mood).max() <= 1.0 and 1 <= weight.min() <= weight.max() <= POIGNANT):
        raise ValueError("it holds moods or weights that nobody has")
    ids = stream.count + np.cumsum(gaps.astype(np.int64) + 1) - 1
    if (gaps < 0).any() or person.count < (ids[-1] + 1 if n else stream.count):
        raise ValueError("its memories are out of order")
    stream.append(ids, last, weight, mood)
    stream.count, stream.since, stream.reflected = person.count, person.since, person.reflected
    return [*parts, *(part.rest[a:b] for a, b in zip((ends - sizes).tolist(), ends.tolist(), strict=True))]


def _mood(part: BlockPart) -> NDArray[np.float64]:
    mood = np.frombuffer(part.moods, PLACES if part.exact else "<f8")
    if len(mood) % 3:
        raise ValueError("its columns differ in length")
    found: NDArray[np.float64] = (mood / MICRO if part.exact else mood).reshape(3, -1).T
    return found


def _prove(
    stream: MemoryStream, heads: Sequence[BlockHeader], place: int, parts: list[bytes], people: Set[str]
) -> None:
    """Raise ValueError unless the packed memories decode, lie in their block's time and name people of this town."""
    whole, n = ARRAY + len(parts).to_bytes(4, "big") + b"".join(parts), len(parts)
    try:
        puts, lengths = _memories(whole), [*map(len, _pieces(whole))]  # all at once, in a sixth of the time
    except msgspec.MsgspecError as error:
        raise ValueError(f"no memory: {error}") from error
    if lengths != [*map(len, parts)]:
        raise ValueError("its memories have other sizes than it says")
    if not n:
        return
    seqs, seconds = np.array([p.seq for p in puts], np.int64), np.array([p.t for p in puts], np.int64)
    bounds = np.array([(h.after, h.seq, h.now, h.people[place].count) for h in heads], np.int64)
    after, upto, now, _ = bounds[np.searchsorted(bounds[:, 3], stream.columns().ids[:n], "right")].T
    about = {who for several in {p.about for p in puts} for who in several}
    cited = [x for p in puts if p.evidence for x in p.evidence]
    sound = not cited or 0 <= min(cited) <= max(cited) <= LAST
    timely = (after < seqs) & (seqs <= upto) & (seconds >= 0) & (seconds < now)
    if not sound or not people >= about or not timely.all():
        raise ValueError("a memory is not of this time or town")


def _bytes(column: NDArray[Any]) -> bytes:
    return column.astype(PLACES).tobytes()


def _column(data: bytes) -> NDArray[np.int32]:
    return np.frombuffer(data, PLACES).astype(np.int32)
