"""Occasions that were called while the town lives, beside those of its calendar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from sandbox.core.events import Event, Stamp
from sandbox.town.calendar import Calendar
from sandbox.town.plan import Occasion, arena_of


class CalledState(msgspec.Struct):
    """occasions: those that were called, the oldest first."""

    occasions: list[Occasion] = msgspec.field(default_factory=list)


class OccasionCalled(Event, frozen=True):
    """There is an occasion more: of one date, and of those who are asked to come."""

    KIND: ClassVar[str] = "occasion_called"
    occasion: Occasion


def apply_occasion(w: Any, e: OccasionCalled, at: Stamp) -> None:
    _sound(w, e.occasion)
    w.called.occasions.append(e.occasion)
    derive(w)


def derive(w: Any) -> None:
    """Set the calendar as it is with what was called."""
    w.calendar = Calendar((*w.scheduled, *w.called.occasions), w.clock)


def check_occasions(w: Any, state: CalledState, now: int) -> None:
    """Raise ValueError unless they are of this town and its people."""
    for o in state.occasions:
        _sound(w, o)


def _sound(w: Any, o: Occasion) -> None:
    if arena_of(o.where) not in w.map.areas or not {*o.who} <= w.cast.keys() or not o.on or o.decides is not None:
        raise ValueError("an occasion of another town")


HANDLERS: dict[type[Event], Callable[..., None]] = {OccasionCalled: apply_occasion}
