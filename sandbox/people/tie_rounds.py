"""Ties as arrays: one round of the rule of `ties.py` for all pairs of a crowd at once.

A matrix has the shape (n, n) and holds a number for each ordered pair of n people. As in `ties.py`, row u and column v
is u towards v, which what v does towards u moves (A_uv of Learning to Make Friends, section 3.4). Its diagonal is 0.

A round of a large crowd is worked out a block of rows at a time, in place, so that what is worked on stays near the
processor; the numbers are the same to the last bit as of all rows at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.people.ties import REMEMBERED, TieParameters

Matrix = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
EPSILON = 1e-6
BLOCK = 16_384  # numbers of a matrix that are worked on at a time: an eighth of a megabyte


class Signals(NamedTuple):
    """What v did towards u in a round. likes, dislikes: of what u wrote; messages: to u, and sentiment: the sum of
    theirs, each in [-1, 1]; new: whether v brought u a topic that u had not met; acted: whether v addressed u or took
    up something of u's at all (zeta).
    """

    likes: Matrix
    dislikes: Matrix
    sentiment: Matrix
    messages: Matrix
    new: Flags
    acted: Flags


def _blocks(n: int) -> Iterator[slice]:
    """The rows of a matrix of n people, a block at a time."""
    rows = max(1, BLOCK // max(1, n))
    return (slice(first, first + rows) for first in range(0, n, rows))


def approval(likes: Matrix, dislikes: Matrix) -> Matrix:
    """(likes - dislikes)/(likes + dislikes), in [-1, 1]; 0 where there was no vote."""
    out = likes - dislikes
    out /= _divisor(likes + dislikes)
    return out


def _divisor(counts: Matrix) -> Matrix:
    """Counts, with 1 where there is none: 0 of nothing is 0. Quicker than to leave such places out."""
    counts += counts == 0
    return counts


def affect(s: Signals) -> Matrix:
    """Mean sentiment of v's messages to u where v sent any and cast no vote, in [-1, 1]; else 0."""
    counts = (s.messages > 0) & (s.likes + s.dislikes == 0)
    out: Matrix = s.sentiment / _divisor(s.messages.copy())
    out *= counts
    return out


def average_likes(before: Matrix, likes: Matrix, memory: float = REMEMBERED) -> Matrix:
    """The moving average L of likes after a round: memory L + (1 - memory) likes."""
    out = memory * before
    for rows in _blocks(len(out)):
        out[rows] += (1.0 - memory) * likes[rows]
    return out


def reciprocity_matrix(liked: Matrix, paper: bool = False) -> Matrix:
    """1 - |L(v->u) - L(u->v)|/(L(v->u) + L(u->v) + eps), in [0, 1], of the moving averages of likes. While no like has
    passed either way 0, or as it is printed 1 (paper).
    """
    return _reciprocity(liked, liked.T, paper)


def _reciprocity(there: Matrix, back: Matrix, paper: bool) -> Matrix:
    both = there + back
    out = np.abs(there - back)
    out /= both + EPSILON
    np.subtract(1.0, out, out=out)
    if not paper:
        out *= both > 0.0
    return out


def _rows(s: Signals, rows: slice) -> Signals:
    whole: Any = [matrix[rows] for matrix in s]
    return Signals(*whole)


def evidence_matrix(s: Signals, liked: Matrix, paper: bool = False) -> Matrix:
    """What a round speaks for each tie, in (0, 1), as `ties.tie_evidence`. liked: moving averages of likes after it."""
    out = np.empty_like(liked)
    for rows in _blocks(len(out)):
        part = _rows(s, rows)
        m = out[rows]  # a view: what is done to it is done to `out`
        np.multiply(approval(part.likes, part.dislikes), 0.6, out=m)
        more = affect(part)
        more *= 0.6
        m += more
        more = _reciprocity(liked[rows], liked[:, rows].T, paper)
        more *= 0.2
        m += more
        np.multiply(part.new, 0.2, out=more)
        m += more
        m -= 0.35
        m *= -6.0
        np.exp(m, out=m)
        m += 1.0
        np.divide(1.0, m, out=m)
    return out


def update_ties(ties: Matrix, e: Matrix, acted: Flags, p: TieParameters) -> Matrix:
    """All ties after a round: where v acted, A + min(dmax, (1 - A) max(0, e - xi)); else A 2^(-1/h), with the half-life
    in rounds.
    """
    out: Matrix = ties * 2.0 ** (-1.0 / p.half_life)
    for rows in _blocks(len(out)):
        grown, left = e[rows] - p.xi, 1.0 - ties[rows]
        np.maximum(0.0, grown, out=grown)
        grown *= left
        np.minimum(p.dmax, grown, out=grown)
        grown += ties[rows]
        np.copyto(out[rows], grown, where=acted[rows])
    np.fill_diagonal(out, 0.0)
    return out
