"""Whether what a forecast leaves unexplained of a society's growth is noise (seed 002, B.4; spec/glass-ceiling.md).

The paper tests levels, prediction minus course. Prominence at step t + 1 is that at t but for a (t + 1)th, so levels
depend on each other even where the forecast is right; innovations, what a step adds beyond the drift, do not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sandbox.society.many import Doubles
from sandbox.society.model import GrowthParameters
from sandbox.society.theory import Drift, begun, drift, with_beta

LAGS = 10
COLLINEAR = 1e-9  # of the largest variance: a direction that varies less does not vary
LEAST = 1e-24  # variance of rounding


class Whiteness(NamedTuple):
    """Whether residuals know of each other over the first lags. q: multivariate Ljung-Box statistic. rank: of their
    covariance, directions that vary. df: lags rank^2, p: its chance with white noise; printed_df: lags (2 d)^2, which
    is the same unless coordinates are collinear, and printed_p. max_acf: largest norm of an autocorrelation matrix.
    """

    q: float
    rank: int
    df: int
    p: float
    printed_df: int
    printed_p: float
    max_acf: float


def innovations(p: GrowthParameters, means: ArrayLike, course: Doubles, of: Drift = drift) -> Doubles:
    """e_{t+1} = (t + 1) Theta_{t+1} - t Theta_t - F(Theta_t), (steps, 6), where t counts the mass of the start, too.
    course: Theta of a run, or its mean over runs, after 0, 1, ... steps, each of which adds something, (steps + 1, 2,
    3).
    """
    mu, mass = with_beta(p, means), begun(p) + np.arange(len(course))[:, None]
    said = np.array([of(p, mu, theta, t).ravel() for t, theta in enumerate(course[:-1])])
    found: Doubles = np.diff(mass * course.reshape(len(course), -1), axis=0) - said
    return found


def level_residuals(said: Doubles, seen: Doubles) -> Doubles:
    """eps_t = prediction - mean course, from step 1 on, (steps, 6), as the paper has it. said, seen: (steps + 1, 2, 3).

    What they know of each other is no fault of the forecast: with noise n_t in what step t adds, and where the drift is
    flat, eps_{t+1} = (t eps_t - n_{t+1}) / (t + 1), so that their autocorrelation is nearly 1 by construction.
    """
    return (said - seen)[1:].reshape(len(said) - 1, -1)


def level_errors(residuals: Doubles) -> tuple[float, float]:
    """The paper's measures: MSE = sum_t |eps_t|^2 / (2 d T), Bias = |mean_t eps_t|."""
    return float((residuals**2).mean()), float(np.linalg.norm(residuals.mean(axis=0)))


def whiteness(residuals: Doubles, lags: int = LAGS) -> Whiteness:
    """Test (steps, coordinates) for what they know of each other. Raises ValueError if none varies or they are few.

    With e about its mean, G(h) = sum_t e_t e_{t-h}' / T and R(h) = G(0)^-1/2 G(h) G(0)^-1/2 by pseudo-inverse, q = T^2
    sum_h |R(h)|_F^2 / (T - h) (Hosking 1980), distributed as chi^2 with rank^2 a lag: a direction without variance adds
    nothing to q, and so nothing to what it is held against. max_acf takes means over T - h, as printed. Neither sees an
    error that hardly changes from step to step, so that a wrong drift passes, too: `level_errors` tells it.
    """
    from scipy.stats import chi2

    q, max_acf, rank = _statistics(residuals, lags)
    df, printed = lags * rank**2, lags * residuals.shape[1] ** 2
    return Whiteness(q, rank, df, float(chi2.sf(q, df)), printed, float(chi2.sf(q, printed)), max_acf)


def white_noise(steps: int, rank: int, draws: int = 999, seed: int = 0, lags: int = LAGS) -> tuple[Doubles, Doubles]:
    """q and max_acf of white noise of the same size, (draws,) each: what residuals are held against. For so short a
    series (100 steps) chi^2 is only near; the share of draws with as large a q is exact.
    """
    draw = np.random.default_rng(seed)
    found = [_statistics(draw.standard_normal((steps, rank)), lags)[:2] for _ in range(draws)]
    q, max_acf = np.array(found).T
    return q, max_acf


def _statistics(residuals: Doubles, lags: int) -> tuple[float, float, int]:
    """q, max_acf and rank."""
    steps = len(residuals)
    if steps <= lags + 1:
        raise ValueError(f"{steps} residuals are too few for {lags} lags")
    e = residuals - residuals.mean(axis=0)
    values, vectors = np.linalg.eigh(e.T @ e / steps)
    varies = values > max(COLLINEAR * values[-1], LEAST)
    if not varies.any():
        raise ValueError("residuals that do not vary are no noise")
    z = e @ vectors[:, varies] / values[varies] ** 0.5
    sums = [z[h:].T @ z[:-h] for h in range(1, lags + 1)]
    q = sum(float((x**2).sum()) / (steps - h) for h, x in enumerate(sums, 1))
    return q, max(float(np.linalg.norm(x, 2)) / (steps - h) for h, x in enumerate(sums, 1)), int(varies.sum())
