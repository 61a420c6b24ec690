"""Ways into towns: a world or a save to live in, a save to watch, and the living town watched again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from sandbox.core.events import Record
from sandbox.engine.loading import find_world
from sandbox.engine.registry import EVENTS
from sandbox.engine.scenario import Founded
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.store.player import Player
from sandbox.store.read import Reader
from sandbox.store.save import Save
from sandbox.store.session import free_name, is_save, open_session
from sandbox.tui.session import Session
from sandbox.tui.viewer import HEARD

KINDS = EVENTS.keys() - {Founded.KIND}


class Replay:
    """A session whose steps come out of a save."""

    replaying = True

    def __init__(self, player: Player, path: Path | None) -> None:
        self.engine = player
        self.path = path
        self.view = View(player.world)
        player.watchers.append(lambda records: self.view.saw(records))

    @property
    def world(self) -> World:
        """The town as it stands now."""
        return self.engine.world

    @property
    def save(self) -> Reader:
        """The log."""
        return self.engine.save

    async def go(self, t: float) -> Sequence[Record]:
        """Stand at the end of the step that holds second t; return the log of the hour before. Raises SaveError."""
        await self.engine.go(await self.engine.step_at(t))
        world = self.world
        before = await self.save.step_at(max(0.0, world.now - HEARD))
        (start,) = await self.save.steps(before, before)
        records = await self.save.records(KINDS, start.last_seq, world.seq)
        self.view = View(world)
        return records


@asynccontextmanager
async def living(target: str | Path) -> AsyncIterator[Session]:
    """A new town of a world, kept in a new save, or a save gone on with. Raises WorldFaults, SaveError."""
    new = None if is_save(target) is not None else free_name(find_world(target).resolve().name)
    async with open_session(target, save=new, paced=True) as session:
        yield session


@asynccontextmanager
async def recorded(path: Path, step: int | None = None) -> AsyncIterator[Session]:
    """A save to watch, from the end of a step (default: the first). Raises SaveError."""
    async with await Save.open(path, read_only=True) as save:
        yield await again(save, path, min(1, save.last_step) if step is None else step)


async def again(save: Reader, path: Path | None, step: int) -> Session:
    """What is lived in an open save, to be watched again from the end of that step."""
    return Replay(await Player.begin(save, step), path)
