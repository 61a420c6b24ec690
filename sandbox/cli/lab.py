"""`sandbox lab`: experiments, an arm against another over many seeds, with reports."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sandbox.cli.options import JUDGE, JUDGE_PAIRS, MIND, WholeNumber
from sandbox.cli.telling import STOPPED, Moving, heeding, progress_bar, say_json, say_json_text, say_text, wrap_entry
from sandbox.core.faults import Faults, path_text
from sandbox.core.places import expand_path
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sandbox.lab.experiment import Experiment
    from sandbox.lab.results import Results
    from sandbox.lab.scores import Judging
    from sandbox.lab.studies.minds import StudyModels
    from sandbox.lab.studies.study import Study

COUNTED = {"judging": "questions", "running": "runs"}  # what a part of the work is counted in, if not in replicas
FORETOLD = ("living", "measuring", "running")  # parts of which the rest takes as long as the beginning did
READERS = 30  # for whom a model decides, unless somebody says otherwise


@click.group()
def lab() -> None:
    """Run experiments: arms against arms over many seeds, measured and reported."""


@lab.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a script.")
def lab_list_command(as_json: bool) -> None:
    """List the experiments and the studies that ship.

    \b
    Examples:
      sandbox lab list
    """
    from sandbox.core.textfiles import MappingReader, open_yaml
    from sandbox.lab.experiment import shipped_experiments
    from sandbox.lab.studies.every import STUDIES

    rows = []
    for name, path in shipped_experiments().items():
        r = MappingReader(open_yaml(path, Faults()))
        arms = [arm for arm, _ in r.section("arms").entries()]
        title, about = r.text("title", name), r.text("about", limit=1000)
        rows.append({"name": name, "title": title, "about": about, "arms": arms, "path": path_text(path)})
    for study in STUDIES.values():
        arms = [case.name for case in study.cases]
        rows.append(
            {"name": study.name, "title": study.told.title, "about": study.told.about, "arms": arms, "path": ""}
        )
    if as_json:
        say_json(rows)
        return
    for row in rows:
        where = row["path"] or "a study: it needs no town"
        say_text(f"{row['name']}: {row['title']}\n  {row['about']}\n  arms: {', '.join(row['arms'])}\n  {where}")


@lab.command("run")
@click.argument("experiment", metavar="EXPERIMENT")
@click.option("--out", "into", required=True, metavar="DIR", help="Where all of it goes.")
@click.option("--seeds", metavar="N", help="How many (60), a range (401-460) or a list (1,5,401-410) of seeds.")
@click.option("--quick", is_flag=True, help="Only the first few of the file's seeds.")
@click.option("--arm", "arms", multiple=True, metavar="NAME", help="Only this arm; repeatable.")
@MIND
@JUDGE
@JUDGE_PAIRS
@click.option("--users", type=WholeNumber(2, 1000), metavar="N", help="Of a study with --mind: readers at most (30).")
@click.option("--jobs", type=WholeNumber(1, 256), default=1, metavar="N", help="How many processes live it.")
@click.option("--cluster", metavar="ADDRESS", help="The scheduler of a `distributed` cluster that lives it instead.")
@click.option("--curve", metavar="FILE", help="Of cascade: a CSV of a real cascade to set beside it.")
@click.option("--personas", metavar="FILE", help="Of friends: a YAML of people of your own (docs/lab.md).")
@click.option("--force", is_flag=True, help="Replace what stands in DIR and is of no run of this experiment or study.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script.")
def run_command(
    experiment: str,
    into: str,
    seeds: str | None,
    quick: bool,
    arms: tuple[str, ...],
    minds: tuple[str, ...],
    judges: tuple[str, ...],
    judge_pairs: int | None,
    users: int | None,
    jobs: int,
    cluster: str | None,
    curve: str | None,
    personas: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Run an experiment or a study: the name of one that ships (`lab list`), or an experiment's file of your own that
    ends in .yaml.

    Each arm is lived with each seed, a save each, in DIR/runs. What is whole there is not lived again: the same command
    goes on where it was stopped, and with more seeds only those are lived. Then all saves are measured, and DIR gets
    report.md, results.json, a CSV for each table and figures as SVG. The same input gives the same files, but for the
    wall times in timing.json. A report there that has what this run leaves out is kept, in DIR/earlier-1.

    Without --mind the embedded mind answers, whatever the settings say.

    A study is run with a crowd, or, with --mind, with readers for whom a language model decides, 30 unless --users says
    otherwise; what they write is judged by --judge, or by the same model. Calls are kept in DIR and not made again.

    With --judge, models score talks of two arms against each other (docs/lab.md); what they said is not asked again.

    Once each arm has been lived with the first seed, the terminal is told how long the rest will take. With --cluster,
    DIR must be a folder that its workers share. Exit code 1 if a replica failed; the report names it.

    \b
    Examples:
      sandbox lab run sentipolis --quick --out out
      sandbox lab run sentipolis --seeds 401-460 --jobs 4 --out out
      sandbox lab run mine.yaml --arm on --arm off --out out
      sandbox lab run sentipolis --judge openai/gpt-4o-mini --out out
      sandbox lab run herd --mind ollama_chat/llama3.2 --users 20 --seeds 3 --out out
      sandbox lab run sentipolis --cluster tcp://host:8786 --out /shared/out
    """
    if cluster and jobs > 1:
        raise click.UsageError("--jobs and --cluster exclude each other; give one")
    if seeds is not None and quick:
        raise click.UsageError("--seeds and --quick exclude each other; give one")
    if judge_pairs is not None and not judges:
        raise click.UsageError("--judge-pairs says how much judges get; name one with --judge")
    from msgspec.structs import replace

    from sandbox.lab.studies.every import STUDIES

    if experiment in STUDIES:
        _study(
            STUDIES[experiment], _named(into), seeds, quick, arms, minds, judges, judge_pairs, users, curve, personas,
            jobs, cluster or "", force, as_json,
        )  # fmt: skip
        return
    if users is not None:
        raise click.UsageError("--users is for a study: `lab run herd --mind MODEL`")
    if curve is not None:
        raise click.UsageError("--curve is for a study that has curves: `lab run cascade`")
    if personas is not None:
        raise click.UsageError("--personas is for a study that has people: `lab run friends`")
    from sandbox.lab.experiment import find_experiment, read_experiment
    from sandbox.lab.folder import RUNS, archive_report, ready
    from sandbox.lab.judge_mind import check_judges
    from sandbox.lab.laboratory import run_experiment
    from sandbox.lab.replica import replicas
    from sandbox.lab.scores import PAIRS, Judging
    from sandbox.lab.seeds import seeds_option
    from sandbox.minds.spec import EMBEDDED

    out = _named(into)
    found = read_experiment(find_experiment(experiment, STUDIES), arms)
    found = replace(found, seeds=_seeds(found, seeds, quick))
    judging = Judging(judges, judge_pairs or PAIRS) if judges else None
    if judging is not None:
        check_judges(judging.judges, found)
    todo = replicas(found, minds or (EMBEDDED,))
    command = _command(experiment, seeds_option(found.seeds), arms, minds, judging)
    ready(out, found.name, force)
    if kept := archive_report(out, found, todo, judging):
        say_text(kept, err=True)
    sorts = len(found.arms)
    with _working(out, jobs, cluster or "", f"{count_of(len(todo), 'replica')}", sorts) as (executor, moved, noted):
        made, outcomes = run_experiment(found, todo, command, out.resolve(), executor, moved, judging, noted)
    failed = {name: o.error for name, o in outcomes.items() if o.error}
    skipped = sum(o.skipped for o in outcomes.values())
    lived = len(outcomes) - skipped - len(failed)
    if as_json:
        say_json(
            {
                "experiment": found.name,
                "out": str(out),
                "replicas": len(outcomes),
                "lived": lived,
                "skipped": skipped,
                "failed": failed,
                "report": str(out / "report.md"),
                "results": str(out / "results.json"),
            }
        )
    else:
        done = f"{count_of(lived, 'replica')} lived, {skipped} had been, {len(failed)} failed"
        say_text(f"{found.title}: {done}; in {out / RUNS}")
        _tell(made, out)
    for row in made.rows:
        if row.error:
            say_text(f"{row.arm}, seed {row.seed}, {out / RUNS / row.save}: {row.error}", err=True)
    _end(made)


