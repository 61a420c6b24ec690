"""Events: the only way the state changes, and the truth of a save.

An event type is a frozen struct with a `KIND` (the name in the log) and a `VERSION`. What is common to all (its number,
step, second, actor and causes) is the `Stamp`; stamp and event together are a `Record`, a row of the log.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, NamedTuple

import msgspec


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Base of all events. Numbers in an event are finite and rounded to 6 decimals (`r6`)."""

    KIND: ClassVar[str]
    VERSION: ClassVar[int] = 1

    def touches(self) -> tuple[str, ...]:
        """The persons it concerns beside its actor: their seconds do not fall either."""
        return ()


class Stamp(NamedTuple):
    """What a handler may know of an event beside its content.

    seq: number in the log, from 1. step: the engine's step, 0 for the founding. t: simulated seconds since the world's
    start. actor: a person's id, or "" for the town itself. causes: numbers of earlier events.
    """

    seq: int
    step: int
    t: int
    actor: str
    causes: tuple[int, ...]


class Record(NamedTuple):
    """One row of the log, decoded."""

    stamp: Stamp
    event: Event


class BadNumber(ValueError):
    """An event holds a number that is not finite or has more than six decimals: a fault of the emitter."""


def r6(x: float) -> float:
    """Round to the six decimals events may carry; minus zero becomes zero."""
    return round(x, 6) + 0.0


def check(event: Event) -> None:
    """Raise BadNumber if the event holds a number it may not."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if not isinstance(value, (str, int)):
            _check(value, event.KIND)


def _check(value: Any, kind: str) -> None:
    of = type(value)
    if of is str or of is int:  # most of what there is
        return
    if isinstance(value, float):
        if not math.isfinite(value) or round(value, 6) != value:
            raise BadNumber(f"event {kind}: {value!r} is not a finite number of at most six decimals")
    elif isinstance(value, (tuple, list)):
        for v in value:
            _check(v, kind)
    elif isinstance(value, dict):
        for v in value.values():
            _check(v, kind)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            _check(getattr(value, name), kind)
