"""An experiment from its file to its reports: live what is not lived yet, measure, write.

A folder holds `plan.json` (what was asked for), `runs/` (a save a replica), `report.md`, `results.json`, a CSV for each
table, the figures, and `timing.json`, the only file in which the same input does not give the same bytes; if judges
were asked, also `judges.jsonl` (their calls).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import msgspec

from sandbox.core.faults import Fault, shown
from sandbox.core.ordinary import read_ordinary
from sandbox.lab.experiment import ODD, Experiment, LabFaults
from sandbox.lab.figures import draw
from sandbox.lab.judge_mind import read_judges
from sandbox.lab.many import each, run_many
from sandbox.lab.measuring import Measured, measure_one
from sandbox.lab.metrics import METRICS
from sandbox.lab.panel import judged
from sandbox.lab.replica import Outcome, Replica, told, whole
from sandbox.lab.report import markdown
from sandbox.lab.results import Plan, Results, results
from sandbox.lab.scores import Judgements, Judging
from sandbox.lab.tables import JUDGED, as_json, tables

PLAN, RUNS, TIMING = "plan.json", "runs", "timing.json"
LIBRARIES = ("networkx", "vaderSentiment", "matplotlib")
MOST_PAIRS = 10_000
Moved = Callable[[str, int, int], None]  # what is done, how much of it, of how much


def perform(
    experiment: Experiment,
    replicas: list[Replica],
    command: str,
    out: Path,
    executor: Executor | None = None,
    moved: Moved = lambda what, done, of: None,
    judging: Judging | None = None,
) -> tuple[Results, dict[str, Outcome]]:
    """Run an experiment into a folder and write its reports. What is whole in the folder is not lived again, and what
    judges have said is not asked again.
    """
    began = perf_counter()
    plan = Plan(command, experiment, tuple((r.arm, r.config) for r in replicas), judging)
    out.mkdir(parents=True, exist_ok=True)
    write_plan(plan, out)
    configs = [r.config for r in replicas]
    outcomes = run_many(configs, out / RUNS, executor, lambda done, of: moved("living", done, of))
    lived = perf_counter() - began
    ask = [m.name for m in read_judges(judging.judges)] if judging else []
    found = report(plan, out, executor, moved, {name: o.error for name, o in outcomes.items()}, ask)
    timing = {
        "lived_s": round(lived, 3),
        "reported_s": round(perf_counter() - began - lived, 3),
        "replicas": {name: round(o.seconds, 3) for name, o in outcomes.items() if not o.skipped},
    }
    _write(out / TIMING, json.dumps(timing, indent=1) + "\n")
    return found, outcomes


def report(
    plan: Plan,
    out: Path,
    executor: Executor | None = None,
    moved: Moved = lambda what, done, of: None,
    errors: Mapping[str, str] | None = None,
    ask: Collection[str] = (),
) -> Results:
    """Measure the saves of a folder and write its reports. errors: name of a config -> why it has no save. ask: the
    judges, by name, who are asked what they have not said yet.
    """
    found = _measured(plan, out, executor, moved, errors or {})
    said = _judged(plan, found, out, ask, moved)
    made = results(plan, found, {name: version(name) for name in LIBRARIES}, said)
    figures = draw(made, out)
    for name in JUDGED if said is None else ():
        (out / name).unlink(missing_ok=True)
    for name, text in {**tables(made), "results.json": as_json(made), "report.md": markdown(made, figures)}.items():
        _write(out / name, text)
    return made


def write_plan(plan: Plan, out: Path) -> None:
    """Keep what was asked for."""
    _write(out / PLAN, msgspec.json.format(msgspec.json.encode(plan, order="deterministic"), indent=1).decode() + "\n")


def read_plan(out: Path) -> Plan:
    """What was asked for in a folder. Raises LabFaults."""
    path = out / PLAN
    try:
        with read_ordinary(path) as file:
            plan = msgspec.json.decode(file.read(), type=Plan)
        _check(plan)
        return plan
    except OSError:
        mend = f"holds no {PLAN}; name the --out of a `sandbox lab run`"
        raise LabFaults([Fault(shown(out), 0, 0, mend)]) from None
    except ValueError as error:
        mend = f"is no plan of an experiment ({error}); run the experiment again"
        raise LabFaults([Fault(shown(path), 0, 0, mend)]) from None


def _check(plan: Plan) -> None:
    """Raise ValueError for a plan that this version could not have written."""
    experiment = plan.experiment
    arms = {arm.name for arm in experiment.arms}
    if ODD.search(experiment.name) or not experiment.name:
        raise ValueError("its name is no name of a file")
    if (
        not {arm for arm, _ in plan.runs}
        | {x for c in (*experiment.comparisons, *experiment.judge) for x in (c.arm, c.against)}
        <= arms
    ):
        raise ValueError("it names an arm that it does not have")
    if not experiment.metrics or not {*experiment.metrics} <= {*METRICS} or not plan.runs:
        raise ValueError("it asks for nothing, or for what nobody measures")
    if plan.judging is not None:
        read_judges(plan.judging.judges)
        if not plan.judging.judges or not 1 <= plan.judging.pairs <= MOST_PAIRS or not experiment.judged:
            raise ValueError("it has judges of nothing")


def _measured(
    plan: Plan, out: Path, executor: Executor | None, moved: Moved, errors: Mapping[str, str]
) -> dict[str, Measured | str]:
    """What was measured of each config, by name, or why nothing was."""
    configs = {r.config.name: r.config for r in plan.replicas}
    found: dict[str, Measured | str] = {}
    for name, config in configs.items():
        if errors.get(name):
            found[name] = errors[name]
        elif not whole(config, out / RUNS):
            found[name] = "its save is missing or not whole"
    todo = [name for name in configs if name not in found]
    paths = [(str(configs[name].save(out / RUNS)),) for name in todo]
    for name, got in zip(
        todo, each(measure_one, paths, executor, lambda n: moved("measuring", n, len(todo))), strict=True
    ):
        found[name] = got if isinstance(got, Measured) else told(got)
    return found


def _judged(
    plan: Plan, found: Mapping[str, Measured | str], out: Path, ask: Collection[str], moved: Moved
) -> Judgements | None:
    if plan.judging is None:
        return None
    saves = {
        (r.arm, r.config.seed): r.config.save(out / RUNS)
        for r in plan.replicas
        if isinstance(found.get(r.config.name), Measured)
    }
    return judged(plan.judging, plan.experiment.judged, saves, out, ask, lambda done, of: moved("judging", done, of))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
