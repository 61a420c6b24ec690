"""Any step can be reached, and a snapshot is only a shorter way there."""

import asyncio
import sqlite3
import zlib
from hashlib import sha256
from itertools import pairwise

import pytest

from sandbox.core.events import chain_digest
from sandbox.store import caches
from sandbox.store.errors import SaveError
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, make, next_step


def change(path, sql, *values):
    db = sqlite3.connect(path)
    with db:
        db.execute(sql, values)
    db.close()


def states(steps):
    """The state after every step, lived without a save."""
    world, seq, out = World.found(FOUNDING), 1, []
    out.append(world.snapshot())
    for _ in range(steps):
        seq += len(next_step(world, seq))
        out.append(world.snapshot())
    return out


async def sought(path, steps):
    async with await Save.open(path, read_only=True, machine=MACHINE) as save:
        return [(await save.seek(s)).snapshot() for s in steps], save.warnings


@pytest.fixture
def long(tmp_path, monkeypatch):
    monkeypatch.setattr(caches, "EVERY_SECONDS", 1000)
    asyncio.run(make(tmp_path / "a.db", 120))
    return tmp_path / "a.db"


def test_seek_is_replay(long):
    found, warnings = asyncio.run(sought(long, range(121)))
    assert found == states(120)
    assert not warnings


def test_snapshots_come_by_events_and_by_hours(tmp_path, monkeypatch):
    monkeypatch.setattr(caches, "EVERY_SECONDS", 10**9)
    monkeypatch.setattr(caches, "EVERY_EVENTS", 50)
    asyncio.run(make(tmp_path / "a.db", 60))
    monkeypatch.undo()
    asyncio.run(make(tmp_path / "b.db", 800, 1))
    a, b = (
        sqlite3.connect(tmp_path / n)
        .execute("SELECT a.step, seq, b.t FROM snapshots a JOIN steps b USING (step)")
        .fetchall()
        for n in ("a.db", "b.db")
    )
    assert len(a) == 3
    assert all(y[1] - x[1] >= 50 for x, y in zip([(0, 0, 0), *a], a, strict=False))
    since = [
        (y[1] - x[1]) / caches.EVERY_EVENTS + (y[2] - x[2]) / caches.EVERY_SECONDS for x, y in pairwise([(0, 1, 0), *b])
    ]
    assert len(b) > 4
    assert all(1 <= share < 1.05 for share in since)


@pytest.mark.parametrize(("size", "times"), [(0, 1), (400_000, 1), (2_720_000, 2), (40_000_000, 12)])
def test_what_comes_with_events_and_with_time_counts_together_and_a_large_state_is_kept_less_often(size, times):
    last, events, seconds = caches.NewestSnapshot(1000, 500, size), caches.EVERY_EVENTS, caches.EVERY_SECONDS
    assert not caches.due(1000 + times * events - 600, 500, last)
    assert caches.due(1000 + times * events + 600, 500, last)
    assert not caches.due(1000, 500 + times * seconds - 4000, last)
    assert caches.due(1000, 500 + times * seconds + 4000, last)
    assert caches.due(1000 + times * events // 2 + 600, 500 + times * seconds // 2, last)


def test_without_any_snapshot_the_state_is_the_same(long):
    change(long, "DELETE FROM snapshots")
    assert asyncio.run(sought(long, [120, 55]))[0] == [states(120)[120], states(55)[55]]


def bad_format(db, row):
    db.execute("UPDATE snapshots SET format = 99 WHERE step = ?", row)


def bad_bytes(db, row):
    data = bytearray(db.execute("SELECT data FROM snapshots WHERE step = ?", row).fetchone()[0])
    data[len(data) // 2] ^= 1
    db.execute("UPDATE snapshots SET data = ? WHERE step = ?", (bytes(data), *row))


def bad_state(db, row):
    digest = db.execute("SELECT digest FROM steps WHERE step = ?", row).fetchone()[0]
    shot = caches.pack_state(row[0], 1, digest, b"null")
    db.execute(
        "UPDATE snapshots SET data = ?, size = ?, digest = ? WHERE step = ?", (shot.data, shot.size, shot.digest, *row)
    )


def another_place(db, row):
    db.execute("UPDATE snapshots SET seq = seq - 1 WHERE step = ?", row)


def bomb(db, row):
    packed = zlib.compress(bytes(200 << 20), 1)
    db.execute("UPDATE snapshots SET data = ?, size = 100 WHERE step = ?", (packed, *row))


@pytest.mark.parametrize("spoil", [bad_format, bad_bytes, bad_state, another_place, bomb])
def test_a_bad_snapshot_is_told_and_passed_over(long, spoil):
    db = sqlite3.connect(long)
    last = db.execute("SELECT max(step) FROM snapshots").fetchone()
    with db:
        spoil(db, last)
    db.close()
    found, warnings = asyncio.run(sought(long, [120]))
    assert found == [states(120)[120]]
    assert len(warnings) == 1
    assert f"step {last[0]}" in warnings[0]


def test_a_migration_drops_snapshots(long, monkeypatch):
    from sandbox.store import schema

    more = schema.Migration("a table", ("CREATE TABLE extra (x)",))
    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, more])
    before = long.read_bytes()
    assert asyncio.run(sought(long, [120]))[0] == [states(120)[120]]
    assert long.read_bytes() == before

    async def go():
        async with await Save.open(long, machine=MACHINE) as save:
            return await save.cached("snapshots"), (await save.seek()).snapshot()

    assert asyncio.run(go()) == ([], states(120)[120])
    assert asyncio.run(sought(long, [120]))[0] == [states(120)[120]]


