"""Where memory runs out nothing is called damaged: the save is what it was, and so is what one is told to do."""

import asyncio
import re
import sqlite3
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import aiosqlite
import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.cli.telling import wait_for
from sandbox.core import room
from sandbox.core.events import EventRow
from sandbox.core.protocols import JournalFull
from sandbox.store.errors import OutOfMemory, SaveError, explain
from sandbox.store.guard import open_connection
from sandbox.store.player import relive
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, decode, make, play

ROOT = Path(__file__).parents[2]
SAYS = "needs more memory than there is; close other programs"


def starved(row):
    if row[0] >= 40:
        raise MemoryError
    return decode(EventRow(*row))


def starving(founding):
    raise MemoryError


async def told(path, machine, *deeds):
    out = []
    async with await Save.open(path, read_only=True, machine=machine) as save:
        for deed in deeds:
            with pytest.raises(SaveError) as caught:
                await deed(save)
            out.append(str(caught.value))
    return out


async def lived(save):
    return [step async for step in relive(save)]


@pytest.mark.parametrize("part", ["decode", "found", "check"])
def test_whoever_reads_a_save_is_told_so(tmp_path, part):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 30))
    machine = MACHINE._replace(**{part: starved if part == "decode" else starving})
    ways = [Save.seek, Save.verify, lived] if part != "check" else [Save.found]
    for text in asyncio.run(told(path, machine, *ways)):
        assert text == f"{path}: {SAYS} and try again"


def test_a_snapshot_is_not_called_bad(tmp_path, monkeypatch):
    path = tmp_path / "a.db"
    monkeypatch.setattr("sandbox.store.caches.EVERY_EVENTS", 20)
    asyncio.run(make(path, 30))

    class Unpacker:
        def __init__(self, *_, **__):
            pass

        def decompress(self, data, most):
            raise MemoryError

    monkeypatch.setattr(zlib, "decompressobj", Unpacker)
    for text in asyncio.run(told(path, MACHINE, Save.seek, Save.verify)):
        assert SAYS in text


@pytest.mark.parametrize("code", [sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_IOERR_NOMEM])
def test_an_error_of_sqlite_says_it(tmp_path, code):
    error = sqlite3.OperationalError("no")
    error.sqlite_errorcode = code
    assert SAYS in str(explain(tmp_path / "a.db", error))


@pytest.mark.parametrize("read_only", [True, False])
def test_a_save_that_cannot_be_opened_for_it_says_so_and_is_left_alone(tmp_path, monkeypatch, read_only):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 5))
    before = path.read_bytes()

    def shape(db, *more):
        raise MemoryError

    monkeypatch.setattr("sandbox.store.schema.schema_rows", shape)
    with pytest.raises(SaveError, match=SAYS):
        asyncio.run(Save.open(path, read_only=read_only))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.skipif(not hasattr(room, "resource"), reason="there is no such limit there")
