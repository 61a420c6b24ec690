"""How all figures of the laboratory look: a colour and a dash for each arm, which it keeps from panel to panel and from
figure to figure; a title and the number of seeds over each panel; the legend beneath, where no curve is.

The same numbers give the same bytes: no date, fixed names of parts, text as text.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import Any, NamedTuple

from sandbox.core.plain import count_of

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
# Told apart by colour-blind eyes (Okabe and Ito's, but for their yellow, which is too pale for a line), and by dashes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")
DASHES: tuple[Any, ...] = ("solid", (0, (4, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (2, 2)), (0, (8, 2)))
LETTERS = 14  # of a title, to an inch of a panel
WIDEST = 1.6  # inches of a name in a legend


class CurveStyle(NamedTuple):
    """How a curve is drawn."""

    colour: str
    dash: Any


class Curve(NamedTuple):
    """A line with its band. name: of the arm; n: of how many seeds. low, high: None = there is no band."""

    name: str
    n: int
    x: Sequence[float]
    mean: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


def curve_styles(names: Iterable[str]) -> dict[str, CurveStyle]:
    """The look of each arm. names: of all there are in a report, in its order, whichever a panel shows."""
    own = dict.fromkeys(names)
    return {name: CurveStyle(COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]) for i, name in enumerate(own)}


def of_seeds(counts: Mapping[str, int]) -> str:
    """Of how many seeds the curves of a panel are, by name."""
    numbers = [*counts.values()]
    if len({*numbers}) <= 1:
        return f"n = {count_of(numbers[0], 'seed')}" if numbers else "n = 0"
    return "n = " + ", ".join(f"{n} ({name})" for name, n in counts.items())


@contextmanager
def drawing_sheet(
    rows: int, columns: int, width: float, height: float, shared: bool = False
) -> Iterator[tuple[Any, Any]]:
    """A sheet with its panels, rows x columns of them. width, height: of each, in inches. shared: of the same axes."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        sheet = Figure(figsize=(width * columns, height * rows), layout="constrained")
        FigureCanvasSVG(sheet)
        yield sheet, sheet.subplots(rows, columns, sharex=shared, sharey=shared, squeeze=False)


def title_panel(at: Any, title: str, counts: Mapping[str, int]) -> None:
    """Say over a panel what it shows, and of how many seeds."""
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
    """Say beneath all panels which line is whose, each once."""
    lines: dict[str, Any] = {}
    for at in sheet.axes:
        for handle, name in zip(*at.get_legend_handles_labels(), strict=True):
            lines.setdefault(name, handle)
    names = [name for name in order if name in lines]
    columns = max(1, min(len(names), int(sheet.get_size_inches()[0] / WIDEST)))
    sheet.legend([lines[name] for name in names], [called(name) for name in names],
                 loc="outside lower center", ncols=columns, frameon=False, handlelength=3.5)  # fmt: skip


def sheet_svg(sheet: Any) -> str:
    """The sheet as SVG. Ask while its page is open."""
    text = io.StringIO()
    sheet.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()
