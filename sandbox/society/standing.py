"""Who ends up heard: how types and agents of a grown society stand, and how unevenly (seed 002, 4.2; docs/society.md).

asked, asking: mass of arcs that end and that begin at each agent, (runs, agents) or (agents,), as `Runs` and `Growth`
keep them; of_r: whether an agent is of type R; count: agents of each run, as columns may be more, None = all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandbox.society.many import Doubles, Flags, Longs


class TypeStanding(NamedTuple):
    """How R and B stand, (runs, 2). in_prominence: share of what is granted to a share of the agents; 1 = as much.
    influence: I = |D_out|_1 / |D_in|_1 as printed (equation 10), which is *low* for the type that others seek, against
    the paper's prose; asked_for: 1 / I. ratio: I(R) / I(B), (runs,) (equation 9).
    """

    in_prominence: Doubles
    influence: Doubles
    asked_for: Doubles
    ratio: Doubles


class Tail(NamedTuple):
    """Whom a tail holds, at each threshold. of_r, of_b: which share of each type lies above, ratio: one to the other
    (equation 11), NaN where nobody does. p: chance that permuted types differ as much, p_any: that they do at any
    threshold, by the largest difference in standard deviations.
    """

    of_r: Doubles
    of_b: Doubles
    ratio: Doubles
    p: Doubles
    p_any: float


def type_standing(asked: Doubles, asking: Doubles, of_r: Flags, count: Longs | None = None) -> TypeStanding:
    """How the types of each run stand."""
    there = _there(of_r, count)
    types = np.stack((there & np.atleast_2d(of_r), there & ~np.atleast_2d(of_r)), axis=1)
    agents = types.sum(axis=2)
    heard, asks = ((types * np.atleast_2d(mass)[:, None]).sum(axis=2) for mass in (asked, asking))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = heard / heard.sum(axis=1, keepdims=True) / (agents / agents.sum(axis=1, keepdims=True))
        influence = asks / heard
        return TypeStanding(share, influence, heard / asks, influence[:, 0] / influence[:, 1])


def agent_influence(asked: Doubles, asking: Doubles, delta: float = 1.5, xi: float = 1.5) -> Doubles:
    """I(x) = (|D_out| + xi) / (|D_in| + delta), ours: printed without delta and xi it is infinite for whoever was never
    asked, 10 to 25 % of agents.
    """
    return (asking + xi) / (asked + delta)


def tail_ceiling(
    values: Doubles, of_r: Flags, thresholds: Doubles, count: Longs | None = None, draws: int = 999, seed: int = 0
) -> Tail:
    """Which type has the highest values, of influence or mass, over all runs (equation 11), and whether types permuted
    within runs differ as much: p = (1 + k) / (1 + draws), k of the draws do. Exact where chance knows no types, half of
    newcomers are of R as are half of the first agents (else the older, who have more, are of one type more often), with
    `choice` `mass`; under `uniform` a type rises as one, and p is a little low. Raises ValueError if there is but one.
    """
    there, of_r = _there(of_r, count), np.atleast_2d(of_r)
    above = (np.atleast_2d(values)[there][:, None] > thresholds).astype(np.float64)
    ranks_r = np.arange(there.shape[1]) < (of_r & there).sum(axis=1, keepdims=True)
    many = np.array([ranks_r.sum(), there.sum() - ranks_r.sum()])[:, None]
    if not many.all():
        raise ValueError("all agents are of one type, and none is above another")

    def held(flags: Flags) -> Doubles:
        found: Doubles = np.array([flags[there] @ above, ~flags[there] @ above]) / many
        return found

    draw, shares = np.random.default_rng(seed), [held(of_r)]
    for _ in range(draws):
        permuted = np.zeros_like(there)
        np.put_along_axis(permuted, np.where(there, draw.random(there.shape), 2.0).argsort(axis=1), ranks_r, axis=1)
        shares.append(held(permuted))
    apart = np.abs([one - two for one, two in shares])
    apart /= np.maximum(apart.std(axis=0), 1e-12)
    p, p_any = ((x >= x[0] - 1e-9).mean(axis=0) for x in (apart, apart.max(axis=1)))
    first, second = shares[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return Tail(first, second, first / second, p, float(p_any))


def _there(of_r: Flags, count: Longs | None) -> Flags:
    wide = np.atleast_2d(of_r).shape
    return np.broadcast_to(np.arange(wide[1]) < (wide[1] if count is None else np.asarray(count)[:, None]), wide)


def gini_index(values: Doubles) -> float:
    """Gini's coefficient of (agents,): 0 if all are equal, 1 - 1 / n if one has everything, NaN if nobody has."""
    ranked = np.sort(values)
    n, total = len(ranked), ranked.sum()
    return float((2 * np.arange(1, n + 1) - n - 1) @ ranked / (n * total)) if total else float("nan")


def largest_share(values: Doubles) -> float:
    """What share of everything the one has who has most; NaN if nobody has."""
    return float(np.max(values) / np.sum(values)) if np.sum(values) else float("nan")


def strengths(agents: int, arcs: Longs, weights: Doubles) -> Doubles:
    """How many arcs end and begin at each agent, and what these weigh: in-degree, out-degree, in- and out-strength, (4,
    agents). arcs: (source, target), (arcs, 2). weights: one each.
    """
    source, target = arcs.T
    return np.array([np.bincount(end, by, agents) for by in (None, weights) for end in (target, source)])


def random_arcs(agents: int, arcs: int, seed: int = 0) -> Longs:
    """As many arcs as an Erdos-Renyi graph of so many agents has them, in any order, (arcs, 2). With the weights of a
    grown network `strengths` has its figures without preferential attachment.
    """
    import networkx as nx

    drawn = nx.gnm_random_graph(agents, arcs, seed=seed, directed=True).edges
    found: Longs = np.random.default_rng(seed).permutation(np.array(drawn, np.int64).reshape(-1, 2))
    return found
