"""Goals over several days: whoever wants a claim gets a plan, takes its steps in turn, replans when a step is blocked,
and gives up when no way is left. A system.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.clock import HOUR
from sandbox.core.events import Stamp, r6
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.drama.needs import is_free_block
from sandbox.drama.new_pressures import definition_of
from sandbox.drama.pressure_clock import drop_pressure
from sandbox.people.claim_handlers import claim_clause
from sandbox.people.claim_model import Claim, ClaimEvent, Made, Making
from sandbox.people.daily_life import stop
from sandbox.people.goal_handlers import NEARER, SUPPORT, can_help, means_of, next_step, plan_for, same
from sandbox.people.goal_model import GoalAdvanced, GoalPlan, GoalPlanned, GoalPursued, Todo
from sandbox.people.model import SEEK, Block, Chose
from sandbox.people.paying import FEW, has, pay
from sandbox.people.planning import parlour
from sandbox.people.played import is_played
from sandbox.people.pressure_deck import AWAY, LIE, gist
from sandbox.people.pressure_model import ActivePressure, Stirred
from sandbox.people.pressure_rules import intensity_at, is_exhausted, next_stage
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import pressures_run


def wanted_making(w: HasTalk, p: ActivePressure) -> Making | None:
    """What the holder wants, as a template: from the pressure itself, else from its kind's goal ending."""
    kind = w.drama.kinds[p.kind]
    if not kind.goal:
        return None
    made = definition_of(w, p)
    if made is not None and made.wants.kind:
        return made.wants
    ending = made.ends.get(kind.goal) if made is not None else None
    makes = (*(ending.makes if ending is not None else ()), *kind.ends[kind.goal].makes)
    return next(iter(makes), None)


def wanted_claim(w: HasTalk, p: ActivePressure) -> Claim | None:
    """The claim that the holder wants, without an id; None if there is none, or no plan for it."""
    said = wanted_making(w, p)
    if said is None or said.kind not in w.drama.plans or said.kind not in w.claim_deck.kinds:
        return None
    parts = {"holder": p.holder, "about": p.about}
    terms = said.terms.format(stakes=gist(p.stakes))
    return Claim("", said.kind, parts.get(said.a, ""), parts.get(said.b, ""), terms, said.where)


SESSION = HOUR  # length of the block spent on a step
LATELY = 4  # how many of the last activities are searched for the step's
IN_VAIN = {  # answer to the last try -> why the step cannot be taken with that person
    "accept": "what {whom} could do for {holder} was not enough",
    "dodge": "{holder} got no answer out of {whom}",
    "refuse": "{whom} said no to {holder}",
    LIE: "{whom} put {holder} off with a story",
    AWAY: "{whom} would not hear {holder}",
}
SAVED = "what is put by for {stakes}"  # what the coins of a step are spent on


async def pursue_goals(step: Step, w: HasTalk) -> None:
    """Make plans for new pressures with a goal, and see which steps are taken in this slice."""
    if not pressures_run(w) or not w.goal_parameters.on or not w.drama.plans:
        return
    for p in [p for p in w.pressures.open.values() if w.drama.kinds[p.kind].goal]:
        if p.id not in w.pressures.open:
            continue  # ended together with an earlier one
        plan = w.goals.open.get(p.id)
        if plan is None:
            claim = wanted_claim(w, p)
            if claim is not None and not _had(step, w, p, claim):
                steps, _ = plan_for(w, p, claim)
                step.emit(GoalPlanned(p.id, claim, steps), t=_moment(step, w, p), actor=p.holder, causes=(p.last,))
        else:
            _save(step, w, p, plan)
            if is_played(w, p.holder):
                _by_hand(step, w, p)
    if not w.goals.open:
        return
    for stamp, e in tuple(step.happened):
        if stamp.t < step.now:
            continue
        if isinstance(e, Stirred) and e.answer and e.id in w.goals.open and e.id in w.pressures.open:
            _answered(step, w, stamp, e)
        elif isinstance(e, Chose):
            _free_hour(step, w, stamp, e)
        elif isinstance(e, ClaimEvent):
            _news(step, w, stamp, e)


def _moment(step: Step, w: HasTalk, p: ActivePressure) -> int:
    """The first second at which the holder can have another event of this pressure."""
    return max(free_moment(step, w, p.holder), p.t)


def _answered(step: Step, w: HasTalk, stamp: Stamp, e: Stirred) -> None:
    """Apply an answer to the plan it was asked for: the step is taken, or blocked."""
    p = w.pressures.open[e.id]
    todo = next_step(w, p, stamp.t)
    if todo is None or (stamp.actor, e.to, e.how) != (p.holder, todo.whom, means_of(w, todo).do):
        return
    if e.answer == "accept" and not w.drama.steps[todo.step].coins:
        _advance(step, w, p, todo, (stamp.seq,), by=0.0)
    elif is_exhausted(w, p.thread, e.how, p.holder, todo.whom):
        why = IN_VAIN[e.answer].format(whom=w.handbook.name(todo.whom), holder=w.handbook.name(p.holder))
        _think_again(step, w, p, why, stamp.seq)


def _had(step: Step, w: HasTalk, p: ActivePressure, claim: Claim) -> bool:
    """End a pressure whose holder has what they want, however they got it. Returns whether that is so."""
    found = same(w, claim)
    goal = w.drama.kinds[p.kind].goal
    return found is not None and drop_pressure(step, w, p, goal, "", *([found.seq] if found.seq else []))


