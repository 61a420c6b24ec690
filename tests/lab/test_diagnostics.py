"""The network diagnostics against figures worked out by hand, and against networkx where it counts the same."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, permutations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.lab.diagnostics import (
    arc_reciprocity,
    arcs_above,
    community_drift,
    louvain,
    modularity,
    network_shape,
    nmi,
    pair_sums,
    strengths,
    weighted_reciprocity,
)


def cliques(*sizes: int) -> tuple[list[frozenset[str]], dict[tuple[str, str], float]]:
    """Cliques that nothing connects, and the pairs in them."""
    groups, first = [], 0
    for size in sizes:
        groups.append(frozenset(f"n{i:02d}" for i in range(first, first + size)))
        first += size
    return groups, {pair: 1.0 for group in groups for pair in combinations(sorted(group), 2)}


PEOPLE = ("ann", "ben", "cid", "dot", "eve", "fay")
arcs = st.dictionaries(st.sampled_from(sorted(permutations(PEOPLE, 2))), st.floats(-1, 1))
partitions = st.lists(st.integers(0, 3), min_size=6, max_size=6).map(
    lambda of: [frozenset(v for v, k in zip(PEOPLE, of, strict=True) if k == c) for c in sorted(set(of))]
)
weights = st.lists(st.floats(0.2, 2), min_size=6, max_size=6).map(lambda w: dict(zip(PEOPLE, w, strict=True)))


@pytest.mark.parametrize(("sizes", "q"), [((8, 8, 9), 0.6616), ((5, 5, 5, 5, 5), 0.8)])
def test_cliques_have_the_modularity_of_the_fixtures(sizes: tuple[int, ...], q: float) -> None:
    groups, pairs = cliques(*sizes)
    assert set(louvain(pairs)) == set(groups)
    assert modularity(pairs, groups) == pytest.approx(q, abs=5e-5)
    assert q <= 1 - 1 / len(groups)


def test_the_literal_reading_of_equation_2_would_halve_it() -> None:
    groups, pairs = cliques(8, 8, 9)
    strength, w = strengths(pairs), 2 * sum(pairs.values())  # W summed over i and j
    literal = 0.0
    for group in groups:
        for i in group:
            for j in group:
                edge = pairs.get((min(i, j), max(i, j)), 0.0) if i != j else 0.0
                literal += (edge - strength[i] * strength[j] / (2 * w)) / (2 * w)
    assert literal == pytest.approx(0.415, abs=5e-4)


def test_three_fixed_communities_over_ten_snapshots_do_not_move() -> None:
    _groups, pairs = cliques(8, 8, 9)
    snapshots = [louvain(pairs) for _ in range(10)]
    assert [nmi(a, b) for a, b in pairwise(snapshots)] == [pytest.approx(1.0)] * 9
    assert [community_drift(a, b, strengths(pairs)) for a, b in pairwise(snapshots)] == [0.0] * 9


def test_other_names_for_the_same_communities_are_a_raw_drift_of_1_and_a_matched_one_of_0() -> None:
    groups, pairs = cliques(8, 8, 9)
    renamed = [groups[1], groups[2], groups[0]]
    assert community_drift(groups, renamed, strengths(pairs), matched=False) == 1.0
    assert community_drift(groups, renamed, strengths(pairs)) == 0.0
    assert nmi(groups, renamed) == pytest.approx(1.0)


def test_who_is_in_no_matched_community_has_moved() -> None:
    whole, halves = [frozenset("abcd")], [frozenset("abc"), frozenset("d")]
    strength = {"a": 1.0, "b": 1.0, "c": 1.0, "d": 3.0}
    assert community_drift(whole, halves, strength) == pytest.approx(0.5)  # abc or d may keep the name: both weigh 3
    assert community_drift(whole, halves, {**strength, "d": 1.0}) == pytest.approx(0.25)
    crossed = [frozenset("ab"), frozenset("cd")], [frozenset("bc"), frozenset("ad")]
    assert community_drift(*crossed, {"a": 9.0, "b": 8.0, "c": 7.0, "d": 1.0}) == pytest.approx(
        9 / 25
    )  # a and c stay, 16 of 25


def test_two_partitions_of_one_community_are_alike_and_strangers_are_not_compared() -> None:
    assert nmi([frozenset("abc")], [frozenset("abd")]) == 1.0
    assert nmi([frozenset("ab")], [frozenset("cd")]) is None
    assert community_drift([frozenset("ab")], [frozenset("cd")], dict.fromkeys("ab", 1.0)) is None


def test_edges_are_kept_from_the_threshold_on_and_summed_both_ways() -> None:
    found = arcs_above({("a", "b"): 0.2, ("b", "a"): 0.5, ("c", "a"): 0.19, ("b", "c"): -0.9, ("d", "c"): 1.0})
    assert found == {("a", "b"): 0.2, ("b", "a"): 0.5, ("d", "c"): 1.0}
    assert pair_sums(found) == {("a", "b"): pytest.approx(0.7), ("c", "d"): 1.0}
    assert arc_reciprocity(found) == 0.5
    assert weighted_reciprocity(found) == pytest.approx(1 - 0.3 / 0.7)


def test_without_an_edge_there_is_nothing_to_measure() -> None:
    assert louvain({}) == []
    assert modularity({}, []) is None
    assert arc_reciprocity({}) is None
    assert weighted_reciprocity({("a", "b"): 0.5}) is None
    assert network_shape("abc", []) == (0.0, 0.0, pytest.approx(1 / 3), None, None)
    with pytest.raises(ValueError, match="two nodes"):
        network_shape("a", [])


def test_the_karate_club_has_the_row_of_the_table() -> None:
    club = nx.karate_club_graph()
    found = network_shape(map(str, club.nodes), ((str(u), str(v)) for u, v in club.edges))
    assert [round(x or 0.0, 3) for x in found[:4]] == [0.139, 0.571, 1.0, 2.408]
    assert found.modularity == pytest.approx(0.420, abs=0.006)  # Louvain may end a little below the best


@given(arcs)
def test_reciprocity_is_counted_by_pairs_where_networkx_counts_arcs(found: dict[tuple[str, str], float]) -> None:
    edges = arcs_above(found)
    r = arc_reciprocity(edges)
    if r is None:
        assert not edges
        return
    assert nx.overall_reciprocity(nx.DiGraph(list(edges))) == pytest.approx(2 * r / (1 + r))
    rw = weighted_reciprocity(edges)
    assert rw is None or 0.0 <= rw <= 1.0


@given(arcs)
def test_modularity_is_that_of_networkx(found: dict[tuple[str, str], float]) -> None:
    pairs = pair_sums(arcs_above(found))
    groups = louvain(pairs)
    assert sorted(v for group in groups for v in group) == sorted(strengths(pairs))
    q = modularity(pairs, groups)
    if q is not None:
        graph = nx.Graph()
        graph.add_weighted_edges_from((u, v, w) for (u, v), w in pairs.items())
        assert q == pytest.approx(nx.community.modularity(graph, groups))


@given(partitions, partitions, weights)
def test_agreement_and_drift_stay_in_range_and_do_not_depend_on_names(
    a: list[frozenset[str]], b: list[frozenset[str]], strength: dict[str, float]
) -> None:
    same, moved = nmi(a, b), community_drift(a, b, strength)
    assert same is not None
    assert moved is not None
    assert 0.0 <= same <= 1.0
    assert 0.0 <= moved <= (community_drift(a, b, strength, matched=False) or 0.0) + 1e-9
    assert nmi(b[::-1], a) == pytest.approx(same)
    assert community_drift(a[::-1], b, strength) == pytest.approx(moved)
    assert nmi(a, a) == pytest.approx(1.0)
    assert math.isclose(community_drift(a, a, strength) or 0.0, 0.0, abs_tol=1e-9)
