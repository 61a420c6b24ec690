"""Measuring a save of an experiment: all metrics, time series, and other values for the report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from statistics import fmean

import msgspec

from sandbox.core.events import r6
from sandbox.core.faults import safe
from sandbox.core.plain import count_of, shown_as
from sandbox.lab.custom_minds import FAILS, describe_function
from sandbox.lab.judging import meeting_counts
from sandbox.lab.material import Material, Values
from sandbox.lab.metrics import METRICS, Metric
from sandbox.store.errors import SaveError

AXES = ("pleasure", "arousal", "dominance")
MADE = ("made_reciprocity", "made_modularity")
MOST = 1e100  # largest absolute value of a measure: squares over all seeds must not overflow
HOURLY = ("reciprocity", "modularity", "density", *MADE)


class Measurements(msgspec.Struct, frozen=True):
    """values: metric -> its value, None if there was nothing to measure. start: measures of the initial network.
    hourly: HOURLY at the start and at the end of each hour. moods: the mean of each of AXES, at the start and at the
    end of each step. carried: parts of the carry-over. met: how often each two talked. answered: calls of models that
    gave an answer; stood_in: answers of the embedded mind instead of a model. faults: metric -> why it has no value
    (error, or no number).
    """

    values: Values
    start: Values
    hourly: dict[str, list[float | None]]
    moods: dict[str, list[float]]
    carried: Values
    met: dict[str, int]
    answered: int = 0
    stood_in: int = 0
    faults: dict[str, str] = {}

    def __repr__(self) -> str:
        what = f"{count_of(len(self.values), 'measure')} of a save"
        return shown_as(self, what, f'.values["{next(iter(self.values), "")}"], .hourly, .moods')


def measure_one(
    path: str, keys: Sequence[str] = tuple(METRICS), own: Mapping[str, Metric] | None = None
) -> Measurements:
    """Measure a save. keys: metrics wanted; own: the user's measures among them. Raises SaveError."""
    m = Material(Path(path))
    table, faults = {**METRICS, **(own or {})}, dict[str, str]()
    values = {key: _value(table[key], key, m, faults) for key in sorted(METRICS.keys() & keys)}
    carry = m.carry
    found = Measurements(
        values=values,
        start={k: _finite(v) for k, v in m.hours[0].ends.items()},
        hourly={key: [_finite(hour.ends[key]) for hour in m.hours] for key in HOURLY if key not in MADE}
        | {key: [_finite(hour.ends[key.removeprefix("made_")]) for hour in m.made] for key in MADE},
        moods={axis: [r6(fmean(pad[i] for pad in pads)) for pads in m.reading.moods] for i, axis in enumerate(AXES)},
        carried={
            "correlation": _finite(carry.correlation),
            "shuffled": _finite(carry.shuffled),
            "pairs": float(carry.pairs),
            "people": float(carry.people),
            "partner_pairs": float(m.carry_partner.pairs),
        },
        met=meeting_counts(m.reading.talks),
        answered=m.answered,
        stood_in=m.reading.counts["stood_in"],
        faults=faults,
    )
    for key in sorted({*keys} - METRICS.keys()):  # last, since they may modify their input
        values[key] = _value(table[key], key, m, faults)
    return found


def _value(metric: Metric, key: str, m: Material, faults: dict[str, str]) -> float | None:
    """The value of a measure; None, with a recorded fault, if it raises or gives no number."""
    try:
        x: object = metric.of(m)
        if x is None:
            return None
        number = as_number(x)
        if isinstance(number, float):
            return r6(number)
    except SaveError:
        raise
    except FAILS as error:
        faults[key] = safe(describe_function(metric.of, error))
        return None
    faults[key] = safe(f"{describe_function(metric.of)} gave {number}")
    return None


def as_number(x: object) -> float | str:
    """A finite number up to MOST, or a phrase for what it is instead."""
    what = type(x).__name__  # a repr may contain a memory address
    if isinstance(x, Real) and not isinstance(x, bool):
        if abs(number := float(x)) <= MOST:
            return number
        what = str(number)
    return f"{what}, which is not a finite number up to {MOST:g}"


def _finite(x: float | None) -> float | None:
    """The number rounded to six decimals, as in events; None if it is not finite."""
    return r6(float(x)) if x is not None and math.isfinite(x) else None
