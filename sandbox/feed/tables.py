"""Tables of columns that grow together, and large sets of pairs, for feeds of a million users; the tables of a feed.

Both use plain numpy. Queries of a set do not depend on the order of insertion. A row's index in a table is its number;
the constants of columns (POST, HOSTILE, UNTOLD...) are in `model.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, ClassVar, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from sandbox.core.vectors import DIMENSIONS

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
Small: TypeAlias = NDArray[np.int8]
Floats: TypeAlias = NDArray[np.float32]
Flags: TypeAlias = NDArray[np.bool_]

FIRST = 1024  # initial rows of a table
WHOLE, TURN = 2**64 - 1, 0x9E3779B97F4A7C15
MIX = np.uint64(TURN)  # 2^64 / the golden ratio: odd, with well-mixed bits, for hashing
WORTH = 4  # a laid-aside batch is inserted once this many times its size was queried
COUNTING = range(5_000, 3_000_000)  # sizes for which counting sort is quicker
FEW = 200  # keys up to which plain Python is quicker
STIR = np.uint64(0xD6E8FEB86659FD93)  # another mixing constant


class ColumnTable:
    """A table stored as columns: the arrays that a subclass declares. FIELDS: column name -> its type. WIDTHS: of the
    columns with several numbers per row.

    n: number of rows. Columns are longer: beyond n they hold zeros.
    """

    FIELDS: ClassVar[dict[str, type]] = {}
    WIDTHS: ClassVar[dict[str, int]] = {}

    def __init_subclass__(cls) -> None:
        columns = {name: get_args(hint) for name, hint in get_type_hints(cls).items() if get_origin(hint) is np.ndarray}
        cls.FIELDS = {name: get_args(dtype)[0] for name, (_, dtype) in columns.items()}

    def __init__(self, room: int = FIRST) -> None:
        self.n = 0
        self._room = max(1, room)
        for name, kind in self.FIELDS.items():
            wide = (self.WIDTHS[name],) if name in self.WIDTHS else ()
            setattr(self, name, np.zeros((self._room, *wide), kind))

    def add(self, count: int = 1) -> int:
        """Add `count` rows of zeros; returns the number of the first."""
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
    """For new rows, numbered from `first` on, the previous row of the same owner. latest: each owner's latest row,
    NOBODY = none; it is updated.
    """
    if len(owners) <= FEW:
        last, before = latest.data, []
        for row, owner in enumerate(owners.tolist(), first):
            before.append(last[owner])
            last[owner] = row
        return np.array(before, np.int32)
    both = owners.astype(np.uint64) << np.uint64(32) | np.arange(len(owners), dtype=np.uint64)  # packed into one number
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
    """Flags of the rows that differ from the one before."""
    found = np.ones(len(rows), bool)
    np.not_equal(rows[1:], rows[:-1], out=found[1:])
    return found


def places_in(rows: NDArray[np.integer], wanted: NDArray[np.integer]) -> tuple[Longs, Flags]:
    """Where each wanted number stands among ascending ones, and whether it is there at all; if not, the place means
    nothing.
    """
    if not len(rows):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
    at = np.minimum(rows.searchsorted(wanted), len(rows) - 1)
    return at, rows[at] == wanted


def hash_numbers(numbers: NDArray[np.integer], salt: int) -> NDArray[np.uint64]:
    """An evenly distributed 64-bit hash of each number: with one salt no two are equal; another salt changes all."""
    found = numbers.astype(np.uint64) * MIX + np.uint64(TURN + salt & WHOLE)  # (number + 1) MIX + salt
    return (found ^ (found >> np.uint64(29))) * STIR


def pair_keys(a: NDArray[np.integer] | int, b: NDArray[np.integer] | int) -> NDArray[np.uint64]:
    """Each pair of numbers below 2^32 as one 64-bit number, never 0."""
    return ((np.asarray(a, np.uint64) + np.uint64(1)) << np.uint64(32)) | np.asarray(b, np.uint64)


Whole = TypeVar("Whole", np.uint64, np.int64)


def ascending(keys: NDArray[Whole]) -> NDArray[Whole]:
    """The keys in ascending order. For thousands of keys, sorting 16 bits at a time (numpy counts then) halves the
    time.
    """
    if len(keys) not in COUNTING or keys.dtype.kind != "u":
        return np.sort(keys)
    for shift in range(0, 64, 16):
        digits = (keys >> np.uint64(shift)).astype(np.uint16)
        if digits.min() < digits.max():
            keys = keys[np.argsort(digits, kind="stable")]
    return keys


def distinct(keys: NDArray[Whole]) -> NDArray[Whole]:
    """The distinct keys, ascending; quicker than `np.unique` for few and for many."""
    if len(keys) <= FEW:
        return np.array(sorted({*keys.tolist()}), keys.dtype)
    keys = ascending(keys)
    found: NDArray[Whole] = keys[run_starts(keys)]
    return found


class Pairs:
    """A set of pairs of numbers: an open-addressing hash table in one array, for whole batches. n: number of pairs.

    Large batches may be laid beside it, sorted and searched by bisection; they are inserted once they were queried
    often enough to be worth it.
    """

    def __init__(self, room: int = FIRST) -> None:
        bits = max(4, int(room - 1).bit_length() + 1)
        self.n = 0
        self._shift = 64 - bits
        self._slots = np.zeros(1 << bits, np.uint64)
        self._laid = np.zeros(0, np.uint64)
        self._asked = 0

    def __iter__(self) -> Iterator[int]:
        """Each pair as one number (`pair_keys`), in no order."""
        return iter([*self._slots[self._slots != 0].tolist(), *self._laid.tolist()])

    @property
    def proof(self) -> tuple[int, int]:
        """The number of pairs, and their sum modulo 2^64: independent of the order of insertion."""
        both = self._slots.sum(dtype=np.uint64), self._laid.sum(dtype=np.uint64)
        return self.n, sum(map(int, both)) % 2**64

    def has(self, a: NDArray[np.integer] | int, b: NDArray[np.integer] | int) -> Flags:
        """Flags of the pairs it holds."""
        return self.find(np.atleast_1d(pair_keys(a, b)))

    def find(self, keys: NDArray[np.uint64]) -> Flags:
        """Flags of the keys of pairs it holds."""
        if not self.n or not len(keys):
            return np.zeros(len(keys), bool)
        last = np.int64(len(self._slots) - 1)
        at = ((keys * MIX) >> self._shift).astype(np.int64)
        there = self._slots[at]
        found: Flags = there == keys
        left = (~found & (there != 0)).nonzero()[0]
        while len(left) > FEW:
            at[left] = (at[left] + 1) & last
            there = self._slots[at[left]]
            hit = there == keys[left]
            found[left[hit]] = True
            left = left[~hit & (there != 0)]
        slots = self._slots.data
        found[left] = [slots[self._place(slots, key)] != 0 for key in keys[left].tolist()]
        if len(self._laid):
            places = np.searchsorted(self._laid, keys)
            found |= self._laid[np.minimum(places, len(self._laid) - 1)] == keys
            self._asked += len(keys)
            if self._asked * WORTH > len(self._laid):
                laid, self._laid = self._laid, np.zeros(0, np.uint64)
                self.n -= len(laid)
                self._enter(laid)
        return found

    def _place(self, slots: memoryview, key: int) -> int:
        """The slot that holds a key, or the free one to hold it."""
        at = (key * TURN & WHOLE) >> self._shift
        while slots[at] and slots[at] != key:
            at = (at + 1) % len(slots)
        return at

    def lay(self, a: NDArray[np.integer], b: NDArray[np.integer]) -> None:
        """Lay pairs beside it, which it may hold already."""
        held = self._slots[self._slots != 0]
        self._laid = distinct(np.concatenate([self._laid, held, pair_keys(a, b)]))
        self._slots[:] = 0
        self._asked, self.n = 0, len(self._laid)

    def add(self, a: NDArray[np.integer] | int, b: NDArray[np.integer] | int) -> None:
        """Insert pairs, which it may hold already."""
        keys = np.atleast_1d(pair_keys(a, b))
        self._enter(distinct(keys[~self.find(keys)]))

    def add_new(self, keys: NDArray[np.uint64]) -> None:
        """Insert keys of pairs that are distinct and known to be new."""
        self._enter(ascending(keys))

    def _enter(self, keys: NDArray[np.uint64]) -> None:
        count = self.n - len(self._laid) + len(keys)
        if 2 * count > len(self._slots):
            self._grow(count)
        self.n += len(keys)
        self._put(keys)

    def _put(self, keys: NDArray[np.uint64]) -> None:
        """Insert keys that are distinct and new."""
        if len(keys) <= FEW:
            slots = self._slots.data
            for key in keys.tolist():
                slots[self._place(slots, key)] = key
            return
        last = np.int64(len(self._slots) - 1)
        at = ((keys * MIX) >> self._shift).astype(np.int64)
        while len(keys):
            free = self._slots[at] == 0
            self._slots[at[free]] = keys[free]  # if several want one slot, one gets it
            on = self._slots[at] != keys
            keys, at = keys[on], (at[on] + 1) & last

    def _grow(self, count: int) -> None:
        old = self._slots[self._slots != 0]
        bits = int(2 * count).bit_length() + 1
        self._shift = 64 - bits
        self._slots = np.zeros(1 << bits, np.uint64)
        self._put(old)


# ---- random numbers of a crowd: streams by name, so that the division of work among threads changes nothing


def draws(seed: int, purpose: str, step: int = 0, part: int = 0) -> np.random.Generator:
    """The random generator of that name. part: of the work."""
    name = f"{seed} {purpose} {step} {part}".encode()
    return np.random.Generator(np.random.Philox(_Key(blake2b(name, digest_size=16).digest())))


class _Key(np.random.SeedSequence):
    """A key given to a generator in place of a seed: otherwise it would first draw a seed that it does not need."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> NDArray[Any]:
        return np.frombuffer(self.key[::-1], dtype, n_words)


