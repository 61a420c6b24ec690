"""The copy of a save whose file went holds every step, however the steps, the disk and the file fall together."""

import asyncio
import shutil
import sqlite3
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from sandbox.core.protocols import JournalFull
from sandbox.store import rescue, writer
from sandbox.store.errors import Displaced
from sandbox.store.save import Save

from .test_disk import MANY, limit
from .test_displaced import folder, home, proved
from .toy import FOUNDING, MACHINE, World, make, play

__all__ = ["folder", "home"]  # fixtures

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="an open file can be neither removed nor replaced there"
)
full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")


async def begun(folder, steps=5, **how):
    """A save that is played, all of it on disk."""
    save = await Save.create(folder / "a.db", FOUNDING, machine=MACHINE, **how)
    world = await play(save, World.found(FOUNDING), steps)
    await save.settle()
    return save, world


async def idle(rounds=50):
    """Let all that can go on without the disk go on."""
    for _ in range(rounds):
        await asyncio.sleep(0)


def no_room(folder, monkeypatch):
    """Let the next copy written there meet a full disk."""
    monkeypatch.setattr(rescue.uuid, "uuid4", lambda: SimpleNamespace(hex="x"))
    (folder / ".a.x.tmp").symlink_to("/dev/full")


@pytest.mark.parametrize("paced", [True, False])
def test_a_step_made_while_the_copy_is_written_is_in_it(folder, monkeypatch, paced):
    async def go():
        save, world = await begun(folder, paced=paced)
        save.path.unlink()

        async def slowly(*about):
            told = await rescue.rescue(*about)
            if world.step == 5:
                await play(save, world, 1)
                save._writer._hurry.set()
                await idle()
            return told

        monkeypatch.setattr(writer, "rescue", slowly)
        with pytest.raises(Displaced):
            await save.settle()
        with pytest.raises(Displaced, match="all of it is kept") as caught:
            await save.close()
        return world.step, await proved(caught.value.kept)

    assert asyncio.run(go()) == (6, 7)


def test_a_step_that_waits_for_its_turn_meanwhile_is_kept_once(folder):
    async def go():
        save, world = await begun(folder, paced=True)
        save.path.unlink()
        async with save._writer.alone:
            settling = asyncio.create_task(save.settle())
            await idle()
            await play(save, world, 1)
            await idle()  # both wait
        with pytest.raises(Displaced):
            await settling
        with pytest.raises(Displaced) as caught:
            await save.close()
        assert caught.value.kept == folder / "a-kept.db"
        return await proved(caught.value.kept)

    assert asyncio.run(go()) == 7


@full_disk
@pytest.mark.parametrize("waiting", [0, 1])
@pytest.mark.parametrize("again", ["settle", "retry", "close"])
def test_a_copy_that_found_no_room_is_tried_again(folder, home, monkeypatch, waiting, again):
    async def go():
        save, world = await begun(folder)
        no_room(folder, monkeypatch)
        (home / "saves").mkdir(parents=True)
        no_room(home / "saves", monkeypatch)
        save.path.unlink()
        await limit(save, 0)
        if waiting:
            with suppress(Displaced, JournalFull):
                await play(save, world, 1, 40, "x" * 300)
        with pytest.raises(Displaced) as caught:
            await save.settle()
        assert caught.value.kept is None
        assert "the copy has no room left on its disk" in str(caught.value)
        assert "make room" in str(caught.value)
        await limit(save, MANY)
        with pytest.raises(Displaced, match="all of it is kept in") as caught:
            await getattr(save, again)()
        assert caught.value.kept == folder / "a-kept.db"
        with suppress(Displaced):
            await save.close()
        return await proved(folder / "a-kept.db")

    assert asyncio.run(go()) == 6 + waiting


