"""What judges said, put together: mean scores and their differences over seeds, and what each judge came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from sandbox.core.events import r6
from sandbox.lab.agreement import Agreement, Verdict, agreements, verdicts
from sandbox.lab.experiment import Comparison
from sandbox.lab.judging import Scored
from sandbox.lab.rubrics import CRITERIA
from sandbox.lab.statistics import Estimate, estimate
from sandbox.minds.calls import Spent

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
        one=_over_seeds([(seed, a) for seed, a, _, _ in read], f"{label} one"),
        other=_over_seeds([(seed, b) for seed, _, b, _ in read], f"{label} other"),
        difference=_over_seeds([(seed, a - b) for seed, a, b, _ in read], label),
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


def _over_seeds(values: Sequence[tuple[int, float]], name: str) -> Estimate:
    """The mean of means: a seed counts once, however many of its pairs were judged."""
    of: dict[int, list[float]] = {}
    for seed, x in values:
        of.setdefault(seed, []).append(x)
    return estimate([sum(own) / len(own) for own in of.values()], name)
