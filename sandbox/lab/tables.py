"""The numbers of an experiment as CSV, a file for each table, and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from sandbox.core.clock import Clock, parse_start
from sandbox.lab.results import Results

ESTIMATE = ("mean", "low", "high", "n")


def as_json(results: Results) -> str:
    """Everything. Numbers are finite; what there is nothing of is null."""
    return json.dumps(msgspec.to_builtins(results), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def tables(results: Results) -> dict[str, str]:
    """Name of a file -> its text."""
    return {
        "replicas.csv": _csv(*_replicas(results)),
        "arms.csv": _csv(("arm", "metric", *ESTIMATE), _arms(results)),
        "comparisons.csv": _csv(("arm", "against", "metric", *ESTIMATE, "above"), _comparisons(results)),
        "lines.csv": _csv(("arm", "line", "moment", "mean", "low", "high"), _lines(results)),
    }


def _replicas(r: Results) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
    keys = sorted({key for row in r.rows for key in row.values})
    carried = sorted({key for row in r.rows for key in row.carried})
    head = ("arm", "seed", "save", "error", *keys, *(f"carry_over_{key}" for key in carried))
    rows = (
        (row.arm, row.seed, row.save, row.error, *map(row.values.get, keys), *map(row.carried.get, carried))
        for row in r.rows
    )
    return head, rows


def _arms(r: Results) -> Iterable[Sequence[Any]]:
    for arm in r.arms:
        for key, e in arm.metrics.items():
            yield arm.name, key, e.mean, e.low, e.high, e.n


def _comparisons(r: Results) -> Iterable[Sequence[Any]]:
    for pair in r.compared:
        for key, found in pair.metrics.items():
            e = found.estimate
            yield pair.arm, pair.against, key, e.mean, e.low, e.high, e.n, found.above


def _lines(r: Results) -> Iterable[Sequence[Any]]:
    experiment = r.plan.experiment
    clock = Clock(parse_start(experiment.start))
    seconds = experiment.step * experiment.steps
    for arm in r.arms:
        for key, line in arm.lines.items():
            for i, numbers in enumerate(zip(line.mean, line.low, line.high, strict=True)):
                t = seconds * i // max(1, len(line.mean) - 1)
                yield arm.name, key, f"{clock.at(t):%Y-%m-%d %H:%M}", *numbers


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(["" if x is None else x for x in row] for row in rows)
    return out.getvalue()
