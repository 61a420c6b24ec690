"""A save from anywhere runs nothing of its own and waits for nobody: whatever stands in it or beside it is looked at
before SQLite acts on it."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from functools import partial

import pytest

from sandbox.store.branch import branch, saves_list
from sandbox.store.errors import SaveError
from sandbox.store.guard import reading, writing
from sandbox.store.save import Save

from .toy import MACHINE, make, play

EATS = "CREATE TRIGGER {} AFTER INSERT ON steps BEGIN DELETE FROM events WHERE seq = 5; END"
HANGS = (
    "CREATE TRIGGER {} AFTER INSERT ON steps BEGIN DELETE FROM meta WHERE (WITH RECURSIVE n(i) AS"
    " (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n) = 0; END"
)


def spoil(path, *statements):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    for one in statements:
        db.execute(one)
    db.close()


def renamed(sql):
    return (
        sql.format("mine"),
        "UPDATE sqlite_master SET name = 'sqlite_stat_x', tbl_name = replace(tbl_name, 'mine', 'sqlite_stat_x'),"
        " sql = replace(sql, 'mine', 'sqlite_stat_x') WHERE name = 'mine'",
    )


ACTS = {
    "a trigger called like a table of SQLite's": renamed(EATS),
    "one that never ends": renamed(HANGS),
    "a view called so": renamed("CREATE VIEW {} AS SELECT 1"),
}


@pytest.mark.parametrize("what", ACTS)
def test_what_would_act_by_itself_is_refused_wherever_a_save_is_opened(tmp_path, what):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 30))
    spoil(path, *ACTS[what])
    before = path.read_bytes()

    async def ways():
        for way in (Save.open, partial(Save.open, read_only=True), partial(branch, step=20, out=tmp_path / "b.db")):
            with pytest.raises(SaveError, match="holds what no save holds"):
                await way(path)
        return await saves_list(tmp_path)

    [listed] = asyncio.run(ways())
    assert "holds what no save holds" in listed.error
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


def test_what_sqlite_measured_of_a_save_stays_allowed(tmp_path):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 30))
    spoil(path, "ANALYZE")

    async def go():
        async with await Save.open(path, machine=MACHINE) as save:
            await play(save, await save.seek(), 5)
            return (await save.verify()).ok

    assert asyncio.run(go())


def test_a_trigger_that_comes_after_the_look_does_not_act(tmp_path, monkeypatch):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 30))

    async def go():
        async with await Save.open(path, machine=MACHINE) as save:
            world = await play(save, await save.seek(), 1)
            await save.settle()
            spoil(path, EATS.format("t"))
            await play(save, world, 1)
            with pytest.raises(Exception, match="would act by itself"):
                await save.settle()
            spoil(path, "DROP TRIGGER t")
            await save.retry()

    asyncio.run(go())
    assert sqlite3.connect(path).execute("SELECT count(*) FROM events WHERE seq = 5").fetchone() == (1,)

    def late(*_, **__):
        found = reading(path, mine=True)
        spoil(path, EATS.format("t"))
        return found

    monkeypatch.setattr("sandbox.store.guard.reading", late)
    with pytest.raises(SaveError, match="holds what no save holds"):
        writing(path)


def with_a_journal(path):
    """Leave what a killed program leaves in the middle of a change: pages to be put back, under the save's own name."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = DELETE")
    db.execute("PRAGMA cache_spill = 1")
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN")
    db.execute("UPDATE events SET kind = 'x' || kind")
    kept = path.with_name(path.name + "-journal").read_bytes()
    db.execute("ROLLBACK")
    db.close()
    path.with_name(path.name + "-journal").write_bytes(kept)


def test_no_save_of_ours_ever_has_a_journal_that_a_kill_could_leave(tmp_path):
    async def go():
        async with await Save.open(tmp_path / "a.db", machine=MACHINE):
            pass
        await branch(tmp_path / "a.db", 20, tmp_path / "b.db")

    asyncio.run(make(tmp_path / "a.db", 30))
    asyncio.run(go())
    for name in ("a.db", "b.db"):
        assert (tmp_path / name).read_bytes()[18:20] == b"\2\2", "it is kept with a write-ahead log from the start"


def a_pipe(suffix):
    return lambda path: os.mkfifo(path.with_name(path.name + suffix))


def a_link(path):
    (path.parent / "other.txt").write_text("")
    path.with_name(path.name + "-wal").symlink_to(path.parent / "other.txt")


BESIDE = {"a journal": (with_a_journal, "unfinished change beside it (a.db-journal)")}
if sys.platform != "win32":
    BESIDE |= {f"a pipe{end}": (a_pipe(end), f"no ordinary file (a.db{end})") for end in ("-wal", "-shm", "-lock")}
    BESIDE |= {"a link": (a_link, "no ordinary file (a.db-wal)")}


@pytest.mark.parametrize("what", BESIDE)
def test_what_stands_beside_a_save_is_looked_at_before_it_is_opened(tmp_path, what):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 30))
    put, says = BESIDE[what]
    put(path)
    before, names = path.read_bytes(), sorted(p.name for p in tmp_path.iterdir())

    async def ways():
        for way in (
            Save.open,
            partial(Save.open, read_only=True),
            partial(branch, step=20, out=tmp_path / "b.db"),
            partial(make, steps=5, overwrite=True),
        ):
            with pytest.raises(SaveError) as caught:
                await way(path)
            assert says in str(caught.value)
            assert "\n" not in str(caught.value)
        return await saves_list(tmp_path)

    [listed] = asyncio.run(ways())
    assert says in listed.error
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == names


def test_a_save_left_in_two_files_is_whole_under_each_of_its_names(tmp_path):
    path, link = tmp_path / "a.db", tmp_path / "other" / "name.db"
    link.parent.mkdir()
    link.symlink_to(path)

    async def go():
        async with await Save.open(path, machine=MACHINE) as save:
            await play(save, await save.seek(), 5)
            await save.settle()
            async with await Save.open(link, read_only=True, machine=MACHINE) as other:
                return other.last_step

    asyncio.run(make(path, 30))
    assert asyncio.run(go()) == 35


# SQLite's shared lock of a file: where it stands and how long it is (the file format's "lock byte page").
SHARED_FIRST, SHARED_SIZE = 0x40000002, 510
TRY = """
import fcntl, sys
with open(sys.argv[1], "rb+") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, int(sys.argv[3]), int(sys.argv[2]))
    except OSError:
        print("held")
    else:
        print("free")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="locks that a process loses when it closes the file once")
def test_a_look_at_the_saves_leaves_the_locks_of_one_that_is_played(tmp_path):
    path = tmp_path / "a.db"

    def lock():
        """Ask as another process would: it alone can be refused by the locks of this one."""
        asked = [sys.executable, "-I", "-c", TRY, str(path), str(SHARED_FIRST), str(SHARED_SIZE)]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()

    async def go():
        async with await Save.open(path, machine=MACHINE):
            before = lock()
            await saves_list(tmp_path)
            return before, lock()

    asyncio.run(make(path, 5))
    assert asyncio.run(go()) == ("held", "held")
    assert lock() == "free"
