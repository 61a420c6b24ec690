"""Means over seeds and how sure they are: bootstrap intervals, and Spearman's rank correlation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from statistics import correlation

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.core.events import r6

RESAMPLES = 10_000
LEVEL = 0.95
LEAST = 5  # seeds for an interval: of fewer it would be little more than the lowest and the highest

Floats = NDArray[np.float64]


class Estimate(msgspec.Struct, frozen=True):
    """A mean over seeds with its interval; low and high are None with fewer than LEAST, all with none. n: seeds."""

    mean: float | None
    low: float | None
    high: float | None
    n: int

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low is not None and self.high is not None and (self.low > 0.0 or self.high < 0.0)


def estimate(values: Sequence[float | None], name: str) -> Estimate:
    """The mean and its bootstrap interval: seeds drawn again with replacement, 2.5 and 97.5 per cent of their means.

    name: of what is measured; draws depend on it alone. Missing values are left out. Of ten values such an interval
    holds the true mean about nine times in ten, not 95 times in 100.
    """
    known = np.array([x for x in values if x is not None], dtype=np.float64)
    if known.size == 0:
        return Estimate(None, None, None, 0)
    mean = float(known.mean())
    if known.size < LEAST:
        return Estimate(r6(mean), None, None, int(known.size))
    low, high = band(known[:, None], name)
    return Estimate(r6(mean), r6(float(low[0])), r6(float(high[0])), int(known.size))


def held(seeds: int) -> float:
    """How often such an interval of so many seeds holds the truth: a normal's width with a t's tails, rounded."""
    return next(share for most, share in ((6, 0.85), (14, 0.9), (29, 0.92), (seeds, 0.94)) if seeds <= most)


def band(rows: Floats, name: str) -> tuple[Floats, Floats]:
    """The interval of the mean at each column; rows are seeds, drawn whole."""
    digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
    chance = np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little")))
    drawn = chance.multinomial(len(rows), [1.0 / len(rows)] * len(rows), size=RESAMPLES) / len(rows)
    low, high = np.quantile(drawn @ rows, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0], axis=0)
    return low, high


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Spearman's rank correlation, ties sharing their mean rank. None with fewer than two, or if either is constant.

    Raises ValueError if they are not equally many.
    """
    if len(a) != len(b):
        raise ValueError("ranks belong to the same things")
    x, y = ranks(a), ranks(b)
    return correlation(x, y) if len({*x}) > 1 and len({*y}) > 1 else None


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    _, which, times = np.unique(values, return_inverse=True, return_counts=True)
    mean_ranks = times.cumsum() - (times - 1) / 2.0
    return [float(x) for x in mean_ranks[which]]
