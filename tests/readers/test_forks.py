"""What was different where a branch left its parent is told in a sentence, and read once."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandbox.core.domain import Command
from sandbox.engine.domain import Reseed, SetStep
from sandbox.engine.drivers import run_free
from sandbox.readers.branch_difference import ALIKE, ENDED, NOTHING, BranchSummary, Forks
from sandbox.store.branch import branch, saves_list
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.store.tree import TreePlace, tree

BRANCHES: dict[str, tuple[str, int, Sequence[Command], int]] = {
    "luck": ("a", 60, [Reseed(seed=9)], 60),
    "slow": ("a", 60, [SetStep(seconds=120)], 5),
    "same": ("a", 60, [], 20),
    "fresh": ("a", 60, [], 0),
    "after": ("a", 150, [], 10),
    "undone": ("slow", 60, [], 5),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saves")

    async def go() -> None:
        async with open_session("larkspur", seed=7, save=path / "a.db") as session:
            await run_free(session.engine, steps=150)
        for name, (source, step, commands, steps) in BRANCHES.items():
            await branch(path / f"{source}.db", step, path / f"{name}.db")
            async with open_session(path / f"{name}.db") as session:
                for command in commands:
                    session.engine.do(command)
                if steps:
                    await run_free(session.engine, steps=steps)

    asyncio.run(go())
    return path


async def places(folder: Path) -> dict[str, TreePlace]:
    return {place.save.path.stem: place for place in tree(await saves_list(folder))}


async def told(folder: Path) -> dict[str, BranchSummary | None]:
    forks = Forks()
    return {name: await forks.of(place) for name, place in (await places(folder)).items()}


@pytest.mark.slow
async def test_each_branch_says_what_came_first_that_its_parent_has_not(folder: Path) -> None:
    found = await told(folder)
    assert found["a"] is None
    assert found["slow"] == BranchSummary("From the next step on a step lasts 120 seconds", 1)
    assert found["same"] == BranchSummary(ALIKE)
    assert found["fresh"] == BranchSummary(NOTHING)
    assert found["after"] == BranchSummary(ENDED)
    assert found["undone"] == BranchSummary("without this: From the next step on a step lasts 120 seconds")
    luck = found["luck"]
    assert luck is not None
    assert luck.text.startswith("with other luck: ")
    assert luck.acts == 1


@pytest.mark.slow
async def test_what_is_known_of_two_files_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forks, place = Forks(), (await places(folder))["luck"]
    assert forks.known(place) is None
    first = await forks.of(place)
    opened = []
    monkeypatch.setattr(Save, "open", lambda *of, **how: opened.append(of))
    assert await forks.of(place) is forks.known(place) is first
    assert not opened


@pytest.mark.slow
async def test_a_parent_that_cannot_be_read_beyond_the_fork_is_told_of(folder: Path, tmp_path: Path) -> None:
    for name in ("a.db", "luck.db"):
        shutil.copy(folder / name, tmp_path / name)
    db = sqlite3.connect(tmp_path / "luck.db")
    db.execute("UPDATE events SET data = '{' WHERE step > 60 AND kind != 'reseeded'")
    db.commit()
    db.close()
    found = await told(tmp_path)
    assert found["luck"] is not None
    assert found["luck"].text.startswith("cannot be told: holds an event that cannot be read")
