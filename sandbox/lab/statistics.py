"""Means over seeds and their uncertainty: Student's t intervals widened for skewness, sign-flip tests, and multiple
testing. And the entropy of counts.

scipy.stats takes half a second and 70 MB to import, so it is imported for the first interval, which only reports make.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.core.events import r6

LEVEL = 0.95
ENOUGH = 60  # seeds for a finding: with fewer it is called a trial
EXACT = 16  # seeds up to which all sign flips are enumerated, 2^16 at most
DRAWS = 99_999  # random sign flips for more seeds
BLOCK = 8192  # sign flips computed at once


def seeds_for(tests: int) -> int:
    """The seeds needed to show one difference among so many tests. With fewer no p is low enough: the lowest, if all
    seeds agree in sign, is 2 of 2^n.
    """
    return math.ceil(1.0 - math.log2((1.0 - LEVEL) / tests))


LEAST = seeds_for(1)  # seeds needed for an interval and a test: 6

Floats = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)


class Estimate(msgspec.Struct, frozen=True):
    """A mean over seeds with its interval; low and high are None with fewer than LEAST, all with none. n: number of
    seeds.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low is not None and self.high is not None and (self.low > 0.0 or self.high < 0.0)

    def beyond(self, least: float, most: float) -> bool:
        """Whether the interval exceeds the possible range of the measure."""
        return self.low is not None and self.high is not None and (self.low < least or self.high > most)

    @property
    def half(self) -> float | None:
        """Half the interval's width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2.0


class PairedDifference(msgspec.Struct, frozen=True):
    """The difference of one arm from another, paired by seed. above: seeds in which it is positive. p: probability that
    random signs give a mean as far from 0; None with fewer than LEAST seeds. q: p adjusted for the other tests; None if
    tested alone, or equal in every seed.
    """

    estimate: Estimate
    above: int
    p: float | None = None
    q: float | None = None

    @property
    def shown(self) -> bool:
        """Whether a difference is shown, as far as this test can tell."""
        chance = self.p if self.q is None else self.q
        return self.estimate.clear and chance is not None and chance <= 1.0 - LEVEL

    @property
    def same(self) -> bool:
        """Whether the two arms are equal in every seed."""
        return self.estimate.n > 0 and not any((self.estimate.mean, self.estimate.low, self.estimate.high))


def estimate(values: Sequence[float | None]) -> Estimate:
    """The mean and its interval. Missing values are left out."""
    known = np.array([x for x in values if x is not None], dtype=np.float64)
    if known.size == 0:
        return Estimate(None, None, None, 0)
    mean = r6(float(known.mean()))
    if known.size < LEAST:
        return Estimate(mean, None, None, int(known.size))
    low, high = band(known[:, None])
    return Estimate(mean, r6(float(low[0])), r6(float(high[0])), int(known.size))


def band(rows: Floats) -> tuple[Floats, Floats]:
    """The interval of the mean at each column. Rows are seeds, two at least; how often it holds the true mean stands in
    docs/lab.md (*How sure a number is*), and tests/lab/test_coverage.py measures it.

    Student's t, whose ends miss a skewed mean on the side of the long tail. So each end reaches as far as that of
    Hall's transformed t does, where that is further: g(T) = T + a T^2/3 + a^2 T^3/27 + a/6 has the skewness taken out,
    with a = skewness/sqrt(n) (P. Hall, "On the Removal of Skewness by Transformation", J. R. Statist. Soc. B 54 (1992),
    221-228). His alone is too short where tails are long on both sides.
    """
    from scipy.stats import t

    n, mean = len(rows), rows.mean(axis=0)
    error = rows.std(axis=0, ddof=1) / np.sqrt(n)
    q = float(t.ppf((1.0 + LEVEL) / 2.0, n - 1))
    a = _skewness(rows) / np.sqrt(n)
    above, below = _untransformed(q, a), _untransformed(-q, a)
    return mean - error * np.maximum(q, above), mean - error * np.minimum(-q, below)


def _skewness(rows: Floats) -> Floats:
    """The skewness of each column, without bias correction (at most (n - 2)/sqrt(n - 1)); 0 if all values are equal."""
    off = rows - rows.mean(axis=0)
    spread = np.sqrt((off**2).mean(axis=0))
    z: Floats = off / np.where(spread > 0.0, spread, 1.0)
    out: Floats = (z**3).mean(axis=0)
    return out


def _untransformed(y: float, a: Floats) -> Floats:
    """T of g(T) = y, which is g(T) = ((1 + a T/3)^3 - 1)/a + a/6; y itself where a is 0."""
    some = np.where(np.abs(a) > 1e-6, a, 1.0)
    out: Floats = np.where(some == a, 3.0 / some * (np.cbrt(1.0 + some * (y - some / 6.0)) - 1.0), y)
    return out


def sign_flip_test(rows: Floats, name: str) -> list[float | None]:
    """p of each column: the share of ways to flip the signs of rows that give a sum at least as far from 0.

    rows: differences, a seed each; NaN where there is none. Signs of a seed are flipped in all columns together. Up to
    EXACT seeds all ways are gone through; of more, DRAWS are drawn by a generator of that name. None for a column with
    fewer than LEAST numbers.
    """
    known = np.isfinite(rows)
    filled = np.where(known, rows, 0.0)  # what is not there adds nothing, whichever its sign
    size = np.abs(filled).sum(axis=0)
    found = np.abs(filled.sum(axis=0)) - 1e-12 * size
    hits, ways = np.zeros(rows.shape[1]), 0
    for signs in _signs(len(rows), name):
        hits += (np.abs(signs @ filled) >= found).sum(axis=0)
        ways += len(signs)
    return [r6(float(h) / ways) if n >= LEAST else None for h, n in zip(hits, known.sum(axis=0), strict=True)]


def _signs(n: int, name: str) -> Iterator[Floats]:
    """Blocks of sign flips of n values, including the observed signs."""
    if n <= EXACT:
        ways = np.arange(2**n)
        for start in range(0, len(ways), BLOCK):
            yield np.where((ways[start : start + BLOCK, None] >> np.arange(n)) & 1, -1.0, 1.0)
        return
    digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
    chance = np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little")))
    yield np.ones((1, n))
    for start in range(0, DRAWS, BLOCK):
        yield np.where(chance.integers(0, 2, (min(BLOCK, DRAWS - start), n), dtype=np.int8), -1.0, 1.0)


def paired_differences(found: Mapping[Key, Sequence[float | None]], name: str) -> dict[Key, PairedDifference]:
    """The difference for each key, paired by seed; None where either value is missing. name: of the comparison; seeds
    the random draws.
    """
    rows = np.array([*found.values()], dtype=np.float64).T
    ps = sign_flip_test(rows, name) if rows.size else [None] * len(found)
    return {
        key: PairedDifference(estimate(values), sum(x is not None and x > 0.0 for x in values), p)
        for (key, values), p in zip(found.items(), ps, strict=True)
    }


def with_q(found: Mapping[Key, PairedDifference], beside: Collection[Key]) -> dict[Key, PairedDifference]:
    """The differences, those in `beside` with their q among each other. One that is 0 in every seed is no test."""
    qs = q_values({key: found[key].p for key in beside if not found[key].same})
    return {key: msgspec.structs.replace(d, q=qs[key]) if key in qs else d for key, d in found.items()}


def required_seeds(found: Iterable[PairedDifference]) -> int:
    """The seeds needed to show one of the tests with a q; 0 if there are as many, or no tests."""
    among = [d.estimate.n for d in found if d.q is not None]
    seeds = seeds_for(len(among)) if among else 0
    return seeds if seeds > max(among, default=0) else 0


def q_values(found: Mapping[Key, float | None]) -> dict[Key, float]:
    """q of each p that is not None, by Benjamini and Hochberg: of those with q up to .05, about .05 are chance."""
    known = {key: p for key, p in found.items() if p is not None}
    if not known:
        return {}
    from scipy.stats import false_discovery_control

    return {key: r6(float(q)) for key, q in zip(known, false_discovery_control([*known.values()]), strict=True)}


def entropy(counts: Iterable[int]) -> float:
    """Shannon's, in nats, of a distribution given as counts; 0 of none."""
    known = [c for c in counts if c > 0]
    n = sum(known)
    return -math.fsum(c / n * math.log(c / n) for c in known) if n else 0.0
