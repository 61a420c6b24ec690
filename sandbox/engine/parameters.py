"""The numbers a world may change: dotted keys, their defaults and ranges, and the tables each package reads.

Ranges stand beside the fields of each table (core/fields.py), so that whoever reads a table can rely on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.inspect import FloatType, IntType

from sandbox.core.fields import Field, fields
from sandbox.engine.registry import REGISTRY

GROUPS: dict[str, type[msgspec.Struct]] = {table.group: table.type for table in REGISTRY.tables}
Range = tuple[float | None, float | None]


FIELDS: dict[str, Field] = {f"{g}.{name}": f for g, table in GROUPS.items() for name, f in fields(table).items()}
DEFAULTS: dict[str, Any] = {key: f.default for key, f in FIELDS.items()}
RANGES: dict[str, Range] = {  # the lowest and highest value of each number
    key: (f.type.ge, f.type.le) for key, f in FIELDS.items() if isinstance(f.type, (IntType, FloatType))
}


def tables(changed: Mapping[str, Any], groups: Mapping[str, type[msgspec.Struct]] = GROUPS) -> dict[str, Any]:
    """The parameter tables by group, with the changed keys set.

    Raises ValueError for an unknown key, and for a value of a wrong type or out of its range.
    """
    out: dict[str, Any] = {}
    for key in changed:
        group, _, name = key.partition(".")
        if group not in groups or name not in groups[group].__struct_fields__:
            raise ValueError(f'there is no parameter "{key}"')
    for group, table in groups.items():
        values = {k.partition(".")[2]: v for k, v in changed.items() if k.partition(".")[0] == group}
        try:
            out[group] = msgspec.convert(values, table)
        except msgspec.ValidationError as error:
            raise ValueError(f"parameter {group}: {error}") from None
    return out
