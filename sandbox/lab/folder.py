"""The folder of an experiment: what may be written there, its plan, and protection against names that lead out of it.

A folder may come from anybody. Files are written whole (`store.files.appearing`), replacing a link and never following
one; judges' calls (appended to a file) and saves are written only if no link leads out of the folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from itertools import count, product
from pathlib import Path

import msgspec

from sandbox.core.clock import HOUR, STEP_MAX, STEP_MIN, parse_start
from sandbox.core.faults import path_text, safe
from sandbox.core.places import read_ordinary
from sandbox.core.plain import json_lines
from sandbox.lab.experiment import (
    MOST_ARMS,
    MOST_STEPS,
    Experiment,
    LabFaults,
    is_arm,
    is_measure,
    is_name,
    lab_fault,
    read_seeds,
)
from sandbox.lab.figures import FIGURES
from sandbox.lab.judge_mind import check_judges, read_judges
from sandbox.lab.metrics import METRICS
from sandbox.lab.published import PAPERS
from sandbox.lab.replica import Config, Replica
from sandbox.lab.results import LabPlan
from sandbox.lab.scores import Judging
from sandbox.lab.wording import FILES
from sandbox.store.errors import explain_errors
from sandbox.store.files import appearing
from sandbox.store.lock import check_apart, ours

STUDY = "study.json"  # identifies the study of a folder
PLAN, RUNS, RESULTS, TIMING, CALLS = "plan.json", "runs", "results.json", "timing.json", "judges.jsonl"
REPORTS = ("report.md", RESULTS, TIMING, *FILES)
MOST_PAIRS = 10_000
ELSE = "name another folder, or give --force"


def ready(out: Path, experiment: str, force: bool = False) -> None:
    """Create a folder for an experiment of that name, or reuse its folder. Raises LabFaults if that would replace files
    of something else (unless force), SaveError if it cannot be created.
    """
    make_folder(out, lambda: None if force else _check_own(out, experiment))


def make_folder(out: Path, check: Callable[[], None]) -> None:
    """Create a folder to write into. check: raises LabFaults if its files must not be overwritten. Raises LabFaults if
    it is not a folder, or a link leads out of it; SaveError if it cannot be created.
    """
    with explain_errors(out):
        if "\0" in str(out):
            raise lab_fault(out, "cannot be the name of a folder; name another")
        if out.exists() and not out.is_dir():
            raise lab_fault(out, "is a file; name a folder")
        check_apart(out, ours)
        check()
        out.mkdir(parents=True, exist_ok=True)
    check_links(out)


def _check_own(out: Path, experiment: str) -> None:
    if (out / PLAN).exists():
        try:
            found = read_lab_plan(out).experiment.name
        except LabFaults as fault:
            raise LabFaults([f._replace(message=f"{f.message}; or {ELSE}") for f in fault.faults]) from None
        if found != experiment:
            raise lab_fault(out, f"holds another experiment, {safe(found)}; {ELSE}")
        return
    check_free(out, (*REPORTS, CALLS, *(figure.file(experiment) for figure in FIGURES)), "experiment")


def check_free(out: Path, names: Iterable[str], what: str) -> None:
    """Raise LabFaults if the folder has a file of one of these names. what: what such a file does not belong to."""
    for name in names:
        if (out / name).exists():
            raise lab_fault(out / name, f"is there already, and comes from no {what} that was run here; {ELSE}")


def archive_report(out: Path, experiment: Experiment, replicas: Iterable[Replica], judging: Judging | None) -> str:
    """Keep the old report in a subfolder if the new one will lack something it has: replicas (of any code or state of
    the world), measures, comparisons, judges' answers. Returns a line about it; "" if nothing is lost. Raises
    SaveError.
    """
    try:
        before = read_lab_plan(out)
    except LabFaults:  # no plan, or an unusable one
        return ""
    asked = _asked(experiment, ((r.arm, r.config) for r in replicas), judging)
    if _asked(before.experiment, before.runs, before.judging) <= asked or not (out / "report.md").exists():
        return ""
    with explain_errors(out):
        aside = next(folder for n in count(1) if not (folder := out / f"earlier-{n}").exists())
        aside.mkdir()
        for name in (*REPORTS, *(figure.file(before.experiment.name) for figure in FIGURES)):
            if (out / name).exists():
                (out / name).rename(aside / name)
    kept = f"the earlier report has more than this run, and is kept in {path_text(aside)}, its saves in {RUNS}"
    return safe(f"{kept}; it was made by `{before.command}`")  # the command may be too long to be shown whole


def _asked(experiment: Experiment, runs: Iterable[tuple[str, Config]], judging: Judging | None) -> set[object]:
    """What was asked for, as a set: replicas (of any code), measures, comparisons, and pairs of talks per judge."""
    asked: set[object] = {*experiment.metrics, *experiment.comparisons}
    asked |= {(arm, c.world, c.start, c.step, c.steps, c.settings, c.seed, c.minds, *c.own) for arm, c in runs}
    if judging is not None:
        judges = [model.name for model in read_judges(judging.judges)]
        asked |= {*product(judges, experiment.judged, range(judging.pairs))}
    return asked


def check_links(out: Path) -> None:
    """Raise LabFaults if something in the folder leads out of it, or is neither a file nor a folder."""
    with explain_errors(out):
        inside = Path(os.path.realpath(out))  # unlike `resolve`, no RuntimeError for a link to itself
        for folder in (out, out / RUNS):
            for path in sorted(folder.iterdir()) if folder.is_dir() else ():
                if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside):
                    raise lab_fault(path, "is a link that leads out of the folder; remove it")
                if path.exists() and not path.is_file() and not path.is_dir():
                    raise lab_fault(path, "is not an ordinary file; remove it")


def write(path: Path, text: str) -> None:
    """Write a file of the folder, whole or not at all. Raises SaveError."""
    with appearing(path, overwrite=True) as file:
        file.write(text)


def write_lab_plan(plan: LabPlan, out: Path) -> None:
    """Save the plan in the folder. Raises SaveError."""
    text = msgspec.json.format(msgspec.json.encode(plan, order="deterministic"), indent=1).decode()
    write(out / PLAN, f"{json_lines(text)}\n")


def read_lab_plan(out: Path) -> LabPlan:
    """Read the plan of a folder. Raises LabFaults."""
    path = out / PLAN
    if "\0" in str(out):
        raise lab_fault(out, "cannot be the name of a folder; name another")
    try:
        with read_ordinary(path) as file:
            plan = msgspec.json.decode(file.read(), type=LabPlan)
        _check(plan)
    except OSError:
        if (out / STUDY).is_file():
            raise lab_fault(out, "holds a study, whose report is report.md; name the --out of an experiment") from None
        raise lab_fault(out, f"holds no {PLAN}; name the --out of a `sandbox lab run`") from None
    except ValueError as error:
        raise lab_fault(path, f"is not the plan of an experiment ({error}); run the experiment again") from None
    check_links(out)
    return plan


def _check(plan: LabPlan) -> None:
    """Raise ValueError for a plan that this version could not have written."""
    experiment = plan.experiment
    check_experiment(experiment, plan.own)
    if not plan.runs or not {arm for arm, _ in plan.runs} <= {arm.name for arm in experiment.arms}:
        raise ValueError("it has no runs, or runs of an arm that it does not have")
    if plan.judging is not None:
        check_judges(plan.judging.judges, experiment)
        if not plan.judging.judges or not 1 <= plan.judging.pairs <= MOST_PAIRS:
            raise ValueError("it has no judges, or too few or too many pairs for them")


def check_experiment(experiment: Experiment, own: Collection[str] = ()) -> None:
    """Raise ValueError for an experiment that no file could describe. own: names of the user's measures."""
    _check_names(experiment, own)
    parse_start(experiment.start)
    if not STEP_MIN <= experiment.step <= STEP_MAX or HOUR % experiment.step:
        raise ValueError("its steps do not divide an hour")
    if not 1 <= experiment.steps <= MOST_STEPS:
        raise ValueError("it has no steps, or too many")
    read_seeds(experiment.seeds)
    if not experiment.metrics or not {*experiment.metrics, *experiment.expects} <= {*METRICS, *own}:
        raise ValueError("it has no measures, or one that does not exist")
    if experiment.beside and experiment.beside not in PAPERS:
        raise ValueError("it names a paper that does not exist")


def _check_names(experiment: Experiment, own: Collection[str]) -> None:
    """Check names: those of experiments are used in file names, those of arms in figures, tables and reports."""
    if not is_name(experiment.name):
        raise ValueError("its name cannot be the name of a file")
    arms = [arm.name for arm in experiment.arms]
    if len({*arms}) != len(arms) or not 1 <= len(arms) <= MOST_ARMS or not all(map(is_arm, arms)):
        raise ValueError("its arms have names that arms cannot have")
    compared = {x for c in (*experiment.comparisons, *experiment.judge) for x in (c.arm, c.against)}
    if not compared <= {*arms}:
        raise ValueError("it names an arm that it does not have")
    if not all(map(is_measure, own)):
        raise ValueError("its own measures have names that measures cannot have")
