"""A save is written small, `saves pack` makes an older one so in its place, and what is packed wrongly is told."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandbox.core.events import chain_digest
from sandbox.core.protocols import JournalFull
from sandbox.store import caches, player, schema
from sandbox.store.errors import SaveError
from sandbox.store.lock import WriteLock
from sandbox.store.player import pack
from sandbox.store.save import Save
from sandbox.store.schema import from_stored, to_stored
from sandbox.store.session import open_session

STEPS = 30
BESIDE = "INSERT INTO bookmarks VALUES (7, 'here')", "INSERT INTO meta VALUES ('title', 'Of old')"


def sql(path: Path, *orders: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as db, db:
        return [row for order in orders for row in db.execute(order).fetchall()]


def events(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return from_stored(db.execute("SELECT * FROM events ORDER BY seq"))


async def live(path: Path | str, target: Path | str = "larkspur", steps: int = STEPS) -> bytes:
    new = {"seed": 5, "set": ["feed.crowd=300"]} if target == "larkspur" else {}
    async with open_session(target, save=path, **new) as session:
        for _ in range(steps):
            await session.engine.step()
        await session.save.settle()
        return session.save.digest


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pack") / "a.db"
    asyncio.run(live(path))
    return path


def older(kept: Path, path: Path) -> Path:
    """The same save as the version before wrote it: nothing packed, an index by kind, and in an earlier format."""
    rows = events(kept)
    path.write_bytes(kept.read_bytes())
    with closing(sqlite3.connect(path)) as db, db:
        db.executemany("UPDATE events SET data = ? WHERE seq = ?", [(row[7], row[0]) for row in rows])
    sql(path, "DROP TABLE founding", "DELETE FROM meta WHERE key = 'title'", *BESIDE, schema.LOG[1])
    sql(path, f"PRAGMA user_version = {len(schema.MIGRATIONS) - 1}")
    return path


async def verdict(path: Path) -> tuple[bool, int, str, bytes]:
    async with await Save.open(path, read_only=True) as save:
        found = await save.verify()
        return found.ok, found.snapshots, found.why, found.digest


def test_event_1_and_a_crowds_acts_are_packed_and_nothing_else(kept: Path) -> None:
    kinds = dict(sql(kept, "SELECT kind, min(typeof(data)) FROM events GROUP BY kind"))
    assert {kind for kind, held in kinds.items() if held == "blob"} == {"founded", "crowd_acted"}
    assert sql(kept, "SELECT length(data) < 600000 FROM events WHERE seq = 1") == [(1,)]
    assert kept.stat().st_size < 1_000_000
    start, people = sql(kept, "SELECT start, json_array_length(people) FROM founding")[0]
    assert (start, people) == ("2025-03-04 07:30", 25)
    assert sql(kept, "SELECT min(clock) FROM acts")[0][0].startswith("2025-03-04 07:3")
    assert sql(kept, "SELECT count(*), min(user) FROM feed_users") == [(25, 300)]


def test_an_older_save_is_made_small_and_nothing_else_of_it_changes(kept: Path, tmp_path: Path) -> None:
    path = older(kept, tmp_path / "old.db")
    os.chmod(path, 0o600)
    os.utime(path, (10**9, 10**9))
    size, digest = path.stat().st_size, sql(path, "SELECT digest FROM steps ORDER BY step DESC LIMIT 1")[0][0]
    meta, rows = sql(path, "SELECT * FROM meta ORDER BY key"), events(path)
    before, after = asyncio.run(pack(path))
    assert (before, after) == (size, path.stat().st_size)
    assert after < before / 2
    assert events(path) == rows == events(kept)
    assert sql(path, "SELECT * FROM meta ORDER BY key") == meta
    assert sql(path, "SELECT * FROM bookmarks") == [(7, "here")]
    assert (path.stat().st_mode & 0o777, path.stat().st_mtime) == (0o600, 10**9)
    assert asyncio.run(verdict(path))[::3] == (True, digest)
    assert sql(path, "SELECT * FROM snapshots") == sql(kept, "SELECT * FROM snapshots")
    assert os.listdir(tmp_path) == ["old.db"]
    assert asyncio.run(live(None, path, 5)) == asyncio.run(live(tmp_path / "b.db", steps=STEPS + 5))


@pytest.mark.slow
def test_one_that_was_written_before_opens_verifies_goes_on_and_branches(kept: Path, tmp_path: Path) -> None:
    path = older(kept, tmp_path / "old.db")
    assert asyncio.run(verdict(path))[0]
    assert sql(path, "PRAGMA user_version")[0][0] == len(schema.MIGRATIONS) - 1
    assert asyncio.run(live(None, path, 5)) == asyncio.run(live(tmp_path / "b.db", steps=STEPS + 5))
    assert asyncio.run(verdict(path))[0]
    assert dict(sql(path, "SELECT typeof(data), count(*) FROM events GROUP BY 1"))["blob"] == 1  # a tick since


@pytest.mark.slow
def test_one_that_is_open_read_only_no_save_or_damaged_is_left_as_it_is(kept: Path, tmp_path: Path) -> None:
    def refused(path: Path, why: str) -> None:
        held = path.read_bytes()
        with pytest.raises(SaveError, match=why):
            asyncio.run(pack(path))
        assert path.read_bytes() == held
        assert not [name for name in os.listdir(tmp_path) if "pack" in name or "tmp" in name]

    async def while_open() -> None:
        async with await Save.open(path):
            with pytest.raises(SaveError, match="is being played"):
                await pack(path)

    path = older(kept, tmp_path / "old.db")
    asyncio.run(while_open())
    sql(path, "UPDATE steps SET digest = zeroblob(32) WHERE step = 20")
    refused(path, "differs from its digests")
    sql(path, "UPDATE events SET v = 99 WHERE step = 21")
    refused(path, "cannot be read beyond step 20")
    sql(path, "DELETE FROM events WHERE step = 20")
    refused(path, "cannot be read beyond step 19")
    (tmp_path / "none.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    refused(tmp_path / "none.db", "is not a save|is a database, but not a save")
    with pytest.raises(SaveError):
        asyncio.run(pack(tmp_path / "nowhere.db"))


@pytest.mark.slow
def test_a_killed_try_leaves_the_save_and_the_next_removes_what_it_left(kept: Path, tmp_path: Path) -> None:
    path = older(kept, tmp_path / "old.db")
    for name in (".old.db.abcdefg0.pack", ".old.db.abcdefg1.pack", ".old.db.mine.packed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "save.db").write_bytes(b"left")
    at_work = WriteLock.take(tmp_path / ".old.db.abcdefg1.pack" / "save.db")
    asyncio.run(pack(path))
    assert sorted(os.listdir(tmp_path)) == [".old.db.abcdefg1.pack", ".old.db.mine.packed", "old.db"]
    at_work.release()
    asyncio.run(pack(path))
    assert sorted(os.listdir(tmp_path)) == [".old.db.mine.packed", "old.db"]


def test_what_a_killed_program_left_beside_a_save_is_packed_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "killed.db"

    async def kill() -> bytes:
        async with open_session("larkspur", seed=5, set=["feed.crowd=0"], save=tmp_path / "a.db") as session:
            for _ in range(12):
                await session.engine.step()
            await session.save.settle()
            for suffix in ("", "-wal"):
                (tmp_path / f"killed.db{suffix}").write_bytes((tmp_path / f"a.db{suffix}").read_bytes())
            return session.save.digest

    def fails(*_: object) -> None:
        raise OSError("no such luck")

    digest = asyncio.run(kill())
    assert (tmp_path / "killed.db-wal").stat().st_size > 0
    with monkeypatch.context() as patch:
        patch.setattr("sandbox.store.files.os.replace", fails)
        with pytest.raises(SaveError):
            asyncio.run(pack(path))
    assert asyncio.run(verdict(path))[::3] == (True, digest)
    asyncio.run(pack(path))
    assert asyncio.run(verdict(path))[::3] == (True, digest)


@pytest.mark.slow
def test_nobody_else_can_read_a_private_save_while_it_is_packed(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = older(kept, tmp_path / "old.db"), list[int]()
    os.chmod(path, 0o600)
    publish = player.publish_save

    def published(*args: Any) -> Any:
        fill = args[1]

        def look(db: sqlite3.Connection) -> None:
            seen.extend(entry.stat().st_mode & 0o077 for entry in os.scandir(tmp_path) if entry.name.startswith("."))
            fill(db)

        return publish(args[0], look, *args[2:])

    monkeypatch.setattr(player, "publish_save", published)
    asyncio.run(pack(path))
    assert len(seen) >= 2
    assert not any(seen)


def test_a_replay_reads_as_much_at_once_as_may_be_unpacked(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def replayed() -> int:
        async with await Save.open(kept, read_only=True) as save:
            await save.found()
            sizes = [len(row[7]) for row in await save.rows(1, save.last_seq) if row[3] == "crowd_acted"]
            monkeypatch.setattr("sandbox.store.schema.MAX_VALUE", max(sizes))
            monkeypatch.setattr("sandbox.store.read.TOGETHER", 300)  # an event of 300 users
            assert len(sizes) > 2
            return [lived.world.step async for lived in player.relive(save)][-1]

    assert asyncio.run(replayed()) == STEPS


def test_who_has_an_account_is_nobody_where_there_is_no_feed() -> None:
    data = '{"scenario": {"start": "2025-03-04 07:30", "parameters": {}, "feed": null, "cast": null}}'
    query = schema.WHAT_VIEWS_READ.format("(SELECT ? AS data)")
    with closing(sqlite3.connect(":memory:")) as db:
        assert db.execute(query, (data,)).fetchall() == [(1, "2025-03-04 07:30", 0, "[]", "[]")]


def test_states_that_are_large_together_are_no_bases_of_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    state = os.urandom(caches.LEAST)
    monkeypatch.setattr(caches, "MOST", 2 * caches.LEAST)
    bases: tuple[caches.BaseState, ...] = ()
    for step in range(1, 40):
        _, bases = caches.pack_next(step, step, b"", state, bases)
        assert sum(len(base.state) for base in bases) <= 3 * caches.LEAST


FORGED = {
    "no packed text": lambda text: b"no packed text",
    "cut short": lambda text: zlib.compress(text)[:-9],
    "more behind it": lambda text: zlib.compress(text) + b"more",
    "no UTF-8": lambda text: zlib.compress(b"\xff" + text),
    "another text": lambda text: zlib.compress(text + b" "),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_is_packed_wrongly_is_told_with_its_step(kept: Path, tmp_path: Path, what: str) -> None:
    path = tmp_path / "a.db"
    for (seq,) in sql(kept, "SELECT seq FROM events WHERE kind IN ('founded', 'crowd_acted') LIMIT 2"):
        path.write_bytes(kept.read_bytes())
        with closing(sqlite3.connect(path)) as db, db:
            ((row),) = from_stored(db.execute("SELECT * FROM events WHERE seq = ?", (seq,)))
            db.execute("UPDATE events SET data = ? WHERE seq = ?", (FORGED[what](row[7].encode()), seq))
        ok, _, why, _ = asyncio.run(verdict(path))
        assert not ok
        assert why


def test_packed_data_that_would_fill_the_memory_are_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = (2, 0, 0, "crowd_acted", 1, "", "[]", zlib.compress(bytes(10**6)))
    monkeypatch.setattr("sandbox.store.schema.MAX_VALUE", 10**6)
    assert [type(row[7]) for row in from_stored([bomb, bomb])] == [str, bytes]
    monkeypatch.setattr("sandbox.store.schema.MAX_VALUE", 10**6 - 1)
    assert from_stored([bomb]) == [bomb]


def test_what_views_read_of_event_1_is_verified(kept: Path, tmp_path: Path) -> None:
    for change in ("UPDATE founding SET start = '2025-03-04 07:31'", "DELETE FROM founding"):
        path = tmp_path / "a.db"
        path.write_bytes(kept.read_bytes())
        sql(path, change)
        assert asyncio.run(verdict(path))[2] == "what views read of its first event is not what that says"


def test_rows_are_the_same_read_as_they_were_before_they_were_stored(kept: Path) -> None:
    from sandbox.core.events import ZERO, EventRow

    rows = [EventRow(*row) for row in events(kept)]
    assert from_stored(map(to_stored, rows)) == rows
    first = sql(kept, "SELECT digest FROM steps WHERE step = 0")[0][0]
    assert chain_digest(ZERO, 0, rows[:1]) == first


def test_a_copy_that_cannot_be_written_is_told_of_the_save(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(kept, tmp_path / "old.db")
    held = path.read_bytes()

    async def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise JournalFull("x") from error

    monkeypatch.setattr(player, "_lived", full)
    with pytest.raises(SaveError, match="cannot be packed: a copy has no room left on its disk") as told:
        asyncio.run(pack(path))
    assert told.value.path == path
    assert os.listdir(tmp_path) == ["old.db"]
    assert path.read_bytes() == held


def test_only_what_the_program_packs_is_unpacked(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(kept.read_bytes())
    with closing(sqlite3.connect(path)) as db, db:
        seq, text = db.execute("SELECT seq, data FROM events WHERE kind = 'chose' LIMIT 1").fetchone()
        db.execute("UPDATE events SET data = ? WHERE seq = ?", (zlib.compress(text.encode()), seq))
    assert not asyncio.run(verdict(path))[0]  # the views could not read it
