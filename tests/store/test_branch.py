"""A branch is the same life up to a step, and nothing of what came after."""

import asyncio
import sqlite3

import pytest

from sandbox.store import caches, schema
from sandbox.store.branch import branch
from sandbox.store.errors import SaveError
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, make, play


def table(path, sql):
    db = sqlite3.connect(path)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def names(folder):
    return sorted(p.name for p in folder.iterdir())


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setattr(caches, "EVERY_SECONDS", 1000)
    asyncio.run(make(tmp_path / "a.db", 60))
    return tmp_path / "a.db"


@pytest.mark.parametrize("step", [0, 1, 33, 49, 60])
def test_a_branch_has_the_source_s_rows_up_to_its_step(source, step):
    out = source.with_name("b.db")
    before = source.read_bytes()
    asyncio.run(branch(source, step, out, title="Other"))
    for name in ("events", "steps", "snapshots"):
        assert table(out, f"SELECT * FROM {name}") == table(source, f"SELECT * FROM {name} WHERE step <= {step}")
    assert source.read_bytes() == before
    assert names(source.parent) == ["a.db", "b.db"]

    async def look():
        async with (
            await Save.open(source, read_only=True, machine=MACHINE) as a,
            await Save.open(out, read_only=True, machine=MACHINE) as b,
        ):
            assert (await b.verify()).ok
            assert (await a.seek(step)).snapshot() == (await b.seek()).snapshot()
            return await a.info(), await b.info(), (await a.steps(step, step))[0].digest.hex()

    a, b, digest = asyncio.run(look())
    assert a.uid != b.uid
    assert (b.parent, b.parent_step, b.meta["parent_digest"]) == (a.uid, step, digest)
    assert (b.title, b.digest) == ("Other", digest)


def test_a_branch_goes_its_own_way(source):
    async def go():
        await branch(source, 30, source.with_name("b.db"))
        async with await Save.open(source.with_name("b.db"), machine=MACHINE) as save:
            await play(save, await save.seek(), 30, note="else")
            assert (await save.verify()).ok
        async with (
            await Save.open(source, read_only=True, machine=MACHINE) as a,
            await Save.open(source.with_name("b.db"), read_only=True, machine=MACHINE) as b,
        ):
            one, two = await a.steps(), await b.steps()
            return next(x.step for x, y in zip(one, two, strict=True) if x.digest != y.digest)

    assert asyncio.run(go()) == 31


def test_nothing_of_later_steps_is_in_the_file(tmp_path):
    async def go():
        async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 20, note="early-mark")
            await play(save, world, 20, note="later-mark")
        await branch(tmp_path / "a.db", 20, tmp_path / "b.db")

    asyncio.run(go())
    assert b"later-mark" in (tmp_path / "a.db").read_bytes()
    assert b"early-mark" in (tmp_path / "b.db").read_bytes()
    assert b"later-mark" not in (tmp_path / "b.db").read_bytes()


@pytest.mark.parametrize("where", ["file", ":memory:"])
def test_a_save_being_played_can_be_branched(tmp_path, where):
    async def go():
        path = tmp_path / "a.db" if where == "file" else where
        async with await Save.create(path, FOUNDING, machine=MACHINE) as save:
            world = await play(save, World.found(FOUNDING), 12)
            await branch(save, 12, tmp_path / "b.db")
            await play(save, world, 3)
        async with await Save.open(tmp_path / "b.db", read_only=True, machine=MACHINE) as save:
            return (await save.verify()).ok, save.last_step

    assert asyncio.run(go()) == (True, 12)
    assert [n for n in names(tmp_path) if n != "a.db"] == ["b.db"]


def test_a_branch_is_refused_without_leaving_a_file(source):
    with pytest.raises(SaveError, match="has no step 61"):
        asyncio.run(branch(source, 61, source.with_name("b.db")))
    with pytest.raises(SaveError, match="no such save"):
        asyncio.run(branch(source.with_name("none.db"), 1, source.with_name("b.db")))
    with pytest.raises(SaveError, match="its own branch"):
        asyncio.run(branch(source, 5, source, overwrite=True))
    assert names(source.parent) == ["a.db"]
    source.with_name("b.db").write_text("mine")
    with pytest.raises(SaveError, match="exists already"):
        asyncio.run(branch(source, 5, source.with_name("b.db")))
    assert source.with_name("b.db").read_text() == "mine"
    asyncio.run(branch(source, 5, source.with_name("b.db"), overwrite=True))
    assert table(source.with_name("b.db"), "SELECT max(step) FROM steps") == [(5,)]


def test_a_failing_branch_leaves_the_old_file(source, monkeypatch):
    asyncio.run(branch(source, 5, source.with_name("b.db")))
    before = source.with_name("b.db").read_bytes()

    def broken(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sandbox.store.files.os.replace", broken)
    with pytest.raises(SaveError, match="No space left"):
        asyncio.run(branch(source, 6, source.with_name("b.db"), overwrite=True))
    assert source.with_name("b.db").read_bytes() == before
    assert names(source.parent) == ["a.db", "b.db"]


def test_a_branch_is_sound_and_of_our_shape(source):
    out = source.with_name("b.db")
    asyncio.run(branch(source, 33, out))
    assert table(out, "PRAGMA integrity_check") == [("ok",)]
    db = sqlite3.connect(out)
    assert schema.schema_rows(db) == schema.expected_rows(len(schema.MIGRATIONS), len(schema.MIGRATIONS))
    db.close()


def test_both_ways_of_making_a_branch_keep_the_same(source, monkeypatch):
    one, two = source.with_name("b.db"), source.with_name("c.db")
    asyncio.run(branch(source, 33, one))
    monkeypatch.setattr("sandbox.store.branch._copied", None)  # a town in memory cannot be copied from beside

    async def from_memory():
        async with await Save.create(":memory:", FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 60)
            await branch(save, 33, two)

    asyncio.run(from_memory())
    for name in ("events", "steps", "snapshots", "bookmarks"):
        assert table(one, f"SELECT * FROM {name}") == table(two, f"SELECT * FROM {name}")
