"""The same promises with the real town: an hour of Larkspur lived, left, gone on with and proved."""

import asyncio

import pytest

from sandbox.core.clock import DAY
from sandbox.core.events import Record, Stamp
from sandbox.engine.drivers import run_free
from sandbox.engine.engine import Engine
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Founded
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.store.save import Save
from sandbox.store.session import create_save, open_session

STEPS = 60


@pytest.fixture(scope="module")
def founding():
    return Record(Stamp(1, 0, 0, "", ()), Founded(load(find_world("larkspur")), {}))


async def live(world, save, steps):
    engine = Engine(world, EmbeddedMind(world.chance, world.scenario.lines), save)
    for _ in range(steps):
        await engine.step()


@pytest.mark.slow
def test_a_save_is_the_life_it_keeps(founding, tmp_path):
    async def go():
        world = World.found(founding)
        async with await Save.create(tmp_path / "a.db", founding) as save:
            await live(world, save, STEPS)
        async with await Save.open(tmp_path / "a.db", read_only=True) as save:
            assert (await save.found()).event.scenario == founding.event.scenario
            assert (await save.seek()).snapshot() == world.snapshot()
            found = await save.verify()
            assert found.ok, found.why
            return found.steps

    assert asyncio.run(go()) == STEPS + 1


@pytest.mark.slow
def test_a_life_gone_on_with_is_the_life_of_one_sitting(founding, tmp_path):
    async def go():
        async with await Save.create(":memory:", founding) as one:
            await live(World.found(founding), one, STEPS)
            digests = [s.digest for s in await one.steps()]
        async with await Save.create(tmp_path / "b.db", founding) as first:
            await live(World.found(founding), first, STEPS // 2)
        async with await Save.open(tmp_path / "b.db") as second:
            world = await second.seek()
            await world.memories.catch_up(second, second.last_seq)
            await live(world, second, STEPS - STEPS // 2)
            again = [s.digest for s in await second.steps()]
        return [step for step, (a, b) in enumerate(zip(digests, again, strict=True)) if a != b]

    assert asyncio.run(go()) == []


@pytest.mark.long
def test_each_state_of_thirty_days_is_taken_with_what_is_kept_beside_it(tmp_path):
    """The feed has changed its ways by then: follows of so large a graph wait before they are read."""

    async def go():
        path = tmp_path / "a.db"
        await (await create_save(load(find_world("larkspur"), seed=42, step=60), path)).close()
        async with open_session(path) as session:
            await run_free(session.engine, until=30 * DAY)
        async with await Save.open(path, read_only=True) as save:
            kept = await save.cached("snapshots")
            waiting = [len((await save.seek(step)).feed.graph.waiting) for step in kept[::5]]
            return max(waiting), save.warnings

    waited, warnings = asyncio.run(go())
    assert waited > 0
    assert not warnings
