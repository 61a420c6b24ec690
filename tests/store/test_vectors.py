"""Vectors of texts in a save: found again, beside the log, and never trusted."""

import asyncio
import sqlite3
from pathlib import Path

from sandbox.store.branch import branch
from sandbox.store.save import Save
from sandbox.store.side_tables import AT_ONCE, VectorRows

from .toy import FOUNDING, MACHINE, World, play

ROWS = {bytes([n]) * 16: bytes([n, 60]) * 3 for n in range(5)}


def rows_of(save: Save) -> VectorRows:
    return VectorRows(save._db, save._pen().alone)


def change(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


async def test_rows_are_found_again_after_the_save_was_opened_again(tmp_path: Path) -> None:
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
        await rows_of(save).keep("some", ROWS)
    async with await Save.open(tmp_path / "a.db", machine=MACHINE) as save:
        found = await rows_of(save).find("some", [*ROWS, b"?" * 16])
        assert found == ROWS
        assert await rows_of(save).find("other", [*ROWS]) == {}
        assert await rows_of(save).find("some", []) == {}


async def test_a_row_kept_twice_is_the_later_one_and_many_are_found_at_once() -> None:
    async with await Save.create(":memory:", FOUNDING, machine=MACHINE) as save:
        many = {n.to_bytes(16, "little"): b"ab" for n in range(2 * AT_ONCE + 1)}
        await rows_of(save).keep("some", many)
        await rows_of(save).keep("some", {bytes(16): b"cd"})
        assert await rows_of(save).find("some", [*many]) == many | {bytes(16): b"cd"}


async def test_rows_are_kept_while_steps_are_written_and_are_outside_the_digest(tmp_path: Path) -> None:
    digests = []
    for name, rows in (("a.db", ROWS), ("b.db", {})):
        async with await Save.create(tmp_path / name, FOUNDING, machine=MACHINE) as save:
            kept = (rows_of(save).keep("some", {key: row}) for key, row in rows.items())
            await asyncio.gather(play(save, World.found(FOUNDING), 30), *kept)
            await save.settle()
            assert await rows_of(save).find("some", [*ROWS]) == rows
            digests.append(save.digest)
    assert digests[0] == digests[1]


async def test_what_cannot_be_read_or_written_is_not_there_and_hurts_nobody(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with await Save.create(path, FOUNDING, machine=MACHINE) as save:
        change(path, "ALTER TABLE vectors RENAME TO gone")
        await rows_of(save).keep("some", ROWS)
        assert await rows_of(save).find("some", [*ROWS]) == {}
        await play(save, World.found(FOUNDING), 3)
        await save.settle()
        change(path, "ALTER TABLE gone RENAME TO vectors")
        await rows_of(save).keep("some", ROWS)
        assert await rows_of(save).find("some", [*ROWS]) == ROWS


async def test_what_is_no_row_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with await Save.create(path, FOUNDING, machine=MACHINE) as save:
        await rows_of(save).keep("some", ROWS)
    change(
        path,
        "UPDATE vectors SET row = 'a text' WHERE key = x'00000000000000000000000000000000'",
        "UPDATE vectors SET row = zeroblob(1000000) WHERE key = x'01010101010101010101010101010101'",
        "UPDATE vectors SET row = 7 WHERE key = x'02020202020202020202020202020202'",
    )
    async with await Save.open(path, machine=MACHINE) as save:
        assert set(await rows_of(save).find("some", [*ROWS])) == {bytes([3]) * 16, bytes([4]) * 16}


async def test_a_branch_has_them_or_makes_them_again(tmp_path: Path) -> None:
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
        await play(save, World.found(FOUNDING), 4)
        await rows_of(save).keep("some", ROWS)
    async with await Save.open(await branch(tmp_path / "a.db", 2, tmp_path / "b.db"), machine=MACHINE) as save:
        assert await rows_of(save).find("some", [*ROWS]) in (ROWS, {})
        await rows_of(save).keep("some", ROWS)
        assert await rows_of(save).find("some", [*ROWS]) == ROWS
