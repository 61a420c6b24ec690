"""Figures and their targets: the figures of a group, what was measured, and whether it meets the target."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

from sandbox.cli.calibration import BenchFigure, make_figure

PATIENT = 0.95  # share of keys that must meet the target


class FigureSpec(NamedTuple):
    """A figure to measure. says: what it is. target: the most it may be, or with `more` the least; None if any value
    will do.
    """

    name: str
    unit: str
    says: str
    target: float | None = None
    more: bool = False


class Reading(NamedTuple):
    """A measured value of a figure: seconds, bytes or a count; None if it could not be measured."""

    name: str
    value: float | None
    note: str = ""


class TargetFigure(NamedTuple):
    """A figure beside its target. ok: whether it meets it; None without a value or a target."""

    figure: BenchFigure
    target: float | None
    more: bool
    ok: bool | None

    def as_json(self) -> dict[str, Any]:
        """All of it, as one flat object."""
        return {**self.figure._asdict(), "target": self.target, "more": self.more, "ok": self.ok}


def hold_to_target(spec: FigureSpec, reading: Reading, loop: float) -> TargetFigure:
    """Compare a reading with its target. loop: CPU seconds of the calibration loop beside it."""
    figure = make_figure(spec.name, reading.value, spec.unit, loop, reading.note)
    ok = None
    if figure.value is not None and spec.target is not None:
        ok = figure.value >= spec.target if spec.more else figure.value <= spec.target
    return TargetFigure(figure, spec.target, spec.more, ok)


def key_reading(name: str, waits: Sequence[float], share: float = PATIENT) -> Reading:
    """The longest wait within that share of keys. waits: in seconds, sorted."""
    note = f"{share:.0%} of {len(waits)} keys; middle {median(waits) * 1e3:.0f} ms, worst {waits[-1] * 1e3:.0f} ms"
    return Reading(name, waits[int(len(waits) * share)], note)
