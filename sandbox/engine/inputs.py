"""How a town runs, as it can be changed from outside: the commands, and the events they become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, ClassVar, Protocol

import msgspec

from sandbox.core.chance import SEED_MAX, Chance
from sandbox.core.clock import STEP_MAX, STEP_MIN
from sandbox.core.domain import Act, Command, Rule
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


class SetStep(Command, frozen=True):
    """Let a step last that long, in seconds, from the step after the next on."""

    seconds: int


class Reseed(Command, frozen=True):
    """Let all chance be of another seed from the next step on."""

    seed: int


def set_step(w: HasInputs, c: SetStep) -> Sequence[Act]:
    if not STEP_MIN <= c.seconds <= STEP_MAX:
        raise ValueError(f"a step lasts {STEP_MIN} to {STEP_MAX} seconds, not {c.seconds}")
    return (Act(StepSet(c.seconds)),)


def reseed(w: HasInputs, c: Reseed) -> Sequence[Act]:
    if not 0 <= c.seed <= SEED_MAX:
        raise ValueError(f"a seed is 0 to {SEED_MAX}, not {c.seed}")
    return (Act(Reseeded(c.seed)),)


COMMANDS: dict[type[Command], Rule] = {SetStep: set_step, Reseed: reseed}
HANDLERS: dict[type[Event], Callable[..., None]] = {StepSet: step_set, Reseeded: reseeded, Founded: founded}
