"""What people remember is kept in blocks beside the log: quick to have again, proved, and never believed otherwise."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copy

import pytest

from sandbox.engine.world import World
from sandbox.people import blocks
from sandbox.store import caches
from sandbox.store.branch import branch
from sandbox.store.save import Save
from sandbox.store.schema import WITH_MEMORIES
from sandbox.store.session import open_session

EVERY, STEPS, MORE = 150, 60, 10


async def live(target: str | Path, steps: int, save: Path | None = None) -> bytes:
    async with open_session(target, seed=5 if save else None, save=save) as session:
        for _ in range(steps):
            await session.engine.step()
        return session.save.digest


@pytest.fixture(autouse=True)
def said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block holds what has been said, so that one can go on from it."""
    monkeypatch.setattr(blocks, "SAYING", 1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A morning lived and closed, and the digest of one that went on without being closed."""
    path = tmp_path_factory.mktemp("memories") / "a.db"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(caches, "BLOCK_EVENTS", EVERY)
        patched.setattr(blocks, "SAYING", 1)
        asyncio.run(live("larkspur", STEPS, path))
        return path, asyncio.run(live("larkspur", STEPS + MORE, path.with_name("b.db")))


def run(path: Path, *statements: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return [row for sql in statements for row in db.execute(sql).fetchall()]


def remembered(world: World) -> object:
    return {who: ([*s], s.count, s.since, s.reflected) for who, s in world.memories.streams.items()}


async def opened(path: Path) -> tuple[object, list[tuple[int, int]], list[str]]:
    """What people remember, which events were read for it, and what was wrong with the file."""
    async with await Save.open(path, read_only=True) as save:
        world, read, records = await save.seek(), [], save.records

        async def watched(kinds, after, upto):
            read.append((after, upto))
            return await records(kinds, after, upto)

        save.records = watched
        await world.memories.catch_up(save, save.last_seq)
        return (remembered(world), world.memories.spoken.state()), read, save.warnings


@pytest.mark.slow
def test_only_the_events_after_the_last_block_are_read_and_all_is_remembered(
    whole: tuple[Path, bytes], tmp_path: Path
) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    last = run(path, "SELECT max(seq) FROM memories")[0][0]
    quick, read, _ = asyncio.run(opened(path))
    assert read[0][0] == last > EVERY
    run(path, "DELETE FROM memories")
    slow, read, _ = asyncio.run(opened(path))
    assert read[0][0] == 0
    assert quick == slow


def test_a_town_gone_on_with_lives_what_one_never_closed_lives(whole: tuple[Path, bytes], tmp_path: Path) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    assert asyncio.run(live(path, MORE)) == whole[1]


MIDDLE = "(SELECT step FROM memories ORDER BY step LIMIT 1 OFFSET 1)"
SPOILS: dict[str, str] = {
    "data that cannot be unpacked": f"UPDATE memories SET data = x'00' WHERE step = {MIDDLE}",
    "a checksum of another": f"UPDATE memories SET digest = zeroblob(32) WHERE step = {MIDDLE}",
    "a size beyond all bounds": f"UPDATE memories SET size = 1 << 60 WHERE step = {MIDDLE}",
    "less than announced": f"UPDATE memories SET size = size + 1 WHERE step = {MIDDLE}",
    "another format": f"UPDATE memories SET format = 99 WHERE step = {MIDDLE}",
    "another place": f"UPDATE memories SET seq = seq + 1 WHERE step = {MIDDLE}",
    "a text for data": f"UPDATE memories SET data = 'none' WHERE step = {MIDDLE}",
    "none of the middle": f"DELETE FROM memories WHERE step = {MIDDLE}",
    "none of the first": "DELETE FROM memories WHERE after = 0",
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_damaged_block_is_passed_over_and_changes_nothing(
    whole: tuple[Path, bytes], tmp_path: Path, spoil: str
) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    good = asyncio.run(opened(path))[0]
    before = run(path, "SELECT seq FROM memories ORDER BY step")
    assert len(before) > 2
    run(path, SPOILS[spoil])
    found, read, warnings = asyncio.run(opened(path))
    assert found == good
    assert read[0][0] == (0 if spoil == "none of the first" else before[0][0])
    assert bool(warnings) == (not spoil.startswith("none"))
    assert asyncio.run(live(path, MORE)) == whole[1]


def forge(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Put another block in the place of the first, with a checksum that fits."""
    row = run(path, "SELECT step, seq, after, memories.data, steps.digest FROM memories JOIN steps USING (step)")[0]
    step, seq, after, data, digest = row
    block = change(caches.zlib.decompress(data))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        made = caches.pack_block(step, seq, digest, after, block)
        db.execute("INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?, ?, ?, ?)", made)


async def verdict(path: Path) -> tuple[bool, str]:
    async with await Save.open(path, read_only=True) as save:
        found = await save.verify()
        return found.ok, found.why


def test_verifying_proves_the_memories_too(whole: tuple[Path, bytes], tmp_path: Path) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    assert asyncio.run(verdict(path)) == (True, "")
    forge(path, lambda block: block.replace(b"saw ", b"SAW ", 1))
    assert asyncio.run(verdict(path)) == (False, "the memories kept of it are not those its events make")
    run(path, "UPDATE memories SET digest = zeroblob(32)")
    assert asyncio.run(verdict(path)) == (False, "the memories kept of it are bad: its checksum is wrong")


@pytest.mark.slow
def test_a_block_that_fits_but_holds_nonsense_is_not_taken(whole: tuple[Path, bytes], tmp_path: Path) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    good = asyncio.run(opened(path))[0]
    forge(path, lambda block: block.replace(b"\xa4mara", b"\xa4nixe"))
    found, read, _ = asyncio.run(opened(path))
    assert (found, read[0][0]) == (good, 0)
    forge(path, lambda block: b"nonsense")
    assert asyncio.run(live(path, MORE)) == whole[1]


@pytest.mark.slow
def test_a_branch_takes_along_the_blocks_of_what_it_shares(whole: tuple[Path, bytes], tmp_path: Path) -> None:
    first, last = run(whole[0], "SELECT min(step), max(step) FROM memories")[0]
    assert first < last
    out = asyncio.run(branch(whole[0], last - 1, tmp_path / "b.db"))
    assert run(out, "SELECT max(step) < ? FROM memories".replace("?", str(last))) == [(1,)]
    asyncio.run(live(out, STEPS - last + 1 + MORE))
    assert asyncio.run(verdict(out)) == (True, "")


def test_a_file_of_an_older_format_is_brought_up_to_date_without_them(
    whole: tuple[Path, bytes], tmp_path: Path
) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    run(
        path,
        "DROP TABLE memories",
        "DROP TABLE feeds",
        "DROP TABLE vectors",
        f"PRAGMA user_version = {WITH_MEMORIES - 1}",
    )
    assert asyncio.run(live(path, MORE)) == whole[1]
    assert run(path, "SELECT count(*) FROM sqlite_master WHERE name = 'memories'") == [(1,)]


@pytest.mark.slow
def test_blocks_after_the_last_that_holds_what_was_said_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "BLOCK_EVENTS", EVERY)
    monkeypatch.setattr(blocks, "SAYING", often := 500)
    path = tmp_path / "a.db"
    asyncio.run(live("larkspur", STEPS, path))
    kept = [seq for (seq,) in run(path, "SELECT seq FROM memories ORDER BY step")]
    last = max(seq for before, seq in zip((0, *kept), kept, strict=False) if before // often < seq // often)
    assert kept[-1] > last
    _, read, _ = asyncio.run(opened(path))
    assert read[0][0] == last
    asyncio.run(live(path, 3 * MORE))
    assert asyncio.run(verdict(path)) == (True, "")
