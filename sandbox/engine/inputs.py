"""Inputs: events that come from outside the town (the player, the command line) and change how it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, Protocol

import msgspec

from sandbox.core.clock import STEP_MAX, STEP_MIN
from sandbox.core.events import Event, Stamp
from sandbox.engine.scenario import Founded


class StepSet(Event, frozen=True):
    """From the next step on a step is that long, in seconds (10 to 3600)."""

    KIND: ClassVar[str] = "step_set"
    seconds: Annotated[int, msgspec.Meta(ge=STEP_MIN, le=STEP_MAX)]


class HasSteps(Protocol):
    """The part of a world that inputs change. next_seconds: the length of the step after this one."""

    next_seconds: int


def step_set(w: HasSteps, e: StepSet, at: Stamp) -> None:
    w.next_seconds = e.seconds


def founded(w: HasSteps, e: Founded, at: Stamp) -> None:
    """Event 1 makes the world; there is nothing left to change."""


HANDLERS: dict[type[Event], Callable[..., None]] = {StepSet: step_set, Founded: founded}
