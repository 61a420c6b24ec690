"""Which of somebody's claims a deed breaches, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sandbox.people.beliefs import Fact, Slots
from sandbox.people.claim_model import (
    BREAKER,
    EITHER,
    ENDS,
    FELLOW,
    OPEN,
    TOLD,
    Breach,
    Claim,
    ClaimEvent,
)

ClaimsOf = Callable[[str, str], Iterable["Claim | ClaimEvent"]]  # who, kind -> their claims


class Broke(NamedTuple):
    """A claim that was breached, who did it, and the third person the deed involved."""

    breach: Breach
    claim: Claim | ClaimEvent
    breaker: str
    third: str


def broken_by(
    breaches: Iterable[Breach], of: ClaimsOf, me: str, fact: Fact, slots: Slots, source: str = ""
) -> Iterator[Broke]:
    """The breaches of my claims by a deed. slots: what I believe about the fact; source: who told me, or ""."""
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


def _of_theirs(breach: Breach, of: ClaimsOf, me: str, breaker: str, third: str) -> Claim | ClaimEvent | None:
    mine = [c for c in of(me, breach.claim) if breach.holds == EITHER or getattr(c, breach.holds) == me]
    if breach.with_ == FELLOW:
        terms = {c.terms for c in of(breaker, breach.claim)} if any(of(breaker, breach.office)) else ()
        return next((c for c in mine if c.terms in terms), None)
    if breach.with_ == BREAKER:
        return next((c for c in mine if _other(c, me) == breaker), None)
    torn = any(breaker in (c.a, c.b) for c in of(me, ""))  # who is something to both takes neither side
    return next((c for c in mine if _other(c, me) == third), None) if not torn else None


def _told(breach: Breach, of: ClaimsOf, me: str, fact: Fact, source: str) -> Claim | ClaimEvent | None:
    """My claim of confidence whose terms the stakes mention, unless the confidant is the one who told me."""
    named = [c for c in of(me, breach.claim) if c.terms and c.terms in fact.stakes]
    if any(_other(c, me) == source for c in named):
        return None
    return next((c for c in named if breach.holds == EITHER or getattr(c, breach.holds) == me), None)


def _other(claim: Claim | ClaimEvent, me: str) -> str:
    return claim.b if claim.a == me else claim.a
