"""The words that memories are told in, each as a column of cells, so that a text is a few numbers and not 256.

A text's vector (`core.text.vector`) is the sum of its words', no cell above MOST. So the product of a query with ten
thousand texts is that with each word of the town, once, and sums of those. All are whole numbers, and exact.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sandbox.core.text import DIMENSIONS, vector, words

MOST = 127  # in a cell
LEAST = 1024  # words there is room for at first
KNOWN = 2048  # texts whose numbers are at hand: two in five sights and deeds are told in words used before


@lru_cache(16384)
def _cells(word: str) -> bytes:
    """The cells a word adds to, each as often as it adds one."""
    return bytes(np.repeat(np.arange(DIMENSIONS, dtype=np.uint8), vector(word).astype(np.intp)))


def _counts(cells: bytes) -> NDArray[np.intp]:
    return np.bincount(np.frombuffer(cells, np.uint8), minlength=DIMENSIONS)


class Vocabulary:
    """Words by number, in the order they came. It only grows: a town has some thousand."""

    __slots__ = ("_known", "_numbers", "_rows")

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._rows = np.zeros((DIMENSIONS, LEAST), np.int8)  # a dimension a row: a query asks for few of them
        self._known: dict[str, tuple[bytes, int]] = {}

    def read(self, text: str) -> tuple[bytes, int]:
        """The numbers of a text's words, as int32, and the square of its vector's length."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= KNOWN:
                self._known.clear()
            found = self._known[text] = self._read(text)
        return found

    def _read(self, text: str) -> tuple[bytes, int]:
        told = words(text)
        counts = _counts(b"".join(map(_cells, told)))
        if counts.max() > MOST:  # no sum of its words, so it counts as a word of its own; no word has a blank
            counts = np.minimum(counts, MOST)
            numbers = [self._number(f" {text}", counts)]
        else:
            numbers = [self._number(word) for word in told]
        return np.array(numbers, np.int32).tobytes(), int(counts @ counts)

    def _number(self, word: str, counts: NDArray[np.intp] | None = None) -> int:
        number = self._numbers.setdefault(word, len(self._numbers))
        if number == len(self._numbers) - 1:
            room = self._rows.shape[1]
            if number >= room:
                self._rows = np.concatenate([self._rows, np.zeros((DIMENSIONS, room), np.int8)], axis=1)
            self._rows[:, number] = _counts(_cells(word)) if counts is None else counts
        return number

    def products(self, query: str) -> tuple[NDArray[np.float32], float]:
        """The product of the query with each word, by number, and the length of the query's vector."""
        asked, weights, norm = _query(query)
        return weights @ self._rows[asked, : len(self._numbers)].astype(np.float32), norm


@lru_cache(1024)  # one asks again and again for what a friend likes
def _query(text: str) -> tuple[NDArray[np.intp], NDArray[np.float32], float]:
    """The dimensions a query has anything in, how much, and its length."""
    q = vector(text)
    asked = np.flatnonzero(q)
    return asked, q[asked], math.sqrt(float(q @ q))
