"""The planner: from a wanted claim back through what it takes, to what its holder can do now. Pure functions.

A plan is short and always the same in the same town: the steps of the deck in their order, each by the first way that
is not shut, with the person the holder turns to first of those who can help; whoever would lose by it is asked last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sandbox.people.claim_handlers import ROLE, claims_of, closest_first, friends, knows
from sandbox.people.claim_model import Claim, StandingClaim
from sandbox.people.goal_deck import PlanStep, StepMeans
from sandbox.people.goal_handlers import HasGoals
from sandbox.people.goal_model import Todo
from sandbox.people.guest_model import in_town
from sandbox.people.pressure_attempts import is_exhausted
from sandbox.people.pressure_model import ActivePressure

DEAR = 0.15  # feeling from which somebody is a friend to ask
OWNS, MEMBER = "owns", "member"  # kinds of claim that say who has a thing, or a place


def steps_in_order(steps: Mapping[str, PlanStep], names: Collection[str]) -> tuple[str, ...]:
    """All steps that these take, each after those that come before it. Steps that come before themselves are left out:
    the loader refuses such a deck.
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
    """The steps to a claim that are still to be taken, and the name of the first that no way leads to ("" = none).

    before: those that are taken. Nobody is asked for two steps.
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
    """The first step of a pressure's plan that is not taken, with "" for whom where no way leads to it any more; None
    where all are, or there is no plan.
    """
    plan = w.goals.open.get(p.id)
    if plan is None or plan.next is not None:
        return plan.next if plan is not None else None
    left, lacking = plan_for(w, p, plan.claim, plan.steps)
    return Todo(lacking, 0) if lacking else next(iter(left), None)


def _whom(w: HasGoals, p: ActivePressure, claim: Claim, means: StepMeans, used: Collection[str]) -> Iterator[str]:
    """With whom a way may be gone, whoever is best first; "" of one that takes nobody."""
    if means.block:
        yield ""
        return
    not_them = {p.holder, *used, *(() if means.to == "about" else (p.about,))}
    found = [x for x in dict.fromkeys(_able(w, p, claim, means.to)) if x not in not_them]
    free = closest_first(w, p.holder, (x for x in found if not is_exhausted(w, p.thread, means.do, p.holder, x)))
    yield from sorted(free, key=lambda x: loses(w, x, p, claim))


def _able(w: HasGoals, p: ActivePressure, claim: Claim, to: str) -> Iterator[str]:
    """Who is meant by a word of the deck, as far as the holder knows."""
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
    """Whether somebody is one of those with whom a way may be gone."""
    return who in _whom(w, p, claim, means, ())


def same(w: HasGoals, claim: Claim) -> StandingClaim | None:
    """The claim that stands and is just what is wanted; None if there is none."""
    mutual = w.claim_deck.kinds[claim.kind].mutual
    for c in claims_of(w, claim.a or claim.b, claim.kind):
        alike = {c.a, c.b} == {claim.a, claim.b} if mutual else (c.a, c.b) == (claim.a, claim.b)
        if alike and (c.terms, c.where) == (claim.terms, claim.where):
            return c
    return None


def rival_claims(w: HasGoals, p: ActivePressure, claim: Claim) -> Iterator[Claim]:
    """The claims of others that stand in the way of a wanted one: of what there is one, or of two hearts."""
    kind = w.claim_deck.kinds[claim.kind]
    if kind.one:
        same = (c for c in w.claims.open.values() if c.kind == claim.kind)
        yield from (c for c in same if getattr(c, kind.one) == getattr(claim, kind.one) and p.holder not in c.people)
    elif kind.mutual and kind.hard:
        for who in claim.people:
            yield from (c for c in claims_of(w, who, claim.kind) if not {*claim.people} >= {*c.people})


def loses(w: HasGoals, who: str, p: ActivePressure, claim: Claim) -> bool:
    """Whether somebody would lose by it that the holder has the claim: it is theirs now, or they want it, too."""
    if any(who in c.people for c in rival_claims(w, p, claim)):
        return True
    kind = w.claim_deck.kinds[claim.kind]
    if not kind.one and not (kind.mutual and kind.hard):
        return False  # both may have it
    ends = (claim.kind, claim.terms, claim.b)
    plans = ((w.pressures.open.get(id), plan.claim) for id, plan in w.goals.open.items())
    return any(x is not None and x.holder == who and ends == (c.kind, c.terms, c.b) for x, c in plans)
