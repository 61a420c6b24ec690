"""The summary of an experiment for those who read nothing else: plain values, which the templates put into words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, get_args

from sandbox.lab.metrics import metric
from sandbox.lab.published import CLAIMS, FRIENDSHIP, Conclusion, besides, conclude_claims, difference_sign, put_there
from sandbox.lab.results import ArmComparison, ArmResult, Results
from sandbox.lab.statistics import ENOUGH, Estimate, required_seeds
from sandbox.lab.wording import chance, more, number_text

CAST = ("reciprocity", "weighted_reciprocity", "modularity")
Says = Literal["nothing", "few", "open", "unsettled", "difference", "expected", "opposite"]
NEAR = 0.02  # a network measure that a run changes by less is almost the cast's own


class MetricHeadline(NamedTuple):
    """A metric of two arms. expected: the direction predicted beforehand, "" = none. seeds: those with a value in both.
    q: "" if tested alone. verdict: nothing to compare; too few seeds to tell; open, if the interval contains 0;
    unsettled, if not but p, or q, is too high; else a difference, or one as expected, or the opposite. built_in: our
    rules that build in a difference a paper claims, "" = none; along: further differences between the arms
    (`published.besides`).
    """

    label: str
    arm: str
    against: str
    expected: str
    seeds: list[int]
    said: str
    half: str
    p: str
    q: str
    verdict: Says
    trial: bool
    built_in: str = ""
    along: tuple[str, ...] = ()


def make_headline(results: Results, pair: ArmComparison, key: str) -> MetricHeadline:
    """The difference of two arms in a metric, and its verdict."""
    found, m = pair.metrics[key], metric(key)
    e, expected = found.estimate, results.plan.experiment.expects.get(key, "") if pair is results.compared[0] else ""
    have = {(row.arm, row.seed) for row in results.rows if row.values.get(key) is not None}
    seeds = [s for s in seeds_of(results) if (pair.arm, s) in have and (pair.against, s) in have]
    verdict: Says
    if e.mean is None:
        verdict = "nothing"
    elif e.low is None:
        verdict = "few"
    elif not e.clear:
        verdict = "open"
    elif not found.shown:
        verdict = "unsettled"
    elif not expected:
        verdict = "difference"
    else:
        verdict = "expected" if difference_sign(found) == expected else "opposite"
    said, half, q = more(e, m.decimals), number_text(e.half, m.decimals), "" if found.q is None else chance(found.q)
    arms, trial = (pair.arm, pair.against), len(seeds) < ENOUGH
    both = results.arm(pair.arm).settings, results.arm(pair.against).settings
    ours = put_there(CLAIMS.get(results.plan.experiment.beside, ()), key, *both), tuple(besides(*both))
    return MetricHeadline(m.label, *arms, expected, seeds, said, half, chance(found.p), q, verdict, trial, *ours)


def seeds_of(results: Results) -> list[int]:
    """The seeds asked for."""
    return sorted({row.seed for row in results.rows})


def short_facts(results: Results) -> dict[str, Any]:
    """The facts of the summary."""
    pair = results.compared[0] if results.compared else None
    return {
        "command": results.plan.command,
        "replicas": len(results.rows),
        "absent": sum(bool(row.error) for row in results.rows),
        "answers": _answers(results),
        "headline": make_headline(results, pair, results.plan.experiment.metrics[0]) if pair is not None else None,
        "further": further(results),
        "claimed": _claimed(results),
        "cast": _unmoved(results, results.arm(pair.arm)) if pair is not None else None,
    }


def _answers(results: Results) -> list[ArmResult]:
    """Arms meant to use models that report how many answers came from them."""
    return [arm for arm in results.arms if arm.whole] if results.plan.modelled else []


class ShownDifference(NamedTuple):
    """A shown difference. share: in percent of the second arm's value."""

    label: str
    said: str
    share: str


