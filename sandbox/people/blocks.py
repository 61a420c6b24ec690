"""What people have come to remember since the last time, as bytes, so that a long life need not be read again.

A block holds the new memories of all, in the order of their events; which of the older ones are left, where some were
forgotten; which came to mind; and now and then what has been said, as it stands. Blocks taken in one after the other
make the memories that the log makes, to the bit. They may come from anywhere: each is looked at before it is taken.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.people.shelf import MICRO, Put, decode
from sandbox.people.spoken import Said, Spoken
from sandbox.people.stream import Stream

LAST = 2**31 - 1  # number of a memory or an event, and second
Count = Annotated[int, msgspec.Meta(ge=0, le=LAST)]
PLACES = np.dtype("<i4")
MOST = 10  # poignancy
SAYING = 12_000  # events after which a block holds what has been said, too: that is much, and one goes on from there


class Mark(NamedTuple):
    """Where a block ended. seq: its last event; now: the second after it; counts, sizes: how many memories each has
    had by then, and how many of them were left.
    """

    seq: int
    now: int
    counts: tuple[int, ...]
    sizes: tuple[int, ...]


class Person(msgspec.Struct, frozen=True, array_like=True):
    """Somebody's part of a block. left: the ids that are left of those before it, None if all; touched: ids that came
    to mind since, with the second they last did.
    """

    who: str
    count: Count
    since: Annotated[float, msgspec.Meta(ge=0)]
    reflected: Count
    left: bytes | None
    touched: bytes
    seconds: bytes


class Block(msgspec.Struct, frozen=True, array_like=True):
    """after, seq: the events it lies between; now: the second after the last of them. said: what has been said, as
    bytes, where one can go on from its end, else b"".

    The rest is the new memories, the oldest event first: whose (place in people), how many of their ids were left out
    before it, seconds until it last came to mind, poignancy, mood (an axis after the other, in millionths if exact),
    what `shelf` puts away of it, and its length.
    """

    after: Count
    seq: Count
    now: Count
    people: list[Person]
    said: bytes
    owner: bytes
    gaps: bytes
    later: bytes
    weight: bytes
    moods: bytes
    exact: bool
    sizes: bytes
    rest: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Block).decode
_said = msgspec.msgpack.Decoder(Said).decode
_memories = msgspec.msgpack.Decoder(list[Put]).decode
_pieces = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
ARRAY = b"\xdd"  # before so many, in four bytes, of MessagePack


def beginning(streams: Mapping[str, Stream]) -> Mark:
    """Where the first block begins."""
    nothing = (0,) * len(streams)
    return Mark(0, 0, nothing, nothing)


def wider(mark: Mark, many: int) -> Mark:
    """The same mark where there are so many people: who has come since has had nothing by then."""
    more = (0,) * (many - len(mark.counts))
    return mark._replace(counts=mark.counts + more, sizes=mark.sizes + more)


def mark_of(streams: Mapping[str, Stream], seq: int, now: int) -> Mark:
    """Where a block ends that holds all there is by now."""
    return Mark(seq, now, tuple(s.count for s in streams.values()), tuple(len(s) for s in streams.values()))


def make(streams: Mapping[str, Stream], spoken: Spoken, mark: Mark, seq: int, now: int) -> bytes:
    """What has come since the mark, as bytes."""
    people: list[Person] = []
    gaps, last, weight, moods, owner, rest = [], [], [], [], [], list[bytes]()
    for place, (who, stream) in enumerate(streams.items()):
        count, size = mark.counts[place], mark.sizes[place]
        columns, old = stream.columns(), stream.older(count)
        touched = np.flatnonzero(columns.last[:old] >= mark.now)
        left = None if old == size else _bytes(columns.ids[:old])
        people.append(
            Person(
                who, stream.count, stream.since, stream.reflected, left,
                _bytes(columns.ids[touched]), _bytes(columns.last[touched]),
            )
        )  # fmt: skip
        end = len(stream)
        gaps.append(np.diff(columns.ids[old:end], prepend=count - 1) - 1)
        last.append(columns.last[old:end])
        weight.append(columns.weight[old:end])
        moods.append(columns.after[:, old:end])
        owner.append(np.full(end - old, place, np.int32))
        rest += stream.parts(old)
    when = np.array([(put.seq, put.t) for put in map(decode, rest)], np.int64).reshape(-1, 2)
    order = np.argsort(when[:, 0], kind="stable")
    mood = np.concatenate(moods, axis=1)[:, order]
    millionths = np.rint(mood * MICRO)
    exact = bool(np.array_equal(millionths / MICRO, mood))
    block = Block(
        mark.seq, seq, now, people, _encode(spoken.state()) if mark.seq // SAYING < seq // SAYING else b"",
        _bytes(np.concatenate(owner)[order]),
        _bytes(np.concatenate(gaps)[order]),
        _bytes((np.concatenate(last) - when[:, 1])[order]),
        _bytes(np.concatenate(weight)[order]),
        _bytes(millionths) if exact else mood.astype("<f8").tobytes(),
        exact,
        _bytes(np.array([len(rest[i]) for i in order.tolist()], np.int32)),
        b"".join(rest[i] for i in order.tolist()),
    )  # fmt: skip
    return _encode(block)


def read(data: bytes) -> Block:
    """A block taken apart. Raises ValueError if it is none."""
    try:
        return _decode(data)
    except msgspec.MsgspecError as error:
        raise ValueError(f"no block: {error}") from error


def take(streams: Mapping[str, Stream], block: Block, mark: Mark) -> Mark:
    """Add a block to memories that stand at a mark; return where they stand then.

    Raises ValueError for one that does not go on from there, or holds what no town has; then some may have been taken.
    """
    new = _New(block, len(block.people))
    known = [*streams][: max(1, len(block.people))]  # whoever came later has no part in it
    if block.after != mark.seq or [p.who for p in block.people] != known or not mark.now <= block.now:
        raise ValueError("it does not go on from the one before")
    last = new.later + _seconds(block, len(new.parts), streams.keys())
    for place, (person, stream) in enumerate(zip(block.people, streams.values(), strict=False)):
        if not math.isfinite(person.since):
            raise ValueError(f"{person.who} has no measure of what they took in")
        mine = np.flatnonzero(new.owner == place)
        _take_one(stream, person, new, mine, last[mine], mark.counts[place], block.now)
    return mark_of(streams, block.seq, block.now)


def said_of(block: Block, streams: Mapping[str, Stream]) -> Said:
    """What had been said by the end of a block. Raises ValueError if it holds nothing of that, or what cannot be."""
    try:
        said = _said(block.said)
    except msgspec.MsgspecError as error:
        raise ValueError(f"nothing that was said: {error}") from error
    said.check(streams.keys(), block.now)
    return said


def _seconds(block: Block, many: int, people: Set[str]) -> NDArray[np.int64]:
    """When each memory of a block was made. Raises ValueError if some are none, or cannot be of that block."""
    try:
        puts = _memories(ARRAY + many.to_bytes(4, "big") + block.rest)  # all at once, in a sixth of the time
        lengths = list(map(len, _pieces(ARRAY + many.to_bytes(4, "big") + block.rest)))
    except msgspec.MsgspecError as error:
        raise ValueError(f"no memory: {error}") from error
    if lengths != _column(block.sizes).tolist():
        raise ValueError("its memories have other sizes than it says")
    seqs, seconds = np.array([p.seq for p in puts], np.int64), np.array([p.t for p in puts], np.int64)
    past = not many or (block.after < seqs.min() and seqs.max() <= block.seq and 0 <= seconds.min() <= seconds.max())
    about = {who for several in {p.about for p in puts} for who in several}
    cited = [x for p in puts if p.evidence for x in p.evidence]
    sound = not cited or 0 <= min(cited) <= max(cited) <= LAST
    if not past or not sound or not people >= about or (many and seconds.max() >= block.now):
        raise ValueError("a memory is not of this time or town")
    return seconds


class _New:
    """The new memories of a block, taken apart. Raises ValueError if the columns do not fit one another."""

    def __init__(self, block: Block, people: int) -> None:
        self.owner, self.gaps, later, self.weight, sizes = map(
            _column, (block.owner, block.gaps, block.later, block.weight, block.sizes)
        )
        n = len(self.owner)
        mood = np.frombuffer(block.moods, PLACES if block.exact else "<f8")
        if {len(self.gaps), len(later), len(self.weight), len(sizes)} != {n} or len(mood) != 3 * n:
            raise ValueError("its columns differ in length")
        ends = np.cumsum(sizes)
        if n and (
            sizes.min() < 1 or ends[-1] != len(block.rest) or not 0 <= self.owner.min() <= self.owner.max() < people
        ):
            raise ValueError("its columns do not fit one another")
        self.mood = (mood / MICRO if block.exact else mood).reshape(3, n).T
        if n and not (np.abs(self.mood).max() <= 1.0 and 1 <= self.weight.min() <= self.weight.max() <= MOST):
            raise ValueError("it holds moods or weights that nobody has")
        self.parts = [block.rest[a:b] for a, b in zip((ends - sizes).tolist(), ends.tolist(), strict=True)]
        self.later = later


def _take_one(
    stream: Stream, person: Person, new: _New, mine: NDArray[np.intp], last: NDArray[Any], first: int, now: int
) -> None:
    gaps = new.gaps[mine].astype(np.int64)
    ids = first + np.cumsum(gaps + 1) - 1
    if person.left is not None:
        stream.forget_all_but(_column(person.left))
    touched, seconds = _column(person.touched), _column(person.seconds)
    if len(touched) != len(seconds) or any(((x < 0) | (x >= now)).any() for x in (seconds, last)):
        raise ValueError(f"what came to the mind of {person.who} is not of this time")
    stream.touch_each(touched, seconds)
    if (gaps < 0).any() or person.count < (ids[-1] + 1 if len(ids) else first):
        raise ValueError(f"the memories of {person.who} are out of order")
    stream.append(ids, last, new.weight[mine], new.mood[mine], [new.parts[i] for i in mine.tolist()])
    stream.count, stream.since, stream.reflected = person.count, person.since, person.reflected


def _bytes(column: NDArray[Any]) -> bytes:
    return column.astype(PLACES).tobytes()


def _column(data: bytes) -> NDArray[np.int32]:
    return np.frombuffer(data, PLACES).astype(np.int32)
