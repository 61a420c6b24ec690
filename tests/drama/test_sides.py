"""Who hears a row may take a side: two at most, the side of whom they like better, and it costs the other."""

from __future__ import annotations

from lived import Day
from staged import Stage, pressure

from sandbox.drama.consequences import SIDES, PressureDeed, move_pressure
from sandbox.engine.scenario import Scenario
from sandbox.people.handlers import tie
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_model import Ended, Stirred


def test_a_row_on_the_square_divides_those_who_hear_it(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("grudge", "mara", "vera", stage=1))
    world = stage.world
    stage.press(0)
    spot = world.town.spots["mara"]
    for who in ("vera", "otis", "una", "yara", "jory"):
        world.town.spots[who] = type(spot)(spot.tile, 0)
        world.people.residents[who].awake = True
    for who in ("otis", "una", "yara"):
        tie(world.people, who, "mara").feeling, tie(world.people, who, "vera").feeling = 0.6, 0.1
    tie(world.people, "jory", "mara").feeling = tie(world.people, "jory", "vera").feeling = 0.2
    step = stage.step(60)
    p = world.pressures.open["grudge"]
    move_pressure(step, world, PressureDeed(p, Effect(by=0.1), "mara", "vera", "confront", "refuse", hostile=True))
    (event,) = [r.event for r in step.records if isinstance(r.event, Stirred)]
    sides = [f for f in event.feelings if f.u not in ("mara", "vera")]
    assert len(sides) == SIDES
    assert {f.v for f in sides} == {"vera"}
    assert all(f.delta < 0 and f.u in ("otis", "una", "yara") for f in sides)
    assert all("Mara's side" in f.why for f in sides)


def test_nobody_takes_a_side_where_there_is_no_row(day: Day) -> None:
    touched = day.of(Stirred, Ended)
    assert sum(not e.hostile for _, e in touched) > 10
    for stamp, e in touched:
        others = [f for f in e.feelings if f.u not in (stamp.actor, e.to)]
        assert len(others) <= (SIDES if e.hostile else 0)
