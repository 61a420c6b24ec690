"""Which claims of somebody a deed breaks, and who broke them: pure functions, of what is believed and of what is so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sandbox.people.beliefs import Fact, Slots
from sandbox.people.claim_model import BREAKER, EITHER, ENDS, FELLOW, OPEN, TOLD, Breach, Claim, ClaimEvent

ClaimsOf = Callable[[str, str], Iterable["Claim | ClaimEvent"]]  # who, kind -> their claims


class Broke(NamedTuple):
    """A claim of somebody, who broke it, and whom the deed was about beside these."""

    breach: Breach
    claim: Claim | ClaimEvent
    breaker: str
    third: str


def broken_by(
    breaches: Iterable[Breach], of: ClaimsOf, me: str, fact: Fact, slots: Slots, source: str = ""
) -> Iterator[Broke]:
    """What a deed breaks that is somebody's. slots: what of the fact they believe; source: who told them, or ""."""
    a, b, _, bad = slots
    for x in breaches:
        if x.fact != fact.kind or (fact.how or OPEN) not in x.how or bad < x.bad or not b:
            continue
        if x.by == TOLD:
            found = _told(x, of, me, fact, source) if me == a else None
            if found is not None:
                yield Broke(x, found, _other(found, me), b)
            continue
        for breaker, third in ((a, b), (b, a)) if x.by == EITHER else ((a, b),) if x.by == ENDS[0] else ((b, a),):
            if me == breaker or x.own is not (me == third):
                continue
            found = _of_theirs(x, of, me, breaker, third)
            if found is not None:
                yield Broke(x, found, breaker, third)


def _of_theirs(x: Breach, of: ClaimsOf, me: str, breaker: str, third: str) -> Claim | ClaimEvent | None:
    mine = [c for c in of(me, x.claim) if x.holds == EITHER or getattr(c, x.holds) == me]
    if x.with_ == FELLOW:
        terms = {c.terms for c in of(breaker, x.claim)} if any(of(breaker, x.office)) else ()
        return next((c for c in mine if c.terms in terms), None)
    if x.with_ == BREAKER:
        return next((c for c in mine if _other(c, me) == breaker), None)
    torn = any(breaker in (c.a, c.b) for c in of(me, ""))  # who is something to both takes neither side
    return next((c for c in mine if _other(c, me) == third), None) if not torn else None


def _told(x: Breach, of: ClaimsOf, me: str, fact: Fact, source: str) -> Claim | ClaimEvent | None:
    """The claim that names a matter of one's own, if it was not the one whom it is with that spoke of it."""
    named = [c for c in of(me, x.claim) if c.terms and c.terms in fact.stakes]
    if any(_other(c, me) == source for c in named):
        return None
    return next((c for c in named if x.holds == EITHER or getattr(c, x.holds) == me), None)


def _other(claim: Claim | ClaimEvent, me: str) -> str:
    return claim.b if claim.a == me else claim.a
