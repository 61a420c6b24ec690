"""The numbers a world may change: dotted keys, their defaults and ranges, and the tables each package reads.

Ranges stand beside the fields of each table (`msgspec.Meta`), so that whoever reads a table can rely on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.inspect import FloatType, IntType, StructType, type_info

from sandbox.engine.registry import REGISTRY

GROUPS: dict[str, type[msgspec.Struct]] = {table.group: table.type for table in REGISTRY.tables}
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
