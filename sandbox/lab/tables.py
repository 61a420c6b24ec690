"""The numbers of an experiment as CSV, a file for each table, and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple

from sandbox.core.clock import Clock, parse_start
from sandbox.core.plain import cell
from sandbox.lab.results import Results
from sandbox.lab.scores import Judgements
from sandbox.lab.statistics import Estimate

TABLES = ("replicas.csv", "arms.csv", "comparisons.csv", "lines.csv")
JUDGED = ("judged.csv", "agreement.csv", "judgements.csv")  # only where judges were asked
ESTIMATE = Estimate.__struct_fields__


def as_json(results: Results) -> str:
    """Everything. Numbers are finite; what there is nothing of is null."""
    return json.dumps(msgspec.to_builtins(results), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def tables(results: Results) -> dict[str, str]:
    """Name of a file -> its text."""
    texts = (
        _csv(*_replicas(results)),
        _csv(("arm", "metric", *ESTIMATE), _arms(results)),
        _csv(("arm", "against", "metric", *ESTIMATE, "above"), _comparisons(results)),
        _csv(("arm", "line", "moment", "mean", "low", "high"), _lines(results)),
    )
    return {**dict(zip(TABLES, texts, strict=True)), **(_judged(results.judged) if results.judged is not None else {})}


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
            yield arm.name, key, *astuple(e)


def _comparisons(r: Results) -> Iterable[Sequence[Any]]:
    for pair in r.compared:
        for key, found in pair.metrics.items():
            yield pair.arm, pair.against, key, *astuple(found.estimate), found.above


def _lines(r: Results) -> Iterable[Sequence[Any]]:
    experiment = r.plan.experiment
    clock = Clock(parse_start(experiment.start))
    seconds = experiment.step * experiment.steps
    for arm in r.arms:
        for key, line in arm.lines.items():
            for i, numbers in enumerate(zip(line.mean, line.low, line.high, strict=True)):
                t = seconds * i // max(1, len(line.mean) - 1)
                yield arm.name, key, f"{clock.at(t):%Y-%m-%d %H:%M}", *numbers


def _judged(j: Judgements) -> dict[str, str]:
    counts = ("won", "same", "gap", "pairs", "drawn", "asked", "unread", "missing", "clipped")
    parts = ("one", "other", "difference")
    head = ("judge", "criterion", "arm", "against", *(f"{part}_{key}" for part in parts for key in ESTIMATE), *counts)
    rows = [
        (
            *(s.judge, s.criterion, s.arm, s.against),
            *(x for part in parts for x in astuple(getattr(s, part))),
            *(getattr(s, key) for key in counts),
        )
        for s in j.scores
    ]
    agreed = [(a.criterion, *a.judges, a.rho, a.n, a.over_arms, a.arms) for a in j.agreements]
    said = [
        (s.judge, s.criterion, s.where.arm, s.where.against, s.where.seed, s.where.match, int(s.swapped), s.one,
         s.other, s.clipped, s.why_one, s.why_other)
        for s in j.said
        if not s.fault
    ]  # fmt: skip
    where = ("judge", "criterion", "arm", "against", "seed", "match", "swapped")
    tables = (
        _csv(head, rows),
        _csv(("criterion", "judge", "other_judge", "rho", "n", "over_arms", "arms"), agreed),
        _csv((*where, "one", "other", "clipped", "why_one", "why_other"), said),
    )
    return dict(zip(JUDGED, tables, strict=True))


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(["" if x is None else cell(x) for x in row] for row in rows)
    return out.getvalue()
