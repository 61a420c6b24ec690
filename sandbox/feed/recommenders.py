"""Recommenders: who is shown which posts. Those of the paper's platforms, others to compare with, and one's own.

A recommender is a small class with a name and one of two methods: `rank`, for all users at once, or, where much is the
same for all, `prepare`. It sees the feed and changes nothing; its chance is the generator it is given, and nothing else
(`check_recommender` tries one).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.core.clock import DAY
from sandbox.feed.graph import followees
from sandbox.feed.model import Feed, FeedParameters, norms, post_vectors
from sandbox.feed.tables import Floats, Ints, Longs, hash_numbers

HOT_EPOCH = 1134028003  # seconds since 1970: where the hot score counts time from
HOT_SECONDS = 45000  # of age that weigh as much as ten times the score
UNIT_SECONDS = 180  # of age, in the recency of the X kind: 3 simulated minutes, whatever the tick
OLDEST = int(171.8 * UNIT_SECONDS)  # seconds of age from which a post is dropped: recency is 0
ROUND = 7
FEW = 8  # rows

_AGES = np.arange(OLDEST + 1, dtype=np.float64) / UNIT_SECONDS
_RECENCY: Floats = np.round(np.log((271.8 - _AGES) / 100), ROUND).astype(np.float32)


def hot(up: ArrayLike, down: ArrayLike, epoch: ArrayLike, formula: str = "reddit") -> NDArray[np.float64]:
    """The hot score of posts with so many likes and dislikes, written at that second since 1970 of simulated time.

    formula: "reddit": sign(s) log10(max(|s|, 1)) + (t - t0) / 45000 with s = up - down; "paper": equation 1 of seed
    003, log10(max(|s|, 1)) + sign(s) (t - t0) / 45000, in which a disliked post sinks as it is newer.
    """
    score = np.asarray(up, np.int64) - np.asarray(down, np.int64)
    order = np.log10(np.maximum(np.abs(score), 1))
    age = (np.asarray(epoch, np.int64) - HOT_EPOCH) / HOT_SECONDS
    sign = np.sign(score)
    found: NDArray[np.float64] = np.round(order + sign * age if formula == "paper" else sign * order + age, ROUND)
    return found


def recency(age: Ints) -> Floats:
    """R = ln((271.8 - age) / 100), of an age in seconds, in units of 3 minutes: 1 for a new post, 0 from 515 minutes on
    (seed 003, eq. 3).
    """
    return _RECENCY[np.clip(age, 0, OLDEST)]


def fame(fans: Ints) -> Floats:
    """F = max(1, log_1000(fans + 1)) (seed 003, eq. 4)."""
    found: Floats = np.maximum(1.0, np.round(np.log(fans + 1.0) / np.log(1000.0), ROUND)).astype(np.float32)
    return found


def top(scores: NDArray[np.floating], k: int) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
    """The k highest of each row and their scores, (n, k) both; of equals the first. scores: (n, m), spoilt by it.

    Where a row has less than k columns, the others are its first column with -inf.
    """
    n, m = scores.shape
    if n < FEW and m >= k:  # one sort is quicker than k looks
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        best = np.take_along_axis(scores, order, axis=1)
        np.put_along_axis(scores, order, -np.inf, axis=1)
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
NETWORK = 32  # cards of people one follows that are weighed
NOTHING = -1
NEVER = np.float32(-np.inf)


class Recommender:
    """Ranks cards for users. Make one by writing `rank` or `prepare`.

    name: how reports and parameters call it.
    """

    name = "own"

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        """What is the same for all users at that second, as a function (users, k, draw) -> cards. It may be called from
        several threads at once, each with users and a generator of its own.
        """
        if type(self).rank is Recommender.rank:
            raise TypeError(f"{type(self).__name__} is no recommender: it has neither rank nor prepare; write one")
        return lambda users, k, draw: self.rank(feed, users, now, k, draw)

    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> Ints:
        """The k cards for each user, best first, as (len(users), k) numbers of cards; -1 where there are no more."""
        ranker = self.prepare(feed, now, draw)
        if not callable(ranker):
            raise TypeError(
                f"{type(self).__name__}.prepare gives {type(ranker).__name__}, not a function (users, k, draw) -> cards"
                "; shared(cards) makes one of a list that is the same for all"
            )
        return ranker(users, k, draw)


class Ranks(Recommender):
    """Something else that ranks: any object with a name and a method `rank`. Raises ValueError if it has none."""

    def __init__(self, one: Any) -> None:
        if isinstance(one, type) or not callable(getattr(one, "rank", None)):
            mend = "give one that is made, with brackets" if isinstance(one, type) else "it has no method rank"
            raise ValueError(f"{getattr(one, '__name__', type(one).__name__)} is no recommender: {mend}")
        self.name = str(getattr(one, "name", type(one).__name__))
        self._one = one

    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> Ints:
        found: Ints = self._one.rank(feed, users, now, k, draw)
        return found


class Mix(Recommender):
    """The X kind: a share of posts by people one follows, by likes; the others by R x F x S (seed 003, eq. 2).

    network: that share; places that it cannot fill are for the others, unless it is all. pool: how many posts are
    weighed for all, of which a share `fresh` is drawn by lot, and the others are those with the highest R x F. A world
    with fewer posts weighs them all, as the paper does.
    """

    name = "mix"

    def __init__(self, network: float = 0.5, pool: int = 512, fresh: float = 0.125) -> None:
        self.network, self.pool, self.fresh = network, pool, fresh

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        cards, weight = self._pool(feed, now, draw)
        vectors = post_vectors(feed, cards)
        lengths = norms(vectors)
        weight = np.where(lengths > 0, weight / np.maximum(lengths, 1), 0).astype(np.float32)
        columns = np.ascontiguousarray(vectors.T)
        authors = feed.posts.author[cards]

        def rank(users: Longs, k: int, draw: np.random.Generator) -> Ints:
            inside = round(self.network * k)
            near = top_followed_cards(feed, users, now, inside) if inside else np.zeros((len(users), 0), np.int32)
            places = k - (near >= 0).sum(axis=1)  # those of one's network leave their others to the rest
            if not len(cards) or inside == k or not places.any():
                return _filled(near, k)
            scores = feed.users.vector[users].astype(np.float32) @ columns
            scores *= weight
            own = np.flatnonzero(np.isin(users, authors))
            scores[own] = np.where(authors == users[own, None], NEVER, scores[own])
            there = feed.posts.root[np.maximum(near, 0)]  # what is shown already, whoever has passed it on
            at = np.minimum(np.searchsorted(cards, there), len(cards) - 1)
            rows, column = np.nonzero((near >= 0) & (cards[at] == there))
            scores[rows, at[rows, column]] = NEVER
            far = _taken(cards, scores, k - inside)
            more = np.full((len(users), inside), NOTHING, np.int32)
            lacking = np.flatnonzero(places > k - inside)
            more[lacking] = _taken(cards, scores[lacking], inside)
            found = np.concatenate((near, far, more), axis=1)
            first = np.argsort(found < 0, axis=1, kind="stable")[:, :k]
            return np.take_along_axis(found, first, axis=1)

        return rank

    def _pool(self, feed: Feed, now: int, draw: np.random.Generator) -> tuple[Ints, Floats]:
        """The posts weighed for everybody, and R x F of each."""
        cards = recent(feed, now, OLDEST)
        posts = feed.posts
        weight = recency(now - posts.t[cards]) * fame(feed.users.fans[posts.author[cards]])
        if len(cards) > self.pool:
            lot = min(self.pool, round(self.fresh * self.pool))
            chosen = highest(weight, self.pool - lot) if self.pool > lot else np.zeros(0, np.int64)
            drawn = (
                np.argpartition(hash_numbers(cards, int(draw.integers(1 << 63))), lot - 1)[:lot] if lot else chosen[:0]
            )
            kept = np.unique(np.concatenate((chosen, drawn)))
            cards, weight = cards[kept], weight[kept]
        return cards, weight


class Hot(Recommender):
    """The Reddit kind: the hottest posts of all, the same for everybody. size: of that list."""

    name = "hot"

    def __init__(self, size: int = 100, formula: str = "reddit") -> None:
        self.size, self.formula = size, formula

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        return shared(hottest(feed, now, self.size, self.formula))


class Chronological(Recommender):
    """The newest posts, the same for everybody."""

    name = "chronological"

    def __init__(self, size: int = 100) -> None:
        self.size = size

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        n = back = count_roots(feed, now)
        cards = feed.roots.card[:0]
        while back and len(cards) < self.size:  # as far back as it takes, whatever has been deleted
            back = max(0, back - 2 * (self.size - len(cards)))
            cards = alive(feed, feed.roots.card[back:n])
        return shared(cards[::-1])


class Headline(Recommender):
    """What is liked most of the last day, the same for everybody."""

    name = "headline"

    def __init__(self, size: int = 100) -> None:
        self.size = size

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        cards = recent(feed, now, DAY)
        return shared(cards[highest(feed.posts.likes[cards].astype(np.float64), self.size)])


class Random(Recommender):
    """Posts by lot, of those that are still shown; each user has their own."""

    name = "random"

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        cards = recent(feed, now, OLDEST)

        def rank(users: Longs, k: int, draw: np.random.Generator) -> Ints:
            if not len(cards):
                return np.full((len(users), k), NOTHING, np.int32)
            return _filled(cards[_by_lot(draw, len(users), len(cards), min(k, len(cards)))], k)

        return rank


class FollowedOnly(Recommender):
    """No recommender: only what people one follows have written or passed on, the newest first."""

    name = "none"

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        def rank(users: Longs, k: int, draw: np.random.Generator) -> Ints:
            cards = followed_cards(feed, users, now)
            return _best(cards, np.where(cards >= 0, cards, NEVER).astype(np.float32), k)

        return rank


def recommender(feed: Feed, parameters: FeedParameters) -> Recommender:
    """The recommender that a world's parameters name."""
    name = parameters.recommender or {"x": "mix", "reddit": "hot"}[feed.kind]
    if name == "mix":
        return Mix(parameters.network, parameters.pool, parameters.fresh)
    if name == "hot":
        return Hot(parameters.hot, parameters.formula)
    if name in ("chronological", "headline"):
        return {"chronological": Chronological, "headline": Headline}[name](parameters.hot)
    return Random() if name == "random" else FollowedOnly()


