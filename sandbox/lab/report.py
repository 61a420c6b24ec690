"""The report of an experiment in Markdown: what was run, what came of it, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.clock import MINUTE
from sandbox.lab.figures import Figure
from sandbox.lab.metrics import METRICS
from sandbox.lab.report_judged import NOBODY, judged, verdicts
from sandbox.lab.report_networks import SHOWN, networks, shapes
from sandbox.lab.results import Compared, Results
from sandbox.lab.statistics import LEAST, LEVEL
from sandbox.lab.wording import NOTHING, more, number, settings_of, table, within

CARRY = ("carry_over", "carry_over_all")


def markdown(results: Results, figures: Sequence[tuple[Figure, str]]) -> str:
    """The whole report."""
    experiment = results.plan.experiment
    parts = [
        f"# {experiment.title}",
        f"Made by `{results.plan.command}`.",
        experiment.about,
        "## In short\n\n" + "\n".join(f"- {line}" for line in short(results)),
        _run(results),
        _carried(results),
        networks(results),
        shapes(results),
        _others(results),
        *_compared(results),
        _drawn(figures),
        judged(results),
        _missing(results, figures),
        _trust(results),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


# ---- parts


def short(r: Results) -> list[str]:
    """What the first comparison came to, without words that the numbers do not carry; a sentence or two an entry."""
    lines = []
    if r.compared:
        pair, first = r.compared[0], r.plan.experiment.metrics[0]
        lines.append(_verdict(pair, first))
        free = [key for key in r.plan.experiment.metrics[1:] if not METRICS[key].built_in]
        rest = [key for key in free if pair.metrics[key].estimate.low is not None]
        clear = [key for key in rest if pair.metrics[key].estimate.clear]
        if rest:
            told = "; ".join(f"{METRICS[k].label} {more(pair.metrics[k].estimate, METRICS[k].decimals)}" for k in clear)
            lines.append(
                f"Of {len(rest)} further measures of {pair.arm} against {pair.against}, {len(clear)} have an interval"
                f" without 0, where chance alone would give about {(1 - LEVEL) * len(rest):.0f} or somewhat more"
                + (f": {told}." if clear else ".")
            )
    return lines + (verdicts(r.judged) if r.judged else [NOBODY])


def _verdict(pair: Compared, key: str) -> str:
    found, metric = pair.metrics[key].estimate, METRICS[key]
    what = f"{metric.label[:1].upper()}{metric.label[1:]}, {pair.arm} less {pair.against}"
    if found.mean is None:
        return f"{what}: nothing could be compared."
    if found.low is None or found.high is None:
        few = f"with {found.n} seeds; an interval wants {LEAST}"
        return f"{what}: {more(found, metric.decimals)} {few}, so this says nothing."
    said = f"{what}: {more(found, metric.decimals)} over {found.n} seeds."
    if found.clear:
        return f"{said} The interval leaves 0 out: there is a difference."
    half = (found.high - found.low) / 2.0
    return (
        f"{said} The interval holds 0: no difference was shown, nor that there is none; one smaller than about"
        f" {number(half, metric.decimals)} could not have been seen."
    )


def _run(r: Results) -> str:
    experiment = r.plan.experiment
    config = r.plan.replicas[0].config
    rows = [
        ("world", experiment.world),
        ("start", experiment.start),
        ("steps", f"{experiment.steps} of {experiment.step / MINUTE:g} minutes"),
        ("seeds", f"1 to {experiment.seeds}"),
        ("settings of all arms", settings_of(experiment.settings)),
        ("minds", ", ".join(config.minds)),
        ("versions", ", ".join(f"{k} {v}" for k, v in {**config.versions, **r.libraries}.items())),
        ("code of the engine", f"`{config.code}`"),
    ]
    arms = [
        (f"`{arm.name}`", settings_of(own.settings), f"{arm.whole} of {experiment.seeds}")
        for arm, own in zip(r.arms, experiment.arms, strict=True)
    ]
    return (
        f"## What was run\n\n{table(('', ''), rows)}\n\n{table(('arm', 'settings of its own', 'replicas'), arms)}\n\n"
        f"A replica is an arm with a seed, kept as a save of its own. Numbers below are means over seeds; in brackets"
        f" stand bootstrap intervals of {LEVEL:.0%} (seeds drawn again with replacement). All are computed from the"
        f" saves; {'those under *Judged scores* alone are judged' if r.judged else 'none is judged'}."
    )


def _carried(r: Results) -> str:
    if "carry_over" not in r.plan.experiment.metrics:
        return ""
    head = ("arm", "carry-over", "correlation", "of shuffled partners", "pairs", "all lines")
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
    verdicts = "\n".join(
        f"- {_verdict(pair, key)}" for pair in r.compared[:1] for key in CARRY if key in r.plan.experiment.metrics
    )
    return (
        "## Carry-over from text alone\n\n"
        "The sentiment (VADER) of A's last two lines to B at one meeting, against that of A's first two lines to B at"
        " the next: their correlation, less the mean correlation of 1,000 shuffles in which each beginning stands"
        " against the end of a meeting of A with somebody else. 0 means that a meeting leaves no trace in how the next"
        " begins, beyond how A speaks to anybody. Pairs of meetings are counted over all replicas. The last column"
        " takes all lines of either meeting instead of two (ours, to look closer: first and last lines are mostly"
        " greetings and goodbyes)."
        f"\n\n{table(head, rows)}\n\n{verdicts}"
    ).rstrip()


def _others(r: Results) -> str:
    keys = [key for key in r.plan.experiment.metrics if key not in SHOWN and key not in CARRY]
    if not keys:
        return ""
    head = ("", *(f"`{arm.name}`" for arm in r.arms))
    rows = [(METRICS[key].label, *(within(arm.metrics[key], METRICS[key].decimals) for arm in r.arms)) for key in keys]
    about = "\n".join(f"- *{METRICS[key].label}*: {METRICS[key].about}" for key in keys)
    return f"## Moods, words and deeds\n\n{table(head, rows)}\n\n{about}"


def _compared(r: Results) -> Iterable[str]:
    if not r.compared:
        return
    yield (
        "## Arm against arm\n\nThe first arm less the second, seed by seed; **bold** where the interval leaves 0 out,"
        " and in how many seeds the first has more. One interval in twenty leaves 0 out where there is nothing."
    )
    head = ("", *(f"`{c.arm}` - `{c.against}`" for c in r.compared))
    rows, same = [], []
    for key in r.plan.experiment.metrics:
        if all(not any((e.mean, e.low, e.high)) for e in (pair.metrics[key].estimate for pair in r.compared)):
            same.append(METRICS[key].label)
            continue
        cells = []
        for pair in r.compared:
            found = pair.metrics[key]
            text = more(found.estimate, METRICS[key].decimals)
            known = found.estimate.mean is not None
            text = f"**{text}**" if found.estimate.clear else text
            cells.append(f"{text} {found.above}/{found.estimate.n}" if known else NOTHING)
        rows.append((METRICS[key].label, *cells))
    yield table(head, rows) + (f"\n\nNo arm differs from any other in: {', '.join(same)}." if same else "")


def _drawn(figures: Sequence[tuple[Figure, str]]) -> str:
    if not figures:
        return ""
    shown = "\n\n".join(f"![{figure.about}]({name})\n\n{figure.about}." for figure, name in figures)
    return f"## Figures\n\nA panel for each comparison; bands are the intervals over seeds.\n\n{shown}"


def _missing(r: Results, figures: Sequence[tuple[Figure, str]]) -> str:
    lines = [f"`{row.arm}`, seed {row.seed} (`{row.save}`): {row.error}" for row in r.rows if row.error]
    for key in r.plan.experiment.metrics:
        lacking = [arm.name for arm in r.arms if arm.metrics[key].n < arm.whole]
        if lacking:
            arms = ", ".join(f"`{name}`" for name in lacking)
            lines.append(f"{METRICS[key].label}: there was nothing to measure in some or all replicas of {arms}.")
    if not figures:
        lines.append("Figures: no two arms that are compared have replicas.")
    if r.judged is None:
        lines.append("The paper's table 1, and its agreement of judges: they need judges.")
    if not lines:
        return ""
    return "## What could not be computed\n\n" + "\n".join(f"- {line}" for line in lines)


def _trust(r: Results) -> str:
    seeds = r.plan.experiment.seeds
    lines = [
        f"Bootstrap intervals of few seeds are too narrow: of 10 seeds they hold the truth nine times in ten, of 30 94"
        f" times in 100; these are of {seeds}. Only the first metric of the first comparison was named before looking.",
        "The same seed in two arms is the same morning and, from the first difference on, other chance.",
        "VADER knows words, not irony, and nothing of who is speaking to whom.",
        "*Lines changed by mood* and *decisions changed* ask the embedded mind again, with the same chance and the mood"
        " negated or at rest. Where moods are off they must be 0: a check, not a finding.",
        *r.plan.experiment.notes,
    ]
    return "## How far to trust this\n\n" + "\n".join(f"- {line}" for line in lines)
