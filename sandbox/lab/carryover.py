"""Does a mood carry over from one meeting to the next? Told from the text alone.

For each person A and each partner B: the sentiment of A's last two lines to B at one meeting, and of A's first two
lines to B at the next. Their correlation over all such pairs holds more than a memory of the meeting: some people
always speak kindly, and that alone correlates. So it is compared with what is left when partners are shuffled within
each A: every beginning is set against the end of a meeting of A with somebody else, 1,000 times, and the mean
correlation is taken off. What remains is carry-over: that it was *this* partner.

Nobody is shuffled onto their own partner. Else a beginning would now and then meet the end of its own meeting, which is
like it for a plain reason, and what is taken off would be too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LINES = 2  # at the end of one meeting and at the beginning of the next
SHUFFLES = 1000
SEED = 20250213
LEAST = 3  # pairs for a correlation

Floats = NDArray[np.float64]


class Talked(NamedTuple):
    """A talk: who talked, and (who, words) of each line in order. t: when it began, seconds of the town."""

    who: tuple[str, str]
    lines: Sequence[tuple[str, str]]
    t: int = 0


class Carried(NamedTuple):
    """Sentiments of A's lines to B: the end of one meeting, and the beginning of the next."""

    a: str
    b: str
    before: float
    after: float


class CarryOver(NamedTuple):
    """value = correlation - shuffled, None where there is no correlation. pairs: how many entered, those of people who
    met one partner only apart; people: of how many A they are; shuffled: the mean over shuffles.
    """

    value: float | None
    correlation: float | None
    shuffled: float | None
    pairs: int
    people: int


def carried(talks: Iterable[Talked], sentiment: Callable[[str], float], lines: int = LINES) -> list[Carried]:
    """The pairs of consecutive meetings, in the order of the later one. talks: in the order they began.

    lines: of how many a side's end and beginning consist; 0 = of all it said. A side enters if it said so many in both
    meetings, and two at least.
    """
    out: list[Carried] = []
    last: dict[tuple[str, str], list[float]] = {}
    for talk in talks:
        for a, b in (talk.who, talk.who[::-1]):
            said = [sentiment(text) for who, text in talk.lines if who == a]
            before = last.get((a, b))
            if before is not None and min(len(before), len(said)) >= max(LINES, lines):
                out.append(Carried(a, b, _mean(before[-lines:]), _mean(said[: lines or None])))
            if said:
                last[a, b] = said
    return out


def carry_over(found: Sequence[Carried]) -> CarryOver:
    """The measure of one replica."""
    partners: dict[str, set[str]] = {}
    for p in found:
        partners.setdefault(p.a, set()).add(p.b)
    pairs = [p for p in found if len(partners[p.a]) > 1]
    people = len({p.a for p in pairs})
    before = np.array([p.before for p in pairs], dtype=np.float64)
    after = np.array([p.after for p in pairs], dtype=np.float64)
    true = _correlations(before[None, :], after)
    if true is None:
        return CarryOver(None, None, None, len(pairs), people)
    chance = np.random.Generator(np.random.PCG64(SEED))
    shuffled = np.empty((SHUFFLES, len(pairs)))
    for i, p in enumerate(pairs):
        others = np.array([q.before for q in pairs if q.a == p.a and q.b != p.b])
        shuffled[:, i] = others[chance.integers(0, others.size, SHUFFLES)]
    left = _correlations(shuffled, after)
    correlation = float(true[0])
    mean = 0.0 if left is None else float(left.mean())
    return CarryOver(correlation - mean, correlation, mean, len(pairs), people)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _correlations(rows: Floats, other: Floats) -> Floats | None:
    """Pearson's of each row that varies with the other numbers; None if none does, or there are too few numbers."""
    if other.size < LEAST:
        return None
    x = rows - rows.mean(axis=1, keepdims=True)
    y = other - other.mean()
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum())
    varied = size > 1e-12
    return np.asarray((x[varied] @ y) / size[varied], dtype=np.float64) if varied.any() else None