# ---- what several of them need


def alive(feed: Feed, cards: Ints) -> Ints:
    """Those of these roots that are not deleted."""
    return cards[~feed.posts.gone[cards]]


def count_roots(feed: Feed, now: int) -> int:
    """How many of the roots there are at that second: a tick is worked out at its end, and sees what was there before
    it.
    """
    return int(np.searchsorted(feed.roots.t[: feed.roots.n], now, side="right"))


def recent(feed: Feed, now: int, seconds: int) -> Ints:
    """Posts and quotes of the last so many seconds that are not deleted, in order."""
    return alive(feed, feed.roots.card[count_roots(feed, now - seconds) : count_roots(feed, now)])


def highest(scores: NDArray[np.floating], k: int) -> NDArray[np.int64]:
    """Where the k highest are, the highest first; of equals the later."""
    kept = np.arange(len(scores))
    if 0 < k < len(scores):  # which of equals `argpartition` takes is up to the machine
        least = np.partition(scores, -k)[-k]
        above = np.flatnonzero(scores > least)
        kept = np.sort(np.append(above, np.flatnonzero(scores == least)[len(above) - k :]))
    found: NDArray[np.int64] = kept[np.argsort(scores[kept], kind="stable")[::-1]]
    return found


def hottest(feed: Feed, now: int, k: int, formula: str = "reddit") -> Ints:
    """The k posts with the highest hot score, the hottest first."""
    posts = feed.posts
    cards = alive(feed, feed.roots.card[: count_roots(feed, now)])
    scores = hot(posts.likes[cards], posts.dislikes[cards], feed.epoch + posts.t[cards].astype(np.int64), formula)
    return cards[highest(scores, k)]


