"""Temporary conditions of a town or a part of it: a shut place, rain, a blackout, somebody muted, deference."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from sandbox.core.events import Event, Stamp
from sandbox.town.model import HasTown

Holds = Literal["shut", "rain", "blackout", "muted", "pushed", "deference"]
DEFERENCE = "deference"  # the word of some counts for more with the others (society/town.py)
INDOORS, OUTDOORS, HOME = "indoors", "outdoors", "home"  # tags of arenas


class TownCondition(msgspec.Struct, frozen=True):
    """kind: shut (a place), rain, blackout, muted (somebody on the feed), pushed (a post there, shown to all),
    deference. where: the address of a sector or an arena, "" for the whole town; who: the person muted, or ""; post:
    the post pushed, -1 for none. until: the second at which it ends. says: the condition as a clause. seq: the event
    that began it.
    """

    kind: Holds
    where: str
    who: str
    until: int
    says: str
    seq: int
    post: int = -1


class ConditionState(msgspec.Struct):
    """open: number of the event that began it -> condition in force."""

    open: dict[int, TownCondition] = msgspec.field(default_factory=dict)


class HasConditions(HasTown):
    """The part of a world that these rules touch."""

    conditions: ConditionState


class ConditionBegan(Event, frozen=True):
    """A condition begins. Fields: as in `TownCondition`."""

    KIND: ClassVar[str] = "condition_began"
    kind: Holds
    until: int
    says: str
    where: str = ""
    who: str = ""
    post: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1


class ConditionEnded(Event, frozen=True):
    """A condition ends. began: the event that began it; says: the state that returns, a clause."""

    KIND: ClassVar[str] = "condition_ended"
    CITES: ClassVar[tuple[str, ...]] = ("began",)
    began: int
    says: str


def condition_began(w: HasConditions, e: ConditionBegan, stamp: Stamp) -> None:
    if e.where and not any(is_within(x, e.where) for x in w.map.areas):
        raise ValueError(f"there is no place {e.where}")
    if e.who and e.who not in w.town.spots:
        raise ValueError(f"there is nobody {e.who}")
    w.conditions.open[stamp.seq] = TownCondition(e.kind, e.where, e.who, e.until, e.says, stamp.seq, e.post)


def condition_ended(w: HasConditions, e: ConditionEnded, stamp: Stamp) -> None:
    del w.conditions.open[e.began]


HANDLERS: dict[type[Event], Callable[..., None]] = {ConditionBegan: condition_began, ConditionEnded: condition_ended}


def check_conditions(w: Any, state: ConditionState, now: int) -> None:
    """Raise ValueError unless open conditions have places and people of this town."""
    for seq, c in state.open.items():
        place = not c.where or any(is_within(x, c.where) for x in w.map.areas)
        if seq != c.seq or not place or (c.who and c.who not in w.cast):
            raise ValueError("other conditions")


def is_within(place: str, where: str) -> bool:
    """Whether address `place` equals `where` or lies in it; everything is within ""."""
    return not where or place == where or place.startswith(f"{where} / ")


def barring_condition(w: HasConditions, place: str) -> TownCondition | None:
    """The first open condition that keeps people out of an arena, or None."""
    return next((c for c in w.conditions.open.values() if keeps_out(w, c.kind, c.where, place)), None)


def keeps_out(w: HasTown, kind: str, where: str, place: str) -> bool:
    """Whether a condition of a kind at `where` keeps people out of arena `place`: shut, rain outdoors, or a blackout
    indoors except at homes.
    """
    if not is_within(place, where):
        return False
    tags = tags_of(w, place)
    rained = kind == "rain" and OUTDOORS in tags
    dark = kind == "blackout" and INDOORS in tags and HOME not in tags
    return kind == "shut" or rained or dark


def tags_of(w: HasTown, place: str) -> Collection[str]:
    """The tags of an arena; none for an address that is no arena."""
    area = w.map.areas.get(place)
    return area.arena.tags if area is not None else ()


def offline(w: HasConditions, who: str) -> bool:
    """Whether somebody cannot use the feed now."""
    return any(c.kind == "blackout" or (c.kind == "muted" and c.who == who) for c in w.conditions.open.values())


def pushed_posts(w: HasConditions) -> list[int]:
    """The posts that the platform shows to everybody who looks."""
    return [c.post for c in w.conditions.open.values() if c.kind == "pushed"]
