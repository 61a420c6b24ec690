"""A stream's memories as numpy columns, so that ten thousand are scored together; and the older ones packed as bytes.

Columns are made at the first retrieval and extended at later ones; texts are tokenized when a query first needs them. A
memory takes 34 bytes, and about 90 once tokenized.

A text's vector (`core.text.vector`) is the sum of its words', with cells capped at CELL_MOST. So the products of a
query with ten thousand texts are sums of its products with each word of the vocabulary. All are whole numbers, and
exact.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.core.text import DIMENSIONS, cell_counts, content_words, vector, word_cells
from sandbox.people.mood import CALM, Pad

LEAST = 256  # columns grow by at least so many places, or by an eighth
CELL_MOST = 127  # greatest value of a cell in a text's vector
ROOM = 1024  # initial capacity of the vocabulary, in words
KNOWN = 2048  # tokenized texts cached: two in five sights and deeds repeat an earlier text
# Columns of an empty stream, shared: each new world has one stream for each person.
NONE, NO_WEIGHT, NO_MOOD, NO_WORDS = (
    np.zeros(0, np.int32),
    np.zeros(0, np.int16),
    np.zeros((3, 0)),
    np.zeros(0, np.uint16),
)
COLUMNS = ("ids", "last", "weight", "after", "_square", "_ends")


class Vocabulary:
    """The words of all memories, numbered in order of appearance, each with its vector, so that a text is stored as a
    few word numbers instead of 256 cells. It only grows: a town has a few thousand words.
    """

    __slots__ = ("_known", "_numbers", "_rows")

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._rows = np.zeros((DIMENSIONS, ROOM), np.int8)  # one row per dimension: a query uses few of them
        self._known: dict[str, tuple[bytes, int]] = {}

    def read(self, text: str) -> tuple[bytes, int]:
        """The numbers of a text's words, as int32, and the square of its vector's length."""
        if (found := self._known.get(text)) is None:
            if len(self._known) >= KNOWN:
                self._known.clear()
            found = self._known[text] = self._read(text)
        return found

    def _read(self, text: str) -> tuple[bytes, int]:
        told = content_words(text)
        cells = b"".join(map(word_cells, told))
        counts = cell_counts(cells)
        if len(cells) > CELL_MOST and counts.max() > CELL_MOST:  # no sum of its words: stored as one with a blank in it
            counts = np.minimum(counts, CELL_MOST)
            numbers = [self._number(f" {text}", counts)]
        else:
            numbers = [self._number(word) for word in told]
        return array("i", numbers).tobytes(), int(counts @ counts)

    def _number(self, word: str, counts: NDArray[np.intp] | None = None) -> int:
        number = self._numbers.setdefault(word, len(self._numbers))
        if number == len(self._numbers) - 1:
            room = self._rows.shape[1]
            if number >= room:
                self._rows = np.concatenate([self._rows, np.zeros((DIMENSIONS, room), np.int8)], axis=1)
            self._rows[:, number] = cell_counts(word_cells(word)) if counts is None else counts
        return number

    def products(self, query: str) -> tuple[NDArray[np.float32], float]:
        """The dot product of the query with each word, by number, and the norm of the query's vector."""
        asked, weights, norm = _query(query)
        return weights @ self._rows[asked, : len(self._numbers)].astype(np.float32), norm

    def likeness(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """The cosine of the query and each of a few texts."""
        read = [self.read(text) for text in texts]
        numbers = np.frombuffer(b"".join([told for told, _ in read]), np.int32)
        ends = np.cumsum([len(told) // 4 for told, _ in read], dtype=np.int32)
        asked, weights, norm = _query(query)
        products = weights @ self._rows[asked[:, None], numbers].astype(np.float32)
        return _cosines(products, ends, np.array([square for _, square in read]), norm)


@lru_cache(1024)  # the same queries recur, such as what a friend likes
def _query(text: str) -> tuple[NDArray[np.intp], NDArray[np.float32], float]:
    """The nonzero dimensions of a query's vector, their values, and its norm."""
    q = vector(text)
    asked = np.flatnonzero(q)
    return asked, q[asked], math.sqrt(float(q @ q))


class MemoryColumns:
    """ids: ascending. last: second of last recall. weight: poignancy. after: the mood tag, one row per axis.

    count: number of memories held; cells beyond it are undefined.
    """

    __slots__ = ("_ends", "_square", "_told", "_vocabulary", "_words", "after", "count", "ids", "last", "weight")

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.count = 0
        self.ids, self.last, self.weight, self.after = NONE, NONE, NO_WEIGHT, NO_MOOD
        self._vocabulary = vocabulary
        self._told = 0  # so many texts are tokenized, from the first
        self._square = NONE  # squared norm of each text's vector
        self._ends = NONE  # where its words end in `_words`
        self._words: NDArray[Any] = NO_WORDS  # word numbers of all texts; int32 if there are very many words

    @property
    def nbytes(self) -> int:
        """Bytes the columns take."""
        return sum(int(getattr(self, name).nbytes) for name in (*COLUMNS, "_words"))

    def extend(
        self,
        ids: Sequence[int] | NDArray[Any],
        last: Sequence[int] | NDArray[Any],
        weight: Sequence[int] | NDArray[Any],
        after: Sequence[Pad] | NDArray[Any],
    ) -> None:
        """Append memories newer than all before. after: one row per memory."""
        old, self.count = self.count, self.count + len(ids)
        if self.count > len(self.ids):
            room = max(self.count, old + max(LEAST, old // 8))
            for name in COLUMNS:
                setattr(self, name, _longer(getattr(self, name), room))
        self.ids[old : self.count] = ids
        self.last[old : self.count] = last
        self.weight[old : self.count] = weight
        self.after[:, old : self.count] = np.asarray(after).T

    def only(self, kept: NDArray[np.intp]) -> None:
        """Keep only these places, given in ascending order."""
        told = kept[: np.searchsorted(kept, self._told)]
        if len(told):
            ends = self._ends[: self._told]
            sizes = np.diff(ends, prepend=0)[told]
            self._words = self._words[_spans(ends[told] - sizes, sizes)]
            self._ends[: len(told)] = np.cumsum(sizes)
            self._square[: len(told)] = self._square[told]
        self._told, self.count = len(told), len(kept)
        for name in ("ids", "last", "weight", "after"):
            column = getattr(self, name)
            column[..., : self.count] = column[..., kept]

    def places(self, ids: Sequence[int] | NDArray[Any]) -> NDArray[np.intp]:
        """The places of memories, which must be here, by their ids."""
        return np.searchsorted(self.ids[: self.count], ids)

    def likeness(self, upto: int, query: str, text: Callable[[int], str]) -> NDArray[np.float64]:
        """The cosine of the query and the text of each memory below a place. text: gives the text of the nth one."""
        self._tell(upto, text)
        ends = self._ends[:upto]
        products, norm = self._vocabulary.products(query)
        return _cosines(products[self._words[: ends[-1]]], ends, self._square[:upto], norm)

    def _tell(self, upto: int, text: Callable[[int], str]) -> None:
        """Tokenize the texts of all memories below a place."""
        if self._told >= upto:
            return
        read = [self._vocabulary.read(text(i)) for i in range(self._told, upto)]
        new = np.frombuffer(b"".join(told for told, _ in read), np.int32)
        end = int(self._ends[self._told - 1]) if self._told else 0
        if len(new) and new.max() > np.iinfo(self._words.dtype).max:
            self._words = self._words.astype(np.int32)
        if end + len(new) > len(self._words):
            self._words = _longer(self._words, end + len(new) + max(8 * LEAST, end // 8))
        self._words[end : end + len(new)] = new
        self._ends[self._told : upto] = end + np.cumsum([len(told) // 4 for told, _ in read])
        self._square[self._told : upto] = [square for _, square in read]
        self._told = upto


def _longer(column: NDArray[Any], room: int) -> NDArray[Any]:
    out = np.zeros((*column.shape[:-1], room), column.dtype)
    out[..., : column.shape[-1]] = column
    return out


def _spans(starts: NDArray[Any], sizes: NDArray[Any]) -> NDArray[np.intp]:
    """All indices of the spans with these starts and sizes, concatenated."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()))


def _cosines(products: NDArray[Any], ends: NDArray[Any], square: NDArray[Any], norm: float) -> NDArray[np.float64]:
    """The sum of each run of words' products, which end at `ends`, over both norms. Sums are below 2^24, so exact."""
    starts = np.concatenate([[0], ends[:-1]])
    sums = np.add.reduceat(np.append(products, np.float32(0)), starts).astype(np.float64)
    norms = np.sqrt(square.astype(np.float64)) * norm
    return np.where(starts < ends, sums, 0.0) / np.where(norms > 0, norms, 1.0)


def mood_likeness(now: Pad, then: NDArray[np.float64]) -> NDArray[np.float64]:
    """Similarity of the mood `now`, which must not be calm, to each of `then` (one row per axis), in [0, 1]:
    (1 + cos)/2; .5 for calm ones (norm < .05).
    """
    (p, a, d), (x, y, z) = now, then
    here, there = math.sqrt(p * p + a * a + d * d), np.sqrt(x * x + y * y + z * z)
    told = there >= 0.05
    out = (1.0 + (p * x + a * y + d * z) / (here * np.where(told, there, 1.0))) / 2.0
    return np.where(told, out, 0.5)


def min_max_scale(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values scaled to [0, 1] by their minimum and maximum; 0 if all are equal."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def top_k(score: NDArray[np.float64], k: int) -> list[int]:
    """The places of the k highest scores, highest first; equal ones in order of place."""
    found: Sequence[int] = range(len(score))
    if len(score) > 8 * k:  # fewer are as soon sorted
        found = np.flatnonzero(score >= np.partition(score, -k)[-k]).tolist()
    return sorted(found, key=lambda i: -score[i])[:k]


# ---- older memories packed as bytes: a tenth of their size as objects, and nothing for the garbage collector


MICRO = 1e6  # numbers in events have six decimals
PARCEL = 100  # memories that are kept together
PackedDelta = tuple[int | float, int | float, int | float]
# What a memory's text is: a clause that lacks its owner, words told and heard, how one heard somebody out, what one saw
# settled, or else a clause by itself.
Form = Literal["", "deed", "words", "hearing", "outcome"]


class PackedMemory(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is put away of a memory; the rest of it stands in columns. delta: None if it moved nobody, else in
    millionths, or as it is where that would not be exact.
    """

    kind: str
    t: int
    text: str
    about: tuple[str, ...]
    seq: int
    delta: PackedDelta | None
    evidence: tuple[int, ...]
    topic: str
    form: Form


def _small(x: float) -> int | float:
    micro = round(x * MICRO)
    return micro if micro / MICRO == x else x


def _large(x: int | float) -> float:
    return x / MICRO if isinstance(x, int) else x


def pack_delta(delta: Pad) -> PackedDelta | None:
    """A change of mood in packed form."""
    if delta == CALM:
        return None
    p, a, d = delta
    return _small(p), _small(a), _small(d)


def unpack_delta(delta: PackedDelta | None) -> Pad:
    """A change of mood unpacked."""
    if delta is None:
        return CALM
    p, a, d = delta
    return Pad(_large(p), _large(a), _large(d))


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(PackedMemory).decode  # raises msgspec.MsgspecError


class PackedMemories:
    """Memories by place, the oldest first, so many to a parcel: one long row would be copied each time it grows."""

    __slots__ = ("_ends", "_parcels")

    def __init__(self) -> None:
        self._parcels: list[bytes] = []  # all but the last are full
        self._ends = array("I")  # where each memory ends, were the parcels in one piece

    def __len__(self) -> int:
        return len(self._ends)

    def put(self, parts: Sequence[bytes]) -> None:
        """Put away what `encode` made of more memories."""
        parts = [*self._opened(len(self._ends)), *parts]
        self._parcels += [b"".join(parts[at : at + PARCEL]) for at in range(0, len(parts), PARCEL)]
        self._ends.extend([*accumulate(map(len, parts), initial=self._start(len(self._ends)))][1:])

    def _start(self, at: int) -> int:
        return self._ends[at - 1] if at else 0

    def take(self, at: int) -> PackedMemory:
        """The memory at a place from 0 on."""
        return decode(self.part(at))

    def part(self, at: int) -> bytes:
        """The bytes of the memory at a place."""
        parcel = at // PARCEL
        before = self._start(parcel * PARCEL)
        return self._parcels[parcel][self._start(at) - before : self._ends[at] - before]

    def only(self, kept: NDArray[np.intp]) -> None:
        """Keep only these places, given in ascending order."""
        data, ends = b"".join(self._parcels), np.array(self._ends, np.int64)
        starts = np.concatenate([[0], ends[:-1]])[kept].tolist()
        self.cut(0)
        self.put([data[a:b] for a, b in zip(starts, ends[kept].tolist(), strict=True)])

    def cut(self, count: int) -> None:
        """Keep only the first `count`."""
        self.put(self._opened(count))

    def _opened(self, count: int) -> list[bytes]:
        """Drop the parcel in which the first `count` end and all after it; return the memories of it to be kept."""
        full = count // PARCEL * PARCEL
        held = []
        if full < count:
            begin, data = self._start(full), self._parcels[full // PARCEL]
            ends = [end - begin for end in self._ends[full:count]]
            held = [data[a:b] for a, b in pairwise([0, *ends])]
        del self._parcels[full // PARCEL :], self._ends[full:]
        return held
