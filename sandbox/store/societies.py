"""A growing society whose every step is written to a save.

    async with open_society("pairs.db", GrowthParameters(agents=12, steps=0), granter) as society:
        while not society.over:
            society.step()
            await society.end_step()

Such a save is of a world that is only a society: it is replayed, verified, branched and continued like any other, and
needs no granter for what has grown.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.loading import find_world, load
from sandbox.engine.world import World
from sandbox.society.granters import Granter
from sandbox.society.growth import Growth
from sandbox.society.model import GrowthParameters, check_parameters
from sandbox.society.saved import SocietyBegan
from sandbox.store.errors import SaveError
from sandbox.store.feeds import ALONE
from sandbox.store.files import is_save
from sandbox.store.save import Save
from sandbox.store.session import create_save, resume

EMPTY = ("feed.crowd=0", "feed.on=true")  # a world needs somebody, or a feed


class KeptGrowth(Growth):
    """A network written to a save: what has grown since the last `end_step` is lost when the file is closed."""

    def __init__(self, world: World, save: Save, parameters: GrowthParameters, granter: Granter | None) -> None:
        super().__init__(parameters, granter, world.chance.seed)
        self.world, self.save = world, save
        for event in world.grown.steps:
            self.apply(event)
        self._waiting: list[Event] = [] if world.grown.parameters is not None else [SocietyBegan(parameters)]
        self._keep = lambda record: self._waiting.append(record.event)

    async def end_step(self) -> None:
        """Write what has grown since the last call as one step of the save. Raises JournalFull."""
        world, records = self.world, []
        for event in self._waiting:
            record = Record(Stamp(world.seq + 1, world.step + 1, world.now, "", ()), event)
            world.apply(record)
            records.append(record)
        self._waiting = []
        world.advance(world.step + 1)
        await self.save.write(world.step, world.now, records, world.snapshot)


@asynccontextmanager
async def open_society(
    target: str | Path,
    parameters: GrowthParameters | None = None,
    granter: Granter | None = None,
    *,
    seed: int | None = None,
    force: bool = False,
) -> AsyncIterator[KeptGrowth]:
    """Open a society kept in a file: a new one, or, if the file exists, that one to continue.

    parameters, seed (1): for a new one. granter: who decides what is granted from here on, None = the embedded one.
    force: replace an existing file. Leaving the context writes every ended step and closes the file. Raises SaveError
    for a save of another kind, or if parameters or a seed are given for one that has others; ValueError for parameters.
    """
    if parameters is not None:
        parameters = check_parameters(parameters)
    known = None if force else is_save(target)
    if known is not None and known.exists():
        journal = await resume(known)
    else:
        parameters = parameters or GrowthParameters()
        journal = await create_save(
            load(find_world(ALONE), seed=1 if seed is None else seed, set=EMPTY), target, force=force
        )
    async with journal:
        world = await (journal.seek(noting=True) if journal.last_step else journal.beginning())
        world.memories.live = False
        own = world.grown.parameters
        if own is None and (journal.last_step or world.cast or world.feed_parameters.crowd):
            raise SaveError(journal.path, "is no society", "open it with `sandbox run`, or name another file")
        if own is None and parameters is None:
            raise SaveError(journal.path, "has no step, and no parameters", "give them, or name another file")
        if own is not None and parameters is not None and parameters != own:
            raise SaveError(journal.path, "has parameters of its own", "leave yours out, or name another file")
        if seed not in (None, world.chance.seed):
            raise SaveError(journal.path, f"has the seed {world.chance.seed}", "leave yours out, or name another file")
        yield KeptGrowth(world, journal, own or parameters or GrowthParameters(), granter)
        await journal.settle()
