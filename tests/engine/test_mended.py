"""What once went wrong does not again: nights, beds, broken steps, memories without moods."""

import msgspec
import pytest
from lived import Day, engine_of, founding, log_of, run

from sandbox.core.clock import DAY, HOUR
from sandbox.core.domain import Command, CommandEvent, Domain
from sandbox.core.events import BadNumber
from sandbox.engine.engine import EngineBroken
from sandbox.engine.registry import REGISTRY, Registry
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.model import Chose, Felt, Planned, Recalled, set_due
from sandbox.people.mood import Pad
from sandbox.talk.model import Exchanged


@pytest.mark.slow
@pytest.mark.parametrize("bedtime", [0, 90 * 60])
def test_a_plan_upset_after_midnight_does_not_cost_the_night(larkspur: Scenario, bedtime: int) -> None:
    routines = [msgspec.structs.replace(p.routine, sleep=bedtime, wake=8 * HOUR) for p in larkspur.cast]
    cast = tuple(msgspec.structs.replace(p, routine=r) for p, r in zip(larkspur.cast, routines, strict=True))
    late = msgspec.structs.replace(larkspur, cast=cast, step=180, start="2025-03-04 18:00", opening={})
    engine = run(engine_of(late), (6 * HOUR + 6 * 60) // 180)  # to 00:06
    clock, people = engine.world.clock, engine.world.people
    for who, r in people.residents.items():
        if r.awake:
            r.upset, r.replan = "overrun", "the talk ran over"
            set_due(people, who, engine.world.now)
    run(engine, 1)
    nights = [
        (stamp, event)
        for stamp, event in log_of(engine).all()
        if isinstance(event, Planned) and event.why and clock.second_of_day(stamp.t) < 5 * HOUR
    ]
    assert len(nights) >= 3
    for stamp, event in nights:
        assert event.blocks[-1].start - stamp.t < 4 * HOUR, clock.words(stamp.t)
    planned = [e for _, e in log_of(engine).all() if isinstance(e, Planned)]
    assert all(e.blocks[-1].do == "sleep" for e in planned)


@pytest.mark.slow
def test_everybody_sleeps_in_a_bed_of_their_own(larkspur: Scenario) -> None:
    """Where nobody can lose a home: without claims."""
    off = {**larkspur.parameters, "claims.on": False}
    settled = msgspec.structs.replace(larkspur, parameters=off, step=600, start="2025-03-04 17:00", opening={})
    engine = run(engine_of(settled), (DAY + 10 * HOUR) // 600)  # two nights
    beds: dict[str, set[str]] = {}
    for stamp, e in log_of(engine).all():
        if isinstance(e, Chose) and e.block == "sleep":
            beds.setdefault(stamp.actor, set()).add(e.thing)
    assert {who: len(found) for who, found in beds.items()} == dict.fromkeys([p.id for p in larkspur.cast], 1)


def test_the_opening_decides_what_people_are_at(larkspur: Scenario) -> None:
    engine = run(engine_of(larkspur), 1)
    first = {s.actor: e for s, e in reversed(log_of(engine).all()) if isinstance(e, Chose)}
    for who, opening in larkspur.opening.items():
        assert (first[who].block, first[who].where) == (opening.do, opening.where), who


def test_a_step_that_breaks_is_the_last(larkspur: Scenario) -> None:
    bad = Felt(Pad(0.0, 0.0, float("nan")), Pad(0.0, 0.0, 0.0), "joy", "a bad number")
    breaks = Domain("breaks", commands={Command: lambda w, c: (CommandEvent(bad, "mara"),)})
    world = World(larkspur, Registry((*REGISTRY.domains, breaks)))
    world.seq = 1
    engine = run(engine_of(larkspur, world=world), 3)
    engine.do(Command())
    before = engine.world.seq
    with pytest.raises(BadNumber):
        run(engine, 1)
    assert engine.world.seq == before, "the bad event changed nothing"
    assert not engine.commands, "it is not offered again"
    with pytest.raises(EngineBroken, match="step 4 broke off"):
        run(engine, 1)
    assert len(log_of(engine).steps) == 3


def test_without_moods_talk_is_remembered_all_the_same(larkspur: Scenario) -> None:
    calm = msgspec.structs.replace(larkspur, parameters={**larkspur.parameters, "mood.on": False})
    engine = run(engine_of(calm), 90)
    talks = [e for _, e in log_of(engine).all() if isinstance(e, Exchanged)]
    assert all(e.shifts == () for e in talks)
    worded = [e for e in talks if all(line.text for line in e.lines)]
    assert worded
    for e in worded:
        for own, others in (e.lines, e.lines[::-1]):
            texts = [m.text for m in engine.world.memories.streams[own.who]]
            assert any(own.text in t and others.text in t for t in texts)


def test_memories_carry_the_mood_they_were_made_in(day: Day) -> None:
    nodes = [m for s in day.world.memories.streams.values() for m in s if m.kind == "event"]
    tagged = [m for m in nodes if any(m.after)]
    assert len(tagged) > 0.95 * len(nodes)


@pytest.mark.slow
def test_what_comes_to_mind_is_told_once_a_person_and_step(larkspur: Scenario) -> None:
    engine = run(engine_of(msgspec.structs.replace(larkspur, step=1200)), 24)
    seen = [(s.step, s.actor) for s, e in log_of(engine).all() if isinstance(e, Recalled)]
    assert seen
    assert len(seen) == len(set(seen))


def test_moods_rest_at_zero_unless_a_world_says_otherwise(larkspur: Scenario) -> None:
    plain = World.found(founding(msgspec.structs.replace(larkspur, parameters={})))
    assert {r.mood.rest for r in plain.people.residents.values()} == {Pad(0.0, 0.0, 0.0)}
    shipped = World.found(founding(larkspur))
    assert len({r.mood.rest for r in shipped.people.residents.values()}) > 20
