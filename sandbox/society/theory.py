"""What the mean field says of a society's growth: the drift of prominence, its course and where it ends (seed 002, 3
and appendix A; docs/society.md).

Theta is (2, 3): prominence of type R among the asked and among the asking, by coordinate. means[target][source], of R
and B, are raw mean grants, (2, 2, 3). The drift as printed takes the means for shares, and is shown beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, exp, factorial, inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sandbox.society.many import Doubles, Longs
from sandbox.society.model import B, D, GrowthParameters, R

SIDES = 2  # asked, asking
OF_NEWBORN = (((0, 2), (1, 3)), ((0, 1), (2, 3)))  # places in RR, RB, BR, BB of R, of B, who asks; and who is asked
PACE = 0.08  # step in log-time: a 12th of the time so far


def with_beta(p: GrowthParameters, means: ArrayLike) -> Doubles:
    """The means with what the parameters' beta adds to grants by type R to type B."""
    found = np.array(means, np.float64)
    found[R, B] += p.beta
    return found


def begun(p: GrowthParameters) -> float:
    """The mass of a coordinate at the start, before the first step adds its unit."""
    return 2 * p.begin * (2 * p.begin - 1) * p.begin_weight


def chances(p: GrowthParameters, theta: Doubles, t: float) -> tuple[float, float]:
    """The chances that who is asked, and who asks, is of type R after t steps (equation 3). t: may be inf."""
    newcomers = p.newcomer_asks + p.newcomer_asked
    first = 2 * p.begin
    if t == inf:
        mass, agents, of_r = 1.0, newcomers, p.of_r * newcomers
    else:
        mass, agents, of_r = t + begun(p), first + newcomers * t, p.begin + p.of_r * newcomers * t
    found = []
    for side, smooth in zip(theta, (p.target, p.source), strict=True):
        found.append(float((side.sum() * mass + of_r * smooth) / (D * mass + agents * smooth)))
    return found[0], found[1]


def _falls(m: int, ways: int) -> tuple[Doubles, Doubles]:
    """How m trials may fall to so many ways, (falls, ways), and in how many orders, (falls,)."""
    first = np.indices((m + 1,) * (ways - 1)).reshape(ways - 1, -1).T
    first = first[first.sum(axis=1) <= m]
    falls = np.column_stack((first, m - first.sum(axis=1)))
    orders = np.array([float(factorial(k)) for k in range(m + 1)])
    return falls.astype(np.float64), orders[m] / orders[falls].prod(axis=1)


def _shares(falls: Doubles, pairs: Doubles) -> Doubles:
    """What falls of trials to RR, RB, BR and BB add to type R of the asked and of the asking, and to both types,
    (falls, 9): S / S = 1, but 0 where nothing is granted.
    """
    total = falls @ pairs
    asked, asking = (falls[:, places] @ pairs[places] for places in ([0, 1], [0, 2]))
    of_r = np.stack((asked, asking, total), axis=1)
    return np.divide(of_r, total[:, None], out=np.zeros_like(of_r), where=total[:, None] > 0).reshape(len(falls), -1)


@lru_cache(maxsize=16)
def _events(p: GrowthParameters, means: bytes) -> tuple[tuple[Doubles, Doubles, Doubles], ...]:
    """For each of the three events of a step how its trials may fall, in how many orders, times the event's chance, and
    what each fall adds. means: raw, as bytes, which can be kept.
    """
    pairs = np.frombuffer(means).reshape(4, D)  # RR, RB, BR, BB: target, then source
    if not (pairs >= 0).all() or not np.isfinite(pairs).all() or not pairs.any(axis=0).all():
        raise ValueError(f"mean grants are numbers from 0 up, not all 0 in a coordinate, not {pairs.tolist()}")
    found = []
    for m, chance, types in zip(p.trials, (p.newcomer_asks, p.newcomer_asked), OF_NEWBORN, strict=False):
        falls, orders = _falls(m, 2)
        added = np.zeros((len(falls), 3 * D))
        for places, rho in zip(types, (p.of_r, 1 - p.of_r), strict=True):
            both = np.zeros((len(falls), 4))
            both[:, places] = falls
            added += rho * _shares(both, pairs)
        found.append((falls, orders * chance, added))
    falls, orders = _falls(p.trials[2], 4)
    return *found, (falls, orders * (1 - p.newcomer_asks - p.newcomer_asked), _shares(falls, pairs))


