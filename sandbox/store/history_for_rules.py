"""What a save tells of the past to whoever opens annals: how matters ended, what was decided, who quarrelled."""

from __future__ import annotations

from sandbox.core.events import Stamp
from sandbox.director.history import KINDS, AnnalsOpened, annals_of, opened
from sandbox.engine.world import World
from sandbox.store.read import SaveReader
from sandbox.store.save import Save


async def annals_before(save: SaveReader, world: World) -> AnnalsOpened:
    """The annals of a world until now, out of its save; empty where the world keeps them already. Raises SaveError."""
    if world.annals.kept:
        return AnnalsOpened()
    if isinstance(save, Save) and save.writes:
        await save.settle()
    return annals_of(await save.records(KINDS, 0, world.seq), world.cast_pressures)


async def remembering(save: SaveReader, world: World) -> World:
    """That world with annals until now, to be looked at and not to be lived. Raises SaveError."""
    if not world.annals.kept:
        opened(world, await annals_before(save, world), Stamp(world.seq, world.step, world.now, "", ()))
    return world
