"""The report of an experiment in Markdown, and the short of it: what was computed (`lab.headlines`, `lab.facts`), in
the words of `sandbox/lab/templates`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sandbox.core.plain import count_of
from sandbox.lab import published, seeds, statistics, wording
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
from sandbox.lab.metrics import metric, own_metrics
from sandbox.lab.report_judged import judge_summaries, judges_part
from sandbox.lab.results import Results, missing_values

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
_ALONE = re.compile(r"[|#!]|$")  # how a line begins that nothing is joined to


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
    """What came of it, without words that the numbers do not carry; an entry to each thing, of a few sentences."""
    return [line.removeprefix("- ") for line in render_template("short.md.j2", _short(results)).splitlines() if line]


def _short(results: Results, failed: Sequence[str] = ()) -> dict[str, Any]:
    """failed: measures that raised or gave no number, a line each; a terminal tells them by themselves, last."""
    with own_metrics(results.plan.measures):
        return {"short": short_facts(results), "verdicts": judge_summaries(results.judged), "failed": failed}


def render_template(name: str, values: dict[str, Any]) -> str:
    """A report made of one of the templates."""
    return unwrap_markdown(_environment().get_template(name).render(values))


def unwrap_markdown(text: str) -> str:
    """Markdown with a paragraph, an entry of a list and a row each on one line, one empty line between two parts, and
    none within a list.
    """
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
    """Jinja, loaded when the first report is written."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["sentence"] = lambda text: f"{text[:1].upper()}{text[1:]}"
    for words in (count_of, wording.markdown_table, wording.wide, seeds.seeds_text):
        made.globals[words.__name__] = words
    made.globals |= {"least": statistics.LEAST, "enough": statistics.ENOUGH, "exact": statistics.EXACT}
    made.globals["near"] = NEAR
    made.globals |= {"draws": statistics.DRAWS, "published": published}
    return made
