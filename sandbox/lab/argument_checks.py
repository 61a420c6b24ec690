"""Checks of the arguments of `lab.run` before anything is run, and how the report writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from os import PathLike
from typing import Any, NamedTuple

from sandbox.core.protocols import Answer
from sandbox.engine.loading import WorldFaults
from sandbox.lab.code_digest import qualified_name
from sandbox.lab.custom_minds import CustomMinds
from sandbox.lab.experiment import Experiment, LabFaults, lab_fault
from sandbox.lab.metrics import Metric
from sandbox.lab.seeds import HOW

Rules = Mapping[str, Callable[..., Answer]]


class Arm(NamedTuple):
    """An arm in addition to those of a file. settings: KEY=VALUE as for `--set`. rules: as for `run`, for this arm."""

    name: str
    settings: str | Sequence[str] = ()
    rules: Rules | None = None


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
    "executor": ArgumentRule(Executor | None, "give one of concurrent.futures, or of its kind"),
    "judges": ArgumentRule(Sequence, "write them as --judge takes them", str),
    "moved": ArgumentRule(Callable, "give a function of what is done, how much, of how much"),
    "noted": ArgumentRule(Callable, "give a function of a text"),
}
SENT = "define it with def at the top of a file that those who do the work can import, or leave executor out"


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


@contextmanager
def of_argument(name: str) -> Iterator[None]:
    """Convert faults raised inside to LabFaults of this argument, unless they have a place in a file."""
    try:
        yield
    except WorldFaults as error:
        raise LabFaults([f._replace(file=name) if f.file.startswith("--") else f for f in error.faults]) from None
    except ValueError as error:
        raise lab_fault(name, str(error)) from None


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
