"""Whom a town likes and dislikes most, who feels so most strongly, and which changes brought that about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandbox.readers.tielines import TieChange, TieLines

LIKES, DISLIKES = 0.2, -0.2  # feelings from which somebody counts as liking another, or disliking them


class Liking(NamedTuple):
    """How a town feels about somebody. many: how many others like (or dislike) them; summed: the sum of those feelings;
    mean: of all others' feelings, in [-1, 1], with 0 for those who feel nothing.

    by: who likes (or dislikes) them most, and feeling: how much; began: that feeling before the world began, None if
    there was none; moved: the largest single change in that direction since, None if there is none.
    """

    who: str
    many: int
    summed: float
    mean: float
    by: str
    feeling: float
    began: TieChange | None
    moved: TieChange | None


def rank_by_liking(lines: TieLines, people: Sequence[str], t: int) -> list[Liking]:
    """Everybody at second t, the most liked first: by the sum of feelings of LIKES or more."""
    return _ranked(lines, people, t, 1.0)


def rank_by_dislike(lines: TieLines, people: Sequence[str], t: int) -> list[Liking]:
    """Everybody at second t, the most disliked first: by the sum of feelings of DISLIKES or less."""
    return _ranked(lines, people, t, -1.0)


def _ranked(lines: TieLines, people: Sequence[str], t: int, sign: float) -> list[Liking]:
    stood = lines.at(t)
    out = []
    for who in people:
        felt = {u: stood[u, who].feeling for u in people if (u, who) in stood}
        if felt:
            by = max(felt, key=lambda u: sign * felt[u])
            counted = [x for x in felt.values() if (x >= LIKES if sign > 0.0 else x <= DISLIKES)]
            moves = [m for m in lines.line(by, who) if m.what == "feeling" and m.t <= t]
            began = next((m for m in moves if not m.seq), None)
            since = [m for m in moves if m.seq and sign * m.delta > 0.0]
            moved = max(since, key=lambda m: (sign * m.delta, m.t), default=None)
            mean = sum(felt.values()) / max(1, len(people) - 1)
            out.append(Liking(who, len(counted), sum(counted), mean, by, felt[by], began, moved))
    return sorted(out, key=lambda one: (-sign * one.summed, -sign * one.mean))
