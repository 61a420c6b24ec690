"""A log that lies beside a file it was not written with is told before SQLite makes one of the two, and both stay."""

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from sandbox.store.errors import SaveError
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, make, play

SAYS = "has the log of another file beside it (a.db-wal): a copy was put in the place of the one it was written with"
MEND = "move a.db-wal away to open this one; what it holds goes with that other file, keep both"


async def killed(path, steps, to, index=False):
    """Go on with a save, and leave it as a kill does, under another name, log and all."""
    async with await Save.open(path, machine=MACHINE, paced=True) as save:
        await play(save, await save.seek(), steps)
        await save.settle()
        for suffix in ("", "-wal", "-shm") if index else ("", "-wal"):
            shutil.copyfile(f"{path}{suffix}", f"{to}{suffix}")


async def lives(folder):
    """A folder with `early.db`, `later.db` (20 and 60 steps of one life), `other.db`, and `left.db`, killed at 65."""
    await make(folder / "life.db", 20)
    shutil.copyfile(folder / "life.db", folder / "early.db")
    for step in range(22, 61, 2):
        async with await Save.open(folder / "life.db", machine=MACHINE) as save:
            await play(save, await save.seek(), 2)
        shutil.copyfile(folder / "life.db", folder / f"at-{step}.db")
    shutil.copyfile(folder / "life.db", folder / "later.db")
    await make(folder / "other.db", 60, 5)
    await killed(folder / "life.db", 5, folder / "left.db")
    async with await Save.open(folder / "life.db", machine=MACHINE) as save:
        await play(save, await save.seek(), 200)
    shutil.copyfile(folder / "life.db", folder / "after.db")
    shutil.copyfile(folder / "other.db", folder / "twin.db")  # its uid, and another life
    with closing(sqlite3.connect(folder / "twin.db")) as db:
        db.execute(
            "UPDATE meta SET value = ? WHERE key = 'uid'",
            sqlite3.connect(folder / "early.db").execute("SELECT value FROM meta WHERE key = 'uid'").fetchone(),
        )
        db.commit()


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lives")
    asyncio.run(lives(folder))
    return folder


def beside(lived, file, tmp_path, log="left.db-wal"):
    """That file with that log."""
    shutil.copyfile(lived / file, tmp_path / "a.db")
    shutil.copyfile(lived / log, tmp_path / "a.db-wal")
    return tmp_path / "a.db"


async def last(path, read_only=True):
    async with await Save.open(path, read_only=read_only, machine=MACHINE) as save:
        return save.last_step, (await save.verify()).ok


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("file", ["early.db", "other.db", "twin.db", "after.db"])
def test_a_log_of_another_file_or_another_time_is_told_and_both_stay(lived, tmp_path, file, read_only):
    path = beside(lived, file, tmp_path)
    with pytest.raises(SaveError) as caught:
        asyncio.run(last(path, read_only))
    assert str(caught.value) == f"{path}: {SAYS}; {MEND}"
    assert path.read_bytes() == (lived / file).read_bytes()
    log = tmp_path / "a.db-wal"
    assert log.read_bytes() == (lived / "left.db-wal").read_bytes()
    log.rename(tmp_path / "moved")  # the mend does what it says
    assert asyncio.run(last(path, read_only))[1]
    shutil.copyfile(lived / "left.db", path)
    (tmp_path / "moved").rename(log)
    assert asyncio.run(last(path, read_only)) == (65, True)


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("file", ["left.db", "later.db"])
def test_its_own_log_is_taken_in(lived, tmp_path, file, read_only):
    assert asyncio.run(last(beside(lived, file, tmp_path), read_only)) == (65, True)


def test_of_a_life_of_many_sittings_no_other_copy_becomes_a_mixture_with_it(lived, tmp_path):
    """One from just before may have all that the log does not: then it is whole, and proves true."""
    refused = []
    for step in range(22, 61, 2):
        try:
            assert asyncio.run(last(beside(lived, f"at-{step}.db", tmp_path))) == (65, True)
        except SaveError as error:
            refused.append(str(error))
    assert 10 <= len(refused) < 20
    assert all(SAYS in text for text in refused)


def test_so_it_is_of_a_file_that_a_checkpoint_was_cut_short_in(lived, tmp_path):
    """Some pages of the log are in the file: the first ones, as SQLite writes them, or the last."""
    whole = tmp_path / "whole.db"
    shutil.copyfile(lived / "left.db", whole)
    shutil.copyfile(lived / "left.db-wal", tmp_path / "whole.db-wal")
    asyncio.run(last(whole, False))
    after, before = whole.read_bytes(), (lived / "left.db").read_bytes()
    for half in range(0, len(after), 4096):
        for mixed in (after[:half] + before[half:], before[:half] + after[half:]):
            path = beside(lived, "left.db", tmp_path)
            path.write_bytes(mixed)
            assert asyncio.run(last(path)) == (65, True)


@pytest.mark.parametrize("index", ["left", "rubbish"])
def test_an_index_of_a_log_that_is_gone_does_no_harm(lived, tmp_path, index):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 10))
    asyncio.run(killed(path, 5, tmp_path / "b.db", index=True))
    os.remove(tmp_path / "b.db-wal")
    shutil.copyfile(lived / "early.db", tmp_path / "b.db")
    if index == "rubbish":
        (tmp_path / "b.db-shm").write_bytes(b"\xff" * 32768)
    assert asyncio.run(last(tmp_path / "b.db")) == (20, True)
    assert asyncio.run(last(tmp_path / "b.db", False)) == (20, True)


def test_a_save_that_is_played_is_read_with_its_log(tmp_path):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE, paced=True) as save:
            await play(save, World.found(FOUNDING), 9)
            await save.settle()
            return await last(tmp_path / "a.db")

    assert asyncio.run(go()) == (9, True)
