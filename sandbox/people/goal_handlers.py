"""How events change plans, and the ways a plan leaves open: while a step is to be taken, only that step presses."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Stamp
from sandbox.people.claim_handlers import HasClaims
from sandbox.people.claim_model import StepMeans
from sandbox.people.goal_model import (
    GoalAdvanced,
    GoalParameters,
    GoalPlan,
    GoalPlanned,
    GoalPursued,
    GoalState,
    RestingPlans,
    TakenStep,
    Todo,
)
from sandbox.people.guest_handlers import Came, Left
from sandbox.people.handlers import divert
from sandbox.people.played import is_played
from sandbox.people.pressure_deck import Effect, PressureWay, ways_of
from sandbox.people.pressure_handlers import check_residents
from sandbox.people.pressure_model import ActivePressure, Ended
from sandbox.people.pressure_rules import NEAR, HasResting

WEIGHT, EVERY = 2.6, 4 * HOUR  # weight of a step as a PressureWay, and seconds between attempts
HELPED, TURNED_AWAY = 0.06, -0.05  # change of feeling towards somebody who helped, or refused
NEARER, LOWER = 0.08, -0.03  # change of the pressure's intensity when a step is taken, or refused
SUPPORT = 2  # stage at which what is wanted may be asked for: all steps are taken


class HasGoals(HasResting, HasClaims):
    """The part of a world that this package's handlers and rules touch."""

    goals: GoalState
    resting_plans: RestingPlans
    goal_parameters: GoalParameters


def planned(w: HasGoals, e: GoalPlanned, stamp: Stamp) -> None:
    check_residents(w, e.claim.a, e.claim.b, *(x.whom for x in e.steps))
    if not all(x.by < max(1, len(w.drama.steps[x.step].by)) for x in e.steps):
        raise ValueError("there is no such way")
    w.pressures.open[e.id].last = stamp.seq
    plan = w.goals.open.setdefault(e.id, GoalPlan(e.claim, stamp.seq))
    plan.steps, plan.seq, plan.busy = [*plan.steps[: len(plan.done)], *e.steps], stamp.seq, -1


def pursued(w: HasGoals, e: GoalPursued, stamp: Stamp) -> None:
    divert(w, stamp.actor, e.block, e.why, "need", stamp)
    w.goals.open[e.id].busy = e.block.end
    w.pressures.open[e.id].last = stamp.seq


def advanced(w: HasGoals, e: GoalAdvanced, stamp: Stamp) -> None:
    check_residents(w, e.whom)
    plan, p = w.goals.open[e.id], w.pressures.open[e.id]
    if plan.next is None or plan.next.step != e.step:
        raise ValueError(f"it is no step of that plan: {e.step}")
    plan.done.append(TakenStep(stamp.seq, stamp.t))
    plan.busy = -1
    if e.stage != p.stage:
        p.stage, p.staged = e.stage, stamp.t
    p.intensity, p.t, p.last = e.intensity, stamp.t, stamp.seq


def over(w: HasGoals, e: Ended, stamp: Stamp) -> None:
    w.goals.open.pop(e.id, None)


def left(w: HasGoals, e: Left, stamp: Stamp) -> None:
    """Rest the plans whose pressures rest while somebody is out of town."""
    for id in [id for id in w.goals.open if id in w.resting.pressures]:
        w.resting_plans.plans[id] = w.goals.open.pop(id)


def came(w: HasGoals, e: Came, stamp: Stamp) -> None:
    for id in [id for id in w.resting_plans.plans if id in w.pressures.open]:
        w.goals.open[id] = w.resting_plans.plans.pop(id)


HANDLERS: dict[type[Event], Callable[..., None]] = {
    Came: came,
    Left: left,
    GoalPlanned: planned,
    GoalPursued: pursued,
    GoalAdvanced: advanced,
    Ended: over,
}


# ---- what a plan presses towards


def means_of(w: HasGoals, todo: Todo) -> StepMeans:
    """The chosen way to take a step; an empty StepMeans if only money is needed."""
    by = w.drama.steps[todo.step].by
    return by[todo.by] if by else StepMeans()


def next_step(w: HasGoals, p: ActivePressure, t: int) -> Todo | None:
    """The next step of a pressure's plan; None if it has no plan, no step is left, or the pressure is due soon."""
    plan = w.goals.open.get(p.id)
    return None if plan is None or 0 <= p.due < t + NEAR else plan.next


def step_way(w: HasGoals, p: ActivePressure, t: int) -> tuple[PressureWay, str] | None:
    """The next step as a PressureWay, and the person to take it with; None if there is none or it needs nobody."""
    todo = next_step(w, p, t)
    means = means_of(w, todo) if todo is not None else StepMeans()
    if todo is None or not means.do:
        return None
    accept = Effect(by=NEARER, tells=True, actor=HELPED, children=means.children, makes=means.makes)
    dodge, refuse = Effect(tells=True), Effect(by=LOWER, tells=True, actor=TURNED_AWAY)
    to = "about" if todo.whom == p.about else "other"
    way = PressureWay(
        means.do, "holder", to, 0, 3, WEIGHT, EVERY, -1.0, False, accept, dodge, refuse, alone=means.alone
    )
    return way, todo.whom


def ways(w: HasGoals, p: ActivePressure, me: str, other: str, t: int) -> tuple[PressureWay, ...]:
    """The ways in which a pressure may press `me` to act on `other`: those of its kind. A holder with a plan step left
    approaches the step's person with it, drops their direct ways to the person the pressure is about (unless played),
    and never does the step's deed otherwise.
    """
    found = ways_of(w.drama, p.id, p.kind)
    if me != p.holder or next_step(w, p, t) is None:
        return found
    step = step_way(w, p, t)
    do = step[0].do if step is not None else ""
    free = is_played(w, me)
    rest = tuple(x for x in found if x.by != "holder" or (x.do != do and (free or x.to == "other")))
    return (step[0], *rest) if step is not None and step[1] == other else rest
