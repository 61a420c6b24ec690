"""What a report has to say of an experiment, worked out of its results: plain values, which the templates word."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from sandbox.core.clock import MINUTE
from sandbox.lab.claims import Claim, signed
from sandbox.lab.figures import FIGURES
from sandbox.lab.metrics import METRICS, metric
from sandbox.lab.published import CLAIMS, FRIENDSHIP, KARATE, TABLE_2
from sandbox.lab.results import ArmResult, Compared, Results, built_in
from sandbox.lab.statistics import ENOUGH, LEAST, LEVEL
from sandbox.lab.wording import NOTHING, bold, chance, more, number, settings_of, spans, within

CARRY = ("carry_over", "carry_over_all")
HEARD = frozenset((*CARRY, "sentiment", "negative_lines", "toxic_lines"))
AGAIN = ("changed_by_mood", "decisions_changed")
TABLE = ("reciprocity", "weighted_reciprocity", "modularity", "nmi", "drift", "drift_raw")
MADE = tuple(f"made_{key}" for key in TABLE)
SHOWN = frozenset((*TABLE, *MADE, *FRIENDSHIP, "feeling_moved", *CARRY))  # metrics told in parts of their own
CAST = ("reciprocity", "weighted_reciprocity", "modularity")
NEAR = 0.02  # a measure of the network that a run has moved by less is almost the cast's own
COARSE = 0.01  # the least p that there can be, from which on it says that little can be shown of many measures
Rows = list[tuple[str, ...]]


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
    verdict: Literal["nothing", "few", "open", "unsettled", "difference", "expected", "opposite"]
    trial: bool


def headline(r: Results, pair: Compared, key: str) -> Headline:
    """What two arms differ by in a metric, and what that says."""
    found, m = pair.metrics[key], metric(key)
    e, expected = found.estimate, r.plan.experiment.expects.get(key, "") if pair is r.compared[0] else ""
    have = {(row.arm, row.seed) for row in r.rows if row.values.get(key) is not None}
    seeds = [s for s in seeds_of(r) if (pair.arm, s) in have and (pair.against, s) in have]
    verdict: Literal["nothing", "few", "open", "unsettled", "difference", "expected", "opposite"]
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
    ends = {k: (r.arm(pair.arm).metrics[k].mean, r.arm(pair.against).metrics[k].mean) for k in rest}
    built = [k for k in rest if built_in(k, (r.arm(pair.arm).metrics, r.arm(pair.against).metrics))]
    same = [k for k in rest if k not in built and pair.metrics[k].same]
    free = [k for k in rest if pair.metrics[k].q is not None]
    if not free:
        return None
    size = {k: _relative(pair.metrics[k].estimate.mean, ends[k][1]) for k in free}
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


def _relative(difference: float | None, base: float | None) -> float:
    """The size of a difference as a share of what it is to; without end where that is nothing."""
    return abs((difference or 0.0) / base) if base else math.inf


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


# ---- parts of the long report


def run(r: Results) -> dict[str, Any]:
    """What was run."""
    experiment, config = r.plan.experiment, r.plan.replicas[0].config
    seeds = seeds_of(r)
    asked = {arm.name: sum(row.arm == arm.name for row in r.rows) for arm in r.arms}
    return {
        "world": experiment.world,
        "start": experiment.start,
        "steps": experiment.steps,
        "minutes": f"{experiment.step / MINUTE:g}",
        "seeds": seeds,
        "settings": settings_of(experiment.settings),
        "minds": ", ".join(config.minds),
        "versions": ", ".join(f"{k} {v}" for k, v in {**config.versions, **r.libraries}.items()),
        "code": config.code,
        "modelled": r.plan.modelled,
        "arms": [
            (f"`{a.name}`", settings_of(own.settings), f"{a.whole} of {asked[a.name]}")
            + ((f"{a.answered:,}", f"{a.stood_in:,}") if r.plan.modelled else ())
            for a, own in zip(r.arms, experiment.arms, strict=True)
        ],
    }


def carried(r: Results) -> dict[str, Any] | None:
    """The carry-over of each arm; nothing if it is not measured."""
    measured = r.plan.experiment.metrics
    if "carry_over" not in measured:
        return None
    rows = [
        (
            f"`{arm.name}`",
            within(arm.metrics["carry_over"]),
            within(arm.carried.get("correlation")),
            within(arm.carried.get("shuffled")),
            f"{arm.pairs:,}",
            within(arm.metrics.get("carry_over_all")),
        )
        for arm in r.arms
    ]
    return {"rows": rows, "headlines": [headline(r, c, k) for c in r.compared[:1] for k in CARRY if k in measured]}


def networks(r: Results) -> dict[str, Any] | None:
    """The table of networks; nothing if the experiment does not measure what is in it."""
    measured = {*r.plan.experiment.metrics}
    if not {*TABLE} <= measured:
        return None
    beside = bool(r.plan.experiment.beside)
    rows: Rows = [
        (model, *(f"{x:.3f}" for x in numbers[:4]), NOTHING, f"{numbers[4]:.3f}")
        for model, numbers in TABLE_2.items()
        if beside
    ]
    rows += [(f"`{arm.name}`", *(within(arm.metrics[key]) for key in TABLE)) for arm in r.arms]
    first = next((arm for arm in r.arms if arm.whole), None)
    if first is not None:
        start = [number(first.start[key].mean) if key in first.start else NOTHING for key in TABLE]
        rows.append(("the cast, before the first step", *start))
    if {*MADE} <= measured:
        rows += [(f"`{arm.name}`, made", *(within(arm.metrics[key]) for key in MADE)) for arm in r.arms]
    moved = [
        (arm.name, number(arm.metrics["feeling_moved"].mean))
        for arm in r.arms
        if "feeling_moved" in arm.metrics and arm.whole
    ]
    return {"beside": beside, "head": ["", *labels(TABLE)], "rows": rows, "moved": moved}


def claims(r: Results) -> dict[str, Any] | None:
    """The paper's causal claims, each with what tests it; nothing where the experiment stands beside no paper."""
    known: Sequence[Claim] = CLAIMS.get(r.plan.experiment.beside, ())
    if not known or not r.compared:
        return None
    rows = {
        claim.key: [
            (
                metric(t.metric).label,
                f"`{t.arm}` - `{t.against}`",
                t.expected,
                bold(t.difference, metric(t.metric).decimals),
                f"{t.difference.above}/{t.difference.estimate.n}",
                chance(t.difference.p),
                chance(t.difference.q),
                f"**{t.found}**" if t.difference.shown else t.found,
            )
            for t in r.claims
            if t.claim == claim.key
        ]
        for claim in known
    }
    return {"claims": known, "rows": rows, "tests": len(r.claims)}


