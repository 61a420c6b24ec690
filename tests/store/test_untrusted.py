"""A file from anywhere: refused in one line that names it, and never changed."""

import asyncio
import os
import sqlite3

import pytest

from sandbox.store import Save, SaveError, saves_list
from sandbox.store.schema import APPLICATION_ID

from .toy import MACHINE, make


def sql(*statements):
    def spoil(path):
        db = sqlite3.connect(path)
        with db:
            for s in statements:
                db.execute(s)
        db.close()

    return spoil


def foreign(path):
    path.unlink()
    sql("CREATE TABLE x (y)", "INSERT INTO x VALUES (1)")(path)


def foreign_with_our_id(path):
    path.unlink()
    sql("CREATE TABLE x (y)", f"PRAGMA application_id = {APPLICATION_ID}", "PRAGMA user_version = 1")(path)


def cut(keep):
    return lambda path: path.write_bytes(path.read_bytes()[:keep])


CASES = {
    "is empty": cut(0),
    "is not a save": lambda path: path.write_bytes(os.urandom(5000)),
    "is cut short": cut(9000),
    "is cut short ": cut(60),
    "is a database, but not a save": foreign,
    "holds what no save holds (table x)": foreign_with_our_id,
    "was made by a newer version (format 99)": sql("PRAGMA user_version = 99"),
    "has no format number": sql("PRAGMA user_version = 0"),
    "lacks a part (table meta)": sql("DROP TABLE meta"),
    "lacks a part (index events_by_kind": sql("DROP TABLE events"),
    "holds what no save holds (trigger t)": sql("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM steps; END"),
    "holds what no save holds (view v)": sql("CREATE VIEW v AS SELECT 1"),
    "has another view said": sql("DROP VIEW said", "CREATE VIEW said AS SELECT load_extension('x')"),
    "has another table meta": sql("DROP TABLE meta", "CREATE TABLE meta (key, value)"),
    "holds no step": sql("DELETE FROM snapshots", "DELETE FROM steps"),
}


@pytest.mark.parametrize("what", CASES)
@pytest.mark.parametrize("read_only", [True, False])
def test_what_is_no_save_is_refused_in_a_line_and_left_alone(tmp_path, what, read_only):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 30))
    CASES[what](path)
    before = path.read_bytes()
    with pytest.raises(SaveError) as caught:
        asyncio.run(Save.open(path, read_only=read_only))
    text = str(caught.value)
    assert text.startswith(f"{path}: {what.strip()}")
    assert "\n" not in text
    assert caught.value.mend
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.parametrize("read_only", [True, False])
def test_a_name_that_is_no_file_is_refused(tmp_path, read_only):
    with pytest.raises(SaveError, match="no such save"):
        asyncio.run(Save.open(tmp_path / "none.db", read_only=read_only))
    with pytest.raises(SaveError, match="is a folder"):
        asyncio.run(Save.open(tmp_path, read_only=read_only))
    assert list(tmp_path.iterdir()) == []


def test_a_save_whose_end_does_not_fit_is_not_gone_on_with(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 30))
    sql("UPDATE steps SET last_seq = 3 WHERE step = 30")(tmp_path / "a.db")
    with pytest.raises(SaveError, match="does not end"):
        asyncio.run(Save.open(tmp_path / "a.db"))


def test_a_save_locked_by_another_program_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("sandbox.store.guard.BUSY_MS", 1)
    asyncio.run(make(tmp_path / "a.db", 5))
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO meta VALUES ('a', 'b')")
    try:
        with pytest.raises(SaveError, match="is locked by another program"):
            asyncio.run(Save.open(tmp_path / "a.db"))
    finally:
        other.close()


def test_a_huge_value_is_not_read(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 5))
    sql("UPDATE events SET data = zeroblob(100000000) WHERE seq = 1")(tmp_path / "a.db")

    async def go():
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            with pytest.raises(SaveError, match="larger than any save has"):
                await save.found()

    asyncio.run(go())


def test_the_list_of_saves_shows_good_and_bad(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 5))
    asyncio.run(make(tmp_path / "b.db", 7))
    (tmp_path / "c.db").write_bytes(b"what")
    (tmp_path / "notes.txt").write_text("no save")
    for i, name in enumerate("abc"):
        os.utime(tmp_path / f"{name}.db", (i, i))
    found = asyncio.run(saves_list(tmp_path))
    assert [p.path.name for p in found] == ["c.db", "b.db", "a.db"]
    assert found[0].info is None
    assert "is not a save" in found[0].error
    assert [p.info.step for p in found[1:]] == [7, 5]
    assert asyncio.run(saves_list(tmp_path / "none")) == []


def test_odd_values_in_meta_and_in_the_last_step_break_no_list(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 5))
    sql(
        "INSERT INTO meta VALUES ('parent_step', '\u00b2')",
        "UPDATE steps SET digest = 1000000000000, t = 'x', last_seq = 'y' WHERE step = 5",
    )(tmp_path / "a.db")
    found = asyncio.run(saves_list(tmp_path))
    assert found[0].info.parent_step == 0

    async def go():
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            await save.info()
            with pytest.raises(SaveError, match="beyond step"):
                await save.seek()
            return (await save.verify()).step

    assert asyncio.run(go()) == 5
    with pytest.raises(SaveError, match="does not end"):
        asyncio.run(Save.open(tmp_path / "a.db"))
