"""What changes in the town: where people are, and what objects are doing. And the events that change it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Protocol

import msgspec

from sandbox.core.events import Event
from sandbox.town.grid import Town


class TownParameters(msgspec.Struct, frozen=True):
    """pace: tiles a minute. vision: radius of sight in tiles. bandwidth: how many things one takes in at once."""

    pace: Annotated[int, msgspec.Meta(ge=1, le=240)] = 20
    vision: Annotated[int, msgspec.Meta(ge=1, le=64)] = 12
    bandwidth: Annotated[int, msgspec.Meta(ge=0, le=100)] = 8


class Spot(msgspec.Struct, gc=False):
    """Where a person is. Standing: path is "". Walking: from tile, along path, since t, at pace tiles a minute.

    to: the tile at the path's end.
    """

    tile: int
    t: int
    path: str = ""
    pace: int = 20
    to: int = -1


class InUse(msgspec.Struct, gc=False):
    """An object in use: by whom, and the state it shows."""

    by: str
    state: str


class TownState(msgspec.Struct):
    """spots: person -> where. used: object's address -> use; what is not there is at rest."""

    spots: dict[str, Spot]
    used: dict[str, InUse]


class HasTown(Protocol):
    """The part of a world that this package's handlers and rules touch."""

    map: Town
    town: TownState


class Placed(Event, frozen=True):
    """The actor is put on a tile, without walking."""

    KIND: ClassVar[str] = "placed"
    x: int
    y: int


class Walked(Event, frozen=True):
    """The actor sets out. x, y: from where; path: letters N, S, W, E, one a tile; pace: tiles a minute; to: what
    they go to.
    """

    KIND: ClassVar[str] = "walked"
    x: int
    y: int
    path: str
    pace: int
    to: str


class Arrived(Event, frozen=True):
    """The actor's walk ended where it was to end."""

    KIND: ClassVar[str] = "arrived"
    x: int
    y: int


class Stopped(Event, frozen=True):
    """The actor's walk was broken off at x, y."""

    KIND: ClassVar[str] = "stopped"
    x: int
    y: int
