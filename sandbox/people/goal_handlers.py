"""Plans for wanted claims: how events change them, the ways a plan leaves open (while a step is to be taken, only that
step presses), and the planner.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Stamp
from sandbox.people.claim_handlers import (
    MEMBER,
    OWNS,
    ROLE,
    HasClaims,
    claims_of,
    closest_first,
    friends,
    knows,
)
from sandbox.people.claim_model import Claim, PlanStep, StandingClaim, StepMeans
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
from sandbox.people.guest_model import in_town
from sandbox.people.handlers import divert
from sandbox.people.played import is_played
from sandbox.people.pressure_deck import Effect, PressureWay, ways_of
from sandbox.people.pressure_handlers import check_residents
from sandbox.people.pressure_model import ActivePressure, Ended
from sandbox.people.pressure_rules import HOUR_NEAR, HasResting, is_exhausted

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
    return None if plan is None or 0 <= p.due < t + HOUR_NEAR else plan.next


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


# ---- the planner works back from a wanted claim through the steps it needs to what its holder can do now. A plan is
# short and deterministic: the deck's steps in order, each by the first open way, with the person to whom the holder
# turns first among those who can help; people who would lose by it come last.


DEAR = 0.15  # least feeling for somebody to count as a friend to ask


def steps_in_order(steps: Mapping[str, PlanStep], names: Collection[str]) -> tuple[str, ...]:
    """The named steps and all their prerequisites in topological order. Cycles are cut silently, because the loader
    already refuses a deck that has one.
    """
    out: dict[str, None] = {}

    def take(name: str, above: tuple[str, ...]) -> None:
        if name in above or name not in steps:
            return
        for first in steps[name].first:
            take(first, (*above, name))
        out[name] = None

    for name in names:
        take(name, ())
    return tuple(out)


def plan_for(
    w: HasGoals, p: ActivePressure, claim: Claim, before: Collection[Todo] = ()
) -> tuple[tuple[Todo, ...], str]:
    """The steps to a claim still to be taken, and the name of the first step that has no open way ("" = all have one).

    before: steps already taken. Nobody is asked for two steps.
    """
    out: list[Todo] = []
    done = {todo.step for todo in before}
    lacking = ""
    for name in steps_in_order(w.drama.steps, w.drama.plans[claim.kind]):
        step = w.drama.steps[name]
        if name in done or (step.coins and w.money is None):
            continue
        used = {todo.whom for todo in (*before, *out) if todo.whom}
        todo = next((Todo(name, i, whom) for i, x in enumerate(step.by) for whom in _whom(w, p, claim, x, used)), None)
        if todo is None and step.coins:
            todo = Todo(name, 0)
        if todo is not None:
            out.append(todo)
        else:
            lacking = lacking or name
    return tuple(out), lacking


def wanting(w: HasGoals, p: ActivePressure) -> Todo | None:
    """The first step still missing for a pressure's plan; if the plan is used up, it is planned again from the deck. A
    step without an open way has "" as whom. None if nothing is missing or there is no plan.
    """
    plan = w.goals.open.get(p.id)
    if plan is None or plan.next is not None:
        return plan.next if plan is not None else None
    left, lacking = plan_for(w, p, plan.claim, plan.steps)
    return Todo(lacking, 0) if lacking else next(iter(left), None)


def _whom(w: HasGoals, p: ActivePressure, claim: Claim, means: StepMeans, used: Collection[str]) -> Iterator[str]:
    """The people with whom a way can be taken, best first; only "" for a way that needs nobody."""
    if means.block:
        yield ""
        return
    not_them = {p.holder, *used, *(() if means.to == "about" else (p.about,))}
    found = [x for x in dict.fromkeys(_able(w, p, claim, means.to)) if x not in not_them]
    free = closest_first(w, p.holder, (x for x in found if not is_exhausted(w, p.thread, means.do, p.holder, x)))
    yield from sorted(free, key=lambda x: loses(w, x, p, claim))


def _able(w: HasGoals, p: ActivePressure, claim: Claim, to: str) -> Iterator[str]:
    """The people that a deck's `to` word (one of `claim_model.HELPERS`) means, as far as the holder knows."""
    matter = f"{p.stakes} {claim.terms}".casefold()
    if to == "about":
        yield from (x for x in (p.about,) if x)
    elif to == "near" and p.about:
        home = w.cast[p.about].household
        yield from (x.id for x in w.cast.values() if x.household == home and in_town(w, x.id))
        yield from (x for c in claims_of(w, p.about) if knows(w, p.holder, c) for x in c.people)
    elif to == "friend":
        yield from friends(w, p.holder, DEAR)
    else:
        kind = {"owner": OWNS, "office": ROLE, "member": MEMBER}.get(to)
        for c in w.claims.open.values():
            if c.kind == kind and c.a and (to == "office" or c.terms.casefold() in matter):
                yield c.a


def can_help(w: HasGoals, p: ActivePressure, claim: Claim, means: StepMeans, who: str) -> bool:
    """Whether a way can be taken with `who`."""
    return who in _whom(w, p, claim, means, ())


def same(w: HasGoals, claim: Claim) -> StandingClaim | None:
    """The standing claim that equals the wanted one, or None."""
    mutual = w.claim_deck.kinds[claim.kind].mutual
    for c in claims_of(w, claim.a or claim.b, claim.kind):
        alike = {c.a, c.b} == {claim.a, claim.b} if mutual else (c.a, c.b) == (claim.a, claim.b)
        if alike and (c.terms, c.where) == (claim.terms, claim.where):
            return c
    return None


def rival_claims(w: HasGoals, p: ActivePressure, claim: Claim) -> Iterator[Claim]:
    """The claims that stand in the way of a wanted one: of others in a kind of which there can be only one, or, for a
    kind like a couple, of either person with somebody else.
    """
    kind = w.claim_deck.kinds[claim.kind]
    if kind.one:
        same = (c for c in w.claims.open.values() if c.kind == claim.kind)
        yield from (c for c in same if getattr(c, kind.one) == getattr(claim, kind.one) and p.holder not in c.people)
    elif kind.mutual and kind.hard:
        for who in claim.people:
            yield from (c for c in claims_of(w, who, claim.kind) if not {*claim.people} >= {*c.people})


def loses(w: HasGoals, who: str, p: ActivePressure, claim: Claim) -> bool:
    """Whether `who` would lose if the holder got the claim: they have it now, or want it too."""
    if any(who in c.people for c in rival_claims(w, p, claim)):
        return True
    kind = w.claim_deck.kinds[claim.kind]
    if not kind.one and not (kind.mutual and kind.hard):
        return False  # both may have it
    ends = (claim.kind, claim.terms, claim.b)
    plans = ((w.pressures.open.get(id), plan.claim) for id, plan in w.goals.open.items())
    return any(x is not None and x.holder == who and ends == (c.kind, c.terms, c.b) for x, c in plans)
