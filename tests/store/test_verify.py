"""Whatever is changed in a save is found, at its step."""

import asyncio
import shutil
import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.store import caches
from sandbox.store.errors import SaveError
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, make, play

STEPS = 60


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    path = tmp_path_factory.mktemp("verify") / "good.db"
    plain, caches.EVERY_SECONDS = caches.EVERY_SECONDS, 1000
    try:
        asyncio.run(make(path, STEPS))
    finally:
        caches.EVERY_SECONDS = plain
    return path


async def verdict(path, progress=None):
    async with await Save.open(path, read_only=True, doubted=True, machine=MACHINE) as save:
        return await save.verify(progress)


def spoiled(good, sql, *values):
    path = good.with_name("spoiled.db")
    shutil.copy(good, path)
    db = sqlite3.connect(path)
    with db:
        db.execute(sql, values)
    db.close()
    return asyncio.run(verdict(path))


def test_a_good_save_is_proved(good):
    seen = []
    found = asyncio.run(verdict(good, lambda done, all_: seen.append((done, all_))))
    assert found.ok
    assert (found.steps, found.step, found.why) == (STEPS + 1, None, "")
    assert found.snapshots == 4
    assert seen[-1] == (STEPS + 1, STEPS + 1)


def test_a_save_being_played_is_proved_with_what_waits():
    async def go():
        async with await Save.create(":memory:", FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 30)
            found = await save.verify()
            return found.ok, found.steps, found.digest == save.digest

    assert asyncio.run(go()) == (True, 31, True)


COLUMNS = [("events", c) for c in ("seq", "step", "t", "kind", "v", "actor", "causes", "data")]
COLUMNS += [("steps", c) for c in ("step", "t", "last_seq", "digest")]
COLUMNS += [("snapshots", c) for c in ("step", "seq", "format", "size", "digest", "data")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_one_byte_changed_anywhere_is_found_at_its_step(good, data):
    table, column = data.draw(st.sampled_from(COLUMNS))
    db = sqlite3.connect(good)
    rows = db.execute(f"SELECT rowid, step, {column} FROM {table}").fetchall()
    db.close()
    rowid, step, value = data.draw(st.sampled_from(rows))
    if isinstance(value, int):
        new = value ^ (1 << data.draw(st.integers(0, 40)))
        taken = {row[2] for row in rows}
        if (
            column in ("seq", "step")
            and f"{table}.{column}" in ("events.seq", "steps.step", "snapshots.step")
            and new in taken
        ):
            new = max(taken) + 1000
    else:
        raw = bytearray(value if isinstance(value, bytes) else value.encode())
        if not raw:
            raw = bytearray(b"x")
        else:
            raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
        new = bytes(raw)
    put = f"CAST(? AS {'BLOB' if isinstance(value, bytes) else 'TEXT'})" if isinstance(new, bytes) else "?"
    found = spoiled(good, f"UPDATE {table} SET {column} = {put} WHERE rowid = ?", new, rowid)
    assert not found.ok
    if (table, column) == ("snapshots", "step"):
        assert found.step in (new, STEPS + 1)
    else:
        assert found.step == step


@pytest.mark.parametrize(
    ("sql", "step"),
    [
        ("DELETE FROM events WHERE step = 20", 20),
        ("DELETE FROM events WHERE seq = 2", 1),
        ("DELETE FROM steps WHERE step = 30", 30),
        ("DELETE FROM steps WHERE step BETWEEN 1 AND 59", 1),
        ("DELETE FROM steps WHERE step = 60", 60),
        ("INSERT INTO events VALUES (100000, 60, 1, 'added', 1, '', '[]', '{}')", 61),
        ("INSERT INTO events VALUES (-5, 0, 1, 'added', 1, '', '[]', '{}')", 61),
        ("UPDATE steps SET last_seq = 'many' WHERE step = 7", 7),
        ("UPDATE steps SET last_seq = last_seq + 2 WHERE step = 8", 8),
        ("UPDATE steps SET t = t + 1 WHERE step = 60", 60),
        ("UPDATE events SET data = CAST(x'ff00' AS TEXT) WHERE seq = 2", 1),
        ("UPDATE events SET data = zeroblob(70000000) WHERE seq = 2", 1),
    ],
)
def test_what_is_missing_or_too_much_is_found(good, sql, step):
    found = spoiled(good, sql)
    assert not found.ok
    assert found.step == step


def test_a_damaged_page_is_told_and_never_crashes(good):
    path, whole, told = good.with_name("pages.db"), good.read_bytes(), 0
    for page in range(1, len(whole) // 4096):
        raw = bytearray(whole)
        raw[page * 4096 : page * 4096 + 1024] = b"\xee" * 1024
        path.write_bytes(raw)
        try:
            told += not asyncio.run(verdict(path)).ok
        except SaveError:  # the page that says where the log ends
            told += 1
    assert told == len(whole) // 4096 - 1
