"""Who follows whom: a generated graph is what it says, and what is added to it is neither lost nor counted twice."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from crowds import Site, edges
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sandbox.feed import graph as making
from sandbox.feed.graph import (
    FEW,
    TOPICS,
    add_follows,
    expand_counts,
    followees,
    following,
    generate,
    graph_from_follows,
    merge,
    remove_follows,
)
from sandbox.feed.model import CrowdParameters, Feed, Graph
from sandbox.feed.tables import Bytes

USERS, CORE = 6000, 196
PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 11)), unique=True, max_size=60)


@cache
def drawn(kind: str, seed: int = 1) -> tuple[Graph, Bytes]:
    topics = np.random.default_rng(seed).integers(0, TOPICS, (USERS, 2)).astype(np.uint8)
    return generate(kind, seed, topics, CrowdParameters()), topics


def in_degrees(graph: Graph) -> np.ndarray:
    return np.bincount(graph.followees, minlength=graph.users)


def followers(graph: Graph) -> np.ndarray:
    return np.repeat(np.arange(graph.users), np.diff(graph.first))


def gini(degrees: np.ndarray) -> float:
    """0 = all have as many, 1 = one has all."""
    x = np.sort(degrees)
    n = len(x)
    return float((2 * (np.arange(1, n + 1) * x).sum() / (n * x.sum())) - (n + 1) / n)


def tail(degrees: np.ndarray, share: float = 0.05) -> float:
    """Hill's estimate of the exponent a of P(degree > x) ~ x^-a, of the highest so many."""
    x = np.sort(degrees)[::-1]
    k = int(share * len(x))
    return float(1 / np.log(x[:k] / x[k]).mean())


def sets(graph: Graph) -> list[set[int]]:
    return [set(graph.followees[graph.first[i] : graph.first[i + 1]].tolist()) for i in range(graph.users)]


def of(pairs: list[tuple[int, int]], users: int = 10) -> Graph:
    a, b = np.array(pairs, np.int64).reshape(-1, 2).T
    return graph_from_follows(users, a, b)


# ---- what is generated


@pytest.mark.parametrize("kind", ["zipf", "paper"])
def test_nobody_follows_themselves_or_twice_or_somebody_of_other_topics(kind: str) -> None:
    graph, topics = drawn(kind)
    users, others = followers(graph), graph.followees
    assert (users != others).all()
    assert len(np.unique(users.astype(np.int64) * USERS + others)) == len(others)
    shared = (topics[users][:, :, None] == topics[others][:, None, :]).any(axis=(1, 2))
    assert shared.all()
    assert (graph.first[0], graph.first[-1]) == (0, len(others))


