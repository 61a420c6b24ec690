"""A full disk loses nothing: steps wait in memory and are kept once there is room."""

import asyncio

import pytest

from sandbox.engine.journal import JournalFull
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, play

MANY = 1 << 30


async def limit(save, pages):
    [(now,)] = await save._db.execute_fetchall("PRAGMA page_count")
    await save._db.execute_fetchall(f"PRAGMA max_page_count = {now + pages if pages < MANY else pages}")


async def fill(save, world):
    """Live on, as a player who does not listen, until the journal has complained some times."""
    complaints = 0
    while complaints < 5:
        try:
            await play(save, world, 1, 40, "x" * 300)
        except JournalFull:
            complaints += 1
        await asyncio.sleep(0)


@pytest.mark.parametrize("paced", [True, False])
@pytest.mark.parametrize("where", ["file", ":memory:"])
def test_a_full_disk_loses_nothing(tmp_path, paced, where):
    async def go():
        path = tmp_path / "a.db" if where == "file" else where
        async with await Save.create(path, FOUNDING, machine=MACHINE, paced=paced) as save:
            world = World.found(FOUNDING)
            await limit(save, 20)
            await fill(save, world)
            with pytest.raises(JournalFull, match="no room"):
                await save.settle()
            with pytest.raises(JournalFull):
                await save.retry()
            kept = (await save._db.execute_fetchall("SELECT max(step) FROM steps"))[0][0]
            assert kept < save.last_step == world.step
            assert (await save.seek()).snapshot() == world.snapshot()
            await limit(save, MANY)
            await save.retry()
            await save.settle()
            assert not save._writer.queue
            await play(save, world, 10)
            found = await save.verify()
            assert found.ok, found.why
            return found.steps == world.step + 1, found.digest == save.digest

    assert asyncio.run(go()) == (True, True)


def test_a_close_on_a_full_disk_says_what_is_lost_and_still_closes(tmp_path):
    async def go():
        save = await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE)
        world = World.found(FOUNDING)
        await limit(save, 20)
        await fill(save, world)
        with pytest.raises(JournalFull):
            await save.close()
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            found = await save.verify()
            return found.ok, 1 <= found.steps <= world.step

    assert asyncio.run(go()) == (True, True)
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


def test_a_close_that_finds_room_again_keeps_everything(tmp_path):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            world = World.found(FOUNDING)
            await limit(save, 20)
            await fill(save, world)
            await limit(save, MANY)
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            return (await save.seek()).snapshot() == world.snapshot()

    assert asyncio.run(go())


def test_a_commit_whose_answer_was_lost_is_not_written_twice(tmp_path):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 5)
            batch = list(save._writer.queue)
            await save._writer._transact(batch[:3])
            await save._writer._transact(batch[:4])
            await save.settle()
            await play(save, world, 5)
            found = await save.verify()
            return found.ok, found.steps

    assert asyncio.run(go()) == (True, 11)
