"""The report of an experiment in Markdown, and the short of it: what was computed (`lab.headlines`, `lab.facts`), in
the words of `sandbox/lab/templates`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sandbox.core.plain import counted
from sandbox.lab import published, seeds, statistics, wording
from sandbox.lab.facts import carried, claims, compared, missing, networks, others, run, shapes, small_tests, trust
from sandbox.lab.figures import FIGURES
from sandbox.lab.headlines import NEAR, in_short
from sandbox.lab.metrics import beside, metric
from sandbox.lab.report_judged import judged, verdicts
from sandbox.lab.results import Results, lacking

FOLDER = Path(__file__).parent / "templates"
PARTS: dict[str, Callable[[Results], Any]] = {
    "run": run,
    "carried": carried,
    "networks": networks,
    "claims": claims,
    "small_tests": small_tests,
    "shapes": shapes,
    "others": others,
    "compared": compared,
    "judged": judged,
    "missing": missing,
    "trust": trust,
}
_ALONE = re.compile(r"[|#!]|$")  # how a line begins that nothing is joined to


def markdown(results: Results) -> str:
    """The whole report."""
    experiment = results.plan.experiment
    drawn = {figure.file(experiment.name): figure for figure in FIGURES}
    with beside(results.plan.measures):
        parts = {name: part(results) for name, part in PARTS.items()}
        failed = [found.line(metric(found.metric).label) for found in lacking(results) if found.fault]
    about = {
        "experiment": experiment,
        "command": results.plan.command,
        "cited": published.PAPERS.get(experiment.beside, ""),
        "figures": [(drawn[name], name) for name in results.figures],
    }
    return written("report.md.j2", parts | about | _short(results, failed))


def short(results: Results) -> list[str]:
    """What came of it, without words that the numbers do not carry; an entry to each thing, of a few sentences."""
    return [line.removeprefix("- ") for line in written("short.md.j2", _short(results)).splitlines() if line]


def _short(results: Results, failed: Sequence[str] = ()) -> dict[str, Any]:
    """failed: measures that raised or gave no number, a line each; a terminal tells them by themselves, last."""
    with beside(results.plan.measures):
        return {"short": in_short(results), "verdicts": verdicts(results.judged), "failed": failed}


def written(name: str, values: dict[str, Any]) -> str:
    """A report made of one of the templates."""
    return unwrapped(_environment().get_template(name).render(values))


def unwrapped(text: str) -> str:
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
    for words in (counted, wording.table, wording.wide, seeds.seeds_told):
        made.globals[words.__name__] = words
    made.globals |= {"least": statistics.LEAST, "enough": statistics.ENOUGH, "exact": statistics.EXACT}
    made.globals["near"] = NEAR
    made.globals |= {"draws": statistics.DRAWS, "published": published}
    return made
