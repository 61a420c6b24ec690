"""One plays, any number watch, and watching leaves no trace."""

import asyncio
import os
import sqlite3

import pytest

from sandbox.store.errors import SaveError
from sandbox.store.lock import WriteLock, side_file
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, make, play


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def test_a_second_player_is_refused_at_once(tmp_path):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 5)
            with pytest.raises(SaveError, match="being played by another process"):
                await Save.open(tmp_path / "a.db")
            with pytest.raises(SaveError, match="being played by another process"):
                await Save.create(tmp_path / "a.db", FOUNDING, overwrite=True)
        async with await Save.open(tmp_path / "a.db", machine=MACHINE) as save:
            return save.last_step

    assert asyncio.run(go()) == 5
    assert names(tmp_path) == ["a.db"]


def test_two_names_of_one_save_are_one_save(tmp_path):
    async def go():
        os.symlink(tmp_path / "a.db", tmp_path / "b.db")
        async with await Save.create(tmp_path / "a.db", FOUNDING):
            with pytest.raises(SaveError, match="being played"):
                await Save.open(tmp_path / "b.db")

    asyncio.run(go())


def test_a_writer_that_ignores_the_lock_is_found_by_the_key(tmp_path, monkeypatch):
    async def go():
        a = await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE)
        monkeypatch.setattr(WriteLock, "take", classmethod(lambda cls, path: cls(path, -1)))
        b = await Save.open(tmp_path / "a.db", machine=MACHINE)
        await play(a, World.found(FOUNDING), 3)
        await a.settle()
        await play(b, World.found(FOUNDING), 2, note="mine")
        with pytest.raises(SaveError, match="another process"):
            await b.settle()
        with pytest.raises(SaveError, match="another process"):
            await b.close()
        await a.close()
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            return (await save.verify()).steps

    assert asyncio.run(go()) == 4


def test_watchers_see_steps_as_they_are_kept(tmp_path):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 5)
            await save.settle()
            async with (
                await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as one,
                await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as two,
            ):
                assert one.last_step == two.last_step == 5
                await play(save, world, 5)
                await save.settle()
                await one.refresh()
                assert (one.last_step, two.last_step) == (10, 5)
                assert (await one.seek()).snapshot() == world.snapshot()

    asyncio.run(go())
    assert names(tmp_path) == ["a.db"]


def test_a_watcher_that_came_first_sees_a_later_player(tmp_path):
    async def go():
        world = await make(tmp_path / "a.db", 5)
        async with (
            await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as watcher,
            await Save.open(tmp_path / "a.db", machine=MACHINE) as save,
        ):
            assert watcher.last_step == 5
            await play(save, world, 5)
            await save.settle()
            await watcher.refresh()
            assert watcher.last_step == 10
        return names(tmp_path)

    assert asyncio.run(go()) == ["a.db"]


def test_a_watcher_sees_a_player_who_came_and_went(tmp_path):
    async def go():
        world = await make(tmp_path / "a.db", 40)
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as watcher:
            await watcher.seek()
            async with await Save.open(tmp_path / "a.db", machine=MACHINE) as save:
                await play(save, world, 40, 40)
            await watcher.refresh()
            assert watcher.last_step == 80
            assert (await watcher.verify()).ok
            await make(tmp_path / "a.db", 5, overwrite=True)
            found = await watcher.verify()
            return found.ok, found.steps

    assert asyncio.run(go()) == (True, 81)
    assert names(tmp_path) == ["a.db"]


def test_the_last_watcher_of_a_finished_save_tidies_up(tmp_path):
    async def go():
        save = await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE)
        await play(save, World.found(FOUNDING), 5)
        await save.settle()
        one = await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE)
        two = await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE)
        await save.close()
        await one.close()
        assert (await two.info()).step == 5
        await two.close()

    asyncio.run(go())
    assert names(tmp_path) == ["a.db"]


@pytest.mark.parametrize("job", ["info", "seek", "verify", "records"])
def test_reading_leaves_the_file_to_the_byte(tmp_path, job):
    asyncio.run(make(tmp_path / "a.db", 20))
    before = (tmp_path / "a.db").read_bytes()

    async def go():
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            await (save.records(["added"], 0, 99) if job == "records" else getattr(save, job)())
            with pytest.raises(SaveError, match="reading only"):
                await save.write(21, 9999, [], bytes)
            with pytest.raises(sqlite3.OperationalError):
                await save._db.execute("DELETE FROM events")

    asyncio.run(go())
    assert (tmp_path / "a.db").read_bytes() == before
    assert names(tmp_path) == ["a.db"]


def test_reading_needs_no_right_to_write(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 20))
    os.chmod(tmp_path / "a.db", 0o444)
    os.chmod(tmp_path, 0o555)
    try:

        async def go():
            async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
                return (await save.verify()).ok

        assert asyncio.run(go())
    finally:
        os.chmod(tmp_path, 0o755)


def test_a_side_file_left_by_a_kill_means_nothing(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 5))
    side_file(tmp_path / "a.db").touch()

    async def go():
        async with await Save.open(tmp_path / "a.db", read_only=True) as save:
            assert save._still
        assert names(tmp_path) == ["a.db", "a.db-lock"]
        async with await Save.open(tmp_path / "a.db", machine=MACHINE):
            pass

    asyncio.run(go())
    assert names(tmp_path) == ["a.db"]


def test_a_closed_save_says_so(tmp_path):
    async def go():
        save = await Save.create(tmp_path / "a.db", FOUNDING)
        await save.close()
        await save.close()
        with pytest.raises(SaveError, match="is closed"):
            await save.write(1, 60, [], bytes)
        with pytest.raises(SaveError, match="is closed"):
            await save.steps()

    asyncio.run(go())
