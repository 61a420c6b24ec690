"""What a plan for a wanted claim is made of: its steps, its state, and the events that change it."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.events import Event
from sandbox.people.claim_model import Claim
from sandbox.people.model import Block

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Stage = Annotated[int, msgspec.Meta(ge=0, le=3)]


class GoalParameters(msgspec.Struct, frozen=True):
    """on: whether people plan for the claims that they want, and take the steps; else they ask for them at once."""

    on: bool = True


class Todo(msgspec.Struct, frozen=True, array_like=True):
    """A step as somebody means to take it. step: its name in the deck; by: which of its ways; whom: with whom, "" where
    it takes nobody.
    """

    step: str
    by: Annotated[int, msgspec.Meta(ge=0)]
    whom: str = ""


class TakenStep(msgspec.Struct, frozen=True, array_like=True):
    """A step that is taken. seq: the event that says so; t: its second."""

    seq: int
    t: int


class GoalPlan(msgspec.Struct):
    """A plan for a wanted claim. steps: all of them, those done first; seq: the event that made the plan, or another.

    busy: until when the holder takes a free hour for it, -1 while they have not.
    """

    claim: Claim
    seq: int
    steps: list[Todo] = msgspec.field(default_factory=list)
    done: list[TakenStep] = msgspec.field(default_factory=list)
    busy: int = -1

    @property
    def next(self) -> Todo | None:
        """The step that is to be taken now; None if all are."""
        return self.steps[len(self.done)] if len(self.done) < len(self.steps) else None


class GoalState(msgspec.Struct):
    """open: the plans of open pressures, by the pressure's id."""

    open: dict[str, GoalPlan] = msgspec.field(default_factory=dict)


class RestingPlans(msgspec.Struct):
    """plans: those of pressures that rest while somebody is out of town, by the pressure's id."""

    plans: dict[str, GoalPlan] = msgspec.field(default_factory=dict)


class GoalPlanned(Event, frozen=True):
    """The actor has a plan for a claim that they want, or another one since a step was shut to them.

    id: the pressure. claim: the wanted one, without an id. steps: those to be taken still; why: why it is another plan,
    a clause ("" = it is the first).
    """

    KIND: ClassVar[str] = "goal_planned"
    id: str
    claim: Claim
    steps: tuple[Todo, ...]
    why: str = ""


class GoalPursued(Event, frozen=True):
    """The actor takes a free hour for a step of a plan. block: where and until when."""

    KIND: ClassVar[str] = "goal_pursued"
    id: str
    step: str
    block: Block
    why: str


class GoalAdvanced(Event, frozen=True):
    """A step of the actor's plan is taken. whom: who helped, "" for nobody. intensity, stage: of the pressure, after.

    left: how many steps are to be taken still.
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
