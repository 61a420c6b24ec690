"""Recommenders: who is shown which posts. Those of the paper's platforms, others for comparison, and your own.

A recommender is a small class with a name and one of two methods: `rank`, for all users at once, or `prepare`, if much
is the same for all. It reads the feed and changes nothing; its only randomness is the generator it is given
(`check_recommender` tests one).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sandbox.feed.card_scores import (
    NEVER,
    NOTHING,
    OLDEST,
    Ranker,
    alive,
    count_roots,
    fame,
    fill_row,
    first_others,
    followed_cards,
    highest,
    hottest,
    liked_today,
    random_rows,
    recency,
    recent,
    shared,
    take_cards,
    top_followed_cards,
)
from sandbox.feed.model import Feed, norms, post_vectors
from sandbox.feed.tables import Floats, Ints, Longs, hash_numbers

HEADLINES = 100  # of a mix
TOGETHER = 1024  # users ranked at once at most: their scores fit into the cache of a processor


class Recommender:
    """Ranks cards for users. Implement `rank` or `prepare` to make one.

    name: its name in reports and parameters.
    """

    name = "own"

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        """Prepare what is the same for all users at second `now`; returns a function (users, k, draw) -> cards. It may
        be called from several threads at once, each with its own users and generator.
        """
        if type(self).rank is Recommender.rank:
            raise TypeError(f"{type(self).__name__} is no recommender: it has neither rank nor prepare; write one")
        return lambda users, k, draw: self.rank(feed, users, now, k, draw)

    def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> Ints:
        """The k cards for each user, best first, as (len(users), k) card numbers; -1 where there are no more."""
        ranker = self.prepare(feed, now, draw)
        if not callable(ranker):
            raise TypeError(
                f"{type(self).__name__}.prepare gives {type(ranker).__name__}, not a function (users, k, draw) -> cards"
                "; shared(cards) makes one of a list that is the same for all"
            )
        return ranker(users, k, draw)


class Ranks(Recommender):
    """Adapts any object with a name and a method `rank`. Raises ValueError if it lacks one."""

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
    """The X kind: a share of posts by followed users, by likes; a share of headlines, the most liked of a day; the rest
    by R x F x S (seed 003, eq. 2).

    network, headline: those shares; places they cannot fill go to the rest, unless there is none. pool: posts weighed
    for all, of which a share `fresh` is drawn at random and the others have the highest R x F. A world with fewer posts
    weighs them all, as the paper does.
    """

    name = "mix"

    def __init__(self, network: float = 0.5, pool: int = 512, fresh: float = 0.125, headline: float = 0.0) -> None:
        self.network, self.pool, self.fresh, self.headline = network, pool, fresh, headline

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        cards, weight = self._pool(feed, now, draw)
        vectors = post_vectors(feed, cards)
        lengths = norms(vectors)
        weight = np.divide(weight, lengths, out=np.zeros_like(weight), where=lengths > 0)
        authors = feed.posts.author[cards]
        writes = np.zeros(feed.users.n, bool)
        writes[authors] = True
        lead = liked_today(feed, now, HEADLINES) if self.headline else cards[:0]

        def rank(users: Longs, k: int, draw: np.random.Generator) -> Ints:
            inside = round(self.network * k)
            near = top_followed_cards(feed, users, now, inside) if inside else np.zeros((len(users), 0), np.int32)
            heads = min(round(self.headline * k), k - inside)
            if heads:
                near = np.concatenate((near, first_others(feed, lead, near, users, heads)), axis=1)
                inside += heads
            places = k - (near >= 0).sum(axis=1)  # places the network cannot fill go to the rest
            if not len(cards) or inside == k or not places.any():
                return fill_row(near, k)
            scores = feed.users.vector[users].astype(np.float32) @ vectors.T  # whole numbers: exact in any order
            scores *= weight
            own = writes[users].nonzero()[0]
            rows, at = (authors == users[own, None]).nonzero()
            scores[own[rows], at] = NEVER
            there = feed.posts.root[near]  # the roots shown already, whoever reposted them
            at = cards.searchsorted(there)
            shown = (near >= 0) & (cards.take(at, mode="clip") == there)
            scores[shown.nonzero()[0], at[shown]] = NEVER
            found = np.concatenate((near, take_cards(cards, scores, k - inside)), axis=1)
            few = (places > k - inside).nonzero()[0]  # those whose network has given too few
            if len(few):
                more = np.concatenate((found[few], take_cards(cards, scores[few], inside)), axis=1)
                order = (more < 0).argsort(axis=1, kind="stable")[:, :k]
                found[few] = more[np.arange(len(few))[:, None], order]
            return found

        def rank_in_parts(users: Longs, k: int, draw: np.random.Generator) -> Ints:
            parts = np.array_split(users, -(-len(users) // TOGETHER)) if len(users) > TOGETHER else (users,)
            return np.concatenate([rank(part, k, draw) for part in parts])

        return rank_in_parts

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
    """The Reddit kind: the hottest posts, the same for everybody. size: of that list."""

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
        while back and len(cards) < self.size:  # go back as far as needed past deleted posts
            back = max(0, back - 2 * (self.size - len(cards)))
            cards = alive(feed, feed.roots.card[back:n])
        return shared(cards[::-1])


class Headline(Recommender):
    """The most liked posts of the last day, the same for everybody."""

    name = "headline"

    def __init__(self, size: int = 100) -> None:
        self.size = size

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        return shared(liked_today(feed, now, self.size))


class Random(Recommender):
    """Random posts among those not too old; each user gets their own."""

    name = "random"

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        cards = recent(feed, now, OLDEST)

        def rank(users: Longs, k: int, draw: np.random.Generator) -> Ints:
            if not len(cards):
                return np.full((len(users), k), NOTHING, np.int32)
            return fill_row(cards[random_rows(draw, len(users), len(cards), min(k, len(cards)))], k)

        return rank


class FollowedOnly(Recommender):
    """No ranking: only posts and reposts by followed users, newest first."""

    name = "none"

    def prepare(self, feed: Feed, now: int, draw: np.random.Generator) -> Ranker:
        return lambda users, k, draw: followed_cards(feed, users, now, k)


class RecommenderRow(NamedTuple):
    """make: makes it, of the values of the parameters `takes` (of `feed.`), in that order."""

    make: Callable[..., Recommender]
    takes: tuple[str, ...] = ()


# Name, as worlds give it in `feed.recommender` -> the recommender.
RECOMMENDERS: dict[str, RecommenderRow] = {
    "mix": RecommenderRow(Mix, ("network", "pool", "fresh", "headline")),
    "hot": RecommenderRow(Hot, ("hot", "formula")),
    "random": RecommenderRow(Random),
    "chronological": RecommenderRow(Chronological, ("hot",)),
    "headline": RecommenderRow(Headline, ("hot",)),
    "none": RecommenderRow(FollowedOnly),
}
OF_KIND = {"x": "mix", "reddit": "hot"}  # kind of platform -> its recommender, unless another is named
