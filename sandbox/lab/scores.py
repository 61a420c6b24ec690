"""What judges said, put together: both ways round, over seeds, judge against judge, and what each judge came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec

from sandbox.core.events import r6
from sandbox.lab.experiment import Comparison
from sandbox.lab.judging import CRITERIA, Scored, Where
from sandbox.lab.statistics import Estimate, estimate, spearman
from sandbox.minds.calls import Spent


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
    return _means(((where.arm, where.against, side), scores[where, side]) for where, side in keys)


def _means(values: Iterable[tuple[Hashable, float]]) -> list[float]:
    """The mean of what stands under each key, by the first of each."""
    of: dict[Hashable, list[float]] = {}
    for key, x in values:
        of.setdefault(key, []).append(x)
    return [sum(own) / len(own) for own in of.values()]


def _rho(x: Sequence[float], y: Sequence[float]) -> float | None:
    found = spearman(x, y)
    return None if found is None else r6(found)


PAIRS = 20  # that judges get of each seed and criterion, at most


class Judging(msgspec.Struct, frozen=True):
    """What judges were asked for. judges: as `--judge` takes them; pairs: of a seed and criterion, at most."""

    judges: tuple[str, ...]
    pairs: int = PAIRS


class Score(msgspec.Struct, frozen=True):
    """A judge on a criterion and two arms. one, other, difference: over seeds, of those pairs that were read both ways
    round (`pairs`, of `drawn`). won, same: shares of pairs in which `arm` has the higher score, and the same. gap: mean
    distance between both ways round, in points. Of `asked` answers, unread could not be read, missing never came;
    clipped: scores out of the range.
    """

    judge: str
    criterion: str
    arm: str
    against: str
    one: Estimate
    other: Estimate
    difference: Estimate
    won: float | None
    same: float | None
    gap: float | None
    pairs: int
    drawn: int
    asked: int
    unread: int
    missing: int
    clipped: int


class Bill(msgspec.Struct, frozen=True):
    """What a judge's calls came to, in this folder; cost: US dollars, 0 where no price is known."""

    judge: str
    calls: int
    tokens: int
    cost: float


class Judgements(msgspec.Struct, frozen=True):
    """All of it. said: every answer, and why there is none (`fault`)."""

    scores: tuple[Score, ...]
    agreements: tuple[Agreement, ...]
    bills: tuple[Bill, ...]
    said: tuple[Scored, ...]

    @property
    def missing(self) -> dict[str, Counter[str]]:
        """Judge -> why answers never came, and how many; the next run asks for them again."""
        out: dict[str, Counter[str]] = {}
        for s in self.said:
            if s.fault:
                out.setdefault(s.judge, Counter())[s.fault] += 1
        return out


def judgements(
    judges: Sequence[str], pairs: Iterable[Comparison], said: Sequence[Scored], spent: Callable[[str], Spent]
) -> Judgements:
    """Put together what was said. spent: what the calls of a judge came to."""
    found = verdicts(said)
    scores = [_score(name, key, pair, said, found) for pair in pairs for name in judges for key in CRITERIA]
    bills = [Bill(name, s.calls, s.tokens, r6(s.cost)) for name in judges for s in (spent(name),)]
    return Judgements(tuple(scores), tuple(agreements(found)), tuple(bills), tuple(said))


def _score(name: str, key: str, pair: Comparison, said: Sequence[Scored], found: Sequence[Verdict]) -> Score:
    own = [s for s in said if _is(s, name, key, pair)]
    read = [
        (v.where.seed, v.one, v.other, v.gap)
        for v in found
        if _is(v, name, key, pair) and v.one is not None and v.other is not None and v.gap is not None
    ]
    n = len(read)
    label = f"{name} {key} {pair.arm} {pair.against}"
    return Score(
        judge=name,
        criterion=key,
        arm=pair.arm,
        against=pair.against,
        one=_over_seeds(((seed, a) for seed, a, _, _ in read), f"{label} one"),
        other=_over_seeds(((seed, b) for seed, _, b, _ in read), f"{label} other"),
        difference=_over_seeds(((seed, a - b) for seed, a, b, _ in read), label),
        won=r6(sum(a > b for _, a, b, _ in read) / n) if n else None,
        same=r6(sum(a == b for _, a, b, _ in read) / n) if n else None,
        gap=r6(sum(gap for _, _, _, gap in read) / n) if n else None,
        pairs=n,
        drawn=len({s.where for s in own}),
        asked=len(own),
        unread=sum((s.one is None or s.other is None) and not s.fault for s in own),
        missing=sum(bool(s.fault) for s in own),
        clipped=sum(s.clipped for s in own),
    )


def _is(x: Scored | Verdict, judge: str, criterion: str, pair: Comparison) -> bool:
    return (x.judge, x.criterion, x.where.arm, x.where.against) == (judge, criterion, pair.arm, pair.against)


def _over_seeds(values: Iterable[tuple[int, float]], name: str) -> Estimate:
    """The mean of means: a seed counts once, however many of its pairs were judged."""
    return estimate(_means(values), name)
