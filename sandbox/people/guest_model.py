"""Who comes to town while it lives: what a world says of its guests, and who is here and who has left."""

from __future__ import annotations

from typing import Annotated, Protocol

import msgspec

from sandbox.core.fields import meta
from sandbox.people.persona import PastTie, Persona, Pressure

NIGHTS = 14  # that somebody stays, at most
FOR_GOOD = -1  # until when somebody stays who does not mean to leave


class Visit(msgspec.Struct, frozen=True, omit_defaults=True):
    """What brings a guest. to: whom they come to see, "" for nobody; why: what for, completing "has come to town";
    matter: what they have to say to that one, as what a pressure is about ("the song he never finished"); nights: how
    many they stay. regards: how people of the cast stand to them from before, `with` being who does.
    """

    to: Annotated[str, meta(most=40)] = ""
    why: Annotated[str, meta('"to measure the meadow"', most=160)] = ""
    matter: Annotated[str, meta(most=200)] = ""
    nights: Annotated[int, meta(low=1, high=NIGHTS, usual=3)] = 3
    regards: tuple[PastTie, ...] = ()


class Guest(msgspec.Struct, frozen=True):
    """Somebody who may come. persona: who they are; their home is where they stay."""

    persona: Persona
    visit: Visit = Visit()


class Stay(msgspec.Struct):
    """Somebody who has come while the town lives. persona: as they came; way: the tile by which they came and go; came,
    seq: the second and the number of the event; until: from when on they leave, FOR_GOOD for never; off: since when
    they are on their way out; left: when they were gone, -1 while they are here; pressures: what came with them.
    """

    persona: Persona
    way: int
    came: int
    seq: int
    until: int
    off: int = -1
    left: int = -1
    pressures: tuple[Pressure, ...] = ()


class GuestState(msgspec.Struct):
    """stays: everybody who has come, in the order in which they first did."""

    stays: dict[str, Stay] = msgspec.field(default_factory=dict)


class HasGuests(Protocol):
    """The part of a world that says who is here."""

    @property
    def guests(self) -> GuestState:
        """Who has come."""


def in_town(w: HasGuests, who: str) -> bool:
    """Whether somebody is in town: all are but those who have left."""
    stay = w.guests.stays.get(who)
    return stay is None or stay.left < 0


def leaving(w: HasGuests, who: str) -> bool:
    """Whether somebody is on their way out of town, or out of it."""
    stay = w.guests.stays.get(who)
    return stay is not None and stay.off >= 0
