"""What the mean field says of a society's growth: the drift of prominence, its course and where it ends (seed 002, 3
and appendix A; docs/society.md).

Theta is (2, 3): prominence of type R among the asked and among the asking, by coordinate. means[target][source], of R
and B, are raw mean grants, (2, 2, 3). The drift as printed takes the means for shares, and is shown beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import comb, factorial, inf
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sandbox.society.many import Doubles
from sandbox.society.model import B, D, GrowthParameters, R

SIDES = 2  # asked, asking


def with_beta(p: GrowthParameters, means: ArrayLike) -> Doubles:
    """The means with what the parameters' beta adds to grants by type R to type B."""
    found = np.array(means, np.float64)
    found[R, B] += p.beta
    return found


def chances(p: GrowthParameters, theta: Doubles, t: float) -> tuple[float, float]:
    """The chances that who is asked, and who asks, is of type R after t steps (equation 3). t: may be inf."""
    newcomers = p.newcomer_asks + p.newcomer_asked
    first, begun = 2 * p.begin, 2 * p.begin * (2 * p.begin - 1) * p.begin_weight
    if t == inf:
        mass, agents, of_r = 1.0, newcomers, p.of_r * newcomers
    else:
        mass, agents, of_r = t + begun, first + newcomers * t, p.begin + p.of_r * newcomers * t
    found = []
    for side, smooth in zip(theta, (p.target, p.source), strict=True):
        found.append(float((side.sum() * mass + of_r * smooth) / (D * mass + agents * smooth)))
    return found[0], found[1]


def mean_share(m: int, chance: float, x: Doubles, y: Doubles) -> Doubles:
    """phi: the mean of k x / (k x + (m - k) y) for k ~ Bin(m, chance): the share that falls to those who get x."""
    found = np.zeros(D)
    for k in range(1, m + 1):
        found += comb(m, k) * chance**k * (1 - chance) ** (m - k) * (k * x / (k * x + (m - k) * y))
    return found


@cache
def _draws(m: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """How m trials among all may fall to RR, RB, BR and BB, and in how many orders."""
    falls = [n for n in product(range(m + 1), repeat=4) if sum(n) == m]
    return tuple((n, factorial(m) // int(np.prod([factorial(k) for k in n]))) for n in falls)


def drift(p: GrowthParameters, means: Doubles, theta: Doubles, t: float = inf) -> Doubles:
    """F: what a step adds to type R of the asked and of the asking on average, (2, 3); docs/society.md, the drift.

    F_in  = p sum_b rho_b phi(pt; mu_Rb, mu_Bb) + q r + (1 - p - q) E[(n_RR mu_RR + n_RB mu_RB) / S],
    F_out = p r + q sum_a rho_a phi(ps; mu_aR, mu_aB) + (1 - p - q) E[(n_RR mu_RR + n_BR mu_BR) / S].
    """
    asked, asking = chances(p, theta, t)
    types = (p.of_r, 1 - p.of_r)
    first, second, third = p.trials
    found = np.zeros((SIDES, D))
    for rho, of in zip(types, (R, B), strict=True):
        found[0] += p.newcomer_asks * rho * mean_share(first, asked, means[R, of], means[B, of])
        found[1] += p.newcomer_asked * rho * mean_share(second, asking, means[of, R], means[of, B])
    found[0] += p.newcomer_asked * p.of_r
    found[1] += p.newcomer_asks * p.of_r
    pairs = means.reshape(4, D)  # RR, RB, BR, BB: target, then source
    odds = [x * y for x in (asked, 1 - asked) for y in (asking, 1 - asking)]
    rest = 1 - p.newcomer_asks - p.newcomer_asked
    for n, orders in _draws(third):
        chance = orders * float(np.prod([o**k for o, k in zip(odds, n, strict=True)]))
        weight = np.array(n)[:, None] * pairs
        of_r = np.stack((weight[0] + weight[1], weight[0] + weight[2]))
        found += rest * chance * of_r / weight.sum(axis=0)
    return found


def mean_field(p: GrowthParameters, means: ArrayLike, steps: int, begin: Doubles | None = None) -> Doubles:
    """Theta after 0, 1, ... steps, (steps + 1, 2, 3), by Theta += (F(Theta) - Theta) / (t + 1), where what is there at
    the start counts as its mass. begin: Theta then, None = .5.
    """
    mu = with_beta(p, means)
    mass = 2 * p.begin * (2 * p.begin - 1) * p.begin_weight
    found = [np.full((SIDES, D), 0.5) if begin is None else np.array(begin, np.float64)]
    for t in range(steps):
        found.append(found[-1] + (drift(p, mu, found[-1], t) - found[-1]) / (mass + t + 1))
    return np.array(found)


class FixedPoint(NamedTuple):
    """Where the mean field ends. theta: (2, 3). contraction: the largest norm of the drift's Jacobian over a grid of
    Theta; below 1 it contracts, and there is one end. bound: what the paper's formula says of it.
    """

    theta: Doubles
    contraction: float
    bound: float


def fixed_point(p: GrowthParameters, means: ArrayLike, grid: Sequence[float] = (0.05, 0.35, 0.65, 0.95)) -> FixedPoint:
    """Where the mean field of a society that grows for ever ends."""
    mu = with_beta(p, means)
    theta = np.full((SIDES, D), 0.5)
    for _ in range(1000):
        step = drift(p, mu, theta) - theta
        theta = theta + step
        if np.abs(step).max() < 1e-12:
            break
    norms = [np.linalg.norm(jacobian(p, mu, np.full((SIDES, D), 1.0) * np.array((a, b))[:, None]), 2)
             for a in grid for b in grid]  # fmt: skip
    nu = p.newcomer_asks + p.newcomer_asked
    bound = D * float(mu.max()) * (2 * (1 / (D + nu * p.target) ** 2 + 1 / (D + nu * p.source) ** 2)) ** 0.5
    return FixedPoint(theta, float(max(norms)), bound)


def jacobian(p: GrowthParameters, mu: Doubles, theta: Doubles, by: float = 1e-5) -> Doubles:
    """The drift's slopes, (6, 6), by central differences."""
    found = np.empty((SIDES * D, SIDES * D))
    for i in range(SIDES * D):
        change = np.zeros(SIDES * D)
        change[i] = by
        more, less = (drift(p, mu, theta + sign * change.reshape(SIDES, D)) for sign in (1, -1))
        found[:, i] = (more - less).ravel() / (2 * by)
    return found
