"""The network report: against networkx, against figures worked out by hand, and against networks that are known."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.lab import networks, rewiring
from sandbox.lab.networks import cut, network_report, power_law, undirected
from sandbox.lab.published import FRIENDSHIP, KARATE
from sandbox.people.ties import Flags, Matrix

sizes = st.tuples(st.integers(0, 2**32), st.integers(2, 9), st.floats(0.0, 1.0))


def drawn(seed: int, n: int, full: float) -> Matrix:
    """Ties of n people, of which a part is there at all."""
    chance = np.random.Generator(np.random.PCG64(seed))
    ties = np.where(chance.random((n, n)) < full, chance.random((n, n)).round(3), 0.0)
    np.fill_diagonal(ties, 0.0)
    return ties


def cliques(*sizes: int) -> Matrix:
    """Cliques that nothing connects."""
    of = np.repeat(np.arange(len(sizes)), sizes)
    ties = (of[:, None] == of).astype(np.float64)
    np.fill_diagonal(ties, 0.0)
    return ties


def plain(graph: Flags) -> nx.Graph:
    return nx.from_numpy_array(graph.astype(int))


def test_who_alone_acts_has_the_out_degree() -> None:
    ties = np.zeros((3, 3))
    ties[1, 0] = ties[2, 0] = 0.8  # 1 and 2 are drawn to 0 by what 0 does
    found = networks.degrees(ties)
    assert (found.out.tolist(), found.into.tolist()) == ([2, 0, 0], [0, 1, 1])
    report = network_report(ties)
    assert (report["out_degree_most"], report["in_degree_most"]) == (2, 1)
    assert report["path_directed"] == 1.0, "from 0 to each; nobody else reaches anybody"
    assert report["largest_weak"] == report["largest_component"] == 1.0


@pytest.mark.parametrize(("sizes", "q"), [((8, 8, 9), 0.6616), ((5, 5, 5, 5, 5), 0.8)])
def test_cliques_have_the_modularity_of_the_fixtures(sizes: tuple[int, ...], q: float) -> None:
    report = network_report(cliques(*sizes))
    assert report["plain_modularity"] == pytest.approx(q, abs=5e-5)
    assert report["modularity"] == report["plain_modularity"]
    assert report["communities"] == len(sizes)
    assert report["homophily_communities"] == 0.0
    assert (report["clustering"], report["path_length"], report["reciprocity"]) == (1.0, 1.0, 1.0)
    assert report["largest_component"] == max(sizes) / 25


def test_the_karate_club_has_its_known_shape() -> None:
    club = nx.to_numpy_array(nx.karate_club_graph(), weight=None)
    found = networks.graph_shape(club > 0)
    assert found == {key: pytest.approx(KARATE[key], abs=1e-3) for key in FRIENDSHIP}
    assert list(found) == list(FRIENDSHIP)


@given(sizes)
def test_measures_are_those_of_networkx(of: tuple[int, int, float]) -> None:
    ties = drawn(*of)
    graph, arcs = cut(undirected(ties), 0.3), cut(ties, 0.3).T
    ours, theirs = networks.graph_shape(graph), plain(graph)
    part = max(nx.connected_components(theirs), key=lambda c: (len(c), -min(c)))
    assert ours["density"] == pytest.approx(nx.density(theirs))
    assert ours["clustering"] == pytest.approx(nx.average_clustering(theirs))
    assert networks.component(graph).tolist() == sorted(part)
    if len(part) > 1:
        assert ours["path_length"] == pytest.approx(nx.average_shortest_path_length(theirs.subgraph(part)))
    directed = nx.from_numpy_array(ties, create_using=nx.DiGraph)
    if directed.number_of_edges():
        whole = nx.average_clustering(directed, weight="weight")
        assert networks.clustering_directed(ties) == pytest.approx(whole, abs=1e-12)
    binary = nx.from_numpy_array(arcs.astype(int), create_using=nx.DiGraph)
    assert networks.degrees(ties, 0.3).out.tolist() == [k for _, k in binary.out_degree]
    assert networks.degrees(ties, 0.3).into.tolist() == [k for _, k in binary.in_degree]
    far = [k for _, row in nx.all_pairs_shortest_path_length(binary) for k in row.values() if k]
    assert networks.path_length(arcs) == (pytest.approx(sum(far) / len(far)) if far else None)
    mutual = network_report(ties)["reciprocity_arcs"]
    assert mutual == (pytest.approx(nx.overall_reciprocity(binary)) if arcs.any() else None)
    labels = networks.communities(graph)
    parts = [{i for i, of in enumerate(labels) if of == label} for label in sorted({*labels})]
    assert [len(part) for part in parts] == sorted(map(len, parts), reverse=True)
    for weights in (graph, undirected(ties)):
        if weights.any():
            q = nx.community.modularity(nx.from_numpy_array(weights.astype(float)), parts)
            assert networks.matrix_modularity(weights, labels) == pytest.approx(q, abs=1e-9)


@given(sizes, st.randoms(use_true_random=False))
def test_the_order_of_people_changes_nothing(of: tuple[int, int, float], order) -> None:
    ties = drawn(*of)
    other = [*range(len(ties))]
    order.shuffle(other)
    a, b = network_report(ties), network_report(ties[np.ix_(other, other)])
    hang = ("largest_component", "largest_weak")
    if [a[key] for key in hang] == [1.0, 1.0]:  # of two equally large components it is one or the other
        hang += ("path_length", "path_directed")
    for key in ("edges", "density_weighted", "clustering", "clustering_directed", "reciprocity", "out_exponent", *hang):
        assert a[key] == pytest.approx(b[key]), key


@given(sizes)
def test_a_report_is_complete_and_can_be_written_as_json(of: tuple[int, int, float]) -> None:
    ties = drawn(*of)
    report = network_report(ties, groups=[i % 2 for i in range(len(ties))])
    assert list(report) == list(networks.MEASURES)
    json.dumps(report, allow_nan=False)


def test_where_nobody_is_tied_there_is_nothing_to_measure_and_no_error() -> None:
    report = network_report(np.zeros((4, 4)), groups="aabb")
    assert report["density"] == report["clustering_directed"] == report["communities"] == 0
    none = ("path_length", "plain_modularity", "modularity", "reciprocity", "out_exponent", "homophily")
    assert [report[key] for key in none] == [None] * len(none)
    assert report["largest_component"] == 0.25


@pytest.mark.parametrize(
    "ties", [np.zeros((2, 3)), np.zeros((1, 1)), np.full((2, 2), 1.5), np.full((3, 3), np.nan), np.zeros(4)]
)
def test_what_is_no_matrix_of_ties_is_refused(ties: Matrix) -> None:
    with pytest.raises(ValueError, match="ties are"):
        network_report(ties)


def test_a_threshold_takes_in_what_is_exactly_that_much() -> None:
    for a, b in ((0.1, 0.5), (0.15, 0.45), (0.233333, 0.366667)):
        assert network_report([[0.0, a], [b, 0.0]], 0.3)["edges"] == 1
    assert network_report([[0.0, 0.3], [0.299998, 0.0]], 0.3)["edges"] == 0


def test_the_higher_the_threshold_the_fewer_are_tied() -> None:
    rows = networks.sweep(drawn(5, 20, 0.8))
    assert [row["theta"] for row in rows] == list(networks.THETAS)
    edges = [row["edges"] or 0 for row in rows]
    assert all(a >= b for a, b in pairwise(edges))
    assert edges[0] > edges[-1]
    assert len({row["clustering_directed"] for row in rows}) == 1, "that one knows no threshold"


def test_homophily_is_0_apart_1_mixed_and_above_where_unlike_keep_together() -> None:
    groups = "aaabbbbb"
    apart = np.array([[u == v for v in groups] for u in groups], dtype=float)
    np.fill_diagonal(apart, 0.0)
    mixed = np.ones((8, 8)) - np.eye(8)
    assert networks.homophily(apart, groups) == 0.0
    assert networks.homophily(mixed, groups) == pytest.approx(1.0), "whom one cannot be tied to does not count"
    assert (networks.homophily(mixed - apart, groups) or 0.0) > 1.5
    assert networks.homophily(mixed, "aaaaaaaa") is None


@pytest.mark.parametrize("exponent", [1.7, 2.5, 3.5])
def test_a_power_law_is_found_again_within_its_interval(exponent: float) -> None:
    chance = np.random.Generator(np.random.PCG64(3))
    laws = [power_law(chance.zipf(exponent, 200).tolist()) for _ in range(100)]
    held = [law for law in laws if law is not None and law.low < exponent < law.high]
    assert 90 <= len(held) <= 99
    assert np.median([law.exponent for law in held]) == pytest.approx(exponent, rel=0.03)
    many = power_law(chance.zipf(exponent, 5000).tolist())
    assert many is not None
    assert many.high - many.low < 0.25
    assert many.distance < 0.02


def test_an_exponent_is_of_those_who_have_any_and_none_where_all_are_alike() -> None:
    law = power_law([0, 0, 1, 2, 3, 3, 9])
    assert law == power_law([3, 9, 2, 3, 1])
    assert law is not None
    assert (law.n, law.low < law.exponent < law.high) == (5, True)
    assert power_law([1, 1, 1]) is None
    assert power_law([7]) is None
    assert power_law([]) is None


@given(st.integers(0, 2**32), st.integers(2, 12), st.floats(0.0, 1.0))
def test_a_rewiring_keeps_each_degree_and_the_seed_decides(seed: int, n: int, full: float) -> None:
    graph = cut(undirected(drawn(seed, n, full)), 0.2)
    other = rewiring.rewire(graph, seed)
    assert other.sum(axis=1).tolist() == graph.sum(axis=1).tolist()
    assert (other == other.T).all()
    assert not other.diagonal().any()
    assert (other == rewiring.rewire(graph, seed)).all()
    assert (rewiring.rewire(graph, seed, 0) == graph).all()


def test_a_rewiring_unmakes_communities_and_a_star_has_none() -> None:
    groups = cliques(8, 8, 9) > 0
    beside = rewiring.spreads(rewiring.rewirings(groups, times=30))
    assert beside["density"] == (pytest.approx(networks.graph_shape(groups)["density"]),) * 5
    modularity, clustering = beside["plain_modularity"], beside["clustering"]
    assert modularity is not None
    assert clustering is not None
    assert modularity.low < modularity.median < modularity.high < 0.4 < 0.66
    assert clustering.high < 0.6 < 1.0
    star = np.zeros((5, 5), dtype=bool)
    star[0, 1:] = star[1:, 0] = True
    assert (rewiring.rewire(star, 1) == star).all()


def test_every_way_to_keep_the_degrees_is_as_likely() -> None:
    ring = plain(np.zeros((5, 5), dtype=bool))
    ring.add_edges_from(pairwise([0, 1, 2, 3, 4, 0]))
    graph = nx.to_numpy_array(ring) > 0
    found = [rewiring.rewire(graph, seed, 100).tobytes() for seed in range(1200)]
    counts = [found.count(one) for one in {*found}]
    assert len(counts) == 12, "there are twelve rings of five"
    assert min(counts) > 65
    assert max(counts) < 140


def test_a_random_network_has_so_many_people_and_edges() -> None:
    graph = rewiring.at_random(10, 13, 1)
    assert (graph == graph.T).all()
    assert (graph.sum() // 2, graph.diagonal().any()) == (13, False)
    assert not (graph == rewiring.at_random(10, 13, 2)).all()
    assert rewiring.at_random(4, 6, 1).sum() == 12
    found = rewiring.spreads(rewiring.random_ones(cliques(8, 8, 9) > 0, times=30))["clustering"]
    assert found is not None
    assert 0.2 < found.median < 0.4, "as often as any two are tied: .31"


def test_a_matrix_is_made_of_what_is_known_between_people() -> None:
    ties = networks.matrix(("a", "b"), {("a", "b"): 0.4, ("b", "x"): 0.9})
    assert ties.tolist() == [[0.0, 0.4], [0.0, 0.0]]


def test_neither_networkx_nor_scipy_is_loaded_before_it_is_needed() -> None:
    look = "import sys, sandbox.lab.rewiring; print({'networkx', 'scipy'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


def test_who_is_in_no_community_is_told_so_everywhere() -> None:
    assert networks.community_numbers([0, 0, 1, 1, 2, 3]) == [1, 1, 2, 2, 0, 0]
    assert networks.community_numbers([]) == []
