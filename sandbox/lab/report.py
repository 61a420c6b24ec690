"""The report of an experiment in Markdown, and its summary: computed values (`lab.headlines`, `lab.facts`) put into
words by `sandbox/lab/templates`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sandbox.core.plain import count_of
from sandbox.lab import experiment, published, statistics, wording
from sandbox.lab.facts import (
    carryover_part,
    claims,
    comparison_part,
    friendship_part,
    missing_part,
    networks,
    others,
    run,
    small_tests,
    trust,
)
from sandbox.lab.figures import FIGURES
from sandbox.lab.headlines import NEAR, short_facts
from sandbox.lab.judging import Rubric, rubrics
from sandbox.lab.metrics import metric, own_metrics
from sandbox.lab.published import TABLE_4, TABLE_5
from sandbox.lab.results import ArmComparison, Results, missing_values
from sandbox.lab.scores import CriterionScore, Judgements
from sandbox.lab.wording import NOTHING, bold, interval_text, more, number_text


def judge_summaries(j: Judgements | None) -> list[dict[str, Any]]:
    """Each judge's scores of the first two arms."""
    out = []
    for bill in j.bills if j is not None else ():
        own = [s for s in j.scores if s.judge == bill.judge] if j is not None else []
        own = [s for s in own if (s.arm, s.against) == (own[0].arm, own[0].against)]
        shown = [s for s in own if s.difference.shown]
        out.append(
            {
                "judge": bill.judge,
                "arm": own[0].arm,
                "against": own[0].against,
                "known": sum(s.difference.p is not None for s in own),
                "shown": [(rubrics()[s.criterion].title.lower(), more(s.difference.estimate, 2)) for s in shown],
            }
        )
    return out


def judges_part(results: Results) -> dict[str, Any]:
    """The part of the report on judges."""
    j, asked = results.judged, results.plan.judging
    titles = [rubric.title for rubric in rubrics().values()]
    if j is None or asked is None:
        first = results.compared[0] if results.compared else None
        rows = [(x.title, f"{x.lowest} to {x.highest}", _matched(x, first), NOTHING) for x in rubrics().values()]
        return {"asked": False, "rows": rows}
    words = [w for judge in asked.judges for w in ("--judge", judge)]
    pairs = dict.fromkeys((s.arm, s.against) for s in j.scores)
    return {
        "asked": True,
        "pairs": asked.pairs,
        "command": shlex.join(["sandbox", "lab", "judge", "DIR", *words, "--judge-pairs", str(asked.pairs)]),
        "titles": titles,
        "judges": [
            {
                "bill": bill,
                "cost": f"{bill.cost:.4f} US dollars" if bill.cost else "",
                "compared": [(pair, _scores(s for s in j.scores if _of(s, bill.judge, pair))) for pair in pairs],
            }
            for bill in j.bills
        ],
        "agreed": [
            (
                rubrics()[a.criterion].title,
                " and ".join(f"`{name}`" for name in a.judges),
                number_text(a.rho, 2),
                f"{a.n:,}",
                f"{number_text(a.over_arms, 2)} of {a.arms}",
            )
            for a in j.agreements
        ],
        "paper": _paper(j) if results.plan.experiment.beside else None,
    }


def _matched(rubric: Rubric, pair: ArmComparison | None) -> str:
    if pair is None:
        return NOTHING
    of = f"{pair.talks:,} pairs of talks" if rubric.of == "talk" else f"{pair.series:,} pairs of series"
    return f"{of} of `{pair.arm}` and `{pair.against}`"


def _of(s: CriterionScore, judge: str, pair: tuple[str, str]) -> bool:
    return (s.judge, s.arm, s.against) == (judge, *pair)


def _scores(scores: Iterable[CriterionScore]) -> list[tuple[str, ...]]:
    return [
        (
            rubric.title,
            f"{rubric.lowest} to {rubric.highest}",
            interval_text(s.one, 2),
            interval_text(s.other, 2),
            bold(s.difference, 2),
            _share(s.won),
            _share(s.same),
            number_text(s.gap, 2),
            f"{s.pairs:,} of {s.drawn:,}",
            f"{s.unread:,} of {s.asked:,}",
            f"{s.missing:,}",
            f"{s.clipped:,}",
        )
        for s in scores
        for rubric in (rubrics()[s.criterion],)
    ]


