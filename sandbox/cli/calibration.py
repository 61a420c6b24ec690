"""Measured figures, each with the time of a calibration loop of plain Python beside it: a time divided by the loop's is
much the same on all machines.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time
from typing import NamedTuple

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
BYTES = {"MB": 1e6, "kB": 1e3, "MB/day": 1e6}


class BenchFigure(NamedTuple):
    """A measured figure. value: in its unit, None if it could not be measured. loop_ms: milliseconds of the calibration
    loop beside it. ratio: of a time, its multiple of the loop's; else None.
    """

    name: str
    value: float | None
    unit: str
    loop_ms: float
    ratio: float | None
    note: str


def make_figure(name: str, measured: float | None, unit: str, loop: float, note: str = "") -> BenchFigure:
    """Make a figure of a value in seconds, bytes or a count. loop: CPU seconds of the calibration loop."""
    scale = loop if unit == "loops" else SECONDS.get(unit) or BYTES.get(unit, 1.0)
    value = None if measured is None else round(measured / scale, 4)
    ratio = None if measured is None or unit not in SECONDS else float(f"{measured / loop:.4g}")
    return BenchFigure(name, value, unit, round(loop * 1e3, 2), ratio, note)


def shown_value(value: float | None) -> str:
    """The value of a figure as a table shows it: three digits, or all of a number from 1,000 on."""
    if value is None:
        return "-"
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def run_calibration() -> None:
    """Run the calibration loop once: 200,000 updates of a small table."""
    table: dict[int, int] = {}
    for i in range(200_000):
        table[i & 1023] = table.get(i & 1023, 0) + i * 7 % 13


def best_time(rounds: int, work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of so many calls."""
    times = []
    for _ in range(rounds):
        began = process_time()
        work()
        times.append(process_time() - began)
    return min(times)


def calibration_time() -> float:
    """CPU seconds of the calibration loop, the best of seven."""
    return best_time(7, run_calibration)


def set_heap_aside() -> None:
    """Exclude all objects so far from garbage collection, which would slow what is measured next."""
    gc.collect()
    gc.freeze()
