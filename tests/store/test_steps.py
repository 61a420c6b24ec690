"""What a save promises of steps: whole, in order, proved, and on disk when it says so."""

import asyncio
import gc
import hashlib
import json
import sqlite3

import pytest

from sandbox.core.events import Record, Stamp
from sandbox.store import writer as writing
from sandbox.store.errors import SaveError
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, Added, World, make, next_step, play


def table(path, sql, *values):
    db = sqlite3.connect(path)
    try:
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


@pytest.mark.parametrize("paced", [True, False])
def test_every_step_has_a_row_and_its_events(tmp_path, paced):
    world = asyncio.run(make(tmp_path / "a.db", 30, paced=paced))
    steps = table(tmp_path / "a.db", "SELECT step, t, last_seq FROM steps")
    assert [s for s, _, _ in steps] == list(range(31))
    assert steps[-1][1] == world.now == 1800
    counts = dict(table(tmp_path / "a.db", "SELECT step, count(*) FROM events GROUP BY step"))
    assert all(counts.get(s, 0) == (1 if s == 0 else 0 if s % 7 == 0 else 3) for s in range(31))
    assert steps[-1][2] == sum(counts.values())


def test_the_digest_is_the_one_the_design_tells(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 20))
    digest = bytes(32)
    for step, _, _, kept in table(tmp_path / "a.db", "SELECT * FROM steps"):
        h = hashlib.sha256(digest + str(step).encode())
        for row in table(tmp_path / "a.db", "SELECT * FROM events WHERE step = ? ORDER BY seq", step):
            h.update(b"\n" + json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode())
        digest = h.digest()
        assert digest == kept


def test_the_digest_moves_at_once_and_does_not_depend_on_the_file(tmp_path):
    async def one(path, **how):
        async with await Save.create(path, FOUNDING, machine=MACHINE, **how) as save:
            seen = [save.digest]
            world = World.found(FOUNDING)
            for _ in range(12):
                await play(save, world, 1)
                seen.append(save.digest)
            return seen

    a, b, c = (
        asyncio.run(one(p, paced=paced)) for p, paced in ((":memory:", 0), (tmp_path / "b", 1), (tmp_path / "c", 0))
    )
    assert a == b == c
    assert len(set(a)) == 13


def test_a_transaction_a_step_when_paced_and_many_when_free(tmp_path, monkeypatch):
    sizes = []
    plain = writing.Writer._transact

    async def noted(self, batch):
        sizes.append(len(batch))
        await plain(self, batch)

    monkeypatch.setattr(writing.Writer, "_transact", noted)
    asyncio.run(make(tmp_path / "a.db", 40, paced=True))
    assert sizes == [1] * 40
    sizes.clear()
    asyncio.run(make(tmp_path / "b.db", 40))
    assert sizes == [40]


def test_a_full_queue_makes_the_world_wait_not_grow(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "QUEUE", 8)

    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            world, longest = World.found(FOUNDING), 0
            for _ in range(100):
                await play(save, world, 1)
                longest = max(longest, len(save._writer.queue))
            return longest

    assert asyncio.run(go()) < 8


def test_a_failed_transaction_leaves_whole_steps(tmp_path):
    async def go():
        save = await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE)
        world = await play(save, World.found(FOUNDING), 5)
        await save.settle()
        ahead = save.last_seq + 8  # an event of step 9 that is there already
        await save._db.execute_fetchall("INSERT INTO events VALUES (?, 0, 0, 'x', 1, '', '[]', '{}')", (ahead,))
        await play(save, world, 5)
        with pytest.raises(SaveError):
            await save.settle()
        with pytest.raises(SaveError):
            await save.close()

    asyncio.run(go())
    assert table(tmp_path / "a.db", "SELECT max(step) FROM steps") == [(5,)]
    assert table(tmp_path / "a.db", "SELECT max(step) FROM events") == [(5,)]


def test_steps_and_events_out_of_order_are_refused(tmp_path):
    async def go():
        async with await Save.create(":memory:", FOUNDING, machine=MACHINE) as save:
            with pytest.raises(ValueError, match="step 2"):
                await save.write(2, 60, [], bytes)
            for seq, step in ((3, 1), (2, 2)):
                with pytest.raises(ValueError, match="belongs"):
                    await save.write(1, 60, [Record(Stamp(seq, step, 0, "", ()), Added(1, 1))], bytes)
            await save.write(1, 60, [], bytes)
            with pytest.raises(ValueError, match="step 1"):
                await save.write(1, 60, [], bytes)
            return save.last_step, save.last_seq

    assert asyncio.run(go()) == (1, 1)