def _share(x: float | None) -> str:
    return NOTHING if x is None else f"{x:.0%}"


def _paper(j: Judgements) -> dict[str, Any]:
    """The paper's scores, ours below them, and the agreement of its judges."""
    rows: list[tuple[str, ...]] = []
    for judge, models in TABLE_5.items():
        for model, scores in models.items():
            both = (scores[key] for key in rubrics())
            rows.append((judge, model, *(f"{without:.2f} → {with_:.2f}" for without, with_ in both)))
    for bill in j.bills:
        own = [s for s in j.scores if s.judge == bill.judge]
        for pair in dict.fromkeys((s.arm, s.against) for s in own):
            of = {s.criterion: s for s in own if (s.arm, s.against) == pair}
            cells = (f"{number_text(of[key].other.mean, 2)} → {number_text(of[key].one.mean, 2)}" for key in rubrics())
            rows.append((f"`{bill.judge}`", f"here, `{pair[1]}` → `{pair[0]}`", *cells))
    return {"rows": rows, "rho": [f"{TABLE_4[key]:.3f}" for key in rubrics()]}


FOLDER = Path(__file__).parent / "templates"
PARTS: dict[str, Callable[[Results], Any]] = {
    "run": run,
    "carried": carryover_part,
    "networks": networks,
    "claims": claims,
    "small_tests": small_tests,
    "shapes": friendship_part,
    "others": others,
    "compared": comparison_part,
    "judged": judges_part,
    "missing": missing_part,
    "trust": trust,
}
_ALONE = re.compile(r"[|#!]|$")  # beginnings of lines that are not joined to others


def report_markdown(results: Results) -> str:
    """The whole report."""
    experiment = results.plan.experiment
    drawn = {figure.file(experiment.name): figure for figure in FIGURES}
    with own_metrics(results.plan.measures):
        parts = {name: part(results) for name, part in PARTS.items()}
        failed = [found.line(metric(found.metric).label) for found in missing_values(results) if found.fault]
    about = {
        "experiment": experiment,
        "command": results.plan.command,
        "cited": published.PAPERS.get(experiment.beside, ""),
        "figures": [(drawn[name], name) for name in results.figures],
    }
    return render_template("report.md.j2", parts | about | _short(results, failed))


def report_summary(results: Results) -> list[str]:
    """The summary: a list of entries of a few sentences each, claiming no more than the numbers support."""
    return [line.removeprefix("- ") for line in render_template("short.md.j2", _short(results)).splitlines() if line]


def _short(results: Results, failed: Sequence[str] = ()) -> dict[str, Any]:
    """failed: measures that raised or gave no number, a line each; a terminal shows them separately, last."""
    with own_metrics(results.plan.measures):
        return {"short": short_facts(results), "verdicts": judge_summaries(results.judged), "failed": failed}


def render_template(name: str, values: dict[str, Any]) -> str:
    """Fill in one of the report templates."""
    return unwrap_markdown(_environment().get_template(name).render(values))


def unwrap_markdown(text: str) -> str:
    """Markdown with each paragraph, list entry and table row on one line, and one empty line between parts."""
    out: list[str] = []
    for line in map(str.strip, text.split("\n")):
        entry, alone = line.startswith("- "), _ALONE.match(line) is not None
        if entry and len(out) > 1 and not out[-1] and out[-2].startswith("- "):
            out[-1] = line
        elif not entry and not alone and out and not _ALONE.match(out[-1]):
            out[-1] += f" {line}"
        else:
            if out and out[-1] and line.startswith("#"):
                out.append("")
            if line or (out and out[-1]):
                out.append(line)
    return "\n".join(out).strip() + "\n"


@cache
def _environment() -> Any:
    """The Jinja environment, imported for the first report."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["sentence"] = lambda text: f"{text[:1].upper()}{text[1:]}"
    for words in (count_of, wording.markdown_table, wording.wide, experiment.seeds_text):
        made.globals[words.__name__] = words
    made.globals |= {"least": statistics.LEAST, "enough": statistics.ENOUGH, "exact": statistics.EXACT}
    made.globals["near"] = NEAR
    made.globals |= {"draws": statistics.DRAWS, "published": published}
    return made
