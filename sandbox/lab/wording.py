"""Numbers, lists and tables in Markdown, as reports of experiments write them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from sandbox.core.plain import cell
from sandbox.lab.statistics import Estimate, PairedDifference

Table = dict[str, list[Any]]  # name of a column -> what stands in it, row by row; None where there is nothing
TABLES = ("replicas", "arms", "comparisons", "lines", "claims")
COLUMNS = ("arm", "seed", "save", "error")  # of the table of replicas, before its metrics
JUDGED = ("judged", "agreement", "judgements")  # tables that exist only with judges
FILES = tuple(f"{name}.csv" for name in (*TABLES, *JUDGED))


def column_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table from a head and rows."""
    columns = [*zip(*rows, strict=True)] or [()] * len(head)
    return {name: [*column] for name, column in zip(head, columns, strict=True)}


def as_csv(made: Table) -> str:
    """A table as CSV; None gives an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(made)
    writer.writerows(["" if x is None else cell(x) for x in row] for row in zip(*made.values(), strict=True))
    return out.getvalue()


def as_json(value: msgspec.Struct) -> str:
    """A struct as JSON. Numbers are finite; missing values are null."""
    return json.dumps(msgspec.to_builtins(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


NOTHING = "–"
MOST = 6  # decimals of results
WIDE = 6  # columns that fit on a page, besides the first


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; cells are not escaped, except what would end a cell."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def wide(names: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Split a wide table into as many tables as needed, each with the row labels."""
    tables = max(1, -(-len(names) // WIDE))
    n = -(-len(names) // tables)  # about equally many columns in each
    return "\n\n".join(
        markdown_table(("", *names[i : i + n]), [(what, *cells[i : i + n]) for what, cells in rows])
        for i in range(0, len(names), n)
    )


def settings_of(settings: Sequence[str]) -> str:
    """Settings as typed."""
    return ", ".join(f"`{text}`" for text in settings) or "none"


def case_settings(settings: Mapping[str, object]) -> str:
    """The settings of a study's case as typed."""
    return settings_of([f"{key}={value}" for key, value in sorted(settings.items())])


def number_text(x: float | None, decimals: int = 3) -> str:
    """A number, or the sign for none. No minus sign if it rounds to 0."""
    return NOTHING if x is None else f"{round(x, decimals) + 0.0:.{decimals}f}"


def chance(p: float | None) -> str:
    """A p or q; below .001 only that it is."""
    return NOTHING if p is None else "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def interval_text(e: Estimate | None, decimals: int = 3) -> str:
    """A mean with its interval."""
    if e is None or e.mean is None:
        return NOTHING
    if e.low is None or e.high is None:
        return number_text(e.mean, decimals)
    return f"{number_text(e.mean, decimals)} [{number_text(e.low, decimals)}, {number_text(e.high, decimals)}]"


def more(e: Estimate, decimals: int = 3) -> str:
    """A difference with its interval, signed; with enough decimals to show that it excludes 0."""
    if e.mean is None:
        return NOTHING
    while e.clear and decimals < MOST and not (round(e.low or 0.0, decimals) and round(e.high or 0.0, decimals)):
        decimals += 1
    numbers = (e.mean, e.low, e.high)
    mean, low, high = (None if x is None else f"{round(x, decimals) + 0.0:+.{decimals}f}" for x in numbers)
    return f"{mean} [{low}, {high}]" if low and high else f"{mean}"


def bold(d: PairedDifference, decimals: int = 3) -> str:
    """A difference, bold if it is shown."""
    text = more(d.estimate, decimals)
    return f"**{text}**" if d.shown else text
