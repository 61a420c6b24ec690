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
    look = min(1.0, (step.end - step.now) / GLANCE)
    for who in tiles:
        if look >= 1.0 or step.chance(who, "look").unit() < look:
            sights = _sights(step, w, who, tiles)
            if sights:
                t = max(step.now, w.last.get(who, 0))
                step.emit(Noticed(sights, tag_of(w, who, t)), t=t, actor=who)
    await step.breathe()


def _sights(step: Step, w: HasWays, who: str, tiles: dict[str, int]) -> tuple[Sight, ...]:
    """What sticks with somebody of what they see, looking around. tiles: where those who are awake stand."""
    here, width, area_of, vision = tiles[who], w.map.width, w.map.area_of, w.town_parameters.vision
    x, y, in_order = here % width, here // width, False
    view = []
    for other in w.town.near(here, vision, width):
        there = tiles.get(other, -1)
        dx, dy = x - there % width, y - there // width
        if other == who:
            in_order = True
        elif there < 0 or not (-vision <= dx <= vision and -vision <= dy <= vision):
            continue
        elif in_view(w, *((here, there) if in_order else (there, here))):
            view.append((area_of[here] != area_of[there], dx * dx + dy * dy, other))
    view.sort()
    seen, chance = w.people.residents[who].seen, step.chance(who, "notice")
    chances = 1.0 - (1.0 - STICKS) ** (GLANCE / 300.0)
    sights = []
    for _, _, other in view[: w.town_parameters.bandwidth]:
        do = visible_activity(w, other)
        if do not in ("walk", "talk", "rest") and f"{other}|{do}" not in seen and chance.unit() < chances:
            sights.append(Sight(other, do, area_of[tiles[other]]))
    return tuple(sights)


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
