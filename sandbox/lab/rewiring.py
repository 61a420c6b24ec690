"""Random networks to compare one with: with the same degrees, or only the same numbers of people and edges.

A random graph of the same density passes most comparisons with real networks: only what it lacks is a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from sandbox.lab.networks import SEED, SHAPE, Report, graph_shape
from sandbox.people.ties import Flags

SWAPS = 10  # attempted per edge of a rewiring
TIMES = 200  # random networks per network
AT = (2.5, 25.0, 50.0, 75.0, 97.5)  # percentiles of a spread


def rewire(graph: Flags, seed: int, swaps: int | None = None) -> Flags:
    """A random graph with the same degrees: repeatedly two edges a-b, c-d are drawn and become a-d, c-b, if these are
    two new edges (Maslov and Sneppen 2002); failed draws count too, so that all such graphs are equally likely. swaps:
    None = ten per edge.
    """
    out = graph.copy()
    edges = np.argwhere(np.triu(out)).tolist()
    count = SWAPS * len(edges) if swaps is None else swaps
    if len(edges) < 2:
        return out
    chance = np.random.Generator(np.random.PCG64(seed))
    drawn = chance.integers(0, len(edges), (count, 2)).tolist()
    known = {(u, v) for u, v in edges}
    for (i, j), turn in zip(drawn, (chance.random(count) < 0.5).tolist(), strict=True):
        (a, b), (c, d) = edges[i], edges[j][::-1] if turn else edges[j]
        one, two = (min(a, d), max(a, d)), (min(c, b), max(c, b))
        if a == d or c == b or one == two or one in known or two in known:
            continue
        known -= {(a, b), (min(c, d), max(c, d))}
        known |= {one, two}
        edges[i], edges[j] = [*one], [*two]
    out[:] = False
    for a, b in edges:
        out[a, b] = out[b, a] = True
    return out


def at_random(n: int, edges: int, seed: int) -> Flags:
    """A random graph G(n, m) with that many people and edges."""
    rows, columns = np.triu_indices(n, 1)
    drawn = np.random.Generator(np.random.PCG64(seed)).choice(len(rows), edges, replace=False)
    out = np.zeros((n, n), dtype=np.bool_)
    out[rows[drawn], columns[drawn]] = True
    return np.asarray(out | out.T)


class Spread(NamedTuple):
    """Percentiles of many values: 2.5 %, the quartiles, and 97.5 %."""

    low: float
    first: float
    median: float
    third: float
    high: float


def percentile_spread(values: Iterable[float | None]) -> Spread | None:
    """The percentiles of the values that are not None; None if there are none."""
    known = [x for x in values if x is not None]
    return Spread(*np.percentile(known, AT).tolist()) if known else None


def spreads(shapes: Iterable[Report]) -> dict[str, Spread | None]:
    """The spread of each measure of SHAPE over many graphs."""
    all_ = [*shapes]
    return {key: percentile_spread(one[key] for one in all_) for key in SHAPE}


def rewirings(graph: Flags, seed: int = SEED, times: int = TIMES) -> Iterator[Report]:
    """The shapes of `times` random rewirings of a graph."""
    return (graph_shape(rewire(graph, seed + i)) for i in range(times))


def random_ones(graph: Flags, seed: int = SEED, times: int = TIMES) -> Iterator[Report]:
    """The shapes of `times` random graphs with the same numbers of people and edges."""
    n, edges = len(graph), int(graph.sum()) // 2
    return (graph_shape(at_random(n, edges, seed + i)) for i in range(times))
