"""What numbers of a log come to: shares, and how two rows of numbers go together; None where there is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import correlation


def share(part: float, of: float) -> float | None:
    """A part of a whole; None if there is nothing to have a share of."""
    return round(part / of, 4) if of else None


def pearson(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Pearson's correlation of numbers that belong to the same things. None with fewer than two, or if either does not
    vary. Raises ValueError if they are not equally many.
    """
    if len(a) != len(b):
        raise ValueError("numbers that are compared belong to the same things")
    return correlation(a, b) if len({*a}) > 1 and len({*b}) > 1 else None


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Spearman's rank correlation, equals sharing their mean rank; else as `pearson`."""
    return pearson(_ranks(a), _ranks(b))


def _ranks(numbers: Sequence[float]) -> list[float]:
    """The rank of each, from 1 on."""
    places: dict[float, list[int]] = {}
    for place, x in enumerate(sorted(numbers), 1):
        places.setdefault(x, []).append(place)
    return [(places[x][0] + places[x][-1]) / 2 for x in numbers]
