"""How far scores can be trusted: the gap between both ways round, and the agreement of judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from sandbox.lab.judging import Scored
from sandbox.lab.statistics import spearman


class Verdict(NamedTuple):
    """What a judge says of a match, both ways round taken together. one, other: mean scores, None if none was read.
    gap: mean distance between the two ways round, None unless both were read.
    """

    judge: str
    criterion: str
    match: str
    one: float | None
    other: float | None
    gap: float | None


class Summary(NamedTuple):
    """A judge on a criterion. matches: with a score on either side; one, other: means over them; gap: mean, in points;
    asked: scores asked for; unread: how many could not be read; clipped: how many were out of the range.
    """

    judge: str
    criterion: str
    matches: int
    one: float | None
    other: float | None
    gap: float | None
    asked: int
    unread: int
    clipped: int


class Agreement(NamedTuple):
    """Two judges on a criterion. rho: Spearman's over judged versions, ties sharing ranks; n: how many both scored."""

    criterion: str
    judges: tuple[str, str]
    rho: float | None
    n: int


def verdicts(scored: Iterable[Scored]) -> list[Verdict]:
    """Both ways round together, by judge, criterion and match."""
    asked: dict[tuple[str, str, str], list[Scored]] = {}
    for s in scored:
        asked.setdefault((s.judge, s.criterion, s.match), []).append(s)
    out = []
    for (judge, criterion, match), ways in sorted(asked.items()):
        sides = [[s.one for s in ways], [s.other for s in ways]]
        means = [_mean([x for x in side if x is not None]) for side in sides]
        gaps = [abs(a - b) for a, b in sides if a is not None and b is not None] if len(ways) == 2 else []
        out.append(Verdict(judge, criterion, match, means[0], means[1], _mean(gaps)))
    return out


def summaries(scored: Sequence[Scored]) -> list[Summary]:
    """Each judge on each criterion."""
    of: dict[tuple[str, str], list[Scored]] = {}
    for s in scored:
        of.setdefault((s.judge, s.criterion), []).append(s)
    out = []
    for (judge, criterion), own in sorted(of.items()):
        found = verdicts(own)
        both = [(v.one, v.other) for v in found if v.one is not None and v.other is not None]
        out.append(
            Summary(
                judge=judge,
                criterion=criterion,
                matches=len(both),
                one=_mean([a for a, _ in both]),
                other=_mean([b for _, b in both]),
                gap=_mean([v.gap for v in found if v.gap is not None]),
                asked=2 * len(own),
                unread=sum((s.one is None) + (s.other is None) for s in own),
                clipped=sum(s.clipped for s in own),
            )
        )
    return out


def agreements(found: Sequence[Verdict]) -> list[Agreement]:
    """Every two judges on every criterion, over each version of each match (spec/emotion.md: per judged conversation;
    over means of systems it would say nothing).
    """
    scores: dict[tuple[str, str], dict[tuple[str, int], float]] = {}
    for v in found:
        own = scores.setdefault((v.criterion, v.judge), {})
        own.update({(v.match, side): x for side, x in enumerate((v.one, v.other)) if x is not None})
    out = []
    for criterion in sorted({c for c, _ in scores}):
        for a, b in combinations(sorted(judge for c, judge in scores if c == criterion), 2):
            x, y = scores[criterion, a], scores[criterion, b]
            both = sorted(x.keys() & y.keys())
            out.append(Agreement(criterion, (a, b), spearman([x[k] for k in both], [y[k] for k in both]), len(both)))
    return out


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
