"""What hangs on claims, beside home and work: the calendar on groups, guests and coins on a trade, small talk on having
been a couple.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandbox.core.clock import DAY
from sandbox.people.claim_handlers import COUPLE, EMPLOYS, MEMBER, OWNS, ROLE, HasClaims, claims_of, entails
from sandbox.people.claim_model import APART, CALENDAR, TRADE, WORK
from sandbox.people.handbook import DUTY
from sandbox.people.persona import Persona
from sandbox.people.ties import pair_key
from sandbox.town.plan import Occasion, sector_of

SILENT = 4 * DAY  # how long after its end a couple make no small talk and pay each other no visits


def parted_of_late(w: HasClaims, a: str, b: str, t: int) -> bool:
    """Whether two have only just parted, and keep out of each other's way."""
    was = w.claims.was.get(pair_key(a, b), {}).get(COUPLE)
    return was is not None and t - was.t < SILENT and entails(w, COUPLE, APART)


def outside(w: HasClaims, who: str, group: str) -> bool:
    """Whether somebody neither belongs to a group nor leads it."""
    mine = (c for c in claims_of(w, who) if c.a == who)
    return not any(c.terms == group or (c.kind == ROLE and c.terms.endswith(group)) for c in mine)


def stays_away(w: HasClaims, who: str, where: str) -> bool:
    """Whether a group meets at a place that somebody has left. Whoever works there comes all the same."""
    if not w.calendar.of_groups or w.cast[who].work == where or not entails(w, MEMBER, CALENDAR):
        return False
    return any(o.where == where and who in o.who and outside(w, who, o.of) for o in w.calendar.of_groups)


def occasions_of(w: HasClaims, who: str, day: int) -> Sequence[Occasion]:
    """The occasions of a day that somebody comes to, earliest first: by the calendar, but those of a group only if they
    are in it, and none of the work they have lost.
    """
    found: Sequence[Occasion] = w.calendar.of(who, day)
    if w.calendar.of_groups and entails(w, MEMBER, CALENDAR):
        joined = {c.terms for c in claims_of(w, who, MEMBER) if c.a == who}
        came = tuple(o for o in w.calendar.on(day) if o.of in joined and who not in o.who)
        found = (*(o for o in found if not o.of or not outside(w, who, o.of)), *came)
    was, now = w.files[who].work, w.cast[who].work
    if was and was != now and entails(w, EMPLOYS, WORK):
        found = [o for o in found if o.where != was and not _is_duty_in(w, o, sector_of(was))]
    return sorted(found, key=lambda o: (o.from_, o.id))


def _is_duty_in(w: HasClaims, o: Occasion, sector: str) -> bool:
    return sector_of(o.where) == sector and w.handbook.kind(o.block) == DUTY


def trade_coins(w: HasClaims, who: str) -> int:
    """What somebody's trades bring in a week."""
    trades = w.claim_deck.trades if entails(w, OWNS, TRADE) else {}
    return sum(trades.get(c.terms, 0) for c in claims_of(w, who, OWNS) if c.a == who) if trades else 0


def passed_trades(w: HasClaims) -> Iterator[tuple[Persona, Persona]]:
    """Of each trade that has passed to another: who had it first, and who has it now."""
    trades = w.claim_deck.trades if entails(w, OWNS, TRADE) else {}
    first = {c.terms: c.a for c in w.claim_deck.claims if c.kind == OWNS and c.terms in trades} if trades else {}
    for c in w.claims.open.values() if first else ():
        if c.kind == OWNS and c.a != first.get(c.terms, c.a):
            yield w.files[first[c.terms]], w.cast[c.a]
