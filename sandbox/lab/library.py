"""The laboratory from a program of one's own: `from sandbox import lab`, then `lab.run(...)` (docs/lab.md)."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from os import PathLike, fspath
from pathlib import Path

from msgspec import ValidationError, convert
from msgspec.structs import replace

from sandbox.core.faults import in_quotes
from sandbox.core.places import expand_path
from sandbox.core.protocols import Mind
from sandbox.engine.scenario import Scenario
from sandbox.lab import experiment as described
from sandbox.lab.argument_checks import Arm, Rules, call, check_arguments, check_sent, of_argument
from sandbox.lab.code_digest import qualified_name
from sandbox.lab.custom_minds import CustomMinds
from sandbox.lab.experiment import (
    Comparison,
    Experiment,
    find_experiment,
    is_arm,
    is_measure,
    lab_fault,
    read_experiment,
    settings_faults,
)
from sandbox.lab.folder import archive_report, check_experiment, ready
from sandbox.lab.judge_mind import check_judges
from sandbox.lab.laboratory import Moved, run_experiment
from sandbox.lab.metrics import Decimals, Metric, Of, Range
from sandbox.lab.parallel_runs import Noted
from sandbox.lab.replica import Replica, replicas
from sandbox.lab.results import Results, failed_judges, failed_measures
from sandbox.lab.scores import PAIRS, Judging
from sandbox.lab.seeds import read_seeds, seeds_option
from sandbox.minds.spec import EMBEDDED

Asked = str | Sequence[str] | Callable[[Scenario], Mind]


def run(
    experiment: str | PathLike[str] | Experiment,
    *,
    out: str | PathLike[str],
    seeds: int | str | Iterable[int | str] | None = None,
    arms: str | Sequence[str | Arm] | None = None,
    mind: Asked = EMBEDDED,
    measures: Mapping[str, Of | Metric] | None = None,
    rules: Rules | None = None,
    executor: Executor | None = None,
    judges: str | Sequence[str] = (),
    moved: Moved = lambda what, done, of: None,
    noted: Noted = lambda said: None,
) -> Results:
    """Live, measure and report an experiment, as `sandbox lab run` does; what is whole in `out` is not lived again.

    experiment: the name of one that ships, a file, or an Experiment. out: a folder. seeds: how many, from 1 on, or
    which; as in a file. arms: names of the file's, and arms beside them. mind: as `--mind`, or what makes a mind of a
    scenario. measures: name -> what is measured of a replica, beside what the experiment names. rules: name of a
    question ("Accept") -> who answers it instead of the embedded mind's rule, from the question and a stream of chance;
    one that takes `usual` is given the rule that ships. executor: what does the work, if it is not to be done here; it
    must find functions of yours by their module. judges: as `--judge`. moved: told what is done, how much, of how much;
    noted: how far the replicas under way are, every two seconds.

    Replicas, measures and judges that failed are warned of (UserWarning) and told in the report. Raises LabFaults, a
    ValueError, for the first argument that cannot be asked for: a line, or one for each fault of a file or of an arm's
    settings; SaveError for what is wrong with the folder.
    """
    check_arguments(locals())
    if not fspath(out):
        raise lab_fault("out", "is empty; name a folder, or . for this one")
    named = None if arms is None else [arms] if isinstance(arms, str) else [*arms]
    asked = (judges,) if isinstance(judges, str) else tuple(judges)
    metrics = {name: _metric(name, measure) for name, measure in (measures or {}).items()}
    found = _described(experiment, named, seeds, metrics, asked)
    todo, folder = _replicas(found, named or (), mind, rules or {}), expand_path(fspath(out))
    if executor is not None:
        check_sent(executor, metrics, {replica.arm: replica.own for replica in todo}.values())
    judging = Judging(asked, PAIRS) if asked else None
    ready(folder, found.name)
    if kept := archive_report(folder, found, todo, judging):
        warnings.warn(kept, stacklevel=2)
    said = call(
        experiment if isinstance(experiment, Experiment) else Path(fspath(experiment)).name,
        seeds=seeds_option(found.seeds),
        arms=named,
        mind=mind if mind != EMBEDDED else None,
        measures=measures,
        rules=rules,
        judges=asked,
    )
    work = partial(run_experiment, found, todo, said, folder.resolve(), executor, moved, judging, noted, metrics)
    with ThreadPoolExecutor(1) as aside:  # for a notebook's own thread has a loop, and cannot wait for another
        made, _ = aside.submit(copy_context().run, work).result() if _looping() else work()
    failed = [f"{row.arm}, seed {row.seed} ({row.save}): {row.error}" for row in made.rows if row.error]
    for line in (*failed, *failed_measures(made), *failed_judges(made)):
        warnings.warn(line, stacklevel=2)
    return made


def _looping() -> bool:
    """Whether a loop of asyncio runs in this thread."""
    try:
        return asyncio.get_running_loop() is not None
    except RuntimeError:
        return False


def _replicas(experiment: Experiment, arms: Iterable[str | Arm], mind: Asked, rules: Rules) -> list[Replica]:
    """All replicas, with what a program brought along for them. rules: of all arms, under those of an arm's own."""
    of_arm = {arm.name: arm.rules or {} for arm in arms if isinstance(arm, Arm)}
    maker = mind if callable(mind) else None
    own = {arm.name: CustomMinds({**rules, **of_arm.get(arm.name, {})}, maker) for arm in experiment.arms}
    minds = (mind,) if isinstance(mind, str) else () if callable(mind) else tuple(mind)
    with of_argument("mind"):
        return replicas(experiment, minds or (EMBEDDED,), own)