# ---- the tables of a feed


class Users(ColumnTable):
    """All users. vector: interests. stance: thousandths, [-1000, 1000]. pleasure: hundredths. fans: number of
    followers. newest: latest card, -1 = none.
    """

    WIDTHS = {"vector": DIMENSIONS}
    vector: Small
    stance: np.ndarray[tuple[int], np.dtype[np.int16]]
    pleasure: Small
    fans: Ints
    newest: Ints


class Posts(ColumnTable):
    """Cards: posts, reposts and quotes. kind: POST, REPOST or QUOTE. root: the card whose text is shown: its own number
    except for a repost; of: the original post: the root, or for a quote the post it quotes. via: the card acted on, -1
    for a post. likes ... quotes: counted on the root. reports: on the root. gone: deleted. topic: 0 to 8, -1 unknown.
    vector: its row in `Feed.vectors`, -1 = derived from topic and author. last: its latest comment, -1 = none. earlier:
    its author's card before it, -1 = none. stance: as for users, UNTOLD = none. t: seconds since the start. heat: how
    much it agitates people, hundredths.
    """

    author: Ints
    kind: Bytes
    root: Ints
    of: Ints
    via: Ints
    t: Ints
    likes: Ints
    dislikes: Ints
    comments: Ints
    reposts: Ints
    quotes: Ints
    reports: Bytes
    gone: np.ndarray[tuple[int], np.dtype[np.bool_]]
    stance: np.ndarray[tuple[int], np.dtype[np.int16]]
    topic: Small
    vector: Ints
    last: Ints
    earlier: Ints
    heat: Bytes


class Comments(ColumnTable):
    """Comments. post: the root it belongs to. before: the comment before it on that post, -1 = none. tone: HOSTILE,
    NEUTRAL or WARM. doubt: of its post, 1 to 10, 0 = not stated. stance: of its author when written, UNTOLD = none.
    """

    post: Ints
    author: Ints
    t: Ints
    likes: Ints
    dislikes: Ints
    before: Ints
    tone: Small
    doubt: Bytes
    stance: np.ndarray[tuple[int], np.dtype[np.int16]]


class Roots(ColumnTable):
    """The numbers of posts and quotes among all cards, in order: what can be shown to anybody."""

    card: Ints
    t: Ints


class PostVectors(ColumnTable):
    """Vectors of posts that have words."""

    WIDTHS = {"row": DIMENSIONS}
    row: Small
