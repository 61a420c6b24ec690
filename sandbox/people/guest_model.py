"""Guests, who come to town while it runs: what a world defines about them, and who is here or has left."""

from __future__ import annotations

from typing import Annotated, Protocol

import msgspec

from sandbox.core.fields import meta, names
from sandbox.people.persona import PastTie, Persona, Pressure

NIGHTS = 14  # most nights a guest stays
FOR_GOOD = -1  # `until` of somebody who does not mean to leave


class Visit(msgspec.Struct, frozen=True, omit_defaults=True):
    """What brings a guest. to: whom they visit, "" for nobody; why: the purpose, completing "has come to town";
    matter: what they have to discuss with that person, worded as a pressure's stakes ("the song he never finished");
    nights: how long they stay. regards: how people of the cast (`with`) felt about them before.
    """

    to: Annotated[str, meta(most=40), names("resident")] = ""
    why: Annotated[str, meta('"to measure the meadow"', most=160)] = ""
    matter: Annotated[str, meta(most=200)] = ""
    nights: Annotated[int, meta(low=1, high=NIGHTS, usual=3)] = 3
    regards: tuple[PastTie, ...] = ()


class Guest(msgspec.Struct, frozen=True):
    """Somebody who may come. Their persona's home is where they stay."""

    persona: Persona
    visit: Visit = Visit()


class Stay(msgspec.Struct):
    """A guest's stay. persona: as they came; way: the tile where they enter and leave; came, seq: second and number of
    the event; until: second from which they leave, FOR_GOOD for never; off: second at which they set off, -1 before;
    left: second at which they were gone, -1 while here; pressures: those they brought.
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
    """stays: person -> their latest stay, in the order of their first."""

    stays: dict[str, Stay] = msgspec.field(default_factory=dict)


class HasGuests(Protocol):
    """The part of a world that says who is here."""

    @property
    def guests(self) -> GuestState:
        """Who has come."""


def in_town(w: HasGuests, who: str) -> bool:
    """Whether somebody is in town: everybody is except guests who have left."""
    stay = w.guests.stays.get(who)
    return stay is None or stay.left < 0


def leaving(w: HasGuests, who: str) -> bool:
    """Whether somebody is on their way out of town, or has left."""
    stay = w.guests.stays.get(who)
    return stay is not None and stay.off >= 0
