"""A living town as it stood at the end of its last whole step: what is shown where steps wait for a mind.

A system's events hold at once, so that the engine's own world is half made for as long as a step waits. What is shown
is another world, moved on by the same events when the step is done, as a replay is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sandbox.core.events import Record
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.store.save import Save
from sandbox.store.session import Session
from sandbox.tui import session as tui


async def world_of(save: Save) -> World:
    """The world at the end of a save, with what people remember. Raises SaveError."""
    if save.last_step == 0:
        world = await save.beginning()
        world.memories.live = True
    else:
        world = await save.seek()
        await world.memories.catch_up(save, save.last_seq)
    return world


async def to_show(session: tui.Session) -> tui.Session:
    """What of a session is shown: of one in which a mind takes its time, whole moments. Raises SaveError."""
    if isinstance(session, Session) and session.thinking is not None:
        return Whole(session, await world_of(session.save))
    return session


class Whole:
    """A session of the screen over one that lives. world: as its save ends; that of the engine may be half made."""

    replaying = False

    def __init__(self, session: Session, world: World) -> None:
        self._session = session
        self.world = world
        self.view = View(world)
        self.view.tail.extend(session.view.tail)
        self.engine, self.save, self.thinking = session.engine, session.save, session.thinking
        self.withheld, self.given = session.withheld, session.given
        self.engine.watchers.append(self._saw)

    @property
    def path(self) -> Path | None:
        """The file the log is kept in."""
        return self._session.path

    def _saw(self, records: Sequence[Record]) -> None:
        for record in records:
            self.world.apply(record)
        self.world.advance(self.world.step + 1)
        self.view.saw(records)
