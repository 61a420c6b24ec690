"""What a claim is worth to somebody: how its making or its end moves those it concerns, and whoever wanted it too.

The worth of its standing is data of its kind (`ClaimWorth`): a base, more or less by traits and by fondness of the
other. Made, a claim brings that worth; broken, it takes it. So the sign of a mood, of a mark and of news is read here
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandbox.people.claim_handlers import HasClaims
from sandbox.people.claim_model import ENDS, Broken, Claim, ClaimEvent, ClaimKind, ClaimWorth, Made
from sandbox.people.goal_handlers import HasGoals
from sandbox.people.goal_model import GoalPlan

MARKS = 0.4  # least worth of an outcome that stays with somebody for days
OWN = 0.5  # share of a loss that is felt by whoever brought it about
MISSED = 0.6  # share of the base worth that somebody loses who wanted what another gets


class Stake(NamedTuple):
    """What an outcome is to somebody, as a change of a claim. value: its worth to them, in [-1, 1], losses below 0;
    other: the other whom it is about, "" for nobody; end: a or b, as in a rule for marks, "" if they only wanted it.
    """

    who: str
    value: float
    other: str
    end: str


def worth_to(w: HasClaims, claim: Claim | ClaimEvent, end: str) -> float:
    """What it is worth to the person at an end that a claim stands, in [-1, 1]; 0 for nobody, or where its kind says
    nothing of it.
    """
    kind = w.claim_deck.kinds.get(claim.kind)
    who, other = (claim.a, claim.b) if end == "a" else (claim.b, claim.a)
    row = kind.worth.get(end) if kind is not None else None
    if row is None or not who:
        return 0.0
    tie = w.people.ties.get(who, {}).get(other)
    traits = w.cast[who].big_five
    value = row.base + sum(weight * float(getattr(traits, trait)) for trait, weight in row.traits.items())
    value += row.fond * (tie.feeling if tie is not None else 0.0)
    return w.claim_parameters.worth * max(-1.0, min(1.0, value))


def stakes_in(w: HasGoals, e: Made | Broken) -> list[Stake]:
    """What a change of a claim is to each it concerns, those first whom it is between."""
    made = isinstance(e, Made)
    out = []
    for end, who, other in zip(ENDS, (e.a, e.b), (e.b, e.a), strict=True):
        value = worth_to(w, e, end) if who != other or end == "a" else 0.0
        if not made:
            value *= -OWN if isinstance(e, Broken) and e.by == who else -1.0
        if who and value:
            out.append(Stake(who, round(value, 6), other or getattr(e, "to", ""), end))
    return [*out, *(_missed(w, e) if made else ())]


def _missed(w: HasGoals, e: ClaimEvent) -> Iterator[Stake]:
    """Those who planned to have what another has got now."""
    kind = w.claim_deck.kinds[e.kind]
    for id, plan in w.goals.open.items():
        p = w.pressures.open.get(id)
        if p is None or p.holder in (e.a, e.b) or not _same(kind, plan, e):
            continue
        row = kind.worth.get("a" if plan.claim.a == p.holder else "b", ClaimWorth())
        value = -w.claim_parameters.worth * min(1.0, MISSED * max(0.0, row.base) + row.wanted)
        if value:
            yield Stake(p.holder, round(value, 6), e.a or e.b, "")


def _same(kind: ClaimKind, plan: GoalPlan, e: ClaimEvent) -> bool:
    """Whether what is planned cannot be had now that another has it."""
    wanted = plan.claim
    if wanted.kind != e.kind:
        return False
    if kind.mutual:
        return bool({wanted.a, wanted.b} & {e.a, e.b} - {""})
    return kind.one in ("terms", "where") and getattr(wanted, kind.one) == getattr(e, kind.one) != ""
