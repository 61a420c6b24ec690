"""One person's moods may last longer or shorter than everybody's: their file says so, and all who ask go by it."""

from __future__ import annotations

import math

import msgspec
import pytest
from lived import engine_of, founding, log_of, run
from msgspec.structs import replace

from sandbox.core.clock import MINUTE
from sandbox.engine.scenario import Scenario
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.people.model import Chose
from sandbox.people.mood import Cause, Pad
from sandbox.people.mood_queries import describe, half_life, ledger_of, mood_of, tag_of
from sandbox.people.persona import Temper
from sandbox.talk.content import mood_of as talked_of
from sandbox.tui.view.recent_moods import RecentMoods

WHO, OTHER = "mara", "basil"


def with_temper(scenario: Scenario, minutes: float | None, **parameters: object) -> Scenario:
    """The scenario with a half-life of one person's own."""
    cast = tuple(replace(p, mood=Temper(minutes)) if p.id == WHO else p for p in scenario.cast)
    return replace(scenario, cast=cast, parameters=parameters)


def glad(scenario: Scenario) -> World:
    """Its world, in which two people have just been pleased as much."""
    world = World.found(founding(scenario))
    for who in (WHO, OTHER):
        mood = world.people.residents[who].mood
        mood.pad, mood.t = Pad(0.8, 0.0, 0.0), 0
        mood.causes.append(Cause(0.8, 0.0, 0.0, 0, 1, "a letter"))
    return world


def test_a_mood_of_ones_own_half_life_is_half_gone_by_then(larkspur: Scenario) -> None:
    world = glad(with_temper(larkspur, 30))
    assert half_life(world, WHO) == 30
    assert half_life(world, OTHER) == world.mood_parameters.half_life == 120
    assert mood_of(world, WHO, 30 * MINUTE).p == pytest.approx(0.4)
    assert mood_of(world, OTHER, 30 * MINUTE).p == pytest.approx(0.8 * 2**-0.25)


def test_all_who_ask_go_by_it(larkspur: Scenario) -> None:
    world, t = glad(with_temper(larkspur, 30)), 60 * MINUTE
    view = View(world)
    assert view.pad(WHO, t).p == pytest.approx(0.2)
    assert sum(c.p for c in view.causes(WHO, t)) == pytest.approx(0.2)
    assert sum(c.p for c in ledger_of(world, WHO, t)) == pytest.approx(0.2)
    assert tag_of(world, WHO, t).p == talked_of(world, WHO, t).p == pytest.approx(0.2)
    assert describe(world, WHO, t).mood.p == pytest.approx(0.2)
    (pulse,) = RecentMoods().felt(view, WHO, t, 1, span=MINUTE)
    assert pulse == pytest.approx(0.2)


def test_what_they_do_carries_it(larkspur: Scenario) -> None:
    def last(minutes: float | None) -> float:
        scenario = with_temper(larkspur, minutes)
        log = log_of(run(engine_of(scenario, world=glad(scenario)), 60)).all()
        return [r.event.mood[0] for r in log if isinstance(r.event, Chose) and r.stamp.actor == WHO][-1]

    assert last(1) < last(None)


def test_where_no_mood_fades_nobodys_does(larkspur: Scenario) -> None:
    world = glad(with_temper(larkspur, 30, **{"mood.decay": False}))
    assert half_life(world, WHO) == math.inf
    assert mood_of(world, WHO, 10**6).p == 0.8


def test_who_says_nothing_of_it_is_as_they_were(larkspur: Scenario) -> None:
    """To the byte: event 1 of a world without it holds nothing of it, and old saves open."""
    plain = msgspec.json.decode(msgspec.json.encode(larkspur))
    assert not any("mood" in person for person in plain["cast"])
    assert msgspec.json.decode(msgspec.json.encode(larkspur), type=Scenario) == larkspur
    assert half_life(World.found(founding(larkspur)), WHO) == 120
    changed = with_temper(larkspur, 90)
    assert msgspec.json.decode(msgspec.json.encode(changed), type=Scenario) == changed