class Further(NamedTuple):
    """The other metrics of the first comparison, `of` that could differ: those shown, largest first, and those not
    shown although their interval excludes 0 (unsure). Excluded: those 0 by construction where moods are off (built),
    and those equal in both arms. wanted: as `required_seeds`.
    """

    arm: str
    against: str
    of: int
    shown: list[ShownDifference]
    unsure: list[str]
    built: list[str]
    same: list[str]
    wanted: int


def further(results: Results) -> Further | None:
    """The other metrics of the first comparison; None if none could differ, or there are too few seeds."""
    if not results.compared:
        return None
    pair = results.compared[0]
    rest = [k for k in results.plan.experiment.metrics[1:] if pair.metrics[k].p is not None]
    base = results.arm(pair.against).metrics
    built = [k for k in rest if results.built_in(pair, k)]
    same = [k for k in rest if k not in built and pair.metrics[k].same]
    free = [k for k in rest if pair.metrics[k].q is not None]
    if not free:
        return None
    size = {k: _relative(pair.metrics[k].estimate, base[k]) for k in free}
    shown = sorted((k for k in free if pair.metrics[k].shown), key=lambda k: (-size[k], k))
    told = [
        ShownDifference(metric(k).label, more(e, metric(k).decimals), _percent(size[k], e.mean))
        for k in shown
        for e in (pair.metrics[k].estimate,)
    ]
    unsure = labels(k for k in free if pair.metrics[k].estimate.clear and k not in shown)
    seeds = required_seeds(pair.metrics.values())
    return Further(pair.arm, pair.against, len(free), told, unsure, labels(built), labels(same), seeds)


def _relative(difference: Estimate, base: Estimate) -> float:
    """A difference relative to its base; infinite if the base may be 0."""
    return abs((difference.mean or 0.0) / base.mean) if base.mean and base.clear else math.inf


def _percent(share: float, difference: float | None) -> str:
    sign = "-" if (difference or 0.0) < 0.0 else "+"
    return f"{sign}{100 * share:.{0 if share >= 0.1 else 1}f} %" if math.isfinite(share) else "from 0"


def labels(keys: Iterable[str]) -> list[str]:
    """The labels of these metrics."""
    return [metric(k).label for k in keys]


class ClaimSummary(NamedTuple):
    """The outcome of a paper's claims. known: number of claims. tests: by all pairs of arms. so: conclusion -> names of
    the claims. wanted: as `required_seeds`.
    """

    known: int
    tests: int
    so: dict[Conclusion, list[str]]
    wanted: int


def _claimed(results: Results) -> ClaimSummary | None:
    if not results.claims:
        return None
    found = conclude_claims(results.claims)
    so = {word: [claim for claim, own in found.items() if own == word] for word in get_args(Conclusion)}
    known, seeds = len(CLAIMS[results.plan.experiment.beside]), required_seeds(t.difference for t in results.claims)
    return ClaimSummary(known, len(results.claims), {word: own for word, own in so.items() if own}, seeds)


class Unmoved(NamedTuple):
    """A final network that is nearly the initial one. still: the measures that show it. dense: its density, if above
    that of real friendships, `friends`. beside: whether a paper's table is shown beside it.
    """

    arm: str
    still: list[str]
    dense: str
    friends: str
    beside: bool


def _unmoved(results: Results, arm: ArmResult) -> Unmoved | None:
    """Whether and how the final network is nearly the initial one; None if it is not."""
    ends = [(k, arm.start[k].mean, arm.metrics[k].mean) for k in CAST if k in arm.metrics and k in arm.start]
    both = [(k, abs(b - a)) for k, a, b in ends if a is not None and b is not None]
    if not both or any(far >= NEAR for _, far in both):
        return None
    before, (_, low, high) = arm.start.get("density"), FRIENDSHIP["density"]
    dense = before.mean if before is not None else None
    told = number_text(dense) if dense is not None and dense > high else ""
    return Unmoved(
        arm.name, labels(k for k, _ in both), told, f"{low:g} to {high:g}", bool(results.plan.experiment.beside)
    )
