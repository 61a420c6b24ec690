"""Inputs: events that come from outside the town (the player, the command line) and change how it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, Protocol

import msgspec

from sandbox.core.chance import SEED_MAX, Chance
from sandbox.core.clock import STEP_MAX, STEP_MIN
from sandbox.core.events import Event, Stamp
from sandbox.engine.scenario import Founded


class StepSet(Event, frozen=True):
    """From the next step on a step is that long, in seconds (10 to 3600)."""

    KIND: ClassVar[str] = "step_set"
    seconds: Annotated[int, msgspec.Meta(ge=STEP_MIN, le=STEP_MAX)]


class Reseeded(Event, frozen=True):
    """From here on all chance is of another seed: what is to come is open again."""

    KIND: ClassVar[str] = "reseeded"
    seed: Annotated[int, msgspec.Meta(ge=0, le=SEED_MAX)]


class HasInputs(Protocol):
    """The part of a world that inputs change. next_seconds: the length of the step after this one."""

    next_seconds: int
    chance: Chance


def step_set(w: HasInputs, e: StepSet, at: Stamp) -> None:
    w.next_seconds = e.seconds


def reseeded(w: HasInputs, e: Reseeded, at: Stamp) -> None:
    w.chance.seed = e.seed  # the mind draws from the same source


def founded(w: HasInputs, e: Founded, at: Stamp) -> None:
    """Event 1 makes the world; there is nothing left to change."""


HANDLERS: dict[type[Event], Callable[..., None]] = {StepSet: step_set, Reseeded: reseeded, Founded: founded}
