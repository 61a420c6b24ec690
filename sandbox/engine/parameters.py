"""The numbers a world may change: dotted keys, their defaults and ranges, and the tables each package reads.

Ranges stand beside the fields of each table (core/fields.py), so that whoever reads a table can rely on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.inspect import FloatType, IntType

from sandbox.core.fields import Field, fields
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


FIELDS: dict[str, Field] = {f"{g}.{name}": f for g, table in GROUPS.items() for name, f in fields(table).items()}
DEFAULTS: dict[str, Any] = {key: f.default for key, f in FIELDS.items()}
RANGES: dict[str, Range] = {  # the lowest and highest value of each number
    key: (f.type.ge, f.type.le) for key, f in FIELDS.items() if isinstance(f.type, (IntType, FloatType))
}


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
