"""What a reader of an experiment should know who reads nothing else: plain values, which the templates word."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from sandbox.lab.claims import signed
from sandbox.lab.metrics import metric
from sandbox.lab.published import CLAIMS, FRIENDSHIP
from sandbox.lab.results import ArmResult, Compared, Results, built_in
from sandbox.lab.statistics import ENOUGH, LEVEL, Estimate
from sandbox.lab.wording import chance, more, number

CAST = ("reciprocity", "weighted_reciprocity", "modularity")
Says = Literal["nothing", "few", "open", "unsettled", "difference", "expected", "opposite"]
NEAR = 0.02  # a measure of the network that a run has moved by less is almost the cast's own


class Headline(NamedTuple):
    """A metric of two arms. expected: the way it was said to go, before; "" if nobody said. seeds: those that both arms
    have it of. verdict: nothing to compare; too few seeds; open, as the interval holds 0; unsettled, as it does not and
    flipped signs do; else a difference, or one as expected, or the opposite of what was.
    """

    label: str
    arm: str
    against: str
    expected: str
    seeds: list[int]
    said: str
    half: str
    p: str
    verdict: Says
    trial: bool


def headline(r: Results, pair: Compared, key: str) -> Headline:
    """What two arms differ by in a metric, and what that says."""
    found, m = pair.metrics[key], metric(key)
    e, expected = found.estimate, r.plan.experiment.expects.get(key, "") if pair is r.compared[0] else ""
    have = {(row.arm, row.seed) for row in r.rows if row.values.get(key) is not None}
    seeds = [s for s in seeds_of(r) if (pair.arm, s) in have and (pair.against, s) in have]
    verdict: Says
    if e.mean is None:
        verdict = "nothing"
    elif e.low is None:
        verdict = "few"
    elif not e.clear:
        verdict = "open"
    elif found.p is None or found.p > 1.0 - LEVEL:
        verdict = "unsettled"
    elif not expected:
        verdict = "difference"
    else:
        verdict = "expected" if signed(found) == expected else "opposite"
    said, half = more(e, m.decimals), number(e.half, m.decimals)
    return Headline(
        m.label, pair.arm, pair.against, expected, seeds, said, half, chance(found.p), verdict, len(seeds) < ENOUGH
    )


def seeds_of(r: Results) -> list[int]:
    """The seeds that were to be lived."""
    return sorted({row.seed for row in r.rows})


def in_short(r: Results) -> dict[str, Any]:
    """What a reader should know who reads nothing else."""
    pair = r.compared[0] if r.compared else None
    return {
        "command": r.plan.command,
        "replicas": len(r.rows),
        "absent": sum(bool(row.error) for row in r.rows),
        "answers": _answers(r),
        "headline": headline(r, pair, r.plan.experiment.metrics[0]) if pair is not None else None,
        "further": _further(r, pair) if pair is not None else None,
        "claimed": _claimed(r),
        "cast": _cast(r, r.arm(pair.arm)) if pair is not None else None,
    }


def _answers(r: Results) -> list[ArmResult]:
    """Where models were to answer: the arms that tell how many answers came from them."""
    return [arm for arm in r.arms if arm.whole] if r.plan.modelled else []


def _further(r: Results, pair: Compared) -> dict[str, Any] | None:
    """The other measures of the first comparison: those that are shown, the largest first, those that are not though
    their interval leaves 0 out, and those that could not differ.
    """
    rest = [k for k in r.plan.experiment.metrics[1:] if pair.metrics[k].p is not None]
    base = r.arm(pair.against).metrics
    built = [k for k in rest if built_in(k, (r.arm(pair.arm).metrics, r.arm(pair.against).metrics))]
    same = [k for k in rest if k not in built and pair.metrics[k].same]
    free = [k for k in rest if pair.metrics[k].q is not None]
    if not free:
        return None
    size = {k: _relative(pair.metrics[k].estimate, base[k]) for k in free}
    shown = sorted((k for k in free if pair.metrics[k].shown), key=lambda k: (-size[k], k))
    told = [
        (metric(k).label, more(e, metric(k).decimals), _percent(size[k], e.mean))
        for k in shown
        for e in (pair.metrics[k].estimate,)
    ]
    return {
        "arm": pair.arm,
        "against": pair.against,
        "of": len(free),
        "shown": told,
        "unsure": labels(k for k in free if pair.metrics[k].estimate.clear and k not in shown),
        "built": labels(built),
        "same": labels(same),
    }


def _relative(difference: Estimate, base: Estimate) -> float:
    """The size of a difference as a share of what it is to; without end where that may be nothing."""
    return abs((difference.mean or 0.0) / base.mean) if base.mean and base.clear else math.inf


def _percent(share: float, difference: float | None) -> str:
    sign = "-" if (difference or 0.0) < 0.0 else "+"
    return f"{sign}{100 * share:.{0 if share >= 0.1 else 1}f} %" if math.isfinite(share) else "from 0"


def labels(keys: Iterable[str]) -> list[str]:
    """What these metrics are called."""
    return [metric(k).label for k in keys]


def _claimed(r: Results) -> dict[str, Any] | None:
    """How the paper's claims came out, in how many tests each way."""
    if not r.claims:
        return None
    told = {c.key: f"{c.cause} {c.effect}" for c in CLAIMS[r.plan.experiment.beside]}
    of = {word: [t for t in r.claims if t.found == word] for word in ("as claimed", "the opposite", "not shown")}
    one = {
        word: [
            (
                claim,
                ", ".join(
                    f"{metric(t.metric).label} in {t.arm} less {t.against}" for t in own if told[t.claim] == claim
                ),
            )
            for claim in dict.fromkeys(told[t.claim] for t in own)
        ]
        for word, own in of.items()
    }
    return {"tests": len(r.claims), "claims": len({t.claim for t in r.claims}), "of": of, "told": one}


def _cast(r: Results, arm: ArmResult) -> dict[str, Any] | None:
    """That the network at the end is the one people came with, where it is."""
    ends = [
        (metric(k).label, arm.start[k].mean, arm.metrics[k].mean) for k in CAST if k in arm.metrics and k in arm.start
    ]
    both = [(label, a, b) for label, a, b in ends if a is not None and b is not None]
    if not both or any(abs(b - a) >= NEAR for _, a, b in both):
        return None
    before, (_, low, high) = arm.start.get("density"), FRIENDSHIP["density"]
    dense = before.mean if before is not None else None
    return {
        "arm": arm.name,
        "ends": [(label, number(a), number(b)) for label, a, b in both],
        "dense": number(dense) if dense is not None and dense > high else "",
        "friends": f"{low:g} to {high:g}",
        "beside": bool(r.plan.experiment.beside),
    }