def _study(
    study: Study,
    out: Path,
    seeds: str | None,
    quick: bool,
    arms: tuple[str, ...],
    minds: tuple[str, ...],
    judges: tuple[str, ...],
    judge_pairs: int | None,
    users: int | None,
    curve: str | None,
    personas: str | None,
    jobs: int,
    cluster: str,
    force: bool,
    as_json: bool,
) -> None:
    """Run a study: a crowd on a feed, or readers for whom a model decides, and no town."""
    from sandbox.core.faults import unknown
    from sandbox.lab.seeds import read_seeds, seeds_option
    from sandbox.lab.studies.performing import perform
    from sandbox.lab.studies.reporting import missing, short

    by = _readers(study, minds, judges, judge_pairs, users, jobs, cluster)
    as_run = study if by is None else study.with_minds()
    known = [case.name for case in as_run.cases]
    for arm in arms:
        if by is not None and study.minds is not None and (why := study.minds.left_out.get(arm)):
            raise click.BadParameter(f"{arm} is left out with --mind: {why}", param_hint="--arm")
        if arm not in known:
            raise click.BadParameter(unknown("arm", arm, known), param_hint="--arm")
    try:
        chosen = study.usual(quick) if seeds is None else read_seeds(seeds)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--seeds") from None
    try:
        given: dict[str, Any] = {} if curve is None else {"curve": study.curve_of(expand_path(curve))}
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--curve") from None
    if personas is not None:
        if study.personas is None:
            raise click.UsageError("--personas is for a study that has people: `lab run friends`")
        given["cast"] = study.people_of(expand_path(personas))
    words = ["sandbox", "lab", "run", study.name, "--seeds", seeds_option(chosen)]
    words += [w for arm in arms for w in ("--arm", arm)] + (["--curve", Path(curve).name] if curve else [])
    words += ["--personas", Path(personas).name] if personas else []
    if by is not None:
        words += ["--mind", minds[0], *(w for judge in judges for w in ("--judge", judge)), "--users", str(by.users)]
    command = f"{shlex.join(words)} --out DIR"
    sorts = len(arms or known) if by is None else 0  # with a model all runs go on together
    with _working(out, jobs, cluster, "runs", sorts) as (executor, moved, noted):

        def ran(done: int, of: int) -> None:
            moved("running", done, of)

        made = perform(study, chosen, arms, command, out.resolve(), executor, ran, given, by, noted, force)
    lost = missing(as_run, made)
    failed = {f"{run.case}, seed {run.seed}": run.error for run in made.runs if run.error}
    if as_json:
        say_json({"experiment": study.name, "out": str(out), "runs": len(made.runs), "failed": failed, "missing": lost,
                  "report": str(out / "report.md"), "results": str(out / "results.json")})  # fmt: skip
    else:
        say_text(f"{as_run.told.title}: {count_of(len(made.runs), 'run')}, {len(failed)} failed")
        for line in short(made):
            say_text(wrap_entry(line))
        say_text(f"report: {out / 'report.md'}")
    for line in lost:
        say_text(line, err=True)
    if lost:
        raise SystemExit(1)


