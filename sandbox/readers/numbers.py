"""Numbers that measures are made of, None where there is nothing to measure, and the ranges they should lie in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import correlation
from typing import Any, NamedTuple, TypeVar

import msgspec

T = TypeVar("T")
Measures = dict[str, float | int | None]
MANY = float("inf")  # where a range has no end


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


def gini(numbers: Sequence[int]) -> float | None:
    """The Gini coefficient: 0 if all numbers are equal, towards 1 if one has everything. None if all are 0."""
    total, n = sum(numbers), len(numbers)
    if not total:
        return None
    ranked = sum(rank * x for rank, x in enumerate(sorted(numbers), 1))
    return round(2.0 * ranked / (n * total) - (n + 1) / n, 3)


class Range(NamedTuple):
    """A range of a measure: least <= x <= most and x < under."""

    least: float = 0.0
    most: float = MANY
    under: float = MANY

    def holds(self, x: float | None) -> bool:
        """Whether a measure lies in the range; None (nothing to measure) does not."""
        return x is not None and self.least <= x <= self.most and x < self.under

    def words(self, unit: str = "") -> str:
        """The range as text: "5 to 18", "at least 80 %", "at most 6", "under 3 h". unit: "", "%" (of shares) or "h"."""
        scale, end = (100 if unit == "%" else 1), f" {unit}" if unit else ""
        if self.under != MANY:
            return f"under {self.under:g}{end}"
        least, most = f"{self.least * scale:g}", f"{self.most * scale:g}"
        if self.least == self.most or (unit == "%" and self.least == 1):
            return f"{least}{end}"
        if self.most == MANY:
            return f"at least {least}{end}"
        return f"{least} to {most}{end}" if self.least > 0 else f"at most {most}{end}"


def read_targets(part: str, kind: type[T]) -> dict[str, T]:
    """The targets of a part of targets.yaml by the keys of their measures. kind: a named tuple of what a row holds."""
    return msgspec.convert(_targets()[part], dict[str, kind])  # type: ignore[valid-type]


@cache
def _targets() -> dict[str, Any]:
    return msgspec.yaml.decode(Path(__file__).with_name("targets.yaml").read_bytes(), type=dict[str, Any])
