"""Who follows whom: reading the compressed graph for many users at once, and generating it.

`zipf` (our design): leaders are followed by those who share a topic, the first most of all; others by preferential
attachment, so that follower counts have a heavy tail. `paper` (seed 003, D.2): only leaders are followed, all equally
likely: a star.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.model import CrowdParameters, Feed, Graph
from sandbox.feed.tables import Bytes, Flags, Ints, Longs, Pairs, distinct, draws

TOPICS = 9
RANK = 10  # leaders up to this rank are equally likely to be followed; after it the chance falls as 1 / rank
MERGED = 64  # later follows are merged once they exceed 1/64 of the graph
SCANT = 32  # follows up to which plain Python is quicker
FEW = 1000  # and this number
AT_HAND = 20_000  # users: initial graphs of crowds up to this size are cached when the same world is founded again
Leaders: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]
NOBODY_ELSE: Longs = np.zeros(0, np.int64)


# ---- reading


def followees(feed: Feed, users: Longs, most: int) -> tuple[Longs, Longs, Longs]:
    """Whom these users follow, at most `most` each, the latest. For each follow: the index of the user in `users`, its
    index among that user's follows, and the number of the followed.
    """
    graph = feed.graph
    inside = (users < graph.users).nonzero()[0]
    rows = places = others = NOBODY_ELSE
    if len(inside):
        first, last = graph.first[users[inside]], graph.first[users[inside] + 1]
        first = np.maximum(first, last - most)
        rows, places = expand_counts(last - first)
        others = graph.followees[first[rows] + places].astype(np.int64)
        rows = inside[rows]
    if len(inside) == len(users):
        return rows, places, others
    extra = [
        (i, place, other)
        for i, user in enumerate(users.tolist())
        if user >= graph.users
        for place, other in enumerate([*feed.accounts[user].follows][-most:])
    ]
    more = np.array(extra, np.int64).reshape(-1, 3).T
    if not len(inside):
        return more[0], more[1], more[2]
    return np.concatenate((rows, more[0])), np.concatenate((places, more[1])), np.concatenate((others, more[2]))


def expand_counts(counts: NDArray[np.integer]) -> tuple[Longs, Longs]:
    """For counts 2, 0, 3: rows 0 0 2 2 2 and indices 0 1 0 1 2."""
    counts = counts.astype(np.int64)
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, places


def following(graph: Graph, users: Longs, others: Longs) -> Flags:
    """For each pair of a user of the graph and another, whether the first follows the second."""
    found = graph.later.has(users, others) if graph.later.n else np.zeros(len(users), bool)
    first = graph.first[users]
    if len(users) <= SCANT:
        for i, (begin, user, other) in enumerate(zip(first.tolist(), users.tolist(), others.tolist(), strict=True)):
            found[i] |= other in graph.followees[begin : graph.first.item(user + 1)].tolist()
        return found
    rows, places = expand_counts(graph.first[users + 1] - first)
    hits = graph.followees[first[rows] + places] == others[rows]
    found[rows[hits]] = True
    return found


def add_follows(graph: Graph, users: Ints, others: Ints) -> None:
    """Add new follows, none of which exists yet. `followees` reads them only after `merge`."""
    graph.waiting.append((users, others))
    count = sum(len(batch) for batch, _ in graph.waiting)
    if count > max(FEW, len(graph.followees) // MERGED) or len(graph.followees) < FEW * MERGED:
        merge(graph)
    else:
        graph.later.add(users, others)


def remove_follows(graph: Graph, users: Longs, others: Longs) -> int:
    """Remove follows of users of the graph; returns how many of them existed."""
    there = following(graph, users, others)
    if not there.any():
        return 0
    if graph.waiting:
        merge(graph)
    users, others = users[there], others[there]
    rows, places = expand_counts(graph.first[users + 1] - graph.first[users])
    places += graph.first[users[rows]]
    gone = distinct(places[graph.followees[places] == others[rows]])
    of = graph.first.searchsorted(gone, "right") - 1
    graph.followees = np.delete(graph.followees, gone)
    graph.first[1:] -= np.cumsum(np.bincount(of, minlength=graph.users))
    return len(gone)


def merge(graph: Graph) -> None:
    """Merge later follows into the graph, at the end of their rows."""
    users = np.concatenate([batch for batch, _ in graph.waiting])
    others = np.concatenate([batch for _, batch in graph.waiting])
    order = np.argsort(users, kind="stable")
    ends, others = graph.first[users[order] + 1], others[order]
    if len(users) <= SCANT:
        parts, begin = list[Ints](), 0
        for i, end in enumerate(ends.tolist()):
            parts += graph.followees[begin:end], others[i : i + 1]
            begin = end
        graph.followees = np.concatenate((*parts, graph.followees[begin:]))
        for user in users.tolist():
            graph.first[user + 1 :] += 1
    else:
        graph.followees = np.insert(graph.followees, ends, others)
        graph.first[1:] += np.cumsum(np.bincount(users, minlength=graph.users))
    graph.later, graph.waiting = Pairs() if graph.later.n else graph.later, []


def graph_from_follows(count: int, users: NDArray[np.integer], others: NDArray[np.integer]) -> Graph:
    """A graph of `count` users from (follower, followed) in any order; duplicates count once."""
    keys = (users.astype(np.int64) << 32) | others.astype(np.int64)
    keys.sort()
    if len(keys):
        keys = keys[np.append(True, keys[1:] != keys[:-1])]
    first = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(keys >> 32, minlength=count), out=first[1:])
    return Graph(first, (keys & 0xFFFFFFFF).astype(np.int32))


# ---- generating


def generate(
    kind: str, seed: int, topics: Bytes, parameters: CrowdParameters, leaders: Sequence[tuple[int, Sequence[int]]] = ()
) -> Graph:
    """Generate who follows whom in a new crowd. topics: (users, 2), each 0 to 8. leaders: (number, topics) of accounts
    followed before all others; the crowd's own leaders are its first users.
    """
    leading = tuple((number, tuple(about)) for number, about in leaders)
    rates = FollowRates(parameters.core, parameters.core_follow, parameters.others)
    if len(topics) > AT_HAND:
        return _generated(kind, seed, topics, rates, leading)
    made = _made(kind, seed, topics.tobytes(), topics.dtype.str, rates, leading)
    return Graph(made.first.copy(), made.followees.copy())


class FollowRates(NamedTuple):
    """What of `CrowdParameters` decides who follows whom."""

    core: int
    core_follow: float
    others: int


@lru_cache(maxsize=16)  # a replay's jumps, and a study's cases of one seed, generate the same graph
def _made(kind: str, seed: int, topics: bytes, of: str, rates: FollowRates, leaders: Leaders) -> Graph:
    return _generated(kind, seed, np.frombuffer(topics, of).reshape(-1, 2), rates, leaders)


def _generated(kind: str, seed: int, topics: Bytes, rates: FollowRates, leaders: Leaders) -> Graph:
    count = len(topics)
    core = [*leaders, *((i, tuple(topics[i].tolist())) for i in range(min(rates.core, count)))]
    followers, followed = [], []
    draw = draws(seed, "leaders")
    for rank, (number, about) in enumerate(core, 1):
        share = rates.core_follow * (1.0 if kind == "paper" else min(1.0, RANK / rank))
        shared = np.zeros(TOPICS, bool)
        shared[[*about]] = True
        fits = np.flatnonzero(shared[topics[:, 0]] | shared[topics[:, 1]])
        chosen = fits[draw.random(len(fits), np.float32) < share]
        followers.append(chosen[chosen != number])
        followed.append(np.full(len(followers[-1]), number))
    if kind != "paper" and count > 1 and rates.others:
        users, others = _attached(seed, topics, rates.others)
        followers.append(users)
        followed.append(others)
    empty = np.zeros(0, np.int64)
    return graph_from_follows(count, np.concatenate([empty, *followers]), np.concatenate([empty, *followed]))


def _attached(seed: int, topics: Bytes, each: int) -> tuple[Longs, Longs]:
    """Follows by preferential attachment among users who share a topic: a user joins after those with lower numbers and
    draws from the tickets of their topics. Everybody has one ticket in each topic, plus one per follower. They join in
    generations, each as large as all before it.
    """
    count = len(topics)
    order = draws(seed, "joining").permutation(count)
    tickets: list[Longs] = [np.zeros(0, np.int64)] * TOPICS
    users, others = [], []
    begin, end = 0, min(count, 64)
    draw = draws(seed, "others")
    while begin < count:
        joining = order[begin:end]
        for topic in range(TOPICS):
            new = joining[(topics[joining] == topic).any(axis=1)]
            tickets[topic] = np.concatenate((tickets[topic], new))  # users of one generation may follow each other
        gained: list[list[Longs]] = [[] for _ in range(TOPICS)]
        for place in range(2):
            about = topics[joining, place]
            for topic in range(TOPICS):
                who = np.repeat(joining[about == topic], each // 2 + (each % 2) * place)
                pool = tickets[topic]
                if not len(who):
                    continue
                found = pool[draw.integers(0, len(pool), len(who))]
                fits = found != who
                users.append(who[fits])
                others.append(found[fits])
                gained[topic].append(found[fits])
        for topic in range(TOPICS):
            tickets[topic] = np.concatenate((tickets[topic], *gained[topic]))
        begin, end = end, min(count, 2 * end)
    return np.concatenate(users), np.concatenate(others)