def _readers(
    study: Study,
    minds: tuple[str, ...],
    judges: tuple[str, ...],
    judge_pairs: int | None,
    users: int | None,
    jobs: int,
    cluster: str,
) -> StudyModels | None:
    """Who a study is run by; None = a crowd."""
    from sandbox.lab.judge_mind import read_judges
    from sandbox.lab.studies.minds import StudyModels
    from sandbox.minds.spec import parse_mind

    if judge_pairs is not None:
        raise click.UsageError("--judge-pairs is for experiments in a town; leave it out")
    spec = parse_mind(minds)
    if spec.people:
        raise click.UsageError("a study has no people to name: write --mind MODEL")
    if len(minds) > 1:
        raise click.UsageError("a study is run with one model at a time; give one --mind, and a folder to each")
    if spec.default is None:
        if judges:
            raise click.UsageError("judges read what a model wrote: name that, too, with --mind")
        if users is not None:
            raise click.UsageError("--users says how many readers a model decides for; name it with --mind")
        return None
    if study.minds is None:
        raise click.UsageError(f"{study.name} is run with a crowd alone; leave out --mind")
    if judges and not study.minds.judges:
        raise click.UsageError(f"nothing is judged in {study.name}; leave out --judge")
    if cluster or jobs > 1:
        raise click.UsageError("with --mind one process asks for all runs together: leave out --jobs and --cluster")
    return StudyModels(spec.default, read_judges(judges), users or READERS)


