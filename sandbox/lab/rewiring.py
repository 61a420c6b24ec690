"""Random networks to stand beside one: with its degrees, or with so many people and edges, and all else left to chance.

A random graph of the same density passes most comparisons with real networks: only what it does not have is a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from sandbox.lab.networks import SEED, SHAPE, Report, graph_shape
from sandbox.people.ties import Flags

SWAPS = 10  # tried for each edge of a rewiring
TIMES = 200  # random networks beside one
AT = (2.5, 25.0, 50.0, 75.0, 97.5)  # percentiles of a spread


def rewire(graph: Flags, seed: int, swaps: int | None = None) -> Flags:
    """The same degrees, and else chance: so often two edges a-b, c-d are drawn and become a-d, c-b, where these are two
    new edges (Maslov and Sneppen 2002); draws that come to nothing count too, so that each such graph is as likely.
    swaps: None = ten for each edge.
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
    """G(n, m): so many people and edges, all else chance."""
    rows, columns = np.triu_indices(n, 1)
    drawn = np.random.Generator(np.random.PCG64(seed)).choice(len(rows), edges, replace=False)
    out = np.zeros((n, n), dtype=np.bool_)
    out[rows[drawn], columns[drawn]] = True
    return np.asarray(out | out.T)


class Spread(NamedTuple):
    """Of many values: the 2.5 % that are lowest end at low, then the quartiles, and the highest 2.5 % begin at high."""

    low: float
    first: float
    median: float
    third: float
    high: float


def percentile_spread(values: Iterable[float | None]) -> Spread | None:
    """Of those there are; None if there are none."""
    known = [x for x in values if x is not None]
    return Spread(*np.percentile(known, AT).tolist()) if known else None


def spreads(shapes: Iterable[Report]) -> dict[str, Spread | None]:
    """The spread of each measure of SHAPE over many graphs."""
    all_ = [*shapes]
    return {key: percentile_spread(one[key] for one in all_) for key in SHAPE}


def rewirings(graph: Flags, seed: int = SEED, times: int = TIMES) -> Iterator[Report]:
    """The shapes of so many rewirings of a graph."""
    return (graph_shape(rewire(graph, seed + i)) for i in range(times))


def random_ones(graph: Flags, seed: int = SEED, times: int = TIMES) -> Iterator[Report]:
    """The shapes of so many G(n, m) with its people and edges."""
    n, edges = len(graph), int(graph.sum()) // 2
    return (graph_shape(at_random(n, edges, seed + i)) for i in range(times))
