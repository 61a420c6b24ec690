"""What a policy may know at the beginning of a round, as arrays that cannot be written: everybody's columns, and the
readers, cards and authors it may decide about (docs/policy.md).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.card_scores import OLDEST, recent
from sandbox.feed.claims import Beliefs, claims_of_cards
from sandbox.feed.graph import followees
from sandbox.feed.model import DIMENSIONS, UNIT, Feed, post_vectors, told_stances
from sandbox.feed.tables import Flags, Floats, Ints, Longs, Small, draws, pair_keys, places_in, run_starts

HEARD = 5  # chosen cards whose mean stance is kept for each reader
T = TypeVar("T", bound=np.generic)


class Sizes(NamedTuple):
    """How many candidates there are in a round, and the share of users that may be silenced at most."""

    readers: int = 64
    cards: int = 16
    authors: int = 64
    silenced: float = 0.1


def fixed(array: NDArray[T]) -> NDArray[T]:
    """The same numbers as an array that cannot be written."""
    found = array.view()
    found.flags.writeable = False
    return found


class CandidateCards(NamedTuple):
    """Candidate cards, b of them. number: of the card. author: user. stance: in [-1, 1], 0 if it takes none. age:
    seconds. likes: so far. vector: (b, 32), of length 1 or 0. claim: 1 makes the watched claim, -1 rebuts it, else 0.
    """

    number: Longs
    author: Longs
    stance: Floats
    age: Longs
    likes: Longs
    vector: Floats
    claim: Small


class Past(NamedTuple):
    """What a seat remembers of its own rounds. heard: (users, HEARD) stances of the latest chosen cards each has read,
    NaN = fewer; chosen: sorted pairs (user, root) chosen before.
    """

    heard: Floats
    chosen: NDArray[np.uint64]


class PlatformView:
    """What a policy may know. round: from 1 on. now: second at which the round begins. readers: (a,) users who may be
    given cards: they look in this round, or are accounts. posts: cards that may be given (b). able: (a, b), whether a
    reader may be given a card: not their own, by nobody who blocks them; fresh: and not chosen for them before.
    authors: (c,) users whose exposure may be lowered. most_silenced: how many of them at most.
    """

    def __init__(self, feed: Feed, number: int, now: int, past: Past, sizes: Sizes, seed: int, look: Longs) -> None:
        self._feed, self._past = feed, past
        self.round, self.now = number, now
        draw = draws(seed, "policy candidates", number)
        may = np.concatenate((look[run_starts(look)], np.array([*feed.accounts], np.int64)))
        self.readers: Longs = fixed(_some(draw, may, sizes.readers))
        roots = recent(feed, now, OLDEST).astype(np.int64)
        self.posts = _posts(feed, _some(draw, roots, sizes.cards), now)
        wrote = feed.posts.author[_some(draw, roots, sizes.authors)]
        self.authors: Longs = fixed(np.unique(wrote).astype(np.int64))
        self.most_silenced = int(sizes.silenced * feed.users.n)
        self.able: Flags = fixed(_able(feed, self.readers, self.posts))
        keys = pair_keys(np.repeat(self.readers, len(self.posts.number)), np.tile(self.posts.number, len(self.readers)))
        _, before = places_in(past.chosen, keys)
        self.fresh: Flags = fixed(self.able & ~before.reshape(self.able.shape))

    def __repr__(self) -> str:
        return f"<PlatformView of round {self.round}: {len(self.readers)} readers, {len(self.posts.number)} cards>"

    @property
    def users(self) -> int:
        """The number of users."""
        return self._feed.users.n

    @cached_property
    def stance(self) -> Floats:
        """Of each user, in [-1, 1]."""
        return fixed(self._feed.users.stance[: self.users] * np.float32(1 / UNIT))

    @cached_property
    def heard(self) -> Floats:
        """For each user, the mean stance of the last 5 cards that were chosen for them and read; 0 = none."""
        return fixed(self.heard_by(np.arange(self.users)))

    def heard_by(self, users: Longs) -> Floats:
        """The same for some users."""
        known = np.minimum(users, len(self._past.heard) - 1)
        rows = np.where((known == users)[:, None], self._past.heard[known], np.float32(np.nan))
        there = ~np.isnan(rows)
        found: Floats = np.where(there, rows, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1).astype(np.float32)
        return found

    @property
    def fans(self) -> Ints:
        """Followers of each user."""
        return fixed(self._feed.users.fans[: self.users])

    @cached_property
    def vector(self) -> Floats:
        """Interests of each user, (users, 32), of length 1 or 0."""
        return fixed(unit_rows(self._feed.users.vector[: self.users]))

    def interests(self, users: Longs) -> Floats:
        """Interests of some users, (n, 32), of length 1 or 0."""
        return unit_rows(self._feed.users.vector[users])

    def followed(self, users: Longs) -> tuple[Longs, Longs]:
        """Whom users follow: first (n + 1,) where each one's row begins, and the users followed."""
        rows, _, others = followees(self._feed, users, MOST_FOLLOWED)
        order = np.argsort(rows, kind="stable")
        first: Longs = np.append(0, np.bincount(rows, minlength=len(users)).cumsum())
        return first, others[order]

    @property
    def watched(self) -> bool:
        """Whether a claim is watched."""
        return bool(self._feed.claims)

    @cached_property
    def misinformed(self) -> Flags:
        """Users who believe the watched claim (`feed/claims.py`)."""
        return fixed(Beliefs(self._feed).misinformed)


MOST_FOLLOWED = 64  # followed users of one user that count, the latest


def unit_rows(rows: NDArray[Any]) -> Floats:
    """Rows scaled to a length of 1; a row of 0 stays 0."""
    wide = rows.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    found: Floats = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return found


def _some(draw: np.random.Generator, all_: Longs, most: int) -> Longs:
    """Some of the numbers, drawn without repeats, ascending."""
    return all_ if len(all_) <= most else np.sort(draw.choice(all_, most, replace=False, shuffle=False))


def _posts(feed: Feed, cards: Longs, now: int) -> CandidateCards:
    posts = feed.posts
    told = told_stances(posts.stance[cards])
    claim = claims_of_cards(feed)[cards] if feed.claims else np.zeros(len(cards), np.int8)
    rows = post_vectors(feed, cards.astype(np.int32)) if len(cards) else np.zeros((0, DIMENSIONS), np.float32)
    author, t, likes = (column[cards].astype(np.int64) for column in (posts.author, posts.t, posts.likes))
    return CandidateCards(
        fixed(cards), fixed(author), fixed(told), fixed(now - t), fixed(likes), fixed(unit_rows(rows)), fixed(claim)
    )


def _able(feed: Feed, readers: Longs, posts: CandidateCards) -> Flags:
    able: Flags = readers[:, None] != posts.author
    for account in feed.accounts.values():
        if account.blocks or account.blocked_by or account.mutes:
            kept_from = [*account.blocks, *account.blocked_by]
            able[np.ix_(np.isin(readers, kept_from), posts.author == account.number)] = False
            able[np.ix_(readers == account.number, np.isin(posts.author, [*kept_from, *account.mutes]))] = False
    return able