@lab.command("judge")
@click.argument("into", metavar="DIR")
@JUDGE
@JUDGE_PAIRS
@click.option("--jobs", type=WholeNumber(1, 256), default=1, metavar="N", help="How many processes measure.")
@click.option("--json", "as_json", is_flag=True, help="Print what is in results.json.")
def judge_command(into: str, judges: tuple[str, ...], judge_pairs: int | None, jobs: int, as_json: bool) -> None:
    """Have language models score talks of an experiment that was run into DIR, and make its reports anew.

    Judges that were asked before stay in the report; only those named here are asked. What they have said is kept in
    DIR and not asked again, so that the same command goes on where it was stopped. Exit code 1 if an answer never came.

    \b
    Examples:
      sandbox lab judge out --judge openai/gpt-4o-mini
      sandbox lab judge out --judge ollama_chat/llama3.2 --judge openai/gpt-4o-mini --judge-pairs 50
    """
    if not judges:
        raise click.UsageError("who is to judge? Name a language model with --judge")
    from msgspec.structs import replace

    from sandbox.lab.folder import read_lab_plan, write_lab_plan
    from sandbox.lab.judge_mind import check_judges, merge_judges, read_judges
    from sandbox.lab.laboratory import report
    from sandbox.lab.scores import PAIRS, Judging

    out = _named(into)
    plan = read_lab_plan(out)
    before = plan.judging or Judging((), PAIRS)
    judging = Judging(merge_judges(before.judges, judges), judge_pairs or before.pairs)
    check_judges(judging.judges, plan.experiment)
    plan = replace(plan, judging=judging)
    write_lab_plan(plan, out)
    with _working(out, jobs, "", "answers") as (executor, moved, _):
        made = report(plan, out.resolve(), executor, moved, ask=[m.name for m in read_judges(judges)])
    _show(made, out, as_json)


@lab.command("report")
@click.argument("into", metavar="DIR")
@click.option("--jobs", type=WholeNumber(1, 256), default=1, metavar="N", help="How many processes measure.")
@click.option("--json", "as_json", is_flag=True, help="Print what is in results.json.")
def report_command(into: str, jobs: int, as_json: bool) -> None:
    """Make the reports of an experiment anew, from the saves in DIR. Nothing is lived.

    \b
    Examples:
      sandbox lab report out
    """
    from sandbox.lab.folder import read_lab_plan
    from sandbox.lab.laboratory import report

    out = _named(into)
    plan = read_lab_plan(out)
    with _working(out, jobs, "", "saves") as (executor, moved, _):
        made = report(plan, out.resolve(), executor, moved)
    _show(made, out, as_json)