def test_a_step_that_is_not_there_is_refused(long):
    for step in (121, -1):
        with pytest.raises(SaveError, match="has no step"):
            asyncio.run(sought(long, [step]))


def test_an_event_that_cannot_be_read_is_told_with_its_step(long):
    change(long, "DELETE FROM snapshots")
    change(long, "UPDATE events SET kind = 'what' WHERE step = 80")
    with pytest.raises(SaveError, match="beyond step 79"):
        asyncio.run(sought(long, [90]))
    assert asyncio.run(sought(long, [79]))[0] == [states(79)[79]]


def test_a_checksum_belongs_to_its_log():
    end = chain_digest(bytes(32), 1, [])
    shot = caches.pack_state(1, 5, end, b"state")
    assert caches.unpack_state(shot, 5, end, 5) == b"state"
    with pytest.raises(caches.BadCache, match="checksum"):
        caches.unpack_state(shot, 5, bytes(32), 5)


def test_nothing_is_unpacked_whose_checksum_covers_the_unpacked_bytes_only(monkeypatch):
    end = chain_digest(bytes(32), 1, [])
    shot = caches.pack_state(1, 5, end, b"state")._replace(format=3, digest=sha256(end + b"state").digest())
    monkeypatch.setattr(zlib, "decompressobj", lambda *_, **__: pytest.fail("it was unpacked"))
    with pytest.raises(caches.BadCache, match="format is 3"):
        caches.unpack_state(shot, 5, end, 5)


def test_a_program_that_does_not_know_the_format_of_its_snapshots_refuses_a_save(long, monkeypatch):
    from sandbox.store import schema

    version = len(schema.MIGRATIONS)
    monkeypatch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:-1])  # as it was when they had the format before
    with pytest.raises(SaveError, match=rf"newer version \(format {version}\)"):
        asyncio.run(sought(long, [120]))


@pytest.mark.parametrize("spoilt", ["bytes", "size"])
def test_what_nobody_packed_here_or_no_such_world_can_be_is_not_unpacked(monkeypatch, spoilt):
    end = chain_digest(bytes(32), 1, [])
    shot = caches.pack_state(1, 5, end, bytes(3 << 20))
    if spoilt == "bytes":
        shot = shot._replace(data=shot.data[:-1] + b"x")
    monkeypatch.setattr(zlib, "decompressobj", lambda *_, **__: pytest.fail("it was unpacked"))
    with pytest.raises(caches.BadCache):
        caches.unpack_state(shot, 5, end, 4 << 20 if spoilt == "bytes" else 2 << 20)


def test_after_three_bad_snapshots_the_events_alone_are_asked(long, monkeypatch):
    db = sqlite3.connect(long)
    steps = [step for (step,) in db.execute("SELECT step FROM snapshots ORDER BY step DESC")]
    assert len(steps) > 3
    with db:
        for step in steps[:-1]:
            seq, digest = db.execute("SELECT last_seq, digest FROM steps WHERE step = ?", (step,)).fetchone()
            shot = caches.pack_state(step, seq, digest, bytes(64 << 10))  # true in all but what it holds
            db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", shot)
    db.close()
    found, warnings = asyncio.run(sought(long, [120]))
    assert found == [states(120)[120]]
    assert [f"step {step} is passed over" in said for step, said in zip(steps, warnings, strict=False)] == [True] * 3


def test_no_word_of_a_snapshot_is_a_command_to_the_terminal(long, caplog):
    change(long, "UPDATE snapshots SET format = char(27) || '[2J'")
    _, warnings = asyncio.run(sought(long, [120]))
    assert warnings
    assert all(text.isprintable() for text in (*warnings, *caplog.messages))
