"""Lists of feed cards as arrays of card numbers; updating a list costs only the new cards."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Protocol

import numpy as np

from sandbox.feed.model import Account, Feed
from sandbox.feed.tables import Ints

NONE: Ints = np.zeros(0, np.int32)


class OrderedKeys(Protocol):
    """A sequence of keys that can also find the position of a key."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Hashable: ...

    def find(self, key: Hashable) -> int:
        """The index of a key, -1 if it is not there."""


class KeyList:
    """OrderedKeys over a short sequence, searched linearly."""

    def __init__(self, keys: Sequence[Hashable] = ()) -> None:
        self._keys = keys

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, index: int) -> Hashable:
        return self._keys[index]

    def find(self, key: Hashable) -> int:
        return self._keys.index(key) if key in self._keys else -1


class Newest:
    """OrderedKeys over cards, newest first. cards: ascending numbers, that is oldest first."""

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
    """Caches the cards of one set of authors and extends it as the feed grows."""

    def __init__(self) -> None:
        self._feed: Feed | None = None
        self._authors: frozenset[int] = frozenset()
        self._seen = 0
        self._cards = NONE

    def cards(self, feed: Feed, authors: frozenset[int]) -> Ints:
        """Their cards, ascending, without those deleted or whose root card is deleted."""
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
    """The cards without those whose author, or the author of whose root card, `me` mutes or a block hides."""
    hidden = me.mutes | me.blocks | me.blocked_by if me is not None else ()
    if not hidden:
        return cards
    flags, posts = _flags(feed, hidden), feed.posts
    return cards[~(flags[posts.author[cards]] | flags[posts.author[posts.root[cards]]])]


def _flags(feed: Feed, users: Collection[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """A flag for each user of the feed: whether they are among `users`."""
    out = np.zeros(feed.users.n, np.bool_)
    out[list(users)] = True
    return out
