"""Saves as a tree: each branch under its parent, whatever is missing, broken or made up."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from sandbox.store.branch import PARENT_AT, SaveListing, branch, parent_path, saves_list
from sandbox.store.facts import SaveInfo, StepRow
from sandbox.store.save import Save
from sandbox.store.tree import TreePlace, tree, with_parents

from .toy import FOUNDING, MACHINE, World, make, play


def of(folder: Path) -> dict[str, TreePlace]:
    return {place.save.path.stem: place for place in tree(asyncio.run(saves_list(folder)))}


def note(path: Path, key: str, value: str) -> None:
    db = sqlite3.connect(path)
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
    db.commit()
    db.close()


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """a, with b (at 10) and c (at 20); b has d; the older ones were touched first."""

    async def go() -> None:
        await make(tmp_path / "a.db", 30)
        for source, step, out in (("a", 10, "b"), ("a", 20, "c"), ("b", 5, "d")):
            await branch(tmp_path / f"{source}.db", step, tmp_path / f"{out}.db")

    asyncio.run(go())
    for age, name in enumerate("abcd"):
        os.utime(tmp_path / f"{name}.db", (1000 + age, 1000 + age))
    return tmp_path


def test_branches_stand_beneath_their_parents_the_newest_first(family: Path) -> None:
    found = of(family)
    assert list(found) == ["a", "c", "b", "d"]
    assert [len(place.over) for place in found.values()] == [0, 1, 1, 2]
    assert [place.over for place in found.values()] == [(), (True,), (False,), (False, False)]
    assert {name: p.parent.path.stem for name, p in found.items() if p.parent} == {"b": "a", "c": "a", "d": "b"}
    forks = {name: p.save.info.fork.step for name, p in found.items() if p.save.info and p.save.info.fork}
    assert forks == {"b": 10, "c": 20, "d": 5}


def test_a_branch_whose_parent_is_not_there_stands_by_itself_and_keeps_its_own(family: Path) -> None:
    gone = "a branch of a save that is not here; it lay at {}, and has moved away or is gone"
    (family / "b.db").unlink()
    found = of(family)
    assert found["d"].over == ()
    assert found["d"].lost == gone.format("b.db")
    (family / "a.db").write_text("nonsense")
    note(family / "c.db", PARENT_AT, "")
    found = of(family)
    assert found["a"].save.info is None
    assert (found["a"].lost, found["c"].lost) == ("", "a branch of a save that is not here")


def with_others(folder: Path) -> dict[str, TreePlace]:
    async def look() -> list[TreePlace]:
        return tree(await with_parents(await saves_list(folder)))

    return {place.save.path.stem: place for place in asyncio.run(look())}


@pytest.fixture
def apart(tmp_path: Path) -> Path:
    """A folder `mine` with a branch of a branch; what they come of lies in `theirs`, beside it."""

    async def go() -> None:
        (tmp_path / "mine").mkdir()
        (tmp_path / "theirs").mkdir()
        await make(tmp_path / "theirs" / "a.db", 12)
        await branch(tmp_path / "theirs" / "a.db", 6, tmp_path / "theirs" / "b.db")
        await branch(tmp_path / "theirs" / "b.db", 5, tmp_path / "mine" / "c.db", unnamed=True)

    asyncio.run(go())
    return tmp_path


def test_a_parent_in_another_folder_is_found_and_so_is_its_own(apart: Path) -> None:
    found = with_others(apart / "mine")
    assert {name: len(place.over) for name, place in found.items()} == {"a": 0, "b": 1, "c": 2}
    (apart / "theirs").rename(apart / "moved")
    lost = "a branch of a save that is not here; it lay at ../theirs/b.db, and has moved away or is gone"
    assert with_others(apart / "mine")["c"].lost == lost


def test_saves_that_move_together_stay_parent_and_branch(apart: Path) -> None:
    (apart / "home").mkdir()
    for name in ("mine", "theirs"):
        (apart / name).rename(apart / "home" / name)
    assert len(with_others(apart / "home" / "mine")["c"].over) == 2


def test_a_branch_that_knows_the_way_no_more_hides_no_parent_from_one_that_does(apart: Path) -> None:
    asyncio.run(branch(apart / "theirs" / "b.db", 4, apart / "mine" / "d.db"))
    for stray in ("c", "d"):
        note(apart / "mine" / f"{stray}.db", PARENT_AT, "../lost/b.db")
        found = with_others(apart / "mine")
        assert {name: len(place.over) for name, place in found.items()} == {"a": 0, "b": 1, "c": 2, "d": 2}
        note(apart / "mine" / f"{stray}.db", PARENT_AT, "../theirs/b.db")


def test_another_save_where_the_parent_lay_is_not_taken_for_it(apart: Path) -> None:
    shutil.copy(apart / "theirs" / "a.db", apart / "theirs" / "b.db")
    assert list(with_others(apart / "mine")) == ["c"]


def test_no_path_of_the_machine_stands_in_a_branch(apart: Path) -> None:
    db = sqlite3.connect(apart / "mine" / "c.db")
    meta = dict(db.execute("SELECT key, value FROM meta"))
    db.close()
    assert meta[PARENT_AT] == "../theirs/b.db"
    assert not any(str(apart) in value for value in meta.values())


@pytest.mark.parametrize("at", ["/etc/passwd", "\0", "x" * 5000, "..", "mine", "../" * 300])
def test_a_way_that_leads_nowhere_is_no_harm(apart: Path, at: str) -> None:
    note(apart / "mine" / "c.db", PARENT_AT, at)
    found = with_others(apart / "mine")
    assert list(found) == ["c"]
    assert found["c"].lost.startswith("a branch of a save that is not here; it lay at ")
    if at.startswith("/"):
        assert parent_path(found["c"].save) is None


def test_what_is_made_up_of_parents_is_told_and_breaks_nothing(family: Path) -> None:
    note(family / "c.db", "parent_digest", "00" * 32)
    note(family / "b.db", "parent_step", "9" * 40)
    found = of(family)
    assert found["c"].lost == found["b"].lost == "does not say where it left the save it is a branch of"
    assert found["d"].over == (False,)
    uid = found["a"].save.info.uid if found["a"].save.info else ""
    note(family / "a.db", "parent", uid)
    assert of(family)["a"].lost == "says it is a branch of itself"


def test_saves_that_name_each_other_as_parents_are_listed_once_each(family: Path) -> None:
    found = of(family)
    infos = {name: place.save.info for name, place in found.items()}
    assert infos["b"] is not None
    assert infos["b"].fork is not None
    for key, value in (("parent", infos["b"].uid), ("parent_step", "0")):
        note(family / "a.db", key, value)
    db = sqlite3.connect(family / "a.db")
    digest = db.execute("SELECT digest FROM steps WHERE step = 0").fetchone()[0].hex()
    db.close()
    note(family / "a.db", "parent_digest", digest)
    again = tree(asyncio.run(saves_list(family)))
    assert sorted(p.save.path.stem for p in again) == ["a", "b", "c", "d"]
    assert [p.lost for p in again if not p.over] == ["says it is a branch of its own branch"]


def test_another_town_with_the_parents_identity_is_no_parent(tmp_path: Path) -> None:
    async def go() -> None:
        await make(tmp_path / "a.db", 12)
        await branch(tmp_path / "a.db", 6, tmp_path / "b.db")
        (tmp_path / "a.db").unlink()
        founding = FOUNDING._replace(event=type(FOUNDING.event)(30))
        async with await Save.create(tmp_path / "a.db", founding, machine=MACHINE) as save:
            await play(save, World.found(founding), 12)

    asyncio.run(go())
    parent = next(p.save.info for p in tree(asyncio.run(saves_list(tmp_path))) if p.save.path.stem == "b")
    assert parent is not None
    note(tmp_path / "a.db", "uid", parent.parent)
    assert of(tmp_path)["b"].lost == "a branch of a save that has begun otherwise"


def test_copies_of_a_save_do_not_hide_each_other(family: Path) -> None:
    shutil.copy(family / "a.db", family / "e.db")
    found = of(family)
    assert sorted(found) == ["a", "b", "c", "d", "e"]
    assert sum(place.over == () for place in found.values()) == 2


def test_a_thousand_branches_of_branches_make_a_tree() -> None:
    infos = of_chain(1000)
    assert [len(p.over) for p in tree(infos)] == list(range(1000))


def of_chain(count: int) -> list[SaveListing]:
    out = []
    for n in range(count):
        fork = StepRow(1, 60, 2, bytes(32)) if n else None
        info = SaveInfo.of(Path(f"{n}.db"), {"uid": f"u{n}", "parent": f"u{n - 1}" if n else ""}, StepRow(2, 9, 3, b""))
        info.meta["parent_digest"] = bytes(32).hex()
        out.append(SaveListing(Path(f"{n}.db"), info._replace(fork=fork, root="r")))
    return out
