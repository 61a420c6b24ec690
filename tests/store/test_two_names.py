"""A save is played by one at a time whatever it is called: by two names of one file, or by the name it has by now."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sandbox.core.places import read_ordinary
from sandbox.store import lock
from sandbox.store.branch import saves_list
from sandbox.store.errors import SaveError
from sandbox.store.files import appearing, ordinary
from sandbox.store.lock import WriteLock, played_elsewhere
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, make, play

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file can be neither linked nor moved there")
ROOT = Path(__file__).parents[2]
PLAYER = """
import asyncio, sys
from store.toy import *

async def go():
    async with await Save.open(sys.argv[1], machine=MACHINE) as save:
        await play(save, await save.seek(), 20)
        await save.settle()
        print("plays", flush=True)
        sys.stdin.readline()

asyncio.run(go())
"""


def link(path):
    os.link(path, path.with_name("b.db"))


def move(path):
    path.rename(path.with_name("b.db"))


def link_elsewhere(path):
    (path.parent / "deep").mkdir()
    os.link(path, path.parent / "deep" / "b.db")
    path.with_name("b.db").symlink_to(path.parent / "deep" / "b.db")


WAYS = [link, move, link_elsewhere]


def whole(path):
    """What the database finds wrong with a file."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA integrity_check").fetchone()[0]


def other_player(path):
    """Another process that plays a save until a line is written to it."""
    env = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    )
    assert player.stdout.readline() == "plays\n"
    return player


async def refused(path, **how):
    with pytest.raises(SaveError) as caught:
        await Save.open(path, machine=MACHINE, **how)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("way", WAYS)
def test_a_name_that_came_while_it_is_played_is_refused_to_play_and_to_read(tmp_path, way):
    path, other = tmp_path / "a.db", tmp_path / "b.db"

    async def go():
        async with await Save.create(path, FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 20)
            await save.settle()
            way(path)
            assert "is being played by another process, under another name" in await refused(other)
            assert "is being played under another name" in await refused(other, read_only=True)
            assert "is being played" in next(x.error for x in await saves_list(tmp_path) if x.path == other)
            assert sorted(p.name for p in tmp_path.glob("b.db*")) == ["b.db"]
            if way is move:
                other.rename(path)
            await play(save, await save.seek(), 5)

    asyncio.run(go())
    assert whole(path) == "ok"


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_so_it_is_between_processes(tmp_path, way):
    path, other = tmp_path / "a.db", tmp_path / "b.db"
    asyncio.run(make(path, 30))
    player = other_player(path)
    try:
        way(path)
        assert "is being played by another process" in asyncio.run(refused(other))
        assert "is being played under another name" in asyncio.run(refused(other, read_only=True))
        if way is move:
            other.rename(path)
        player.stdin.write("\n")
        player.stdin.flush()
        assert player.wait() == 0
    finally:
        player.kill()
        player.wait()
        player.stdout.close()
        player.stdin.close()
    assert whole(path) == "ok"
    assert not played_elsewhere(path)


@pytest.mark.slow
def test_a_kill_leaves_no_lock_but_the_log_is_missed_under_the_other_name(tmp_path):
    path, other = tmp_path / "a.db", tmp_path / "b.db"
    asyncio.run(make(path, 30))
    player = other_player(path)
    link(path)
    player.send_signal(signal.SIGKILL)
    player.wait()
    player.stdout.close()
    player.stdin.close()
    told = asyncio.run(refused(other, read_only=True))
    assert told == f"{other}: is one file with a.db, beside which its log is; name a.db"
    assert "is one file with a.db (a hard link)" in asyncio.run(refused(other))
    assert "is one file with b.db (a hard link)" in asyncio.run(refused(path))
    other.unlink()

    async def last():
        async with await Save.open(path, machine=MACHINE) as save:
            return save.last_step

    assert asyncio.run(last()) == 50
    assert whole(path) == "ok"


