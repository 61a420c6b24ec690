"""Probabilities of what rules decide: who will be there, how votes add up, and who is best with luck. Pure functions.

What may change until the hour (moods, ties, what is believed) is a normal spread around the sum of the rules as it is
now, which grows with the time that is left. Its size, and how often people are where they are expected, is measured
(docs/goals.md, Odds).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sandbox.core.clock import HOUR
from sandbox.drama.leanings import LUCK, UNSURE

LONG = 24.0  # hours from which the spread grows no more
VOTES, FORMS = 0.15, 0.08  # spread of what draws a voter, and of what a contestant brings, LONG before the hour
CELL = 0.01  # of the grid on which sums and luck are laid
REACH = 4.0  # standard deviations beyond which nothing is counted

Grid = NDArray[np.float64]


def score_spread(most: float, left: int) -> float:
    """How far a sum of rules may still move in so many seconds, a standard deviation."""
    return most * math.sqrt(min(LONG, max(0.0, left / HOUR)) / LONG)


def normal(x: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def votes_yes(score: float, sd: float) -> float:
    """The probability that somebody votes yes: of a sum of rules, clip(1/2 + 1/2 score/UNSURE), over its spread."""
    if sd <= 0:
        return min(1.0, max(0.0, 0.5 + 0.5 * score / UNSURE))
    steps = np.linspace(-REACH, REACH, 81)
    weights = np.exp(-0.5 * steps * steps)
    yes = np.clip(0.5 + 0.5 * (score + sd * steps) / UNSURE, 0.0, 1.0)
    return float((weights * yes).sum() / weights.sum())


def majority(voters: Sequence[tuple[float, float]], least: int) -> tuple[float, float, float]:
    """(yes, no, off) of a vote. voters: of each the probability of being there, and of a yes; least: fewer decide
    nothing. A tie is a no.
    """
    table = {(0, 0): 1.0}
    for there, yes in voters:
        grown: dict[tuple[int, int], float] = {}
        for (y, n), p in table.items():
            for key, q in (((y + 1, n), there * yes), ((y, n + 1), there * (1.0 - yes)), ((y, n), 1.0 - there)):
                if q:
                    grown[key] = grown.get(key, 0.0) + p * q
        table = grown
    off = sum(p for (y, n), p in table.items() if y + n < least)
    won = sum(p for (y, n), p in table.items() if y + n >= least and y > n)
    return won, max(0.0, 1.0 - off - won), off


@cache
def _luck(sd: float) -> tuple[float, Grid]:
    """(lowest value, densities by cells) of luck and spread together: a triangle of LUCK either way, and a normal."""
    half = round((LUCK + REACH * sd) / CELL) + 1
    x = np.arange(-half, half + 1) * CELL
    triangle = np.maximum(0.0, 1.0 - np.abs(x) / LUCK)
    if sd > 0:
        bell = np.exp(-0.5 * (x / sd) ** 2)
        triangle = np.convolve(triangle, bell, "same")
    return float(x[0]), triangle / triangle.sum()


def win_chances(entrants: Sequence[tuple[float, float]], sd: float) -> tuple[list[float], float]:
    """(of each the probability of winning, of fewer than two being there) of a contest. entrants: of each the
    probability of being there, and the sum of the rules.
    """
    if not entrants:
        return [], 1.0
    low, luck = _luck(round(sd, 3))
    scores = [score for _, score in entrants]
    first = min(scores) + low
    cells = round((max(scores) - min(scores)) / CELL) + len(luck) + 2
    densities = np.zeros((len(entrants), cells))
    for i, score in enumerate(scores):
        at = round((score + low - first) / CELL)
        densities[i, at : at + len(luck)] = luck
    there = np.array([p for p, _ in entrants])
    beaten = 1.0 - there[:, None] + there[:, None] * (np.cumsum(densities, axis=1) - densities / 2)
    wins, off = [], float(np.prod(1.0 - there))
    for i, p in enumerate(there):
        alone = float(p * np.prod(np.delete(1.0 - there, i)))
        others = np.prod(np.delete(beaten, i, axis=0), axis=0)
        wins.append(max(0.0, float(p * (densities[i] * others).sum()) - alone))
        off += alone
    return wins, min(1.0, off)
