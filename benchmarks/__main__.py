"""`python -m benchmarks`: figures of speed, memory and size, each beside its target."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.figures import TargetFigure
from benchmarks.groups import FIGURE_GROUPS, groups_help
from benchmarks.run import BenchmarkRun
from benchmarks.side_by_side import ROOT, WORKS, compare_builds, other_build
from sandbox.cli.calibration import shown_value
from sandbox.cli.main import quit_with
from sandbox.cli.telling import ProgramStopped, progress_bar, say_json, wait_for
from sandbox.core.faults import unknown

HELP = f"""Measure speed, memory and size against their targets. Exit code 1 if one is missed.

Times are CPU time; wall is real time. A fixed loop of plain Python is timed beside each group; RATIO is a time
divided by that loop's, and is much the same on every machine.

\b
The groups and their figures:
{groups_help()}

\b
Examples:
  python -m benchmarks
  python -m benchmarks --only day,frame --json
  python -m benchmarks --against 1498f90b            two builds side by side
  python -m benchmarks --against HEAD~1 --only start,day --rounds 5

With --against, commands of this build and of another run in turn, and each RATIO is the median of this build's to the
other's, beside the least and the greatest. The works are: {", ".join(work.name for work in WORKS)}.
"""
NUMBERS = ("VALUE", "TARGET", "RATIO", "LOOP MS")


@click.command(help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script.")
@click.option("--only", metavar="NAMES", help="Only these groups, separated by commas.")
@click.option("--against", metavar="REVISION", help="Compare with another build: any commit of this checkout.")
@click.option("--rounds", type=click.IntRange(1, 100), default=3, help="With --against: how often each work runs.")
@click.option("--quick", is_flag=True, help="Leave out what takes long: 1,000 people, and six days of seven.")
def benchmarks(as_json: bool, only: str | None, against: str | None, rounds: int, quick: bool) -> None:
    if against is not None:
        _compare(against, only, rounds, as_json)
        return
    usual = [name for name, group in FIGURE_GROUPS.items() if group.usual]
    chosen = usual if only is None else _named(only, "group of figures", FIGURE_GROUPS)
    try:
        figures = wait_for(_measure(chosen, quick))
    except ProgramStopped as stopped:
        quit_with(stopped.code, str(stopped))
    fine = all(figure.ok is not False for figure in figures)
    if as_json:
        say_json({"ok": fine, "quick": quick, "figures": [figure.as_json() for figure in figures]})
    else:
        _print_table(figures, quick)
    if not fine:
        raise SystemExit(1)


def _named(only: str, what: str, known: Collection[str]) -> list[str]:
    """The names of `--only`; `what` they are must be among those known."""
    names = [name.strip() for name in only.split(",")]
    for name in names:
        if name not in known:
            raise click.UsageError(unknown(what, name, known))
    return names


def _compare(revision: str, only: str | None, rounds: int, as_json: bool) -> None:
    """Print how this build's commands compare with those of another."""
    known = {work.name: work for work in WORKS}
    works = [known[name] for name in (known if only is None else _named(only, "work", known))]
    try:
        with (
            tempfile.TemporaryDirectory(prefix="sandbox-benchmarks-") as folder,
            other_build(revision, Path(folder)) as tree,
            progress_bar("comparing", "runs") as moved,
        ):
            found = compare_builds(ROOT, tree, Path(folder), works, rounds, moved)
    except ValueError as failed:
        raise click.UsageError(str(failed)) from None
    if as_json:
        say_json({"against": revision, "rounds": rounds, "figures": [figure._asdict() for figure in found]})
        return
    table = Table(box=None, pad_edge=False)
    for head in ("WORK", "FIGURE", "UNIT", "OTHER", "THIS", "RATIO", "LEAST", "GREATEST"):
        table.add_column(head, justify="left" if head in ("WORK", "FIGURE", "UNIT") else "right")
    for work, figure, unit, *values in found:
        table.add_row(work, figure, unit, *(shown_value(value) for value in values))
    Console().print(table)


async def _measure(chosen: Sequence[str], quick: bool) -> list[TargetFigure]:
    found: list[TargetFigure] = []
    with (
        tempfile.TemporaryDirectory(prefix="sandbox-benchmarks-") as folder,
        progress_bar("measuring", "groups") as moved,
    ):
        run = BenchmarkRun(Path(folder), quick)
        for done, name in enumerate(chosen):
            moved(done, len(chosen))
            found += await run.measure(FIGURE_GROUPS[name])
    return found


def _print_table(figures: Sequence[TargetFigure], quick: bool) -> None:
    table = Table(box=None, pad_edge=False, title="quick" if quick else None, title_justify="left")
    for head in ("FIGURE", "VALUE", "UNIT", "TARGET", "", "RATIO", "LOOP MS", "NOTE"):
        table.add_column(head, justify="right" if head in NUMBERS else "left")
    for figure, wanted, more, ok in figures:
        state = "[dim]-[/dim]" if ok is None else "[green]ok[/green]" if ok else "[red]missed[/red]"
        target = "-" if wanted is None else f"{'>=' if more else '<='} {wanted:,g}"
        ratio = "" if figure.ratio is None else f"{figure.ratio:,.3g}"
        value = shown_value(figure.value)
        table.add_row(figure.name, value, figure.unit, target, state, ratio, f"{figure.loop_ms:.1f}", figure.note)
    console = Console()
    if not console.is_terminal:
        console.width = 120
    console.print(table)


if __name__ == "__main__":
    benchmarks(prog_name="python -m benchmarks")
