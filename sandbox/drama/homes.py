"""Homes that two come to share: who have been a couple for days move in together. A system."""

from __future__ import annotations

from sandbox.core.clock import DAY, HOUR
from sandbox.core.protocols import Step
from sandbox.drama.claims import make_claim
from sandbox.drama.new_pressures import ADULT
from sandbox.people.claim_handlers import LODGES, claim_clause, claims_of
from sandbox.people.claim_model import Claim, StandingClaim
from sandbox.people.guest_model import in_town
from sandbox.people.planning import guest_room
from sandbox.talk.content import tie_of
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import pressures_run

MOVING = 18 * HOUR  # of a day, when somebody brings their things
FOND = 0.3  # how both must feel for the other


async def move_in(step: Step, w: HasTalk) -> None:
    """In the slice of the day in which people move: whoever shares a life by now comes to share a home."""
    t = w.clock.midnight(w.clock.day(step.now)) + MOVING
    if not pressures_run(w) or not step.now <= t < step.end or LODGES not in w.claim_deck.kinds:
        return
    for claim in tuple(c for c in w.claims.open.values() if c.seq and len(c.people) > 1):
        days = w.claim_deck.kinds[claim.kind].moves
        if days and t - claim.t >= days * DAY and claim.id in w.claims.open:
            _move(step, w, claim, t)


def _move(step: Step, w: HasTalk, claim: StandingClaim, t: int) -> None:
    """The one of two who has the less of a home moves in with the other, if they live apart and are fond enough, and
    have not only just come to where they are.
    """
    a, b = claim.a, claim.b
    apart = w.cast[a].household != w.cast[b].household
    fond = min(tie_of(w, a, b).feeling, tie_of(w, b, a).feeling) >= FOND
    if not apart or not fond or not (in_town(w, a) and in_town(w, b)) or min(w.cast[a].age, w.cast[b].age) < ADULT:
        return
    guest, host = (a, b) if _settled(w, a) <= _settled(w, b) else (b, a)
    kind, home = w.claim_deck.kinds[claim.kind], w.cast[host].home
    lodging = [c for who in (a, b) for c in claims_of(w, who, LODGES) if c.a == who]
    if any(c.seq and t - c.t < kind.moves * DAY for c in lodging):
        return
    why = claim_clause(w.handbook, kind.says, claim)
    make_claim(step, w, Claim("", LODGES, guest, host, where=_room(w, home)), why, t, claim.seq)


def _room(w: HasTalk, home: str) -> str:
    """Where in a home sleeps who moves in: in the other's room, if they have it to themselves or a bed is free."""
    sleepers = sum(p.home == home and in_town(w, p.id) for p in w.cast.values())
    return home if sleepers <= 1 or sleepers < len(w.map.areas[home].beds()) else guest_room(w, home)


def _settled(w: HasTalk, who: str) -> tuple[bool, bool, int]:
    """How much of a home somebody has: whether it is the one of old, and their own, and how many share it."""
    lodges = any(c.a == who and c.b for c in claims_of(w, who, LODGES))
    return (
        w.cast[who].home == w.files[who].home,
        not lodges,
        sum(p.household == w.cast[who].household and in_town(w, p.id) for p in w.cast.values()),
    )
