"""Walking as arithmetic: where somebody is at a second, and when they arrive."""

from __future__ import annotations

import msgspec

STEPS = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}  # letter of a path -> column and row


class Spot(msgspec.Struct, gc=False):
    """Where a person is. Standing: path is "". Walking: from tile, along path, since t, at pace tiles a minute.

    to: the tile at the path's end.
    """

    tile: int
    t: int
    path: str = ""
    pace: int = 20
    to: int = -1


def arrival_time(spot: Spot) -> int:
    """The second at which a walk ends, rounded up (its start when standing)."""
    return spot.t + -(-len(spot.path) * 60 // spot.pace)


def tiles_walked(spot: Spot, t: int) -> int:
    """How many tiles of the path lie behind at t."""
    return min(len(spot.path), max(0, (t - spot.t) * spot.pace // 60))


def tile_at(spot: Spot, t: int, width: int) -> int:
    """The tile a person is on at t."""
    if not spot.path:
        return spot.tile
    n = tiles_walked(spot, t)
    if n >= len(spot.path):
        return spot.to
    return end_of(spot.tile, spot.path[:n], width)


def map_position(spot: Spot, t: float, width: int) -> tuple[float, float]:
    """Column and row at a moment, between tiles while walking (for the screen)."""
    done = min(float(len(spot.path)), max(0.0, (t - spot.t) * spot.pace / 60))
    n = int(done)
    tile = end_of(spot.tile, spot.path[:n], width)
    dx, dy = STEPS[spot.path[n]] if n < len(spot.path) else (0, 0)
    return tile % width + dx * (done - n), tile // width + dy * (done - n)


def end_of(tile: int, path: str, width: int) -> int:
    """The tile at the end of a path."""
    return tile + path.count("E") - path.count("W") + width * (path.count("S") - path.count("N"))
