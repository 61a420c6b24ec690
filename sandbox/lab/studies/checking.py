"""Checks of a study's declaration before a run, and of what a run returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from sandbox.core.faults import in_quotes, safe, unknown
from sandbox.lab.custom_minds import CustomFault, describe_function
from sandbox.lab.experiment import NAME, is_arm, is_name, lab_fault
from sandbox.lab.measuring import as_number
from sandbox.lab.studies.study import Case, Found, Study

COLUMNS = ("case", "seed", "file", "error")  # of runs.csv, before its measures


def check_study(study: Study) -> None:
    """Raise LabFaults, with a sentence for each fault, for a study that cannot be run as it is declared."""
    if found := [*_faults(study)]:
        raise lab_fault(f"study {in_quotes(study.name)}", *found)


def _faults(study: Study) -> Iterator[str]:
    if not is_name(study.name):
        yield "files are named after it, and its name is no name for them; use letters, digits and _"
    if study.first < 1 or study.seeds < 1 or study.quick < 1:
        yield "first, seeds and quick are 1 or more"
    cases, measures = [c.name for c in study.cases], [m.key for m in study.measures]
    effects = [e.key for e in study.effects]
    yield from _names("case", cases)
    yield from _names("measure", measures)
    yield from (f"measure {in_quotes(key)} has the name of a column of runs.csv" for key in measures if key in COLUMNS)
    yield from _twice("effect", effects)
    yield from _settings(study.cases)
    for e in study.effects:
        what = f"effect {in_quotes(e.key)}"
        yield from _known(what, "case", (e.case, *([e.against] if e.against else [])), cases)
        yield from _known(what, "measure", (e.measure, *([e.percent] if e.percent else [])), measures)
        if e.case == e.against:
            yield f"{what} holds case {in_quotes(e.case)} against itself; name another in `against`"
    for claim in study.claims:
        what = f"claim {in_quotes(claim.says)}"
        yield from _known(what, "effect", (claim.effect,), effects)
        if claim.sign not in (-1, 0, 1):
            yield f"{what} has the sign {claim.sign}; write 1 or -1, as the effect should have it, or 0 for none"
    for sweep in study.sweeps:
        yield from _known(f"sweep of {in_quotes(sweep.number)}", "effect", (key for _, key in sweep.points), effects)
    yield from _drawn(study, cases, measures)


def _drawn(study: Study, cases: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    yield from _names("plot", [p.name for p in study.plots], least=0)
    for plot in study.plots:
        yield from _known(f"plot {in_quotes(plot.name)}", "case", (case for _, case, _ in plot.curves), cases)
    if study.groups is not None:
        yield from _known("the tables of groups", "case", study.groups.cases, cases)
    if study.beside is not None:
        yield from _known("the table beside", "case", study.beside.cases, cases)
        yield from _known("the table beside", "measure", (key for key, _ in study.beside.columns), keys)


def _names(what: str, names: Sequence[str], least: int = 1) -> Iterator[str]:
    """Faults of names that appear in tables, on the command line and in file names."""
    if len(names) < least:
        yield f"it has no {what}"
    for name in names:
        if not is_arm(name):
            yield f"{in_quotes(str(name))} is no name for a {what}; use letters, digits and _, at most {NAME}"
    yield from _twice(what, names)


def _twice(what: str, names: Sequence[str]) -> Iterator[str]:
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield f"two {what}s have the name {in_quotes(name)}; give one of them another"


def _known(where: str, what: str, names: Iterable[str], known: Sequence[str]) -> Iterator[str]:
    yield from (f"{where}: {unknown(what, name, known)}" for name in names if name not in known)


def _settings(cases: Iterable[Case]) -> Iterator[str]:
    """Faults of settings: cases with equal settings would be the same run, and settings must be serialisable."""
    seen: dict[bytes, str] = {}
    for case in cases:
        try:
            written = msgspec.json.encode(dict(case.settings), order="sorted")
        except (TypeError, ValueError) as error:
            yield f"the settings of case {in_quotes(case.name)} cannot be kept as JSON: {error}"
            continue
        if written in seen and seen[written] != case.name:
            two = f"{in_quotes(seen[written])} and {in_quotes(case.name)}"
            yield f"cases {two} have the same settings; change one of them"
        seen.setdefault(written, case.name)


def check_run(study: Study, case: str, found: object, by: Callable[..., object]) -> Found:
    """A run's outcome with non-numbers removed, and a fault for each of these and each missing measure. by: the
    function that returned it. Raises an error if it is not a Found.
    """
    run = describe_function(by)
    if not isinstance(found, Found):
        raise CustomFault(f"{run} gave {type(found).__name__}, no Found")
    values: dict[str, float | None] = {}
    faults: dict[str, str] = {}
    for key, x in found.values.items():
        number = None if x is None else as_number(x)
        values[key] = number if isinstance(number, float) else None
        if isinstance(number, str):
            faults[key] = safe(f"{run} gave {number}")
    faults |= {m.key: f"{run} gave no {in_quotes(m.key)}" for m in study.measures if m.key not in values}
    curves: dict[str, list[float]] = {}
    for key, row in found.curves.items():
        numbers = [as_number(x) for x in row]
        odd = [x for x in numbers if isinstance(x, str)]
        curves |= {} if odd else {key: [x for x in numbers if isinstance(x, float)]}
        faults |= {f"curve {key}": safe(f"{run} gave {odd[0]}")} if odd else {}
    wanted = {key for plot in study.plots for key, of, _ in plot.curves if of == case}
    faults |= {f"curve {key}": f"{run} gave no curve {in_quotes(key)}" for key in sorted(wanted - found.curves.keys())}
    return msgspec.structs.replace(found, values=values, curves=curves, faults=faults)
