"""Damage that is met as a step is kept is told as what it is, and all that can be kept is kept elsewhere."""

import asyncio
import shutil
import sqlite3
import sys
from contextlib import closing

import pytest

from sandbox.store import caches
from sandbox.store.errors import Displaced
from sandbox.store.save import Save

from .test_displaced import folder, home, proved
from .toy import MACHINE, make, play

__all__ = ["folder", "home"]  # fixtures
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be written to there")


def page_of(path, what):
    """(the first byte of that table or index, its length)"""
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (what,)).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    return (page - 1) * size, size


def spoil(path, at, size):
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\xff" * size)


async def met(path, what, rot):
    """Go on with a save of 40 steps, of which a part is damaged: by the disk meanwhile, of which the size and times
    say nothing (rot), or before. What is said of it, and the steps lived.
    """
    where = page_of(path, what)
    save = await Save.open(path, machine=MACHINE)
    world = await save.seek()
    await save._writer._ground._copied()
    spoil(path, *where)
    if not rot:
        spoil_spare(save, *where)
    save._writer._ground._looks = save._writer._ground._look()
    await save._db.execute_fetchall("PRAGMA shrink_memory")  # what it has read of the file, it reads again
    await play(save, world, 5)
    with pytest.raises(Displaced):
        await save.settle()
    assert save.displaced
    with pytest.raises(Displaced) as caught:
        await save.close()
    return caught.value, world


def spoil_spare(save, at, size):
    spare = save._writer._ground._spare
    spare.seek(at)
    spare.write(b"\xff" * size)


@pytest.mark.parametrize("what", ["events", "steps", "meta"])
def test_what_a_disk_damages_meanwhile_is_not_called_overwritten(folder, what):
    path = folder / "a.db"
    asyncio.run(make(path, 40))
    told, world = asyncio.run(met(path, what, rot=True))
    assert str(told) == f"{path}: was damaged while it was played; all of it is kept in {told.kept}, go on with that"
    assert asyncio.run(proved(told.kept)) == world.step + 1
    assert sorted(p.name for p in folder.iterdir()) == ["a-kept.db", "a.db"]


def test_of_a_save_that_was_damaged_before_all_is_kept_if_only_a_cache_is(folder, monkeypatch):
    monkeypatch.setattr(caches, "EVERY_SECONDS", 60)
    path = folder / "a.db"
    asyncio.run(make(path, 40))
    told, world = asyncio.run(met(path, "snapshots", rot=False))
    assert str(told) == f"{path}: is damaged; all of it is kept in {told.kept}, go on with that"
    assert asyncio.run(proved(told.kept)) == world.step + 1


def test_of_one_whose_events_were_damaged_before_the_file_is_left_with_all_of_its_log(folder):
    path = folder / "a.db"
    asyncio.run(make(path, 40))
    told, _ = asyncio.run(met(path, "events", rot=False))
    assert told.kept is None
    assert str(told).startswith(f"{path}: is damaged; it could not be kept elsewhere: the copy is damaged (")
    assert str(told).endswith("; restore a copy of the file, or branch from another save")
    assert [p.name for p in folder.iterdir()] == ["a.db"]


def test_damage_that_somebody_has_just_written_is_called_so(folder, monkeypatch):
    path = folder / "a.db"
    asyncio.run(make(path, 40))
    shutil.copyfile(path, folder / "other.db")

    async def go():
        save = await Save.open(path, machine=MACHINE)
        world = await save.seek()
        already = save._writer._already

        async def meanwhile(batch):
            error = sqlite3.DatabaseError("database disk image is malformed")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            await asyncio.to_thread(spoil, path, 0, 4096)
            raise error

        monkeypatch.setattr(save._writer, "_already", meanwhile)
        await play(save, world, 5)
        with pytest.raises(Displaced):
            await save.settle()
        monkeypatch.setattr(save._writer, "_already", already)
        with pytest.raises(Displaced) as caught:
            await save.close()
        return caught.value

    told = asyncio.run(go())
    assert str(told).startswith(f"{path}: was overwritten while it was played; all of it is kept in ")
    assert asyncio.run(proved(told.kept)) == 46
