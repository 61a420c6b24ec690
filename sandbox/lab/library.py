"""The laboratory for your own program: `from sandbox import lab`, then `lab.run(...)` (docs/lab.md)."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import ValidationError, convert
from msgspec.structs import replace

from sandbox.core.faults import in_quotes
from sandbox.core.places import expand_path
from sandbox.core.protocols import Answer, Mind
from sandbox.engine.scenario import Scenario
from sandbox.lab import experiment as described
from sandbox.lab.code_digest import qualified_name
from sandbox.lab.custom_minds import CustomMinds
from sandbox.lab.experiment import (
    HOW,
    Comparison,
    Experiment,
    find_experiment,
    is_arm,
    is_measure,
    lab_fault,
    of_argument,
    read_experiment,
    read_seeds,
    seeds_option,
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
from sandbox.minds.spec import EMBEDDED

Rules = Mapping[str, Callable[..., Answer]]


class Arm(NamedTuple):
    """An arm in addition to those of a file. settings: KEY=VALUE as for `--set`. rules: as for `run`, for this arm."""

    name: str
    settings: str | Sequence[str] = ()
    rules: Rules | None = None


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
    """Run, measure and report an experiment, as `sandbox lab run` does; complete replicas in `out` are not run again.

    Args: experiment: the name of one that ships, a file, or an Experiment. out: a folder. seeds: how many, from 1 on,
    or which, as in a file. arms: names of the file's arms, and further arms. mind: as for `--mind`, or a function
    scenario -> mind. measures: name -> measure of a replica, in addition to the experiment's. rules: name of a question
    ("Accept") -> function of the question and a random stream, instead of the embedded mind's rule, which a parameter
    `usual` receives. executor: does the work elsewhere; it must be able to import your functions. judges: as for
    `--judge`. moved: called with what is done, how much, and the total; noted: every two seconds, with the progress of
    running replicas.

    Returns the Results. Failed replicas, measures and judges give a UserWarning and are in the report. Raises
    LabFaults, a ValueError, for the first invalid argument (one line for each fault of a file or of settings),
    SaveError for the folder.
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
    with ThreadPoolExecutor(1) as aside:  # a notebook's thread has a running loop, and cannot wait for another
        made, _ = aside.submit(copy_context().run, work).result() if _looping() else work()
    failed = [f"{row.arm}, seed {row.seed} ({row.save}): {row.error}" for row in made.rows if row.error]
    for line in (*failed, *failed_measures(made), *failed_judges(made)):
        warnings.warn(line, stacklevel=2)
    return made


def _looping() -> bool:
    """Whether an asyncio loop runs in this thread."""
    try:
        return asyncio.get_running_loop() is not None
    except RuntimeError:
        return False


