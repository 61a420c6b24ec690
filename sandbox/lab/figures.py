"""Figures of an experiment as SVG: a panel for each comparison, both arms with a band over seeds."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import msgspec

from sandbox.core.clock import Clock, parse_start
from sandbox.core.plain import count_of
from sandbox.lab.results import ArmComparison, Results, TimeSeries
from sandbox.lab.statistics import LEAST
from sandbox.store.files import appearing

STYLE: Any = {
    "svg.hashsalt": "sandbox",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
# Distinguishable by colour-blind people (Okabe and Ito's palette without yellow, too pale for a line), and by dashes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")
DASHES: tuple[Any, ...] = ("solid", (0, (4, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (2, 2)), (0, (8, 2)))
LETTERS = 14  # of a title per inch of a panel
WIDEST = 1.6  # inches of a name in a legend at most


class CurveStyle(NamedTuple):
    """The style of a curve."""

    colour: str
    dash: Any


class Curve(NamedTuple):
    """A curve with its band. name: of the arm; n: number of seeds. low, high: None = no band."""

    name: str
    n: int
    x: Sequence[float]
    mean: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


def curve_styles(names: Iterable[str]) -> dict[str, CurveStyle]:
    """The style of each arm. names: all arms of a report, in its order, so that styles agree between panels."""
    own = dict.fromkeys(names)
    return {name: CurveStyle(COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]) for i, name in enumerate(own)}


def of_seeds(counts: Mapping[str, int]) -> str:
    """The number of seeds behind the curves of a panel, as text. counts: by curve name."""
    numbers = [*counts.values()]
    if len({*numbers}) <= 1:
        return f"n = {count_of(numbers[0], 'seed')}" if numbers else "n = 0"
    return "n = " + ", ".join(f"{n} ({name})" for name, n in counts.items())


@contextmanager
def drawing_sheet(
    rows: int, columns: int, width: float, height: float, shared: bool = False
) -> Iterator[tuple[Any, Any]]:
    """A figure with rows x columns panels. width, height: of each, in inches. shared: the same axes for all."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        sheet = Figure(figsize=(width * columns, height * rows), layout="constrained")
        FigureCanvasSVG(sheet)
        yield sheet, sheet.subplots(rows, columns, sharex=shared, sharey=shared, squeeze=False)


def title_panel(at: Any, title: str, counts: Mapping[str, int]) -> None:
    """Title a panel with its subject and the number of seeds."""
    width = at.figure.get_size_inches()[0] / at.get_gridspec().ncols
    at.set_title(f"{fill(title, int(width * LETTERS))}\n{of_seeds(counts)}")


def draw_curves(at: Any, title: str, curves: Sequence[Curve], look: Mapping[str, CurveStyle]) -> None:
    """Draw the curves of a panel."""
    for c in curves:
        colour, dash = look[c.name]
        if c.low is not None and c.high is not None:
            at.fill_between(c.x, c.low, c.high, color=colour, alpha=0.15, linewidth=0)
        at.plot(c.x, c.mean, color=colour, linestyle=dash, linewidth=1.2, label=c.name)
    title_panel(at, title, {c.name: c.n for c in curves})


def legend(sheet: Any, order: Iterable[str], called: Callable[[str], str] = str) -> None:
    """Put one legend below all panels, each name once."""
    lines: dict[str, Any] = {}
    for at in sheet.axes:
        for handle, name in zip(*at.get_legend_handles_labels(), strict=True):
            lines.setdefault(name, handle)
    names = [name for name in order if name in lines]
    columns = max(1, min(len(names), int(sheet.get_size_inches()[0] / WIDEST)))
    sheet.legend([lines[name] for name in names], [called(name) for name in names],
                 loc="outside lower center", ncols=columns, frameon=False, handlelength=3.5)  # fmt: skip


def sheet_svg(sheet: Any) -> str:
    """The figure as SVG. Call inside `drawing_sheet`."""
    text = io.StringIO()
    sheet.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


COLUMNS = 4
SPAN = 0.1  # smallest span of an axis, so that tiny changes look tiny
WIDTH, HEIGHT = 2.7, 2.2  # of a panel, in inches


class Figure(NamedTuple):
    """line: key of the arms' time series. metric: it is drawn if this is measured. label: of the axis. about: what
    readers should look for.
    """

    line: str
    metric: str
    label: str
    about: str

    def file(self, experiment: str) -> str:
        """The name of its file."""
        return f"{experiment}-{self.line}.svg"


FIGURES = msgspec.yaml.decode(Path(__file__).with_name("figures.yaml").read_bytes(), type=tuple[Figure, ...])


def draw_figures(results: Results, out: Path) -> list[str]:
    """Draw figures of what was measured into a folder; returns their file names. Earlier figures are removed."""
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
    """A panel for each comparison, all with the same scale."""
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
    """The curve of an arm, up to where it has values."""
    known = [i for i, x in enumerate(line.mean) if x is not None]
    x = [hours * i / max(1, len(line.mean) - 1) for i in known]
    mean, low, high = ([of[i] or 0.0 for i in known] for of in (line.mean, line.low, line.high))
    return Curve(name, n, x, mean, *((low, high) if n >= LEAST else ()))
