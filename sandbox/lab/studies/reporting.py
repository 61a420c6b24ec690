"""The report of a study in Markdown, and its summary for a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any

import numpy as np

from sandbox.core.plain import count_of
from sandbox.lab.figures import (
    COLOURS,
    Curve,
    CurveStyle,
    curve_styles,
    draw_curves,
    drawing_sheet,
    legend,
    sheet_svg,
    title_panel,
)
from sandbox.lab.report import render_template
from sandbox.lab.statistics import LEAST, Estimate, band, required_seeds
from sandbox.lab.studies.study import (
    AnswerCounts,
    Found,
    Groups,
    Plot,
    Sample,
    Study,
    Sweep,
    percent_above,
    pool_samples,
)
from sandbox.lab.studies.study_results import EffectResult, Report, StudyAnswers, failures, missing_measures
from sandbox.lab.wording import NOTHING, case_settings, chance, interval_text, more

WIDTH, HEIGHT = 5.2, 3.4  # inches
LABEL = 34  # letters of a line beside an axis


def figure_files(study: Study) -> list[str]:
    """The names of all files that `figures` may write."""
    sweeps = [sweep_file(study, place) for place in range(1, len(study.sweeps) + 1)]
    return [*(plot_file(study, plot) for plot in study.plots), *sweeps]


def plot_file(study: Study, plot: Plot) -> str:
    """The name of a plot's file."""
    return f"{study.name}-{plot.name}.svg"


def sweep_file(study: Study, place: int) -> str:
    """The file name of a sweep. place: its position in the study, from 1 on."""
    return f"{study.name}-sweep-{place}.svg"


def figures(study: Study, report: Report) -> dict[str, str]:
    """File name -> figure as SVG, for each plot and sweep. A plot shows the curves whose cases were run, if there are
    at least two or it declares only one.
    """
    out, look = {}, curve_styles(name for plot in study.plots for *_, name in plot.curves)
    for plot in study.plots:
        every = [_curve(report, *curve) for curve in plot.curves]
        curves = [curve for curve in every if curve is not None]
        if len(curves) >= min(2, len(every)):
            out[plot_file(study, plot)] = _drawn(plot, curves, look)
    for place, sweep in enumerate(study.sweeps, 1):
        if text := _swept(sweep, report):
            out[sweep_file(study, place)] = text
    return out


def _curve(report: Report, key: str, case: str, name: str) -> Curve | None:
    """The mean curve over all seeds that have one, up to where all of them have values."""
    of = [r.found.curves.get(key) for r in report.runs if r.case == case and r.found is not None]
    known = [c for c in of if c]
    if not known:
        return None
    rows = np.array([c[: min(map(len, known))] for c in known])
    low, high = band(rows) if len(rows) >= LEAST else (None, None)
    x = np.arange(1, rows.shape[1] + 1).tolist()
    return Curve(name, len(rows), x, rows.mean(axis=0).tolist(), low, high)  # type: ignore[arg-type]  # rows of numbers


def _drawn(plot: Plot, curves: list[Curve], look: dict[str, CurveStyle]) -> str:
    with drawing_sheet(1, 1, WIDTH, HEIGHT) as (sheet, axes):
        at: Any = axes[0][0]
        draw_curves(at, plot.about, curves, look)
        at.set_xlabel(plot.axis)
        at.set_ylabel(fill(plot.label, LABEL))
        legend(sheet, look)
        return sheet_svg(sheet)


def _swept(sweep: Sweep, report: Report) -> str:
    found = [(x, e.difference.estimate) for x, key in sweep.points if (e := report.effect(key)) is not None]
    known = [(x, of) for x, of in found if of.mean is not None]
    if not known:
        return ""
    with drawing_sheet(1, 1, WIDTH, HEIGHT) as (sheet, axes):
        at: Any = axes[0][0]
        at.axhline(0, color="#888888", linewidth=0.8)
        at.plot([x for x, _ in known], [of.mean for _, of in known], color=COLOURS[0], marker="o", markersize=3)
        for x, of in known:
            if of.low is not None and of.high is not None:
                at.plot([x, x], [of.low, of.high], color=COLOURS[0], linewidth=1.0)
        title_panel(at, sweep.label[:1].upper() + sweep.label[1:], {f"{x:g}": of.n for x, of in known})
        at.set_xlabel(sweep.number)
        at.set_ylabel(fill(sweep.label, LABEL))
        return sheet_svg(sheet)


