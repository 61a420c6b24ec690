"""Figures of an experiment as SVG: a panel for each comparison, both arms with a band over seeds.

The same numbers give the same bytes: no date, fixed names of parts, text as text.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.core.clock import Clock, parse_start
from sandbox.lab.results import Compared, Line, Results
from sandbox.store.files import appearing

COLUMNS = 4
SPAN = 0.1  # of an axis at least, so that what hardly moves looks as if it hardly moved
ARM, AGAINST = "#1f5fa8", "#b0621c"  # told apart by colour-blind eyes, and by their dashes


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


def draw(results: Results, out: Path) -> list[str]:
    """Write the figures of what is measured into a folder, and give the names of their files. Others of before go."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Sheet

    style: Any = {"svg.hashsalt": "sandbox", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 8.0}
    experiment, drawn = results.plan.experiment, list[str]()
    measured = {arm.name for arm in results.arms if arm.whole}
    pairs = [c for c in results.compared if {c.arm, c.against} <= measured]
    for figure in FIGURES:
        name = figure.file(experiment.name)
        if not pairs or figure.metric not in experiment.metrics:
            (out / name).unlink(missing_ok=True)
            continue
        with matplotlib.rc_context(style):
            columns = min(COLUMNS, len(pairs))
            rows = -(-len(pairs) // columns)
            sheet = Sheet(figsize=(2.6 * columns + 0.4, 2.1 * rows + 0.3), layout="constrained")
            FigureCanvasSVG(sheet)
            axes = sheet.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
            for i, at in enumerate(axes.flat):
                if i < len(pairs):
                    _panel(at, pairs[i], results, figure)
                else:
                    at.set_axis_off()
            low, high = axes[0][0].get_ylim()
            middle, half = (low + high) / 2.0, max(high - low, SPAN) / 2.0
            axes[0][0].set_ylim(middle - half, middle + half)
            sheet.supylabel(figure.label)
            text = io.StringIO()
            sheet.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        with appearing(out / name, overwrite=True) as file:
            file.write(text.getvalue())
        drawn.append(name)
    return drawn


def _panel(at: Any, pair: Compared, results: Results, figure: Figure) -> None:
    clock = Clock(parse_start(results.plan.experiment.start))
    hours = results.plan.experiment.step * results.plan.experiment.steps / 3600.0
    for arm, colour, dash in ((pair.against, AGAINST, (0, (4, 2))), (pair.arm, ARM, "solid")):
        line = results.arm(arm).lines[figure.line]
        t = [hours * i / max(1, len(line.mean) - 1) for i in range(len(line.mean))]
        _banded(at, t, line, colour, dash, arm)
    ticks = [0.0, hours / 2.0, hours]
    at.set_xticks(ticks, [clock.hhmm(int(3600 * x)) for x in ticks])
    at.legend(frameon=False, loc="best")
    for side in ("top", "right"):
        at.spines[side].set_visible(False)


def _banded(at: Any, t: list[float], line: Line, colour: str, dash: Any, label: str) -> None:
    known = [i for i, x in enumerate(line.mean) if x is not None]
    x = [t[i] for i in known]
    low, high = [line.low[i] for i in known], [line.high[i] for i in known]
    at.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
    at.plot(x, [line.mean[i] for i in known], color=colour, linestyle=dash, linewidth=1.2, label=label)
