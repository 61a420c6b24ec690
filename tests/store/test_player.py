"""A save played again: step by step or by jumps, it stands where the living town stood."""

import asyncio
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest

from sandbox.core.chance import Stream
from sandbox.core.clock import Clock
from sandbox.core.events import EventRow
from sandbox.store.errors import SaveError
from sandbox.store.facts import Machine
from sandbox.store.player import EndOfSave, Replayer, relive
from sandbox.store.save import Save

from .toy import FOUNDING, World, decode, play

STEPS = 120
SHIPPED = Path(__file__).parents[2] / "saves" / "larkspur-day.db"


class Town(World):
    """The toy, with a clock, and aware of its last event."""

    clock = Clock(datetime(2025, 3, 4, 7, 30))
    seq = 1

    def apply(self, record):
        super().apply(record)
        self.seq = record.stamp.seq

    def snapshot(self):
        return b"%d " % self.seq + super().snapshot()

    def restore(self, data):
        seq, state = data.split(b" ", 1)
        super().restore(state)
        self.seq = int(seq)


MACHINE = Machine(lambda row: decode(EventRow(*row)), Town.found)


@pytest.fixture
def path(tmp_path):
    async def lived():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            await play(save, Town.found(FOUNDING), STEPS)

    asyncio.run(lived())
    return tmp_path / "a.db"


def watched(path):
    return Save.open(path, read_only=True, machine=MACHINE)


def spoil(path, sql):
    db = sqlite3.connect(path)
    with db:
        db.execute(sql)
    db.close()


async def to_the_end(player):
    made = 0
    try:
        while True:
            await player.step()
            made += 1
    except EndOfSave as end:
        return made, str(end)


async def test_played_to_its_end_it_is_the_state_that_a_jump_there_gives(path):
    async with await watched(path) as save:
        player = await Replayer.begin(save, 1)
        made, why = await to_the_end(player)
        assert made == STEPS - 1
        assert player.world.snapshot() == (await save.seek()).snapshot()
        hour = player.world.clock.hhmm(save.now)
        assert why == f"the end of the recording, {hour}"


async def test_after_its_end_it_says_so_as_often_as_it_is_asked(path):
    async with await watched(path) as save:
        player = await Replayer.begin(save, STEPS)
        before = player.world.snapshot()
        for _ in range(3):
            with pytest.raises(EndOfSave):
                await player.step()
        assert player.world.snapshot() == before


async def test_every_jump_stands_where_a_seek_stands_and_plays_on_from_there(path):
    async with await watched(path) as save:
        player = await Replayer.begin(save, 1)
        for step in (STEPS, 0, 1, 50, 49, 51, 7, STEPS - 1):
            await player.go(step)
            assert player.world.snapshot() == (await save.seek(step)).snapshot()
            if step < STEPS:
                await player.step()
                assert player.world.snapshot() == (await save.seek(step + 1)).snapshot()


async def test_a_jump_gives_the_events_of_its_step_and_the_world_as_the_step_began(path):
    async with await watched(path) as save:
        player = await Replayer.begin(save, 1)
        begun = []
        records = await player.go(60, lambda world: begun.append((world.step, world.snapshot())))
        assert begun == [(59, (await save.seek(59)).snapshot())]
        assert {record.stamp.step for record in records} == {60}
        assert await player.go(0) == []


async def test_watchers_see_steps_and_no_jumps(path):
    async with await watched(path) as save:
        player = await Replayer.begin(save, 1)
        seen = []
        player.watchers.append(seen.append)
        await player.go(40)
        assert seen == []
        records = await player.step()
        assert seen == [records]


@pytest.mark.parametrize("step", [-1, STEPS + 1, STEPS + 2, 10**9])
async def test_a_jump_to_no_step_is_refused_and_nothing_moves(path, step):
    async with await watched(path) as save:
        player = await Replayer.begin(save, 30)
        world = player.world
        with pytest.raises(SaveError, match="has no step"):
            await player.go(step)
        assert player.world is world
        await player.step()
        assert player.world.step == 31


async def test_the_step_that_holds_a_second(path):
    async with await watched(path) as save:
        ends = {row.step: row.t for row in await save.steps()}
        for step in (1, 2, 60, 101, STEPS):
            assert await save.step_at(ends[step]) == step
            assert await save.step_at(ends[step] - 1) == step
            assert await save.step_at(ends[step] - 0.5) == step
            assert await save.step_at(ends[step - 1] + 0.5) == step
        assert await save.step_at(ends[STEPS] + 999) == STEPS
        assert await save.step_at(-5) == 0


async def test_a_step_that_cannot_be_read_stops_it_at_the_step_before(path):
    spoil(path, "DELETE FROM snapshots")
    spoil(path, "UPDATE events SET data = replace(data, '\"amount\":', '\"amount\":9') WHERE step = 80")
    async with await watched(path) as save:
        player = await Replayer.begin(save, 78)
        await player.step()
        for _ in range(2):
            with pytest.raises(SaveError, match="beyond step 79"):
                await player.step()
            assert player.world.snapshot() == (await save.seek(79)).snapshot()
        with pytest.raises(SaveError):
            await player.go(90)
        assert player.world.step == 79
        await player.go(10)
        await player.step()
        assert player.world.step == 11


async def test_a_row_that_is_missing_stops_it_too(path):
    spoil(path, "DELETE FROM snapshots")
    spoil(path, "DELETE FROM events WHERE step = 40")
    async with await watched(path) as save:
        player = await Replayer.begin(save, 1)
        with pytest.raises(SaveError, match="cannot be read beyond step"):
            await to_the_end(player)
        assert player.world.step == 39


async def test_a_save_that_another_plays_is_watched_as_it_grows(tmp_path):
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE, paced=True) as played:
        world = await play(played, Town.found(FOUNDING), 5)
        await played.settle()
        async with await watched(tmp_path / "a.db") as save:
            player = await Replayer.begin(save, 1)
            assert (await to_the_end(player))[0] == 4
            await play(played, world, 3)
            await played.settle()
            assert (await to_the_end(player))[0] == 3
            assert player.world.snapshot() == world.snapshot()


async def test_a_save_being_played_is_read_with_the_steps_that_are_not_on_disk(tmp_path):
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
        world = await play(save, Town.found(FOUNDING), 30)
        player = await Replayer.begin(save, 1)
        await player.go(29)
        await player.step()
        assert player.world.snapshot() == world.snapshot()


# ---- jumps to and fro


async def jumped(path, machine=None):
    """What stands in a save after each of sixty jumps to steps drawn by chance, and a step on; and what stood there as
    it was lived step by step.
    """
    async with await Save.open(path, read_only=True, machine=machine) as save:
        chance, last = Stream(b"to and fro"), save.last_step
        steps = [chance.below(last) for _ in range(60)]
        player, found, wanted = await Replayer.begin(save, 0), [], {at for step in steps for at in (step, step + 1)}
        for step in steps:
            await player.go(step)
            found.append(player.world.snapshot())
            await player.step()
            found.append(player.world.snapshot())
        stood = {w.step: w.snapshot() async for w, _ in relive(save) if w.step in wanted}
        assert not save.warnings
        return found, [stood[at] for step in steps for at in (step, step + 1)]


def test_sixty_jumps_to_and_fro_stand_where_stepping_leads(path):
    found, stood = asyncio.run(jumped(path, MACHINE))
    assert found == stood


@pytest.mark.slow
def test_so_they_do_in_a_town_with_a_crowd():
    found, stood = asyncio.run(jumped(SHIPPED))
    assert found == stood
