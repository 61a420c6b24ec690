"""Ways into towns: a world or a save to live in, a save to watch, and the living town watched again."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from sandbox.core.faults import path_text
from sandbox.engine.world import World
from sandbox.store.branch import branch
from sandbox.store.player import Replayer
from sandbox.store.read import SaveReader
from sandbox.store.save import Save
from sandbox.store.session import open_session, require_people, under_free_name
from sandbox.store.unnamed_branches import by_the_way
from sandbox.tui.view.session import Replay, Session


@asynccontextmanager
async def open_living(
    target: str | Path, seed: int | None = None, minds: tuple[str, ...] = ()
) -> AsyncIterator[Session]:
    """A new town of a world, kept in a new save, or a save gone on with. Raises WorldFaults, SaveError.

    seed: of chance, instead of the world's own or from here on. minds: as `--mind` takes them.
    """
    async with open_session(target, seed=seed, minds=minds, named=True, paced=True, watched=True) as session:
        yield session


class At(NamedTuple):
    """A moment of a save: the end of a step, or else a time of a day (1 = the first)."""

    step: int | None
    day: int = 1
    second: int = 0


@asynccontextmanager
async def open_replay(path: Path, at: At | None = None) -> AsyncIterator[Session]:
    """A save to watch, from some moment (default: the end of its first step). Raises SaveError."""
    async with await Save.open(path, read_only=True) as save:
        step = None if at is None else at.step
        replay = await begin_replay(save, path, min(1, save.last_step) if step is None else step)
        require_people(replay.world.scenario, path_text(path))
        t = replay.world.now
        if at is not None and step is None:
            t = max(0, replay.world.clock.midnight(at.day) + at.second)
        await replay.go(t)
        yield replay


async def begin_replay(save: SaveReader, path: Path | None, step: int) -> Replay:
    """What is lived in an open save, to be watched again from the end of that step. Raises SaveError."""
    return Replay(await Replayer.begin(save, step), path)


def branch_seed(world: World, out: Path) -> int:
    """A seed for a branch: what is to come there is open, and the same each time that branch is made."""
    return crc32(f"{world.chance.seed} {world.step} {out.name}".encode())


async def branch_save(save: SaveReader, world: World, title: str = "") -> Path:
    """A new save among the others that ends where that world stands. title: what it is called, "" = as the other.

    Raises SaveError, JournalFull.
    """
    return await under_free_name(
        _called(world), lambda out: branch(_source(save), world.step, out, title=title or None)
    )


async def branch_before(save: SaveReader, world: World, step: int, open: Collection[Path]) -> Path:
    """A new save among the others that ends at an earlier step, and that nobody has named yet. open: files that are
    looked at, and stay. Raises SaveError, JournalFull.
    """
    return await under_free_name(_called(world), lambda out: by_the_way(_source(save), step, out, open))


def _source(save: SaveReader) -> Save | Path:
    return save if isinstance(save, Save) else save.path


def _called(world: World) -> str:
    """What files of a world are called; its own name may come out of any file."""
    return re.sub(r"[^\w-]+", "-", world.scenario.name).strip("-") or "town"
