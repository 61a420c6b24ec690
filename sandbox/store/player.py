"""A save played again: it stands where the engine stands in a living town, and makes steps out of the log.

No system runs and no mind is asked; a step is its events applied. Whoever paces an engine can pace this.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress

from sandbox.core.events import Record
from sandbox.engine.journal import Nowhere
from sandbox.engine.world import World
from sandbox.store.errors import SaveError
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
        """The next step of the log. Raises EndOfSave after the last one; of a save that another process plays, after
        the last one there is by now.

        Raises SaveError if it cannot be read; the world is then another one, at the end of the step before.
        """
        lived = await self._next()
        if lived is None:
            await self.save.refresh()
            lived = await self._next() if self.save.last_step > self.world.step else None
        if lived is None:
            raise EndOfSave(f"the end of what was lived, {self.world.clock.hhmm(self.world.now)}")
        for watcher in self.watchers:
            watcher(lived.records)
        return lived.records

    async def _next(self) -> Lived | None:
        """The next step, None if the log as it is known holds none."""
        if self._lived is None:
            self._lived = relive(self.save, None, self.world)
        try:
            lived = await anext(self._lived, None)
        except SaveError:
            self._lived = None
            with suppress(SaveError):  # some events of the step may have changed the world
                self.world = await self.save.seek(self.world.step)
            raise
        if lived is None:
            self._lived = None
        return lived

    async def go(self, step: int, begun: Callable[[World], None] = lambda world: None) -> Sequence[Record]:
        """Stand at the end of that step; return its events. begun: shown the world as it was when the step began.

        Raises SaveError; the player then stays where it was.
        """
        world = await self.save.seek(step if step < 1 else step - 1)
        begun(world)
        lived, records = relive(self.save, None, world), list[Record]()
        if step > 0:
            found = await anext(lived, None)
            if found is None:
                raise SaveError(self.save.path, f"has no step {step}", f"name one from 0 to {self.save.last_step}")
            records = found.records
        self.world, self._lived = world, lived
        return records

    async def step_at(self, t: float) -> int:
        """The first step that ends at second t or later, within what was lived."""
        return await self.save.step_at(t)