def test_opening_and_closing_write_nothing_and_leave_one_file(tmp_path):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 10))
    before = path.read_bytes()

    async def look():
        async with await Save.open(path, machine=MACHINE) as save:
            assert (save.last_step, save.now) == (10, 600)

    asyncio.run(look())
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


def test_going_on_gives_the_save_one_run_would_have_given(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 60))

    async def twice():
        await make(tmp_path / "b.db", 25)
        async with await Save.open(tmp_path / "b.db", machine=MACHINE) as save:
            await play(save, await save.seek(), 35)
            return save.digest

    digest = asyncio.run(twice())
    assert table(tmp_path / "a.db", "SELECT digest FROM steps WHERE step = 60") == [(digest,)]


def test_readers_see_what_waits_in_memory():
    async def go():
        async with await Save.create(":memory:", FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 5)
            await save.settle()
            await play(save, world, 5)
            assert save._writer.queue
            rows = await save.rows(0, save.last_seq)
            steps = await save.steps()
            state = (await save.seek()).snapshot()
            only = await save.records(["added"], 3, save.last_seq)
            await save.settle()
            assert rows == await save.rows(0, save.last_seq)
            assert steps == await save.steps()
            assert [r.seq for r in rows] == list(range(1, save.last_seq + 1))
            assert [r.stamp.seq for r in only] == list(range(4, save.last_seq + 1))
            return state == world.snapshot()

    assert asyncio.run(go())


def test_a_cancelled_player_loses_no_finished_step(tmp_path):
    async def go():
        started = asyncio.Event()
        world = World.found(FOUNDING)

        async def player():
            async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
                await play(save, world, 20)
                started.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(player())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return world.step

    assert asyncio.run(go()) == 20
    assert table(tmp_path / "a.db", "SELECT max(step) FROM steps") == [(20,)]


def test_a_forgotten_create_leaves_no_half_file(tmp_path, monkeypatch):
    def broken(*_):
        raise sqlite3.OperationalError("no")

    monkeypatch.setattr("sandbox.store.schema.install", broken)
    with pytest.raises(SaveError):
        asyncio.run(make(tmp_path / "a.db", 1))
    assert list(tmp_path.iterdir()) == []


def test_an_existing_save_is_only_replaced_when_asked(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 5))
    before = (tmp_path / "a.db").read_bytes()
    with pytest.raises(SaveError, match="exists already"):
        asyncio.run(make(tmp_path / "a.db", 1))
    assert (tmp_path / "a.db").read_bytes() == before
    asyncio.run(make(tmp_path / "a.db", 1, overwrite=True))
    assert table(tmp_path / "a.db", "SELECT max(step) FROM steps") == [(1,)]
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


def test_the_meta_tells_the_save_apart(tmp_path):
    async def go():
        infos = []
        for name in ("a.db", "b.db"):
            await make(tmp_path / name, 3)
            async with await Save.open(tmp_path / name, read_only=True) as save:
                infos.append(await save.info())
        return infos

    a, b = asyncio.run(go())
    assert a.uid != b.uid
    assert a.digest == b.digest
    assert (a.title, a.step, a.t, a.events, a.parent) == ("Toy", 3, 180, 10, "")
    assert next_step(World(), 1)


def test_what_a_killed_try_left_is_cleared_away(tmp_path):
    (tmp_path / f".a.db.{'0123' * 8}.tmp").write_bytes(b"half")
    asyncio.run(make(tmp_path / "a.db", 1))
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]
    (tmp_path / ".a.db.my.tmp-notes").write_bytes(b"mine")
    asyncio.run(make(tmp_path / "a.db", 1, overwrite=True))
    assert sorted(p.name for p in tmp_path.iterdir()) == [".a.db.my.tmp-notes", "a.db"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("ticks", range(0, 60, 3))
def test_a_cancel_at_any_moment_leaves_a_good_save_or_none(tmp_path, ticks):
    path = tmp_path / "a.db"

    async def go():
        task = asyncio.create_task(make(path, 20, paced=True))
        for _ in range(ticks):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(go())
    gc.collect()  # a lock that nobody got hold of
    if path.exists():

        async def look():
            async with await Save.open(path, machine=MACHINE) as save:
                return (await save.verify()).ok

        assert asyncio.run(look())
    asyncio.run(make(path, 3, overwrite=True))
