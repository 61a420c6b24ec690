"""The defaults of all numbers that a world may change, and their ranges, by key."""

from __future__ import annotations

from typing import Any

from msgspec.inspect import FloatType, IntType

from sandbox.engine.registry import REGISTRY

DEFAULTS: dict[str, Any] = {key: f.default for key, f in REGISTRY.parameters.items()}
RANGES: dict[str, tuple[float | None, float | None]] = {
    key: (f.type.ge, f.type.le) for key, f in REGISTRY.parameters.items() if isinstance(f.type, (IntType, FloatType))
}
