"""The report of a study in Markdown, and the short of it for a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from sandbox.core.plain import count_of
from sandbox.lab.report import render_template
from sandbox.lab.statistics import LEAST, Estimate, required_seeds
from sandbox.lab.studies.answer_report import answer_lines
from sandbox.lab.studies.plots import plot_file, sweep_file
from sandbox.lab.studies.study import Found, Groups, Sample, Study, Sweep, percent_above, pool_samples
from sandbox.lab.studies.study_results import EffectResult, Report, failures, missing_measures
from sandbox.lab.wording import NOTHING, case_settings, chance, interval_text, more

_EMPTY = re.compile(r"^## [^\n]*\n\n(?=## )", re.MULTILINE)  # a part that has nothing in it


def study_markdown(study: Study, report: Report, drawn: Collection[str]) -> str:
    """The whole report. drawn: names of the files of figures that there are."""
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
            "nulls": [[*_effect(e), _null(e)] for e in report.effects if e.null],
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
    """What came of it: with minds, what they answered; a line for each claim, one on how many seeds it
    takes to show one of these, if there were fewer, and one on the cases where nothing can be.
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
        out.append(f"Of {len(tested)} effects that test claims one by itself can be shown from {wanted} seeds on.")
    nulls = [e for e in report.effects if e.null and e.difference.estimate.low is not None]
    if nulls:
        held = sum(not e.difference.estimate.clear for e in nulls)
        out.append(f"Where nothing can be, the interval holds 0 in {held} of {len(nulls)} cases.")
    return out


def missing(study: Study, report: Report) -> list[str]:
    """The runs that failed, and the measures and curves that are none or that a run did not give: where, and why."""
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
    of = f"`{e.case}` less `{e.against}`" if e.against else f"`{e.case}`"
    told = more(d.estimate)
    return [e.label, of, f"**{told}**" if d.shown else told, str(d.estimate.n), chance(d.p)]


def _null(e: EffectResult) -> str:
    if e.difference.estimate.low is None:
        return f"cannot be told below {LEAST} seeds"
    return "does not hold 0" if e.difference.estimate.clear else "holds 0"


def _groups(groups: Groups | None, report: Report) -> list[tuple[str, list[list[str]]]]:
    """Each case that was run, with the rows of its table."""
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
    """The rows of the table of what is known of the world, and of the cases that were run."""
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
    """How many there are of each group, their mean, and, of all but the first, what it is above the first's."""
    out = [label]
    for i, s in enumerate(samples):
        out += [f"{s.n:,}", interval_text(s.estimate)]
        if i:
            out.append(_percent(Estimate(percent_above(s.mean, samples[0].mean), None, None, s.n)))
    return out


def _sweep(sweep: Sweep, report: Report) -> list[list[str]]:
    found = [(x, report.effect(key)) for x, key in sweep.points]
    return [[f"{x:g}", more(e.difference.estimate)] for x, e in found if e is not None]
