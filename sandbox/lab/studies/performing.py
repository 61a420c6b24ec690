"""A study from its cases to its report: run what is missing, sum up, write.

A folder holds `runs/` (a JSON file for each run, named by a digest of all that decides it), `report.md`,
`results.json`, `runs.csv`, the figures, and with models their calls. The same input gives the same files; models'
answers count as input.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from sandbox.core.faults import safe, unknown
from sandbox.core.plain import json_lines, lines
from sandbox.lab.code_digest import code, fingerprint, module_digest
from sandbox.lab.custom_minds import error_words
from sandbox.lab.experiment import lab_fault, of_argument, read_seeds
from sandbox.lab.folder import ELSE, RESULTS, RUNS, STUDY, check_free, make_folder, write
from sandbox.lab.parallel_runs import each
from sandbox.lab.studies.minds import CALLS, Silent, StudyModels, ask_all, collect_answers
from sandbox.lab.studies.reporting import figure_files, figures, study_markdown
from sandbox.lab.studies.study import Found, Study
from sandbox.lab.studies.study_results import COLUMNS, Report, StudyRun, check_run, check_study, study_report
from sandbox.lab.wording import as_csv, column_table
from sandbox.store.errors import explain_errors
from sandbox.store.session import versions

REPORT, RUNS_CSV = "report.md", "runs.csv"


def perform(
    study: Study,
    seeds: Sequence[int],
    cases: Sequence[str],
    command: str,
    out: Path,
    executor: Executor | None = None,
    moved: Callable[[int, int], None] = lambda done, of: None,
    given: Mapping[str, Any] | None = None,
    by: StudyModels | None = None,
    noted: Callable[[str], None] = lambda said: None,
    force: bool = False,
) -> Report:
    """Run cases of a study with these seeds into a folder, and write its report; existing runs are reused.

    Args: cases: names, () = all. command: for the report. moved: called with runs done, and total. given: settings that
    override each case's own. by: the models, run in this process; None = a crowd. noted: called with the progress.
    force: overwrite files in the folder that belong to no run of this study.

    Returns the report. A run that fails, or lacks a measure, is reported and affects no other. Raises LabFaults for
    faults of the study, cases, seeds or folder, before anything is run; SaveError if the folder cannot be written.
    """
    if by is not None:
        study = study.with_minds()
    check_study(study)
    names = _names(study, cases)
    with of_argument("seeds"):
        seeds = read_seeds(seeds)
    _ready(out, study, force)
    decided = f"{code()} {module_digest(__name__)} {_made_by(_runner(study, by))} {fingerprint(_runner(study, by))}"
    given = given or {}
    wanted = [(name, seed, _file(study, name, seed, decided, given, by)) for name in names for seed in seeds]
    runs = {file: run for name, seed, file in wanted if (run := _read(out / RUNS / file, name, seed)) is not None}
    todo = sorted((row for row in wanted if row[2] not in runs), key=lambda row: row[1])  # by seed
    before = len(wanted) - len(todo)
    moved(before, len(wanted))
    work = [(study, name, seed, str(out / RUNS / file), given) for name, seed, file in todo]

    def ran(n: int) -> None:
        moved(before + n, len(wanted))

    asked = None if by is None else ask_all(study, by, work, out, ran, noted)
    made = each(run_case, work, executor, ran) if asked is None else asyncio.run(asked)
    for (name, seed, file), found in zip(todo, made, strict=True):
        if isinstance(found, Exception):
            why = str(found) if isinstance(found, Silent) else error_words(found)
            runs[file] = StudyRun(name, seed, file, error=why)
        else:
            runs[file] = StudyRun(name, seed, file, found)
    lived = tuple(runs[file] for *_, file in wanted)
    told = None if by is None else collect_answers(study, by, lived, out)
    report = study_report(study, command, seeds, lived, told, "curve" in given)
    report = msgspec.structs.replace(report, code=_made_by(_runner(study, by)))
    texts = {RESULTS: json_lines(_json(report)), RUNS_CSV: _csv(study, report)}
    drawn = figures(study, report)
    for name, text in (texts | drawn).items():
        write(out / name, text)
    write(out / REPORT, lines(study_markdown(study, report, drawn)))
    return report


def _names(study: Study, cases: Sequence[str]) -> list[str]:
    """The names of these cases (none given: all), in the study's order. Raises LabFaults for an unknown one."""
    known = [case.name for case in study.cases]
    for name in cases:
        if name not in known:
            raise lab_fault("cases", unknown("case", name, known))
    return [name for name in known if not cases or name in cases]


def run_case(study: Study, case: str, seed: int, file: str, given: Mapping[str, Any]) -> Found:
    """Run a case with a seed, and save the outcome in `file`."""
    own = study.case(case)
    found = check_run(study, case, study.run(replace(own, settings={**own.settings, **given}), seed), study.run)
    write(Path(file), msgspec.json.encode(found).decode() + "\n")
    return found


def _runner(study: Study, by: StudyModels | None) -> Callable[..., object]:
    return study.run if by is None or study.minds is None else study.minds.run


def _made_by(runner: Callable[..., object]) -> str:
    """A digest of everything that decides what a runner does, for the package's code or the user's."""
    return module_digest(runner.__module__) or fingerprint(runner).rpartition(" ")[2]


def _ready(out: Path, study: Study, force: bool) -> None:
    """Create or reuse the folder for that study. Raises LabFaults if it holds something else (unless force)."""
    make_folder(out, lambda: None if force else _check_own(out, study))
    with explain_errors(out):
        (out / RUNS).mkdir(exist_ok=True)
    write(out / STUDY, f"{study.name}\n")


def _check_own(out: Path, study: Study) -> None:
    known = ""
    with suppress(OSError, UnicodeDecodeError):
        known = (out / STUDY).read_text(encoding="utf-8").strip()
    if known == study.name:
        return
    if known:
        raise lab_fault(out, f"holds another study, {safe(known, 60)}; {ELSE}")
    check_free(out, (STUDY, REPORT, RESULTS, RUNS_CSV, CALLS, *figure_files(study)), "study")


def _file(study: Study, case: str, seed: int, decided: str, given: Mapping[str, Any], by: StudyModels | None) -> str:
    """The name of a run's file: twenty hex digits for everything that decides it."""
    all_of = [study.name, case, {**study.case(case).settings, **given}, seed, decided, versions()]
    whole = msgspec.json.encode(all_of if by is None else [*all_of, by.decides], order="sorted")
    return f"{hashlib.sha256(whole).hexdigest()[:20]}.json"


def _read(path: Path, case: str, seed: int) -> StudyRun | None:
    """A stored run; None if missing or incomplete."""
    try:
        return StudyRun(case, seed, path.name, msgspec.json.decode(path.read_bytes(), type=Found))
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


# ---- writing


def _json(report: Report) -> str:
    return msgspec.json.format(msgspec.json.encode(report, order="deterministic"), indent=1).decode() + "\n"


def _csv(study: Study, report: Report) -> str:
    keys = [m.key for m in study.measures]
    values = [run.found.values if run.found is not None else {} for run in report.runs]
    rows = (
        (run.case, run.seed, run.file, run.error, *(own.get(key) for key in keys))
        for run, own in zip(report.runs, values, strict=True)
    )
    return as_csv(column_table((*COLUMNS, *keys), rows))
