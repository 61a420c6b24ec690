"""Does a mood carry over from one meeting to the next? Told from the text alone (spec/emotion.md).

For each person A and each partner B: the sentiment of A's last two lines to B at one meeting, and of A's first two
lines to B at the next. Their correlation over all such pairs holds two things that are no memory of the meeting: some
people always speak kindly, and a town may do so at some hours. So partners are shuffled within each A, 1,000 times, and
the mean correlation that is left is taken off. What remains is carry-over: that it was *this* partner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.lab.sentiment import Sentiment

LINES = 2  # at the end of one meeting and at the beginning of the next
SHUFFLES = 1000
SEED = 20250213
LEAST = 3  # pairs for a correlation

Floats = NDArray[np.float64]


class Talked(NamedTuple):
    """A talk: who talked, and (who, words) of each line in order."""

    who: tuple[str, str]
    lines: Sequence[tuple[str, str]]


class Carried(NamedTuple):
    """Sentiments of A's lines to B: the end of one meeting, and the beginning of the next."""

    a: str
    b: str
    before: float
    after: float


class CarryOver(NamedTuple):
    """value = correlation - shuffled, None where there is no correlation. pairs: how many entered; people: of how many
    A they are; shuffled: the mean over shuffles.
    """

    value: float | None
    correlation: float | None
    shuffled: float | None
    pairs: int
    people: int


def carried(talks: Iterable[Talked], sentiment: Sentiment, lines: int | None = None) -> list[Carried]:
    """The pairs of consecutive meetings, in the order of the later one. talks: in the order they began.

    lines: of how many a side's end and beginning consist; None = of all it said. A side enters if it said so many in
    both meetings, and two at least.
    """
    out: list[Carried] = []
    last: dict[tuple[str, str], list[float]] = {}
    for talk in talks:
        for a, b in (talk.who, talk.who[::-1]):
            said = [sentiment(text) for who, text in talk.lines if who == a]
            before = last.get((a, b))
            if before is not None and min(len(before), len(said)) >= max(LINES, lines or 0):
                out.append(Carried(a, b, _mean(before[-lines:] if lines else before), _mean(said[:lines])))
            if said:
                last[a, b] = said
    return out


def carry_over(pairs: Sequence[Carried]) -> CarryOver:
    """The measure of one replica."""
    before = np.array([p.before for p in pairs], dtype=np.float64)
    after = np.array([p.after for p in pairs], dtype=np.float64)
    people = sorted({p.a for p in pairs})
    found = _correlations(before[None, :], after)
    if found is None:
        return CarryOver(None, None, None, len(pairs), len(people))
    chance = np.random.Generator(np.random.PCG64(SEED))
    shuffled = np.tile(before, (SHUFFLES, 1))
    for who in people:
        own = np.array([i for i, p in enumerate(pairs) if p.a == who])
        shuffled[:, own] = chance.permuted(shuffled[:, own], axis=1)
    correlation = float(found[0])
    mean = _correlations(shuffled, after)
    assert mean is not None  # the same numbers in another order vary as much
    return CarryOver(correlation - float(mean.mean()), correlation, float(mean.mean()), len(pairs), len(people))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _correlations(rows: Floats, other: Floats) -> Floats | None:
    """Pearson's of each row with the other numbers; None if there are too few of them, or either does not vary."""
    if other.size < LEAST:
        return None
    x = rows - rows.mean(axis=1, keepdims=True)
    y = other - other.mean()
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum())
    if not np.all(size > 1e-12):
        return None
    return np.asarray((x @ y) / size, dtype=np.float64)