@full_disk
def test_a_copy_that_cannot_be_made_anew_is_told_with_what_it_lacks(folder, home, monkeypatch):
    async def go():
        save, world = await begun(folder)
        save.path.unlink()
        with pytest.raises(Displaced):
            await save.settle()
        (home / "saves").mkdir(parents=True)
        no_room(folder, monkeypatch)
        no_room(home / "saves", monkeypatch)
        with pytest.raises(Displaced):
            await play(save, world, 1)
        with pytest.raises(Displaced, match="all of it up to step 5 is kept in") as caught:
            await save.settle()
        assert caught.value.kept == folder / "a-kept.db"
        assert await proved(folder / "a-kept.db") == 6
        with pytest.raises(Displaced, match="all of it is kept in"):
            await save.close()
        return sorted(p.name for p in folder.iterdir()), await proved(folder / "a-kept.db")

    assert asyncio.run(go()) == (["a-kept.db"], 7)


@pytest.mark.parametrize("again", ["settle", "close"])
def test_a_file_that_is_put_back_is_not_played_on_and_the_copy_is_whole_all_the_same(folder, again):
    async def go():
        save, world = await begun(folder)
        save.path.rename(folder / "aside.db")
        with pytest.raises(Displaced):
            await save.settle()
        with pytest.raises(Displaced):
            await play(save, world, 1)
        (folder / "aside.db").rename(save.path)
        with pytest.raises(Displaced, match="was deleted while it was played; all of it is kept in"):
            await getattr(save, again)()
        with suppress(Displaced):
            await save.close()
        return [await proved(folder / name) for name in ("a.db", "a-kept.db")]

    assert asyncio.run(go()) == [7, 7]


async def replaced_while_read(folder, monkeypatch, spoil=lambda: None):
    """Play, and close a save another came in place of, while something reads it: what was warned of, what was raised.

    Then what reads it ends.
    """
    monkeypatch.setattr("sandbox.store.guard.BUSY_MS", 1)
    await make(folder / "other.db", 3)
    save, world = await begun(folder)
    reader = sqlite3.connect(folder / "a.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM steps").fetchall()
    await play(save, world, 2)
    await save.settle()
    (folder / "other.db").replace(save.path)
    spoil()
    try:
        with pytest.raises(Displaced) as caught:
            await save.close()
        return save.warnings, caught.value
    finally:
        shutil.copytree(folder, folder.with_name("then"))  # before the reader's own close
        reader.close()


def test_a_log_never_meets_the_file_that_came_in_its_saves_place(folder, monkeypatch):
    warned, told = asyncio.run(replaced_while_read(folder, monkeypatch))
    then = folder.with_name("then")
    assert warned == []
    assert sorted(p.name for p in then.iterdir()) == ["a-kept.db", "a.db"]
    assert asyncio.run(proved(then / "a.db")) == 4
    assert asyncio.run(proved(told.kept)) == 8


@full_disk
def test_a_log_that_alone_has_the_last_steps_stays_and_is_told(folder, home, monkeypatch):
    def spoil():
        (home / "saves").mkdir(parents=True)
        no_room(folder, monkeypatch)
        no_room(home / "saves", monkeypatch)

    [said], told = asyncio.run(replaced_while_read(folder, monkeypatch, spoil))
    assert told.kept is None
    assert (folder.with_name("then") / "a.db-wal").stat().st_size
    assert said.startswith(f"{folder / 'a.db'}: some of its last steps are in a.db-wal still")
    assert "move that log away" in said


def test_a_log_of_the_file_that_came_in_its_place_is_left_alone(folder, monkeypatch):
    def spoil():
        for side in ("-wal", "-shm"):
            (folder / f"a.db{side}").unlink()
        (folder / "a.db-wal").write_bytes(b"theirs")

    asyncio.run(replaced_while_read(folder, monkeypatch, spoil))
    assert (folder.with_name("then") / "a.db-wal").read_bytes() == b"theirs"


@contextmanager
def largest(size):
    """No file may become larger, as where a disk is full."""
    resource = pytest.importorskip("resource")
    was, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (was, most))


