"""A save played again: it stands where the engine stands in a living town, and makes steps out of the log.

No system runs and no mind is asked; a step is its events applied. Whoever paces an engine can pace this.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from sandbox.core.events import Record
from sandbox.engine.journal import Nowhere
from sandbox.engine.world import World
from sandbox.store.read import Reader
from sandbox.store.relive import Lived, relive


class EndOfSave(Exception):
    """There is no further step in the save."""


class Player:
    """Plays a save that stays open as long as this is used. world: as it stands now; another one after `go`.

    watchers: called with the records of each step. Make one with `begin`.
    """

    def __init__(self, save: Reader, world: World) -> None:
        self.save = save
        self.world = world
        self.journal = Nowhere()
        self.watchers: list[Callable[[Sequence[Record]], None]] = []
        self._lived: AsyncIterator[Lived] | None = None

    @classmethod
    async def begin(cls, save: Reader, step: int) -> Player:
        """A player at the end of that step. Raises SaveError."""
        return cls(save, await save.seek(step))

    async def step(self) -> Sequence[Record]:
        """The next step of the log. Raises EndOfSave after the last one, SaveError if it cannot be read."""
        if self._lived is None:
            self._lived = relive(self.save, None, self.world)
        lived = await anext(self._lived, None)
        if lived is None:
            self._lived = None
            raise EndOfSave(f"the end of what was lived, {self.world.clock.hhmm(self.world.now)}")
        for watcher in self.watchers:
            watcher(lived.records)
        return lived.records

    async def go(self, step: int) -> None:
        """Stand at the end of that step. Raises SaveError; the player then stays where it was."""
        world = await self.save.seek(step)
        self._lived = None
        self.world = world

    async def step_at(self, t: float) -> int:
        """The first step that ends at second t or later, within what was lived."""
        return await self.save.step_at(t)
