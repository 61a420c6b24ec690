"""Pressures rest while their holder, or whom they are about, is out of town: nothing comes of them, and no hour passes
for them. When both are here again they go on as they were. Who comes to stay brings their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from sandbox.core.events import Event, Stamp
from sandbox.people.guest_handlers import Came, Left
from sandbox.people.guest_model import in_town
from sandbox.people.pressure_handlers import HasPressures, check_residents, close_concerns
from sandbox.people.pressure_model import ActivePressure


class Resting(msgspec.Struct):
    """A pressure that rests, as it was when it began to. since: when that was."""

    press: ActivePressure
    since: int


class RestState(msgspec.Struct):
    """pressures: those that rest, by id."""

    pressures: dict[str, Resting] = msgspec.field(default_factory=dict)


class HasResting(HasPressures):
    """The part of a world that these rules touch."""

    resting: RestState


def suspend_pressures(w: HasResting, e: Left, at: Stamp) -> None:
    for id, p in [*w.pressures.open.items()]:
        if at.actor in (p.holder, p.about):
            w.resting.pressures[id] = Resting(w.pressures.open.pop(id), at.t)


def resume_pressures(w: HasResting, e: Came, at: Stamp) -> None:
    for id, x in [*w.resting.pressures.items()]:
        p = x.press
        if at.actor in (p.holder, p.about) and in_town(w, p.holder) and in_town(w, p.about):
            w.pressures.open[id] = delay_pressure(p, at.t - x.since)
            del w.resting.pressures[id]
    for new in e.pressures:
        check_residents(w, new.holder, new.about)
        if new.kind not in w.drama.kinds or new.id in w.cast_pressures:
            raise ValueError(f"{at.actor} cannot come with {new.id}")
        w.cast_pressures[new.id] = new
    state, found = w.pressures, w.files[at.actor].matters.values()
    for id in {x for x in found if x in state.woken and x not in state.open and x not in w.resting.pressures}:
        close_concerns(w, id)


def delay_pressure(p: ActivePressure, by: int) -> ActivePressure:
    """A pressure as if all that has come of it had been so many seconds later."""
    p.t, p.staged, p.dated = p.t + by, p.staged + by, p.dated + by
    p.due = p.due + by if p.due >= 0 else p.due
    p.sought = p.sought + by if p.sought >= 0 else p.sought
    p.tried = {key: t + by for key, t in p.tried.items()}
    p.taken = {do: (t + by, answer) for do, (t, answer) in p.taken.items()}
    return p


HANDLERS: dict[type[Event], Callable[..., None]] = {Came: resume_pressures, Left: suspend_pressures}


def check_resting(w: Any, state: RestState, now: int) -> None:
    """Raise ValueError unless all that rests is of this world, and of somebody who is away."""
    for id, x in state.pressures.items():
        p = x.press
        if (
            id != p.id
            or p.kind not in w.drama.kinds
            or not {p.holder, p.about or p.holder, *p.known_by} <= w.cast.keys()
        ):
            raise ValueError("other pressures rest")