def drift(p: GrowthParameters, means: ArrayLike, theta: Doubles, t: float = inf) -> Doubles:
    """F: what a step adds to type R of the asked and of the asking on average, (2, 3); docs/society.md, the drift.

    F_in  = p sum_b rho_b phi(pt; mu_Rb, mu_Bb) + q r + (1 - p - q) E[(n_RR mu_RR + n_RB mu_RB) / S],
    F_out = p r + q sum_a rho_a phi(ps; mu_aR, mu_aB) + (1 - p - q) E[(n_RR mu_RR + n_BR mu_BR) / S],
    phi(q; x, y) = E[k x / (k x + (M - k) y)], k ~ Bin(M, q); where a mean is 0, given that the step adds something.
    means: raw, with beta. Raises ValueError for means that cannot be.
    """
    asked, asking = chances(p, theta, t)
    tgt, src = np.array((asked, 1 - asked)), np.array((asking, 1 - asking))
    found = np.zeros(3 * D)
    events = _events(p, np.asarray(means, np.float64).tobytes())
    for odds, (falls, orders, added) in zip((tgt, src, np.outer(tgt, src).ravel()), events, strict=True):
        found += (orders * (odds**falls).prod(axis=1)) @ added
    asked_r, asking_r, whole = found.reshape(3, D)
    return np.stack((asked_r, asking_r)) / whole


def printed_drift(p: GrowthParameters, means: ArrayLike, theta: Doubles, t: float = inf) -> Doubles:
    """F as printed (seed 002, appendix A), (2, 3); pt, ps: chances that the asked and the asking are of type R.

    F_in  = p pt (r mu_RR + (1-r) mu_RB) + q r (ps mu_RR + (1-ps) mu_RB) + (1-p-q) pt (ps mu_RR + (1-ps) mu_RB),
    F_out = p r (pt mu_RR + (1-pt) mu_BR) + q ps (r mu_RR + (1-r) mu_BR) + (1-p-q) ps (pt mu_RR + (1-pt) mu_BR).
    It takes the means for shares of a step, and fits none of `PairMeans` but `scaled`, those of its own run.
    """
    ((rr, rb), (br, _)) = np.asarray(means, np.float64)
    pt, ps = chances(p, theta, t)
    r, rest = p.of_r, 1 - p.newcomer_asks - p.newcomer_asked
    asked = p.newcomer_asks * pt * (r * rr + (1 - r) * rb)
    asked = asked + (p.newcomer_asked * r + rest * pt) * (ps * rr + (1 - ps) * rb)
    asking = p.newcomer_asked * ps * (r * rr + (1 - r) * br)
    asking = asking + (p.newcomer_asks * r + rest * ps) * (pt * rr + (1 - pt) * br)
    return np.stack((asked, asking))


Drift = Callable[[GrowthParameters, ArrayLike, Doubles, float], Doubles]


class PairMeans(NamedTuple):
    """Means by type pair, (2, 2, 3) each, NaN where none asked: raw grants, which `drift` takes; what a trial adds, as
    appendix A words it, whose shares sum to 1 / M; and M times that, which sums to about 1, but only in its own run,
    for it depends on Theta, p, q and r.
    """

    raw: Doubles
    normalised: Doubles
    scaled: Doubles


def pair_means(target: Longs, source: Longs, values: Doubles) -> Doubles:
    """Means of (n, 3) values by type pair, (2, 2, 3): [target, source]; NaN where there is none. target, source: places
    in TYPES, (n,).
    """
    place = 2 * target + source
    sums = np.stack([np.bincount(place, column, 4) for column in values.T], axis=1)
    with np.errstate(invalid="ignore"):
        found: Doubles = (sums / np.bincount(place, minlength=4)[:, None]).reshape(2, 2, -1)
    return found


def measured_means(target: Longs, source: Longs, raw: Doubles, added: Doubles, trials: Longs | int) -> PairMeans:
    """The three means of logged trials. raw, added: what each grants, and what it adds to its arc, (n, 3). trials: how
    many its step has.
    """
    scaled = added * np.broadcast_to(trials, len(added))[:, None]
    return PairMeans(*(pair_means(target, source, values) for values in (raw, added, scaled)))


