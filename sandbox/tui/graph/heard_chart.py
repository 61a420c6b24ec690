"""A chart of two lines over days, R and B, each with its forecast dotted on beyond now; pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sandbox.tui.view.text_lines import Ink, Line, fit, ink

AXIS = 6  # cells of the labels at the left
AHEAD = 0.5  # of the days so far, shown of the forecast beyond them
INKS: tuple[Ink, Ink] = ("accent", "link")  # of R, and B
EVEN = 1.0  # the value at which neither is above
Pair = tuple[float, float]  # of R, and B


class HeardPoint(NamedTuple):
    """Values at a moment. days: since the start."""

    days: float
    values: Pair


def lines_over_days(
    lived: Sequence[HeardPoint], said: Sequence[HeardPoint], now: float, first: int, width: int, rows: int, plain: bool
) -> list[Line]:
    """The chart in `rows` + 1 lines. lived: points of both lines, at least one; said: of the forecast. now: days since
    the start; first: number of the first day. plain: in ASCII.
    """
    wide, ends = width - AXIS, span_of(now)
    values = [EVEN, *(y for point in (*lived, *said) for y in point.values)]
    low, high = min(values), max(values)
    cells: list[list[tuple[str, Ink]]] = [[(" ", "faint")] * wide for _ in range(rows)]

    def put(x: int, y: float, char: str, fg: Ink) -> None:
        cells[round((high - y) / max(high - low, 1e-9) * (rows - 1))][x] = (char, fg)

    for x in range(wide):
        put(x, EVEN, "-" if plain else "╌", "faint")
    for which, fg in enumerate(INKS):
        for x in range(0, wide if said else 0, 2):
            days, values = [point.days for point in said], [point.values[which] for point in said]
            if (at := x / (wide - 1) * ends) >= days[0]:
                put(x, float(np.interp(at, days, values)), "." if plain else "·", fg)
    for which, fg in enumerate(INKS):
        line = [(_column(point.days, ends, wide), point.values[which]) for point in lived]
        for (x, y), (end, last) in pairwise(line):
            for at in range(x, end):
                put(at, y + (last - y) * (at - x) / (end - x), "*" if plain else "━", fg)
        put(*line[-1], "RB"[which], fg)
    even = round((high - EVEN) / max(high - low, 1e-9) * (rows - 1))
    labels = {even: f"{EVEN:.2f}", 0: f"{high:.2f}", rows - 1: f"{low:.2f}"}
    out: list[Line] = []
    for y, row in enumerate(cells):
        out.append([ink(f"{labels.get(y, ''):>{AXIS - 1}} ", "dim"), *(ink(char, fg) for char, fg in row)])
    return [*out, fit([ink(" " * AXIS + _days(now, first, ends, wide), "dim")], width)]


def span_of(now: float) -> float:
    """The days that a chart reaches over, from the start on."""
    return max(now, 1.0) * (1 + AHEAD)


def _column(days: float, ends: float, wide: int) -> int:
    return max(0, min(wide - 1, round(days / ends * (wide - 1))))


def _days(now: float, first: int, ends: float, wide: int) -> str:
    """Labels under the columns: now, and days where there is room."""
    out = [" "] * wide
    marks = [(now, "now"), *((float(i), f"day {first + i}" if not i else str(first + i)) for i in range(int(ends) + 1))]
    for days, text in marks:
        x = min(_column(days, ends, wide), wide - len(text))
        if x >= 0 and not "".join(out[max(0, x - 2) : x + len(text) + 2]).strip():
            out[x : x + len(text)] = text
    return "".join(out)
