"""The parts of a report, computed from an experiment's results: plain values, which the templates put into words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from sandbox.core.clock import MINUTE
from sandbox.lab.code_digest import DIGITS
from sandbox.lab.experiment import Experiment, ExperimentArm, seeds_text
from sandbox.lab.figures import FIGURES
from sandbox.lab.headlines import further, labels, make_headline, seeds_of
from sandbox.lab.metrics import METRICS, metric
from sandbox.lab.published import (
    CLAIMS,
    FRIENDSHIP,
    KARATE,
    TABLE_2,
    ClaimTest,
    Found,
    PaperClaim,
    Sign,
    conclude_claims,
)
from sandbox.lab.results import ArmComparison, Results, missing_values
from sandbox.lab.statistics import required_seeds
from sandbox.lab.wording import NOTHING, bold, chance, interval_text, more, number_text, settings_of

CARRY, TABLE, MADE = (
    tuple(key for key, m in METRICS.items() if m.part == part) for part in ("carry-over", "networks", "made")
)
DENSER = ("made_modularity", "made_nmi")  # measures of the made network, which gets denser by more talk alone
Rows = list[tuple[str, ...]]


def asked_rows(experiment: Experiment, seeds: Sequence[int]) -> dict[str, str]:
    """What was asked for, except arms: label in a report -> value."""
    return {
        "world": experiment.world,
        "start": experiment.start,
        "steps": f"{experiment.steps} of {experiment.step / MINUTE:g} minutes",
        "seeds": seeds_text(seeds),
        "settings of all arms": settings_of(experiment.settings),
        "measures": settings_of(experiment.metrics),
        "compared": ", ".join(f"`{c.arm}` - `{c.against}`" for c in experiment.comparisons) or "nothing",
    }


def run(results: Results) -> dict[str, Any]:
    """What was run."""
    experiment, config = results.plan.experiment, results.plan.replicas[0].config
    asked = {arm.name: sum(row.arm == arm.name for row in results.rows) for arm in results.arms}
    return {
        "rows": [*asked_rows(experiment, seeds_of(results)).items()],
        "minds": ", ".join(config.minds),
        "versions": ", ".join(f"{k} {v}" for k, v in {**config.versions, **results.libraries}.items()),
        "code": config.code,
        "content": config.content[:DIGITS],
        "modelled": results.plan.modelled,
        "arms": [
            (f"`{a.name}`", _own(results, own), f"{a.whole} of {asked[a.name]}")
            + ((f"{a.answered:,}", f"{a.stood_in:,}") if results.plan.modelled else ())
            for a, own in zip(results.arms, experiment.arms, strict=True)
        ],
    }


def _own(results: Results, arm: ExperimentArm) -> str:
    """An arm's settings, and the rules or mind that the user's program supplied."""
    rules = ", ".join(f"{name} by `{where}`" for name, where in results.plan.brought(arm.name).items())
    return f"{settings_of(arm.settings)}; {rules}" if rules else settings_of(arm.settings)


def carryover_part(results: Results) -> dict[str, Any] | None:
    """The carry-over of each arm; None if it was not measured."""
    measured = results.plan.experiment.metrics
    if "carry_over" not in measured:
        return None
    rows = [
        (
            f"`{arm.name}`",
            interval_text(arm.metrics["carry_over"]),
            interval_text(arm.carried.get("correlation")),
            interval_text(arm.carried.get("shuffled")),
            f"{arm.pairs:,}",
            *(interval_text(arm.metrics.get(key)) for key in CARRY[1:]),
        )
        for arm in results.arms
    ]
    near = [arm.carried["partner_pairs"] for arm in results.arms if "partner_pairs" in arm.carried]
    return {
        "rows": rows,
        "near": f"{sum(round((x.mean or 0.0) * x.n) for x in near):,} of {sum(arm.pairs for arm in results.arms):,}",
        "headlines": [make_headline(results, c, k) for c in results.compared[:1] for k in CARRY if k in measured],
    }


def networks(results: Results) -> dict[str, Any] | None:
    """The table of networks; None if its metrics were not measured."""
    measured = {*results.plan.experiment.metrics}
    if not {*TABLE} <= measured:
        return None
    beside = bool(results.plan.experiment.beside)
    rows: Rows = [
        (model, *(f"{x:.3f}" for x in numbers[:4]), NOTHING, f"{numbers[4]:.3f}")
        for model, numbers in TABLE_2.items()
        if beside
    ]
    rows += [(f"`{arm.name}`", *(interval_text(arm.metrics[key]) for key in TABLE)) for arm in results.arms]
    first = next((arm for arm in results.arms if arm.whole), None)
    if first is not None:
        start = [number_text(first.start[key].mean) if key in first.start else NOTHING for key in TABLE]
        rows.append(("the cast, before the first step", *start))
    if {*MADE} <= measured:
        rows += [(f"`{arm.name}`, made", *(interval_text(arm.metrics[key]) for key in MADE)) for arm in results.arms]
    moved = [
        (arm.name, number_text(arm.metrics["feeling_moved"].mean))
        for arm in results.arms
        if "feeling_moved" in arm.metrics and arm.whole
    ]
    return {"beside": beside, "head": ["", *labels(TABLE)], "rows": rows, "moved": moved}


class ClaimPart(NamedTuple):
    """A claim with its tests. so: conclusion from all tests. by: its metrics and their predicted directions. found:
    finding -> number of tests. talk: comparisons in which more talk alone would explain the tests on the made network.
    tests: a row each.
    """

    claim: PaperClaim
    so: str
    by: dict[str, Sign]
    found: dict[Found, int]
    talk: list[str]
    tests: Rows

    @property
    def row(self) -> tuple[str, ...]:
        """The claim's row in the table of claims."""
        return f"`{self.claim.key}`", f"{self.claim.cause} {self.claim.effect}", f"`{self.claim.without}`", self.so


