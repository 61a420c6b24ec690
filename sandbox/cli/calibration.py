"""What is measured, in figures: each beside a calibration loop, plain Python by which times are divided, so that they
stay alike from machine to machine.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time
from typing import NamedTuple

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
BYTES = {"MB": 1e6, "kB": 1e3, "MB/day": 1e6}


class BenchFigure(NamedTuple):
    """value: in its unit, None where it could not be measured. loop_ms: milliseconds of the calibration loop beside it.
    ratio: of a time, the time of how many such loops it is.
    """

    name: str
    value: float | None
    unit: str
    loop_ms: float
    ratio: float | None
    note: str


def make_figure(name: str, measured: float | None, unit: str, loop: float, note: str = "") -> BenchFigure:
    """The figure of what was measured, in seconds, bytes or a count. loop: CPU seconds of the calibration loop."""
    scale = loop if unit == "loops" else SECONDS.get(unit) or BYTES.get(unit, 1.0)
    value = None if measured is None else round(measured / scale, 4)
    ratio = None if measured is None or unit not in SECONDS else float(f"{measured / loop:.4g}")
    return BenchFigure(name, value, unit, round(loop * 1e3, 2), ratio, note)


def shown_value(value: float | None) -> str:
    """The value of a figure for a table: three digits, or all of a whole number."""
    if value is None:
        return "-"
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def run_calibration() -> None:
    """One loop: 200,000 turns over a small table."""
    table: dict[int, int] = {}
    for i in range(200_000):
        table[i & 1023] = table.get(i & 1023, 0) + i * 7 % 13


def best_time(rounds: int, work: Callable[[], object]) -> float:
    """CPU seconds of the quickest of that many rounds."""
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
    """Spare the garbage collector what is in memory by now: to look through it is no part of what is measured next."""
    gc.collect()
    gc.freeze()
