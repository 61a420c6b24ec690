"""What recommenders are made of: scores of cards, the cards there are to choose from, and lists of the best."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.core.clock import DAY
from sandbox.feed.graph import followees
from sandbox.feed.model import Feed
from sandbox.feed.tables import Floats, Ints, Longs, run_starts

HOT_EPOCH = 1134028003  # seconds since 1970: zero of time in the hot score
HOT_SECONDS = 45000  # seconds of age that weigh as much as a factor of ten in the score
UNIT_SECONDS = 180  # seconds: unit of age in the recency of the X kind, 3 simulated minutes whatever the tick
OLDEST = int(171.8 * UNIT_SECONDS)  # seconds of age from which a post is dropped: its recency is 0
ROUND = 7
FEW = 8  # rows up to which a sort is quicker

_AGES = np.arange(OLDEST + 1, dtype=np.float64) / UNIT_SECONDS
_RECENCY: Floats = np.round(np.log((271.8 - _AGES) / 100), ROUND).astype(np.float32)


def hot(up: ArrayLike, down: ArrayLike, epoch: ArrayLike, formula: str = "reddit") -> NDArray[np.float64]:
    """The hot score of posts with `up` likes and `down` dislikes; epoch: when written, in simulated seconds since 1970.

    formula: "reddit": sign(s) log10(max(|s|, 1)) + (t - t0) / 45000 with s = up - down; "paper": equation 1 of seed
    003, log10(max(|s|, 1)) + sign(s) (t - t0) / 45000, by which a disliked post ranks lower the newer it is.
    """
    score = np.asarray(up, np.int64) - np.asarray(down, np.int64)
    order = np.log10(np.maximum(np.abs(score), 1))
    age = (np.asarray(epoch, np.int64) - HOT_EPOCH) / HOT_SECONDS
    sign = np.sign(score)
    found: NDArray[np.float64] = np.round(order + sign * age if formula == "paper" else sign * order + age, ROUND)
    return found


def recency(age: Ints) -> Floats:
    """R = ln((271.8 - age) / 100), with age converted from seconds to units of 3 minutes: 1 for a new post, 0 from 515
    minutes on (seed 003, eq. 3).
    """
    return _RECENCY.take(age, mode="clip")


def fame(fans: Ints) -> Floats:
    """F = max(1, log_1000(fans + 1)) (seed 003, eq. 4)."""
    if not (fans >= 1000).any():
        return np.ones(fans.shape, np.float32)
    found: Floats = np.maximum(1.0, (np.log(fans + 1.0) / np.log(1000.0)).round(ROUND)).astype(np.float32)
    return found


def top(scores: NDArray[np.floating], k: int) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
    """The indices of the k highest scores of each row, and those scores, (n, k) both; the first among equals. scores:
    (n, m), overwritten.

    If a row has fewer than k columns, the rest repeats its first column with -inf.
    """
    n, m = scores.shape
    if n < FEW and m >= k:  # one sort is quicker than k searches
        order, rows = (-scores).argsort(axis=1, kind="stable")[:, :k], np.arange(n)[:, None]
        best = scores[rows, order]
        scores[rows, order] = -np.inf
        return order, best
    at = np.zeros((n, k), np.int64)
    found = np.full((n, k), -np.inf, scores.dtype)
    rows = np.arange(n)
    for i in range(min(k, m)):
        best = scores.argmax(axis=1)
        at[:, i] = best
        found[:, i] = scores[rows, best]
        scores[rows, best] = -np.inf
    return at, found


Ranker: TypeAlias = Callable[[Longs, int, np.random.Generator], Ints]
NETWORK = 32  # cards of followed users that are weighed
NOTHING = -1
NEVER = np.float32(-np.inf)


def alive(feed: Feed, cards: Ints) -> Ints:
    """The roots among these that are not deleted."""
    return cards[~feed.posts.gone.take(cards)]


def count_roots(feed: Feed, now: int) -> int:
    """How many roots exist at second `now`: a tick is computed at its end, and must see only what existed then."""
    return int(feed.roots.t[: feed.roots.n].searchsorted(now, side="right"))


def recent(feed: Feed, now: int, seconds: int) -> Ints:
    """Posts and quotes of the last `seconds` that are not deleted, in order."""
    return alive(feed, feed.roots.card[count_roots(feed, now - seconds) : count_roots(feed, now)])


def highest(scores: NDArray[np.floating], k: int) -> NDArray[np.int64]:
    """The indices of the k highest scores, highest first; the later among equals."""
    kept = np.arange(len(scores))
    if 0 < k < len(scores):  # `argpartition` chooses among equals differently on different machines
        least = np.partition(scores, -k)[-k]
        above = np.flatnonzero(scores > least)
        kept = np.sort(np.append(above, np.flatnonzero(scores == least)[len(above) - k :]))
    found: NDArray[np.int64] = kept[np.argsort(scores[kept], kind="stable")[::-1]]
    return found


def hottest(feed: Feed, now: int, k: int, formula: str = "reddit") -> Ints:
    """The k posts with the highest hot score, hottest first."""
    posts = feed.posts
    cards = alive(feed, feed.roots.card[: count_roots(feed, now)])
    scores = hot(posts.likes[cards], posts.dislikes[cards], feed.epoch + posts.t[cards].astype(np.int64), formula)
    return cards[highest(scores, k)]


def shared(cards: Ints) -> Ranker:
    """A ranker that gives every user the same list."""
    return lambda users, k, draw: np.broadcast_to(fill_row(cards[None, :k], k), (len(users), k))


def network(feed: Feed, users: Longs, now: int) -> tuple[Longs, Ints, Ints]:
    """Cards of the last day by users whom these users follow: the newest of each followed user, and, for those who
    follow few, also the one before. Of cards with the same root only the newest. For each: its place in a table of
    (n, NETWORK), the card, its root.
    """
    posts, half = feed.posts, NETWORK // 2
    rows, places, others = followees(feed, users, NETWORK)
    at, cards = _standing(feed, rows * NETWORK + places, feed.users.newest.take(others), now)
    many = np.zeros(len(users), bool)
    many[at[at % NETWORK >= half] // NETWORK] = True
    few = ~many[at // NETWORK]
    before = _standing(feed, at[few] + half, posts.earlier.take(cards[few]), now)
    at, cards = np.concatenate((at, before[0])), np.concatenate((cards, before[1]))
    roots, rows = posts.root.take(cards), at // NETWORK
    kept = ((posts.t.take(cards) > now - DAY) & (posts.author.take(roots) != users[rows])).nonzero()[0]
    at, cards, roots = at[kept], cards[kept], roots[kept]
    if (roots != cards).any():
        words = (rows[kept] << 32) + roots
        order = words.argsort(kind="stable")  # quick, as they are nearly in order
        both = (cards.astype(np.int64) << 32 | np.arange(len(at)))[order]
        last = np.maximum.reduceat(both, run_starts(words[order]).nonzero()[0]) & 0xFFFFFFFF
        at, cards, roots = at[last], cards[last], roots[last]
    return at, cards, roots


def _standing(feed: Feed, at: Longs, cards: Ints, now: int) -> tuple[Longs, Ints]:
    """Replace each card that is deleted or later than `now` by its author's latest card before it that is neither, and
    drop it if there is none. at: of each, its place.
    """
    posts = feed.posts
    while True:
        there = cards >= 0
        at, cards = at[there], cards[there]
        gone = posts.gone.take(cards) | posts.gone.take(posts.root.take(cards))
        if feed.accounts:  # the crowd never has cards from the future
            gone |= posts.t.take(cards) > now
        if not gone.any():
            return at, cards
        cards = np.where(gone, posts.earlier.take(cards), cards)


def followed_cards(feed: Feed, users: Longs, now: int, k: int) -> Ints:
    """The k newest cards of the users' network, (n, k), -1 = none."""
    at, cards, _ = network(feed, users, now)
    found = np.full((len(users), NETWORK), NOTHING, np.int32)
    found.put(at, cards)
    found.sort(axis=1)
    return fill_row(found[:, ::-1], k)


