"""Step 1's first events: where people are when the world starts."""

from __future__ import annotations

from sandbox.core.clock import DAY
from sandbox.core.protocols import Step
from sandbox.engine.world import World
from sandbox.people.model import Block, Chose, Planned
from sandbox.people.planning import resolve
from sandbox.town.model import Placed


def open_world(step: Step, w: World) -> None:
    """Place those the scenario names, and put to bed those who sleep; the others start their day at home."""
    second = w.clock.second_of_day(0)
    taken: set[int] = set()
    for who, persona in w.cast.items():
        opening = w.scenario.opening.get(who)
        if opening is not None:
            area = w.map.areas[resolve(persona, opening.where)]
            free = [t for t in area.tiles if t not in taken] or list(area.tiles)
            tile = step.chance(who, "opening").choice(free)
            taken.add(tile)
            x, y = w.map.xy(tile)
            step.emit(Placed(x, y), actor=who)
        elif not w.people.residents[who].awake:
            x, y = w.map.xy(w.town.spots[who].tile)
            wake = (persona.routine.wake - second) % DAY
            step.emit(Planned(1, (Block(0, wake, "sleep", persona.home, "asleep"),)), actor=who)
            things = [t for t in w.map.areas[persona.home].things if w.town.spots[who].tile in t.spots]
            thing = things[0].address if things else ""
            step.emit(Chose("sleep", "sleep", persona.home, thing, x, y, wake, 1, True), actor=who)
