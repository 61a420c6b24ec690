"""Data of plans for wanted claims: the steps, the state, and the events that change it."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.events import Event
from sandbox.people.claim_model import Claim
from sandbox.people.model import Block

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Stage = Annotated[int, msgspec.Meta(ge=0, le=3)]


class GoalParameters(msgspec.Struct, frozen=True):
    """on: whether people plan steps towards the claims they want; if not, they ask for them at once."""

    on: bool = True


class Todo(msgspec.Struct, frozen=True, array_like=True):
    """A planned step. step: its name in the deck; by: index of the way to take it; whom: the person it needs, or ""."""

    step: str
    by: Annotated[int, msgspec.Meta(ge=0)]
    whom: str = ""


class TakenStep(msgspec.Struct, frozen=True, array_like=True):
    """A step that was taken. seq: number of the event; t: its second."""

    seq: int
    t: int


class GoalPlan(msgspec.Struct):
    """A plan for a wanted claim. steps: all of them, those done first; done: records of the steps taken; seq: the event
    that last made or changed the plan. busy: second until which the holder spends a free hour on it, -1 for none.
    """

    claim: Claim
    seq: int
    steps: list[Todo] = msgspec.field(default_factory=list)
    done: list[TakenStep] = msgspec.field(default_factory=list)
    busy: int = -1

    @property
    def next(self) -> Todo | None:
        """The next step to take; None if all are taken."""
        return self.steps[len(self.done)] if len(self.done) < len(self.steps) else None


class GoalState(msgspec.Struct):
    """open: pressure id -> its plan, for open pressures."""

    open: dict[str, GoalPlan] = msgspec.field(default_factory=dict)


class RestingPlans(msgspec.Struct):
    """plans: pressure id -> its plan, for pressures that rest while somebody is out of town."""

    plans: dict[str, GoalPlan] = msgspec.field(default_factory=dict)


class GoalPlanned(Event, frozen=True):
    """The actor makes a plan for a claim they want, or a new one because a step had become impossible.

    id: the pressure. claim: the wanted one, without an id. steps: those still to be taken; why: the reason for a new
    plan, a clause ("" = it is the first).
    """

    KIND: ClassVar[str] = "goal_planned"
    id: str
    claim: Claim
    steps: tuple[Todo, ...]
    why: str = ""


class GoalPursued(Event, frozen=True):
    """The actor spends a free hour on a step of a plan. block: where and until when."""

    KIND: ClassVar[str] = "goal_pursued"
    id: str
    step: str
    block: Block
    why: str


class GoalAdvanced(Event, frozen=True):
    """A step of the actor's plan was taken. whom: who helped, "" for nobody. intensity, stage: the pressure's new ones.

    left: number of steps still to be taken.
    """

    KIND: ClassVar[str] = "goal_advanced"
    id: str
    step: str
    whom: str
    intensity: Share
    stage: Stage
    left: int

    def touches(self) -> tuple[str, ...]:
        return (self.whom,) if self.whom else ()
