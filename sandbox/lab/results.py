"""What an experiment came to: every replica's measures, means over seeds with their intervals, and arms compared."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np

from sandbox.core.events import r6
from sandbox.core.faults import safe
from sandbox.lab.experiment import Comparison, Experiment
from sandbox.lab.judging import SERIES, met, numbers
from sandbox.lab.material import Material, Values
from sandbox.lab.metrics import METRICS, Metric
from sandbox.lab.replica import Config, Replica
from sandbox.lab.scores import Judgements, Judging
from sandbox.lab.seeds import seeds_told
from sandbox.lab.statistics import LEAST, Estimate, band, estimate
from sandbox.lab.wrong import FAILS, said_of
from sandbox.store.errors import SaveError

AXES = ("pleasure", "arousal", "dominance")
MADE = ("made_reciprocity", "made_modularity")
HOURLY = ("reciprocity", "modularity", "density", *MADE)


class Measured(msgspec.Struct, frozen=True):
    """values: metric -> its value, None if there was nothing to measure. start: what can be said of the network as the
    cast begins. hourly: HOURLY at the start and at the end of each hour. moods: the mean of each of AXES, at the start
    and at the end of each step. carried: parts of the carry-over. met: how often any two talked. answered: calls of
    models that gave an answer; stood_in: answers that the embedded mind gave instead of a model. faults: metric -> why
    it has no value, where it raised or gave no number.
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


def measure_one(path: str, keys: Sequence[str] = tuple(METRICS), own: Mapping[str, Metric] | None = None) -> Measured:
    """Measure a save. keys: what is wanted; own: what of it is a program's own. Raises SaveError."""
    m = Material(Path(path))
    table, faults = {**METRICS, **(own or {})}, dict[str, str]()
    values = {key: _value(table[key], key, m, faults) for key in sorted(keys, key=lambda k: (k not in METRICS, k))}
    carry = m.carry
    return Measured(
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
        },
        met=met(m.reading.talks),
        answered=m.answered,
        stood_in=m.reading.counts["stood_in"],
        faults=faults,
    )


def _value(metric: Metric, key: str, m: Material, faults: dict[str, str]) -> float | None:
    """The value of a measure. One that raises, or gives no number, has none, and its fault is noted."""
    try:
        x: object = metric.of(m)
        if x is None or (isinstance(x, Real) and not isinstance(x, bool) and math.isfinite(x)):
            return _finite(None if x is None else float(x))
    except SaveError:
        raise
    except FAILS as error:
        faults[key] = safe(said_of(metric.of, error))
        return None
    faults[key] = safe(f"{said_of(metric.of)} gave {x!r}, no finite number")
    return None


def _finite(x: float | None) -> float | None:
    """Six decimals, as events carry them; what is no number is nothing."""
    return r6(float(x)) if x is not None and math.isfinite(x) else None


class OwnMeasure(msgspec.Struct, frozen=True):
    """What is kept of a measure of a program's own. label, about, decimals: as in Metric. of: where its code is."""

    label: str
    about: str
    decimals: int
    of: str


class Plan(msgspec.Struct, frozen=True):
    """What was asked for, as it is kept beside the saves, so that reports can be made anew. command: as typed, without
    what does not touch results. runs: (arm, config) of each replica. judging: what judges were asked, None if none was.
    own: measures of a program's own, by name.
    """

    command: str
    experiment: Experiment
    runs: tuple[tuple[str, Config], ...]
    judging: Judging | None = None
    own: dict[str, OwnMeasure] = {}

    @property
    def replicas(self) -> list[Replica]:
        return [Replica(arm, config) for arm, config in self.runs]

    def brought(self, arm: str) -> dict[str, str]:
        """What rules, and mind, the program that ran it brought along for an arm (`Own.told`)."""
        return next((config.own for name, config in self.runs if name == arm), {})

    @property
    def modelled(self) -> bool:
        """Whether language models were to answer for anybody."""
        return any(config.asked for _, config in self.runs)


class Row(msgspec.Struct, frozen=True):
    """One replica. save: its file in `runs`. error: why it has no values, or "". The rest: as in Measured."""

    arm: str
    seed: int
    save: str
    values: Values
    carried: Values
    start: Values
    error: str = ""
    answered: int = 0
    stood_in: int = 0
    faults: dict[str, str] = {}


class Line(msgspec.Struct, frozen=True):
    """A measure through time, by arm: mean and interval at each moment. None where no replica has a value."""

    mean: list[float | None]
    low: list[float | None]
    high: list[float | None]


class ArmResult(msgspec.Struct, frozen=True):
    """An arm over its seeds. whole: replicas measured. pairs (of the carry-over), answered and stood_in (as in
    Measured): all replicas together.
    """

    name: str
    settings: tuple[str, ...]
    whole: int
    pairs: int
    answered: int
    stood_in: int
    metrics: dict[str, Estimate]
    carried: dict[str, Estimate]
    start: dict[str, Estimate]
    lines: dict[str, Line]


class Difference(msgspec.Struct, frozen=True):
    """What an arm has more than another, seed by seed. above: in how many of the `estimate.n` seeds it has more."""

    estimate: Estimate
    above: int


