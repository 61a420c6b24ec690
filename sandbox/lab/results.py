"""Results of an experiment: each replica's measures, means over seeds with intervals, and comparisons of arms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec.structs import astuple

from sandbox.core.clock import Clock, parse_start
from sandbox.core.events import r6
from sandbox.core.faults import safe
from sandbox.core.plain import count_of, shown_as, some
from sandbox.lab.experiment import Comparison, Experiment, seeds_text
from sandbox.lab.judging import SERIES, match_counts
from sandbox.lab.material import Values
from sandbox.lab.measuring import AXES, HOURLY, MOST, Measurements
from sandbox.lab.metrics import Decimals, Metric, Range, metric, own_metrics
from sandbox.lab.published import CLAIMS, ClaimTest, claim_tests, conclude_claims
from sandbox.lab.replica import Config, Replica
from sandbox.lab.scores import Judgements, Judging
from sandbox.lab.statistics import LEAST, Estimate, PairedDifference, band, estimate, paired_differences, with_q
from sandbox.lab.wording import COLUMNS, TABLES, Table, column_table

NUMBER = Estimate.__struct_fields__


class CustomMeasure(msgspec.Struct, frozen=True):
    """A user's measure as stored, like Metric. of: qualified name of its code. can_be: finite, as JSON requires."""

    label: str
    about: str
    decimals: Decimals
    of: str
    built_in: bool = False
    can_be: Range = (-MOST, MOST)


class LabPlan(msgspec.Struct, frozen=True):
    """What was asked for, stored beside the saves, so that reports can be made again. command: as typed, without what
    does not affect results. runs: (arm, config) of each replica. judging: what judges were asked, None = no judges.
    own: the user's measures, by name.
    """

    command: str
    experiment: Experiment
    runs: tuple[tuple[str, Config], ...]
    judging: Judging | None = None
    own: dict[str, CustomMeasure] = {}

    def __repr__(self) -> str:
        return shown_as(
            self, f"{count_of(len(self.runs), 'replica')} of {self.experiment.name}", ".experiment, .command"
        )

    @property
    def measures(self) -> dict[str, Metric]:
        """The user's measures, by name."""
        return {
            name: Metric(safe(m.label), safe(m.about), lambda m: None, m.decimals, m.built_in, m.can_be)
            for name, m in self.own.items()
        }

    @property
    def replicas(self) -> list[Replica]:
        return [Replica(arm, config) for arm, config in self.runs]

    def brought(self, arm: str) -> dict[str, str]:
        """The rules or mind that the user's program supplied for an arm (`CustomMinds.fingerprints`)."""
        return next((config.own for name, config in self.runs if name == arm), {})

    @property
    def modelled(self) -> bool:
        """Whether language models were to answer in any replica."""
        return any(config.asked for _, config in self.runs)


class ReplicaRow(msgspec.Struct, frozen=True):
    """One replica. save: its file in `runs`. error: why it has no values, or "". The rest: as in Measurements."""

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

    def __repr__(self) -> str:
        what = self.error or f"{count_of(len(self.values), 'measure')}"
        return shown_as(self, f"{self.arm}, seed {self.seed}, {what}", ".values, .save")


class TimeSeries(msgspec.Struct, frozen=True):
    """A measure over time, by arm: mean and interval at each moment, None where some seed has no value."""

    mean: list[float | None]
    low: list[float | None]
    high: list[float | None]

    def __repr__(self) -> str:
        return shown_as(self, count_of(len(self.mean), "moment"), ".mean, .low, .high")


