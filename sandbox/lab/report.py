"""The report of an experiment in Markdown: what was run, what came of it, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.clock import MINUTE
from sandbox.lab.experiment import Arm
from sandbox.lab.figures import FIGURES, Figure
from sandbox.lab.metrics import METRICS, metric
from sandbox.lab.published import FRIENDS, FRIENDSHIP, KARATE, PAPER, PAPERS, TABLE_2
from sandbox.lab.report_judged import judged
from sandbox.lab.report_short import answers, short, verdict
from sandbox.lab.results import Results, unmeasured
from sandbox.lab.seeds import seeds_told
from sandbox.lab.statistics import LEAST, LEVEL, held
from sandbox.lab.wording import NOTHING, counted, more, number, settings_of, table, within

CARRY = ("carry_over", "carry_over_all")
HEARD = frozenset((*CARRY, "sentiment", "negative_lines", "toxic_lines"))
AGAIN = frozenset(("changed_by_mood", "decisions_changed"))
TABLE = ("reciprocity", "weighted_reciprocity", "modularity", "nmi", "drift", "drift_raw")
SHOWN = frozenset((*TABLE, *(f"made_{key}" for key in TABLE), *FRIENDSHIP, "feeling_moved"))  # metrics told here


def markdown(results: Results, figures: Sequence[tuple[Figure, str]]) -> str:
    """The whole report."""
    experiment = results.plan.experiment
    parts = [
        f"# {experiment.title}",
        f"Made by `{results.plan.command}`.",
        experiment.about,
        f'After {PAPERS[experiment.beside]}: "the paper" below.' if experiment.beside else "",
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


def _run(r: Results) -> str:
    experiment = r.plan.experiment
    config = r.plan.replicas[0].config
    rows = [
        ("world", experiment.world),
        ("start", experiment.start),
        ("steps", f"{experiment.steps} of {experiment.step / MINUTE:g} minutes"),
        ("seeds", seeds_told(experiment.seeds)),
        ("settings of all arms", settings_of(experiment.settings)),
        ("minds", ", ".join(config.minds)),
        ("versions", ", ".join(f"{k} {v}" for k, v in {**config.versions, **r.libraries}.items())),
        ("code of the engine", f"`{config.code}`"),
    ]
    head: tuple[str, ...] = ("arm", "settings of its own", "replicas")
    arms: list[tuple[str, ...]] = [
        (f"`{arm.name}`", _own(r, own), f"{arm.whole} of {len(experiment.seeds)}")
        for arm, own in zip(r.arms, experiment.arms, strict=True)
    ]
    if r.plan.modelled:
        head = (*head, "calls answered", "stood in")
        arms = [(*cells, f"{a.answered:,}", f"{a.stood_in:,}") for cells, a in zip(arms, r.arms, strict=True)]
    stood = "\n\n".join(answers(r))
    return (
        f"## What was run\n\n{table(('', ''), rows)}\n\n{table(head, arms)}\n\n{stood + chr(10) * 2 if stood else ''}"
        f"A replica is an arm with a seed, kept as a save of its own. Numbers below are means over seeds; in brackets"
        f" stand bootstrap intervals of {LEVEL:.0%} (seeds drawn again with replacement). All are computed from the"
        f" saves; {'those under *Judged scores* alone are judged' if r.judged else 'none is judged'}."
    )


def _own(r: Results, arm: Arm) -> str:
    """The settings of an arm, and the rules that a program of its own brought along."""
    rules = ", ".join(f"{name} by `{where}`" for name, where in r.plan.brought(arm.name).items())
    return f"{settings_of(arm.settings)}; {rules}" if rules else settings_of(arm.settings)


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
        f"- {verdict(pair, key)}" for pair in r.compared[:1] for key in CARRY if key in r.plan.experiment.metrics
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
    rows = [(metric(key).label, *(within(arm.metrics[key], metric(key).decimals) for arm in r.arms)) for key in keys]
    about = "\n".join(f"- *{metric(key).label}*: {metric(key).about}" for key in keys)
    return f"## Moods, words and deeds\n\n{table(head, rows)}\n\n{about}"


def _compared(r: Results) -> Iterable[str]:
    if not r.compared:
        return
    yield (
        "## Arm against arm\n\nThe first arm less the second, seed by seed; **bold** where the interval leaves 0 out,"
        " and in how many seeds the first has more. Where there is"
        " nothing, about"
        f" {100 * (1 - held(len(r.plan.experiment.seeds))):.0f} intervals in 100 leave 0 out all the same."
    )
    head = ("", *(f"`{c.arm}` - `{c.against}`" for c in r.compared))
    rows, same = [], []
    for key in r.plan.experiment.metrics:
        if all(not any((e.mean, e.low, e.high)) for e in (pair.metrics[key].estimate for pair in r.compared)):
            same.append(metric(key).label)
            continue
        cells = []
        for pair in r.compared:
            found = pair.metrics[key]
            text = more(found.estimate, metric(key).decimals)
            known = found.estimate.mean is not None
            text = f"**{text}**" if found.estimate.clear else text
            cells.append(f"{text} {found.above}/{found.estimate.n}" if known else NOTHING)
        rows.append((metric(key).label, *cells))
    yield table(head, rows) + (f"\n\nNo arm differs from any other in: {', '.join(same)}." if same else "")


def _drawn(figures: Sequence[tuple[Figure, str]]) -> str:
    if not figures:
        return ""
    shown = "\n\n".join(f"![{figure.about}]({name})\n\n{figure.about}." for figure, name in figures)
    return f"## Figures\n\nA panel for each comparison; bands are the intervals over seeds.\n\n{shown}"


def _missing(r: Results, figures: Sequence[tuple[Figure, str]]) -> str:
    lines = [f"`{row.arm}`, seed {row.seed} (`{row.save}`): {row.error}" for row in r.rows if row.error]
    lines += unmeasured(r)
    for key in r.plan.experiment.metrics:
        lacking = [arm.name for arm in r.arms if arm.metrics[key].n < arm.whole]
        if any(key in row.faults for row in r.rows):
            continue
        if lacking and any(arm.whole for arm in r.arms):
            arms = ", ".join(f"`{name}`" for name in lacking)
            lines.append(f"{metric(key).label}: there was nothing to measure in some or all replicas of {arms}.")
    if not figures and any(figure.metric in r.plan.experiment.metrics for figure in FIGURES):
        lines.append("Figures: no two arms that are compared have replicas.")
    if r.judged is None and r.plan.experiment.beside:
        lines.append("The paper's table 1, and its agreement of judges: they need judges.")
    if not lines:
        return ""
    return "## What could not be computed\n\n" + "\n".join(f"- {line}" for line in lines)


def _trust(r: Results) -> str:
    seeds, asked = len(r.plan.experiment.seeds), {*r.plan.experiment.metrics}
    lines = [
        f"Bootstrap intervals of few seeds are too narrow: these, of {counted(seeds, 'seed')}, hold the truth about"
        f" {100 * held(seeds):.0f} times in 100. Only the first metric of the first comparison was named before"
        " looking."
        if seeds >= LEAST
        else f"There are no intervals: they want {LEAST} seeds, and there {'is' if seeds == 1 else 'are'} {seeds}.",
        "The same seed in two arms is the same morning and, from the first difference on, other chance.",
    ]
    if asked & HEARD:
        lines.append("VADER knows words, not irony, and nothing of who is speaking to whom.")
    if asked & AGAIN:
        told = " and ".join(
            f"*{metric(k).label[:1].upper()}{metric(k).label[1:]}*" for k in METRICS if k in asked & AGAIN
        )
        lines.append(
            f"{told}: the embedded mind is asked again, with the same chance and the mood negated or at rest. Where"
            " moods are off there can be no change: a check, not a finding."
        )
    lines += r.plan.experiment.notes
    return "## How far to trust this\n\n" + "\n".join(f"- {line}" for line in lines)


def networks(r: Results) -> str:
    """Table 2 of the paper beside ours; nothing if the experiment does not measure what is in it."""
    if not {*TABLE} <= {*r.plan.experiment.metrics}:
        return ""
    beside = bool(r.plan.experiment.beside)
    rows: list[tuple[str, ...]] = [
        (model, *(f"{x:.3f}" for x in numbers[:4]), NOTHING, f"{numbers[4]:.3f}")
        for model, numbers in TABLE_2.items()
        if beside
    ]
    rows += [(f"`{arm.name}`", *(within(arm.metrics[key]) for key in TABLE)) for arm in r.arms]
    first = next((arm for arm in r.arms if arm.whole), None)
    if first is not None:
        start = [number(first.start[key].mean) if key in first.start else NOTHING for key in TABLE]
        rows.append(("the cast, before the first step", *start))
    if all(f"made_{key}" in r.plan.experiment.metrics for key in TABLE):
        rows += [(f"`{arm.name}`, made", *(within(arm.metrics[f"made_{key}"]) for key in TABLE)) for arm in r.arms]
    head = ("", *(metric(key).label for key in TABLE))
    title = "Networks beside the paper's table 2" if beside else "Networks of feelings"
    theirs = (
        f" The first six rows are the paper's ({PAPER}). Its drift stands under *raw*: with names of communities"
        " matched, an NMI of .75 to .84 goes with a drift of about .1."
    )
    return (
        f"## {title}\n\n"
        "Who feels .2 or more for whom, at the end (r, r_w, Q) and from each hour's end to the next (NMI, drift)."
        f"{theirs if beside else ''} The row of the cast is what was there before"
        " anything happened; what an arm has beyond that is what a day does. *Made* takes every feeling as 0 at"
        f" the start and any gain as an edge.\n\n{table(head, rows)}"
        f"{_moved(r)}"
    )


def _moved(r: Results) -> str:
    told = [
        f"`{arm.name}` {number(arm.metrics['feeling_moved'].mean)}"
        for arm in r.arms
        if "feeling_moved" in arm.metrics and arm.whole
    ]
    return (
        f"\n\nBy the end a feeling has moved this far from where it began, on average: {', '.join(told)}."
        if told
        else ""
    )


def shapes(r: Results) -> str:
    """The table of real friendships beside ours; nothing if the experiment does not measure what is in it."""
    if not {*FRIENDSHIP} <= {*r.plan.experiment.metrics}:
        return ""
    head = ("", *(metric(key).label for key in FRIENDSHIP))
    rows: list[tuple[str, ...]] = [
        ("real friendships", *(f"{m:g} [{low:g}, {high:g}]" for m, low, high in FRIENDSHIP.values())),
        ("karate club", *(f"{KARATE[key]:g}" for key in FRIENDSHIP)),
        *((f"`{arm.name}`", *(within(arm.metrics[key]) for key in FRIENDSHIP)) for arm in r.arms),
    ]
    return (
        "## The shape of the network beside real friendships\n\n"
        f"Pairs of whom one at least feels .2 or more, without weights, at the end. Real friendships: {FRIENDS}."
        f"\n\n{table(head, rows)}"
    )
