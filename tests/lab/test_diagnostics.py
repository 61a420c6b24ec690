"""The network diagnostics against figures worked out by hand, and against networkx where it counts the same."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, permutations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.lab.diagnostics import FeelingNetwork, community_drift, feeling_network, feelings_shape, nmi


def cliques(*sizes: int) -> tuple[list[frozenset[str]], dict[tuple[str, str], float]]:
    """Cliques that nothing connects, and the pairs in them, of whom one feels something for the other."""
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


def network(pairs: dict[tuple[str, str], float]) -> FeelingNetwork:
    """The network of all who feel something or of whom it is felt."""
    return feeling_network(sorted({who for pair in pairs for who in pair}), pairs)


@pytest.mark.parametrize(("sizes", "q"), [((8, 8, 9), 0.6616), ((5, 5, 5, 5, 5), 0.8)])
def test_cliques_have_the_modularity_of_the_fixtures(sizes: tuple[int, ...], q: float) -> None:
    groups, pairs = cliques(*sizes)
    found = network(pairs)
    assert set(found.communities) == set(groups)
    assert found.ends["modularity"] == pytest.approx(q, abs=5e-5)
    assert q <= 1 - 1 / len(groups)


def test_the_literal_reading_of_equation_2_would_halve_it() -> None:
    groups, pairs = cliques(8, 8, 9)
    strength, w = network(pairs).strength, 2 * sum(pairs.values())  # W summed over i and j
    literal = 0.0
    for group in groups:
        for i in group:
            for j in group:
                edge = pairs.get((min(i, j), max(i, j)), 0.0) if i != j else 0.0
                literal += (edge - strength[i] * strength[j] / (2 * w)) / (2 * w)
    assert literal == pytest.approx(0.415, abs=5e-4)


def test_three_fixed_communities_over_ten_snapshots_do_not_move() -> None:
    _groups, pairs = cliques(8, 8, 9)
    snapshots = [network(pairs) for _ in range(10)]
    assert [a.agreement(b) for a, b in pairwise(snapshots)] == [pytest.approx(1.0)] * 9
    assert [a.drift(b) for a, b in pairwise(snapshots)] == [0.0] * 9
    assert [a.raw_drift(b) for a, b in pairwise(snapshots)] == [0.0] * 9


def test_other_names_for_the_same_communities_are_a_raw_drift_of_1_and_a_matched_one_of_0() -> None:
    groups, pairs = cliques(8, 8, 9)
    renamed = [groups[1], groups[2], groups[0]]
    strength = network(pairs).strength
    assert community_drift(groups, renamed, strength, matched=False) == 1.0
    assert community_drift(groups, renamed, strength) == 0.0
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
    felt = {("a", "b"): 0.2, ("b", "a"): 0.5, ("c", "a"): 0.19, ("b", "c"): -0.9, ("d", "c"): 1.0}
    found = feeling_network("abcd", felt)
    assert found.strength == {"a": pytest.approx(0.7), "b": pytest.approx(0.7), "c": 1.0, "d": 1.0}
    assert set(found.communities) == {frozenset("ab"), frozenset("cd")}
    assert found.ends["reciprocity"] == 0.5
    assert found.ends["weighted_reciprocity"] == pytest.approx(1 - 0.3 / 0.7)
    assert found.ends["density"] == pytest.approx(2 / 6)


def test_without_an_edge_there_is_nothing_to_measure() -> None:
    for felt in ({}, {("a", "b"): 0.1}):
        found = feeling_network("abc", felt)
        assert found.ends == {"reciprocity": None, "weighted_reciprocity": None, "modularity": None, "density": 0.0}
        assert (found.communities, found.strength) == ([], {})
        assert [*feelings_shape("abc", felt).values()] == [0.0, 0.0, pytest.approx(1 / 3), None, None]
    assert feeling_network("ab", {("a", "b"): 0.5}).ends["weighted_reciprocity"] is None
    assert [*feelings_shape("a", {}).values()] == [None] * 5


def test_the_karate_club_has_the_row_of_the_table() -> None:
    club = nx.karate_club_graph()
    found = [*feelings_shape([*map(str, club.nodes)], {(str(u), str(v)): 1.0 for u, v in club.edges}).values()]
    assert [round(x or 0.0, 3) for x in found[:4]] == [0.139, 0.571, 1.0, 2.408]
    assert found[4] == pytest.approx(0.420, abs=0.006)  # one run of Louvain may end a little below the best


@given(arcs)
def test_measures_are_those_of_networkx_but_for_reciprocity_which_is_counted_by_pairs(
    felt: dict[tuple[str, str], float],
) -> None:
    edges = {arc: x for arc, x in felt.items() if x >= 0.2}
    found = feeling_network(PEOPLE, felt)
    assert sorted(v for group in found.communities for v in group) == sorted(found.strength)
    r, rw = found.ends["reciprocity"], found.ends["weighted_reciprocity"]
    assert rw is None or 0.0 <= rw <= 1.0
    if r is None:
        assert not edges
        return
    assert nx.overall_reciprocity(nx.DiGraph(list(edges))) == pytest.approx(2 * r / (1 + r))
    graph = nx.Graph()
    for (u, v), w in edges.items():
        graph.add_edge(u, v, weight=w + edges.get((v, u), 0.0))
    assert found.strength == {v: pytest.approx(s) for v, s in graph.degree(weight="weight")}
    assert found.ends["modularity"] == pytest.approx(nx.community.modularity(graph, found.communities))


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
