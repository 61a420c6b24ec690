"""`sandbox lab`: experiments that compare arms over many seeds, with reports."""

from __future__ import annotations

import click

from sandbox.cli.lab_run import run_command
from sandbox.cli.lab_work import lab_folder, show_results, working
from sandbox.cli.options import JSON_ROWS, JUDGE, JUDGE_PAIRS, WholeNumber
from sandbox.cli.telling import say_json, say_text
from sandbox.core.faults import Faults, path_text

INTO = click.argument("into", metavar="DIR")
JOBS = click.option("--jobs", type=WholeNumber(1, 256), default=1, metavar="N", help="How many processes measure.")
JSON_RESULTS = click.option("--json", "as_json", is_flag=True, help="Print what is in results.json.")


@click.group()
def lab() -> None:
    """Run experiments: arms against arms over many seeds, measured and reported."""


lab.add_command(run_command)


@lab.command("list")
@JSON_ROWS
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
    for name, study in STUDIES.items():
        arms, told = [case.name for case in study.cases], study.told
        rows.append({"name": name, "title": told.title, "about": told.about, "arms": arms, "path": ""})
    if as_json:
        say_json(rows)
        return
    for row in rows:
        where = row["path"] or "a study: it needs no town"
        say_text(f"{row['name']}: {row['title']}\n  {row['about']}\n  arms: {', '.join(row['arms'])}\n  {where}")


@lab.command("judge")
@INTO
@JUDGE
@JUDGE_PAIRS
@JOBS
@JSON_RESULTS
def judge_command(into: str, judges: tuple[str, ...], judge_pairs: int | None, jobs: int, as_json: bool) -> None:
    """Have language models score talks of an experiment that was run into DIR, and make its reports again.

    Judges that were asked before stay in the report; only those named here are asked. Their answers are kept in DIR and
    not asked for again, so the same command goes on where it was stopped. Exit code 1 if an answer never came.

    \b
    Examples:
      sandbox lab judge out --judge openai/gpt-4o-mini
      sandbox lab judge out --judge ollama_chat/llama3.2 --judge openai/gpt-4o-mini --judge-pairs 50
    """
    if not judges:
        raise click.UsageError("no judge is named; name a language model with --judge")
    from msgspec.structs import replace

    from sandbox.lab.folder import read_lab_plan, write_lab_plan
    from sandbox.lab.judge_mind import check_judges, merge_judges, read_judges
    from sandbox.lab.laboratory import report
    from sandbox.lab.scores import PAIRS, Judging

    out = lab_folder(into)
    plan = read_lab_plan(out)
    before = plan.judging or Judging((), PAIRS)
    judging = Judging(merge_judges(before.judges, judges), judge_pairs or before.pairs)
    check_judges(judging.judges, plan.experiment)
    plan = replace(plan, judging=judging)
    write_lab_plan(plan, out)
    with working(out, jobs, "", "answers") as work:
        made = report(plan, out.resolve(), work.executor, work.moved, ask=[m.name for m in read_judges(judges)])
    show_results(made, out, as_json)


@lab.command("report")
@INTO
@JOBS
@JSON_RESULTS
def report_command(into: str, jobs: int, as_json: bool) -> None:
    """Make the reports of an experiment again, from the saves in DIR. Nothing is run.

    \b
    Examples:
      sandbox lab report out
    """
    from sandbox.lab.folder import read_lab_plan
    from sandbox.lab.laboratory import report

    out = lab_folder(into)
    plan = read_lab_plan(out)
    with working(out, jobs, "", "saves") as work:
        made = report(plan, out.resolve(), work.executor, work.moved)
    show_results(made, out, as_json)
