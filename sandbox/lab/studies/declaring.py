"""What studies have in common as they are declared: their words, cases and effects of a number that is turned up and
down, and the same study as a language model has it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from sandbox.core.faults import Faults
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.lab.studies.study import (
    Case,
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

SECTIONS = ("paper", "built_in", "limits")
COUNTED = (
    Measure("answered", "questions answered", 1),
    Measure("stood_in", "questions without an answer that fits", 1),
    Measure("refused", "deeds refused by the platform", 1),
)  # of every run with minds


def read_prose(name: str) -> Prose:
    """The words of the study of that name (`NAME.yaml`); one with minds has a file of its own."""
    faults = Faults()
    r = MappingReader(open_yaml(Path(__file__).with_name(f"{name}.yaml"), faults))
    sections = (r.texts(key, limit=2000) for key in SECTIONS)
    found = Prose(r.text("title"), r.text("about", limit=2000), *sections)
    r.rest()
    assert not faults.errors, faults.errors
    return found


def swept_cases(
    setting: str, about: str, values: Iterable[float], others: Mapping[str, Any] | None = None
) -> dict[float, Case]:
    """A case for each value of a setting. about: in words, with a place for the value. others: settings of all."""
    return {
        x: Case(f"{setting}_{x:g}".replace(".", "_"), about.format(x), {**(others or {}), setting: x}) for x in values
    }


def swept_effects(
    cases: Mapping[float, Case], key: str, label: str, measure: str, against: str = ""
) -> tuple[Effect, ...]:
    """The same effect in each of these cases. key, label: with a place for the value."""
    return tuple(Effect(key.format(x), label.format(x), measure, c.name, against) for x, c in cases.items())


def make_sweep(number: str, label: str, cases: Iterable[float], key: str, own: Mapping[float, str]) -> Sweep:
    """A sweep. cases: values that cases were made for; key: of their effects, with a place for the value. own: value ->
    the key of an effect of a case that stands there for itself.
    """
    return Sweep(number, label, tuple(sorted(({x: key.format(x) for x in cases} | dict(own)).items())))


def with_model(
    study: Study,
    run: Callable[[Case, int, ModelPanel], Awaitable[Found]],
    of: str,
    cases: tuple[Case, ...],
    left_out: str,
    effects: tuple[Effect, ...],
    claims: Collection[str],
    *,
    why: Mapping[str, str] | None = None,
    built_in: Collection[str] = (),
    measures: tuple[Measure, ...] = (),
    plots: tuple[Plot, ...] = (),
    groups: Groups | None = None,
    judges: str = "",
) -> Minded:
    """A study as a language model has it; its words are in `NAME_minds.yaml`. left_out: why any other case of the study
    makes no sense so; why: the same of cases for which that is something else. claims: of those of the study, the
    effects they are of; built_in: for which of them a formula puts the effect there, whoever decides. measures:
    () = those of the study.
    """
    own = replace(
        study,
        told=msgspec.structs.replace(read_prose(f"{study.name}_minds"), paper=study.told.paper),
        cases=cases,
        measures=(*(measures or study.measures), *COUNTED),
        effects=effects,
        claims=tuple(
            replace(c, built_in=c.effect in built_in, built_against=False) for c in study.claims if c.effect in claims
        ),
        plots=plots,
        groups=groups,
        sweeps=(),
        beside=None,
    )
    kept = {c.name for c in cases}
    out = {c.name: (why or {}).get(c.name, left_out) for c in study.cases if c.name not in kept}
    return Minded(run, own, of, out, judges)
