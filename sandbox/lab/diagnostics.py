"""Structure of a network of feelings, and its change: pure functions of numbers.

Source: Sentipolis (Fu et al., cited in `lab.published`), appendix C, equations 1 to 6. Where the paper leaves a choice
open, the docstring gives ours.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import networkx as nx

Arcs = Mapping[tuple[str, str], float]  # u -> v: how u feels about v, in [-1, 1]
Pairs = Mapping[tuple[str, str], float]  # u < v: a weight above 0
Partition = Sequence[frozenset[str]]  # communities, in arbitrary order

THRESHOLD = 0.2  # tau of equation 1
RESOLUTION, SEED = 1.0, 42  # of Louvain (appendix C.2)


def arcs_above(arcs: Arcs, threshold: float = THRESHOLD) -> dict[tuple[str, str], float]:
    """The arcs with a weight of at least the threshold; weak and negative ones are dropped (equation 1)."""
    return {arc: w for arc, w in sorted(arcs.items()) if w >= threshold}


def pair_sums(arcs: Arcs) -> dict[tuple[str, str], float]:
    """The pairs with the sum of both feelings (appendix C.2: the sum, not the mean)."""
    out: dict[tuple[str, str], float] = {}
    for (u, v), w in sorted(arcs.items()):
        pair = (u, v) if u < v else (v, u)
        out[pair] = out.get(pair, 0.0) + w
    return out


def strengths(pairs: Pairs) -> dict[str, float]:
    """The weighted degree of each node that has an edge."""
    out: dict[str, float] = {}
    for (u, v), w in pairs.items():
        out[u] = out.get(u, 0.0) + w
        out[v] = out.get(v, 0.0) + w
    return out


def arc_reciprocity(arcs: Arcs) -> float | None:
    """Mutual pairs / connected pairs (equation 3), None without a pair. networkx counts arcs: 2r/(1 + r)."""
    pairs = {frozenset(arc) for arc in arcs}
    return sum((v, u) in arcs for u, v in arcs) / 2 / len(pairs) if pairs else None


def weighted_reciprocity(arcs: Arcs) -> float | None:
    """The mean over mutual pairs of 1 - |a - b| / (a + b) (equation 4), None without one. Weights must be above 0."""
    mutual = [(w, arcs[v, u]) for (u, v), w in arcs.items() if u < v and (v, u) in arcs]
    return sum(1.0 - abs(a - b) / (a + b) for a, b in mutual) / len(mutual) if mutual else None


def louvain(pairs: Pairs) -> list[frozenset[str]]:
    """The communities of the nodes that have an edge, by Louvain at resolution 1 with seed 42.

    networkx's implementation differs in detail from the python-louvain the paper used. Nodes are numbered in the order
    of their names, so that the result does not depend on the order of a set.
    """
    names = sorted(strengths(pairs))
    number = {name: i for i, name in enumerate(names)}
    graph = nx.Graph()
    graph.add_nodes_from(range(len(names)))
    graph.add_weighted_edges_from((number[u], number[v], w) for (u, v), w in sorted(pairs.items()))
    if not names:
        return []
    found: Any = nx.community.louvain_communities(graph, weight="weight", resolution=RESOLUTION, seed=SEED)
    return [frozenset(names[i] for i in part) for part in found]


def modularity(pairs: Pairs, partition: Partition) -> float | None:
    """Q of equation 2 with W = the sum of edge weights, each once; None without an edge. At most 1 - 1/communities.

    The paper's text sums W over i and j, which counts each edge twice: taken literally, three cliques would have .415
    instead of .662.
    """
    total = sum(pairs.values())
    if total <= 0.0:
        return None
    of = _labels(partition)
    inside, strength = [0.0] * len(partition), [0.0] * len(partition)
    for (u, v), w in pairs.items():
        strength[of[u]] += w
        strength[of[v]] += w
        if of[u] == of[v]:
            inside[of[u]] += w
    return math.fsum(k / total - (s / (2.0 * total)) ** 2 for k, s in zip(inside, strength, strict=True))


def nmi(a: Partition, b: Partition) -> float | None:
    """Normalised mutual information 2 I / (H1 + H2) of two partitions over their common nodes (equation 5), in [0, 1].

    Two partitions of one community each give 1. None if they share no node. The caller leaves out isolated nodes, as
    `louvain` does.
    """
    x, y = _labels(a), _labels(b)
    common = sorted(x.keys() & y.keys())
    if not common:
        return None
    n = len(common)
    left, right = Counter(x[v] for v in common), Counter(y[v] for v in common)
    both = Counter((x[v], y[v]) for v in common)
    entropies = _entropy(left.values(), n) + _entropy(right.values(), n)
    if entropies <= 0.0:
        return 1.0
    shared = math.fsum(k / n * math.log(k * n / (left[i] * right[j])) for (i, j), k in both.items())
    return min(1.0, max(0.0, 2.0 * shared / entropies))


def community_drift(
    before: Partition, after: Partition, strength: Mapping[str, float], *, matched: bool = True
) -> float | None:
    """The share of strength of the nodes whose community changed (equation 6), in [0, 1]; None without common nodes.

    strength: of each node in the earlier snapshot. matched: first pair the communities of both moments so that they
    share the most strength; nodes outside the pairs have moved. Otherwise Louvain's arbitrary numbers are compared, so
    that a mere renaming counts as a change.
    """
    x, y = _labels(before), _labels(after)
    common = sorted(x.keys() & y.keys())
    total = math.fsum(strength[v] for v in common)
    if total <= 0.0:
        return None
    if not matched:
        return math.fsum(strength[v] for v in common if x[v] != y[v]) / total
    shares = nx.Graph()
    for v in common:
        ends = (0, x[v]), (1, y[v])
        known = shares.get_edge_data(*ends, default={"weight": 0.0})["weight"]
        shares.add_edge(*ends, weight=known + strength[v])
    stayed = math.fsum(shares.edges[edge]["weight"] for edge in nx.max_weight_matching(shares))
    return min(1.0, max(0.0, 1.0 - stayed / total))


class Shape(NamedTuple):
    """Structure of a network without weights and directions.

    density, clustering (the mean over all nodes), largest (share of nodes in the largest component): in [0, 1]. path:
    mean distance within the largest component, None if it has one node. modularity: Q of Louvain, None without an edge.
    """

    density: float
    clustering: float
    largest: float
    path: float | None
    modularity: float | None


def network_shape(nodes: Iterable[str], pairs: Iterable[tuple[str, str]]) -> Shape:
    """The shape of a network. nodes: all of them, isolated ones too. Raises ValueError if there are fewer than two."""
    graph = nx.Graph()
    graph.add_nodes_from(sorted(nodes))
    if len(graph) < 2:
        raise ValueError("a network has two nodes at least")
    edges = sorted({(u, v) if u < v else (v, u) for u, v in pairs})
    graph.add_edges_from(edges)
    component = max(nx.connected_components(graph), key=lambda c: (len(c), min(c)))
    plain = dict.fromkeys(edges, 1.0)
    return Shape(
        density=float(nx.density(graph)),
        clustering=float(nx.average_clustering(graph)),
        largest=len(component) / len(graph),
        path=float(nx.average_shortest_path_length(graph.subgraph(component))) if len(component) > 1 else None,
        modularity=modularity(plain, louvain(plain)),
    )


def _labels(partition: Partition) -> dict[str, int]:
    return {v: i for i, part in enumerate(partition) for v in part}


def _entropy(sizes: Iterable[int], n: int) -> float:
    return -math.fsum(k / n * math.log(k / n) for k in sizes)
