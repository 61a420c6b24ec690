"""A save whose file is overwritten in place while it is played is seen at the next commit, and kept whole elsewhere."""

import asyncio
import errno
import os
import shutil
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from sandbox.store import ground as ground_module
from sandbox.store import rescue, writer
from sandbox.store.errors import Displaced
from sandbox.store.save import Save

from .test_displaced import folder, home, proved
from .toy import FOUNDING, MACHINE, World, make, play

__all__ = ["folder", "home"]  # fixtures
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be overwritten there")


def other(path):
    """Another save, as long as it is told by its name."""
    found = path.with_name("other.db")
    if not found.exists():
        asyncio.run(make(found, 3, 40))
    return found


def copy(path):
    shutil.copyfile(other(path), path)


def copy_with_its_times(path):
    copy(path)
    os.utime(path, (1, 1))


def over_its_first_bytes(path):
    with path.open("r+b") as file:
        file.write(other(path).read_bytes()[:5000])


def empty(path):
    os.truncate(path, 0)


def rubbish(path):
    path.write_bytes(b"\xff" * 100_000)


def an_earlier_copy(path):
    shutil.copyfile(path.with_name("earlier.db"), path)


WAYS = [copy, copy_with_its_times, over_its_first_bytes, empty, rubbish, an_earlier_copy]


async def long_before(path):
    """A save of some steps, and an earlier copy of it."""
    await make(path, 20, 20)
    shutil.copyfile(path, path.with_name("earlier.db"))
    async with await Save.open(path, machine=MACHINE) as save:
        await play(save, await save.seek(), 20, 20)


async def settled(save):
    """All of it is kept, and its spare made: on a busy machine that may take longer than the steps."""
    await save.settle()
    await asyncio.wait([save._ground._copying])


async def overwrite(way, path, paced, after, before=20):
    """Go on with a save, overwrite its file, go on as far as one is let: what is said of it, the bytes put there."""
    save = await Save.open(path, machine=MACHINE, paced=paced)
    world = await play(save, await save.seek(), before)
    await settled(save)
    await asyncio.to_thread(way, path)
    put = path.read_bytes()
    with suppress(Displaced):
        await play(save, world, after)
    with pytest.raises(Displaced):
        await save.settle()
    assert save.displaced
    with pytest.raises(Displaced):
        await play(save, world, 1)  # the step that was being made then
    with pytest.raises(Displaced) as caught:
        await save.close()
    return caught.value, world, put


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("paced", "after"), [(False, 0), (False, 7), (True, 7)])
def test_all_of_it_is_kept_under_another_name_and_what_was_put_there_stays(folder, way, paced, after):
    path = folder / "a.db"
    asyncio.run(long_before(path))
    other(path)
    told, world, put = asyncio.run(overwrite(way, path, paced, after))
    assert told.kept == folder / "a-kept.db"
    assert str(told) == (
        f"{path}: was overwritten while it was played; all of it is kept in {told.kept}, go on with that"
    )
    assert told.code == 1
    assert asyncio.run(proved(told.kept)) == world.step + 1
    assert path.read_bytes() == put
    assert sorted(p.name for p in folder.iterdir()) == ["a-kept.db", "a.db", "earlier.db", "other.db"]


@pytest.mark.parametrize("way", [copy, an_earlier_copy])
@pytest.mark.parametrize("commits", [1, 3])
def test_so_it_is_after_the_log_was_brought_into_the_file(folder, monkeypatch, way, commits):
    monkeypatch.setattr(writer, "COMMITS", commits)
    path = folder / "a.db"
    asyncio.run(long_before(path))
    other(path)
    told, world, put = asyncio.run(overwrite(way, path, paced=True, after=3, before=30))
    assert asyncio.run(proved(told.kept)) == world.step + 1
    assert path.read_bytes() == put


def test_so_it_is_of_one_that_something_else_reads(folder, monkeypatch):
    """A reader holds up what is brought into the file, so that of the pages only some come over."""
    monkeypatch.setattr(writer, "COMMITS", 1)
    path = folder / "a.db"

    async def go():
        save = await Save.create(path, FOUNDING, machine=MACHINE, paced=True)
        world = await play(save, World.found(FOUNDING), 10)
        await save.settle()
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM steps").fetchall()
            await play(save, world, 10)
            await save.settle()
            assert not await save._writer._ground.overwritten()
            assert await asyncio.to_thread(save._writer._ground._same)
            await asyncio.to_thread(copy, path)
            with pytest.raises(Displaced):
                await save.settle()
        with pytest.raises(Displaced) as caught:
            await save.close()
        return caught.value, world

    other(path)
    told, world = asyncio.run(go())
    assert asyncio.run(proved(told.kept)) == world.step + 1


def touch(path):
    os.utime(path)


def chmod(path):
    path.chmod(0o600)


def the_same_bytes(path):
    data = path.read_bytes()
    path.write_bytes(data)


