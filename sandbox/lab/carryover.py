"""Does a mood carry over from one meeting to the next? Measured from the text alone.

For each person A and partner B: the sentiment of A's last two lines to B at one meeting, and of A's first two lines to
B at the next. Their correlation over all such pairs has other causes too: some people always speak kindly. So the mean
correlation after shuffling partners within each A is subtracted: every beginning is paired with the end of a meeting of
A with somebody else, 1,000 times. What remains is carry-over: the effect of *this* partner.

Nobody is shuffled onto their own partner. Otherwise a beginning would sometimes meet the end of its own meeting, which
is the very effect to be measured, and too much would be subtracted.

A lasting mood also returns if the next meeting with that partner is soon, whoever that is. If partners are shuffled
only among meetings within an hour of that one, they share the mood, and what remains is due to the person. They must
also be closer to that meeting than the next one is: otherwise more meetings before it than after it would be drawn, and
a fading mood would be attributed to the partner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.core.clock import HOUR

LINES = 2  # lines at the end of one meeting and at the beginning of the next
SHUFFLES = 1000
SEED = 20250213
LEAST = 3  # pairs needed for a correlation
SAME_MOOD = HOUR  # seconds: meetings with others within this time share much the same mood

Floats = NDArray[np.float64]


class Talked(NamedTuple):
    """A talk: the two people, and (who, words) of each line in order. t: when it began, second of town time."""

    who: tuple[str, str]
    lines: Sequence[tuple[str, str]]
    t: int = 0


class CarryoverPair(NamedTuple):
    """Sentiments of A's lines to B at the end of one meeting and at the beginning of the next. t, then: when the
    earlier and the later meeting began, seconds of town time.
    """

    a: str
    b: str
    before: float
    after: float
    t: int
    then: int


class CarryOver(NamedTuple):
    """value = correlation - shuffled, None if there is no correlation. pairs: number used, those with another meeting
    to shuffle with; people: number of A among them; shuffled: mean over shuffles.
    """

    value: float | None
    correlation: float | None
    shuffled: float | None
    pairs: int
    people: int


def carryover_pairs(
    talks: Iterable[Talked], sentiment: Callable[[str], float], lines: int = LINES
) -> list[CarryoverPair]:
    """The pairs of consecutive meetings, in the order of the later one. talks: in the order they began.

    lines: number of lines that form an end or a beginning; 0 = all of them. A person's lines count if there are that
    many in both meetings, and at least two.
    """
    out: list[CarryoverPair] = []
    last: dict[tuple[str, str], tuple[int, list[float]]] = {}
    for talk in talks:
        for a, b in (talk.who, talk.who[::-1]):
            said = [sentiment(text) for who, text in talk.lines if who == a]
            t, before = last.get((a, b), (0, []))
            if min(len(before), len(said)) >= max(LINES, lines):
                out.append(CarryoverPair(a, b, _mean(before[-lines:]), _mean(said[: lines or None]), t, talk.t))
            if said:
                last[a, b] = talk.t, said
    return out


def carry_over(found: Sequence[CarryoverPair], within: int | None = None) -> CarryOver:
    """The carry-over of one replica. within: seconds; partners are then shuffled only among meetings that close to each
    other, and closer than the two meetings are.
    """
    of: dict[str, list[CarryoverPair]] = {}
    for p in found:
        of.setdefault(p.a, []).append(p)

    def others(p: CarryoverPair) -> Iterator[float]:
        for q in of[p.a]:
            if q.b != p.b and (within is None or abs(q.t - p.t) < min(within, p.then - p.t)):
                yield q.before

    drawn = [(p, near) for p in found if (near := np.array([*others(p)], dtype=np.float64)).size]
    pairs = [p for p, _ in drawn]
    people = len({p.a for p in pairs})
    before = np.array([p.before for p in pairs], dtype=np.float64)
    after = np.array([p.after for p in pairs], dtype=np.float64)
    true = _correlations(before[None, :], after)
    if true is None:
        return CarryOver(None, None, None, len(pairs), people)
    chance = np.random.Generator(np.random.PCG64(SEED))
    shuffled = np.empty((SHUFFLES, len(pairs)))
    for i, (_, near) in enumerate(drawn):
        shuffled[:, i] = near[chance.integers(0, near.size, SHUFFLES)]
    left = _correlations(shuffled, after)
    correlation = float(true[0])
    mean = 0.0 if left is None else float(left.mean())
    return CarryOver(correlation - mean, correlation, mean, len(pairs), people)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _correlations(rows: Floats, other: Floats) -> Floats | None:
    """Pearson's correlation of each non-constant row with `other`; None if there is none, or too few numbers."""
    if other.size < LEAST:
        return None
    x = rows - rows.mean(axis=1, keepdims=True)
    y = other - other.mean()
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum())
    varied = size > 1e-12
    return np.asarray((x[varied] @ y) / size[varied], dtype=np.float64) if varied.any() else None
