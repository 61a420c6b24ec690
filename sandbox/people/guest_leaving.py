"""The system by which guests leave when their time is over: they walk to where they came in, and are gone."""

from __future__ import annotations

from sandbox.core.protocols import Step
from sandbox.people.daily_life import stop, walk_pace
from sandbox.people.guest_handlers import Left, SetOff
from sandbox.people.guest_model import Stay
from sandbox.people.planning import HasWays
from sandbox.town.ways import arrival_time, tile_at


async def leave_town(step: Step, w: HasWays) -> None:
    """Let guests whose time is over leave in this step. Without guests it emits nothing."""
    for who, stay in w.guests.stays.items():
        if stay.left < 0 <= stay.until <= step.now:
            _leave(step, w, who, stay)


def _leave(step: Step, w: HasWays, who: str, stay: Stay) -> None:
    """Send a guest off once they are awake and not in a talk, or let them leave if they are at the way out."""
    r, spot = w.people.residents[who], w.town.spots[who]
    if r.talk or not r.awake:
        return
    t = max(step.now, w.last.get(who, 0))
    if stay.off >= 0 and spot.path and spot.to == stay.way:
        gone = max(t, arrival_time(spot))
        if gone < step.end:
            _gone(step, w, who, stay, gone)
        return
    here = tile_at(spot, t, w.map.width)
    x, y = w.map.xy(here)
    path = w.ways.path(here, stay.way, step.chance(who, "leave", t))
    if not path:
        _gone(step, w, who, stay, t)
        return
    stop(step, w, who, t)
    step.emit(SetOff(x, y, path, walk_pace(w, who), ""), t=t, actor=who, causes=(stay.seq,))


def _gone(step: Step, w: HasWays, who: str, stay: Stay, t: int) -> None:
    step.emit(Left(*w.map.xy(stay.way)), t=t, actor=who, causes=(stay.seq,))
