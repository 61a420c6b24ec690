"""`sandbox lab run`: run an experiment in a town, or a study without one, and write its report into a folder."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sandbox.cli.lab_work import end_with_faults, lab_folder, tell_summary, working
from sandbox.cli.options import JSON, JUDGE, JUDGE_PAIRS, MIND, WholeNumber, as_one, blame
from sandbox.cli.telling import say_json, say_text, wrap_entry
from sandbox.core.places import expand_path
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from sandbox.lab.experiment import Experiment
    from sandbox.lab.scores import Judging
    from sandbox.lab.studies.minds import StudyModels
    from sandbox.lab.studies.study import Study

READERS = 30  # for whom a model decides, unless --users says otherwise
OWN = {
    "curve": "that has curves: `lab run cascade`",
    "personas": "that has people: `lab run friends`",
    "stances": "of policies: `lab run policy-cross`",
    "items": "of societies that answers questions: `lab run glass-rumour`",
}  # files of the user's own, by option -> for which study
SETTING = {"personas": "cast"}  # what a run calls it, if not as its option


class LabRunArguments(NamedTuple):
    """The command line; see the options. experiment: name of an experiment or study; into: the folder."""

    experiment: str
    into: str
    seeds: str | None
    quick: bool
    arms: tuple[str, ...]
    minds: tuple[str, ...]
    judges: tuple[str, ...]
    judge_pairs: int | None
    users: int | None
    jobs: int
    cluster: str | None
    curve: str | None
    personas: str | None
    stances: str | None
    items: str | None
    force: bool
    as_json: bool


@click.command("run")
@click.argument("experiment", metavar="EXPERIMENT")
@click.option("--out", "into", required=True, metavar="DIR", help="The folder for all results.")
@click.option("--seeds", metavar="N", help="Seeds: how many (60), a range (401-460) or a list (1,5,401-410).")
@click.option("--quick", is_flag=True, help="Only the first few of the file's seeds.")
@click.option("--arm", "arms", multiple=True, metavar="NAME", help="Only this arm; repeatable.")
@MIND
@JUDGE
@JUDGE_PAIRS
@click.option("--users", type=WholeNumber(2, 1000), metavar="N", help="For a study with --mind: most readers (30).")
@click.option("--jobs", type=WholeNumber(1, 256), default=1, metavar="N", help="How many processes run it.")
@click.option("--cluster", metavar="ADDRESS", help="The scheduler of a `distributed` cluster that runs it instead.")
@click.option("--curve", metavar="FILE", help="For cascade: a CSV of a real cascade to compare with.")
@click.option("--personas", metavar="FILE", help="For friends: a YAML of your own people (docs/lab.md).")
@click.option("--stances", metavar="FILE", help="For studies of policies: stances at the start (docs/lab.md).")
@click.option(
    "--items", metavar="FILE", help="For studies of societies: a YAML of your own questions (docs/society.md)."
)
@click.option("--force", is_flag=True, help="Replace what another experiment or study left in DIR.")
@JSON
@as_one(LabRunArguments)
def run_command(asked: LabRunArguments) -> None:
    """Run an experiment or a study: the name of one that ships (`lab list`), or an experiment's file of your own that
    ends in .yaml.

    Each arm is run with each seed, into a save of its own in DIR/runs. A run that is complete there is not made again:
    the same command goes on where it was stopped, and with more seeds only those are run. Then all saves are measured,
    and DIR gets report.md, results.json, a CSV for each table and figures as SVG. The same input gives the same files,
    except for the times in timing.json. An earlier report that has more than this run is kept in DIR/earlier-1.

    Without --mind the embedded mind answers, whatever the settings say.

    A study is run with a crowd, or, with --mind, with readers for whom a language model decides, 30 unless --users says
    otherwise; what they write is judged by --judge, or by the same model. Calls are kept in DIR and not made again.

    With --judge, models score talks of two arms against each other (docs/lab.md); their answers are kept, too.

    Once each arm has been run with the first seed, the command says how long the rest will take. With --cluster, DIR
    must be a folder that its workers share. Exit code 1 if a replica failed; the report names it.

    \b
    Examples:
      sandbox lab run sentipolis --quick --out out
      sandbox lab run sentipolis --seeds 401-460 --jobs 4 --out out
      sandbox lab run mine.yaml --arm on --arm off --out out
      sandbox lab run sentipolis --judge openai/gpt-4o-mini --out out
      sandbox lab run herd --mind ollama_chat/llama3.2 --users 20 --seeds 3 --out out
      sandbox lab run sentipolis --cluster tcp://host:8786 --out /shared/out
    """
    if asked.cluster and asked.jobs > 1:
        raise click.UsageError("--jobs and --cluster exclude each other; give one")
    if asked.seeds is not None and asked.quick:
        raise click.UsageError("--seeds and --quick exclude each other; give one")
    if asked.judge_pairs is not None and not asked.judges:
        raise click.UsageError("--judge-pairs says how many pairs judges get; name a judge with --judge")

    from sandbox.lab.studies.every import STUDIES

    study = STUDIES.get(asked.experiment)
    if study is not None:
        _run_study(study, asked)
        return
    if asked.users is not None:
        raise click.UsageError("--users is for a study: `lab run herd --mind MODEL`")
    if given := _own(asked):
        raise click.UsageError(f"--{min(given)} is for a study {OWN[min(given)]}")
    _run_experiment(asked)


# ---- an experiment in a town


def _run_experiment(asked: LabRunArguments) -> None:
    from sandbox.lab.folder import RUNS, archive_report, ready
    from sandbox.lab.laboratory import run_experiment
    from sandbox.lab.replica import replicas
    from sandbox.minds.spec import EMBEDDED

    out = lab_folder(asked.into)
    found, judging = _experiment(asked)
    todo = replicas(found, asked.minds or (EMBEDDED,))
    options = {"--arm": asked.arms, "--mind": asked.minds}
    if judging is not None:
        options |= {"--judge": judging.judges, "--judge-pairs": (str(judging.pairs),)}
    command = _command(Path(asked.experiment).name, found.seeds, options)
    ready(out, found.name, asked.force)
    if kept := archive_report(out, found, todo, judging):
        say_text(kept, err=True)
    with working(out, asked.jobs, asked.cluster or "", count_of(len(todo), "replica"), len(found.arms)) as work:
        made, outcomes = run_experiment(
            found, todo, command, out.resolve(), work.executor, work.moved, judging, work.noted
        )
    failed = {name: o.error for name, o in outcomes.items() if o.error}
    skipped = sum(o.skipped for o in outcomes.values())
    lived = len(outcomes) - skipped - len(failed)
    if asked.as_json:
        told = {"experiment": found.name, "out": str(out), "replicas": len(outcomes), "lived": lived}
        say_json({**told, "skipped": skipped, "failed": failed, **_files(out)})
    else:
        done = f"{count_of(lived, 'replica')} run, {skipped} there already, {len(failed)} failed"
        say_text(f"{found.title}: {done}; in {out / RUNS}")
        tell_summary(made, out)
    for row in made.rows:
        if row.error:
            say_text(f"{row.arm}, seed {row.seed}, {out / RUNS / row.save}: {row.error}", err=True)
    end_with_faults(made)


def _experiment(asked: LabRunArguments) -> tuple[Experiment, Judging | None]:
    """The experiment with the arms and seeds to run, and the judges to ask. Raises LabFaults."""
    from msgspec.structs import replace

    from sandbox.lab.experiment import find_experiment, read_experiment, read_seeds
    from sandbox.lab.judge_mind import check_judges
    from sandbox.lab.scores import PAIRS, Judging
    from sandbox.lab.studies.every import STUDIES

    found = read_experiment(find_experiment(asked.experiment, STUDIES), asked.arms)
    if asked.seeds is not None:
        with blame("--seeds"):
            found = replace(found, seeds=read_seeds(asked.seeds))
    elif asked.quick:
        found = replace(found, seeds=found.seeds[: found.quick])
    if not asked.judges:
        return found, None
    check_judges(asked.judges, found)
    return found, Judging(asked.judges, asked.judge_pairs or PAIRS)


# ---- a study


def _run_study(study: Study, asked: LabRunArguments) -> None:
    """Run a study: a crowd on a feed, or readers for whom a model decides, and no town."""
    from sandbox.lab.experiment import read_seeds
    from sandbox.lab.studies.performing import perform
    from sandbox.lab.studies.reporting import missing, short

    out = lab_folder(asked.into)
    by = _readers(study, asked)
    as_run = study if by is None else study.with_minds()
    _check_arms(as_run, {} if by is None or study.minds is None else study.minds.left_out, asked.arms)
    with blame("--seeds"):
        seeds = study.usual(asked.quick) if asked.seeds is None else read_seeds(asked.seeds)
    given = _given(as_run, asked)
    options = {"--arm": asked.arms} | {f"--{option}": (Path(file).name,) for option, file in _own(asked).items()}
    if by is not None:
        options |= {"--mind": asked.minds, "--judge": asked.judges, "--users": (str(by.users),)}
    command = _command(study.name, () if asked.quick and as_run.quicker else seeds, options)
    sorts = len(asked.arms or as_run.cases) if by is None else 0  # with a model all runs go on at the same time
    with working(out, asked.jobs, asked.cluster or "", "runs", sorts) as work:
        ran = partial(work.moved, "running")
        made = perform(
            study, seeds, asked.arms, command, out.resolve(), work.executor, ran, given, by, work.noted, asked.force
        )
    lost = missing(as_run, made)
    failed = {f"{run.case}, seed {run.seed}": run.error for run in made.runs if run.error}
    if asked.as_json:
        told = {"experiment": study.name, "out": str(out), "runs": len(made.runs), "failed": failed}
        say_json({**told, "missing": lost, **_files(out)})
    else:
        say_text(f"{as_run.told.title}: {count_of(len(made.runs), 'run')}, {len(failed)} failed")
        for line in short(made):
            say_text(wrap_entry(line))
        say_text(f"report: {out / 'report.md'}")
    for line in lost:
        say_text(line, err=True)
    if lost:
        raise SystemExit(1)


def _readers(study: Study, asked: LabRunArguments) -> StudyModels | None:
    """The models that decide in a study, and its judges; None = a crowd."""
    from sandbox.lab.judge_mind import read_judges
    from sandbox.lab.studies.minds import StudyModels
    from sandbox.minds.spec import parse_mind

    if asked.judge_pairs is not None:
        raise click.UsageError("--judge-pairs is for experiments in a town; leave it out")
    spec = parse_mind(asked.minds)
    names = () if study.minds is None else study.minds.names
    if spec.people.keys() - {*names}:
        mend = f"--mind {names[-1]}=MODEL beside --mind MODEL" if names else "--mind MODEL"
        raise click.UsageError(f"{study.name} has no {min(spec.people.keys() - {*names})} to name: write {mend}")
    if len(asked.minds) > 1 + len(spec.people):
        raise click.UsageError("a study is run with one model at a time; give one --mind, and each a folder")
    if spec.default is None:
        if spec.people:
            raise click.UsageError(f"name the model of the others, too: --mind MODEL beside --mind {names[-1]}=MODEL")
        if asked.judges:
            raise click.UsageError("judges read what a model wrote: name that model with --mind")
        if asked.users is not None:
            raise click.UsageError("--users says how many readers a model decides for; name the model with --mind")
        return None
    if study.minds is None:
        raise click.UsageError(f"{study.name} can only be run with a crowd; leave out --mind")
    if asked.judges and not study.minds.judges:
        raise click.UsageError(f"nothing is judged in {study.name}; leave out --judge")
    if asked.cluster or asked.jobs > 1:
        raise click.UsageError("with --mind one process asks the model for all runs: leave out --jobs and --cluster")
    own = {who: model for who, model in spec.people.items() if model is not None}
    return StudyModels(spec.default, read_judges(asked.judges), asked.users or READERS, own)


def _check_arms(study: Study, left_out: Mapping[str, str], arms: Sequence[str]) -> None:
    """Raise BadParameter for an unknown arm. left_out: arms that a study lacks with a model -> why."""
    from sandbox.core.faults import unknown

    known = [case.name for case in study.cases]
    for arm in arms:
        if why := left_out.get(arm):
            raise click.BadParameter(f"{arm} is left out with --mind: {why}", param_hint="--arm")
        if arm not in known:
            raise click.BadParameter(unknown("arm", arm, known), param_hint="--arm")


def _own(asked: LabRunArguments) -> dict[str, str]:
    """The files of the user's own, by option."""
    return {option: file for option in OWN if (file := getattr(asked, option)) is not None}


