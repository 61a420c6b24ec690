"""The laboratory from a program of one's own: `from sandbox import lab`, then `lab.run(...)` (docs/lab.md)."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from os import PathLike, fspath
from typing import NamedTuple

from msgspec import ValidationError, convert
from msgspec.structs import replace

from sandbox.core.faults import Fault, quoted
from sandbox.core.places import typed
from sandbox.core.protocols import Answer, Mind
from sandbox.engine.scenario import Scenario
from sandbox.lab import experiment as described
from sandbox.lab.experiment import (
    Comparison,
    Experiment,
    LabFaults,
    find_experiment,
    is_arm,
    is_measure,
    read_experiment,
    settings_faults,
)
from sandbox.lab.folder import check_experiment, ready
from sandbox.lab.judge_mind import read_judges
from sandbox.lab.laboratory import Moved, perform
from sandbox.lab.many import Noted
from sandbox.lab.metrics import Decimals, Metric, Of
from sandbox.lab.own import Own
from sandbox.lab.replica import replicas
from sandbox.lab.results import Results, unheard, unmeasured
from sandbox.lab.scores import PAIRS, Judging
from sandbox.lab.seeds import HOW, read_seeds, seeds_written
from sandbox.lab.source import told
from sandbox.minds.spec import EMBEDDED

Asked = str | Sequence[str] | Callable[[Scenario], Mind]
Rules = Mapping[str, Callable[..., Answer]]


class Arm(NamedTuple):
    """An arm beside those of a file. settings: KEY=VALUE as `--set` takes them. rules: as those of `run`."""

    name: str
    settings: Sequence[str] = ()
    rules: Rules = {}


def run(
    experiment: str | PathLike[str] | Experiment,
    *,
    out: str | PathLike[str],
    seeds: int | str | Iterable[int | str] | None = None,
    arms: str | Iterable[str | Arm] | None = None,
    mind: Asked = EMBEDDED,
    measures: Mapping[str, Of | Metric] | None = None,
    rules: Rules | None = None,
    executor: Executor | None = None,
    judges: Sequence[str] = (),
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
    ValueError that names each fault of what was asked for; SaveError for what is wrong with the folder.
    """
    named = None if arms is None else [arms] if isinstance(arms, str) else [*arms]
    found = _described(experiment, named)
    if seeds is not None:
        found = replace(found, seeds=_seeds(seeds))
    metrics = {name: _metric(name, measure) for name, measure in (measures or {}).items()}
    found = replace(found, metrics=(*found.metrics, *metrics))
    try:
        check_experiment(found, metrics)
    except ValueError as error:
        raise _fault("experiment", str(error)) from None
    judging = Judging((judges,) if isinstance(judges, str) else tuple(judges), PAIRS) if judges else None
    if judging is not None and read_judges(judging.judges) and not found.judged:
        raise _fault("judges", f"{found.title} compares no two arms that could be judged")
    minds = (mind,) if isinstance(mind, str) else (EMBEDDED,) if callable(mind) else tuple(mind)
    beside = {arm.name: arm.rules for arm in named or () if not isinstance(arm, str)}
    mine = {
        arm.name: Own({**(rules or {}), **beside.get(arm.name, {})}, mind if callable(mind) else None)
        for arm in found.arms
    }
    todo, folder = replicas(found, minds, mine), typed(fspath(out))
    ready(folder, found.name)
    said = f"lab.run({found.name!r}, seeds={seeds_written(found.seeds)!r}, out=DIR)"
    work = partial(perform, found, todo, said, folder.resolve(), executor, moved, judging, noted, metrics)
    with ThreadPoolExecutor(1) as aside:  # for a notebook's own thread has a loop, and cannot wait for another
        made, _ = aside.submit(copy_context().run, work).result() if _looping() else work()
    failed = [f"{row.arm}, seed {row.seed} ({row.save}): {row.error}" for row in made.rows if row.error]
    for line in (*failed, *unmeasured(made), *unheard(made)):
        warnings.warn(line, stacklevel=2)
    return made


def _looping() -> bool:
    """Whether a loop of asyncio runs in this thread."""
    try:
        return asyncio.get_running_loop() is not None
    except RuntimeError:
        return False


def _described(experiment: str | PathLike[str] | Experiment, arms: Sequence[str | Arm] | None) -> Experiment:
    """The experiment with those of its arms, and those beside them, which are compared with the first of all."""
    names = [arm for arm in arms or () if isinstance(arm, str)]
    if isinstance(experiment, Experiment):
        found = experiment
    else:
        found = read_experiment(find_experiment(fspath(experiment)), names)
    if arms is not None:
        found = found.only(names)
    beside = [arm for arm in arms or () if not isinstance(arm, str)]
    known = {arm.name for arm in found.arms}
    for arm in beside:
        if not is_arm(arm.name) or arm.name in known:
            raise _fault("arms", f"{quoted(arm.name)} is no name for another arm; use letters, digits and _, once")
        known.add(arm.name)
        for fault in settings_faults((*found.settings, *arm.settings)):
            raise _fault(f"arms: {arm.name}", fault)
    all_arms = (*found.arms, *(described.Arm(arm.name, tuple(arm.settings)) for arm in beside))
    if not all_arms:
        raise _fault("arms", "there are none; name one, or leave it out")
    more = (Comparison(arm.name, all_arms[0].name) for arm in beside if arm.name != all_arms[0].name)
    return replace(found, arms=all_arms, comparisons=(*found.comparisons, *more))


def _seeds(seeds: int | str | Iterable[int | str]) -> tuple[int, ...]:
    try:
        return read_seeds(seeds)
    except TypeError:
        raise _fault("seeds", f"{quoted(str(seeds))} are no seeds; {HOW}") from None
    except ValueError as error:
        raise _fault("seeds", str(error)) from None


def _metric(name: str, measure: Of | Metric) -> Metric:
    if not is_measure(name):
        mend = "use letters, digits and _, and no name of one that ships or of a column of replicas.csv"
        raise _fault("measures", f"{quoted(str(name))} is no name for a measure of yours; {mend}")
    of = measure.of if isinstance(measure, Metric) else measure
    if not callable(of):
        raise _fault("measures", f"{name}: {type(of).__name__} is no function of a Material")
    if isinstance(measure, Metric):
        try:
            convert((measure.label, measure.about, measure.decimals), tuple[str, str, Decimals])
        except ValidationError as error:
            raise _fault("measures", f"{name}: its label, about and decimals: {error}") from None
        return measure
    about = (measure.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    return Metric(name.replace("_", " "), about or f"`{told(measure).split()[0]}`", measure)


def _fault(where: str, message: str) -> LabFaults:
    return LabFaults([Fault(where, 0, 0, message)])
