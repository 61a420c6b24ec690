"""Branches that nobody has named: the newest ten stay, and nothing else ever goes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from sandbox.store.branch import KEPT, UNNAMED, branch, by_the_way, give_title, is_unnamed
from sandbox.store.errors import SaveError
from sandbox.store.save import Save

from .toy import MACHINE, make


@pytest.fixture
def source(tmp_path: Path) -> Path:
    asyncio.run(make(tmp_path / "a.db", 12))
    return tmp_path / "a.db"


async def several(source: Path, first: int, count: int, **more: object) -> None:
    for n in range(first, first + count):
        await by_the_way(source, n % 12, source.with_name(f"a-{n}.db"), **more)  # type: ignore[arg-type]


def there(source: Path) -> list[int]:
    return sorted(int(p.stem.partition("-")[2]) for p in source.parent.glob("a-*.db"))


async def meta(path: Path) -> dict[str, str]:
    async with await Save.open(path, read_only=True, machine=MACHINE) as save:
        return (await save.info()).meta


async def test_an_eleventh_takes_the_place_of_the_oldest(source: Path) -> None:
    await several(source, 1, KEPT)
    assert there(source) == list(range(1, KEPT + 1))
    await several(source, KEPT + 1, 2)
    assert there(source) == list(range(3, KEPT + 3))
    assert sorted(p.name for p in source.parent.iterdir() if not p.name.startswith("a-")) == ["a.db"]
    assert is_unnamed(source.with_name("a-5.db"), await meta(source.with_name("a-5.db")))


async def test_what_was_named_renamed_or_copied_stays(source: Path) -> None:
    await several(source, 1, 4)
    assert await give_title(source.with_name("a-1.db"), "  the better\n\x1b[31mday ") == "the better day"
    source.with_name("a-2.db").rename(source.with_name("mine.db"))
    source.with_name("copy.db").write_bytes(source.with_name("a-3.db").read_bytes())
    await branch(source.with_name("a-4.db"), 2, source.with_name("own.db"))
    await several(source, 5, KEPT + 2)
    assert there(source) == [1, *range(7, KEPT + 7)]
    assert {"mine.db", "copy.db", "own.db"} <= {p.name for p in source.parent.iterdir()}
    kept = await meta(source.with_name("a-1.db"))
    assert kept["title"] == "the better day"
    assert not is_unnamed(source.with_name("a-1.db"), kept)
    assert UNNAMED not in await meta(source.with_name("own.db"))


async def test_what_is_played_or_looked_at_stays(source: Path) -> None:
    await several(source, 1, KEPT)
    async with await Save.open(source.with_name("a-1.db"), machine=MACHINE):
        await several(source, KEPT + 1, 2, open=[source.with_name("a-2.db")])
    assert there(source) == list(range(1, KEPT + 3))
    await several(source, KEPT + 3, 1)
    assert there(source) == list(range(4, KEPT + 4))


async def test_a_file_that_cannot_be_read_and_a_link_stay(source: Path) -> None:
    source.with_name("bad.db").write_text("nonsense")
    await several(source, 1, 1)
    source.with_name("link.db").symlink_to(source.with_name("a-1.db"))
    await several(source, 2, KEPT)
    assert there(source) == list(range(2, KEPT + 2))
    assert source.with_name("link.db").is_symlink()
    assert source.with_name("bad.db").read_text() == "nonsense"


@pytest.mark.parametrize("title", ["", "  ", "\x1b[31m"])
async def test_no_name_is_refused(source: Path, title: str) -> None:
    with pytest.raises(SaveError, match="cannot be called nothing; give it a name"):
        await give_title(source, title)


async def test_a_name_is_no_life_the_file_is_as_old_as_before(source: Path) -> None:
    os.utime(source, (1000, 1000))
    await give_title(source, "x")
    assert source.stat().st_mtime == 1000


async def test_a_save_that_is_played_is_named_where_it_is_open(source: Path) -> None:
    await several(source, 1, 1)
    async with await Save.open(source.with_name("a-1.db"), machine=MACHINE) as save:
        assert await give_title(save, "x") == "x"
        assert not is_unnamed(save.path, (await save.info()).meta)
