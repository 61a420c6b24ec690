"""The figures of a study: its curves over steps, and the effect that a number has as it is turned up and down."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np

from sandbox.lab.drawing import (
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
from sandbox.lab.statistics import LEAST, band
from sandbox.lab.studies.study import Plot, Study, Sweep
from sandbox.lab.studies.study_results import Report

WIDTH, HEIGHT = 5.2, 3.4  # inches
LABEL = 34  # letters of a line beside an axis


def figure_files(study: Study) -> list[str]:
    """The names of all files that `figures` may give."""
    sweeps = [sweep_file(study, place) for place in range(1, len(study.sweeps) + 1)]
    return [*(plot_file(study, plot) for plot in study.plots), *sweeps]


def plot_file(study: Study, plot: Plot) -> str:
    """The name of a plot's file."""
    return f"{study.name}-{plot.name}.svg"


def sweep_file(study: Study, place: int) -> str:
    """The name of the file of a sweep. place: among the study's, from 1 on."""
    return f"{study.name}-sweep-{place}.svg"


def figures(study: Study, report: Report) -> dict[str, str]:
    """Name of a file -> the figure as SVG: a plot for each of the study's, and one for each sweep. A plot has those of
    its curves whose cases were run, if there are two, or it has no others.
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
    """The mean of the curves of all seeds that have one, as far as all of these have it."""
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
