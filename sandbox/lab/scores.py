"""Judges' scores summed up: over both orders, over seeds, agreement of judges, and each judge's result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple

from sandbox.core.events import r6
from sandbox.core.plain import count_of, shown_as, some
from sandbox.lab.experiment import Comparison
from sandbox.lab.judging import CRITERIA, Scored, Where
from sandbox.lab.statistics import Estimate, PairedDifference, estimate, paired_differences, with_q
from sandbox.lab.wording import JUDGED, Table, column_table
from sandbox.minds.budget import Spent
from sandbox.readers.numbers import spearman


class MatchVerdict(NamedTuple):
    """A judge's scores of a match, averaged over both orders. one, other: None unless both were readable: a single
    order would include the advantage of the first place. gap: mean distance between the two orders.
    """

    judge: str
    criterion: str
    where: Where
    one: float | None
    other: float | None
    gap: float | None


class Agreement(msgspec.Struct, frozen=True):
    """Agreement of two judges on a criterion. rho: Spearman's over judged versions, ties sharing ranks; n: scored by
    both. over_arms: rho over the means of arms, which is meaningless for two (1 or -1); arms: how many.
    """

    criterion: str
    judges: tuple[str, str]
    rho: float | None
    n: int
    over_arms: float | None
    arms: int


def match_verdicts(scored: Iterable[Scored]) -> list[MatchVerdict]:
    """Combine both orders, by judge, criterion and match."""
    asked: dict[tuple[str, str, Where], list[Scored]] = {}
    for s in scored:
        asked.setdefault((s.judge, s.criterion, s.where), []).append(s)
    out = []
    for (judge, criterion, where), ways in asked.items():
        read = [(s.one, s.other) for s in ways if s.one is not None and s.other is not None]
        if len(read) < 2:
            out.append(MatchVerdict(judge, criterion, where, None, None, None))
            continue
        (a, b), (c, d) = read
        gap = r6((abs(a - c) + abs(b - d)) / 2.0)
        out.append(
            MatchVerdict(judge, criterion, where, r6((a + c) / 2.0), r6((b + d) / 2.0), gap)
        )  # stable for equal keys
    return out


def agreements(found: Sequence[MatchVerdict]) -> list[Agreement]:
    """The agreement of each two judges on each criterion, over versions of matches (not over means of arms, which would
    be meaningless).
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
    """The means of arms, in the same order for all judges."""
    return _means(((where.arm, where.against, side), scores[where, side]) for where, side in keys)


def _means(values: Iterable[tuple[Hashable, float]]) -> list[float]:
    """The mean for each key, in order of first occurrence."""
    of: dict[Hashable, list[float]] = {}
    for key, x in values:
        of.setdefault(key, []).append(x)
    return [sum(own) / len(own) for own in of.values()]


def _rho(x: Sequence[float], y: Sequence[float]) -> float | None:
    found = spearman(x, y)
    return None if found is None else r6(found)


PAIRS = 20  # per seed and criterion, at most


class Judging(msgspec.Struct, frozen=True):
    """What judges were asked. judges: as for `--judge`; pairs: per seed and criterion, at most."""

    judges: tuple[str, ...]
    pairs: int = PAIRS


class CriterionScore(msgspec.Struct, frozen=True):
    """A judge on a criterion and two arms. one, other, difference: over seeds, of those pairs that were read both ways
    round (`pairs`, of `drawn`); a difference's q is among the criteria. won, same: shares of pairs in which `arm` has
    the higher score, and the same. gap: mean distance between both ways round, in points. Of `asked` answers, unread
    could not be read, missing never came; clipped: scores out of the range.
    """

    judge: str
    criterion: str
    arm: str
    against: str
    one: Estimate
    other: Estimate
    difference: PairedDifference
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
    """Calls, tokens and cost of a judge in this folder; cost: US dollars, 0 if no price is known."""

    judge: str
    calls: int
    tokens: int
    cost: float


