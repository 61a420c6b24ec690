"""One seed, one run: what is the same, what differs, and going on from anywhere (design, rules 1 to 3)."""

import asyncio
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lived import Day, Listening, Log, again, engine_of, founding, log_of, restored, run
from msgspec.structs import replace

from sandbox.core.chance import Chance, Stream
from sandbox.core.clock import HOUR
from sandbox.core.domain import Command
from sandbox.core.events import ZERO, Event, chain_digest, to_row
from sandbox.core.protocols import Question
from sandbox.engine.domain import SetStep, StepSet
from sandbox.engine.engine import Engine
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.feed.events import Writing
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.memory import Memories
from sandbox.people.question_mood import DescribeMood
from sandbox.phones.model import Crossed, Read
from sandbox.phones.question_write import Write
from sandbox.talk.model import Exchanged


def streams(memories: Memories) -> dict[str, tuple]:
    return {who: ([*s], s.since, s.reflected) for who, s in memories.streams.items()}


@pytest.mark.slow
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


class Named(Chance):
    """A source of chance that keeps the names of the streams it gives."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.names: list[tuple[int, str, str, int]] = []

    def stream(self, step: int, agent: str, purpose: str, n: int = 0) -> Stream:
        self.names.append((step, agent, purpose, n))
        return super().stream(step, agent, purpose, n)


def lived(scenario: Scenario, steps: int, early: Sequence[Command]) -> tuple[list[tuple[int, str, str, int]], list]:
    """The names of all streams, and what came to be, without the numbers of events; early: asked for in step 10."""
    world = World.found(founding(scenario))
    world.chance = chance = Named(world.chance.seed)
    engine = run(engine_of(scenario, world=world), 10)
    engine.commands += early
    run(engine, steps - 10)
    seen = [(r.stamp.t, r.stamp.actor, unnumbered(r.event)) for r in log_of(engine).all()]
    return chance.names, [x for x in seen if not isinstance(x[2], StepSet)]


def unnumbered(e: Event) -> Event:
    """The event without the names of facts that came of an event, and what it cites or tells, which hold its number."""
    if isinstance(e, Writing) and e.about is not None:
        return replace(e, about=replace(e.about, cites=0, fact=e.about.fact.rstrip("0123456789")))
    if isinstance(e, Crossed):
        return replace(e, key=re.sub(r"#\d+", "#", e.key))
    if not isinstance(e, Exchanged | Read):
        return e
    if isinstance(e, Exchanged):
        e = replace(e, over=e.over.rstrip("0123456789"))
    return replace(e, told=tuple(replace(row, fact=row.fact.rstrip("0123456789")) for row in e.told))


@pytest.mark.slow
@pytest.mark.parametrize("steps", [150, pytest.param(2880, marks=pytest.mark.long)])
def test_an_event_more_disturbs_nothing_that_comes_after_it(larkspur: Scenario, steps: int) -> None:
    names, seen = lived(larkspur, steps, ())
    names_then, seen_then = lived(larkspur, steps, (SetStep(seconds=larkspur.step),))
    assert len(seen) > 10 * steps // 2
    assert names_then == names
    assert seen_then == seen


@pytest.mark.slow
def test_no_two_questions_to_one_person_draw_the_same(larkspur: Scenario, day: Day) -> None:
    """A mind's stream is named by step, person, type, second and n. What describes a mood draws nothing else; words
    that came to two at once are asked for once more, after the other's are heard.
    """
    world = World.found(founding(replace(larkspur, step=HOUR)))
    slowly = Listening(EmbeddedMind(world.chance, larkspur.lines))
    run(engine_of(larkspur, slowly, world), 6)
    for heard, kinds in ((day.heard, 14), (slowly.heard, 11)):
        asked: dict[tuple[type, str, int, int], Question] = {}
        for q, _ in heard:
            if not isinstance(q, DescribeMood):
                once = replace(q, avoid={}, heard={}) if isinstance(q, Write) else q
                assert asked.setdefault((type(q), q.who, q.now, q.n), once) == once
        assert len({kind for kind, *_ in asked}) >= kinds


@pytest.mark.slow
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


@pytest.mark.slow
def test_memories_read_back_from_the_log_are_those_of_the_living(day: Day) -> None:
    world = World.found(founding(day.scenario), remember=False)
    log = Log()
    log.steps = [again(records) for records in day.steps]
    for record in log.all():
        world.apply(record)
    assert not any(s for s in world.memories.streams.values())
    asyncio.run(world.memories.catch_up(log, world.seq))
    assert world.memories.live
    assert streams(world.memories) == streams(day.world.memories)


def resumed(day: Day, at: int) -> Engine:
    """An engine that goes on from a snapshot after that step, memories read from the log."""
    world = World.found(founding(day.scenario))
    restored(world, day.snapshots[at], [r for step in day.steps[:at] for r in step])
    log = Log()
    log.steps = [list(step) for step in day.steps[:at]]
    asyncio.run(world.memories.catch_up(log, world.seq))
    return Engine(world, EmbeddedMind(world.chance, day.scenario.lines), Log())


@pytest.mark.slow
@given(st.integers(1, 140).map(lambda n: n * 10))
@settings(max_examples=8, deadline=None)
def test_going_on_from_a_snapshot_is_as_if_never_interrupted(day: Day, at: int) -> None:
    engine = run(resumed(day, at), 20)
    assert log_of(engine).rows() == [to_row(r) for step in day.steps[at : at + 20] for r in step]
    assert engine.world.snapshot() == day.snapshots[at + 20]


def test_a_snapshot_given_back_is_the_same_snapshot(day: Day) -> None:
    for at in (10, 700, 1440):
        world = World.found(founding(day.scenario))
        restored(world, day.snapshots[at], [r for step in day.steps[:at] for r in step])
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
        a, b = chain_digest(a, number, rows), chain_digest(b, number, [to_row(r) for r in again(records)])
    assert a == b != ZERO