def shared(cards: Ints) -> Ranker:
    """A ranker for whom all users are the same: the list is kept once."""
    return lambda users, k, draw: np.broadcast_to(_filled(cards[None, :k], k), (len(users), k))


def followed_cards(feed: Feed, users: Longs, now: int) -> Ints:
    """Cards of the last day by people these users follow, (n, NETWORK), -1 = none: the newest of each of them, and, for
    whoever follows few, the one before it. Of cards that show the same words the newest.
    """
    posts = feed.posts
    cards = np.full((len(users), NETWORK), NOTHING, np.int32)
    rows, places, others = followees(feed, users, NETWORK)
    cards[rows, places] = _standing(feed, feed.users.newest[others], now)
    half = NETWORK // 2
    few = cards[:, half:].max(axis=1) < 0
    before = cards[few, :half]
    cards[few, half:] = _standing(feed, np.where(before >= 0, posts.earlier[np.maximum(before, 0)], NOTHING), now)
    known = np.maximum(cards, 0)
    roots = posts.root[known]
    gone = (posts.t[known] <= now - DAY) | posts.gone[roots] | posts.gone[known]
    cards[gone | (posts.author[roots] == users[:, None])] = NOTHING
    if ((roots != cards) & (cards >= 0)).any():
        words = np.where(cards >= 0, roots, -1 - np.arange(NETWORK)).astype(np.int64)
        order = np.argsort((words << 32) + cards, axis=1, kind="stable")
        words = np.take_along_axis(words, order, axis=1)
        row, at = np.nonzero(words[:, 1:] == words[:, :-1])
        cards[row, order[row, at]] = NOTHING
    return cards