def _described(
    experiment: str | PathLike[str] | Experiment,
    arms: Sequence[str | Arm] | None,
    seeds: int | str | Iterable[int | str] | None,
    metrics: Mapping[str, Metric],
    judges: Sequence[str],
) -> Experiment:
    """The experiment with those of its arms and those beside them, these seeds, and these measures beside its own.
    Raises LabFaults, also for judges who would have nothing to compare in it.
    """
    names = [arm for arm in arms or () if isinstance(arm, str)]
    with of_argument("arms"):
        if isinstance(experiment, Experiment):
            found = experiment
        else:
            found = read_experiment(find_experiment(fspath(experiment)), names)
        if arms is not None:
            found = found.only(names)
        found = _with_arms(found, [arm for arm in arms or () if isinstance(arm, Arm)])
    with of_argument("seeds"):
        found = replace(found, seeds=found.seeds if seeds is None else read_seeds(seeds))
    with of_argument("experiment"):
        found = replace(found, metrics=(*found.metrics, *metrics))
        check_experiment(found, metrics)
    with of_argument("judges"):
        if judges:
            check_judges(judges, found)
    return found


def _with_arms(found: Experiment, arms: Sequence[Arm]) -> Experiment:
    """The experiment with these arms beside its own, which are compared with the first of all."""
    beside: list[described.ExperimentArm] = []
    for arm in arms:
        settings = (arm.settings,) if isinstance(arm.settings, str) else tuple(arm.settings)
        if not is_arm(arm.name) or arm.name in {known.name for known in (*found.arms, *beside)}:
            mend = "is no name for another arm; use letters, digits and _, once"
            raise lab_fault("arms", f"{in_quotes(str(arm.name))} {mend}")
        if faults := settings_faults((*found.settings, *settings)):
            raise lab_fault(f"arms: {arm.name}", *faults)
        beside.append(described.ExperimentArm(arm.name, settings))
    all_arms = (*found.arms, *beside)
    if not all_arms:
        raise lab_fault("arms", "there are none; name one, or leave it out")
    more = (Comparison(arm.name, all_arms[0].name) for arm in beside if arm.name != all_arms[0].name)
    return replace(found, arms=all_arms, comparisons=(*found.comparisons, *more))


def _metric(name: str, measure: Of | Metric) -> Metric:
    if not is_measure(name):
        mend = "use letters, digits and _, and no name of one that ships or of a column of replicas.csv"
        raise lab_fault("measures", f"{in_quotes(str(name))} is no name for a measure of yours; {mend}")
    of = measure.of if isinstance(measure, Metric) else measure
    if not callable(of):
        raise lab_fault("measures", f"{name}: {type(of).__name__} is no function of a Material")
    if isinstance(measure, Metric):
        try:
            told = measure.label, measure.about, measure.decimals, measure.built_in, measure.can_be
            *_, (least, most) = convert(told, tuple[str, str, Decimals, bool, Range])
        except ValidationError as error:
            raise lab_fault("measures", f"{name}: its label, about, decimals, built_in and can_be: {error}") from None
        if not least <= most:
            raise lab_fault("measures", f"{name}: its can_be: {least} to {most} is no range; write (least, most)")
        return measure
    about = (measure.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    return Metric(name.replace("_", " "), about or f"`{qualified_name(measure)}`", measure)
