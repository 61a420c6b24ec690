"""Figures of an experiment as SVG: a panel for each comparison, both arms with a band over seeds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.core.clock import Clock, parse_start
from sandbox.lab.drawing import Curve, CurveStyle, curve_styles, draw_curves, drawing_sheet, legend, sheet_svg
from sandbox.lab.results import ArmComparison, Results, TimeSeries
from sandbox.lab.statistics import LEAST
from sandbox.store.files import appearing

COLUMNS = 4
SPAN = 0.1  # of an axis at least, so that what hardly moves looks as if it hardly moved
WIDTH, HEIGHT = 2.7, 2.2  # of a panel, in inches


class Figure(NamedTuple):
    """line: the key of the arms' lines. metric: with which it is drawn. label: of the axis. about: what a reader
    should see.
    """

    line: str
    metric: str
    label: str
    about: str

    def file(self, experiment: str) -> str:
        """The name of its file."""
        return f"{experiment}-{self.line}.svg"


FIGURES = (
    Figure(
        "modularity",
        "modularity",
        "modularity Q",
        "Weighted modularity of the network of feelings at the end of each hour",
    ),
    Figure("reciprocity", "reciprocity", "reciprocity r", "Mutual pairs among connected pairs at the end of each hour"),
    Figure("density", "density", "density", "Connected pairs among all pairs at the end of each hour"),
    Figure(
        "made_modularity",
        "made_modularity",
        "modularity Q, made",
        "Weighted modularity of what the run itself has made, from 0 on",
    ),
    Figure(
        "made_reciprocity",
        "made_reciprocity",
        "reciprocity r, made",
        "Mutual pairs among pairs that the run itself has made",
    ),
    Figure("pleasure", "pleasure_range", "pleasure", "Mean pleasure of all people at the end of each step"),
)


def draw_figures(results: Results, out: Path) -> list[str]:
    """Write the figures of what is measured into a folder, and give the names of their files. Others of before go."""
    experiment, written = results.plan.experiment, list[str]()
    measured = {arm.name for arm in results.arms if arm.whole}
    pairs = [c for c in results.compared if {c.arm, c.against} <= measured]
    for figure in FIGURES:
        name = figure.file(experiment.name)
        if not pairs or figure.metric not in experiment.metrics:
            (out / name).unlink(missing_ok=True)
            continue
        text = _sheet(results, pairs, figure)
        with appearing(out / name, overwrite=True) as file:
            file.write(text)
        written.append(name)
    return written


def _sheet(results: Results, pairs: list[ArmComparison], figure: Figure) -> str:
    """A panel for each comparison, all to one measure."""
    arms = [arm.name for arm in results.arms]
    columns = min(COLUMNS, len(pairs))
    with drawing_sheet(-(-len(pairs) // columns), columns, WIDTH, HEIGHT, shared=True) as (sheet, axes):
        for at in axes.flat[len(pairs) :]:
            at.set_axis_off()
        for at, pair in zip(axes.flat, pairs, strict=False):
            _panel(at, pair, results, figure.line, curve_styles(arms))
        low, high = axes[0][0].get_ylim()
        middle, half = (low + high) / 2.0, max(high - low, SPAN) / 2.0
        axes[0][0].set_ylim(middle - half, middle + half)
        sheet.suptitle(figure.about, fontsize=9.0)
        sheet.supylabel(figure.label)
        legend(sheet, arms)
        return sheet_svg(sheet)


def _panel(at: Any, pair: ArmComparison, results: Results, line: str, look: Mapping[str, CurveStyle]) -> None:
    clock = Clock(parse_start(results.plan.experiment.start))
    hours = results.plan.experiment.step * results.plan.experiment.steps / 3600.0
    ends = [results.arm(name) for name in (pair.against, pair.arm)]
    title = f"{pair.arm} against {pair.against}"
    draw_curves(at, title, [_curve(arm.name, arm.whole, arm.lines[line], hours) for arm in ends], look)
    ticks = [0.0, hours / 2.0, hours]
    at.set_xticks(ticks, [clock.hhmm(int(3600 * x)) for x in ticks])


def _curve(name: str, n: int, line: TimeSeries, hours: float) -> Curve:
    """A line of an arm, where there is any of it."""
    known = [i for i, x in enumerate(line.mean) if x is not None]
    x = [hours * i / max(1, len(line.mean) - 1) for i in known]
    mean, low, high = ([of[i] or 0.0 for i in known] for of in (line.mean, line.low, line.high))
    return Curve(name, n, x, mean, *((low, high) if n >= LEAST else ()))
