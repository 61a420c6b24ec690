"""A town without its feed is, in all else, the town."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest

from sandbox.engine.drivers import run_free
from sandbox.store import caches
from sandbox.store.compare import end_before, street_at
from sandbox.store.save import Save
from sandbox.store.session import open_session

STEPS = 460


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Larkspur from its breakfast into the afternoon, with a snapshot now and then and people at their phones."""
    path = tmp_path_factory.mktemp("lived") / "a.db"

    async def go() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(caches, "EVERY_SECONDS", 2 * 3600)
            async with open_session("larkspur", seed=7, save=path) as session:
                await run_free(session.engine, steps=STEPS)

    asyncio.run(go())
    return path


@pytest.mark.slow
@pytest.mark.parametrize("t", [0, 59, 60, 7199, 7200, 20_001, STEPS * 60, STEPS * 90])
async def test_people_claims_places_and_matters_stand_as_in_the_whole_town(lived: Path, t: int) -> None:
    async with await Save.open(lived, read_only=True) as save:
        street = await street_at(save, t)
        whole = await save.seek((await end_before(save, t)).step)
    assert (street.step, street.now) == (whole.step, whole.now)
    assert street.now <= t
    for name in ("people", "town", "claims", "pressures", "beliefs", "talk"):
        assert msgspec.msgpack.encode(getattr(street, name)) == msgspec.msgpack.encode(getattr(whole, name)), name


async def test_the_posts_of_that_time_were_applied_to_nobody_who_is_looked_at(lived: Path) -> None:
    async with await Save.open(lived, read_only=True) as save:
        kinds = [row.kind for row in await save.rows(1, save.last_seq, {"posted", "crossed", "crowd_acted", "read"})]
    assert {"posted", "crowd_acted", "read"} <= set(kinds)


async def test_a_damaged_snapshot_is_passed_over(lived: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(lived, tmp_path / "a.db"))
    db = sqlite3.connect(path)
    db.execute("UPDATE snapshots SET digest = zeroblob(32)")
    db.commit()
    db.close()
    async with await Save.open(path, read_only=True) as save, await Save.open(lived, read_only=True) as good:
        one, two = await street_at(save, 20_000), await street_at(good, 20_000)
    assert msgspec.msgpack.encode(one.people) == msgspec.msgpack.encode(two.people)
