"""What holds in the town for a while, as the screen says and marks it: rain, a blackout, a shut door or account."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandbox.core.clock import DAY
from sandbox.core.text import clean
from sandbox.engine.world import World
from sandbox.town.conditions import TownCondition
from sandbox.town.plan import sector_of
from sandbox.tui.map.picture import Picture
from sandbox.tui.map.weather import CLEAR, Weather
from sandbox.tui.view.viewer import Viewer

SHUT = " shut "
CALLED = {"rain": "rain", "blackout": "blackout"}
LETTERS = 40  # of what is said of one of them


class MapMark(NamedTuple):
    """Words at a place of the map, in tiles."""

    x: float
    y: float
    text: str


def weather(world: World) -> Weather:
    """Where it rains and where there is no light; a room's part of town stands for it."""
    found = world.conditions.open.values()
    if not found:
        return CLEAR
    rain, dark = (frozenset(sector_of(c.where) for c in found if c.kind == kind) for kind in CALLED)
    return Weather(rain, dark)


def marks(world: World, picture: Picture) -> list[MapMark]:
    """What stands on the map over places that are shut: at their door, else in their middle."""
    found = (sector_of(c.where) for c in world.conditions.open.values() if c.kind == "shut" and c.where)
    return [_mark(picture, sector) for sector in dict.fromkeys(found) if sector in picture.names]


def _mark(picture: Picture, sector: str) -> MapMark:
    terrain, number = picture.terrain, picture.names[sector]
    rows, columns = np.nonzero(terrain.door & (terrain.building == number) & terrain.outer)
    if not len(rows):
        rows, columns = np.nonzero(terrain.door & (terrain.sector == number))
    if len(rows):
        at = int(rows.argmax())  # the door nearest to whoever looks
        return MapMark(float(columns[at]), float(rows[at]), SHUT)
    x, y, wide, high = picture.plan.sectors[number].rect
    return MapMark(x + wide / 2, y + high / 2, SHUT)


def weather_words(viewer: Viewer) -> list[str]:
    """What holds now and until when, that of the whole town first: "rain to 13:00", "the bakery shut to 12:00"."""
    world, t = viewer.world, int(viewer.shown)
    found = sorted(world.conditions.open.values(), key=lambda c: (c.where != "" or c.who != "", c.until, c.seq))
    return [clean(_words(viewer, c, t), LETTERS) for c in found if c.until > t]


def _words(viewer: Viewer, c: TownCondition, t: int) -> str:
    world = viewer.world
    clock = world.clock
    to = clock.hhmm(c.until) if c.until - t < DAY else clock.words(c.until)
    place = world.handbook.place(c.where) if c.where else ""
    if c.kind == "shut":
        return f"{place or 'everything'} shut to {to}"
    if c.kind == "muted":
        return f"{viewer.name(c.who)} off the feed to {to}"
    return f"{CALLED[c.kind]}{f' in {place}' if place else ''} to {to}"
