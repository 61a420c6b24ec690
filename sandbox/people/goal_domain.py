"""Registers goals, people's plans for the claims they want, as a domain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandbox.core.domain import Domain, ParameterTable, State
from sandbox.people.goal_handlers import HANDLERS
from sandbox.people.goal_model import GoalParameters, GoalPlan, GoalState, RestingPlans


def _check(w: Any, state: GoalState, now: int) -> None:
    _sound(w, state.open.values())


def _check_resting(w: Any, state: RestingPlans, now: int) -> None:
    _sound(w, state.plans.values())


def _sound(w: Any, plans: Iterable[GoalPlan]) -> None:
    """Raise ValueError unless plans name people, steps and kinds of claim of this world."""
    for plan in plans:
        strange = {*plan.claim.people, *(x.whom for x in plan.steps if x.whom)} - w.cast.keys()
        known = all(x.step in w.drama.steps and x.by < max(1, len(w.drama.steps[x.step].by)) for x in plan.steps)
        if strange or not known or plan.claim.kind not in w.claim_deck.kinds:
            raise ValueError("other plans")
        if len(plan.done) > len(plan.steps):
            raise ValueError("more steps are taken than there are")


GOALS = Domain(
    "goals",
    states=(
        State("goals", GoalState, lambda w: GoalState(), _check, later=True),
        State("resting_plans", RestingPlans, lambda w: RestingPlans(), _check_resting, later=True),
    ),
    tables=(ParameterTable("goals", "goal_parameters", GoalParameters),),
    handlers=HANDLERS,
)