@pytest.mark.parametrize("way", [link, link_elsewhere])
def test_a_file_with_two_names_is_read_by_both_and_played_by_none(tmp_path, way):
    path, other = tmp_path / "a.db", tmp_path / "b.db"
    asyncio.run(make(path, 30))
    way(path)
    before = path.read_bytes()

    async def go():
        for name in (path, other):
            told = await refused(name)
            assert "(a hard link)" in told
            assert f"`cp {name.name} FILE`" in told
            async with await Save.open(name, read_only=True, machine=MACHINE) as save:
                assert (await save.verify()).ok

    asyncio.run(go())
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["a.db", "b.db"]
    os.unlink(os.path.realpath(other))
    asyncio.run(go_on(path))


async def go_on(path):
    async with await Save.open(path, machine=MACHINE) as save:
        await play(save, await save.seek(), 5)


def test_a_name_that_is_replaced_leaves_the_other_what_it_is(tmp_path):
    path, other = tmp_path / "a.db", tmp_path / "b.db"
    asyncio.run(make(path, 30))
    link(path)
    before = other.read_bytes()
    asyncio.run(make(path, 5, overwrite=True))
    assert other.read_bytes() == before
    asyncio.run(go_on(other))


def test_what_is_played_under_another_name_is_not_replaced(tmp_path):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            move(save.path)
            with pytest.raises(SaveError, match="is being played by another process, under another name"):
                await Save.create(tmp_path / "b.db", FOUNDING, overwrite=True)
            (tmp_path / "b.db").rename(save.path)

    asyncio.run(go())
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


def test_a_lock_file_that_goes_lets_no_second_player_in(tmp_path):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 5)
            await save.settle()
            (tmp_path / "a.db-lock").unlink()
            assert "is being played by another process" in await refused(save.path)
            async with await Save.open(save.path, read_only=True, machine=MACHINE) as reader:
                return reader.last_step

    assert asyncio.run(go()) == 5


def test_locks_of_sqlite_outlive_a_look_at_the_file_by_another_name(tmp_path):
    """A handle of the file that this process closes would take SQLite's locks with it."""
    path, other = tmp_path / "a.db", tmp_path / "b.db"

    async def go():
        async with await Save.create(path, FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 5)
            await save.settle()
            link(path)
            await refused(other)
            await refused(other, read_only=True)
            locks = Path("/proc/locks").read_text().split("\n")
            inode = str(os.stat(path).st_ino)
            return [x.split()[1] for x in locks if f":{inode} " in x and x.split()[1] in ("POSIX", "OFDLCK")]

    if not Path("/proc/locks").exists():
        pytest.skip("the system does not list its locks")
    assert sorted(asyncio.run(go())) == ["OFDLCK", "POSIX"]


def test_where_a_disk_has_no_such_locks_the_name_alone_is_locked(tmp_path, monkeypatch):
    def none(fd):
        raise OSError(95, "not supported")

    monkeypatch.setattr("sandbox.store.lock._hold", none)
    monkeypatch.setattr("sandbox.store.lock._is_held", none)
    asyncio.run(make(tmp_path / "a.db", 5))
    lock = WriteLock.take(tmp_path / "a.db")
    try:
        assert "being played" in asyncio.run(refused(tmp_path / "a.db"))
    finally:
        lock.release()
    asyncio.run(go_on(tmp_path / "a.db"))


async def test_a_save_that_is_played_here_is_not_opened_to_see_whether_it_is_one(tmp_path, monkeypatch):
    """As that handle was closed the locks of SQLite would go."""
    opened, really = [], Path.open
    monkeypatch.setattr(lock, "read_ordinary", lambda of: opened.append(of) or read_ordinary(of))
    path, town, idle = (tmp_path / name for name in ("a.db", "town", "idle"))
    await make(path, 5)
    idle.write_bytes(path.read_bytes())
    path.rename(town)
    async with await Save.open(town, machine=MACHINE):
        for name in (town, idle):
            with pytest.raises(SaveError, match="is a name that belongs to the save"):
                ordinary(name.with_name(f"{name.name}-wal"))
        monkeypatch.setattr(Path, "open", lambda of, *how, **more: opened.append(of) or really(of, *how, **more))
        with pytest.raises(SaveError, match="is a save"), appearing(town, overwrite=True):
            pass
    assert opened == [idle]
