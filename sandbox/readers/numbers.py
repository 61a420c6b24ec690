"""Shares and correlations; None where there is nothing to measure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import correlation


def share(part: float, of: float) -> float | None:
    """part / of, rounded to 4 decimals; None if `of` is 0."""
    return round(part / of, 4) if of else None


def pearson(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Pearson's correlation of two equally long sequences; None if either does not vary (as with fewer than two
    numbers). Raises ValueError for unequal lengths.
    """
    if len(a) != len(b):
        raise ValueError("numbers that are compared belong to the same things")
    return correlation(a, b) if len({*a}) > 1 and len({*b}) > 1 else None


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Spearman's rank correlation; equal numbers share their mean rank. None and ValueError as in `pearson`."""
    return pearson(_ranks(a), _ranks(b))


def _ranks(numbers: Sequence[float]) -> list[float]:
    """The rank of each, from 1 on."""
    places: dict[float, list[int]] = {}
    for place, x in enumerate(sorted(numbers), 1):
        places.setdefault(x, []).append(place)
    return [(places[x][0] + places[x][-1]) / 2 for x in numbers]