def test_the_graph_of_the_paper_is_a_star() -> None:
    graph, topics = drawn("paper")
    degrees = in_degrees(graph)
    assert not degrees[CORE:].any()
    fits = [int((topics[:, :, None] == topics[i]).any(axis=(1, 2)).sum()) - 1 for i in range(CORE)]
    chances = [2 * min(p, 1 - p) for p in stats.binom.cdf(degrees[:CORE], fits, 0.1)]
    assert min(chances) > 1e-6
    assert degrees[:CORE].sum() == pytest.approx(0.1 * sum(fits), rel=0.02)
    first, last = degrees[: CORE // 2].mean(), degrees[CORE // 2 : CORE].mean()
    assert first == pytest.approx(last, rel=0.05)  # no rank among leaders


def test_the_usual_graph_has_a_heavy_tail() -> None:
    graph, _ = drawn("zipf")
    degrees = in_degrees(graph)
    others = degrees[CORE:]
    assert (others > 0).mean() > 0.5
    assert others.max() > 20 * others.mean()
    assert 0.8 < tail(others) < 3.0
    assert gini(others) > 0.6
    assert degrees[:10].mean() > 10 * others.mean()
    ranks = np.array([10, 20, 40, 80, 160])
    near = [degrees[r - 5 : r + 5].mean() for r in ranks]
    assert (np.diff(near) < 0).all()  # leaders by their rank


def test_everybody_follows_about_eight_others_and_the_leaders_of_their_topics() -> None:
    graph, _ = drawn("zipf")
    inside = graph.followees >= CORE
    others = np.bincount(followers(graph)[inside], minlength=USERS)
    assert 7 < others.mean() < 8.5
    assert others.max() <= 8


def test_the_two_graphs_can_be_told_apart_by_the_followers_of_ordinary_users() -> None:
    def scale_free(graph: Graph) -> bool:
        others = in_degrees(graph)[CORE:]
        return bool(others.sum()) and 0.8 < tail(others) < 3.0 and bool(others.max() > 20 * others.mean())

    for seed in (1, 2, 3):
        assert scale_free(drawn("zipf", seed)[0])
        assert not scale_free(drawn("paper", seed)[0])


def test_a_tail_that_is_not_heavy_is_none() -> None:
    poisson = np.random.default_rng(1).poisson(8, USERS)
    assert tail(poisson) > 4
    assert gini(poisson) < 0.3
    assert poisson.max() < 8 * poisson.mean()


def test_leaders_who_are_accounts_are_followed_before_all_others() -> None:
    topics = np.random.default_rng(5).integers(0, TOPICS, (USERS, 2)).astype(np.uint8)
    leaders = [(USERS + i, (i % TOPICS, (i + 1) % TOPICS)) for i in range(10)]
    p = CrowdParameters(others=0)
    graph = generate("zipf", 5, topics, p, leaders)
    degrees = np.bincount(graph.followees, minlength=USERS + 10)
    own = generate("zipf", 5, topics, p)
    fits = [int(np.isin(topics, about).any(axis=1).sum()) for _, about in leaders]
    assert degrees[USERS:].sum() == pytest.approx(0.1 * sum(fits), rel=0.1)
    assert degrees[:10].sum() < 0.8 * in_degrees(own)[:10].sum()  # these stand behind them
    assert graph.users == USERS


def test_the_same_seed_makes_the_same_graph_and_another_one_another() -> None:
    topics = drawn("zipf")[1]
    a, b, c = (generate("zipf", seed, topics, CrowdParameters()) for seed in (1, 1, 2))
    assert a.followees.tobytes() == b.followees.tobytes() != c.followees.tobytes()


@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize("kind", ["zipf", "paper"])
def test_a_crowd_of_few_has_a_graph(count: int, kind: str) -> None:
    graph = generate(kind, 1, np.zeros((count, 2), np.uint8), CrowdParameters(core_follow=1.0))
    assert graph.users == count
    assert sets(graph) == [set(range(count)) - {i} for i in range(count)]


def test_the_graph_of_a_world_founded_again_is_not_made_again_and_is_nobody_elses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    making._made.cache_clear()
    made, attached = list[int](), making._attached
    monkeypatch.setattr(making, "_attached", lambda seed, *rest: [made.append(seed), attached(seed, *rest)][1])
    topics = np.arange(40, dtype=np.uint8).reshape(-1, 2) % TOPICS
    one = generate("x", 3, topics, CrowdParameters(), [(20, (1, 2))])
    before = one.followees.tolist(), one.first.tolist()
    one.followees[:] = 0
    one.first[1:] -= 1
    two = generate("x", 3, topics, CrowdParameters(), [(20, [1, 2])])
    assert (two.followees.tolist(), two.first.tolist()) == before
    assert made == [3]
    for other in (topics[::-1].copy(), topics):
        generate("x", 4, other, CrowdParameters())
    assert made == [3, 4, 4]


def test_who_shall_follow_nobody_follows_nobody() -> None:
    topics = drawn("zipf")[1]
    assert not len(generate("zipf", 1, topics, CrowdParameters(core=0, others=0)).followees)
    odd = generate("zipf", 1, topics, CrowdParameters(core=0, others=3))
    assert np.diff(odd.first).max() == 3


# ---- what is added


@given(PAIRS, st.lists(PAIRS, max_size=4))
def test_a_merged_graph_is_the_set_of_all_follows(
    begin: list[tuple[int, int]], later: list[list[tuple[int, int]]]
) -> None:
    graph, known = of(begin), set(begin)
    graph.waiting = []
    for batch in later:
        new = [one for one in batch if one not in known]
        known.update(new)
        a, b = np.array(new, np.int32).reshape(-1, 2).T
        graph.later.add(a, b)
        graph.waiting.append((a, b))
    if graph.waiting:
        merge(graph)
    assert {(i, other) for i, row in enumerate(sets(graph)) for other in row} == known
    assert len(graph.followees) == len(known)
    assert (graph.later.n, graph.waiting) == (0, [])


@given(PAIRS, st.lists(PAIRS, max_size=4), PAIRS)
def test_following_is_membership_also_before_a_merge(
    begin: list[tuple[int, int]], later: list[list[tuple[int, int]]], asked: list[tuple[int, int]]
) -> None:
    graph, known = of(begin), set(begin)
    for batch in later:
        new = [one for one in batch if one not in known]
        known.update(new)
        a, b = np.array(new, np.int32).reshape(-1, 2).T
        graph.later.add(a, b)
        graph.waiting.append((a, b))
    users, others = np.array([*asked, *known], np.int64).reshape(-1, 2).T
    assert following(graph, users, others).tolist() == [one in known for one in [*asked, *known]]


@given(PAIRS, PAIRS, PAIRS)
def test_many_follows_are_ended_as_one_by_one(
    begin: list[tuple[int, int]], later: list[tuple[int, int]], ended: list[tuple[int, int]]
) -> None:
    one, other = of(begin), of(begin)
    new = [x for x in later if x not in begin]
    for graph in (one, other):
        a, b = np.array(new, np.int32).reshape(-1, 2).T
        graph.later.add(a, b)
        graph.waiting.append((a, b))
    pairs = np.array(ended, np.int64).reshape(-1, 2)
    known = {*begin, *new}
    assert (
        remove_follows(one, *pairs.T) == len(known & {*ended}) == sum(remove_follows(other, *x[:, None]) for x in pairs)
    )
    for graph in (one, other):
        if graph.waiting:
            merge(graph)
    assert one.followees.tolist() == other.followees.tolist()
    assert one.first.tolist() == other.first.tolist()
    assert {(i, x) for i, row in enumerate(sets(one)) for x in row} == known - {*ended}


def test_follows_wait_in_a_large_graph_until_there_are_many_and_are_known_at_once() -> None:
    count = 10_000
    users = np.repeat(np.arange(count), 7)
    graph = graph_from_follows(count, users, (users + np.tile(np.arange(1, 8), count)) % count)
    new = np.arange(FEW, dtype=np.int32)
    add_follows(graph, new, (new + 100).astype(np.int32))
    assert len(graph.waiting) == 1
    assert following(graph, new.astype(np.int64), new + 100).all()
    add_follows(graph, new[:1], np.array([500], np.int32))
    more = np.arange(2000, 2000 + len(graph.followees) // 64, dtype=np.int32)
    add_follows(graph, more, (more + 200).astype(np.int32))
    assert not graph.waiting
    assert len(graph.followees) == 7 * count + FEW + 1 + len(more)
    assert graph.followees[graph.first[1] - 2 : graph.first[1]].tolist() == [100, 500]  # the latest last


@given(PAIRS, st.lists(st.integers(0, 9), max_size=8), st.integers(1, 6))
def test_whom_users_follow_is_read_for_many_at_once(pairs: list[tuple[int, int]], users: list[int], most: int) -> None:
    feed = Feed("x", 0, np.zeros((9, 32), np.int8))
    feed.crowd, feed.graph = 10, of(pairs)
    at, places, others = followees(feed, np.array(users, np.int64), most)
    for i, user in enumerate(users):
        mine = others[at == i].tolist()
        assert mine == sorted(other for who, other in pairs if who == user)[-most:]
        assert places[at == i].tolist() == [*range(len(mine))]


def test_whom_accounts_follow_is_read_beside_the_crowd() -> None:
    site = Site(50)
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    for other in (3, bo, 7):
        site.follow(ada, other)
    at, places, others = followees(site.feed, np.array([ada, 0, bo]), 2)
    assert others[at == 0].tolist() == [bo, 7]
    assert places[at == 0].tolist() == [0, 1]
    assert not (at == 2).any()
    assert {(0, int(other)) for other in others[at == 1]} <= edges(site.feed)


@given(st.lists(st.integers(0, 4), max_size=6))
def test_counts_are_spread_over_rows(counts: list[int]) -> None:
    at, places = expand_counts(np.array(counts, np.int64))
    assert list(zip(at.tolist(), places.tolist(), strict=True)) == [
        (i, k) for i, n in enumerate(counts) for k in range(n)
    ]