def mean_field(
    p: GrowthParameters, means: ArrayLike, steps: int, begin: Doubles | None = None, of: Drift = drift
) -> Doubles:
    """Theta after 0, 1, ... steps, (steps + 1, 2, 3), by Theta += (F(Theta) - Theta) / (t + 1), where what is there at
    the start counts as its mass. begin: Theta then, None = .5. of: F. It knows no end: hold runs that go on until so
    many agents are there against it step by step, over those that still go on.
    """
    mu, mass = with_beta(p, means), begun(p)
    found = [np.full((SIDES, D), 0.5) if begin is None else np.array(begin, np.float64)]
    for t in range(steps):
        found.append(found[-1] + (of(p, mu, found[-1], t) - found[-1]) / (mass + t + 1))
    return np.array(found)


def ode(
    p: GrowthParameters, means: ArrayLike, until: int, begin: Doubles | None = None, of: Drift = drift, after: int = 16
) -> Doubles:
    """The same course, (until + 1, 2, 3), by the limiting equation dTheta/ds = F(Theta) - Theta in log-time, s = log t
    and what is there at the start (seed 002, assumption 3): Runge and Kutta's fourth order, for long runs. after: steps
    that are taken one by one before; from 0 on it is .01 off at first and .002 at step 100, since a step is no moment.
    """
    mu, mass = with_beta(p, means), begun(p)
    course = mean_field(p, means, min(after, until), begin, of)
    if until <= after:
        return course
    first, last = log(mass + after), log(mass + until)
    times = np.linspace(first, last, 2 + ceil((last - first) / PACE))
    h = float(times[1] - times[0])

    def slope(s: float, theta: Doubles) -> Doubles:
        return of(p, mu, theta, max(0.0, exp(s) - mass)) - theta

    found = [course[-1]]
    for s in times[:-1].tolist():
        theta = found[-1]
        one = slope(s, theta)
        two = slope(s + h / 2, theta + h / 2 * one)
        three = slope(s + h / 2, theta + h / 2 * two)
        four = slope(s + h, theta + h * three)
        found.append(theta + h / 6 * (one + 2 * two + 2 * three + four))
    whole = np.log(mass + np.arange(after + 1, until + 1))
    columns = np.array(found).reshape(len(times), -1).T
    rest = np.stack([np.interp(whole, times, column) for column in columns], axis=1)
    return np.concatenate((course, rest.reshape(-1, SIDES, D)))


class FixedPoint(NamedTuple):
    """Where the mean field ends. theta: (2, 3). contraction: the largest norm of the drift's Jacobian over a grid of
    Theta; below 1 it contracts, and there is one end. bound: what the paper's formula says of it.
    """

    theta: Doubles
    contraction: float
    bound: float


def fixed_point(
    p: GrowthParameters, means: ArrayLike, grid: Sequence[float] = (0.05, 0.35, 0.65, 0.95), of: Drift = drift
) -> FixedPoint:
    """Where the mean field of a society that grows for ever ends."""
    mu = with_beta(p, means)
    theta = np.full((SIDES, D), 0.5)
    for _ in range(1000):
        step = of(p, mu, theta, inf) - theta
        theta = theta + step
        if np.abs(step).max() < 1e-12:
            break
    norms = [np.linalg.norm(jacobian(p, mu, np.full((SIDES, D), 1.0) * np.array((a, b))[:, None], of), 2)
             for a in grid for b in grid]  # fmt: skip
    nu = p.newcomer_asks + p.newcomer_asked
    bound = D * float(mu.max()) * (2 * (1 / (D + nu * p.target) ** 2 + 1 / (D + nu * p.source) ** 2)) ** 0.5
    return FixedPoint(theta, float(max(norms)), bound)


def jacobian(p: GrowthParameters, mu: Doubles, theta: Doubles, of: Drift = drift, by: float = 1e-5) -> Doubles:
    """The drift's slopes, (6, 6), by central differences."""
    found = np.empty((SIDES * D, SIDES * D))
    for i in range(SIDES * D):
        change = np.zeros(SIDES * D)
        change[i] = by
        more, less = (of(p, mu, theta + sign * change.reshape(SIDES, D), inf) for sign in (1, -1))
        found[:, i] = (more - less).ravel() / (2 * by)
    return found