def answer_lines(answers: StudyAnswers) -> list[str]:
    """The lines on models' answers at the beginning of a report."""
    out = [_readers(answers), *_judges(answers)]
    if deeds := sum(answers.refused.values()):
        out.append(f"The platform refused {count_of(deeds, 'action')} of readers, as it would anybody's.")
    money = f", ${answers.usd:.2f}" if answers.usd else ""
    out.append(
        f"This run had {count_of(answers.users, 'reader')}, where the paper had {answers.of}: "
        "an effect that shows among so many may not show here. "
        f"All calls in this folder come to {answers.calls:,} and {answers.tokens:,} tokens{money}."
    )
    if answers.left_out:
        out.append(f"Left out, because they make no sense with a model: {_left_out(answers.left_out)}.")
    return out


def _readers(answers: StudyAnswers) -> str:
    by_case = {case: _sum(heard, "reader") for case, heard in answers.heard.items()}
    told = "; ".join(f"`{case}` {_told(h)}" for case, h in by_case.items()) or "no run came to its end"
    if not any(h.answered for h in by_case.values()):
        none = f"NO USABLE ANSWER CAME FROM {answers.mind}"
        return f"{none}: readers did nothing, and no number here comes from it ({told})."
    line = f"Readers decided by {answers.mind}: {told}."
    if any(h.asked > h.answered for h in by_case.values()):
        line += " Where no answer fitted, a reader did or said nothing; nobody answered instead."
    if any(h.unheard for h in by_case.values()):
        line += " Some questions got no answer at all: the same command asks those again."
    silent = [f"`{case}`" for case, h in by_case.items() if not h.answered]
    return f"{line} NO USABLE ANSWER CAME IN {', '.join(silent)}." if silent else line


def _judges(answers: StudyAnswers) -> list[str]:
    if not answers.judges:
        return []
    models = dict.fromkeys(h.model for heard in answers.heard.values() for h in heard if h.role == "judge")
    told = "; ".join(
        f"{model} {_told(_sum((h for heard in answers.heard.values() for h in heard if h.model == model), 'judge'))}"
        for model in models
    )
    who = "The readers' own model judged" if answers.own else "Judged"
    return [f"{who} {answers.judges}: {told}." if told else f"Nothing was judged ({answers.judges})."]


def _sum(heard: Iterable[AnswerCounts], role: str) -> AnswerCounts:
    own = [h for h in heard if h.role == role]
    return AnswerCounts("", role, *(sum(getattr(h, key) for h in own) for key in ("answered", "unfit", "unheard")))


def _told(h: AnswerCounts) -> str:
    parts = [f"{h.answered:,} of {count_of(h.asked, 'question')} answered"]
    parts += [f"{h.unfit:,} with no answer that fits"] if h.unfit else []
    parts += [f"{h.unheard:,} without any answer"] if h.unheard else []
    return ", ".join(parts)


def _left_out(left: Mapping[str, str]) -> str:
    by_why: dict[str, list[str]] = {}
    for case, why in left.items():
        by_why.setdefault(why, []).append(f"`{case}`")
    return "; ".join(f"{', '.join(cases)} ({why})" for why, cases in by_why.items())


_EMPTY = re.compile(r"^## [^\n]*\n\n(?=## )", re.MULTILINE)  # a section without content


def study_markdown(study: Study, report: Report, drawn: Collection[str]) -> str:
    """The whole report. drawn: names of existing figure files."""
    run = {r.case for r in report.runs}
    cases = [case for case in study.cases if case.name in run]
    percents = any(e.percent is not None for e in report.effects if not e.null)
    decimals = {m.key: m.decimals for m in study.measures}
    whole = render_template(
        "study.md.j2",
        {
            "study": study,
            "report": report,
            "lines": [*short(report), *missing(study, report)],
            "cases": [[f"`{case.name}`", case.about, case_settings(case.settings)] for case in cases],
            "percents": percents,
            "effects": [
                [*_effect(e), chance(e.difference.q), *([_percent(e.percent)] if percents else [])]
                for e in report.effects
                if not e.null
            ],
            "nulls": [[*_effect(e), chance(e.difference.q), _null(e)] for e in report.effects if e.null],
            "sweeps": [
                (s, rows, name if name in drawn else "")
                for i, s in enumerate(study.sweeps, 1)
                for name in (sweep_file(study, i),)
                if (rows := _sweep(s, report))
            ],
            "groups": _groups(study.groups, report),
            "groups_head": _head(study.groups.names) if study.groups is not None else [],
            "beside": _beside(study, report),
            "measured": [
                (m.label, [interval_text(report.means[case.name][m.key], decimals[m.key]) for case in cases])
                for m in study.measures
            ],
            "names": [f"`{case.name}`" for case in cases],
            "plots": [(p, name) for p in study.plots if (name := plot_file(study, p)) in drawn],
            "empty": [x.line(_label(study, x.metric)) for x in missing_measures(study, report.runs) if not x.fault],
        },
    )
    return _EMPTY.sub("", whole)