def claims(results: Results) -> list[ClaimPart]:
    """The paper's causal claims; none if the experiment is not compared with a paper."""
    if not results.compared:
        return []
    so = conclude_claims(results.claims)
    return [
        _claim(results, claim, so.get(claim.key, "not tested"), [t for t in results.claims if t.claim == claim.key])
        for claim in CLAIMS.get(results.plan.experiment.beside, ())
    ]


def _claim(results: Results, claim: PaperClaim, so: str, tests: Sequence[ClaimTest]) -> ClaimPart:
    by = {metric(key).label: sign for key, sign in claim.measures.items() if key not in MADE}
    counts = {word: sum(t.found == word for t in tests) for word in get_args(Found)}
    talk = dict.fromkeys(f"`{t.arm}` - `{t.against}`" for t in tests if _by_talk(results, t))
    return ClaimPart(claim, so, by, {word: n for word, n in counts.items() if n}, [*talk], [_test(t) for t in tests])


def _by_talk(results: Results, t: ClaimTest) -> bool:
    """Whether more or less talk alone explains a test: it adds or removes edges, which lowers or raises Q and NMI."""
    pair = next(c for c in results.compared if (c.arm, c.against) == (t.arm, t.against))
    lines = pair.metrics.get("lines")
    if t.metric not in DENSER or lines is None or not (lines.shown and t.difference.shown):
        return False
    return ((lines.estimate.mean or 0.0) > 0.0) != ((t.difference.estimate.mean or 0.0) > 0.0)


def small_tests(results: Results) -> str:
    """The largest difference that a test of a claim showed on the final network; "" if none did."""
    sizes = [abs(t.difference.estimate.mean or 0.0) for t in results.claims if t.difference.shown and t.metric in TABLE]
    return number_text(max(sizes)) if sizes else ""


def _test(t: ClaimTest) -> tuple[str, ...]:
    return (
        metric(t.metric).label,
        f"`{t.arm}` - `{t.against}`",
        t.expected,
        bold(t.difference, metric(t.metric).decimals),
        f"{t.difference.above}/{t.difference.estimate.n}",
        chance(t.difference.p),
        chance(t.difference.q),
        f"**{t.found}**" if t.difference.shown else t.found,
    )


