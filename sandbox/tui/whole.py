"""A living town as it stood at the end of its last whole step: what is shown where steps wait for a mind.

A system's events hold at once, so that the engine's own world is half made for as long as a step waits. What is shown
is another world, moved on by the same events when the step is done, as a replay is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sandbox.core.events import Record
from sandbox.engine.engine import Engine
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.minds.spec import Model
from sandbox.minds.thinking import Thinking
from sandbox.store.read import Reader
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
    """A session of the screen over one that lives. world: as its save ends."""

    replaying = False

    def __init__(self, session: Session, world: World) -> None:
        self._session = session
        self.world = world
        self.view = View(world)
        self.view.tail.extend(session.view.tail)
        session.engine.watchers.append(self._saw)

    @property
    def engine(self) -> Engine:
        """What makes steps; its own world may be half made."""
        return self._session.engine

    @property
    def path(self) -> Path | None:
        """The file the log is kept in."""
        return self._session.path

    @property
    def save(self) -> Reader:
        """The log."""
        return self._session.save

    @property
    def thinking(self) -> Thinking | None:
        """Who is waited for."""
        return self._session.thinking

    @property
    def withheld(self) -> Mapping[str, Model]:
        """What is not asked."""
        return self._session.withheld

    @property
    def given(self) -> tuple[str, ...]:
        """What the command line said of models."""
        return self._session.given

    def _saw(self, records: Sequence[Record]) -> None:
        for record in records:
            self.world.apply(record)
        self.world.advance(self.world.step + 1)
        self.view.saw(records)
