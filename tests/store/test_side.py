"""What a save keeps beside its log: calls of language models, and interviews."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from sandbox.minds.budget import Call, Key, NotKept, Spent, UnsavedCalls
from sandbox.store.branch import branch
from sandbox.store.save import Save
from sandbox.store.side_tables import InterviewRow

from .toy import FOUNDING, MACHINE, World, play

MODEL = "openai/some"


def call(step: int, n: int = 0, day: int = 1, **other: object) -> Call:
    return Call(Key(step, 0, "mara", "Say", n, 0), day, MODEL, "ab" * 32, '{"text":"Aye."}', **other)  # type: ignore[arg-type]


async def test_a_call_is_found_again_after_the_save_was_opened_again(tmp_path: Path) -> None:
    kept = call(3, tokens_in=400, tokens_out=20, cost=0.001, seconds=1.5)
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
        await save.calls.keep(kept)
    async with await Save.open(tmp_path / "a.db", machine=MACHINE) as save:
        assert await save.calls.find(kept.key) == kept
        assert await save.calls.find(kept.key._replace(attempt=1)) is None


async def test_a_call_kept_twice_is_the_later_one() -> None:
    async with await Save.create(":memory:", FOUNDING, machine=MACHINE) as save:
        for store in (UnsavedCalls(), save.calls):
            await store.keep(call(1))
            await store.keep(call(1, fault="cut off"))
            found = await store.find(call(1).key)
            assert found is not None
            assert found.fault == "cut off"
            assert await store.spent() == {(1, MODEL): Spent(1, 0, 0.0)}


async def test_calls_of_one_moment_are_kept_while_steps_are_written(tmp_path: Path) -> None:
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
        world = World.found(FOUNDING)
        calls = [call(1, n, 1 + n % 2, tokens_in=10, tokens_out=1, cost=0.5) for n in range(40)]

        async def live() -> None:
            await play(save, world, 30)

        await asyncio.gather(live(), *(save.calls.keep(c) for c in calls))
        assert await save.calls.spent() == {(1, MODEL): Spent(20, 220, 10.0), (2, MODEL): Spent(20, 220, 10.0)}
        assert save.last_step == 30
    async with await Save.open(tmp_path / "a.db", read_only=True, machine=MACHINE) as save:
        assert save.last_step == 30


async def test_a_call_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("ALTER TABLE calls RENAME TO gone")
        other.close()
        with pytest.raises(NotKept, match="no such table"):
            await save.calls.keep(call(1))
        await save.settle()


async def test_of_calls_kept_together_each_says_that_it_could_not_be_kept(tmp_path: Path) -> None:
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("ALTER TABLE calls RENAME TO gone")
        found = await asyncio.gather(*(save.calls.keep(call(1, n)) for n in range(5)), return_exceptions=True)
        assert [type(x) for x in found] == [NotKept] * 5
        other.execute("ALTER TABLE gone RENAME TO calls")
        other.close()
        await save.calls.keep(call(2))
        assert await save.calls.spent() == {(1, MODEL): Spent(1, 0, 0.0)}, "what was given up came back"


async def test_calls_of_a_foreign_save_that_nobody_can_have_made_cost_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with await Save.create(path, FOUNDING, machine=MACHINE) as save:
        for n in range(4):
            await save.calls.keep(call(1, n))
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE calls SET tokens_in = ? WHERE n < 2", (2**62,))  # their sum is no number of SQLite's
    db.execute("UPDATE calls SET cost = 9e999 WHERE n = 2")
    db.execute("UPDATE calls SET answer = CAST(x'ff' AS TEXT) WHERE n = 3")
    db.close()
    async with await Save.open(path, machine=MACHINE) as save:
        assert await save.calls.spent() == {(1, MODEL): Spent(1, 0, 0.0)}
        assert await save.calls.find(call(1, 3).key) is None


async def test_what_is_no_call_and_no_interview_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with await Save.create(path, FOUNDING, machine=MACHINE) as save:
        await save.calls.keep(call(1))
        await save.asked(InterviewRow(0, 0, "mara", "How are you?", "Well enough."))
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE calls SET cost = 'dear', answer = x'00ff'")
    db.execute("INSERT INTO interviews VALUES (NULL, 0, 0, 'mara', x'00', 'b', 'c', '[]')")
    db.execute("INSERT INTO interviews VALUES (NULL, 0, 0, 'mara', 'a', 'b', 'c', '{')")
    db.close()
    async with await Save.open(path, machine=MACHINE) as save:
        assert await save.calls.find(call(1).key) is None
        assert await save.calls.spent() == {}
        assert [x.answer for x in await save.interviews("mara")] == ["Well enough."]


async def test_a_branch_takes_along_what_was_asked_before_it(tmp_path: Path) -> None:
    async with await Save.create(tmp_path / "a.db", FOUNDING, machine=MACHINE) as save:
        world = World.found(FOUNDING)
        await play(save, world, 4)
        for step in (2, 4):
            await save.calls.keep(call(step))
            await save.asked(InterviewRow(step, 10 * step, "bo", "Why?", f"At {step}.", "openai/some", (4, 7)))
        digest = save.digest
        assert [x.answer for x in await save.interviews("bo")] == ["At 2.", "At 4."]
        assert await save.interviews("mara") == []
    async with await Save.open(await branch(tmp_path / "a.db", 2, tmp_path / "b.db"), machine=MACHINE) as save:
        assert [x.memories for x in await save.interviews()] == [(4, 7)]
        assert await save.calls.find(call(2).key) is not None
        assert await save.calls.find(call(4).key) is None
    async with await Save.open(tmp_path / "a.db", machine=MACHINE) as save:
        assert save.digest == digest, "calls and interviews are outside the digest"
