"""Whom a town likes most and least, who does so most, and by which change of their feelings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandbox.stories.tielines import Moved, TieLines


class Liking(NamedTuple):
    """How a town feels about somebody. mean: of all others' feelings for them, 0 where there is none, in [-1, 1].

    by: who likes (or dislikes) them most, and feeling: how much; moved: the change of that feeling that went farthest
    that way, what it was before the world began if none did since, None if that went the other way, too.
    """

    who: str
    mean: float
    by: str
    feeling: float
    moved: Moved | None


def most_liked(lines: TieLines, people: Sequence[str], t: int) -> list[Liking]:
    """Everybody at second t, the most liked first."""
    return _ranked(lines, people, t, 1.0)


def least_liked(lines: TieLines, people: Sequence[str], t: int) -> list[Liking]:
    """Everybody at second t, the least liked first."""
    return _ranked(lines, people, t, -1.0)


def _ranked(lines: TieLines, people: Sequence[str], t: int, sign: float) -> list[Liking]:
    stood = lines.at(t)
    out = []
    for who in people:
        felt = {u: stood[u, who].feeling for u in people if (u, who) in stood}
        if felt:
            by = max(felt, key=lambda u: sign * felt[u])
            moves = [m for m in lines.line(by, who) if m.what == "feeling" and m.t <= t and sign * m.delta > 0.0]
            moved = max(moves, key=lambda m: (m.seq > 0, sign * m.delta, m.t), default=None)
            out.append(Liking(who, sum(felt.values()) / max(1, len(people) - 1), by, felt[by], moved))
    return sorted(out, key=lambda one: -sign * one.mean)
