"""Which pressures an occasion will decide: until then nothing else does."""

from __future__ import annotations

from sandbox.core.clock import MINUTE
from sandbox.people.pressures.apply import HasPressures
from sandbox.people.pressures.deck import Way
from sandbox.people.pressures.model import Press
from sandbox.town.plan import Decision

# How an occasion ends a pressure that it settles: kind -> the ending if it went well for the holder, and if not.
SETTLED = {
    "promise": ("kept", "broken"),
    "rivalry": ("won", "lost"),
    "ambition": ("reached", "failed"),
    "worry": ("solved", "came_true"),
}
PRIZED = {"rivalry": 2, "ambition": 1}  # kinds that a contest settles unasked if they are about its prize -> entrants
MARGIN = 5 * MINUTE  # after the hour of a decision, for a step's slice is a few minutes long


def settles(d: Decision, p: Press) -> bool:
    """Whether a decision settles a pressure: it names it, or those whose it is take part and are after the prize."""
    if p.id in d.settles:
        return p.kind in SETTLED
    if d.kind != "contest" or p.kind not in PRIZED:
        return False
    return {*(p.holder, p.about)[: PRIZED[p.kind]]} <= {*d.who} and d.about.casefold() in p.stakes.casefold()


def waits(w: HasPressures, p: Press, t: int) -> bool:
    """Whether an occasion of today, or of the day it falls due, is still to decide a pressure."""
    days = {w.clock.day(t), w.clock.day(max(t, p.due))}
    return any(
        o.decides is not None
        and settles(o.decides, p)
        and any(o in w.calendar.on(day) and w.calendar.hour(o, day) + MARGIN > t for day in days)
        for o in w.calendar.deciding
    )


def forestalls(w: HasPressures, p: Press, way: Way, t: int) -> bool:
    """Whether to go a way could end a pressure that an occasion is to decide."""
    ends = SETTLED.get(p.kind)
    if ends is None or not w.calendar.deciding:
        return False
    return any(e.end in ends for e in (way.accept, way.dodge, way.refuse)) and waits(w, p, t)
