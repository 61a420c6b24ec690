"""How far scores can be trusted: the gap between both ways round, and the agreement of judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec

from sandbox.core.events import r6
from sandbox.lab.judging import Scored, Where
from sandbox.lab.statistics import spearman


class Verdict(NamedTuple):
    """What a judge says of a match, both ways round taken together. one, other: mean scores, None unless both ways were
    read: one way alone would keep what it is worth to stand first. gap: mean distance between the two ways round.
    """

    judge: str
    criterion: str
    where: Where
    one: float | None
    other: float | None
    gap: float | None


class Agreement(msgspec.Struct, frozen=True):
    """Two judges on a criterion. rho: Spearman's over judged versions, ties sharing ranks; n: how many both scored.
    over_arms: the same over the means of arms, which says nothing (of two it is 1 or -1); arms: how many.
    """

    criterion: str
    judges: tuple[str, str]
    rho: float | None
    n: int
    over_arms: float | None
    arms: int


def verdicts(scored: Iterable[Scored]) -> list[Verdict]:
    """Both ways round together, by judge, criterion and match."""
    asked: dict[tuple[str, str, Where], list[Scored]] = {}
    for s in scored:
        asked.setdefault((s.judge, s.criterion, s.where), []).append(s)
    out = []
    for (judge, criterion, where), ways in asked.items():
        read = [(s.one, s.other) for s in ways if s.one is not None and s.other is not None]
        if len(read) < 2:
            out.append(Verdict(judge, criterion, where, None, None, None))
            continue
        (a, b), (c, d) = read
        gap = r6((abs(a - c) + abs(b - d)) / 2.0)
        out.append(Verdict(judge, criterion, where, r6((a + c) / 2.0), r6((b + d) / 2.0), gap))  # equal ones stay equal
    return out


def agreements(found: Sequence[Verdict]) -> list[Agreement]:
    """Every two judges on every criterion, over each version of each match (per judged conversation;
    over means of systems it would say nothing).
    """
    scores: dict[tuple[str, str], dict[tuple[Where, int], float]] = {}
    for v in found:
        own = scores.setdefault((v.criterion, v.judge), {})
        own.update({(v.where, side): x for side, x in enumerate((v.one, v.other)) if x is not None})
    out = []
    for criterion in dict.fromkeys(c for c, _ in scores):
        for a, b in combinations((judge for c, judge in scores if c == criterion), 2):
            x, y = scores[criterion, a], scores[criterion, b]
            both = sorted(x.keys() & y.keys())
            rho = _rho([x[k] for k in both], [y[k] for k in both])
            mean_x, mean_y = _by_arm(x, both), _by_arm(y, both)
            out.append(Agreement(criterion, (a, b), rho, len(both), _rho(mean_x, mean_y), len(mean_x)))
    return out


def _by_arm(scores: Mapping[tuple[Where, int], float], keys: Sequence[tuple[Where, int]]) -> list[float]:
    """The means of arms, in an order that is the same for all judges."""
    of: dict[tuple[str, str, int], list[float]] = {}
    for where, side in keys:
        of.setdefault((where.arm, where.against, side), []).append(scores[where, side])
    return [sum(own) / len(own) for own in of.values()]


def _rho(x: Sequence[float], y: Sequence[float]) -> float | None:
    found = spearman(x, y)
    return None if found is None else r6(found)
