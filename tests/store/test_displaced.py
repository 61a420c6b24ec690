"""A save that is deleted, moved or replaced while it is played is kept whole elsewhere, and never called kept."""

import asyncio
import shutil
import sqlite3
import sys
from contextlib import suppress

import pytest

from sandbox.store.errors import Displaced
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, make, play

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="an open file can be neither removed nor replaced there"
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "town").mkdir()
    return tmp_path / "town"


async def proved(path):
    """(the steps of a save that opens, is one file and proves true)"""
    async with await Save.open(path, read_only=True, machine=MACHINE) as save:
        verdict = await save.verify()
        assert verdict.ok, verdict.why
        return verdict.steps


def delete(path):
    path.unlink()


def delete_all(path):
    for file in path.parent.iterdir():
        file.unlink()


def delete_the_folder(path):
    shutil.rmtree(path.parent)


def move_aside(path):
    path.rename(path.with_name("aside.db"))


def replace(path):
    asyncio.run(make(path.with_name("other.db"), 3))
    path.with_name("other.db").replace(path)


def link_elsewhere(path):
    asyncio.run(make(path.with_name("other.db"), 3))
    path.unlink()
    path.symlink_to("other.db")


WAYS = [delete, delete_all, delete_the_folder, move_aside, replace, link_elsewhere]


async def displace(way, path, paced=False, after=0):
    """Play, let the file go, play on as far as one is let; what is said of it."""
    save = await Save.create(path, FOUNDING, machine=MACHINE, paced=paced)
    world = await play(save, World.found(FOUNDING), 20)
    await save.settle()
    await asyncio.to_thread(way, path)
    assert save.displaced
    with suppress(Displaced):
        await play(save, world, after)
    with pytest.raises(Displaced):
        await save.settle()
    with pytest.raises(Displaced):
        await play(save, world, 1)  # the step that was being made then
    with pytest.raises(Displaced) as caught:
        await save.close()
    return caught.value, world


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("paced", "after"), [(False, 0), (False, 7), (True, 7)])
def test_all_of_it_is_kept_under_another_name(folder, home, way, paced, after):
    path = folder / "a.db"
    told, world = asyncio.run(displace(way, path, paced, after))
    assert told.kept == (home / "saves" if way is delete_the_folder else folder) / "a-kept.db"
    assert str(told).startswith(f"{path}: was ")
    assert str(told.kept) in str(told)
    assert "\n" not in str(told)
    assert told.code == 1
    assert asyncio.run(proved(told.kept)) == world.step + 1
    assert not [p.name for p in told.kept.parent.iterdir() if p.suffix != ".db"]


def test_a_file_that_was_moved_aside_is_whole_too(folder):
    _, world = asyncio.run(displace(move_aside, folder / "a.db", after=7))
    assert asyncio.run(proved(folder / "aside.db")) == world.step + 1


def test_a_file_that_came_in_its_place_stays_what_it_is(folder):
    asyncio.run(displace(replace, folder / "a.db", after=7))
    assert asyncio.run(proved(folder / "a.db")) == 4


@pytest.mark.parametrize("lost", ["-wal", "-shm", "-lock"])
def test_a_side_file_that_goes_takes_nothing_with_it(folder, lost):
    async def go():
        async with await Save.create(folder / "a.db", FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 20)
            await save.settle()
            (folder / f"a.db{lost}").unlink()
            await play(save, world, 7)
        return save.warnings

    assert asyncio.run(go()) == []
    assert asyncio.run(proved(folder / "a.db")) == 28
    assert [p.name for p in folder.iterdir()] == ["a.db"]


def test_it_is_noticed_when_it_is_left_at_the_latest(folder):
    async def go():
        save = await Save.create(folder / "a.db", FOUNDING, machine=MACHINE)
        await play(save, World.found(FOUNDING), 20)
        await save.settle()
        (folder / "a.db").unlink()
        with pytest.raises(Displaced) as caught:
            await save.close()
        return caught.value.kept

    assert asyncio.run(proved(asyncio.run(go()))) == 21


def test_no_file_that_has_the_other_name_is_replaced(folder):
    (folder / "a-kept.db").write_text("mine")
    told, _ = asyncio.run(displace(delete, folder / "a.db"))
    assert told.kept == folder / "a-kept-2.db"
    assert (folder / "a-kept.db").read_text() == "mine"


def test_where_no_copy_can_be_written_that_is_said(folder, home):
    home.write_text("no folder")

    async def go():
        async with await Save.create(folder / "a.db", FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 5)
            delete_the_folder(save.path)

    with pytest.raises(Displaced, match="could not be kept elsewhere") as caught:
        asyncio.run(go())
    assert caught.value.kept is None


def test_a_look_at_the_file_is_all_that_a_commit_costs(folder, monkeypatch):
    async def go():
        async with await Save.create(folder / "a.db", FOUNDING, machine=MACHINE, paced=True) as save:
            looks = []
            monkeypatch.setattr("sandbox.store.writer.identity", lambda path: looks.append(path) or save._writer._here)
            await play(save, World.found(FOUNDING), 10)
            async with save._writer._changed:
                await save._writer._changed.wait_for(lambda: not save._writer.queue)
            return list(looks)

    assert asyncio.run(go()) == [folder / "a.db"] * 10


def test_a_save_that_stays_two_files_is_told_with_what_to_do(folder, monkeypatch, caplog):
    monkeypatch.setattr("sandbox.store.guard.BUSY_MS", 1)

    async def go():
        async with await Save.create(folder / "a.db", FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 5)
            await save.settle()
            other = sqlite3.connect(folder / "a.db", isolation_level=None)
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM steps").fetchall()
            await play(save, world, 5)
        assert (folder / "a.db-wal").stat().st_size
        other.close()
        return save.warnings

    [said] = asyncio.run(go())
    assert said.startswith(f"{folder / 'a.db'}: some of its last steps are in a.db-wal still")
    assert "keep the two together" in said
    assert said in caplog.text
    assert asyncio.run(proved(folder / "a.db")) == 11