def test_a_copy_whose_log_found_no_room_in_it_is_made_another_way(folder, home, monkeypatch):
    real = rescue._complete

    def limited(*about):
        with largest(60_000):
            return real(*about)

    async def go():
        await make(folder / "other.db", 3, 40)
        save = await Save.create(folder / "a.db", FOUNDING, machine=MACHINE)
        world = await play(save, World.found(FOUNDING), 400)
        await save.settle()
        shutil.copyfile(folder / "other.db", save.path)
        with monkeypatch.context() as patch:
            patch.setattr(rescue, "_complete", limited)
            with pytest.raises(Displaced, match="all of it is kept in") as caught:  # in a copy made another way
                await save.settle()
        assert await proved(caught.value.kept) == world.step + 1
        assert not [p.name for p in folder.iterdir() if ".tmp" in p.name]
        with pytest.raises(Displaced, match="all of it is kept in") as caught:
            await save.close()
        return caught.value.kept, world.step

    kept, last = asyncio.run(go())
    assert asyncio.run(proved(kept)) == last + 1
    assert sorted(p.name for p in folder.iterdir()) == ["a-kept.db", "a.db", "other.db"]


def damaged(*_):
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    raise error


@pytest.mark.parametrize("waits", ["settle", "room"])
def test_damage_that_a_commit_meets_leaves_nobody_waiting(folder, monkeypatch, waits):
    monkeypatch.setattr(writer, "QUEUE", 3)

    async def go():
        save, world = await begun(folder)
        monkeypatch.setattr(save._writer, "_transact", damaged)
        with suppress(Displaced):
            await asyncio.wait_for(play(save, world, 3), 5)
        with pytest.raises(Displaced, match="all of it is kept in"):
            await asyncio.wait_for(getattr(save._writer, waits)(), 5)
        with pytest.raises(Displaced) as caught:
            await save.close()
        return caught.value, world.step

    told, last = asyncio.run(go())
    assert asyncio.run(proved(told.kept)) == last + 1


def test_a_checkpoint_that_found_no_room_is_no_overwriting(folder, monkeypatch):
    monkeypatch.setattr(writer, "COMMITS", 3)
    cut = []

    async def go():
        await make(folder / "a.db", 60)
        save = await Save.open(folder / "a.db", machine=MACHINE, paced=True)
        world, ground = await save.seek(), save._writer._ground
        await ground._copied()
        real, size = ground.checkpoint, save.path.stat().st_size

        async def narrow(db):
            before = save.path.read_bytes()
            try:
                with largest(size):
                    return await real(db)
            except sqlite3.OperationalError:
                cut.append(save.path.read_bytes() != before)
                raise

        with monkeypatch.context() as patch:
            patch.setattr(ground, "checkpoint", narrow)
            while not any(cut):
                world = await play(save, world, 3, 20, "x" * 100)
                await save.settle()
            await save.settle()
        await play(save, world, 6)
        await save.settle()
        assert await asyncio.to_thread(ground._same)
        await save.close()
        return world.step

    last = asyncio.run(go())
    assert asyncio.run(proved(folder / "a.db")) == last + 1
    assert [p.name for p in folder.iterdir()] == ["a.db"]


def test_a_close_for_which_no_file_may_grow_leaves_the_log_and_says_why(folder):
    async def go():
        save = await Save.create(folder / "a.db", FOUNDING, machine=MACHINE)
        world = await play(save, World.found(FOUNDING), 400)
        await save.settle()
        with largest(60_000):
            await save.close()
        return save.warnings, world.step

    [said], last = asyncio.run(go())
    assert said.startswith(f"{folder / 'a.db'}: some of its last steps are in a.db-wal still; keep the two together")
    assert "no file may be larger than 60,000 bytes here; raise that limit" in said
    assert asyncio.run(proved(folder / "a.db")) == last + 1
