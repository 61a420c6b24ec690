"""Reading the annals out of a save: how matters ended, what was decided, who quarrelled."""

from __future__ import annotations

from sandbox.core.events import Stamp
from sandbox.director.history import KINDS, AnnalsOpened, annals_of, opened
from sandbox.engine.world import World
from sandbox.store.read import SaveReader
from sandbox.store.save import Save


async def annals_before(save: SaveReader, world: World) -> AnnalsOpened:
    """The annals of a world up to now, out of its save; empty if the world keeps them already. Raises SaveError."""
    if world.annals.kept:
        return AnnalsOpened()
    if isinstance(save, Save) and save.writes:
        await save.settle()
    return annals_of(await save.records(KINDS, 0, world.seq), world.cast_pressures)


async def remembering(save: SaveReader, world: World) -> World:
    """The given world with annals up to now, only to be read and not to be run. Raises SaveError."""
    if not world.annals.kept:
        opened(world, await annals_before(save, world), Stamp(world.seq, world.step, world.now, "", ()))
    return world