def short(report: Report) -> list[str]:
    """The summary, a list of lines: with models, how they answered; each claim; how many seeds are needed to show one
    of these, if there were fewer; the null cases.
    """
    out = [] if report.answers is None else answer_lines(report.answers)
    for v in report.verdicts:
        e = report.effect(v.effect)
        assert e is not None
        told = more(e.difference.estimate)
        told += "" if e.percent is None else f" ({_percent(e.percent)})"
        told += "" if v.q is None else f", q {chance(v.q)}"
        out.append(f"{'The paper' if report.paper else 'Claim'}: {v.says}. Here: {e.label} {told}; {v.word}.")
    tested = {v.effect for v in report.verdicts if v.q is not None}
    if wanted := required_seeds(e.difference for e in report.effects if e.key in tested):
        out.append(f"With {len(tested)} effects that test claims, it takes {wanted} seeds to show a single one.")
    nulls = [e for e in report.effects if e.null and e.difference.estimate.low is not None]
    if nulls:
        held = sum(not e.difference.estimate.clear for e in nulls)
        shown = sum(e.difference.shown for e in nulls)
        out.append(
            f"Where there can be no effect, the interval holds 0 in {held} of {len(nulls)} cases; "
            f"corrected for all of them, {shown or 'none'} would be taken for one."
        )
    return out


def missing(study: Study, report: Report) -> list[str]:
    """Failed runs, and missing or invalid measures and curves: where, and why."""
    failed = sum(bool(run.error) for run in report.runs)
    are = "is" if failed == 1 else "are"
    told = f"{count_of(failed, 'run')} failed and {are} not in the numbers below: {'; '.join(failures(report.runs))}."
    return [told] * bool(failed) + [
        f"{x.line(_label(study, x.metric))}." for x in missing_measures(study, report.runs) if x.fault
    ]


def _label(study: Study, key: str) -> str:
    return next((m.label for m in study.measures if m.key == key), key)


def _percent(e: Estimate | None) -> str:
    return NOTHING if e is None or e.mean is None else f"{more(e, 1)} %"


def _effect(e: EffectResult) -> list[str]:
    d = e.difference
    of = f"`{e.case}` minus `{e.against}`" if e.against else f"`{e.case}`"
    told = more(d.estimate)
    return [e.label, of, f"**{told}**" if d.shown else told, str(d.estimate.n), chance(d.p)]


def _null(e: EffectResult) -> str:
    if e.difference.estimate.low is None:
        return f"cannot be told with fewer than {LEAST} seeds"
    return "does not hold 0" if e.difference.estimate.clear else "holds 0"


def _groups(groups: Groups | None, report: Report) -> list[tuple[str, list[list[str]]]]:
    """Each case that was run, with the rows of its table of groups."""
    found: dict[str, list[Found]] = {}
    for run in report.runs:
        if run.found is not None:
            found.setdefault(run.case, []).append(run.found)
    return [
        (case, [_row(label, [_pooled(found[case], key) for key in keys]) for label, keys in groups.rows])
        for case in (groups.cases if groups is not None else ())
        if groups is not None and case in found
    ]


def _beside(study: Study, report: Report) -> list[list[str]]:
    """The rows of the table of known real values and of the cases that were run."""
    b = study.beside
    if b is None or not (cases := [case for case in b.cases if case in report.means]):
        return []
    decimals = {m.key: m.decimals for m in study.measures}
    known = [[name, *cells, *[NOTHING] * (len(b.columns) - len(cells))] for name, cells in b.known]
    return known + [
        [f"`{case}`", *(interval_text(report.means[case][key], decimals[key]) for key, _ in b.columns)]
        for case in cases
    ]


def _pooled(found: Sequence[Found], key: str) -> Sample:
    return pool_samples(own for f in found if (own := f.samples.get(key)) is not None)


def _head(names: Sequence[str]) -> list[str]:
    first = names[0]
    own = [[f"{name}: n", "mean", *([f"above {first}"] if name != first else [])] for name in names]
    return ["", *(cell for cells in own for cell in cells)]


def _row(label: str, samples: Sequence[Sample]) -> list[str]:
    """Size and mean of each group, and for all but the first the difference from the first."""
    out = [label]
    for i, s in enumerate(samples):
        out += [f"{s.n:,}", interval_text(s.estimate)]
        if i:
            out.append(_percent(Estimate(percent_above(s.mean, samples[0].mean), None, None, s.n)))
    return out


def _sweep(sweep: Sweep, report: Report) -> list[list[str]]:
    found = [(x, report.effect(key)) for x, key in sweep.points]
    return [[f"{x:g}", more(e.difference.estimate)] for x, e in found if e is not None]
