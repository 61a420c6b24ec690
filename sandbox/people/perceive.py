"""The system of perception: who sees whom doing what, and which sights are remembered.

Same arena first, nearest first, as many as attention allows; a sight like one of the latest is not stored again
(docs/mechanisms.md, Perception).
"""

from __future__ import annotations

from sandbox.core.events import Record
from sandbox.core.protocols import Step
from sandbox.people.model import Chose, Noticed, Sight, Woke
from sandbox.people.mood_queries import tag_of
from sandbox.people.planning import HasWays
from sandbox.town.model import Arrived, Placed, Stopped, Walked, spot_after
from sandbox.town.ways import Spot, tile_at

GLANCE = 300.0  # seconds between two looks around, on average
STICKS = 0.35  # chance that a sight sticks within five minutes
ROW = 1 << 20  # cells in a row, more than any map has
AROUND = (0, -1, 1, -ROW, ROW, -ROW - 1, ROW + 1, ROW - 1, 1 - ROW)  # a cell and those that touch it


def awake_tiles(w: HasWays, t: int) -> dict[str, int]:
    """Where those who are awake stand at t."""
    width = w.map.width
    spots = w.town.spots
    return {who: tile_at(spots[who], t, width) for who, r in w.people.residents.items() if r.awake}


def area_at(w: HasWays, who: str, t: int) -> str:
    """The area somebody is in at t; "" out of doors between them."""
    return w.map.area_of[tile_at(w.town.spots[who], t, w.map.width)]


def near_pairs(w: HasWays, tiles: dict[str, int], radius: int) -> list[tuple[str, str, int]]:
    """Pairs (in cast order) no more than `radius` tiles apart on either axis, with the squared distance."""
    width = w.map.width
    cells: dict[int, list[tuple[str, int, int]]] = {}
    out = []
    for who, tile in tiles.items():
        x, y = tile % width, tile // width
        cell = y // radius * ROW + x // radius
        for aside in AROUND:
            for other, ox, oy in cells.get(cell + aside, ()):
                dx, dy = x - ox, y - oy
                if -radius <= dx <= radius and -radius <= dy <= radius:
                    out.append((other, who, dx * dx + dy * dy))
        cells.setdefault(cell, []).append((who, x, y))
    return out


def in_view(w: HasWays, a: int, b: int) -> bool:
    """Whether one who stands on one tile sees somebody on another."""
    width, vision, plan = w.map.width, w.town_parameters.vision, w.map
    far = (a % width - b % width) ** 2 + (a // width - b // width) ** 2
    if far > vision * vision:
        return False
    if far > 36 and plan.inside[a] != plan.inside[b] and plan.area_of[a] != plan.area_of[b]:
        return False
    return w.ways.sees(a, b)


def visible_activity(w: HasWays, who: str) -> str:
    """What somebody looks to be doing: an activity's key, or walk, talk."""
    r = w.people.residents[who]
    if r.talk:
        return "talk"
    if w.town.spots[who].path:
        return "walk"
    return r.act.do if r.act else "rest"


async def perceive(step: Step, w: HasWays) -> None:
    """Let those who are awake look around, each every few minutes."""
    tiles = awake_tiles(w, step.now)
    vision, bandwidth = w.town_parameters.vision, w.town_parameters.bandwidth
    area_of = w.map.area_of
    look = min(1.0, (step.end - step.now) / GLANCE)
    chances = 1.0 - (1.0 - STICKS) ** (GLANCE / 300.0)
    looking = {who for who, lot in zip(tiles, step.lots(tiles, "look"), strict=True) if lot < look}
    views: dict[str, list[tuple[int, int, str]]] = {}
    for a, b, far in near_pairs(w, tiles, vision):
        if a not in looking and b not in looking:
            continue
        ta, tb = tiles[a], tiles[b]
        if not in_view(w, ta, tb):
            continue
        same = area_of[ta] == area_of[tb]
        views.setdefault(a, []).append((not same, far, b))
        views.setdefault(b, []).append((not same, far, a))
    for who in tiles:
        view = views.get(who)
        if not view or who not in looking:
            continue
        seen = w.people.residents[who].seen
        view.sort()
        sights = []
        chance = None
        for _, _, other in view[:bandwidth]:
            do = visible_activity(w, other)
            if do in ("walk", "talk", "rest") or f"{other}|{do}" in seen:
                continue
            chance = chance or step.chance(who, "notice")
            if chance.unit() < chances:
                sights.append(Sight(other, do, area_of[tiles[other]]))
        if sights:
            t = max(step.now, w.last.get(who, 0))
            mood = tag_of(w, who, t)
            step.emit(Noticed(tuple(sights), mood), t=t, actor=who)
    await step.breathe()


# ---- where people were, by the log


WALKS = (Placed.KIND, Walked.KIND, Arrived.KIND, Stopped.KIND)
MOVES = (*WALKS, Woke.KIND, Chose.KIND)


class Whereabouts:
    """Where people stand and who is awake, as the log of their walks tells it. Records must come in order."""

    def __init__(self, width: int) -> None:
        self.spots: dict[str, Spot] = {}
        self.asleep: set[str] = set()
        self._abed: set[str] = set()  # they go to bed, and sleep once they are there
        self._width = width

    def take(self, record: Record) -> None:
        """Take in the next record."""
        who, e = record.stamp.actor, record.event
        if (spot := spot_after(record, self._width)) is not None:
            self.spots[who] = spot
            if who in self._abed and not spot.path:
                self.asleep.add(who)
        elif isinstance(e, Woke):
            self.asleep.discard(who)
            self._abed.discard(who)
        elif isinstance(e, Chose):
            self._abed.discard(who)
            if e.block == "sleep":
                (self.asleep if e.there else self._abed).add(who)

    def tile(self, who: str, t: int) -> int:
        """The tile somebody stands on at t, -1 if that is not known."""
        spot = self.spots.get(who)
        return tile_at(spot, t, self._width) if spot is not None else -1
