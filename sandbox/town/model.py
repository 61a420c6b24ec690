"""The changing state of the town, positions and objects in use, and the events that change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, cast

import msgspec

from sandbox.core.events import Event, Record
from sandbox.town.grid import TownMap
from sandbox.town.ways import Spot, end_of

SQUARE = 8  # side, in tiles, of the squares of the spatial index
FEW = 100  # up to so many people, checking everybody is faster than the index
_NOBODY: frozenset[str] = frozenset()


class TownParameters(msgspec.Struct, frozen=True):
    """pace: tiles a minute. vision: radius of sight in tiles. bandwidth: how many things one takes in at once."""

    pace: Annotated[int, msgspec.Meta(ge=1, le=240)] = 20
    vision: Annotated[int, msgspec.Meta(ge=1, le=64)] = 12
    bandwidth: Annotated[int, msgspec.Meta(ge=0, le=100)] = 8


class InUse(msgspec.Struct, gc=False):
    """An object in use: by whom, and the state it shows."""

    by: str
    state: str


class Spots(dict[str, Spot]):
    """Person -> position, in the order of the cast, with a spatial index to find who is near a tile.

    The index, built at the first query in a large town, lists people in the squares they stand in or walk through.
    """

    def __init__(self, spots: Mapping[str, Spot]) -> None:
        super().__init__(spots)
        self._width = 0  # of the map; 0 until somebody asks
        self._squares: dict[tuple[int, int], set[str]] = {}
        self._entered: dict[str, set[tuple[int, int]]] = {}
        self._rank: dict[str, int] = {}

    def __setitem__(self, who: str, spot: Spot) -> None:
        super().__setitem__(who, spot)
        if self._width:
            for square in self._entered.get(who, ()):
                self._squares[square].discard(who)
            self._enter(who, spot)

    def near(self, tile: int, reach: int, width: int) -> list[str]:
        """People who may be within `reach` tiles of a tile on both axes now or on their way, in the order of the cast.

        width: of the map.
        """
        if len(self) <= FEW:
            return list(self)
        if not self._width:
            self._width = width
            for who, spot in self.items():
                self._enter(who, spot)
        x, y, reach = tile % width, tile // width, reach + SQUARE // 2
        found: set[str] = set()
        for row in range((y - reach) // SQUARE, (y + reach) // SQUARE + 1):
            for column in range((x - reach) // SQUARE, (x + reach) // SQUARE + 1):
                found |= self._squares.get((column, row), _NOBODY)
        return sorted(found, key=self._rank.__getitem__)

    def _enter(self, who: str, spot: Spot) -> None:
        """Index somebody where they stand and at every eighth tile of their path: within half a square of any tile."""
        width, tile = self._width, spot.tile
        squares = {(tile % width // SQUARE, tile // width // SQUARE)}
        for i in range(0, len(spot.path), SQUARE):
            tile = end_of(tile, spot.path[i : i + SQUARE], width)
            squares.add((tile % width // SQUARE, tile // width // SQUARE))
        self._entered[who] = squares
        self._rank.setdefault(who, len(self._rank))
        for square in squares:
            self._squares.setdefault(square, set()).add(who)


class TownState(msgspec.Struct):
    """spots: person -> position. used: object's address -> use; objects not listed are idle."""

    spots: dict[str, Spot]
    used: dict[str, InUse]

    def __post_init__(self) -> None:
        self.spots = Spots(self.spots)

    def near(self, tile: int, reach: int, width: int) -> list[str]:
        """`Spots.near`: a snapshot knows its spots as a plain table."""
        return cast(Spots, self.spots).near(tile, reach, width)


class HasTown:
    """The part of a world that this package's handlers and rules touch."""

    map: TownMap
    town: TownState


class Move(Event, frozen=True):
    """An event that sets the actor's position: at x, y, or on a path from there."""

    x: int
    y: int

    def spot(self, t: int, width: int) -> Spot:
        """Where they are from then on. width: of the map."""
        return Spot(self.y * width + self.x, t)


def spot_after(record: Record, width: int) -> Spot | None:
    """Where an event leaves its actor; None if it moves nobody. width: of the map."""
    return record.event.spot(record.stamp.t, width) if isinstance(record.event, Move) else None


class Placed(Move, frozen=True):
    """The actor is put on a tile, without walking."""

    KIND: ClassVar[str] = "placed"


class Walked(Move, frozen=True):
    """The actor sets out. x, y: start; path: letters N, S, W, E, one a tile; pace: tiles a minute; to: address of the
    destination.
    """

    KIND: ClassVar[str] = "walked"
    path: str
    pace: int
    to: str

    def spot(self, t: int, width: int) -> Spot:
        tile = self.y * width + self.x
        return Spot(tile, t, self.path, self.pace, end_of(tile, self.path, width))


class Arrived(Move, frozen=True):
    """The actor's walk ended where it was to end."""

    KIND: ClassVar[str] = "arrived"


class Stopped(Move, frozen=True):
    """The actor's walk was broken off at x, y."""

    KIND: ClassVar[str] = "stopped"