def _given(study: Study, asked: LabRunArguments) -> dict[str, Any]:
    """Settings of all cases from the user's own files, and of a quick run. Raises LabFaults."""
    from sandbox.engine.loading import WorldFaults

    given: dict[str, Any] = dict(study.quicker) if asked.quick else {}
    for option, file in _own(asked).items():
        if (read := getattr(study, option)) is None:
            raise click.UsageError(f"--{option} is for a study {OWN[option]}")
        try:
            given[SETTING.get(option, option)] = read(expand_path(file))
        except WorldFaults:
            raise
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint=f"--{option}") from None
    return given


# ---- for both


def _command(name: str, seeds: Sequence[int], options: Mapping[str, Sequence[str]]) -> str:
    """The command that reproduces these results, without options that only share out the work. options: option ->
    values; it is repeated for each value. seeds: () = those of a quick run, which has settings of its own.
    """
    from sandbox.lab.experiment import seeds_option

    words = ["--seeds", seeds_option(seeds)] if seeds else ["--quick"]
    words += [word for option, values in options.items() for value in values for word in (option, value)]
    return f"{shlex.join(['sandbox', 'lab', 'run', name, *words])} --out DIR"


def _files(out: Path) -> dict[str, str]:
    """The paths of the report and the numbers, for JSON."""
    return {"report": str(out / "report.md"), "results": str(out / "results.json")}
