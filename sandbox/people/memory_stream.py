"""One person's memories: the latest as objects, older ones packed as bytes, and numpy columns for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, overload

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.people.memory_columns import (
    Form,
    MemoryColumns,
    PackedMemories,
    PackedMemory,
    Vocabulary,
    encode,
    pack_delta,
    unpack_delta,
)
from sandbox.people.mood import CALM, Pad

ROUTINE = 2  # memories up to this poignancy are forgotten first
FRESH = 1000  # the latest so many are never forgotten
AT_HAND, TOGETHER = 400, 100  # the latest so many stay objects; beyond that they are packed in batches of TOGETHER


class Memory(msgspec.Struct, gc=False):
    """A node of the stream.

    id: its number in the owner's stream. kind: event, chat, thought or plan. last: when it last came to mind.
    text: a sentence without subject in the past ("saw Hugo feeding the ducks"). about: persons in it. poignancy
    1..10. delta and after: what it did to the mood and the mood it left. evidence: ids of memories that support it.
    seq: the event it comes from. form: what its text is (`memory_columns.Form`).
    """

    id: int
    kind: str
    t: int
    last: int
    text: str
    about: tuple[str, ...]
    poignancy: int
    seq: int
    delta: Pad = CALM
    after: Pad = CALM
    evidence: tuple[int, ...] = ()
    topic: str = ""
    form: Form = ""


def pack_memory(memory: Memory) -> bytes:
    """A memory packed as bytes."""
    return encode(
        PackedMemory(
            memory.kind,
            memory.t,
            memory.text,
            memory.about,
            memory.seq,
            pack_delta(memory.delta),
            memory.evidence,
            memory.topic,
            memory.form,
        )
    )


class PendingMemories(NamedTuple):
    """Memories loaded lazily. take: loads them as a stream; had, left: memories it ever had and still keeps; since,
    reflected: its fields, as known beforehand.
    """

    take: Callable[[], MemoryStream]
    had: int
    left: int
    since: float
    reflected: int


class MemoryStream:
    """One person's memories by place, oldest first; packed ones are unpacked on each access. since: poignancy added
    since the last reflection; reflected: second of that reflection.

    kept: limit beyond which a quarter is forgotten: routine before the rest, old before new. count: memories ever had,
    and the next id.

    A stream may load lazily (`wait`): its length is known before.
    """

    __slots__ = ("_came", "_columns", "_late", "_shelf", "_vocabulary", "_waits", "count", "kept", "reflected", "since")

    def __init__(self, kept: int = 6000, vocabulary: Vocabulary | None = None) -> None:
        self.kept = kept
        self._vocabulary = Vocabulary() if vocabulary is None else vocabulary
        self.clear()

    def clear(self) -> None:
        """Have no memories, as at the start."""
        self.count = 0
        self.since = 0.0
        self.reflected = 0
        self._shelf = PackedMemories()
        self._late: list[Memory] = []  # the latest; their ids have no gaps
        self._columns = MemoryColumns(self._vocabulary)
        self._waits: PendingMemories | None = None
        self._came: list[Memory | tuple[tuple[int, ...], int]] = []  # added and recalled while still unloaded

    def __len__(self) -> int:
        if self._waits is not None:
            if (there := self._waits.left + self.count - self._waits.had) <= self.kept:
                return there
            self._open()  # and forget
        return len(self._shelf) + len(self._late)

    @overload
    def __getitem__(self, at: int) -> Memory: ...

    @overload
    def __getitem__(self, at: slice) -> list[Memory]: ...

    def __getitem__(self, at: int | slice) -> Memory | list[Memory]:
        self._open()
        count, old = len(self), len(self._shelf)
        if not isinstance(at, slice):
            if not -count <= at < count:
                raise IndexError(at)
            return self.at(at % count)
        start, stop, step = at.indices(count)
        if step == 1 and start >= old:
            return self._late[start - old : max(start, stop) - old]
        return [self.at(place) for place in range(start, stop, step)]

    def __iter__(self) -> Iterator[Memory]:
        self._open()
        return map(self.at, range(len(self)))

    def add(self, node: Memory) -> None:
        """Append a memory; its id must be `count`."""
        if self._waits is not None:
            self._came.append(node)
            self.count += 1
            return
        self._late.append(node)
        self.count += 1
        if len(self) > self.kept:
            self._forget()
        if len(self._late) >= AT_HAND + TOGETHER:
            self._put_away(TOGETHER)

    def _put_away(self, count: int) -> None:
        self.columns()
        self._shelf.put([pack_memory(m) for m in self._late[:count]])
        del self._late[:count]

    def _forget(self) -> None:
        columns, new = self.columns(), max(0, len(self) - FRESH)
        routine = columns.weight[:new] <= ROUTINE
        dull, left = np.flatnonzero(routine), np.flatnonzero(~routine)
        spare = len(self) - self.kept * 3 // 4
        gone = max(0, spare - len(dull))
        self._only(np.sort(np.concatenate([dull[spare:], left[gone:], np.arange(new, len(self))])))

    def _only(self, kept: NDArray[np.intp]) -> None:
        """Keep only these places, which must include all of the latest."""
        self.columns().only(kept)
        self._shelf.only(kept[: len(kept) - len(self._late)])

    def node(self, id: int) -> Memory | None:
        """The memory with an id, None if it is forgotten."""
        self._open()
        late = id - self.count + len(self._late)
        if late >= 0:
            return self._late[late] if late < len(self._late) else None
        ids = self.columns().ids[: len(self._shelf)]
        at = int(np.searchsorted(ids, id))
        return self.at(at) if at < len(ids) and ids[at] == id else None

    def at(self, place: int) -> Memory:
        """The memory at a place from 0 on."""
        self._open()
        late = place - len(self._shelf)
        return self._late[late] if late >= 0 else self._taken(self._shelf.take(place), place)

    def _taken(self, put: PackedMemory, at: int) -> Memory:
        c = self._columns
        after, delta = Pad(*c.after[:, at].tolist()), unpack_delta(put.delta)
        return Memory(
            int(c.ids[at]), put.kind, put.t, int(c.last[at]), put.text, put.about, int(c.weight[at]), put.seq,
            delta, CALM if after == CALM else after, put.evidence, put.topic, put.form,
        )  # fmt: skip

    def touch(self, ids: Sequence[int], t: int) -> None:
        """Mark memories as recalled at second t; forgotten ones are ignored."""
        if self._waits is not None:
            self._came.append((tuple(ids), t))
            return
        first = self.count - len(self._late)
        columns = self.columns()
        wanted = np.array(ids, np.int64)
        at = columns.places(wanted)
        there = at < columns.count
        there[there] = columns.ids[at[there]] == wanted[there]
        columns.last[at[there]] = t
        for id in ids:
            if first <= id < self.count:
                self._late[id - first].last = t

    def columns(self) -> MemoryColumns:
        """All memories as columns, place for place."""
        self._open()
        missing = len(self) - self._columns.count
        if missing > 0:
            new = self._late[-missing:]
            self._columns.extend(
                [m.id for m in new], [m.last for m in new], [m.poignancy for m in new], [m.after for m in new]
            )
        return self._columns

    def likeness(self, query: str, among: Sequence[Memory] | None) -> NDArray[np.float64]:
        """The cosine of the query and the text of each memory, or of each of a few."""
        if among is None:
            return self.columns().likeness(len(self), query, self.text)
        return self._vocabulary.likeness(query, [m.text for m in among])

    def weightiest(self, k: int) -> list[Memory]:
        """The k memories of most poignancy, the newest of equal ones first."""
        order = np.argsort(-self.columns().weight[: len(self)][::-1], kind="stable")[:k]
        return [self.at(len(self) - 1 - place) for place in order.tolist()]

    def text(self, place: int) -> str:
        """The text of the memory at a place."""
        self._open()
        late = place - len(self._shelf)
        return self._late[late].text if late >= 0 else self._shelf.take(place).text

    # ---- saving to and loading from blocks (`people/memory_blocks.py`)

    def older(self, count: int) -> int:
        """How many of the first `count` memories are still kept."""
        return int(np.searchsorted(self.columns().ids[: len(self)], count))

    def parts(self, place: int) -> list[bytes]:
        """The memories from a place on, packed."""
        self._open()
        old = len(self._shelf)
        found = [self._shelf.part(at) for at in range(place, old)]
        return [*found, *map(pack_memory, self._late[max(0, place - old) :])]

    def forget_all_but(self, ids: NDArray[np.int32]) -> NDArray[np.intp]:
        """Keep only these ids in the columns, and return their old places. Raises ValueError if one is missing."""
        at = self._found(ids)
        self._columns.only(at)
        return at

    def touch_each(self, ids: NDArray[np.int32], seconds: NDArray[np.int32]) -> None:
        """Set the second of last recall for each id. Raises ValueError if one is missing."""
        self._columns.last[self._found(ids)] = seconds

    def _found(self, ids: NDArray[np.int32]) -> NDArray[np.intp]:
        at, columns = self._columns.places(ids), self._columns
        if len(ids) and not ((at < columns.count).all() and (columns.ids[at] == ids).all() and (np.diff(at) > 0).all()):
            raise ValueError("it speaks of memories that nobody has")
        return at

    def append(
        self, ids: NDArray[Any], last: NDArray[Any], weight: NDArray[np.int32], after: NDArray[np.float64]
    ) -> None:
        """Append columns of newer memories; `shelve` adds their packed part later."""
        self._columns.extend(ids, last, weight, after)

    def shelve(self, parts: Sequence[bytes]) -> None:
        """Add the packed part of all memories, and unpack the latest as objects. Raises ValueError if some of the
        latest are missing.
        """
        self._shelf.put(parts)
        count = min(AT_HAND, len(self))
        if not np.array_equal(
            self._columns.ids[len(self) - count : len(self)], np.arange(self.count - count, self.count)
        ):
            raise ValueError("the latest memories are not all there")
        self._late = self[len(self) - count :]
        self._shelf.cut(len(self._shelf) - count)

    def wait(self, waiting: PendingMemories) -> None:
        """Replace the stream by memories that load when first asked for."""
        self.clear()
        self._waits = waiting
        self.count, self.since, self.reflected = waiting.had, waiting.since, waiting.reflected

    def _open(self) -> None:
        """Load what is pending, then replay what came since in order. If loading fails, everything stays pending."""
        waits = self._waits
        if waits is None:
            return
        then = waits.take()
        came, self._waits, self._came = self._came, None, []
        self._shelf, self._late, self._columns, self.count = then._shelf, then._late, then._columns, then.count
        if self.reflected == waits.reflected:  # else a reflection since has set both
            self.since, self.reflected = self.since - waits.since + then.since, then.reflected
        for one in came:
            if isinstance(one, Memory):
                one.id = self.count
                self.add(one)
            else:
                self.touch(*one)
