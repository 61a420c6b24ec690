"""Does a mood carry over from one meeting to the next? Told from the text alone.

For each person A and each partner B: the sentiment of A's last two lines to B at one meeting, and of A's first two
lines to B at the next. Their correlation over all such pairs holds more than a memory of the meeting: some people
always speak kindly, and that alone correlates. So it is compared with what is left when partners are shuffled within
each A: every beginning is set against the end of a meeting of A with somebody else, 1,000 times, and the mean
correlation is taken off. What remains is carry-over: that it was *this* partner.

Nobody is shuffled onto their own partner. Else a beginning would now and then meet the end of its own meeting, which is
like it for a plain reason, and what is taken off would be too much.

A mood that lasts comes back, too, if the next meeting with that partner is soon, whoever that is. Shuffled among
meetings within an hour of that one alone, partners share it, and what remains is owed to who it was. They lie no
further from that meeting than the next does: else, of what comes before and after, more of before would be drawn, and
a mood that fades would be taken for the partner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.core.clock import HOUR

LINES = 2  # at the end of one meeting and at the beginning of the next
SHUFFLES = 1000
SEED = 20250213
LEAST = 3  # pairs for a correlation
SAME_MOOD = HOUR  # seconds within which a meeting with somebody else was held in much the same mood

Floats = NDArray[np.float64]


class Talked(NamedTuple):
    """A talk: who talked, and (who, words) of each line in order. t: when it began, seconds of the town."""

    who: tuple[str, str]
    lines: Sequence[tuple[str, str]]
    t: int = 0


class CarryoverPair(NamedTuple):
    """Sentiments of A's lines to B: the end of one meeting, and the beginning of the next. t, then: when the one began,
    and the other, seconds of the town.
    """

    a: str
    b: str
    before: float
    after: float
    t: int
    then: int


class CarryOver(NamedTuple):
    """value = correlation - shuffled, None where there is no correlation. pairs: how many entered, which are those with
    anything to be shuffled with; people: of how many A they are; shuffled: the mean over shuffles.
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

    lines: of how many a side's end and beginning consist; 0 = of all it said. A side enters if it said so many in both
    meetings, and two at least.
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
    """The measure of one replica. within: seconds; partners are shuffled among meetings so close to one another alone,
    and closer than the two meetings are.
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
    """Pearson's of each row that varies with the other numbers; None if none does, or there are too few numbers."""
    if other.size < LEAST:
        return None
    x = rows - rows.mean(axis=1, keepdims=True)
    y = other - other.mean()
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum())
    varied = size > 1e-12
    return np.asarray((x[varied] @ y) / size[varied], dtype=np.float64) if varied.any() else None
