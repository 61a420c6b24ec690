"""A file from anywhere: refused in one line that names it, and never changed."""

import asyncio
import os
import sqlite3

import pytest

from sandbox.store.branch import branch, saves_list
from sandbox.store.errors import SaveError
from sandbox.store.player import relive
from sandbox.store.save import Save
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
    "lacks a part (table events)": sql("DROP TABLE events"),
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


@pytest.mark.slow
def test_a_huge_value_is_not_read(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 5))
    sql("UPDATE events SET data = zeroblob(300000000) WHERE seq = 1")(tmp_path / "a.db")

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


def test_odd_values_in_meta_break_no_list(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 5))
    sql("INSERT INTO meta VALUES ('parent_step', '\u00b2')")(tmp_path / "a.db")
    assert asyncio.run(saves_list(tmp_path))[0].info.parent_step == 0


ODD_STEPS = {
    "t = 'x'": "ends at no second",
    "t = -1": "ends at no second",
    "t = 999999999999999": "ends at no second",
    "last_seq = 'y'": "ends with no event",
    "last_seq = 0": "ends with no event",
    "digest = 1000000000000": "has no digest",
    "digest = x'00'": "has no digest",
}


@pytest.mark.parametrize("odd", ODD_STEPS)
def test_an_odd_last_step_is_told_and_breaks_nothing(tmp_path, odd):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 5))
    sql(f"UPDATE steps SET {odd} WHERE step = 5")(path)
    listed = asyncio.run(saves_list(tmp_path))[0]
    assert listed.info is None
    assert ODD_STEPS[odd] in listed.error
    for read_only in (True, False):
        with pytest.raises(SaveError, match=ODD_STEPS[odd]) as caught:
            asyncio.run(Save.open(path, read_only=read_only, machine=MACHINE))
        assert "\n" not in str(caught.value)
    with pytest.raises(SaveError, match=ODD_STEPS[odd]):
        asyncio.run(branch(path, 5, tmp_path / "b.db"))
    assert not (tmp_path / "b.db").exists()

    async def proved():
        async with await Save.open(path, read_only=True, doubted=True, machine=MACHINE) as save:
            return (await save.verify()).step

    assert asyncio.run(proved()) == 5


@pytest.mark.parametrize("odd", ["t = 'x'", "last_seq = 'y'", "digest = 3"])
def test_an_odd_step_in_the_middle_is_told(tmp_path, odd):
    asyncio.run(make(tmp_path / "a.db", 5))
    sql(f"UPDATE steps SET {odd} WHERE step = 3", "DELETE FROM snapshots")(tmp_path / "a.db")

    async def go():
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            for find in (save.seek, save.steps):
                with pytest.raises(SaveError, match="odd step"):
                    await find()

    asyncio.run(go())


ODD_EVENTS = ["step = 'x'", "t = 'x'", "v = 'x'", "kind = x'ff'", "actor = x'ff'", "causes = x'ff'", "data = x'7b7d'"]


@pytest.mark.parametrize("odd", ODD_EVENTS)
def test_a_column_of_an_event_that_holds_another_kind_of_value_is_told(tmp_path, odd):
    asyncio.run(make(tmp_path / "a.db", 5))
    sql(f"UPDATE events SET {odd} WHERE seq = 4", "DELETE FROM snapshots")(tmp_path / "a.db")

    async def go():
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            with pytest.raises(SaveError, match="cannot be read"):
                await save.rows(0, save.last_seq)
            with pytest.raises(SaveError, match="cannot be read"):
                await save.seek()
            verdict = await save.verify()
            assert "cannot be read" in verdict.why
            return verdict.step

    assert asyncio.run(go()) is not None


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        ("UPDATE events SET t = 99999999999 WHERE seq = 4", "which its step does not hold"),
        ("UPDATE events SET t = -5 WHERE seq = 4", "which its step does not hold"),
        ("UPDATE events SET step = 1000000000000 WHERE seq = 4", "out of order"),
        ("UPDATE steps SET t = t + 60 WHERE step = 5", "ends at second"),
        ("UPDATE steps SET step = 1000000000000 WHERE step = 5", "lacks a step"),
        ("DELETE FROM steps WHERE step = 3", "lacks a step"),
    ],
)
def test_what_stands_at_a_wrong_time_is_told_and_never_waited_for(tmp_path, spoil, says):
    asyncio.run(make(tmp_path / "a.db", 5))
    sql("DELETE FROM snapshots", spoil)(tmp_path / "a.db")

    async def go():
        async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
            with pytest.raises(SaveError, match=says):
                await save.seek()
            with pytest.raises(SaveError, match=r"."):
                async for _ in relive(save):
                    pass
            assert not (await save.verify()).ok

    asyncio.run(go())


def test_words_of_a_file_do_not_reach_the_terminal_raw(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 5))
    sql('CREATE TABLE "x\x1b[2J" (y)')(tmp_path / "a.db")
    with pytest.raises(SaveError, match="holds what no save holds") as caught:
        asyncio.run(Save.open(tmp_path / "a.db"))
    assert str(caught.value).isprintable()