@pytest.mark.parametrize(
    ("megabytes", "told"),
    [
        (480, r"\d+ MB of memory are left under the limit .*, and 512 MB are needed; raise it.*\n"),
        (600, r"the limit .* is 600 MB, and a town that lives wants 640 MB; raise it.*\n"),
    ],
)
def test_a_program_with_too_little_room_says_so_and_begins_nothing(tmp_path, megabytes, told):
    def limit():
        room.resource.setrlimit(room.resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    command = [sys.executable, "-m", "sandbox", "run", "larkspur", "--steps", "1", "--save", str(tmp_path / "a.db")]
    done = subprocess.run(command, cwd=ROOT, preexec_fn=limit, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(told, done.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(room, "resource"), reason="there is no such limit there")
def test_a_town_lives_in_the_room_that_is_asked_for(tmp_path):
    def limit():
        room.resource.setrlimit(room.resource.RLIMIT_AS, (room.LIVING, room.LIVING))

    command = [sys.executable, "-m", "sandbox", "run", "larkspur", "--save", str(tmp_path / "a.db")]
    done = subprocess.run(command, cwd=ROOT, preexec_fn=limit, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_thread_that_nobody_will_wake_does_not_keep_a_program_that_has_failed(tmp_path):
    """Memory that is wanting within `Thread.start` leaves a thread that runs, and that nobody knows."""
    program = """
import threading
from sandbox.cli import main

def starved(needed):
    threading.Thread(target=threading.Event().wait).start()
    raise MemoryError

main.check_room = starved
main.main()
"""
    command = [sys.executable, "-c", program, "saves", "list"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=20)
    assert (done.returncode, done.stderr) == (1, "there is not enough memory; close other programs and try again\n")


def test_a_town_that_comes_near_a_limit_keeps_what_it_has_lived(tmp_path, monkeypatch):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 5)
            await save.settle()
            with monkeypatch.context() as patch:
                patch.setattr(room, "left", lambda: 10 << 20)
                await play(save, world, 5)
                with pytest.raises(JournalFull, match=SAYS):
                    await save.settle()
            await save.retry()
            return (await save.verify()).steps

    assert asyncio.run(go()) == 11


def test_what_it_has_lived_is_tried_once_more_when_it_is_closed(tmp_path, monkeypatch):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 5)
            await save.settle()
            monkeypatch.setattr(room, "left", lambda: 10 << 20)
            await play(save, world, 5)
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            return save.last_step

    assert asyncio.run(go()) == 10


def test_a_thread_that_cannot_be_started_is_told_in_a_line(monkeypatch):
    def none(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none)
    done = CliRunner().invoke(cli, ["saves", "list"], prog_name="sandbox")
    assert done.exit_code == 1
    assert "no further thread can be started" in done.stderr


@pytest.fixture
def no_thread_to_end_with(monkeypatch):
    """To end, asyncio starts a thread that waits for the others."""

    async def none(self, *more):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(asyncio.BaseEventLoop, "shutdown_default_executor", none)


def test_what_became_of_the_work_is_told_and_not_how_it_ended(no_thread_to_end_with):
    async def full():
        raise JournalFull("a.db: has no room left")

    async def done():
        return 5

    with pytest.raises(JournalFull):
        wait_for(full())
    assert wait_for(done()) == 5


def test_no_thread_stays_of_a_save_that_cannot_be_closed_for_it(tmp_path, monkeypatch):
    """A thread that waits would keep the program alive for good."""

    async def go():
        save = await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE)
        thread = save._db._thread
        with monkeypatch.context() as patch:
            patch.setattr(aiosqlite.Connection, "close", starving)
            with pytest.raises(MemoryError):
                await save.close()
        thread.join(5)
        alive = thread.is_alive()
        save._db.stop()  # else the tests would never end
        return alive

    assert not asyncio.run(go())


def test_no_connection_stays_open_for_which_there_is_no_thread(tmp_path, monkeypatch):
    opened = sqlite3.connect(tmp_path / "a.db", check_same_thread=False)

    def none(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(aiosqlite.Connection, "__await__", none)
    with pytest.raises(RuntimeError):
        asyncio.run(open_connection(lambda path: (opened, False), tmp_path / "a.db"))
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened.execute("SELECT 1")


def test_where_a_limit_is_what_is_wanting_that_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("sandbox.store.errors.left", lambda: 10 << 20)
    assert str(OutOfMemory(tmp_path)) == (
        f"{tmp_path}: needs more memory than there is; raise the limit of this shell (`ulimit -v`) and try again"
    )


def test_steps_that_cannot_be_kept_for_it_wait(tmp_path, monkeypatch):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            with monkeypatch.context() as patch:
                patch.setattr(save._writer, "_already", starving)
                await play(save, World.found(FOUNDING), 5)
                with pytest.raises(JournalFull, match=SAYS):
                    await save.settle()
            await save.retry()
            return (await save.verify()).steps

    assert asyncio.run(go()) == 6
