"""What a player has somebody do, carried out in each step: they walk where they were sent, and what they meant to say
is given up once it can no longer be said.
"""

from __future__ import annotations

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.people.guests.model import here
from sandbox.people.live import walk
from sandbox.people.played import Wish, is_played
from sandbox.play.acts import possible_now
from sandbox.play.model import HasPlay, WishOver

PATIENCE = 30 * MINUTE  # after which one looks again at somebody who is still under way


async def carry_out(step: Step, w: HasPlay) -> None:
    """A town in which nobody is played makes no event here."""
    me = w.played.who
    if not me or not is_played(w, me):
        return
    t = max(step.now, w.last.get(me, 0))
    if t >= step.end:
        return
    r = w.people.residents[me]
    if w.played.heading >= 0 and r.awake and not r.talk:
        walk(step, w, me, w.played.heading, w.map.area_of[w.played.heading], t)
    wish = w.played.wish
    if wish is not None and (why := _vain(w, me, wish, t)):
        step.emit(WishOver(wish.whom, why), t=t, actor=me, causes=(wish.seq,))


def under_way(w: HasPlay) -> bool:
    """Whether whoever is played still walks or talks, or means to say something."""
    r = w.people.residents[w.played.who]
    return bool(r.talk or w.town.spots[w.played.who].path) or w.played.wish is not None or w.played.heading >= 0


def _vain(w: HasPlay, me: str, wish: Wish, t: int) -> str:
    """Why something can no longer be said; "" if it can."""
    name = w.handbook.name(wish.whom)
    if not here(w, wish.whom):
        return f"{name} has left town"
    if not w.people.residents[wish.whom].awake:
        return f"{name} has gone to sleep"
    if t >= wish.until:
        return f"{name} was not to be found, or had no moment"
    if not possible_now(w, me, wish.whom, wish.do, wish.aim):
        return f"it is no longer to be said to {name}"
    return ""