def shapes(r: Results) -> Rows | None:
    """The table of real friendships beside ours; nothing if the experiment does not measure what is in it."""
    if not {*FRIENDSHIP} <= {*r.plan.experiment.metrics}:
        return None
    return [
        ("real friendships", *(f"{m:g} [{low:g}, {high:g}]" for m, low, high in FRIENDSHIP.values())),
        ("karate club", *(f"{KARATE[key]:g}" for key in FRIENDSHIP)),
        *((f"`{arm.name}`", *(within(arm.metrics[key]) for key in FRIENDSHIP)) for arm in r.arms),
    ]


def others(r: Results) -> dict[str, Any] | None:
    """What is told nowhere else, arm beside arm."""
    keys = [key for key in r.plan.experiment.metrics if key not in SHOWN]
    if not keys:
        return None
    rows = [(metric(k).label, [within(arm.metrics[k], metric(k).decimals) for arm in r.arms]) for k in keys]
    return {
        "arms": [f"`{arm.name}`" for arm in r.arms],
        "rows": rows,
        "about": [(metric(k).label, metric(k).about) for k in keys],
    }


def compared(r: Results) -> dict[str, Any] | None:
    """Arm against arm in every metric in which any two differ."""
    if not r.compared:
        return None
    rows, same = [], []
    for key in r.plan.experiment.metrics:
        if all(pair.metrics[key].same for pair in r.compared):
            same.append(key)
            continue
        cells = [(pair.metrics[key], metric(key).decimals) for pair in r.compared]
        each = [f"{bold(d, n)} {d.above}/{d.estimate.n}" if d.estimate.mean is not None else NOTHING for d, n in cells]
        rows.append((metric(key).label, each))
    return {"pairs": [f"`{c.arm}` - `{c.against}`" for c in r.compared], "rows": rows, "same": labels(same)}


def missing(r: Results) -> dict[str, Any]:
    """What could not be computed."""
    failed: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for row in r.rows:
        if row.error:
            failed.setdefault((row.arm, row.error), []).append((row.seed, row.save))
    lacking = {
        metric(key).label: [arm.name for arm in r.arms if arm.metrics[key].n < arm.whole]
        for key in r.plan.experiment.metrics
        if any(arm.whole for arm in r.arms)
    }
    drawn = any(figure.metric in r.plan.experiment.metrics for figure in FIGURES)
    return {
        "failed": [(arm, spans(s for s, _ in own), [save for _, save in own], e) for (arm, e), own in failed.items()],
        "lacking": {label: arms for label, arms in lacking.items() if arms},
        "undrawn": drawn and not r.figures,
        "unjudged": r.judged is None and bool(r.plan.experiment.beside),
    }


def trust(r: Results) -> dict[str, Any]:
    """How far to trust all this, as far as it hangs on the run."""
    asked = r.plan.experiment.metrics
    n = max((d.estimate.n for c in r.compared for d in c.metrics.values()), default=0)
    least = 2.0 ** (1 - n)  # of all ways to flip signs, the one found and the one turned round
    return {
        "n": n,
        "seeds": len(seeds_of(r)),
        "least_p": chance(least) if n >= LEAST and least > COARSE else "",
        "expects": bool(r.plan.experiment.expects),
        "heard": bool(HEARD & {*asked}),
        "again": [f"{x[:1].upper()}{x[1:]}" for x in labels(k for k in METRICS if k in AGAIN and k in asked)],
        "notes": r.plan.experiment.notes,
    }
