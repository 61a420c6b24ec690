"""One seed, one run: what is the same, what differs, and going on from anywhere (design, rules 1 to 3)."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from lived import Day, Log, again, engine_of, founding, log_of, run

from sandbox.core.log import ZERO, chain, to_row
from sandbox.engine.engine import Engine
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded.mind import EmbeddedMind
from sandbox.people.memory import Memories


def streams(memories: Memories) -> dict[str, tuple]:
    return {who: ([*s.nodes], s.since, s.reflected) for who, s in memories.streams.items()}


def test_the_same_seed_makes_the_same_rows(larkspur: Scenario, day: Day) -> None:
    log = log_of(run(engine_of(larkspur), 120))
    assert log.rows() == [to_row(r) for step in day.steps[:120] for r in step]


def test_another_seed_makes_another_morning(day: Day) -> None:
    log = log_of(run(engine_of(load(find_world("larkspur"), seed=43)), 30))
    assert log.rows() != [to_row(r) for step in day.steps[:30] for r in step]


def test_a_question_more_to_chance_disturbs_no_other(larkspur: Scenario, day: Day) -> None:
    engine = engine_of(larkspur)

    async def ask_chance(step, w) -> None:
        for who in w.cast:
            step.chance(who, "an unrelated question").normal()

    engine._systems = (ask_chance, *engine._systems, ask_chance)
    assert log_of(run(engine, 60)).rows() == [to_row(r) for step in day.steps[:60] for r in step]


def test_applying_the_log_gives_the_state_to_the_byte_and_looks_for_no_way(day: Day) -> None:
    world = World.found(founding(day.scenario))
    for number, records in enumerate(day.steps, 1):
        for record in again(records):
            world.apply(record)
        world.advance(number)
        if number in day.snapshots:
            assert world.snapshot() == day.snapshots[number], f"step {number}"
    assert "ways" not in world.__dict__
    assert streams(world.memories) == streams(day.world.memories)


def test_memories_read_back_from_the_log_are_those_of_the_living(day: Day) -> None:
    world = World.found(founding(day.scenario), remember=False)
    log = Log()
    log.steps = [again(records) for records in day.steps]
    for record in log.all():
        world.apply(record)
    assert not any(s.nodes for s in world.memories.streams.values())
    asyncio.run(world.memories.catch_up(log, world.seq))
    assert world.memories.live
    assert streams(world.memories) == streams(day.world.memories)


def resumed(day: Day, at: int) -> Engine:
    """An engine that goes on from a snapshot after that step, memories read from the log."""
    world = World.found(founding(day.scenario))
    world.restore(day.snapshots[at])
    log = Log()
    log.steps = [list(step) for step in day.steps[:at]]
    asyncio.run(world.memories.catch_up(log, world.seq))
    return Engine(world, EmbeddedMind(world.chance, day.scenario.lines), Log())


@given(st.integers(1, 140).map(lambda n: n * 10))
@settings(max_examples=8, deadline=None)
def test_going_on_from_a_snapshot_is_as_if_never_interrupted(day: Day, at: int) -> None:
    engine = run(resumed(day, at), 20)
    assert log_of(engine).rows() == [to_row(r) for step in day.steps[at : at + 20] for r in step]
    assert engine.world.snapshot() == day.snapshots[at + 20]


def test_a_snapshot_given_back_is_the_same_snapshot(day: Day) -> None:
    for at in (10, 700, 1440):
        world = World.found(founding(day.scenario))
        world.restore(day.snapshots[at])
        assert world.snapshot() == day.snapshots[at]


def test_going_back_in_one_world_forgets_what_came_after(day: Day) -> None:
    world = World.found(founding(day.scenario))
    log = Log()
    log.steps = [list(step) for step in day.steps[:60]]
    for number, records in enumerate(log.steps, 1):
        for record in records:
            world.apply(record)
        world.advance(number)
    world.restore(day.snapshots[30])
    asyncio.run(world.memories.catch_up(log, world.seq))
    fresh = resumed(day, 30).world
    assert streams(world.memories) == streams(fresh.memories)


def test_rows_read_back_give_the_same_rows_and_digest(day: Day) -> None:
    a = b = ZERO
    for number, records in enumerate(day.steps, 1):
        rows = [to_row(r) for r in records]
        assert [to_row(r) for r in again(records)] == rows
        a, b = chain(a, number, rows), chain(b, number, [to_row(r) for r in again(records)])
    assert a == b != ZERO
