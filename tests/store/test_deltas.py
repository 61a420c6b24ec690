"""Most snapshots hold only what is otherwise than in a whole one, and make the same state of it or none."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.store import caches
from sandbox.store.branch import branch
from sandbox.store.save import Save

from .toy import FOUNDING, MACHINE, World, play

STEPS = 40
TEXTS = st.lists(st.text(max_size=30), max_size=80)


class Town(World):
    """A state that is long, and of which little changes."""

    def snapshot(self) -> bytes:
        return msgspec.msgpack.encode([[f"what {i} once said of it" for i in range(200)], super().snapshot()])

    def restore(self, data: bytes) -> None:
        super().restore(msgspec.msgpack.decode(data)[1])


TOWN = MACHINE._replace(found=Town.found)


@given(TEXTS, TEXTS, st.integers(0, 80), st.integers(0, 80))
def test_a_state_told_by_another_is_the_same_to_the_byte(one: list[str], new: list[str], at: int, upto: int) -> None:
    base = msgspec.msgpack.encode(one * 3)
    state = msgspec.msgpack.encode([*one[:at], *new, *one[upto:], *one])
    assert caches.apply_delta(base, caches.make_delta(base, state), len(state)) == state


def test_what_two_states_have_in_common_is_not_told() -> None:
    rows = [f"row {i} of a table of many rows" for i in range(2000)]
    base = msgspec.msgpack.encode(rows)
    state = msgspec.msgpack.encode([*rows[:500], "a new one", *rows[500:1500], *rows[1510:]])
    assert len(caches.make_delta(base, state)) < 300 < len(state) // 100


@given(st.binary(max_size=60), st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40))), st.binary(max_size=9))
def test_a_made_up_delta_makes_what_it_announces_or_nothing(
    base: bytes, runs: list[tuple[int, int]], new: bytes
) -> None:
    columns = [b"".join(n.to_bytes(4, "little", signed=True) for n in column) for column in zip(*runs, strict=True)]
    told = msgspec.msgpack.encode([*(columns or [b"", b""]), new])
    for size in (7, sum(length for _, length in runs)):
        try:
            assert len(caches.apply_delta(base, told, size)) == size
        except ValueError as error:
            assert str(error)  # noqa: PT017 (either is right)
    with pytest.raises(ValueError, match="no state"):
        caches.apply_delta(base, b"\xc1" + told, 7)


@pytest.fixture(scope="module", autouse=True)
def small_lots() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(caches, "LOT", 8)
        yield


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deltas") / "a.db"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(caches, "LEAST", 0)
        patched.setattr(caches, "EVERY_SECONDS", 120)
        asyncio.run(lived(path))
    return path


async def lived(path: Path) -> None:
    async with await Save.create(path, FOUNDING, {"title": "Toy"}, machine=TOWN) as save:
        await play(save, Town.found(FOUNDING), STEPS)


def run(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(sql).fetchall()


async def sought(path: Path, *steps: int) -> tuple[list[bytes], list[str]]:
    async with await Save.open(path, read_only=True, machine=TOWN) as save:
        return [(await save.seek(step)).snapshot() for step in steps], save.warnings


async def verdict(path: Path) -> tuple[bool, str]:
    async with await Save.open(path, read_only=True, machine=TOWN) as save:
        found = await save.verify()
        return found.ok, found.why


def test_most_snapshots_are_told_by_a_whole_one_and_are_small(long: Path) -> None:
    formats = [row[0] for row in run(long, "SELECT format FROM snapshots ORDER BY step")]
    lot = [caches.STATE_FORMAT, *[caches.CHANGE_FORMAT] * (caches.LOT - 1)]
    assert len(formats) > 2 * len(lot)
    assert formats == (lot * 9)[: len(formats)]
    sizes = run(long, "SELECT avg(length(data)) FROM snapshots GROUP BY format ORDER BY format")
    whole, other = (row[0] for row in sizes)
    assert other < whole / 2


def test_every_step_is_reached_from_them_and_they_are_proved(long: Path, tmp_path: Path) -> None:
    bare = Path(shutil.copy(long, tmp_path / "a.db"))
    run(bare, "DELETE FROM snapshots")
    assert asyncio.run(sought(long, *range(STEPS + 1))) == asyncio.run(sought(bare, *range(STEPS + 1)))
    assert asyncio.run(verdict(long)) == (True, "")


SPOILS = {
    "a flipped bit": "UPDATE snapshots SET data = CAST(substr(data, 1, 12) || x'AA' || substr(data, 14) AS BLOB) {}",
    "cut short": "UPDATE snapshots SET data = substr(data, 1, 5) {}",
    "told by itself": "UPDATE snapshots SET data = CAST(x'00000000000000' || char(step) || substr(data, 9) AS BLOB) {}",
    "a text": "UPDATE snapshots SET data = 'none' {}",
    "another size": "UPDATE snapshots SET size = size + 1 {}",
    "gone": "DELETE FROM snapshots {}",
}


@pytest.mark.parametrize("which", ["whole", "told"])
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_bad_one_is_passed_over_for_a_whole_one_and_told(long: Path, tmp_path: Path, spoil: str, which: str) -> None:
    path = Path(shutil.copy(long, tmp_path / "a.db"))
    steps = [row[0] for row in run(path, "SELECT step FROM snapshots ORDER BY step")]
    step = steps[caches.LOT if which == "whole" else 3]  # none is told by the third
    run(path, SPOILS[spoil].format(f"WHERE step = {step}"))
    good = asyncio.run(sought(long, step, step + 1))[0]
    found, warnings = asyncio.run(sought(path, step, step + 1))
    assert found == good
    assert bool(warnings) == (spoil != "gone")
    told = asyncio.run(verdict(path))
    assert told[0] == (spoil == "gone" and which == "told")


def test_one_is_told_by_one_with_fewer_bits_in_its_number(long: Path) -> None:
    shots = [caches.Snapshot(*row) for row in run(long, "SELECT * FROM snapshots ORDER BY step")]
    for number, shot in enumerate(shots):
        place, lot = number % caches.LOT, number - number % caches.LOT
        assert caches.base_step(shot) == (shots[lot + (place & (place - 1))].step if place else 0)


def test_ones_that_tell_each_other_without_end_are_passed_over(long: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(long, tmp_path / "a.db"))
    with closing(sqlite3.connect(path)) as db, db:
        steps = db.execute("SELECT step FROM snapshots ORDER BY step").fetchall()
        for (before,), (step,) in pairwise(steps):
            told = before.to_bytes(8, "big")
            sql = "UPDATE snapshots SET format = ?, data = CAST(? || substr(data, 9) AS BLOB) WHERE step = ?"
            db.execute(sql, (caches.CHANGE_FORMAT, told, step))
    found, warnings = asyncio.run(sought(path, STEPS))
    assert found == asyncio.run(sought(long, STEPS))[0]
    assert "too far away" in warnings[0]


def test_a_whole_one_in_the_place_of_another_is_no_ground_for_those_told_by_it(long: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(long, tmp_path / "a.db"))
    step = run(path, f"SELECT max(step) FROM snapshots WHERE format = {caches.STATE_FORMAT}")[0][0]
    seq, digest = run(path, f"SELECT last_seq, digest FROM steps WHERE step = {step}")[0]
    shot = caches.pack_state(step, seq, digest, b"another")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", shot)
    found, warnings = asyncio.run(sought(path, STEPS))
    assert found == asyncio.run(sought(long, STEPS))[0]
    assert "its checksum is wrong" in warnings[0]


def test_a_branch_between_two_has_what_it_shares_and_nothing_of_later(long: Path, tmp_path: Path) -> None:
    sql = f"SELECT step FROM snapshots WHERE format = {caches.CHANGE_FORMAT} ORDER BY step LIMIT 1 OFFSET 2"
    step = run(long, sql)[0][0]
    out = asyncio.run(branch(long, step, tmp_path / "b.db"))
    assert asyncio.run(sought(out, step)) == (asyncio.run(sought(long, step))[0], [])
    assert asyncio.run(verdict(out)) == (True, "")
