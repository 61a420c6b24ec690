"""Feelings as a network, and how it changes from one moment to another.

Source: Sentipolis (Fu et al., cited in `lab.published`), appendix C, equations 1 to 6. Where the paper leaves a choice
open, the docstring gives ours. What any network is measured by stands in `lab/networks.py`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

import msgspec
import numpy as np

from sandbox.core.events import r6
from sandbox.core.plain import shown_as
from sandbox.lab.networks import (
    SHAPE,
    Report,
    community_labels,
    graph_shape,
    louvain,
    matrix,
    matrix_modularity,
    matrix_reciprocity,
)
from sandbox.lab.statistics import entropy
from sandbox.people.ties import Flags, Matrix

Feelings = Mapping[tuple[str, str], float]  # u -> v: how u feels about v, in [-1, 1]
Partition = Sequence[frozenset[str]]  # communities, in arbitrary order

THRESHOLD = 0.2  # tau of equation 1
LEAST = 1e-6  # the smallest gain that counts in the made network: a talk moves feelings by .01


class FeelingNetwork(msgspec.Struct, frozen=True):
    """Feelings at one moment as a network. ends: measures of this moment alone. communities: of those who have an edge,
    by one run of Louvain; strength: the sum of their weights.
    """

    ends: Report
    communities: Partition
    strength: dict[str, float]

    def __repr__(self) -> str:
        return shown_as(self, f"{len(self.strength)} who have ties", ".ends, .communities, .strength")

    def agreement(self, later: FeelingNetwork) -> float | None:
        """How far the communities of two moments agree (`nmi`)."""
        return nmi(self.communities, later.communities)

    def drift(self, later: FeelingNetwork) -> float | None:
        """The share of strength that has changed community (`community_drift`), with communities matched."""
        return community_drift(self.communities, later.communities, self.strength)

    def raw_drift(self, later: FeelingNetwork) -> float | None:
        """The same by Louvain's own numbers, unmatched."""
        return community_drift(self.communities, later.communities, self.strength, matched=False)


def feeling_network(people: Sequence[str], feelings: Feelings, threshold: float = THRESHOLD) -> FeelingNetwork:
    """The network of feelings of at least the threshold, above 0; weak and negative ones are dropped (equation 1)."""
    names = sorted({who for arc in feelings for who in arc})
    felt = felt_matrix(names, feelings, threshold)
    pairs = felt + felt.T  # the sum of both feelings (appendix C.2), not the mean
    parts = tied_communities(pairs)
    ends: Report = {
        "reciprocity": matrix_reciprocity(felt > 0.0),
        "weighted_reciprocity": weighted_reciprocity(felt),
        "modularity": matrix_modularity(pairs, community_labels(parts, len(names))),
        "density": np.count_nonzero(pairs) / (len(people) * (len(people) - 1)) if len(people) > 1 else None,
    }
    strength = {names[i]: float(pairs[i].sum()) for part in parts for i in part}
    return FeelingNetwork(ends, [frozenset(names[i] for i in part) for part in parts], strength)


def felt_matrix(names: Sequence[str], feelings: Feelings, threshold: float = THRESHOLD) -> Matrix:
    """The matrix of feelings of at least the threshold; 0 stands for all others."""
    return matrix(names, {arc: x for arc, x in feelings.items() if x >= threshold})


def tied_communities(pairs: Matrix | Flags) -> list[list[int]]:
    """The communities of those who have an edge, by Louvain at resolution 1 with seed 42 (appendix C.2)."""
    tied = np.flatnonzero(pairs.any(axis=1))
    return [[int(tied[i]) for i in part] for part in louvain(pairs[np.ix_(tied, tied)])]


def feelings_shape(people: Sequence[str], feelings: Feelings) -> Report:
    """The measures of `networks.SHAPE` of feelings without weights and directions; None each with fewer than two
    people.
    """
    names = sorted({*people, *(who for arc in feelings for who in arc)})
    if len(names) < 2:
        return dict.fromkeys(SHAPE)
    felt = felt_matrix(names, feelings)
    graph = (felt + felt.T) > 0.0
    return graph_shape(graph, community_labels(tied_communities(graph), len(names)))


def feeling_gains(start: Feelings, now: Feelings) -> Feelings:
    """The gain of each feeling since the start."""
    return {arc: r6(w - start.get(arc, 0.0)) for arc, w in now.items()}


def hourly_mean(
    hours: Sequence[FeelingNetwork], measure: Callable[[FeelingNetwork, FeelingNetwork], float | None]
) -> float | None:
    """The mean of a measure of consecutive hours, over those that can be compared."""
    found = [x for a, b in pairwise(hours[1:]) if (x := measure(a, b)) is not None]
    return fmean(found) if found else None


def weighted_reciprocity(felt: Matrix) -> float | None:
    """The mean over mutual pairs of 1 - |a - b| / (a + b) (equation 4), None without one. Weights must not be below
    0.
    """
    mutual = np.triu((felt > 0.0) & (felt.T > 0.0))
    a, b = felt[mutual], felt.T[mutual]
    return float((1.0 - np.abs(a - b) / (a + b)).mean()) if a.size else None


def nmi(a: Partition, b: Partition) -> float | None:
    """Normalised mutual information 2 I / (H1 + H2) of two partitions over their common nodes (equation 5), in [0, 1].

    Two partitions of one community each give 1. None if they share no node. The caller leaves out isolated nodes.
    """
    x, y = _labels(a), _labels(b)
    common = x.keys() & y.keys()
    if not common:
        return None
    apart = sum(entropy(Counter(of[v] for v in common).values()) for of in (x, y))
    together = entropy(Counter((x[v], y[v]) for v in common).values())
    return min(1.0, max(0.0, 2.0 * (apart - together) / apart)) if apart > 0.0 else 1.0


def community_drift(
    before: Partition, after: Partition, strength: Mapping[str, float], *, matched: bool = True
) -> float | None:
    """The share of strength of the nodes whose community changed (equation 6), in [0, 1]; None without common nodes.

    strength: of each node in the earlier snapshot. matched: first pair the communities of both moments so that they
    share the most strength; nodes outside the pairs have moved. Otherwise Louvain's arbitrary numbers are compared, so
    that a mere renaming counts as a change.
    """
    from scipy.optimize import linear_sum_assignment

    x, y = _labels(before), _labels(after)
    common = sorted(x.keys() & y.keys())
    total = math.fsum(strength[v] for v in common)
    if total <= 0.0:
        return None
    if not matched:
        return math.fsum(strength[v] for v in common if x[v] != y[v]) / total
    shared = np.zeros((len(before), len(after)))
    for v in common:
        shared[x[v], y[v]] += strength[v]
    stayed = float(shared[linear_sum_assignment(shared, maximize=True)].sum())
    return min(1.0, max(0.0, 1.0 - stayed / total))


def _labels(partition: Partition) -> dict[str, int]:
    return {v: i for i, part in enumerate(partition) for v in part}