def top_followed_cards(feed: Feed, users: Longs, now: int, k: int) -> Ints:
    """The k cards by followed users whose roots have most likes, (n, k); the newer among equals."""
    at, cards, roots = network(feed, users, now)
    both = np.full((len(users), NETWORK), NOTHING, np.int64)  # likes and card in one number
    both.put(at, feed.posts.likes.take(roots).astype(np.int64) << 32 | cards)
    both.sort(axis=1)
    return fill_row(both[:, ::-1].astype(np.int32), k)


def take_cards(cards: Ints, scores: Floats, k: int) -> Ints:
    """Take the k cards with the highest scores, (len(scores), k); their scores are then set to NEVER."""
    at, best = top(scores, k)
    return np.where(best == NEVER, np.int32(NOTHING), cards[at])


def liked_today(feed: Feed, now: int, most: int) -> Ints:
    """The most liked posts of the last day, the most liked first."""
    cards = recent(feed, now, DAY)
    return cards[highest(feed.posts.likes[cards].astype(np.float64), most)]


def first_others(feed: Feed, cards: Ints, shown: Ints, users: Longs, k: int) -> Ints:
    """The first k of a list that each user has not been shown (`shown`: (n, any)) and has not written, (n, k)."""
    scores = np.broadcast_to(np.arange(len(cards), 0, -1, dtype=np.float32), (len(users), len(cards))).copy()
    root = np.where(shown >= 0, feed.posts.root[shown], NOTHING)
    scores[(root[:, :, None] == cards).any(axis=1) | (feed.posts.author[cards] == users[:, None])] = NEVER
    return take_cards(cards, scores, k) if len(cards) else np.full((len(users), k), NOTHING, np.int32)


def random_rows(draw: np.random.Generator, n: int, m: int, k: int) -> NDArray[np.int64]:
    """n rows of k distinct random numbers below m, (n, k)."""
    if m <= 2 * k:
        shuffled: NDArray[np.int64] = np.argsort(draw.random((n, m)), axis=1)[:, :k]
        return shuffled
    found = (draw.random((n, k)) * m).astype(np.int64)
    while True:
        order = np.argsort(found, axis=1, kind="stable")
        same = np.take_along_axis(found, order, axis=1)
        row, at = np.nonzero(same[:, 1:] == same[:, :-1])
        if not len(row):
            return found
        found[row, order[row, at + 1]] = (draw.random(len(row)) * m).astype(np.int64)


def fill_row(cards: Ints, k: int) -> Ints:
    lacking = k - cards.shape[1]
    if lacking <= 0:
        return cards[:, :k]
    return np.concatenate((cards, np.full((len(cards), lacking), NOTHING, np.int32)), axis=1)
