"""The exponent of a power law of whole numbers, as of degrees, by maximum likelihood.

scipy is loaded when one is first looked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

HALF = 3.841458820694124 / 2  # of the 95 % quantile of chi squared with one degree of freedom


class PowerLaw(NamedTuple):
    """The exponent of P(k) ~ k^-exponent, its 95 % interval, over how many, and the largest distance of the cumulative
    shares to its own: a fit says nothing of itself about whether there is a power law.
    """

    exponent: float
    low: float
    high: float
    n: int
    distance: float


def power_law(found: Iterable[int]) -> PowerLaw | None:
    """By maximum likelihood, discrete, of the numbers that are 1 or more (Clauset, Shalizi and Newman 2009, eq. 3.5,
    from 1 on); the interval is that of the likelihood ratio. None if all of these are 1, or there are less than two.
    """
    from scipy.special import zeta

    ks = np.array(sorted(k for k in found if k >= 1), dtype=np.float64)
    n, logs = len(ks), float(np.log(ks).sum())
    if n < 2 or logs <= 0.0:
        return None

    def likelihood(a: float) -> float:
        return -n * math.log(float(zeta(a, 1.0))) - a * logs

    top = 2.0
    while likelihood(2.0 * top) > likelihood(top):
        top *= 2.0
    low, high = 1.0 + 1e-9, 2.0 * top
    for _ in range(100):  # it has one summit
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if likelihood(a) < likelihood(b) else (low, b)
    best = (low + high) / 2
    floor = likelihood(best) - HALF

    def edge(inner: float, outer: float) -> float:
        for _ in range(100):
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if likelihood(middle) > floor else (inner, middle)
        return inner

    far = 2.0 * best
    while likelihood(far) > floor:
        far *= 2.0
    each = np.arange(1, int(ks.max()) + 1)
    theirs = 1.0 - zeta(best, each + 1) / zeta(best, 1.0)
    own = np.searchsorted(ks, each, side="right") / n
    return PowerLaw(best, edge(best, 1.0 + 1e-9), edge(best, far), n, float(np.abs(own - theirs).max()))
