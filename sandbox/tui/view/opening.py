"""Opens towns: a new or saved one to play live, a save to replay, a replay of the live town; and makes branches."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from math import ceil
from pathlib import Path
from typing import NamedTuple, TypeAlias
from zlib import crc32

from sandbox.core.events import Record
from sandbox.core.faults import path_text
from sandbox.drama.taking_sides import Showdown
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.minds.spec import Model
from sandbox.store.branch import branch, by_the_way
from sandbox.store.player import Replayer
from sandbox.store.read import SaveReader
from sandbox.store.save import Save
from sandbox.store.session import Session as Living
from sandbox.store.session import open_session, require_people, under_free_name
from sandbox.talk.model import Exchanged, Opened

SAID = (Opened.KIND, Exchanged.KIND, Showdown.KIND)  # kinds of events that a jump also reads from the time before it
HEARD = 3600  # seconds before a jump for which SAID is read


class Replay:
    """A session whose steps are read from a save. path: its file, None if in memory. said: the events of kinds SAID in
    the hour before the last jump.
    """

    replaying = True
    thinking = None
    withheld: Mapping[str, Model] = {}
    left: Sequence[str] = ()
    given: tuple[str, ...] = ()

    def __init__(self, player: Replayer, path: Path | None) -> None:
        self.engine, self.save = player, player.save
        self.path = path
        self.said: Sequence[Record] = ()
        self._view = View(player.world)
        player.watchers.append(self._saw)

    def _saw(self, records: Sequence[Record]) -> None:
        self.view.saw(records)

    @property
    def world(self) -> World:
        """The town as it stands now."""
        return self.engine.world

    @property
    def view(self) -> View:
        """The view of the town; replaced by a new one after a jump."""
        if self._view.world is not self.engine.world:  # a failed step replaces the world, too
            self._view = View(self.engine.world)
        return self._view

    async def go(self, t: float) -> None:
        """Jump to the end of the step that holds second t.

        The view is built before that step, so that people are seen walking during it. Raises SaveError; then nothing
        has changed.
        """
        step = max(min(1, self.save.last_step), await self.save.step_at(ceil(t)))
        ends = await self.save.steps(step, step)
        earlier = await self.save.step_at(max(0.0, t - HEARD))
        before = await self.save.steps(earlier, earlier)
        said = await self.save.records(SAID, before[0].last_seq, ends[0].last_seq) if before and ends else []
        views: list[View] = []
        records = await self.engine.go(step, lambda world: views.append(View(world)))
        self._view = views[0]
        self._view.saw(records)
        self.said = said


Session: TypeAlias = Living | Replay


async def _world_of(save: Save) -> World:
    """The world at the end of a save, with people's memories."""
    if save.last_step == 0:
        world = await save.beginning()
        world.memories.live = True
    else:
        world = await save.seek()
        await world.memories.catch_up(save, save.last_seq)
    return world


async def to_show(session: Session) -> Session:
    """The session to show. With a slow mind it has a second world that changes by whole steps. Raises SaveError."""
    if session.thinking is None:
        return session
    world = await _world_of(session.save)
    view = View(world)
    view.tail.extend(session.view.tail)

    def saw(records: Sequence[Record]) -> None:
        for record in records:
            world.apply(record)
        world.advance(world.step + 1)
        view.saw(records)

    session.engine.watchers.append(saw)
    return session._replace(world=world, view=view)


@asynccontextmanager
async def open_living(
    target: str | Path, seed: int | None = None, minds: tuple[str, ...] = ()
) -> AsyncIterator[Session]:
    """Open a new town of a world in a new save, or continue a save. Raises WorldFaults, SaveError.

    seed: random seed instead of the world's own, or from here on in a save. minds: as given to `--mind`.
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
    """Open a save as a replay at some moment (default: the end of its first step). Raises SaveError."""
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
    """A replay of an open save, at the end of that step. Raises SaveError."""
    return Replay(await Replayer.begin(save, step), path)


def branch_seed(world: World, out: Path) -> int:
    """The seed of a branch: its future differs from the original's, and is the same each time this branch is made."""
    return crc32(f"{world.chance.seed} {world.step} {out.name}".encode())


async def branch_save(save: SaveReader, world: World, title: str = "") -> Path:
    """Make a new save beside the others that ends at that world's step. title: its title, "" = the original's.

    Raises SaveError, JournalFull.
    """
    return await under_free_name(
        _called(world), lambda out: branch(_source(save), world.step, out, title=title or None)
    )


async def branch_before(save: SaveReader, world: World, step: int, open: Collection[Path]) -> Path:
    """Make an unnamed save beside the others that ends at an earlier step. open: saves now in use, which must not be
    deleted. Raises SaveError, JournalFull.
    """
    return await under_free_name(_called(world), lambda out: by_the_way(_source(save), step, out, open))


def _source(save: SaveReader) -> Save | Path:
    return save if isinstance(save, Save) else save.path


def _called(world: World) -> str:
    """The base of a world's file names: its name, which is untrusted, reduced to safe characters."""
    return re.sub(r"[^\w-]+", "-", world.scenario.name).strip("-") or "town"