def _standing(feed: Feed, cards: Ints, now: int) -> Ints:
    """These cards, and for one that is deleted, or not written yet, the latest before it of its author that stands;
    -1 = none.
    """
    posts = feed.posts
    while True:
        known = np.maximum(cards, 0)
        gone = posts.gone[known] | posts.gone[posts.root[known]]
        if feed.accounts:  # of the crowd's nothing is ever ahead
            gone |= posts.t[known] > now
        gone &= cards >= 0
        if not gone.any():
            return cards
        cards = np.where(gone, posts.earlier[known], cards)


def top_followed_cards(feed: Feed, users: Longs, now: int, k: int) -> Ints:
    """The k cards of people these users follow whose roots have most likes, (n, k); of equals the newer."""
    cards = followed_cards(feed, users, now)
    likes = feed.posts.likes[feed.posts.root[np.maximum(cards, 0)]]
    newer = cards / (2.0 * max(1, feed.posts.n))
    return _best(cards, np.where(cards >= 0, likes + newer, NEVER), k)


def _best(cards: Ints, scores: NDArray[np.floating], k: int) -> Ints:
    at, best = top(scores, k)
    found: Ints = cards[np.arange(len(cards))[:, None], np.minimum(at, cards.shape[1] - 1)]
    found[best == NEVER] = NOTHING
    return found


def _taken(cards: Ints, scores: Floats, k: int) -> Ints:
    """The k of these cards with the highest scores, (len(scores), k); what is taken is NEVER in them from then on."""
    at, best = top(scores, k)
    return np.where(best == NEVER, np.int32(NOTHING), cards[at])


def _by_lot(draw: np.random.Generator, n: int, m: int, k: int) -> NDArray[np.int64]:
    """n times k of m by lot, none twice in a row of them; (n, k)."""
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


def _filled(cards: Ints, k: int) -> Ints:
    lacking = k - cards.shape[1]
    if lacking <= 0:
        return cards[:, :k]
    return np.concatenate((cards, np.full((len(cards), lacking), NOTHING, np.int32)), axis=1)
