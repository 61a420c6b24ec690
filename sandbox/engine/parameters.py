"""The numbers a world may change: dotted keys, their defaults, and the tables each package reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandbox.people.memory import MemoryParameters
from sandbox.people.model import PlanParameters
from sandbox.people.mood import MoodParameters
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
}


def _defaults() -> dict[str, Any]:
    out = {}
    for group, table in GROUPS.items():
        values = msgspec.structs.asdict(table())
        out.update({f"{group}.{name}": value for name, value in values.items()})
    return out


DEFAULTS: dict[str, Any] = _defaults()


def tables(changed: Mapping[str, Any]) -> dict[str, Any]:
    """The parameter tables by group, with the changed keys set. Raises msgspec.ValidationError for a wrong type."""
    out: dict[str, Any] = {}
    for group, table in GROUPS.items():
        values = {k.partition(".")[2]: v for k, v in changed.items() if k.partition(".")[0] == group}
        out[group] = msgspec.convert(values, table)
    return out
