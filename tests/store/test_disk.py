"""A full disk loses nothing: steps wait in memory and are kept once there is room."""

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.core.protocols import JournalFull
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, play

MANY = 1 << 30
ROOT = Path(__file__).parents[2]


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


@pytest.mark.sampled(1)
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


MAKER = """
import asyncio, resource, sys
from store.toy import *
from sandbox.core.protocols import JournalFull
from sandbox.store.errors import SaveError

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    asyncio.run(make(sys.argv[1], 400, 40))
except (SaveError, JournalFull) as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="there is no such limit there")
@pytest.mark.parametrize("most", [4096, 102_400, *(pytest.param(n, marks=pytest.mark.slow) for n in (40_960, 300_000))])
def test_a_limit_to_the_size_of_files_is_told_as_what_it_is(tmp_path, most):
    """Of a new save as of one that grows into it; nothing is left of one that could not be made."""
    env = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    command = [sys.executable, "-c", MAKER, str(tmp_path / "a.db"), str(most)]
    told = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    assert re.search(rf"a\.db: could not be written.*: no file may be larger than {most:,} bytes here; raise", told)
    if not (tmp_path / "a.db").exists():
        assert list(tmp_path.iterdir()) == []