class ArmResult(msgspec.Struct, frozen=True):
    """An arm over its seeds. whole: replicas measured. pairs (of the carry-over), answered and stood_in (as in
    Measurements): summed over replicas.
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
    lines: dict[str, TimeSeries]

    def __repr__(self) -> str:
        what = f"{self.name}, {count_of(self.whole, 'replica')}, {count_of(len(self.metrics), 'measure')}"
        return shown_as(self, what, f'.metrics["{next(iter(self.metrics), "")}"], .lines')


class ArmComparison(msgspec.Struct, frozen=True):
    """Two arms, metric by metric. A metric's q is among those of this comparison, except for the first metric of the
    first comparison, which was chosen beforehand, and for those 0 by construction where moods are off. talks, series:
    matches available to judges, over all seeds.
    """

    arm: str
    against: str
    metrics: dict[str, PairedDifference]
    talks: int
    series: int

    def __repr__(self) -> str:
        what = (
            f"{sum(d.shown for d in self.metrics.values())} of {count_of(len(self.metrics), 'measure')} shown to differ"
        )
        return shown_as(self, f"{self.arm} minus {self.against}, {what}", f'.metrics["{next(iter(self.metrics), "")}"]')


class Results(msgspec.Struct, frozen=True):
    """All results. claims: tests of a paper's causal claims, if there is one. judged: scores of judges; None without
    judges. figures: file names.
    """

    plan: LabPlan
    libraries: dict[str, str]
    arms: tuple[ArmResult, ...]
    compared: tuple[ArmComparison, ...]
    claims: tuple[ClaimTest, ...]
    rows: tuple[ReplicaRow, ...]
    judged: Judgements | None
    figures: tuple[str, ...] = ()

    def __repr__(self) -> str:
        arms = some(arm.name for arm in self.arms)
        whole = f"{sum(not row.error for row in self.rows)} of {count_of(len(self.rows), 'replica')} measured"
        first = self.arms[0].name if self.arms else ""
        more = f'.arm("{first}"), .compared, .tables, and report.md in the folder'
        return shown_as(self, f"{self.plan.experiment.name}: {arms}; {whole}", more)

    @property
    def tables(self) -> dict[str, Table]:
        """Table name -> columns: the content of the CSV files of these names."""
        made = (_replicas(self.rows), _arms(self.arms), _comparisons(self.compared), _lines(self), _claims(self.claims))
        beside = self.plan.experiment.beside
        own = {name: one for name, one in zip(TABLES, made, strict=True) if name != "claims" or beside}
        return own | (self.judged.tables if self.judged is not None else {})

    def arm(self, name: str) -> ArmResult:
        """The arm of that name. Raises KeyError."""
        return {arm.name: arm for arm in self.arms}[name]

    def built_in(self, pair: ArmComparison, key: str) -> bool:
        """Whether a difference of these arms in that metric is a check, not a finding."""
        return _built_in(key, (self.arm(pair.arm).metrics, self.arm(pair.against).metrics))


def gather_results(
    plan: LabPlan,
    found: Mapping[str, Measurements | str],
    libraries: Mapping[str, str],
    judged: Judgements | None = None,
) -> Results:
    """Compute the results. found: config name -> its measurements, or why there are none."""
    replicas = plan.replicas
    rows = tuple(_row(replica, found.get(replica.config.name, "was not run")) for replica in replicas)
    experiment = plan.experiment
    arms = []
    for arm in experiment.arms:
        own = [found.get(r.config.name) for r in replicas if r.arm == arm.name]
        measured = [m for m in own if isinstance(m, Measurements)]
        arms.append(_arm(arm.name, (*experiment.settings, *arm.settings), measured, experiment.metrics))
    met = {(r.arm, r.config.seed): m.met for r in replicas if isinstance(m := found.get(r.config.name), Measurements)}
    first = experiment.comparisons[:1]
    named = {c: experiment.metrics[:1] if (c,) == first else () for c in experiment.comparisons}
    with own_metrics(plan.measures):
        compared = tuple(_compared(c, rows, experiment.metrics, named[c], arms, met) for c in experiment.comparisons)
    settings = {arm.name: arm.settings for arm in arms}
    pairs = [(c.arm, c.against, c.metrics) for c in compared]
    claims = claim_tests(CLAIMS.get(experiment.beside, ()), settings, pairs)
    return Results(plan, dict(sorted(libraries.items())), tuple(arms), compared, claims, rows, judged)


class Lacking(NamedTuple):
    """A measure without a value in some replicas. fault: its error, or the non-number it gave; "" if there was nothing
    to measure. seeds: of each arm; of: total of replicas; what: what these are called.
    """

    metric: str
    fault: str
    seeds: dict[str, list[int]]
    of: int
    what: str = "replicas"

    def line(self, name: str) -> str:
        """A line with the arms and seeds, counted. name: of the measure."""
        arms = [with_seeds(arm, own) for arm, own in self.seeds.items()]
        some = f"{sum(map(len, self.seeds.values()))} of {self.of} {self.what} ({'; '.join(arms)})"
        return f"{name} has no value in {some}: {self.fault or 'there was nothing to measure'}"


def with_seeds(arm: str, seeds: Sequence[int]) -> str:
    """An arm with some of its seeds, as a report names them."""
    return f"{arm}, seed{'s' if len(seeds) > 1 else ''} {seeds_text(seeds)}"


def missing_values(results: Results) -> list[Lacking]:
    """Each measure without a value in a measured replica, once per reason."""
    found: dict[tuple[str, str], dict[str, list[int]]] = {}
    for key in results.plan.experiment.metrics:
        for row in results.rows:
            if not row.error and row.values.get(key) is None:
                found.setdefault((key, row.faults.get(key, "")), {}).setdefault(row.arm, []).append(row.seed)
    return [Lacking(*what, seeds, len(results.rows)) for what, seeds in found.items()]


def failed_measures(results: Results) -> list[str]:
    """Measures that raised or gave no number: a line per reason."""
    return [each.line(each.metric) for each in missing_values(results) if each.fault]


NOTHING_JUDGED = (
    "nothing was judged: no seed has the same two people talking in words in both arms; "
    "set talk.quiet=false in both, so that everybody speaks"
)


def failed_judges(results: Results) -> list[str]:
    """Judges whose answers never came, a line for each of the most frequent reasons; or that none was asked."""
    if results.judged is not None and not results.judged.said:
        return [NOTHING_JUDGED]
    return [
        f"{judge}: {count_of(n, 'answer')} never came: {fault}"
        for judge, faults in (results.judged.missing if results.judged is not None else {}).items()
        for fault, n in faults.most_common(3)
    ]


def _row(replica: Replica, found: Measurements | str) -> ReplicaRow:
    which = replica.arm, replica.config.seed, replica.config.save(Path()).name
    if isinstance(found, str):
        return ReplicaRow(*which, {}, {}, {}, found)
    return ReplicaRow(
        *which, found.values, found.carried, found.start, "", found.answered, found.stood_in, found.faults
    )


def _arm(name: str, settings: tuple[str, ...], found: Sequence[Measurements], metrics: Sequence[str]) -> ArmResult:
    return ArmResult(
        name=name,
        settings=settings,
        whole=len(found),
        pairs=int(sum(m.carried["pairs"] or 0.0 for m in found)),
        answered=sum(m.answered for m in found),
        stood_in=sum(m.stood_in for m in found),
        metrics={k: estimate([m.values[k] for m in found]) for k in metrics},
        carried=_over(found, "carried"),
        start=_over(found, "start"),
        lines={key: _line([m.hourly[key] for m in found]) for key in HOURLY if found}
        | {axis: _line([m.moods[axis] for m in found]) for axis in AXES if found},
    )


def _over(found: Sequence[Measurements], part: str) -> dict[str, Estimate]:
    """The estimates of a part of the measurements (`carried`, `start`)."""
    rows: list[Values] = [getattr(m, part) for m in found]
    return {key: estimate([row[key] for row in rows]) for key in (rows[0] if rows else {})}


def _line(rows: Sequence[Sequence[float | None]]) -> TimeSeries:
    """A mean curve with its band over seeds. A moment with a missing seed gets none: the mean would jump."""
    numbers = np.array([[np.nan if x is None else x for x in row] for row in rows], dtype=np.float64)
    mean = numbers.mean(axis=0)
    low, high = band(numbers) if len(numbers) >= LEAST else (mean, mean)
    return TimeSeries(*([r6(float(x)) if np.isfinite(x) else None for x in line] for line in (mean, low, high)))


def _compared(
    pair: Comparison,
    rows: Sequence[ReplicaRow],
    metrics: Sequence[str],
    named: Sequence[str],
    arms: Sequence[ArmResult],
    met: Mapping[tuple[str, int], Mapping[str, int]],
) -> ArmComparison:
    of = {(row.arm, row.seed): row.values for row in rows}
    seeds = sorted({row.seed for row in rows})
    more = {k: [_less(of.get((pair.arm, s), {}), of.get((pair.against, s), {}), k) for s in seeds] for k in metrics}
    ends = [arm.metrics for arm in arms if arm.name in (pair.arm, pair.against)]
    free = [k for k in metrics if k not in named and not _built_in(k, ends)]
    both = [match_counts(met.get((pair.arm, seed), {}), met.get((pair.against, seed), {})) for seed in seeds]
    talks = sum(sum(n.values()) for n in both)
    series = sum(n >= SERIES for own in both for n in own.values())
    found = with_q(paired_differences(more, f"{pair.arm} {pair.against}"), free)
    return ArmComparison(pair.arm, pair.against, found, talks, series)


def _less(one: Values, other: Values, key: str) -> float | None:
    a, b = one.get(key), other.get(key)
    return r6(a - b) if a is not None and b is not None else None


def _built_in(key: str, ends: Iterable[Mapping[str, Estimate]]) -> bool:
    """Whether one of these arms has 0 in that metric by construction."""
    return metric(key).built_in and any(arm[key].mean == 0.0 for arm in ends)


# ---- tables


def _replicas(rows: Sequence[ReplicaRow]) -> Table:
    keys = sorted({key for row in rows for key in row.values})
    carried = sorted({key for row in rows for key in row.carried})
    head = (*COLUMNS, *keys, *(f"carry_over_{key}" for key in carried))
    each = (
        (row.arm, row.seed, row.save, row.error, *map(row.values.get, keys), *map(row.carried.get, carried))
        for row in rows
    )
    return column_table(head, each)


def _arms(arms: Sequence[ArmResult]) -> Table:
    return column_table(
        ("arm", "metric", *NUMBER), ((a.name, key, *astuple(e)) for a in arms for key, e in a.metrics.items())
    )


def _comparisons(compared: Sequence[ArmComparison]) -> Table:
    rows = (
        (c.arm, c.against, key, *astuple(d.estimate), d.above, d.p, d.q)
        for c in compared
        for key, d in c.metrics.items()
    )
    return column_table(("arm", "against", "metric", *NUMBER, "above", "p", "q"), rows)


def _lines(results: Results) -> Table:
    experiment = results.plan.experiment
    clock, seconds = Clock(parse_start(experiment.start)), experiment.step * experiment.steps
    rows = (
        (arm.name, key, f"{clock.at(seconds * i // max(1, len(line.mean) - 1)):%Y-%m-%d %H:%M}", *numbers)
        for arm in results.arms
        for key, line in arm.lines.items()
        for i, numbers in enumerate(zip(line.mean, line.low, line.high, strict=True))
    )
    return column_table(("arm", "line", "moment", "mean", "low", "high"), rows)


def _claims(found: Sequence[ClaimTest]) -> Table:
    conclusions = conclude_claims(found)
    rows = (
        (t.claim, t.arm, t.against, t.metric, t.expected, *astuple(t.difference.estimate), t.difference.p,
         t.difference.q, t.found, conclusions[t.claim])
        for t in found
    )  # fmt: skip
    return column_table(
        ("claim", "arm", "against", "metric", "expected", *NUMBER, "p", "q", "found", "conclusion"), rows
    )