def another_program_checkpoints(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.parametrize("way", [touch, chmod, the_same_bytes, another_program_checkpoints])
def test_a_file_that_is_what_it_was_is_played_on(folder, way):
    path = folder / "a.db"

    async def go():
        save = await Save.create(path, FOUNDING, machine=MACHINE)
        world = await play(save, World.found(FOUNDING), 20)
        await save.settle()
        await asyncio.to_thread(way, path)
        await play(save, world, 20)
        await save.settle()
        await asyncio.to_thread(copy, path)
        with pytest.raises(Displaced):
            await save.close()

    other(path)
    asyncio.run(go())
    assert asyncio.run(proved(folder / "a-kept.db")) == 41


@pytest.mark.parametrize("way", [copy, rubbish])
def test_what_is_written_while_it_is_overwritten_is_kept_too(folder, monkeypatch, way):
    """Between the look and the commit: what is written then lies over pages of another save."""
    path = folder / "a.db"
    other(path)

    async def go():
        save = await Save.create(path, FOUNDING, machine=MACHINE)
        world = await play(save, World.found(FOUNDING), 20)
        await settled(save)
        already = save._writer._already

        async def meanwhile(batch):
            await asyncio.to_thread(way, path)
            return await already(batch)

        monkeypatch.setattr(save._writer, "_already", meanwhile)
        await play(save, world, 5)
        with pytest.raises(Displaced):
            await save.settle()
        with pytest.raises(Displaced) as caught:
            await save.close()
        return caught.value

    assert asyncio.run(proved(asyncio.run(go()).kept)) == 26


def test_where_there_was_no_room_for_a_spare_that_is_said(folder, monkeypatch):
    def none(folder):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ground_module, "_unnamed", none)
    path = folder / "a.db"
    asyncio.run(long_before(path))
    other(path)
    told, _, put = asyncio.run(overwrite(rubbish, path, paced=False, after=3))
    assert told.kept is None
    assert "was overwritten while it was played; it could not be kept elsewhere: the copy is " in str(told)
    assert path.read_bytes() == put
    assert sorted(p.name for p in folder.iterdir()) == ["a.db", "earlier.db", "other.db"]


def test_a_sitting_of_a_moment_copies_no_large_file(folder, monkeypatch):
    monkeypatch.setattr(ground_module, "LARGE", 0)
    monkeypatch.setattr(ground_module, "MOMENT", 3600)
    path, made = folder / "a.db", []
    monkeypatch.setattr(ground_module, "_unnamed", made.append)
    asyncio.run(make(path, 20, 20))

    async def go():
        async with await Save.open(path, machine=MACHINE) as save:
            await play(save, await save.seek(), 3)

    asyncio.run(go())
    assert not made
    assert asyncio.run(proved(path)) == 24


@pytest.mark.parametrize(("moment", "commits"), [(0, 64), (3600, 1)])  # it has lasted one; the log was brought over
def test_of_a_longer_one_all_of_a_large_file_is_kept_too(folder, monkeypatch, moment, commits):
    monkeypatch.setattr(ground_module, "LARGE", 0)
    monkeypatch.setattr(ground_module, "MOMENT", moment)
    monkeypatch.setattr(writer, "COMMITS", commits)
    path = folder / "a.db"
    asyncio.run(long_before(path))
    other(path)
    told, world, put = asyncio.run(overwrite(copy, path, paced=True, after=3, before=30))
    assert asyncio.run(proved(told.kept)) == world.step + 1
    assert path.read_bytes() == put


def test_a_save_that_is_closed_leaves_no_spare(folder):
    async def go():
        async with await Save.create(folder / "a.db", FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 20)
            await settled(save)
            assert save._ground._spare is not None
        return save._ground._spare

    assert asyncio.run(go()) is None
    assert [p.name for p in folder.iterdir()] == ["a.db"]


@pytest.mark.parametrize("room", [True, False])
def test_where_there_is_no_room_for_a_copy_the_spare_and_the_log_stay_and_are_the_save(folder, monkeypatch, room):
    async def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def refused(file, data, was=Path.write_bytes):
        if not room and path.with_name("a.db-wal").stat().st_size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return was(file, data)

    path = folder / "a.db"
    asyncio.run(long_before(path))
    other(path)
    monkeypatch.setattr(rescue, "_written", full)

    async def go():
        save = await Save.open(path, machine=MACHINE)
        world = await play(save, await save.seek(), 20)
        await settled(save)
        copy(path)
        put = path.read_bytes()
        with suppress(Displaced):
            await play(save, world, 3)
        with pytest.raises(Displaced, match="could not be kept elsewhere"):
            await save.settle()
        monkeypatch.setattr(Path, "write_bytes", refused)
        with pytest.raises(Displaced, match=r"up to step 60 is kept in .*a-kept") as told:
            await save.close()
        return told.value, put

    told, put = asyncio.run(go())
    assert path.read_bytes() == put
    assert told.kept == folder / "a-kept.db"
    assert (folder / "a-kept.db-wal").stat().st_size
    assert asyncio.run(proved(told.kept)) == 61
