"""Studies as their files declare them: `NAME.yaml`, and `NAME_minds.yaml` for the same study with a language model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sandbox.lab.studies.study import (
    Case,
    Claim,
    Effect,
    Found,
    Groups,
    Measure,
    Minded,
    ModelPanel,
    Plot,
    Prose,
    Study,
    Sweep,
)

COUNTED = (
    Measure("answered", "questions answered", 1),
    Measure("stood_in", "questions without an answer that fits", 1),
    Measure("refused", "deeds refused by the platform", 1),
)  # of every run with minds

T = TypeVar("T")


class DeclaredStudy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `NAME.yaml` declares beside the text: fields of `Study`."""

    first: int
    seeds: int
    quick: int
    cases: tuple[Case, ...]
    measures: tuple[Measure, ...]
    effects: tuple[Effect, ...]
    claims: tuple[Claim, ...]
    sweeps: tuple[Sweep, ...] = ()
    plots: tuple[Plot, ...] = ()
    groups: Groups | None = None
    quicker: dict[str, Any] = {}


class DeclaredMinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `NAME_minds.yaml` declares beside the text. A name stands for what the study with a crowd calls so; None is
    all of that study's, and of its effects those whose cases are here.

    of, judges, names: as in `Minded`. quicker: as in `Study`, None = its own. left_out: why cases make no sense with a
    model -> these cases. claims: keys of effects; built_in_claims: those of them whose effect a formula puts there,
    whoever decides. groups: cases with a table of groups.
    """

    of: str
    cases: tuple[str | Case, ...]
    left_out: dict[str, tuple[str, ...]]
    judges: str = ""
    names: tuple[str, ...] = ()
    quicker: dict[str, Any] | None = None
    measures: tuple[str | Measure, ...] | None = None
    effects: tuple[str | Effect, ...] | None = None
    claims: tuple[str, ...] | None = None
    built_in_claims: tuple[str, ...] = ()
    plots: tuple[str | Plot, ...] | None = None
    groups: tuple[str, ...] = ()


def declared_study(name: str, run: Callable[[Case, int], Found]) -> Study:
    """The study of that name with a crowd. run: (case, seed) -> outcome."""
    told, rows = _read(name, DeclaredStudy)
    return Study(name=name, told=told, run=run, **msgspec.structs.asdict(rows))


def declared_minds(study: Study, run: Callable[[Case, int, ModelPanel], Awaitable[Found]]) -> Minded:
    """A study as a language model has it. run: (case, seed, models) -> outcome."""
    told, d = _read(f"{study.name}_minds", DeclaredMinds)
    cases = _named(d.cases, {c.name: c for c in study.cases})
    kept = {c.name for c in cases}
    effects = tuple(e for e in study.effects if {e.case, e.against} <= {*kept, ""})
    claims = [c for c in study.claims if d.claims is None or c.effect in d.claims]
    own = replace(
        study,
        told=msgspec.structs.replace(told, paper=study.told.paper),
        cases=cases,
        measures=(*_named(d.measures, {m.key: m for m in study.measures}), *COUNTED),
        effects=effects if d.effects is None else _named(d.effects, {e.key: e for e in study.effects}),
        claims=tuple(replace(c, built_in=c.effect in d.built_in_claims, built_against=False) for c in claims),
        plots=_named(d.plots, {p.name: p for p in study.plots}),
        groups=replace(study.groups, cases=d.groups) if study.groups is not None and d.groups else None,
        sweeps=(),
        beside=None,
        quicker=study.quicker if d.quicker is None else d.quicker,
    )
    why = {case: why for why, cases in d.left_out.items() for case in cases}
    return Minded(run, own, d.of, {c.name: why[c.name] for c in study.cases if c.name not in kept}, d.judges, d.names)


def _read(name: str, rest: type[T]) -> tuple[Prose, T]:
    """The text in a study's file, and all else in it."""
    whole = msgspec.yaml.decode(Path(__file__).with_name(f"{name}.yaml").read_bytes())
    lists = {key: [*_each(value)] if isinstance(value, list) else value for key, value in whole.items()}
    told = {key: lists.pop(key, ()) for key in Prose.__struct_fields__}
    return msgspec.convert(told, Prose), msgspec.convert(lists, rest)


def _each(rows: Iterable[Any]) -> Iterator[Any]:
    """The rows of a list; a row with `each` is there once for each of these words, with the word in place of {}."""
    for row in rows:
        if isinstance(row, dict) and "each" in row:
            words = row.pop("each")
            yield from (_filled(row, word) for word in words)
        else:
            yield row


def _filled(value: Any, word: str) -> Any:
    if isinstance(value, dict):
        return {key: _filled(one, word) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, word) for one in value]
    return value.replace("{}", word) if isinstance(value, str) else value


def _named(chosen: Sequence[str | T] | None, known: Mapping[str, T]) -> tuple[T, ...]:
    """These, with a name for what is known by it; None = all that are known."""
    if chosen is None:
        return tuple(known.values())
    return tuple(known[x] if isinstance(x, str) else x for x in chosen)
