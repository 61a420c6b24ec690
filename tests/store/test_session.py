"""A session is a world ready to be lived: founded, gone on with or branched, and closed whole."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from sandbox.engine.loading import WorldFaults
from sandbox.engine.registry import EVENTS
from sandbox.store.errors import SaveError
from sandbox.store.files import is_save
from sandbox.store.lock import WriteLock
from sandbox.store.player import relive
from sandbox.store.save import Save
from sandbox.store.session import free_name, open_session


async def live(session, steps):
    for _ in range(steps):
        await session.engine.step()


def packed(path):
    """The numbers of the events that stand for many small acts, which no row of the timeline tells."""
    kinds = [kind for kind, event in EVENTS.items() if event.PACKED]
    with closing(sqlite3.connect(path)) as db:
        asked = f"SELECT seq FROM events WHERE kind IN ({','.join('?' * len(kinds))})"
        return {seq for (seq,) in db.execute(asked, kinds)}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "a.db"

    async def go():
        async with open_session("larkspur", save=path) as session:
            await live(session, 40)

    asyncio.run(go())
    return path


@pytest.mark.slow
def test_a_session_gone_on_with_knows_where_it_began_and_what_was(kept, tmp_path):
    async def go():
        async with open_session(kept, save=tmp_path / "b.db") as session:
            assert (session.first_step, session.path) == (40, tmp_path / "b.db")
            tail = [r.stamp.seq for r in session.view.tail]
            assert tail == sorted({*range(2, session.first_seq + 1)} - packed(kept))
            assert any(s for s in session.world.memories.streams.values())
            await live(session, 1)
            return session.world.step

    assert asyncio.run(go()) == 41


@pytest.mark.slow
def test_a_session_in_memory_has_no_path():
    async def go():
        async with open_session("larkspur", step=600, seed=3) as session:
            await live(session, 1)
            return session.path, session.world.now, session.world.scenario.seed, session.first_seq

    assert asyncio.run(go()) == (None, 600, 3, 0)


@pytest.mark.slow
def test_what_was_lived_is_closed_whole_when_the_sitting_breaks(tmp_path):
    async def broken():
        async with open_session("larkspur", save=tmp_path / "a.db") as session:
            await live(session, 5)
            raise RuntimeError("mine")

    async def go():
        with pytest.raises(RuntimeError, match="mine"):
            await broken()
        async with await Save.open(tmp_path / "a.db", read_only=True) as save:
            return (await save.verify()).ok, save.last_step

    assert asyncio.run(go()) == (True, 5)
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


def test_a_name_that_is_nothing_is_refused(tmp_path):
    async def go(target, **more):
        async with open_session(target, **more):
            raise AssertionError("opened")

    with pytest.raises(WorldFaults, match="no world"):
        asyncio.run(go("nowhere"))
    with pytest.raises(SaveError, match="no such save"):
        asyncio.run(go(tmp_path / "none.db"))


def test_folders_are_worlds_files_are_saves(kept, tmp_path, monkeypatch):
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    assert is_save(kept) == kept
    assert is_save(kept.parent) is None
    assert is_save("larkspur") is None
    assert free_name("larkspur") == tmp_path / "saves" / "larkspur-1.db"
    (tmp_path / "saves").mkdir()
    (tmp_path / "saves" / "larkspur-1.db").touch()
    assert free_name("larkspur") == tmp_path / "saves" / "larkspur-2.db"
    for taken in ("larkspur-7.db", "larkspur-old.db", "larkspurs-9.db"):
        (tmp_path / "saves" / taken).touch()
    assert free_name("larkspur") == tmp_path / "saves" / "larkspur-8.db"
    assert is_save("larkspur-1.db") == tmp_path / "saves" / "larkspur-1.db"


async def test_towns_that_begin_at_once_are_kept_under_names_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    (tmp_path / "saves").mkdir()
    lock = WriteLock.take(tmp_path / "saves" / "larkspur-1.db")  # another is about to make it, or its file was deleted

    async def begin():
        async with open_session("larkspur", named=True) as session:
            return session.path.name

    names = await asyncio.gather(*(begin() for _ in range(3)))
    lock.release()
    assert sorted(names) == ["larkspur-2.db", "larkspur-3.db", "larkspur-4.db"]


@pytest.mark.parametrize("upto", [0, 1, 25, None])
def test_a_life_lived_again_is_the_life(kept, upto):
    async def go():
        async with await Save.open(kept, read_only=True) as save:
            records = []
            steps = []
            async for world, some in relive(save, upto):
                steps.append(world.step)
                records += some
            assert steps == list(range((40 if upto is None else upto) + 1))
            assert [r.stamp.seq for r in records] == list(range(1, len(records) + 1))
            return world.snapshot() == (await save.seek(upto)).snapshot()

    assert asyncio.run(go())


def test_a_hole_in_the_log_is_told(kept, tmp_path):
    path = tmp_path / "a.db"
    path.write_bytes(kept.read_bytes())
    db = sqlite3.connect(path)
    db.execute("DELETE FROM events WHERE seq = (SELECT max(last_seq) FROM steps WHERE step = 20)")
    db.commit()
    db.close()

    async def go():
        async with await Save.open(path, read_only=True) as save:
            async for _ in relive(save):
                pass

    with pytest.raises(SaveError, match="cannot be read beyond step"):
        asyncio.run(go())
