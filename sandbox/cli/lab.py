"""`sandbox lab`: experiments, an arm against another over many seeds, with reports."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sandbox.cli.options import MIND

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sandbox.lab.results import Results


@click.group()
def lab() -> None:
    """Run experiments: arms against arms over many seeds, measured and reported."""


@lab.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a script.")
def list_command(as_json: bool) -> None:
    """List the experiments that ship.

    \b
    Examples:
      sandbox lab list
    """
    from sandbox.cli.telling import say, say_json
    from sandbox.core.faults import Faults, shown
    from sandbox.core.textfiles import Reader, open_yaml
    from sandbox.lab.experiment import shipped

    rows = []
    for name, path in shipped().items():
        r = Reader(open_yaml(path, Faults()))
        arms = [arm for arm, _ in r.section("arms").entries()]
        title, about = r.text("title", name), r.text("about", limit=1000)
        rows.append({"name": name, "title": title, "about": about, "arms": arms, "path": shown(path)})
    if as_json:
        say_json(rows)
        return
    for row in rows:
        say(f"{row['name']}: {row['title']}\n  {row['about']}\n  arms: {', '.join(row['arms'])}\n  {row['path']}")


@lab.command("run")
@click.argument("experiment", metavar="EXPERIMENT")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where all of it goes.")
@click.option("--seeds", type=click.IntRange(1, 1000), metavar="N", help="Seeds 1 to N instead of the file's.")
@click.option("--arm", "arms", multiple=True, metavar="NAME", help="Only this arm; repeatable.")
@MIND
@click.option("--jobs", type=click.IntRange(1, 256), default=1, metavar="N", help="How many processes live it.")
@click.option("--cluster", metavar="ADDRESS", help="The scheduler of a `distributed` cluster that lives it instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script.")
def run_command(
    experiment: str,
    out: Path,
    seeds: int | None,
    arms: tuple[str, ...],
    minds: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Run an experiment: the name of one that ships (`lab list`), or a file of your own that ends in .yaml.

    Each arm is lived with each seed, a save each, in DIR/runs. What is whole there is not lived again: the same command
    goes on where it was stopped, and with more seeds only those are lived. Then all saves are measured, and DIR gets
    report.md, results.json, a CSV for each table and figures as SVG. The same input gives the same files, but for the
    wall times in timing.json.

    Without --mind the embedded mind answers, whatever the settings say.

    With --cluster, DIR must be a folder that its workers share. Exit code 1 if a replica failed; the report names it.

    \b
    Examples:
      sandbox lab run sentipolis --out out
      sandbox lab run sentipolis --seeds 30 --jobs 4 --out out
      sandbox lab run mine.yaml --arm on --arm off --out out
      sandbox lab run sentipolis --cluster tcp://host:8786 --out /shared/out
    """
    if cluster and jobs > 1:
        raise click.UsageError("--jobs and --cluster exclude each other; give one")
    from msgspec.structs import replace

    from sandbox.cli.telling import count, say, say_json
    from sandbox.lab.experiment import find_experiment, read_experiment
    from sandbox.lab.laboratory import RUNS, perform
    from sandbox.lab.replica import replicas
    from sandbox.minds.spec import EMBEDDED

    _checked(out)
    found = read_experiment(find_experiment(experiment), arms)
    found = replace(found, seeds=seeds or found.seeds)
    todo = replicas(found, minds or (EMBEDDED,))
    command = _command(experiment, found.seeds, arms, minds)
    with _working(out, jobs, cluster or "", f"{count(len(todo), 'replica')}") as (executor, moved):
        made, outcomes = perform(found, todo, command, out.resolve(), executor, moved)
    failed = {name: o.error for name, o in outcomes.items() if o.error}
    skipped = sum(o.skipped for o in outcomes.values())
    if as_json:
        say_json(
            {
                "experiment": found.name,
                "out": str(out),
                "replicas": len(outcomes),
                "lived": len(outcomes) - skipped - len(failed),
                "skipped": skipped,
                "failed": failed,
                "report": str(out / "report.md"),
                "results": str(out / "results.json"),
            }
        )
    else:
        lived = len(outcomes) - skipped - len(failed)
        say(
            f"{found.title}: {count(lived, 'replica')} lived, {skipped} had been, {len(failed)} failed; in {out / RUNS}"
        )
        _tell(made, out)
    for name, error in failed.items():
        click.echo(f"{out / RUNS / name}.db: {error}", err=True)
    if failed or any(row.error for row in made.rows):
        raise SystemExit(1)


@lab.command("report")
@click.argument("out", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, metavar="N", help="How many processes measure.")
@click.option("--json", "as_json", is_flag=True, help="Print what is in results.json.")
def report_command(out: Path, jobs: int, as_json: bool) -> None:
    """Make the reports of an experiment anew, from the saves in DIR. Nothing is lived.

    \b
    Examples:
      sandbox lab report out
    """
    from sandbox.cli.telling import escaped
    from sandbox.lab.laboratory import read_plan, report
    from sandbox.lab.tables import as_json as text

    plan = read_plan(out)
    with _working(out, jobs, "", "saves") as (executor, moved):
        made = report(plan, out.resolve(), executor, moved)
    if as_json:
        click.echo("\n".join(map(escaped, text(made).rstrip().split("\n"))))
    else:
        _tell(made, out)
    if any(row.error for row in made.rows):
        raise SystemExit(1)


@contextmanager
def _working(
    out: Path, jobs: int, cluster: str, what: str
) -> Iterator[tuple[Executor | None, Callable[[str, int, int], None]]]:
    """Who does the work, and a bar for each part of it. Ctrl-C tells what is kept."""
    from sandbox.cli.telling import STOPPED, Moved, Stopped, progress
    from sandbox.lab.many import workers

    bars: dict[str, Moved] = {}
    with ExitStack() as stack:

        def moved(part: str, done: int, of: int) -> None:
            if part not in bars:
                stack.pop_all().close()
                bars[part] = stack.enter_context(progress(part, "replicas"))
            bars[part](done, of)

        try:
            with workers(jobs, cluster) as executor:
                yield executor, moved
        except KeyboardInterrupt:
            raise Stopped(
                f"{STOPPED}; what is whole of the {what} is kept in {out}: the same command goes on"
            ) from None


def _checked(out: Path) -> None:
    """Refuse a folder that is none, before hours of work."""
    if out.exists() and not out.is_dir():
        raise click.BadParameter(f"{out} is a file; name a folder", param_hint="--out")


def _command(experiment: str, seeds: int, arms: tuple[str, ...], minds: tuple[str, ...]) -> str:
    """The command that gives these results: how the work is shared out does not touch them."""
    words = ["sandbox", "lab", "run", Path(experiment).name, "--seeds", str(seeds)]
    words += [w for arm in arms for w in ("--arm", arm)] + [w for mind in minds for w in ("--mind", mind)]
    return f"{shlex.join(words)} --out DIR"


def _tell(made: Results, out: Path) -> None:
    """The short of the report."""
    from sandbox.cli.telling import say
    from sandbox.lab.report import short

    say("\n".join(short(made)) + f"\nreport: {out / 'report.md'}")
