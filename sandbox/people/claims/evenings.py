"""What claims make of an evening: a couple spend a free one together, at the one's and at the other's by turns.

It bends the frame of the plan, as marks do, before any mind lays it.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.clock import HOUR
from sandbox.people.claims.apply import claims_of
from sandbox.people.deciding.plans import VISIT, PlanDay
from sandbox.people.model import Block
from sandbox.people.planning import SOON, Bent, HasWays, believed, parlour, usual
from sandbox.town.plan import sector_of

EVENING = 18 * HOUR  # of a day, from which an hour to oneself is one of the evening


def in_company(w: HasWays, q: PlanDay) -> tuple[PlanDay, list[Bent]]:
    """The question of a day with the evening that its person spends with another, if it is theirs to go there."""
    for claim in claims_of(w, q.who):
        if w.claim_deck.kinds[claim.kind].evenings and len(claim.people) > 1:
            other = claim.b if q.who == claim.a else claim.a
            apart = w.cast[other].household != w.cast[q.who].household
            if apart and claim.people[q.day % 2] == q.who and (found := _evening(w, q, other)) is not None:
                i, block = found
                bent = [Bent(block, claim.seq)] if claim.seq else []
                return replace(q, usual=(*q.usual[:i], block, *q.usual[i + 1 :])), bent
    return q, []


def _evening(w: HasWays, q: PlanDay, other: str) -> tuple[int, Block] | None:
    """The first hour of the evening that both have to themselves, by its place in the day, and what it is then."""
    theirs, why = usual(w, other, q.day), f"wants to spend the evening with {w.cast[other].first}"
    for i, b in enumerate(q.usual):
        then = [x for x in theirs if x.start <= b.start + SOON]
        if b.start < max(q.now, q.midnight + EVENING) or b.do not in q.free or not then or then[-1].do not in q.free:
            continue
        if believed(w, other, b.start + SOON) != then[-1].where:  # an occasion has them elsewhere
            continue
        home = w.cast[other].home
        if sector_of(then[-1].where) == sector_of(home):
            return i, Block(b.start, 0, VISIT, parlour(w, home), why)
        return i, Block(b.start, 0, then[-1].do, then[-1].where, why)
    return None
