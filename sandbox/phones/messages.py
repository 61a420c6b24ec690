"""Messages: what presses somebody to speak to a friend who is not there, they write."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.clock import HOUR
from sandbox.feed.reading import either_blocked
from sandbox.people.pressure_deck import PressureWay, ways_of
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.phones.model import HasPhones
from sandbox.phones.seeing import account_of
from sandbox.talk.content import tie_of
from sandbox.talk.pressure_aims import hearers

WRITTEN = ("confide", "complain", "share_trouble")  # exchanges that people have in messages, too
AGAIN = 20 * HOUR  # before somebody writes to anybody of the same matter again
LEAST = 0.35  # weight times intensity from which they do


class MessageWish(NamedTuple):
    """A pressure that somebody would write to another about. way: of the deck; size: how much."""

    press: ActivePressure
    way: PressureWay
    to: str
    size: float


def wish(w: HasPhones, me: str, t: int) -> MessageWish | None:
    """What somebody would write to whom; None if nothing presses."""
    account = account_of(w, me)
    best: MessageWish | None = None
    if account is None:
        return None
    for p in w.pressures.open.values():
        if p.holder != me or any(
            x.author == me and x.matter == p.id and t - x.t < AGAIN for x in w.phones.messages.values()
        ):
            continue
        for way in ways_of(w.drama, p.id, p.kind):
            if (
                way.do not in WRITTEN
                or (way.by, way.to) != ("holder", "other")
                or not way.stage <= p.stage <= way.until
            ):
                continue
            size = way.weight * intensity_at(p, t, w.pressure_parameters)
            if size >= LEAST and (best is None or size > best.size) and (to := _friend(w, me, p, way, t)):
                best = MessageWish(p, way, to, size)
    return best


def _friend(w: HasPhones, me: str, p: ActivePressure, way: PressureWay, t: int) -> str:
    """The one somebody likes most who does not know of it and is not beside them; "" for nobody."""
    mine = account_of(w, me)
    near = {*hearers(w, me, me, t)}
    ties = w.people.ties.get(me, {})
    for who in sorted(ties, key=lambda x: (-tie_of(w, me, x).feeling, x)):
        if tie_of(w, me, who).feeling < max(0.2, way.fond):
            return ""
        theirs = account_of(w, who)
        if theirs is None or mine is None or either_blocked(mine, theirs.number):
            continue
        if who not in (p.holder, p.about, *p.known_by) and who not in near:
            return who
    return ""
