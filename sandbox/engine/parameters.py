"""The numbers a world may change: dotted keys, their defaults and ranges, and the tables each package reads.

Ranges stand beside the fields of each table (`msgspec.Meta`), so that whoever reads a table can rely on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.inspect import FloatType, IntType, StructType, type_info

from sandbox.people.beliefs import BeliefParameters
from sandbox.people.memory import MemoryParameters
from sandbox.people.model import PlanParameters
from sandbox.people.mood import MoodParameters
from sandbox.people.needs import NeedParameters
from sandbox.people.pressures.model import PressureParameters
from sandbox.people.ties import TieParameters
from sandbox.talk.model import TalkParameters
from sandbox.town.model import TownParameters

GROUPS: dict[str, type[msgspec.Struct]] = {
    "town": TownParameters,
    "mood": MoodParameters,
    "ties": TieParameters,
    "memory": MemoryParameters,
    "plan": PlanParameters,
    "talk": TalkParameters,
    "pressures": PressureParameters,
    "needs": NeedParameters,
    "beliefs": BeliefParameters,
}
Range = tuple[float | None, float | None]


def _defaults() -> dict[str, Any]:
    out = {}
    for group, table in GROUPS.items():
        values = msgspec.structs.asdict(table())
        out.update({f"{group}.{name}": value for name, value in values.items()})
    return out


def _ranges() -> dict[str, Range]:
    out: dict[str, Range] = {}
    for group, table in GROUPS.items():
        info = type_info(table)
        assert isinstance(info, StructType)
        for field in info.fields:
            if isinstance(field.type, (IntType, FloatType)):
                out[f"{group}.{field.name}"] = (field.type.ge, field.type.le)
    return out


DEFAULTS: dict[str, Any] = _defaults()
RANGES: dict[str, Range] = _ranges()  # the lowest and highest value of each number


def tables(changed: Mapping[str, Any]) -> dict[str, Any]:
    """The parameter tables by group, with the changed keys set.

    Raises ValueError for an unknown key, and for a value of a wrong type or out of its range.
    """
    out: dict[str, Any] = {}
    for key in changed:
        if key not in DEFAULTS:
            raise ValueError(f'there is no parameter "{key}"')
    for group, table in GROUPS.items():
        values = {k.partition(".")[2]: v for k, v in changed.items() if k.partition(".")[0] == group}
        try:
            out[group] = msgspec.convert(values, table)
        except msgspec.ValidationError as error:
            raise ValueError(f"parameter {group}: {error}") from None
    return out
