"""An experiment from its file to its reports: run what is missing, measure, write.

A folder holds `plan.json` (what was asked for), `runs/` (a save per replica), `report.md`, `results.json`, a CSV for
each table, the figures, and `timing.json`, the only file that differs for the same input; with judges also
`judges.jsonl` (their calls).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import msgspec
from msgspec.structs import replace

from sandbox.core.places import read_ordinary
from sandbox.core.plain import json_lines, lines
from sandbox.lab.code_digest import fingerprint
from sandbox.lab.custom_minds import error_words
from sandbox.lab.experiment import Experiment
from sandbox.lab.figures import draw_figures
from sandbox.lab.folder import CALLS, RESULTS, RUNS, TIMING, write, write_lab_plan
from sandbox.lab.judge_mind import JudgeCalls, panel, read_judges
from sandbox.lab.judging import cases, judge_cases
from sandbox.lab.material import JudgeMaterial, hear
from sandbox.lab.measuring import MOST, Measurements, measure_one
from sandbox.lab.metrics import Metric
from sandbox.lab.parallel_runs import Noted, each, run_many
from sandbox.lab.replica import Replica, ReplicaOutcome, is_complete
from sandbox.lab.report import report_markdown
from sandbox.lab.results import CustomMeasure, LabPlan, ReplicaRow, Results, gather_results
from sandbox.lab.scores import Judgements, Judging, judgements
from sandbox.lab.wording import FILES, as_csv, as_json
from sandbox.store.errors import OutOfReach
from sandbox.store.save import Save

LIBRARIES = ("networkx", "scipy", "vaderSentiment", "matplotlib")
Moved = Callable[[str, int, int], None]  # (what is being done, number done, total)


def run_experiment(
    experiment: Experiment,
    replicas: list[Replica],
    command: str,
    out: Path,
    executor: Executor | None = None,
    moved: Moved = lambda what, done, of: None,
    judging: Judging | None = None,
    noted: Noted = lambda said: None,
    own: Mapping[str, Metric] | None = None,
) -> tuple[Results, dict[str, ReplicaOutcome]]:
    """Run an experiment into a folder and write its reports. Complete replicas are not run again, and answers of judges
    are reused. own: the user's measures, by name.
    """
    began = perf_counter()
    plan = LabPlan(command, experiment, tuple((r.arm, r.config) for r in replicas), judging, _kept(own or {}))
    out.mkdir(parents=True, exist_ok=True)
    write_lab_plan(plan, out)
    configs = [r.config for r in replicas]
    outcomes = run_many(configs, out / RUNS, executor, lambda done, of: moved("living", done, of), noted,
                        {r.config.name: r.own for r in replicas})  # fmt: skip
    lived = perf_counter() - began
    ask = [m.name for m in read_judges(judging.judges)] if judging else []
    found = report(plan, out, executor, moved, {name: o.error for name, o in outcomes.items()}, ask, own)
    timing = {
        "lived_s": round(lived, 3),
        "reported_s": round(perf_counter() - began - lived, 3),
        "replicas": {name: round(o.seconds, 3) for name, o in outcomes.items() if not o.skipped},
    }
    write(out / TIMING, json.dumps(timing, indent=1) + "\n")
    return found, outcomes


def report(
    plan: LabPlan,
    out: Path,
    executor: Executor | None = None,
    moved: Moved = lambda what, done, of: None,
    errors: Mapping[str, str] | None = None,
    ask: Collection[str] = (),
    own: Mapping[str, Metric] | None = None,
) -> Results:
    """Measure the saves of a folder and write its reports. errors: config name -> why it has no save. ask: names of
    judges to ask for missing answers. own: the user's measures, by name; planned ones that are not supplied keep their
    old values.
    """
    found = _measured(plan, out, executor, moved, errors or {}, own or {})
    asked = plan.judging
    said = None if asked is None else asyncio.run(_judged(plan, asked, found, out, ask, moved))
    made = gather_results(plan, found, {name: version(name) for name in LIBRARIES}, said)
    drawn = draw_figures(made, out)
    made = replace(made, figures=tuple(drawn))
    texts = {f"{name}.csv": as_csv(table) for name, table in made.tables.items()}
    for name in {*FILES} - {*texts}:
        (out / name).unlink(missing_ok=True)
    texts |= {RESULTS: json_lines(as_json(made)), "report.md": lines(report_markdown(made))}
    for name, text in texts.items():
        write(out / name, text)
    return replace(made, figures=tuple(str(out / name) for name in drawn))


def _kept(own: Mapping[str, Metric]) -> dict[str, CustomMeasure]:
    return {
        name: CustomMeasure(
            m.label, m.about, m.decimals, fingerprint(m.of), m.built_in, (_finite(least), _finite(most))
        )
        for name, m in own.items()
        for least, most in (m.can_be,)
    }


def _finite(end: float) -> float:
    return min(max(end, -MOST), MOST)  # measures cannot lie beyond it


class _Before(msgspec.Struct):
    rows: list[ReplicaRow]


def _before(out: Path) -> dict[str, ReplicaRow]:
    """The previously reported measurements of each save of a folder; none if unreadable."""
    try:
        with read_ordinary(out / RESULTS) as file:
            return {row.save: row for row in msgspec.json.decode(file.read(), type=_Before).rows}
    except (OSError, ValueError):
        return {}


def _with(got: Measurements, row: ReplicaRow | None, absent: Mapping[str, CustomMeasure]) -> Measurements:
    """Measurements plus the old values of measures of the user that are not supplied now."""
    known = row.values if row is not None else {}
    faults = row.faults if row is not None else {}
    mend = "is a measure of the program that ran this; run that program again"
    untold = {name: f"{of.of.split()[0]} {mend}" for name, of in absent.items() if name not in known}
    kept = {name: why for name, why in faults.items() if name in absent}
    values = {name: known.get(name) for name in absent}
    return msgspec.structs.replace(got, values=got.values | values, faults=got.faults | kept | untold)


def _measured(
    plan: LabPlan,
    out: Path,
    executor: Executor | None,
    moved: Moved,
    errors: Mapping[str, str],
    own: Mapping[str, Metric],
) -> dict[str, Measurements | str]:
    """The measurements of each config, by name, or why there are none."""
    configs = {r.config.name: r.config for r in plan.replicas}
    found: dict[str, Measurements | str] = {}
    for name, config in configs.items():
        if errors.get(name):
            found[name] = errors[name]
            continue
        try:
            if not is_complete(config, out / RUNS):
                found[name] = "its save is missing or incomplete"
        except OutOfReach as error:
            found[name] = error_words(error)
    todo = sorted((name for name in configs if name not in found), key=lambda name: configs[name].seed)
    absent = {name: kept for name, kept in plan.own.items() if name not in own}
    keys = tuple(key for key in plan.experiment.metrics if key not in absent)
    paths = [(str(configs[name].save(out / RUNS)), keys, own) for name in todo]
    before = _before(out) if absent else {}
    for name, got in zip(
        todo, each(measure_one, paths, executor, lambda n: moved("measuring", n, len(todo))), strict=True
    ):
        known = before.get(configs[name].save(out).name)
        found[name] = _with(got, known, absent) if isinstance(got, Measurements) else error_words(got)
    return found


async def _judged(
    plan: LabPlan,
    asked: Judging,
    found: Mapping[str, Measurements | str],
    out: Path,
    ask: Collection[str],
    moved: Moved,
) -> Judgements:
    """Have judges score the saves that could be measured. Raises SaveError, LabFaults."""
    pairs = plan.experiment.judged
    arms = {x for pair in pairs for x in (pair.arm, pair.against)}
    heard: dict[tuple[str, int], JudgeMaterial] = {}
    for arm, config in plan.runs:
        if arm in arms and isinstance(found.get(config.name), Measurements):
            async with await Save.open(config.save(out / RUNS), read_only=True) as save:
                heard[arm, config.seed] = await hear(save)
    drawn, calls, models = cases(pairs, heard, asked.pairs), JudgeCalls(out / CALLS), read_judges(asked.judges)
    async with panel(models, calls, ask) as (scorers, together):
        said = await judge_cases(scorers, drawn, together, lambda done, of: moved("judging", done, of))
    return judgements([m.name for m in models], pairs, said, calls.of)
