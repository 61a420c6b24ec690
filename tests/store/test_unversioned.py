"""Two runs that differ in what they were made with alone have one unversioned digest, and two whole ones."""

import asyncio
import hashlib
import json
import re
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from sandbox.core.events import ZERO, Record, chain_digest, to_row, without_versions
from sandbox.engine.loading import find_world, load
from sandbox.store.branch import branch
from sandbox.store.save import Save
from sandbox.store.session import founding

from .toy import FOUNDING, MACHINE, World, make, play

DOC = Path(__file__).parents[2] / "docs" / "saves.md"


@pytest.fixture(scope="module")
def row():
    return to_row(founding(load(find_world("larkspur"))))


def of(founded):
    """(the digest, the unversioned one) of a run that has only been founded."""
    return chain_digest(ZERO, 0, [founded]), chain_digest(ZERO, 0, [without_versions(founded)])


def test_versions_alone_change_the_whole_digest_alone(row):
    other = row._replace(data=row.data.replace('"python":"', '"python":"9'))
    assert other != row
    assert of(other)[0] != of(row)[0]
    assert of(other)[1] == of(row)[1]


@pytest.mark.parametrize("versions", ["{}", '{"python":"3.12","numpy":"3","a":"b"}'])
def test_it_does_not_matter_what_is_said_of_versions(row, versions):
    head = row.data.rpartition(',"versions":')[0]
    assert of(row._replace(data=f'{head},"versions":{versions}}}'))[1] == of(row)[1]


def test_anything_else_changes_both(row):
    record = founding(load(find_world("larkspur"), seed=2))
    cases = {
        "seed": to_row(record),
        "title": to_row(
            Record(record.stamp, replace(record.event, scenario=replace(record.event.scenario, title="x")))
        ),
        "a letter": row._replace(data=row.data.replace("Tansy", "Tanzy", 1)),
        "v": row._replace(v=row.v + 1),
        "actor": row._replace(actor="x"),
        "causes": row._replace(causes="[1]"),
        "kind": row._replace(kind="found"),
    }
    for case, other in cases.items():
        assert not {*of(other)} & {*of(row)}, case


def test_words_of_a_world_are_not_taken_for_versions(row):
    title = ',"versions":{}'
    scenario = load(find_world("larkspur"))
    one, two = (to_row(founding(replace(scenario, title=title + end))) for end in "ab")
    assert of(one)[1] != of(two)[1]


async def digest_of(path, **how):
    async with await Save.open(path, machine=MACHINE, **how) as save:
        return await save.unversioned()


def by_hand(path):
    """As docs/saves.md tells it, with nothing of this program."""
    with closing(sqlite3.connect(path)) as db:
        digest = bytes(32)
        for (step,) in db.execute("SELECT step FROM steps ORDER BY step").fetchall():
            h = hashlib.sha256(digest + str(step).encode())
            for seq, *more in db.execute("SELECT * FROM events WHERE step = ? ORDER BY seq", (step,)):
                if seq == 1:
                    more[-1] = more[-1].rpartition(',"versions":')[0] or more[-1]
                h.update(b"\n" + json.dumps([seq, *more], ensure_ascii=False, separators=(",", ":")).encode())
            digest = h.digest()
        return digest


def sql(path, *statements):
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)


@pytest.mark.parametrize("noted", [True, False])
@pytest.mark.parametrize("read_only", [True, False])
def test_a_save_that_is_lived_on_knows_it_with_and_without_a_note(tmp_path, noted, read_only):
    path = tmp_path / "a.db"
    world = asyncio.run(make(path, 30))
    if not noted:
        sql(path, "DELETE FROM meta WHERE key = 'unversioned'")

    async def go():
        found = await digest_of(path, read_only=read_only)
        assert found == by_hand(path)
        async with await Save.open(path, machine=MACHINE) as save:
            await play(save, world, 9)
            return await save.unversioned()

    found = asyncio.run(go())
    assert found == by_hand(path) == asyncio.run(digest_of(path, read_only=True))


def test_a_run_that_asks_once_is_told_without_the_log_from_then_on(tmp_path, monkeypatch):
    path = tmp_path / "a.db"
    world = asyncio.run(make(path, 30))
    sql(path, "DELETE FROM meta WHERE key = 'unversioned'")
    found = asyncio.run(digest_of(path))

    async def never(save):
        raise AssertionError

    monkeypatch.setattr("sandbox.store.rescue.of_log", never)
    assert asyncio.run(digest_of(path, read_only=True)) == found

    async def go():
        async with await Save.open(path, machine=MACHINE) as save:
            await play(save, world, 9)
            return await save.unversioned()

    assert asyncio.run(go()) == by_hand(path)


def test_a_branch_that_comes_to_a_step_of_its_parent_tells_its_own(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 30))

    async def go():
        await branch(tmp_path / "a.db", 20, tmp_path / "b.db")
        async with await Save.open(tmp_path / "b.db", machine=MACHINE) as save:
            await play(save, await save.seek(), 10, note="otherwise")
        return await digest_of(tmp_path / "b.db", read_only=True)

    assert asyncio.run(go()) == by_hand(tmp_path / "b.db") != by_hand(tmp_path / "a.db")


def test_a_proof_tells_it_and_finds_a_note_that_lies(tmp_path):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 30))

    async def proved():
        async with await Save.open(path, read_only=True, machine=MACHINE) as save:
            return await save.verify()

    assert asyncio.run(proved()).unversioned == by_hand(path)
    sql(path, f"UPDATE meta SET value = '30 {'0' * 64}' WHERE key = 'unversioned'")
    verdict = asyncio.run(proved())
    assert not verdict.ok
    assert "without versions" in verdict.why


@pytest.mark.parametrize("odd", ["", "x", "30", "30 x", "30 " + "g" * 64, "x " + "0" * 64, "030 " + "0" * 64])
def test_a_note_that_is_none_is_passed_over(tmp_path, odd):
    path = tmp_path / "a.db"
    asyncio.run(make(path, 30))
    sql(path, f"UPDATE meta SET value = '{odd}' WHERE key = 'unversioned'")
    assert asyncio.run(digest_of(path, read_only=True)) == by_hand(path)


def test_the_program_of_the_docs_makes_it_with_the_lines_that_stand_there(tmp_path):
    asyncio.run(make(tmp_path / "a.db", 30))
    sql(tmp_path / "a.db", """UPDATE events SET data = '{"step":60,"versions":{"python":"3"}}' WHERE seq = 1""")
    program, lines = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.S)
    program, compared = re.subn(r"\n    if digest != kept:\n.*?\n(?=\S)", "\n", program, flags=re.S)
    inner = re.search(r"\n( +)while row and .*?:\n", program)
    more = textwrap.indent(textwrap.dedent(lines), inner[1] + "    ")
    program = program[: inner.end()] + more + program[inner.end() :]
    command = [sys.executable, "-I", "-c", program, str(tmp_path / "a.db")]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert (compared, bytes.fromhex(told)) == (1, by_hand(tmp_path / "a.db"))


def test_it_is_known_of_a_town_in_memory(tmp_path):
    async def go():
        async with await Save.create(":memory:", FOUNDING, machine=MACHINE) as save:
            await play(save, World.found(FOUNDING), 30)
            return await save.unversioned()

    asyncio.run(make(tmp_path / "a.db", 30))
    assert asyncio.run(go()) == by_hand(tmp_path / "a.db")
