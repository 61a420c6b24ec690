"""Tables of an experiment as plain columns, for whoever computes with them, as CSV, and all results as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from sandbox.core.plain import cell

Table = dict[str, list[Any]]  # name of a column -> what stands in it, row by row; None where there is nothing
TABLES = ("replicas", "arms", "comparisons", "lines", "claims")
COLUMNS = ("arm", "seed", "save", "error")  # of replicas, before what was measured of them
JUDGED = ("judged", "agreement", "judgements")  # only where judges were asked
FILES = tuple(f"{name}.csv" for name in (*TABLES, *JUDGED))


def column_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table of rows under their head."""
    columns = [*zip(*rows, strict=True)] or [()] * len(head)
    return {name: [*column] for name, column in zip(head, columns, strict=True)}


def as_csv(made: Table) -> str:
    """A table as a file holds it. Nothing is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(made)
    writer.writerows(["" if x is None else cell(x) for x in row] for row in zip(*made.values(), strict=True))
    return out.getvalue()


def as_json(value: msgspec.Struct) -> str:
    """Everything in it. Numbers are finite; what there is nothing of is null."""
    return json.dumps(msgspec.to_builtins(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
