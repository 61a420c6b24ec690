"""How events change the town's state."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.core.events import Event, Stamp
from sandbox.town.model import Arrived, HasTown, InUse, Placed, Stopped, TownState, Walked
from sandbox.town.rules import Spot, end_of


def put(w: HasTown, who: str, x: int, y: int, t: int) -> None:
    """Stand a person on a tile."""
    w.town.spots[who] = Spot(tile=y * w.map.width + x, t=t)


def use(state: TownState, address: str, who: str, shown: str) -> None:
    """Take an object into use."""
    state.used[address] = InUse(who, shown)


def leave(state: TownState, address: str, who: str) -> None:
    """Let an object rest, if it is that person who uses it."""
    if address in state.used and state.used[address].by == who:
        del state.used[address]


def placed(w: HasTown, e: Placed, at: Stamp) -> None:
    put(w, at.actor, e.x, e.y, at.t)


def walked(w: HasTown, e: Walked, at: Stamp) -> None:
    tile = e.y * w.map.width + e.x
    w.town.spots[at.actor] = Spot(tile, at.t, e.path, e.pace, end_of(tile, e.path, w.map.width))


def arrived(w: HasTown, e: Arrived, at: Stamp) -> None:
    put(w, at.actor, e.x, e.y, at.t)


def stopped(w: HasTown, e: Stopped, at: Stamp) -> None:
    put(w, at.actor, e.x, e.y, at.t)


HANDLERS: dict[type[Event], Callable[..., None]] = {Placed: placed, Walked: walked, Arrived: arrived, Stopped: stopped}
