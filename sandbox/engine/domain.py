"""Running a town as a domain: its founding, changes from outside (commands and their events), and a record of where the
embedded mind answered for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Protocol

import msgspec

from sandbox.core.chance import SEED_MAX, Chance
from sandbox.core.clock import STEP_MAX, STEP_MIN
from sandbox.core.domain import Command, CommandEvent, Domain
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.scenario import Founded
from sandbox.people.model import Cut, Planned, Reflected
from sandbox.talk.model import Declined, Exchanged, Opened


class StepSet(Event, frozen=True):
    """From the next step on a step lasts `seconds` (10 to 3600)."""

    KIND: ClassVar[str] = "step_set"
    BY_HAND: ClassVar[bool] = True
    seconds: Annotated[int, msgspec.Meta(ge=STEP_MIN, le=STEP_MAX)]


class Reseeded(Event, frozen=True):
    """From here on all chance comes from another seed, so that the future differs."""

    KIND: ClassVar[str] = "reseeded"
    BY_HAND: ClassVar[bool] = True
    seed: Annotated[int, msgspec.Meta(ge=0, le=SEED_MAX)]


class StandIn(msgspec.Struct, frozen=True, array_like=True):
    """An answer of the embedded mind in place of another's. question: its type; fault: why."""

    question: str
    fault: str


class StoodIn(Event, frozen=True):
    """In this step the embedded mind answered for the actor's own mind, which failed; the reasons are kept here."""

    KIND: ClassVar[str] = "stood_in"
    answers: tuple[StandIn, ...]


DECIDED = (Planned, Cut, Reflected, Opened, Exchanged, Declined)  # events that follow from an answer of their actor


def note_stand_in(faults: dict[str, str], record: Record) -> None:
    """Keep `faults` up to date: person -> why the embedded mind last answered for them. Whoever's own mind has answered
    since is removed. StoodIn is the last event of a step, so it wins over the decisions of that step.
    """
    at, e = record
    if isinstance(e, StoodIn) and e.answers:
        faults[at.actor] = e.answers[-1].fault
    elif isinstance(e, DECIDED):
        faults.pop(at.actor, None)


class SetStep(Command, frozen=True):
    """Set the length of a step in seconds, from the step after the next on."""

    seconds: int


class Reseed(Command, frozen=True):
    """Take all chance from another seed from the next step on."""

    seed: int


class HasInputs(Protocol):
    """The part of a world that these commands change. next_seconds: length of the step after this one."""

    next_seconds: int
    chance: Chance


def _step_set(w: HasInputs, e: StepSet, stamp: Stamp) -> None:
    w.next_seconds = e.seconds


def _reseeded(w: HasInputs, e: Reseeded, stamp: Stamp) -> None:
    w.chance.seed = e.seed  # the mind draws from the same source


def _nothing(w: Any, e: Event, stamp: Stamp) -> None:
    """No change: Founded has made the world already, and answers of the embedded mind have their own events."""


def _set_step(w: HasInputs, c: SetStep) -> Sequence[CommandEvent]:
    if not STEP_MIN <= c.seconds <= STEP_MAX:
        raise ValueError(f"a step lasts {STEP_MIN} to {STEP_MAX} seconds, not {c.seconds}")
    return (CommandEvent(StepSet(c.seconds)),)


def _reseed(w: HasInputs, c: Reseed) -> Sequence[CommandEvent]:
    if not 0 <= c.seed <= SEED_MAX:
        raise ValueError(f"a seed is 0 to {SEED_MAX}, not {c.seed}")
    return (CommandEvent(Reseeded(c.seed)),)


RUNNING = Domain(
    "running",
    handlers={StepSet: _step_set, Reseeded: _reseeded, Founded: _nothing, StoodIn: _nothing},
    commands={SetStep: _set_step, Reseed: _reseed},
    again={
        StepSet: lambda e, at: SetStep(by=at.actor, seconds=e.seconds),
        Reseeded: lambda e, at: Reseed(by=at.actor, seed=e.seed),
    },
)
