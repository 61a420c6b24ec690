"""How events change the town's state."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.core.events import Event, Stamp
from sandbox.town.model import Arrived, HasTown, InUse, Move, Placed, Stopped, TownState, Walked


def use(state: TownState, address: str, who: str, shown: str) -> None:
    """Take an object into use."""
    state.used[address] = InUse(who, shown)


def leave(state: TownState, address: str, who: str) -> None:
    """Let an object rest, if it is that person who uses it."""
    if address in state.used and state.used[address].by == who:
        del state.used[address]


def moved(w: HasTown, e: Move, at: Stamp) -> None:
    w.town.spots[at.actor] = e.spot(at.t, w.map.width)


HANDLERS: dict[type[Event], Callable[..., None]] = dict.fromkeys((Placed, Walked, Arrived, Stopped), moved)