class Judgements(msgspec.Struct, frozen=True):
    """All judges' results. said: every answer, or why there is none (`fault`)."""

    scores: tuple[CriterionScore, ...]
    agreements: tuple[Agreement, ...]
    bills: tuple[Bill, ...]
    said: tuple[Scored, ...]

    def __repr__(self) -> str:
        by = some(bill.judge for bill in self.bills)
        return shown_as(
            self, f"{count_of(len(self.said), 'answer')} by {by or 'nobody'}", ".scores, .agreements, .tables"
        )

    @property
    def missing(self) -> dict[str, Counter[str]]:
        """Judge -> reasons for missing answers, counted; the next run asks again."""
        out: dict[str, Counter[str]] = {}
        for s in self.said:
            if s.fault:
                out.setdefault(s.judge, Counter())[s.fault] += 1
        return out

    @property
    def tables(self) -> dict[str, Table]:
        """Table name (of `lab.wording.JUDGED`) -> table."""
        number, said = Estimate.__struct_fields__, [s for s in self.said if not s.fault]
        counts = ("won", "same", "gap", "pairs", "drawn", "asked", "unread", "missing", "clipped")
        where = ("judge", "criterion", "arm", "against")
        three = (f"{part}_{key}" for part in ("one", "other", "difference") for key in number)
        judged: list[Sequence[Any]] = [
            (
                *(getattr(s, key) for key in where),
                *(x for e in (s.one, s.other, s.difference.estimate) for x in astuple(e)),
                *(s.difference.p, s.difference.q),
                *(getattr(s, key) for key in counts),
            )
            for s in self.scores
        ]
        agreed: list[Sequence[Any]] = [
            (a.criterion, *a.judges, a.rho, a.n, a.over_arms, a.arms) for a in self.agreements
        ]
        each: list[Sequence[Any]] = [
            (s.judge, s.criterion, s.where.arm, s.where.against, s.where.seed, s.where.match, int(s.swapped), s.one,
             s.other, s.clipped, s.why_one, s.why_other)
            for s in said
        ]  # fmt: skip
        heads = (
            (*where, *three, "p", "q", *counts),
            ("criterion", "judge", "other_judge", "rho", "n", "over_arms", "arms"),
            (*where, "seed", "match", "swapped", "one", "other", "clipped", "why_one", "why_other"),
        )
        made = (column_table(head, rows) for head, rows in zip(heads, (judged, agreed, each), strict=True))
        return dict(zip(JUDGED, made, strict=True))


def judgements(
    judges: Sequence[str], pairs: Iterable[Comparison], said: Sequence[Scored], spent: Callable[[str], Spent]
) -> Judgements:
    """Sum up what was said. spent: the total of a judge's calls."""
    found = match_verdicts(said)
    scores = [score for pair in pairs for name in judges for score in _scores(name, pair, said, found)]
    bills = [Bill(name, s.calls, s.tokens, r6(s.cost)) for name in judges for s in (spent(name),)]
    return Judgements(tuple(scores), tuple(agreements(found)), tuple(bills), tuple(said))


def _scores(name: str, pair: Comparison, said: Sequence[Scored], found: Sequence[MatchVerdict]) -> list[CriterionScore]:
    """A judge's scores of two arms, by criterion, with q among the criteria."""
    read = {
        key: [
            (v.where.seed, v.one, v.other, v.gap)
            for v in found
            if _is(v, name, key, pair) and v.one is not None and v.other is not None and v.gap is not None
        ]
        for key in CRITERIA
    }
    seeds = sorted({seed for own in read.values() for seed, *_ in own})
    more = {key: _by_seed(seeds, ((seed, a - b) for seed, a, b, _ in own)) for key, own in read.items()}
    found_more = with_q(paired_differences(more, f"{name} {pair.arm} {pair.against}"), CRITERIA)
    out = []
    for key, rows in read.items():
        own, n = [s for s in said if _is(s, name, key, pair)], len(rows)
        out.append(
            CriterionScore(
                judge=name,
                criterion=key,
                arm=pair.arm,
                against=pair.against,
                one=estimate(_by_seed(seeds, ((seed, a) for seed, a, _, _ in rows))),
                other=estimate(_by_seed(seeds, ((seed, b) for seed, _, b, _ in rows))),
                difference=found_more[key],
                won=r6(sum(a > b for _, a, b, _ in rows) / n) if n else None,
                same=r6(sum(a == b for _, a, b, _ in rows) / n) if n else None,
                gap=r6(sum(gap for _, _, _, gap in rows) / n) if n else None,
                pairs=n,
                drawn=len({s.where for s in own}),
                asked=len(own),
                unread=sum((s.one is None or s.other is None) and not s.fault for s in own),
                missing=sum(bool(s.fault) for s in own),
                clipped=sum(s.clipped for s in own),
            )
        )
    return out


def _is(x: Scored | MatchVerdict, judge: str, criterion: str, pair: Comparison) -> bool:
    return (x.judge, x.criterion, x.where.arm, x.where.against) == (judge, criterion, pair.arm, pair.against)


def _by_seed(seeds: Sequence[int], values: Iterable[tuple[int, float]]) -> list[float | None]:
    """The mean of each seed; seeds then count equally, whatever their number of pairs."""
    of: dict[int, list[float]] = {}
    for seed, x in values:
        of.setdefault(seed, []).append(x)
    return [r6(sum(of[seed]) / len(of[seed])) if seed in of else None for seed in seeds]
