"""Killed at any moment, a save opens with whole steps and goes on."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.store.save import Save

from .toy import MACHINE, play

ROOT = Path(__file__).parents[2]
PLAYER = """
import asyncio, sys
from store.toy import *

async def go():
    async with await Save.create(sys.argv[1], FOUNDING, machine=MACHINE, paced=sys.argv[2] == "paced") as save:
        world = World.found(FOUNDING)
        while True:
            await play(save, world, 5, 40, "x" * 200)
            if save.last_step % 50 == 0:
                await save.settle()
                print(save.last_step, flush=True)

asyncio.run(go())
"""


def names(folder):
    return sorted(p.name for p in folder.iterdir())


@pytest.mark.parametrize("pace", ["paced", "free"])
@pytest.mark.parametrize("lines", [1, 3, 7])
def test_a_kill_keeps_whole_steps_and_play_goes_on(tmp_path, pace, lines):
    path = tmp_path / "a.db"
    env = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path), pace], stdout=subprocess.PIPE, text=True, env=env
    )
    try:
        said = [int(player.stdout.readline()) for _ in range(lines)]
    finally:
        player.send_signal(signal.SIGKILL)
        player.wait()
        player.stdout.close()

    async def go():
        async with await Save.open(path, read_only=True, machine=MACHINE) as save:
            kept = save.last_step
            assert kept >= said[-1]
            first = await save.verify()
            assert first.ok, first
        before = path.read_bytes()
        async with await Save.open(path, read_only=True, machine=MACHINE) as save:
            await save.seek()
        assert path.read_bytes() == before
        async with await Save.open(path, machine=MACHINE) as save:
            assert save.last_step == kept
            await play(save, await save.seek(), 20)
        async with await Save.open(path, read_only=True, machine=MACHINE) as save:
            found = await save.verify()
            return found.ok, found.steps - kept

    assert asyncio.run(go()) == (True, 21)
    assert names(tmp_path) == ["a.db"]
