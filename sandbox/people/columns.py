"""A stream's memories as columns of numbers, so that ten thousand are weighed together.

They are made when somebody first looks back and brought up to date when they look again; texts are hashed when a query
first asks for them. A memory takes 34 bytes, and 295 once its text is hashed: 44 MB for 25 people with 6,000 each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.core.text import DIMENSIONS, vector, words
from sandbox.people.mood import Pad

At = slice | NDArray[np.intp]
LEAST = 256  # they grow by so many, or by an eighth
MOST = 127  # in a cell of a hashed text
COLUMNS = ("ids", "last", "weight", "after", "_square", "_told", "_text")


@lru_cache(16384)
def _cells(word: str) -> bytes:
    """The cells of a hashed text that a word adds to, each as often as it adds one."""
    return bytes(np.repeat(np.arange(DIMENSIONS, dtype=np.uint8), vector(word).astype(np.intp)))


@lru_cache(8192)  # two in five sights and deeds are told in words that were used before
def _in_cells(text: str) -> bytes:
    return b"".join(map(_cells, words(text)))


def vectors(texts: Sequence[str]) -> NDArray[np.int8]:
    """A row for each text, the same as `core.text.vector` makes."""
    parts = [_in_cells(text) for text in texts]
    cells = np.frombuffer(b"".join(parts), np.uint8).astype(np.intp)
    cells += np.repeat(np.arange(len(texts)) * DIMENSIONS, [len(part) for part in parts])
    counts = np.bincount(cells, minlength=len(texts) * DIMENSIONS)
    return np.minimum(counts, MOST).astype(np.int8).reshape(-1, DIMENSIONS)


class Columns:
    """ids rise. last: second it last came to mind. weight: poignancy. after: an axis of the tag's mood a row.

    count: how many memories they hold so far; what lies beyond means nothing.
    """

    __slots__ = ("_square", "_text", "_told", "after", "count", "ids", "last", "weight")

    def __init__(self) -> None:
        self.count = 0
        self.ids = np.zeros(0, np.int32)
        self.last = np.zeros(0, np.int32)
        self.weight = np.zeros(0, np.int16)
        self.after = np.zeros((3, 0))
        self._text = np.zeros((DIMENSIONS, 0), np.int8)  # a dimension a row: a query asks for few of them
        self._square = np.zeros(0, np.int32)  # of a text's length
        self._told = np.zeros(0, bool)  # whose text is hashed

    def extend(self, ids: Sequence[int], last: Sequence[int], weight: Sequence[int], after: Sequence[Pad]) -> None:
        """Take in memories newer than all before."""
        old, self.count = self.count, self.count + len(ids)
        if self.count > len(self.ids):
            self._grow(max(self.count, old + max(LEAST, old // 8)))
        self.ids[old : self.count] = ids
        self.last[old : self.count] = last
        self.weight[old : self.count] = weight
        self.after[:, old : self.count] = np.array(after).T
        self._told[old : self.count] = False

    def _grow(self, room: int) -> None:
        for name in COLUMNS:
            column = getattr(self, name)
            if column.size or name != "_text":  # texts that nobody asked for take no room
                setattr(self, name, _longer(column, room))

    def only(self, kept: NDArray[np.intp]) -> None:
        """Drop all but these places."""
        self.count = len(kept)
        for name in COLUMNS:
            column = getattr(self, name)
            if column.size:
                column[..., : self.count] = column[..., kept]

    def places(self, ids: Sequence[int]) -> NDArray[np.intp]:
        """Where memories stand that are here."""
        return np.searchsorted(self.ids[: self.count], ids)

    def likeness(self, at: At, query: str, text: Callable[[int], str]) -> NDArray[np.float64]:
        """The cosine of the query and the text of each memory at these places. text: that of the nth of them."""
        self._hash(at, text)
        asked, weights, norm = _query(query)
        rows = self._text[asked, at] if isinstance(at, slice) else self._text[asked[:, None], at]
        products = (weights @ rows.astype(np.float32)).astype(np.float64)  # whole numbers below 2^24: exact
        norms = np.sqrt(self._square[at].astype(np.float64)) * norm
        return products / np.where(norms > 0, norms, 1.0)

    def _hash(self, at: At, text: Callable[[int], str]) -> None:
        new = np.flatnonzero(~self._told[at])
        if not len(new):
            return
        if not self._text.size:
            self._text = np.zeros((DIMENSIONS, len(self.ids)), np.int8)
        rows = vectors([text(i) for i in new.tolist()])
        where = new if isinstance(at, slice) else at[new]
        self._text[:, where] = rows.T
        self._square[where] = np.einsum("ij,ij->i", rows, rows, dtype=np.int32)
        self._told[where] = True


@lru_cache(1024)  # one asks again and again for what a friend likes
def _query(text: str) -> tuple[NDArray[np.intp], NDArray[np.float32], float]:
    """The dimensions a query has anything in, how much, and its length."""
    q = vector(text)
    asked = np.flatnonzero(q)
    return asked, q[asked], math.sqrt(float(q @ q))


def _longer(column: NDArray[Any], room: int) -> NDArray[Any]:
    out = np.zeros((*column.shape[:-1], room), column.dtype)
    out[..., : column.shape[-1]] = column
    return out


def alike(now: Pad, then: NDArray[np.float64]) -> NDArray[np.float64]:
    """`memory.congruence` with each of many moods, an axis a row."""
    (p, a, d), (x, y, z) = now, then
    here, there = math.sqrt(p * p + a * a + d * d), np.sqrt(x * x + y * y + z * z)
    told = there >= 0.05
    out = (1.0 + (p * x + a * y + d * z) / (here * np.where(told, there, 1.0))) / 2.0
    return np.where(told, out, 0.5)


def spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Into [0, 1], from the least to the most; 0 where all are equal."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def best(score: NDArray[np.float64], k: int) -> NDArray[np.intp]:
    """The places of the k highest, the highest first; of equal ones the first."""
    if k < len(score):
        least = np.partition(score, len(score) - k)[len(score) - k]
        found = np.flatnonzero(score >= least)
    else:
        found = np.arange(len(score))
    return found[np.argsort(-score[found], kind="stable")][:k]
