"""Measures of a network of ties: pure functions of a matrix. Random networks to compare with: `rewiring.py`.

A matrix of ties is as in `people/ties.py`: shape (n, n), in [0, 1], row u column v is the tie of u towards v, which v's
acts change. Learning to Make Friends (seed 000) writes it so in section 3.4, but in appendix C, whose measures these
are, the other way round: as in networkx, an arc goes from the actor to the person acted on. So arcs here are those of
the transpose: whoever acts on others has out-degree. A *graph* is a symmetric matrix of flags with an empty diagonal:
the mean of both directions, cut at a threshold theta.

networkx and scipy are imported when they are first needed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.people.ties import Flags, Matrix

HALF = 3.841458820694124 / 2  # half the 95 % quantile of chi squared with one degree of freedom


class PowerLaw(NamedTuple):
    """The exponent of P(k) ~ k^-exponent, its 95 % interval, the number of values, and the largest distance of
    cumulative shares from the fit: a fit by itself does not show that there is a power law.
    """

    exponent: float
    low: float
    high: float
    n: int
    distance: float


def power_law(found: Iterable[int]) -> PowerLaw | None:
    """A discrete maximum-likelihood fit to the numbers of at least 1 (Clauset, Shalizi and Newman 2009, eq. 3.5, from 1
    on), with the likelihood-ratio interval. None if all of them are 1, or there are fewer than two.
    """
    from scipy.optimize import brentq, minimize_scalar
    from scipy.special import zeta

    ks = np.array(sorted(k for k in found if k >= 1), dtype=np.float64)
    n, logs = len(ks), float(np.log(ks).sum())
    if n < 2 or logs <= 0.0:
        return None

    def unlikely(a: float) -> float:
        return n * math.log(float(zeta(a, 1.0))) + a * logs

    least, top = 1.0 + 1e-9, 4.0
    while unlikely(top) < unlikely(top / 2.0):
        top *= 2.0
    best = float(minimize_scalar(unlikely, bounds=(least, top), method="bounded", options={"xatol": 1e-10}).x)
    edge = unlikely(best) + HALF
    far = 2.0 * best
    while unlikely(far) < edge:
        far *= 2.0
    low, high = (float(brentq(lambda a: unlikely(a) - edge, best, end)) for end in (least, far))
    each = np.arange(1, int(ks.max()) + 1)
    theirs = 1.0 - zeta(best, each + 1) / zeta(best, 1.0)
    own = np.searchsorted(ks, each, side="right") / n
    return PowerLaw(best, low, high, n, float(np.abs(own - theirs).max()))


Counts = npt.NDArray[np.int64]
Report = dict[str, float | None]

THETA = 0.3  # default threshold
THETAS = tuple(round(0.05 * i, 2) for i in range(1, 20))  # of a sweep
SEED = 42  # of the first Louvain run,
TRIES, EDGES = 5, 100_000  # runs, of which the best is taken; fewer if edges x runs would exceed this
DIGITS = 9  # decimals compared with theta: sums of decimals are not exact

SHAPE = {
    "density": "share of pairs that are tied",
    "clustering": "how often two people tied to a third are tied to each other, mean over all",
    "largest_component": "share of people in the largest connected part",
    "path_length": "mean steps between two of these",
    "plain_modularity": "how far ties stay within communities",
}
MEASURES = {
    "people": "how many",
    "edges": "pairs whose mean tie is theta or more",
    **SHAPE,
    "communities": "of two people or more",
    "modularity": "the same communities, by the weights of all ties",
    "density_weighted": "mean tie over all ordered pairs",
    "density_arcs": "share of ordered pairs with a tie of theta or more",
    "clustering_directed": "by the weights of all ties, both ways, as networkx",
    "largest_weak": "share of people in the largest part connected by arcs, in either direction",
    "path_directed": "mean steps along arcs between these, over pairs with a way",
    "reciprocity": "share of tied pairs that are tied both ways",
    "reciprocity_arcs": "share of arcs that are returned",
    "degree_mean": "arcs of a person in each direction",
    "out_degree_most": "most arcs from one person",
    "in_degree_most": "most arcs to one person",
    "out_exponent": "power law of the out-degrees",
    "out_exponent_low": "its 95 % interval",
    "out_exponent_high": "its 95 % interval",
    "in_exponent": "power law of the in-degrees",
    "in_exponent_low": "its 95 % interval",
    "in_exponent_high": "its 95 % interval",
    "homophily": "ties across the given groups, as a multiple of chance: below 1, like ties to like",
    "homophily_communities": "the same for communities",
}


# ---- from ties to graphs


def matrix(people: Sequence[str], closeness: Mapping[tuple[str, str], float]) -> Matrix:
    """The matrix of closeness in the order of `people`; unknown pairs are 0, other people are left out."""
    at = {who: i for i, who in enumerate(people)}
    out = np.zeros((len(people), len(people)))
    for (u, v), x in closeness.items():
        if u in at and v in at and u != v:
            out[at[u], at[v]] = x
    return out


def tie_matrix(ties: npt.ArrayLike) -> Matrix:
    """A copy with an empty diagonal. Raises ValueError unless it is a square of at least two, in [0, 1]."""
    out = np.array(ties, dtype=np.float64)
    if out.ndim != 2 or out.shape[0] != out.shape[1] or len(out) < 2:
        raise ValueError(f"ties are a square matrix of two people at least, not {out.shape}")
    np.fill_diagonal(out, 0.0)
    if not ((out >= 0.0) & (out <= 1.0)).all():
        raise ValueError("ties are numbers in [0, 1]")
    return out


def undirected(ties: Matrix) -> Matrix:
    """The mean of both directions, (A + A^T)/2."""
    return (ties + ties.T) / 2


def cut(weights: Matrix, theta: float = THETA) -> Flags:
    """Flags of the weights of at least theta, without the diagonal."""
    out = np.asarray(np.round(weights, DIGITS) >= round(theta, DIGITS))
    np.fill_diagonal(out, False)
    return out


# ---- degrees


class Degrees(NamedTuple):
    """For each person the number of outgoing arcs (as actor) and incoming arcs (as acted on)."""

    out: Counts
    into: Counts


def degrees(ties: Matrix, theta: float = THETA) -> Degrees:
    """The degrees at theta. Weighted degrees are sums of a column and of a row of `ties`."""
    arcs = cut(ties, theta)
    return Degrees(arcs.sum(axis=0), arcs.sum(axis=1))


# ---- shape


def clustering(graph: Flags) -> float:
    """The mean over all people of the share of pairs of their neighbours that are tied, in [0, 1]: networkx's average
    clustering, 14 times as fast among 30 people and 3 times among 1,000.
    """
    b = graph.astype(np.float64)
    k = b.sum(axis=1)
    return _mean_share((b @ b * b).sum(axis=1), k * (k - 1.0))


def clustering_directed(ties: Matrix) -> float:
    """networkx's clustering for directed weights, in [0, 1] (Fagiolo 2007): the geometric mean of the weights of each
    triangle, relative to the largest weight; 14,000 times as fast. The formula in appendix C is negative where
    strengths are below 1.
    """
    most = float(ties.max())
    if most <= 0.0:
        return 0.0
    w, arcs = np.cbrt(ties / most), (ties > 0.0).astype(np.float64)
    both = w + w.T
    total = arcs.sum(axis=0) + arcs.sum(axis=1)
    mutual = (arcs * arcs.T).sum(axis=1)
    return _mean_share((both @ both * both).sum(axis=1), 2.0 * (total * (total - 1.0) - 2.0 * mutual))


def _mean_share(part: Matrix, of: Matrix) -> float:
    return float(np.divide(part, of, out=np.zeros_like(part), where=of > 0.0).mean())


def component(arcs: Flags) -> Counts:
    """Numbers of the people in the largest weakly connected component; among equals the one with the lowest number."""
    from scipy.sparse.csgraph import connected_components

    _, of = connected_components(arcs, directed=False)  # numbered by their lowest numbers
    return np.flatnonzero(of == np.bincount(of).argmax())


def path_length(arcs: Flags) -> float | None:
    """The mean distance along arcs over the ordered pairs that are connected; None if there are none."""
    from scipy.sparse.csgraph import shortest_path

    steps = shortest_path(np.ascontiguousarray(arcs), unweighted=True)
    known = steps[np.isfinite(steps) & (steps > 0)]
    return float(known.mean()) if known.size else None


def louvain(weights: Matrix | Flags, seed: int = SEED) -> list[set[int]]:
    """The communities of a symmetric matrix by networkx's Louvain, in arbitrary order; people without ties are alone.
    networkx's implementation differs in detail from python-louvain, which Sentipolis used.
    """
    import networkx as nx

    made = nx.Graph()
    made.add_nodes_from(range(len(weights)))
    pairs = np.argwhere(np.triu(weights))
    made.add_weighted_edges_from(zip(*pairs.T.tolist(), weights[tuple(pairs.T)].astype(float).tolist(), strict=True))
    found: list[set[int]] = nx.community.louvain_communities(made, seed=seed)
    return found


def communities(graph: Flags, seed: int = SEED) -> list[int]:
    """The community of each person, by number, largest first: the best by modularity of Louvain with five seeds, since
    one run is often well below it (.385 for the karate club instead of .42).
    """
    tries = max(1, min(TRIES, EDGES // max(1, int(graph.sum()) // 2)))
    ways = [community_labels(louvain(graph, seed + i), len(graph)) for i in range(tries)]
    return max(ways, key=lambda of: matrix_modularity(graph, of) or 0.0)


def community_labels(parts: Iterable[Collection[int]], n: int) -> list[int]:
    """The community of each of n people, by number, largest first; 0 for whoever is in none of the parts."""
    out = [0] * n
    for number, part in enumerate(sorted(parts, key=lambda part: (-len(part), min(part)))):
        for i in part:
            out[i] = number
    return out


def community_numbers(of: Sequence[int]) -> list[int]:
    """Community numbers for output: from 1, the largest, on; 0 for people alone. of: as from `communities`."""
    many = Counter(of)
    return [number + 1 if many[number] > 1 else 0 for number in of]


def matrix_modularity(weights: Matrix | Flags, of: Sequence[int]) -> float | None:
    """Modularity Q of a symmetric matrix and a partition, in [-.5, 1 - 1/communities]; None without an edge. Each
    weight counts once, as in networkx, which takes 40 times as long where all are tied: taken literally, appendix C of
    both papers counts edges twice, and three cliques of 8, 8 and 9 have .415 instead of .662.
    """
    w, labels = weights.astype(np.float64), np.asarray(of)
    total = float(w.sum())  # twice the weight of all edges
    if total <= 0.0:
        return None
    strength = np.bincount(labels, w.sum(axis=1)) / total
    inside = float((w * (labels[:, None] == labels)).sum()) / total
    return inside - float((strength * strength).sum())


def matrix_reciprocity(arcs: Flags) -> float | None:
    """Pairs tied both ways / all tied pairs (equation 3 of Sentipolis), in [0, 1]; None without one. Counted by arcs,
    as in networkx, it would be 2r/(1 + r).
    """
    any_, both = int((arcs | arcs.T).sum()), int((arcs & arcs.T).sum())
    return both / any_ if any_ else None


def homophily(ties: Matrix, groups: Sequence[Hashable]) -> float | None:
    """phi of appendix C: weight of ties across groups, relative to its expectation if ties were random; below 1 means
    homophily. Random pairs exclude oneself: 1 - sum n_r (n_r - 1)/(n (n - 1)). None without a tie, or with one group.
    """
    numbers = {group: i for i, group in enumerate(dict.fromkeys(groups))}
    labels = np.array([numbers[group] for group in groups])
    n, sizes = len(labels), np.bincount(labels)
    expected = float(ties.sum()) * (1.0 - float((sizes * (sizes - 1)).sum()) / (n * (n - 1)))
    return float((ties * (labels[:, None] != labels)).sum()) / expected if expected > 1e-12 else None


def graph_shape(graph: Flags, of: Sequence[int] | None = None) -> Report:
    """The measures of SHAPE, which are known of real networks (`published.FRIENDSHIP`). of: communities, None =
    computed.
    """
    n, inside = len(graph), component(graph)
    return {
        "density": float(graph.sum()) / (n * (n - 1)),
        "clustering": clustering(graph),
        "largest_component": len(inside) / n,
        "path_length": path_length(graph[np.ix_(inside, inside)]),
        "plain_modularity": matrix_modularity(graph, communities(graph) if of is None else of),
    }


# ---- all of it


def network_report(
    ties: npt.ArrayLike, theta: float = THETA, groups: Sequence[Hashable] | None = None
) -> dict[str, float | None]:
    """The measures of MEASURES, None where there is nothing to measure. groups: of each person, if known. Raises
    ValueError if `ties` is not a matrix of ties.
    """
    a = tie_matrix(ties)
    n, both = len(a), undirected(a)
    graph, arcs = cut(both, theta), cut(a, theta).T
    of, inside, degree = communities(graph), component(arcs), degrees(a, theta)
    mutual = matrix_reciprocity(arcs)
    report: Report = {
        "people": n,
        "edges": int(graph.sum()) // 2,
        **graph_shape(graph, of),
        "communities": len({*community_numbers(of)} - {0}),
        "modularity": matrix_modularity(both, of),
        "density_weighted": float(a.sum()) / (n * (n - 1)),
        "density_arcs": float(arcs.sum()) / (n * (n - 1)),
        "clustering_directed": clustering_directed(a),
        "largest_weak": len(inside) / n,
        "path_directed": path_length(arcs[np.ix_(inside, inside)]),
        "reciprocity": mutual,
        "reciprocity_arcs": None if mutual is None else 2.0 * mutual / (1.0 + mutual),
        "degree_mean": float(degree.out.mean()),
        "out_degree_most": int(degree.out.max()),
        "in_degree_most": int(degree.into.max()),
    }
    for way, found in (("out", degree.out), ("in", degree.into)):
        law = power_law(found.tolist())
        for key, value in zip(("", "_low", "_high"), law or (None,) * 3, strict=False):
            report[f"{way}_exponent{key}"] = value
    report["homophily"] = None if groups is None else homophily(a, groups)
    report["homophily_communities"] = homophily(a, of)
    return report


def sweep(ties: npt.ArrayLike, thetas: Sequence[float] = THETAS) -> list[Report]:
    """The report at each threshold, with its `theta`."""
    a = tie_matrix(ties)
    return [{"theta": theta, **network_report(a, theta)} for theta in thetas]


def measure_text(value: float | None) -> str:
    """A measure for a table: "0.412", "25", "-"."""
    return "-" if value is None else f"{value:d}" if isinstance(value, int) else f"{value:.3f}"
