"""Where memory runs out nothing is called damaged: the save is what it was, and so is what one is told to do."""

import asyncio
import sqlite3
import zlib

import pytest

from sandbox.core.log import Row
from sandbox.engine.journal import JournalFull
from sandbox.store.errors import SaveError, explain
from sandbox.store.player import relive
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, decode, make, play

SAYS = "needs more memory than there is; close other programs"


def starved(row):
    if row[0] >= 40:
        raise MemoryError
    return decode(Row(*row))


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
        def decompress(self, data, most):
            raise zlib.error("Error -4 while decompressing data")

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

    monkeypatch.setattr("sandbox.store.schema.shape", shape)
    with pytest.raises(SaveError, match=SAYS):
        asyncio.run(Save.open(path, read_only=read_only))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


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
