"""What claims make of an evening: a couple spend a free one together, at the one's and at the other's by turns.

It bends the frame of the plan, as marks do, before any mind lays it.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.clock import HOUR
from sandbox.people.claim_handlers import claims_of
from sandbox.people.claim_model import StandingClaim
from sandbox.people.model import Block
from sandbox.people.planning import SOON, HasWays, PlanChange, expected_place, parlour, usual_blocks
from sandbox.people.question_plan import VISIT, PlanDay
from sandbox.town.plan import sector_of

EVENING = 18 * HOUR  # of a day, from which an hour to oneself is one of the evening


def in_company(w: HasWays, q: PlanDay) -> tuple[PlanDay, list[PlanChange]]:
    """The question of a day with the evening that its person spends with another: there, if it is theirs to go, else
    where they would be anyway.
    """
    for claim in claims_of(w, q.who):
        if w.claim_deck.kinds[claim.kind].evenings and len(claim.people) > 1 and _meet(w, claim):
            guest, host = claim.people if q.day % 2 else claim.people[::-1]
            found = _evening(w, q, guest, host)
            if found is not None:
                i, block = found
                bent = [PlanChange(block, claim.seq)] if claim.seq else []
                return replace(q, usual=(*q.usual[:i], block, *q.usual[i + 1 :])), bent
    return q, []


def _meet(w: HasWays, claim: StandingClaim) -> bool:
    """Whether two have to do something for their evenings: who have always shared a home have their habits."""
    a, b = claim.people
    return bool(claim.seq) or w.cast[a].household != w.cast[b].household


def _evening(w: HasWays, q: PlanDay, guest: str, host: str) -> tuple[int, Block] | None:
    """The first hour of the evening that both have to themselves: its place in the day of who asks, and what it is."""
    theirs, day = usual_blocks(w, host, q.day), usual_blocks(w, guest, q.day)
    for i, b in enumerate(day):
        j = max((j for j, x in enumerate(theirs) if x.start <= b.start + SOON), default=-1)
        late = b.start >= q.midnight + EVENING and b.start >= q.now
        if not late or j < 0 or not {b.do, theirs[j].do} <= {*q.free}:
            continue
        if expected_place(w, host, b.start + SOON) != theirs[j].where:  # an occasion has them elsewhere
            continue
        home = w.cast[host].home
        where = parlour(w, home) if sector_of(theirs[j].where) == sector_of(home) else theirs[j].where
        if q.who == host:
            why = f"expects {w.handbook.name(guest)} for the evening"
            return j, replace(theirs[j], where=where, why=why)
        do = VISIT if where == parlour(w, home) and w.cast[guest].household != w.cast[host].household else theirs[j].do
        return i, Block(b.start, 0, do, where, f"wants to spend the evening with {w.handbook.name(host)}")
    return None