def _replicas(experiment: Experiment, arms: Iterable[str | Arm], mind: Asked, rules: Rules) -> list[Replica]:
    """All replicas, with supplied rules or mind. rules: of all arms; an arm's own override them."""
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
    """The experiment with the chosen and added arms, seeds and measures. Raises LabFaults, also if judges would have
    nothing to compare.
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
    """The experiment with further arms, each compared with its first arm."""
    beside: list[described.ExperimentArm] = []
    for arm in arms:
        settings = (arm.settings,) if isinstance(arm.settings, str) else tuple(arm.settings)
        if not is_arm(arm.name) or arm.name in {known.name for known in (*found.arms, *beside)}:
            mend = "is not a name for another arm; use letters, digits and _, and each name once"
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
        mend = "use letters, digits and _, but not the name of a shipped one or of a column of replicas.csv"
        raise lab_fault("measures", f"{in_quotes(str(name))} is not a name for a measure; {mend}")
    of = measure.of if isinstance(measure, Metric) else measure
    if not callable(of):
        raise lab_fault("measures", f"{name}: {type(of).__name__} is not a function of a Material")
    if isinstance(measure, Metric):
        try:
            told = measure.label, measure.about, measure.decimals, measure.built_in, measure.can_be
            *_, (least, most) = convert(told, tuple[str, str, Decimals, bool, Range])
        except ValidationError as error:
            raise lab_fault("measures", f"{name}: its label, about, decimals, built_in and can_be: {error}") from None
        if not least <= most:
            raise lab_fault("measures", f"{name}: its can_be: {least} to {most} is not a range; write (least, most)")
        return measure
    about = (measure.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    return Metric(name.replace("_", " "), about or f"`{qualified_name(measure)}`", measure)


# ---- arguments, before anything is run, and as the report writes them


class ArgumentRule(NamedTuple):
    """The types an argument may have, how to write it, and the type of its items."""

    kinds: Any
    mend: str
    each: Any = object


RULES = 'give {"Accept": a function of the question and a stream of chance}'
TAKES = {
    "experiment": ArgumentRule(str | PathLike | Experiment, "name one that ships or a file, or give an Experiment"),
    "out": ArgumentRule(str | PathLike, "name a folder"),
    "seeds": ArgumentRule(int | str | Iterable | None, HOW),
    "arms": ArgumentRule(
        Sequence | None, "give a list of names of arms, and of lab.Arm(name, settings, rules)", str | Arm
    ),
    "settings": ArgumentRule(Sequence, "write KEY=VALUE, as --set takes it", str),
    "mind": ArgumentRule(
        Sequence | Callable, "write it as --mind takes it, or give what makes a Mind of a scenario", str
    ),
    "measures": ArgumentRule(Mapping | None, 'give {"name": a function of a lab.Material}'),
    "rules": ArgumentRule(Mapping | None, RULES),
    "executor": ArgumentRule(Executor | None, "give one of concurrent.futures, or one like it"),
    "judges": ArgumentRule(Sequence, "write them as --judge takes them", str),
    "moved": ArgumentRule(Callable, "give a function of the task, how much is done, and out of how much"),
    "noted": ArgumentRule(Callable, "give a function of a text"),
}
SENT = "define it with def at the top of a file that the workers can import, or leave executor out"


def check_arguments(given: Mapping[str, Any]) -> None:
    """Raise LabFaults for an argument of `lab.run`, by its name, that has a wrong type."""
    for name, value in given.items():
        _check(name, name, value)
    for arm in given["arms"] or ():
        if isinstance(arm, Arm):
            _check("settings", f"arms: {arm.name}: settings", arm.settings)
            _check("rules", f"arms: {arm.name}: rules", arm.rules)


def _check(name: str, where: str, value: object) -> None:
    kinds, mend, each = TAKES[name]
    kind = type(value).__name__
    if not isinstance(value, kinds):
        raise lab_fault(where, f"takes no {kind}; {mend}")
    for one in value if isinstance(value, Sequence) else ():
        if not isinstance(one, each):
            raise lab_fault(where, f"takes no {kind} with {type(one).__name__} in it; {mend}")


def check_sent(executor: Executor, metrics: Mapping[str, Metric], mine: Iterable[CustomMinds]) -> None:
    """Raise LabFaults for a function that cannot be sent to the executor. Each is tried, since a thread accepts what a
    process does not, and a cluster may accept more.
    """
    given: list[tuple[str, str, object]] = [("measures", name, metric) for name, metric in metrics.items()]
    for own in mine:
        given += [("rules", name, rule) for name, rule in own.rules.items()]
        given += [("mind", qualified_name(own.mind), own.mind)] if own.mind is not None else []
    for argument, name, function in given:
        try:
            executor.submit(callable, function).result()
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise lab_fault(argument, f"{name}: cannot be sent to the executor ({why}); {SENT}") from None


def call(experiment: object, **given: object) -> str:
    """The call of `lab.run` that gives these results, without empty arguments and those that do not affect results."""
    words = [argument_text(experiment), *(f"{name}={argument_text(value)}" for name, value in given.items() if value)]
    return f"lab.run({', '.join(words)}, out=DIR)"


def argument_text(value: object) -> str:
    """A value as one would type it; functions by module and name."""
    match value:
        case Experiment():
            return f"Experiment(name={value.name!r})"
        case Arm():
            return f"lab.Arm({', '.join(map(argument_text, value if value.rules else value[:2]))})"
        case Metric():
            return argument_text(value.of)
        case Mapping():
            return f"{{{', '.join(f'{key!r}: {argument_text(one)}' for key, one in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(argument_text, value))}]"
    return qualified_name(value) if callable(value) else repr(value)
