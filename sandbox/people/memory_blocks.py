"""What people have come to remember since the last time, as bytes, so that a long life need not be read again.

A block is pieces: who it is of and how much they remember; now and then what has been said, as it stands; and for each
person a part with the new memories, which of the older ones are left, where some were forgotten, and which came to
mind. So somebody's memories are taken in when they are asked for, and nobody else's. Blocks taken in one after the
other make the memories that the log makes, to the bit. They may come from anywhere: each is looked at before it is
taken.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.people.memory_stream import MemoryStream
from sandbox.people.packed_memories import MICRO, PackedMemory
from sandbox.people.spoken import SavedSpeech, SpeechHistory

LAST = 2**31 - 1  # number of a memory or an event, and second
Count = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
PLACES = np.dtype("<i4")
MOST = 10  # poignancy
SAYING = 12_000  # events after which a block holds what has been said, too: that is much, and one goes on from there
HEAD, SAID, PARTS = 0, 1, 2  # pieces of a block
Pieces = Sequence[bytes]  # each may be unpacked only when it is asked for; ValueError if it cannot be


class BlockMark(NamedTuple):
    """Where a block ended. seq: its last event; now: the second after it; counts, sizes: how many memories each has
    had by then, and how many of them were left.
    """

    seq: int
    now: int
    counts: tuple[int, ...]
    sizes: tuple[int, ...]


class StreamState(msgspec.Struct, frozen=True, array_like=True):
    """How somebody's stream stands at the end of a block. left: how many memories they have."""

    who: str
    count: Count
    left: Count
    since: Annotated[float, msgspec.Meta(ge=0)]
    reflected: Count


class BlockHeader(msgspec.Struct, frozen=True, array_like=True):
    """after, seq: the events a block lies between; now: the second after the last of them. told: whether it holds what
    has been said: one can go on from its end.
    """

    after: Count
    seq: Count
    now: Count
    told: bool
    people: list[StreamState]


class BlockPart(msgspec.Struct, frozen=True, array_like=True):
    """Somebody's memories in a block. left: the ids that are left of those before it, None if all; touched: ids that
    came to mind since, with the second they last did.

    The rest is the new memories, oldest first: how many of their ids were left out before it, the second it last came
    to mind (as much as is more than of the one before), poignancy, mood (an axis after the other, in millionths if
    exact), its length, and what `shelf` puts away of it.
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
ARRAY = b"\xdd"  # before so many, in four bytes, of MessagePack


def first_mark(streams: Mapping[str, MemoryStream]) -> BlockMark:
    """Where the first block begins."""
    nothing = (0,) * len(streams)
    return BlockMark(0, 0, nothing, nothing)


def wider(mark: BlockMark, many: int) -> BlockMark:
    """The same mark where there are so many people: who has come since has had nothing by then."""
    more = (0,) * (many - len(mark.counts))
    return mark._replace(counts=mark.counts + more, sizes=mark.sizes + more)


def mark_of(streams: Mapping[str, MemoryStream], seq: int, now: int) -> BlockMark:
    """Where a block ends that holds all there is by now."""
    return BlockMark(seq, now, tuple(s.count for s in streams.values()), tuple(len(s) for s in streams.values()))


def make_pieces(
    streams: Mapping[str, MemoryStream], spoken: SpeechHistory, mark: BlockMark, seq: int, now: int
) -> list[bytes]:
    """What has come since the mark, as pieces of a block."""
    told = mark.seq // SAYING < seq // SAYING
    people = [StreamState(who, s.count, len(s), s.since, s.reflected) for who, s in streams.items()]
    parts = [
        _made(stream, count, size, mark.now)
        for stream, count, size in zip(streams.values(), mark.counts, mark.sizes, strict=True)
    ]
    said = _encode(spoken.state()) if told else b""
    return [_encode(BlockHeader(mark.seq, seq, now, told, people)), said, *map(_encode, parts)]


def _made(stream: MemoryStream, count: int, size: int, since: int) -> BlockPart:
    """What has come to somebody. count, size: as of them in a mark; since: the second of it."""
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
    """The head of a block. Raises ValueError if it is none."""
    try:
        return _head(pieces[HEAD])
    except (msgspec.MsgspecError, IndexError) as error:
        raise ValueError(f"no block: {error}") from error


def read(pieces: Pieces, streams: Mapping[str, MemoryStream], mark: BlockMark) -> BlockHeader:
    """The head of a block that goes on from that mark. Raises ValueError if it is none."""
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
    """Where memories of so many people stand at the end of that block."""
    counts, sizes = tuple(p.count for p in head.people), tuple(p.left for p in head.people)
    return wider(BlockMark(head.seq, head.now, counts, sizes), many)


def read_speech(pieces: Pieces, head: BlockHeader, streams: Mapping[str, MemoryStream]) -> SavedSpeech:
    """What had been said by the end of a block. Raises ValueError if it holds nothing of that, or what cannot be."""
    try:
        said = _said(pieces[SAID])
    except msgspec.MsgspecError as error:
        raise ValueError(f"nothing that was said: {error}") from error
    said.check(streams.keys(), head.now)
    return said


def restore_stream(
    stream: MemoryStream, place: int, chain: Sequence[tuple[BlockHeader, Pieces]], people: Set[str]
) -> MemoryStream:
    """Let a stream that has no memories be that of the person at a place in all these blocks, which follow one another
    from the first. Raises ValueError for parts that do not, or that hold what no town has.
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
    """Add a part to a stream; what is put away of its memories, after those there were, some of which may be gone."""
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
    if n and not (sizes.min() >= 1 and np.abs(mood).max() <= 1.0 and 1 <= weight.min() <= weight.max() <= MOST):
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
    """Raise ValueError unless what is left is memories, each of the time of its block and of this town."""
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
