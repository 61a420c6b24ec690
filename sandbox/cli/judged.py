"""Tables of measures; with `--check` each beside its target range, and whether it is in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import click

from sandbox.cli.telling import align_columns, say_text

SHOULD = "SHOULD BE"
OK, MISS = "ok", "MISS"
CHECK = click.option("--check", is_flag=True, help="Print what each measure should be; exit code 1 if one is not.")


def require_table(check: bool, *others: bool) -> None:
    """Raise UsageError if --check comes with an output that is no table."""
    if check and any(others):
        raise click.UsageError("--check judges the table; leave out --json and --tell")


def check_mark(holds: bool) -> str:
    """How a table shows whether a measure is in its range."""
    return OK if holds else MISS


class MeasureTable:
    """Prints measures. check: also judge them; missed: how many are outside their range."""

    def __init__(self, check: bool) -> None:
        self.check = check
        self.missed = 0

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
        """A table; its columns of marks (which have no head) and of ranges are there only with `check`."""
        self.missed += sum(cell == MISS for row in rows for cell in row)
        kept = [i for i, name in enumerate(head) if self.check or name not in ("", SHOULD)]
        shown = [[row[i] for i in kept] for row in rows]
        return align_columns([head[i] for i in kept], shown, right=[n for n, i in enumerate(kept) if i in right])

    def end(self) -> None:
        """Print how many are missed. With `check`, exit with code 1 if any is."""
        if self.check and self.missed:
            say_text(f"\n{self.missed} of these {'is' if self.missed == 1 else 'are'} not as they should be")
            raise SystemExit(1)
