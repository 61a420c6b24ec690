"""Ties as arrays: one round of the rule of `ties.py` for all pairs of a crowd at once.

A matrix has the shape (n, n) and holds a number for each ordered pair of n people. As in `ties.py`, row u and column v
is u towards v, which what v does towards u moves (A_uv of Learning to Make Friends, section 3.4). Its diagonal is 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandbox.people.ties import REMEMBERED, TieParameters

Matrix = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
EPSILON = 1e-6


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


def approval(likes: Matrix, dislikes: Matrix) -> Matrix:
    """(likes - dislikes)/(likes + dislikes), in [-1, 1]; 0 where there was no vote."""
    votes = likes + dislikes
    return np.divide(likes - dislikes, votes, out=np.zeros_like(votes), where=votes > 0)


def affect(s: Signals) -> Matrix:
    """Mean sentiment of v's messages to u where v sent any and cast no vote, in [-1, 1]; else 0."""
    counts = (s.messages > 0) & (s.likes + s.dislikes == 0)
    return np.divide(s.sentiment, s.messages, out=np.zeros_like(s.sentiment), where=counts)


def remembered(before: Matrix, likes: Matrix, memory: float = REMEMBERED) -> Matrix:
    """The moving average L of likes after a round: memory L + (1 - memory) likes."""
    return memory * before + (1.0 - memory) * likes


def reciprocity(liked: Matrix, paper: bool = False) -> Matrix:
    """1 - |L(v->u) - L(u->v)|/(L(v->u) + L(u->v) + eps), in [0, 1], of the moving averages of likes. While no like has
    passed either way 0, or as it is printed 1 (paper).
    """
    both = liked + liked.T
    found = 1.0 - np.abs(liked - liked.T) / (both + EPSILON)
    return found if paper else np.where(both > 0.0, found, 0.0)


def evidence(s: Signals, liked: Matrix, paper: bool = False) -> Matrix:
    """What a round speaks for each tie, in (0, 1), as `ties.evidence`. liked: the moving averages of likes after it."""
    m = 0.6 * approval(s.likes, s.dislikes) + 0.6 * affect(s) + 0.2 * reciprocity(liked, paper) + 0.2 * s.new
    return 1.0 / (1.0 + np.exp(-6.0 * (m - 0.35)))


def reweighed(ties: Matrix, e: Matrix, acted: Flags, p: TieParameters) -> Matrix:
    """All ties after a round: where v acted, A + min(dmax, (1 - A) max(0, e - xi)); else A 2^(-1/h), with the half-life
    in rounds.
    """
    grown = ties + np.minimum(p.dmax, (1.0 - ties) * np.maximum(0.0, e - p.xi))
    out = np.where(acted, grown, ties * 2.0 ** (-1.0 / p.half_life))
    np.fill_diagonal(out, 0.0)
    return out
