"""Lists of cards by their numbers, as arrays: the cards of some authors, kept up at the cost of the new ones alone."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Protocol

import numpy as np

from sandbox.feed.model import Account, Feed
from sandbox.feed.tables import Ints

NONE: Ints = np.zeros(0, np.int32)


class OrderedKeys(Protocol):
    """Keys in an order, found without going through them."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Hashable: ...

    def find(self, key: Hashable) -> int:
        """Where a key stands, -1 = nowhere."""


class KeyList:
    """A short list."""

    def __init__(self, keys: Sequence[Hashable] = ()) -> None:
        self._keys = keys

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, index: int) -> Hashable:
        return self._keys[index]

    def find(self, key: Hashable) -> int:
        return self._keys.index(key) if key in self._keys else -1


class Newest:
    """Cards, the newest first. cards: in order."""

    def __init__(self, cards: Ints) -> None:
        self._cards = cards

    def __len__(self) -> int:
        return len(self._cards)

    def __getitem__(self, index: int) -> Hashable:
        return int(self._cards[len(self._cards) - 1 - index])

    def find(self, key: Hashable) -> int:
        if not isinstance(key, int):
            return -1
        at = int(np.searchsorted(self._cards, key))
        return len(self._cards) - 1 - at if at < len(self._cards) and self._cards[at] == key else -1


class AuthorCards:
    """The cards of some authors."""

    def __init__(self) -> None:
        self._feed: Feed | None = None
        self._authors: frozenset[int] = frozenset()
        self._seen = 0
        self._cards = NONE

    def cards(self, feed: Feed, authors: frozenset[int]) -> Ints:
        """Those that are not deleted, in order."""
        posts = feed.posts
        if feed is not self._feed or authors != self._authors or posts.n < self._seen:
            self._feed, self._authors, self._seen, self._cards = feed, authors, 0, NONE
        if posts.n > self._seen:
            new = np.flatnonzero(_flags(feed, authors)[posts.author[self._seen : posts.n]]) + self._seen
            self._cards = np.append(self._cards, new.astype(np.int32))
            self._seen = posts.n
        gone, cards = posts.gone, self._cards
        return cards[~(gone[cards] | gone[posts.root[cards]])]


def drop_hidden_cards(feed: Feed, me: Account | None, cards: Ints) -> Ints:
    """Those of these cards whose author and writer are kept from nobody by a mute or a block."""
    hidden = me.mutes | me.blocks | me.blocked_by if me is not None else ()
    if not hidden:
        return cards
    flags, posts = _flags(feed, hidden), feed.posts
    return cards[~(flags[posts.author[cards]] | flags[posts.author[posts.root[cards]]])]


def _flags(feed: Feed, users: Collection[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """For each user whether they are one of these."""
    out = np.zeros(feed.users.n, np.bool_)
    out[list(users)] = True
    return out