class Compared(msgspec.Struct, frozen=True):
    """Two arms, metric by metric. talks, series: how many matches judges would have, over all seeds."""

    arm: str
    against: str
    metrics: dict[str, Difference]
    talks: int
    series: int


class Results(msgspec.Struct, frozen=True):
    """All of it. judged: what judges said; None if none was asked."""

    plan: Plan
    libraries: dict[str, str]
    arms: tuple[ArmResult, ...]
    compared: tuple[Compared, ...]
    rows: tuple[Row, ...]
    judged: Judgements | None

    def arm(self, name: str) -> ArmResult:
        """The arm of that name. Raises KeyError."""
        return {arm.name: arm for arm in self.arms}[name]


def results(
    plan: Plan, found: Mapping[str, Measured | str], libraries: Mapping[str, str], judged: Judgements | None = None
) -> Results:
    """Put together what was measured. found: name of a config -> its measures, or why there are none."""
    replicas = plan.replicas
    rows = tuple(_row(replica, found.get(replica.config.name, "was not run")) for replica in replicas)
    experiment = plan.experiment
    arms = []
    for arm in experiment.arms:
        own = [found.get(r.config.name) for r in replicas if r.arm == arm.name]
        measured = [m for m in own if isinstance(m, Measured)]
        arms.append(_arm(arm.name, (*experiment.settings, *arm.settings), measured, experiment.metrics))
    met = {(r.arm, r.config.seed): m.met for r in replicas if isinstance(m := found.get(r.config.name), Measured)}
    compared = tuple(_compared(c, rows, experiment.metrics, met) for c in experiment.comparisons)
    return Results(plan, dict(sorted(libraries.items())), tuple(arms), compared, rows, judged)


def unmeasured(r: Results) -> list[str]:
    """Measures that raised or gave no number: a line for each reason, with the arms and seeds, counted."""
    found: dict[tuple[str, str], dict[str, list[int]]] = {}
    for row in r.rows:
        for key, why in row.faults.items():
            found.setdefault((key, why), {}).setdefault(row.arm, []).append(row.seed)
    out = []
    for (key, why), arms in found.items():
        where = "; ".join(f"{arm}, seed {seeds_told(seeds)}" for arm, seeds in arms.items())
        out.append(f"{key} has no value in {sum(map(len, arms.values()))} of {len(r.rows)} replicas ({where}): {why}")
    return out


def _row(replica: Replica, found: Measured | str) -> Row:
    which = replica.arm, replica.config.seed, replica.config.save(Path()).name
    if isinstance(found, str):
        return Row(*which, {}, {}, {}, found)
    return Row(*which, found.values, found.carried, found.start, "", found.answered, found.stood_in, found.faults)


def _arm(name: str, settings: tuple[str, ...], found: Sequence[Measured], metrics: Sequence[str]) -> ArmResult:
    return ArmResult(
        name=name,
        settings=settings,
        whole=len(found),
        pairs=int(sum(m.carried["pairs"] or 0.0 for m in found)),
        answered=sum(m.answered for m in found),
        stood_in=sum(m.stood_in for m in found),
        metrics={k: estimate([m.values[k] for m in found], f"{name} {k}") for k in metrics},
        carried=_over(found, "carried", name),
        start=_over(found, "start", name),
        lines={key: _line([m.hourly[key] for m in found], f"{name} {key}") for key in HOURLY if found}
        | {axis: _line([m.moods[axis] for m in found], f"{name} {axis}") for axis in AXES if found},
    )


def _over(found: Sequence[Measured], part: str, name: str) -> dict[str, Estimate]:
    """The estimates of a part of the measures (`carried`, `start`)."""
    rows: list[Values] = [getattr(m, part) for m in found]
    return {key: estimate([row[key] for row in rows], f"{name} {part} {key}") for key in (rows[0] if rows else {})}


def _line(rows: Sequence[Sequence[float | None]], name: str) -> Line:
    """A band over seeds. A moment that a seed has no value of has none at all: means of other seeds would jump."""
    numbers = np.array([[np.nan if x is None else x for x in row] for row in rows], dtype=np.float64)
    mean = numbers.mean(axis=0)
    low, high = band(numbers, name) if len(numbers) >= LEAST else (mean, mean)
    return Line(*([r6(float(x)) if np.isfinite(x) else None for x in line] for line in (mean, low, high)))


def _compared(
    pair: Comparison, rows: Sequence[Row], metrics: Sequence[str], met: Mapping[tuple[str, int], Mapping[str, int]]
) -> Compared:
    of = {(row.arm, row.seed): row.values for row in rows}
    seeds = sorted({row.seed for row in rows})
    out = {}
    for key in metrics:
        more = []
        for seed in seeds:
            mine, other = of.get((pair.arm, seed), {}).get(key), of.get((pair.against, seed), {}).get(key)
            if mine is not None and other is not None:
                more.append(r6(mine - other))
        found = estimate(more, f"{pair.arm} {pair.against} {key}")
        out[key] = Difference(found, sum(x > 0.0 for x in more))
    both = [numbers(met.get((pair.arm, seed), {}), met.get((pair.against, seed), {})) for seed in seeds]
    talks = sum(sum(n.values()) for n in both)
    return Compared(pair.arm, pair.against, out, talks, sum(n >= SERIES for own in both for n in own.values()))
