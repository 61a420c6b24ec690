"""Measures in tables: how they are, and with `--check` beside each what it should be, and whether it is."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import click

from sandbox.cli.telling import align_columns, say_text

SHOULD = "SHOULD BE"
OK, MISS = "ok", "MISS"
CHECK = click.option(
    "--check", is_flag=True, help="Beside each measure what it should be; exit code 1 if one is not so."
)


def require_table(check: bool, *others: bool) -> None:
    """Raises UsageError where what is to be judged is not shown as a table."""
    if check and any(others):
        raise click.UsageError("--check judges the table: leave --json and --tell out")


def check_mark(holds: bool) -> str:
    """How it stands in a table whether a measure is as it should be."""
    return OK if holds else MISS


class MeasureTable:
    """What is printed of measures. check: whether it is judged, too; missed: how many are not as they should be."""

    def __init__(self, check: bool) -> None:
        self.check = check
        self.missed = 0

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
        """A table whose columns of marks (without a head) and of what should be are there with `check` alone."""
        self.missed += sum(cell == MISS for row in rows for cell in row)
        kept = [i for i, name in enumerate(head) if self.check or name not in ("", SHOULD)]
        shown = [[row[i] for i in kept] for row in rows]
        return align_columns([head[i] for i in kept], shown, right=[n for n, i in enumerate(kept) if i in right])

    def end(self) -> None:
        """Say how many are missed. Exit code 1 if any is, and it was asked."""
        if self.check and self.missed:
            say_text(f"\n{self.missed} of these {'is' if self.missed == 1 else 'are'} not as they should be")
            raise SystemExit(1)