def friendship_part(results: Results) -> Rows | None:
    """The table of real friendship networks beside ours; None if its metrics were not measured."""
    if not {*FRIENDSHIP} <= {*results.plan.experiment.metrics}:
        return None
    return [
        ("real friendships", *(f"{m:g} [{low:g}, {high:g}]" for m, low, high in FRIENDSHIP.values())),
        ("karate club", *(f"{KARATE[key]:g}" for key in FRIENDSHIP)),
        *((f"`{arm.name}`", *(interval_text(arm.metrics[key]) for key in FRIENDSHIP)) for arm in results.arms),
    ]


def others(results: Results) -> dict[str, Any] | None:
    """Metrics reported nowhere else, by arm."""
    keys = [key for key in results.plan.experiment.metrics if not metric(key).part]
    if not keys:
        return None
    rows = [
        (metric(k).label, [interval_text(arm.metrics[k], metric(k).decimals) for arm in results.arms]) for k in keys
    ]
    return {
        "arms": [f"`{arm.name}`" for arm in results.arms],
        "rows": rows,
        "about": [(metric(k).label, metric(k).about) for k in keys],
    }


def comparison_part(results: Results) -> dict[str, Any] | None:
    """Comparisons of arms in all metrics in which any two differ."""
    if not results.compared:
        return None
    rows, same = [], []
    for key in results.plan.experiment.metrics:
        if all(pair.metrics[key].same for pair in results.compared):
            same.append(key)
            continue
        rows.append((metric(key).label, [_cell(results, pair, key) for pair in results.compared]))
    return {
        "pairs": [f"`{c.arm}` - `{c.against}`" for c in results.compared],
        "rows": rows,
        "same": labels(same),
        "further": further(results),
    }


def _cell(results: Results, pair: ArmComparison, key: str) -> str:
    d, decimals = pair.metrics[key], metric(key).decimals
    if d.estimate.mean is None:
        return NOTHING
    told = more(d.estimate, decimals) if results.built_in(pair, key) else bold(d, decimals)
    return f"{told} {d.above}/{d.estimate.n}"


def missing_part(results: Results) -> dict[str, Any]:
    """What could not be computed."""
    failed: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for row in results.rows:
        if row.error:
            failed.setdefault((row.arm, row.error), []).append((row.seed, row.save))
    drawn = any(figure.metric in results.plan.experiment.metrics for figure in FIGURES)
    return {
        "failed": [
            (arm, seeds_text([s for s, _ in own]), [save for _, save in own], error)
            for (arm, error), own in failed.items()
        ],
        "lacking": [each.line(metric(each.metric).label) for each in missing_values(results)],
        "undrawn": drawn and not results.figures,
        "unjudged": results.judged is None and bool(results.plan.experiment.beside),
    }


def trust(results: Results) -> dict[str, Any]:
    """How reliable the results are, as far as that depends on the run."""
    asked = results.plan.experiment.metrics
    n = max((d.estimate.n for c in results.compared for d in c.metrics.values()), default=0)
    beyond = {
        metric(k).label: [arm.name for arm in results.arms if arm.metrics[k].beyond(*metric(k).can_be)] for k in asked
    }
    return {
        "n": n,
        "beyond": {label: arms for label, arms in beyond.items() if arms},
        "seeds": len(seeds_of(results)),
        "least_p": chance(2.0 ** (1 - n)),  # of all sign flips, the observed one and its opposite
        "wanted": max((required_seeds(c.metrics.values()) for c in results.compared), default=0),
        "expects": bool(results.plan.experiment.expects),
        "heard": any(metric(k).caveat == "words" for k in asked),
        "again": [
            f"{m.label[:1].upper()}{m.label[1:]}" for k, m in METRICS.items() if m.caveat == "again" and k in asked
        ],
        "notes": results.plan.experiment.notes,
    }
