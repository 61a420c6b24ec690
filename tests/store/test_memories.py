"""What people remember is kept in blocks beside the log: quick to have again, proved, and never believed otherwise."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copy

import msgspec
import pytest

from sandbox.engine.world import World
from sandbox.people import memory_blocks
from sandbox.store import caches, schema
from sandbox.store.branch import branch
from sandbox.store.errors import SaveError
from sandbox.store.read import MEMORY
from sandbox.store.save import Save
from sandbox.store.session import open_session

EVERY, STEPS, MORE = 150, 60, 10
BEFORE = 4  # the last format without memories


async def live(target: str | Path, steps: int, save: Path | None = None) -> bytes:
    async with open_session(target, seed=5 if save else None, save=save) as session:
        for _ in range(steps):
            await session.engine.step()
        return session.save.digest


@pytest.fixture(autouse=True)
def said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block holds what has been said, so that one can go on from it."""
    monkeypatch.setattr(memory_blocks, "SAYING", 1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A morning lived and closed, and the digest of one that went on without being closed."""
    path = tmp_path_factory.mktemp("memories") / "a.db"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(caches, "BLOCK_EVENTS", EVERY)
        patched.setattr(memory_blocks, "SAYING", 1)
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


def forge(path: Path, change: Callable[[bytes], bytes], pieces: slice = slice(None), at: int = 0) -> None:
    """Put another block in the place of the first, or of a later one, with a checksum that fits. pieces: those to
    change.
    """
    sql = "SELECT memories.*, steps.digest FROM memories JOIN steps USING (step) ORDER BY step"
    *row, digest = run(path, sql)[at]
    kept = [*caches.unpack_block(caches.BlockRow(*row), row[1], digest)]
    kept[pieces] = map(change, kept[pieces])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        made = caches.pack_block(row[0], row[1], digest, row[2], kept)
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
    forge(path, lambda piece: piece.replace(b"\xa4mara", b"\xa4nixe"))
    found, read, _ = asyncio.run(opened(path))
    assert (found, read[0][0]) == (good, 0)
    forge(path, lambda piece: b"nonsense")
    assert asyncio.run(live(path, MORE)) == whole[1]


@pytest.mark.parametrize("piece", [memory_blocks.HEAD, memory_blocks.SAID])
def test_what_is_good_before_a_block_that_holds_nonsense_stays(
    whole: tuple[Path, bytes], tmp_path: Path, piece: int
) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    good = asyncio.run(opened(path))[0]
    ends = [seq for (seq,) in run(path, "SELECT seq FROM memories ORDER BY step")]
    at = {memory_blocks.HEAD: 1, memory_blocks.SAID: len(ends) - 1}[
        piece
    ]  # only the last of what was said is ever looked at
    forge(path, lambda _: b"nonsense", slice(piece, piece + 1), at)
    found, read, _ = asyncio.run(opened(path))
    assert (found, read[0][0]) == (good, ends[at - 1])
    assert asyncio.run(live(path, MORE)) == whole[1]


PART = slice(memory_blocks.PARTS, memory_blocks.PARTS + 1)  # of the first of all people


def part(**fields: object) -> Callable[[bytes], bytes]:
    """Somebody's part of a block with other fields."""

    def change(piece: bytes) -> bytes:
        found = msgspec.msgpack.decode(piece, type=memory_blocks.BlockPart)
        return msgspec.msgpack.encode(msgspec.structs.replace(found, **fields))

    return change


def longer(piece: bytes) -> bytes:
    """A head that says of all that they had, and have, a memory more."""
    head = msgspec.msgpack.decode(piece, type=memory_blocks.BlockHeader)
    more = [msgspec.structs.replace(p, count=p.count + 1, left=p.left + 1) for p in head.people]
    return msgspec.msgpack.encode(msgspec.structs.replace(head, people=more))


FORGED: dict[str, tuple[Callable[[bytes], bytes], slice]] = {
    "no part": (lambda piece: b"nonsense", PART),
    "no memories": (part(rest=b"\xc0"), PART),
    "memories of strangers": (lambda piece: piece.replace(b"\xa4jory", b"\xa4nixe"), slice(memory_blocks.PARTS, None)),
    "touched what is not there": (part(touched=b"\x07\0\0\x07", seconds=b"\x07\0\0\0"), PART),
    "kept what is not there": (part(left=b"\x07\0\0\0"), PART),
    "moods that nobody has": (part(moods=b"\xff"), PART),
    "more than there are": (longer, slice(0, 1)),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("forged", FORGED)
def test_what_is_forged_with_care_is_found_when_somebody_asks_and_read_from_the_log(
    whole: tuple[Path, bytes], tmp_path: Path, forged: str
) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    good = asyncio.run(opened(path))[0]
    change, pieces = FORGED[forged]
    forge(path, change, pieces, -1)
    assert asyncio.run(opened(path))[0] == good
    assert asyncio.run(live(path, MORE)) == whole[1]


def test_blocks_that_were_false_are_made_again_as_it_is_gone_on_with(
    whole: tuple[Path, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    forge(path, *FORGED["more than there are"], -1)
    last = run(path, "SELECT max(seq) FROM memories")[0][0]
    monkeypatch.setattr(caches, "BLOCK_EVENTS", EVERY)
    asyncio.run(live(path, 2 * MORE))
    assert run(path, f"SELECT min(after), min(seq) > {last} FROM memories") == [(0, 1)]
    assert asyncio.run(verdict(path)) == (True, "")


def test_going_on_unpacks_nothing_of_people_whom_nobody_asks(whole: tuple[Path, bytes], tmp_path: Path) -> None:
    path, unpacked = copy(whole[0], tmp_path / "a.db"), list[int]()

    async def one_step() -> int:
        async with open_session(path) as session:
            before = len(unpacked)
            next(iter(session.world.memories.streams.values())).columns()
            return len(unpacked) - before

    with pytest.MonkeyPatch.context() as patched:
        whole_piece = caches.BlockPieces.__getitem__

        def counted(self: caches.BlockPieces, at: int) -> bytes:
            unpacked.append(at)
            return whole_piece(self, at)

        patched.setattr(caches.BlockPieces, "__getitem__", counted)
        asked = asyncio.run(one_step())
    kept = run(path, "SELECT count(*) FROM memories")[0][0]
    assert sorted(unpacked) == sorted([*[memory_blocks.HEAD] * kept, memory_blocks.SAID, *[memory_blocks.PARTS] * kept])
    assert asked == kept


def test_a_flipped_bit_of_what_nobody_asks_for_is_found_at_once(whole: tuple[Path, bytes], tmp_path: Path) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    step, data = run(path, "SELECT step, data FROM memories ORDER BY step LIMIT 1 OFFSET 1")[0]
    data = bytearray(data)
    data[-9] ^= 4
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE memories SET data = ? WHERE step = ?", (bytes(data), step))

    async def warned() -> list[str]:
        async with open_session(path) as session:
            return session.save.warnings

    assert asyncio.run(warned()) == [f"{path}: the memories kept of step {step} are passed over: its checksum is wrong"]


def test_without_the_file_what_is_forged_is_told_as_an_error_and_no_step_is_lost(
    whole: tuple[Path, bytes], tmp_path: Path
) -> None:
    path = copy(whole[0], tmp_path / "a.db")
    forge(path, *FORGED["no part"])

    async def asked() -> None:
        async with await Save.open(path, read_only=True) as save:
            world = await save.seek()
            await world.memories.catch_up(save, save.last_seq)
            path.unlink()
            first, *_ = world.memories.streams.values()
            many = len(first)
            for _ in range(2):
                with pytest.raises(SaveError, match=r"a\.db: there is no such save"):
                    first.columns()
            copy(whole[0], path)
            assert len([*first]) == many

    asyncio.run(asked())


def test_memories_of_a_save_in_memory_are_taken_in_at_once(whole: tuple[Path, bytes]) -> None:
    async def past() -> object:
        async with await Save.open(whole[0], read_only=True) as save:
            save.path = MEMORY
            return await save.past(save.last_seq)

    assert asyncio.run(past()) is None


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
        "DROP TABLE founding",
        schema.LOG[1],
        f"PRAGMA user_version = {BEFORE}",
    )
    assert asyncio.run(live(path, MORE)) == whole[1]
    assert run(path, "SELECT count(*) FROM sqlite_master WHERE name = 'memories'") == [(1,)]


@pytest.mark.slow
def test_blocks_after_the_last_that_holds_what_was_said_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "BLOCK_EVENTS", EVERY)
    monkeypatch.setattr(memory_blocks, "SAYING", often := 500)
    path = tmp_path / "a.db"
    asyncio.run(live("larkspur", STEPS, path))
    kept = [seq for (seq,) in run(path, "SELECT seq FROM memories ORDER BY step")]
    last = max(seq for before, seq in zip((0, *kept), kept, strict=False) if before // often < seq // often)
    assert kept[-1] > last
    _, read, _ = asyncio.run(opened(path))
    assert read[0][0] == last
    asyncio.run(live(path, 3 * MORE))
    assert asyncio.run(verdict(path)) == (True, "")
