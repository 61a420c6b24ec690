"""What hangs on claims that have ended, or bar somebody: whom one keeps away from, which places and occasions."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import DAY
from sandbox.people.claim_handlers import BAN, COUPLE, EMPLOYS, MEMBER, ROLE, HasClaims, claims_of, entails
from sandbox.people.claim_model import APART, BARRED, CALENDAR, WORK
from sandbox.people.handbook import DUTY
from sandbox.people.ties import pair_key
from sandbox.town.plan import Occasion, sector_of

GUESTS = frozenset(("food", "drink", "shop"))  # tags of places that are open to guests
SILENT = 4 * DAY  # how long after its end a couple make no small talk and pay each other no visits


def parted_of_late(w: HasClaims, a: str, b: str, t: int) -> bool:
    """Whether two have only just parted, and keep out of each other's way."""
    was = w.claims.was.get(pair_key(a, b), {}).get(COUPLE)
    return was is not None and t - was.t < SILENT and entails(w, COUPLE, APART)


def is_stranger_to(w: HasClaims, who: str, group: str) -> bool:
    """Whether somebody neither belongs to a group nor leads it."""
    mine = (c for c in claims_of(w, who) if c.a == who)
    return not any(
        (c.kind == MEMBER and c.terms == group) or (c.kind == ROLE and c.terms.endswith(group)) for c in mine
    )


def has_left(w: HasClaims, who: str, group: str) -> bool:
    """Whether somebody does not belong to a group that a decision is of; "" = of none."""
    return bool(group) and entails(w, MEMBER, CALENDAR) and is_stranger_to(w, who, group)


def is_barred(w: HasClaims, who: str, where: str) -> bool:
    """Whether somebody has been barred from a place where they neither live nor work."""
    at, p = sector_of(where), w.cast[who]
    bans = (c for c in claims_of(w, who, BAN) if c.a == who and sector_of(c.where) == at)
    return at not in (sector_of(p.home), sector_of(p.work)) and any(bans) and entails(w, BAN, BARRED)


def stays_away(w: HasClaims, who: str, where: str) -> bool:
    """Whether somebody is barred from a place, or has left the group that meets there. Whoever works there comes."""
    if is_barred(w, who, where):
        return True
    if not w.calendar.of_groups or w.cast[who].work == where or not entails(w, MEMBER, CALENDAR):
        return False
    return any(o.where == where and who in o.who and is_stranger_to(w, who, o.of) for o in w.calendar.of_groups)


def occasions_of(w: HasClaims, who: str, day: int) -> Sequence[Occasion]:
    """The occasions of a day that somebody comes to, earliest first: by the calendar, but those of a group only if they
    are in it, and none of the work they have lost.
    """
    found: Sequence[Occasion] = w.calendar.of(who, day)
    if w.calendar.of_groups and entails(w, MEMBER, CALENDAR):
        joined = {c.terms for c in claims_of(w, who, MEMBER) if c.a == who}
        came = tuple(o for o in w.calendar.on(day) if o.of in joined and who not in o.who)
        found = (*(o for o in found if not o.of or not is_stranger_to(w, who, o.of)), *came)
    found = [o for o in found if not is_barred(w, who, o.where)]
    found = [o for o in found if o.decides is None or who not in o.decides.who or not has_left(w, who, o.decides.of)]
    was, now = w.files[who].work, w.cast[who].work
    if was and was != now and entails(w, EMPLOYS, WORK):
        found = [o for o in found if o.where != was and not _is_duty_in(w, o, sector_of(was))]
    return sorted(found, key=lambda o: (o.from_, o.id))


def _is_duty_in(w: HasClaims, o: Occasion, sector: str) -> bool:
    return sector_of(o.where) == sector and w.handbook.kind(o.block) == DUTY