def _news(step: Step, w: HasTalk, stamp: Stamp, e: ClaimEvent) -> None:
    """Apply a claim made or broken to all plans: a goal may be reached, or a helper may no longer be able to help."""
    for id, plan in tuple(w.goals.open.items()):
        if id not in w.goals.open:
            continue  # ended together with an earlier one
        p = w.pressures.open[id]
        todo = next_step(w, p, stamp.t)
        if _had(step, w, p, plan.claim) or todo is None or todo.whom not in (e.a, e.b):
            continue
        if not can_help(w, p, plan.claim, means_of(w, todo), todo.whom):
            kind = w.claim_deck.kinds[e.kind]
            why = claim_clause(w.handbook, kind.made if isinstance(e, Made) else kind.ended(e), e)
            _think_again(step, w, p, why, stamp.seq)


def _think_again(step: Step, w: HasTalk, p: ActivePressure, why: str, seq: int) -> None:
    """Replan with another person or way; if there is none, give up, or wait for the due hour."""
    plan = w.goals.open[p.id]
    steps, lacking = plan_for(w, p, plan.claim, plan.steps[: len(plan.done)])
    end = w.drama.kinds[p.kind].spent
    if lacking and p.due < 0 and end:
        drop_pressure(step, w, p, end, f"{why}, and there was no other way", seq)
        return
    event = GoalPlanned(p.id, plan.claim, () if lacking else steps, why)
    step.emit(event, t=_moment(step, w, p), actor=p.holder, causes=(seq, plan.seq))


def _advance(
    step: Step, w: HasTalk, p: ActivePressure, todo: Todo, causes: tuple[int, ...] = (), by: float = NEARER
) -> int:
    """Take a step: this strengthens the pressure by `by` (0 if an answer has done so). Returns the event's number."""
    plan, q = w.goals.open[p.id], w.pressure_parameters
    t = max(free_moment(step, w, p.holder, todo.whom), p.t)
    left = len(plan.steps) - len(plan.done) - 1
    stage = next_stage(p, 1 if left else SUPPORT, t, q)
    intensity = r6(min(1.0, intensity_at(p, t, q) + by))
    event = GoalAdvanced(p.id, todo.step, todo.whom, intensity, stage, left)
    return step.emit(event, t=t, actor=p.holder, causes=tuple(dict.fromkeys((*causes, plan.seq, p.last))))


# ---- steps that need nobody else: coins, and a free hour


def _save(step: Step, w: HasTalk, p: ActivePressure, plan: GoalPlan) -> None:
    """Put coins for a step aside as soon as they can be spared; a played person only when the player says so."""
    todo = plan.next
    coins = w.drama.steps[todo.step].coins if todo is not None else 0
    if todo is None or not coins or w.people.residents[p.holder].talk:
        return
    by_hand = is_played(w, p.holder)
    if (by_hand and w.played.saves != p.id) or not has(w, p.holder, coins + (0 if by_hand else FEW)):
        return
    what = SAVED.format(stakes=gist(p.stakes))
    seq = _advance(step, w, p, replace(todo, whom=""))
    pay(step, w, p.holder, coins, what, _moment(step, w, p), seq)


def _free_hour(step: Step, w: HasTalk, stamp: Stamp, e: Chose) -> None:
    """Give a free hour to the step that needs one, or complete that step if the hour was spent on it."""
    who, r = stamp.actor, w.people.residents[stamp.actor]
    for id, plan in tuple(w.goals.open.items()):
        p = w.pressures.open[id]
        todo = next_step(w, p, stamp.t) if p.holder == who else None
        block = means_of(w, todo).block if todo is not None else ""
        if todo is None or not block or e.block == block:
            continue
        if plan.busy >= 0 and not is_played(w, who) and _has_done(w, who, block):
            _advance(step, w, p, todo)
        elif stamp.t > plan.busy and e.block not in ("sleep", SEEK) and is_free_block(w, who, e.block, stamp.t):
            if r.talk or r.upset:
                return
            t = _moment(step, w, p)
            why = "to " + w.drama.steps[todo.step].says.format(**step_slots(w, p, todo))
            home = parlour(w, w.cast[who].home)
            stop(step, w, who, t)
            pursued = GoalPursued(p.id, todo.step, Block(t, t + SESSION, block, home, why), why)
            step.emit(pursued, t=t, actor=who, causes=(p.last,))
            return


def _by_hand(step: Step, w: HasTalk, p: ActivePressure) -> None:
    """A played person starts nothing by themselves: complete their step as soon as its block is over."""
    todo, r = next_step(w, p, step.now), w.people.residents[p.holder]
    block = means_of(w, todo).block if todo is not None else ""
    through = any(x.do == block and step.now < x.end <= step.end for x in r.plan[-1:])
    if todo is not None and block and through and _has_done(w, p.holder, block):
        _advance(step, w, p, todo)


def _has_done(w: HasTalk, who: str, block: str) -> bool:
    """Whether one of the last few activities somebody began belongs to this block."""
    done = (w.handbook.activities.get(do) for do in w.people.residents[who].acted[-LATELY:])
    return any(x is not None and block in x.blocks for x in done)


def step_slots(w: HasTalk, p: ActivePressure, todo: Todo) -> dict[str, str]:
    """The names that a step's text is filled in with."""
    name = w.handbook.name
    return {"holder": name(p.holder), "about": name(p.about), "whom": name(todo.whom), "stakes": gist(p.stakes)}