@contextmanager
def _working(
    out: Path, jobs: int, cluster: str, what: str, sorts: int = 0
) -> Iterator[tuple[Executor | None, Callable[[str, int, int], None], Callable[[str], None]]]:
    """Who does the work, a bar for each part of it, and what is said beside the bar. Who stops it is told what is kept,
    and the end which processes were lost. sorts: of pieces of work (arms); once there is one of each the rest is
    foretold; 0 = nothing is.
    """
    from sandbox.cli.forecast import Forecast
    from sandbox.lab.parallel_runs import Processes, workers

    bars: dict[str, Moving] = {}
    forecasts: dict[str, Forecast] = {}
    whose = "on this cluster" if cluster else f"on this machine with {count_of(jobs, 'job')}"
    killed = 0
    kept = f"{STOPPED}; what is whole of the {what} is kept in {out}: the same command goes on"
    with heeding(lambda: kept), ExitStack() as stack:

        def moved(part: str, done: int, of: int) -> None:
            if part not in bars:
                stack.pop_all().close()
                bars[part] = stack.enter_context(progress_bar(part, COUNTED.get(part, "replicas")))
                forecasts[part] = Forecast(max(sorts, jobs) if sorts and part in FORETOLD else 0, whose)
            bars[part](done, of)
            if said := forecasts[part].after(done, of):
                bars[part].tell(f"{said}; then they are measured" if part == "living" else said)

        def noted(said: str) -> None:
            for bar in list(bars.values())[-1:]:
                bar.note(said)

        with workers(jobs, cluster) as executor:
            yield executor, moved, noted
            killed = executor.killed if isinstance(executor, Processes) else 0
    if killed:
        say_text(f"{count_of(killed, 'worker')} killed meanwhile; what each was at was begun anew, once", err=True)


def _named(out: str) -> Path:
    """The folder that a word means. No word at all is none: it stands for a variable that was never set."""
    if not out:
        raise click.BadParameter("is empty; name a folder, or . for this one", param_hint="DIR")

    return expand_path(out)


def _seeds(found: Experiment, said: str | None, quick: bool) -> tuple[int, ...]:
    """The seeds to live: those that were said, the first few of the file's, or all of them."""
    from sandbox.lab.seeds import read_seeds

    try:
        return found.seeds[: found.quick if quick else None] if said is None else read_seeds(said)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--seeds") from None


def _command(
    experiment: str, seeds: str, arms: tuple[str, ...], minds: tuple[str, ...], judging: Judging | None
) -> str:
    """The command that gives these results: how the work is shared out does not touch them."""
    words = ["sandbox", "lab", "run", Path(experiment).name, "--seeds", seeds]
    words += [w for arm in arms for w in ("--arm", arm)] + [w for mind in minds for w in ("--mind", mind)]
    if judging is not None:
        words += [w for judge in judging.judges for w in ("--judge", judge)]
        words += ["--judge-pairs", str(judging.pairs)]
    return f"{shlex.join(words)} --out DIR"


def _tell(made: Results, out: Path) -> None:
    """The short of the report."""
    from sandbox.lab.report import report_summary

    for entry in report_summary(made):
        say_text(wrap_entry(entry.replace("--out DIR", shlex.join(["--out", str(out)]))))
    say_text(f"report: {out / 'report.md'}")


def _show(made: Results, out: Path, as_json: bool) -> None:
    """The short of the report, or all numbers, and the end of the command."""
    from sandbox.lab.wording import as_json as text

    if as_json:
        say_json_text(text(made).rstrip())
    else:
        _tell(made, out)
    _end(made)


def _end(made: Results) -> None:
    """Tell of answers that never came and of measures that failed; exit code 1 if they, or replicas, are missing."""
    from sandbox.lab.results import failed_judges, failed_measures

    failed = [*failed_measures(made), *failed_judges(made)]
    for line in failed:
        say_text(line, err=True)
    if failed or any(row.error for row in made.rows):
        raise SystemExit(1)
