"""Columns that grow together, and large sets of pairs: what a feed of a million users is kept in.

Both are plain numpy. What a set answers does not depend on the order in which it was filled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
Small: TypeAlias = NDArray[np.int8]
Floats: TypeAlias = NDArray[np.float32]
Flags: TypeAlias = NDArray[np.bool_]

FIRST = 1024  # rows a table begins with
MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits well mixed: 2^64 / the golden ratio
WORTH = 4  # times as many pairs laid beside a set as were asked for: then they are put in
COUNTING = range(5_000, 3_000_000)  # keys that are sorted the quicker by counting
STIR = np.uint64(0xD6E8FEB86659FD93)  # the same, of another number


class ColumnTable:
    """Rows as columns. FIELDS: name of a column -> its type and width (0 = one number a row).

    n: rows there are. Columns are longer than that: beyond n they hold zeros.
    """

    FIELDS: ClassVar[dict[str, tuple[type, int]]] = {}

    def __init__(self, room: int = FIRST) -> None:
        self.n = 0
        self._room = max(1, room)
        for name, (kind, width) in self.FIELDS.items():
            setattr(self, name, np.zeros((self._room, width) if width else self._room, kind))

    def add(self, count: int = 1) -> int:
        """Make room for so many rows more, all zero; the number of the first."""
        first = self.n
        self.n += count
        if self.n > self._room:
            self._room = max(self.n, 2 * self._room)
            for name in self.FIELDS:
                old = getattr(self, name)
                new = np.zeros((self._room, *old.shape[1:]), old.dtype)
                new[:first] = old[:first]
                setattr(self, name, new)
        return first


def link_previous(owners: NDArray[np.integer], first: int, latest: Ints) -> Ints:
    """For new rows, numbered from `first` on, the row of the same owner before each. latest: of each owner, the number
    of their latest row, NOBODY = none; it is set anew.
    """
    both = owners.astype(np.uint64) << np.uint64(32) | np.arange(len(owners), dtype=np.uint64)  # as one number
    both = ascending(both)
    order = (both & np.uint64(0xFFFFFFFF)).astype(np.int64)
    whose, mine = owners[order], (first + order).astype(np.int32)
    new, before, found = run_starts(whose), latest[whose], np.empty(len(order), np.int32)
    np.copyto(before[1:], mine[:-1], where=~new[1:])
    found[order] = before
    ends = np.ones(len(order), bool)
    ends[:-1] = new[1:]
    latest[whose[ends]] = mine[ends]
    return found


def run_starts(rows: NDArray[np.generic]) -> Flags:
    """Which of these are not as the one before them."""
    found = np.ones(len(rows), bool)
    np.not_equal(rows[1:], rows[:-1], out=found[1:])
    return found


def hash_numbers(numbers: NDArray[np.integer], salt: int) -> NDArray[np.uint64]:
    """A number of 64 bits for each of these, spread evenly: with one salt no two are alike, with another all differ."""
    found = (numbers.astype(np.uint64) + np.uint64(1)) * MIX + np.uint64(salt)
    return (found ^ (found >> np.uint64(29))) * STIR


def pair_keys(a: NDArray[np.integer] | int, b: NDArray[np.integer] | int) -> NDArray[np.uint64]:
    """Pairs of numbers below 2^32 as one number each, never 0."""
    return ((np.asarray(a, np.uint64) + np.uint64(1)) << np.uint64(32)) | np.asarray(b, np.uint64)


Whole = TypeVar("Whole", np.uint64, np.int64)


def ascending(keys: NDArray[Whole]) -> NDArray[Whole]:
    """These in order. Thousands of them take half the time by 16 bits after 16 bits, which numpy sorts by counting."""
    if len(keys) not in COUNTING or keys.dtype.kind != "u":
        return np.sort(keys)
    for shift in range(0, 64, 16):
        digits = (keys >> np.uint64(shift)).astype(np.uint16)
        if digits.min() < digits.max():
            keys = keys[np.argsort(digits, kind="stable")]
    return keys


def distinct(keys: NDArray[Whole]) -> NDArray[Whole]:
    """Each of these once, in order; `np.unique` takes longer, whether they are few or many."""
    keys = ascending(keys)
    found: NDArray[Whole] = keys[run_starts(keys)]
    return found


class Pairs:
    """A set of pairs of numbers: open addressing in one array, all of a batch at once. n: how many it holds.

    Many pairs may be laid beside it, in order, where each is found by halving: they are put in once so much has been
    asked of them that it is worth the while.
    """

    def __init__(self, room: int = FIRST) -> None:
        bits = max(4, int(room - 1).bit_length() + 1)
        self.n = 0
        self._shift = np.uint64(64 - bits)
        self._slots = np.zeros(1 << bits, np.uint64)
        self._laid = np.zeros(0, np.uint64)
        self._asked = 0

    def __iter__(self) -> Iterator[int]:
        """Each as one number (`pair`), in no order."""
        return iter([*self._slots[self._slots != 0].tolist(), *self._laid.tolist()])

    @property
    def proof(self) -> tuple[int, int]:
        """How many it holds, and the sum of all, as 64 bits: the same in whatever order they came."""
        both = self._slots.sum(dtype=np.uint64), self._laid.sum(dtype=np.uint64)
        return self.n, sum(map(int, both)) % 2**64

    def has(self, a: NDArray[np.integer] | int, b: NDArray[np.integer] | int) -> Flags:
        """Which of these pairs it holds."""
        return self._find(np.atleast_1d(pair_keys(a, b)))

    def _find(self, keys: NDArray[np.uint64]) -> Flags:
        if not self.n or not len(keys):
            return np.zeros(len(keys), bool)
        last = np.int64(len(self._slots) - 1)
        at = ((keys * MIX) >> self._shift).astype(np.int64)
        there = self._slots[at]
        found: Flags = there == keys
        left = np.flatnonzero(~found & (there != 0))
        while len(left):
            at[left] = (at[left] + 1) & last
            there = self._slots[at[left]]
            hit = there == keys[left]
            found[left[hit]] = True
            left = left[~hit & (there != 0)]
        if len(self._laid):
            places = np.searchsorted(self._laid, keys)
            found |= self._laid[np.minimum(places, len(self._laid) - 1)] == keys
            self._asked += len(keys)
            if self._asked * WORTH > len(self._laid):
                laid, self._laid = self._laid, np.zeros(0, np.uint64)
                self.n -= len(laid)
                self._enter(laid)
        return found

    def lay(self, a: NDArray[np.integer], b: NDArray[np.integer]) -> None:
        """Lay these pairs beside it, each of which may be there already."""
        held = self._slots[self._slots != 0]
        self._laid = distinct(np.concatenate([self._laid, held, pair_keys(a, b)]))
        self._slots[:] = 0
        self._asked, self.n = 0, len(self._laid)

    def add(self, a: NDArray[np.integer] | int, b: NDArray[np.integer] | int) -> None:
        """Put in these pairs, each of which may be there already."""
        keys = np.atleast_1d(pair_keys(a, b))
        self._enter(distinct(keys[~self._find(keys)]))

    def add_new(self, a: NDArray[np.integer], b: NDArray[np.integer]) -> None:
        """Put in these pairs, which differ from one another, and of which it is known that it holds none."""
        self._enter(ascending(pair_keys(a, b)))

    def _enter(self, keys: NDArray[np.uint64]) -> None:
        count = self.n - len(self._laid) + len(keys)
        if 2 * count > len(self._slots):
            self._grow(count)
        self.n += len(keys)
        self._put(keys)

    def _put(self, keys: NDArray[np.uint64]) -> None:
        """Put in keys that differ from one another and from all it holds."""
        last = np.int64(len(self._slots) - 1)
        at = ((keys * MIX) >> self._shift).astype(np.int64)
        while len(keys):
            free = self._slots[at] == 0
            self._slots[at[free]] = keys[free]  # of several that want one slot, one has it
            on = self._slots[at] != keys
            keys, at = keys[on], (at[on] + 1) & last

    def _grow(self, count: int) -> None:
        old = self._slots[self._slots != 0]
        bits = int(2 * count).bit_length() + 1
        self._shift = np.uint64(64 - bits)
        self._slots = np.zeros(1 << bits, np.uint64)
        self._put(old)
