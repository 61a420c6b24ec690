"""The scores a recommender ranks by, as pure functions over arrays (docs/feed.md, recommenders; seed 003, 2.3 and C.3).
Logarithms are rounded, so that the last bit of a machine's library decides nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.feed.tables import Floats, Ints

HOT_EPOCH = 1134028003  # seconds since 1970: where the hot score counts time from
HOT_SECONDS = 45000  # of age that weigh as much as ten times the score
UNIT_SECONDS = 180  # of age, in the recency of the X kind: 3 simulated minutes, whatever the tick
OLDEST = int(171.8 * UNIT_SECONDS)  # seconds of age from which a post is dropped: recency is 0
ROUND = 7
FEW = 8  # rows

_AGES = np.arange(OLDEST + 1, dtype=np.float64) / UNIT_SECONDS
_RECENCY: Floats = np.round(np.log((271.8 - _AGES) / 100), ROUND).astype(np.float32)


def hot(up: ArrayLike, down: ArrayLike, epoch: ArrayLike, formula: str = "reddit") -> NDArray[np.float64]:
    """The hot score of posts with so many likes and dislikes, written at that second since 1970 of simulated time.

    formula: "reddit": sign(s) log10(max(|s|, 1)) + (t - t0) / 45000 with s = up - down; "paper": equation 1 of seed
    003, log10(max(|s|, 1)) + sign(s) (t - t0) / 45000, in which a disliked post sinks as it is newer.
    """
    score = np.asarray(up, np.int64) - np.asarray(down, np.int64)
    order = np.log10(np.maximum(np.abs(score), 1))
    age = (np.asarray(epoch, np.int64) - HOT_EPOCH) / HOT_SECONDS
    sign = np.sign(score)
    found: NDArray[np.float64] = np.round(order + sign * age if formula == "paper" else sign * order + age, ROUND)
    return found


def recency(age: Ints) -> Floats:
    """R = ln((271.8 - age) / 100), of an age in seconds, in units of 3 minutes: 1 for a new post, 0 from 515 minutes on
    (seed 003, eq. 3).
    """
    return _RECENCY[np.clip(age, 0, OLDEST)]


def fame(fans: Ints) -> Floats:
    """F = max(1, log_1000(fans + 1)) (seed 003, eq. 4)."""
    found: Floats = np.maximum(1.0, np.round(np.log(fans + 1.0) / np.log(1000.0), ROUND)).astype(np.float32)
    return found


def top(scores: NDArray[np.floating], k: int) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
    """The k highest of each row and their scores, (n, k) both; of equals the first. scores: (n, m), spoilt by it.

    Where a row has less than k columns, the others are its first column with -inf.
    """
    n, m = scores.shape
    if n < FEW and m >= k:  # one sort is quicker than k looks
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        best = np.take_along_axis(scores, order, axis=1)
        np.put_along_axis(scores, order, -np.inf, axis=1)
        return order, best
    at = np.zeros((n, k), np.int64)
    found = np.full((n, k), -np.inf, scores.dtype)
    rows = np.arange(n)
    for i in range(min(k, m)):
        best = scores.argmax(axis=1)
        at[:, i] = best
        found[:, i] = scores[rows, best]
        scores[rows, best] = -np.inf
    return at, found
