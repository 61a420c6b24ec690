"""What the screen shows of whoever opened a world or a save: a town that lives, or one that is watched again.

A system's events hold at once, so that the engine's own world is half made for as long as a step waits for a mind. What
is shown then is another world, as it stood at the end of the last whole step: moved on by the same events when the step
is done, as a replay is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import TypeAlias

from sandbox.core.events import Record
from sandbox.drama.showdown import Showdown
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.minds.spec import Model
from sandbox.store.player import Replayer
from sandbox.store.save import Save
from sandbox.store.session import Session as Living
from sandbox.talk.model import Exchanged, Opened

SAID = (Opened.KIND, Exchanged.KIND, Showdown.KIND)  # what a jump brings along of the hour before it
HEARD = 3600  # seconds of it


class Replay:
    """A session whose steps come out of a save. path: its file, None if it is kept in memory. said: what was said in
    the hour before the moment it last went to.
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
        """What may be asked about it; another one after a jump."""
        if self._view.world is not self.engine.world:  # a step that cannot be read leaves a new world, too
            self._view = View(self.engine.world)
        return self._view

    async def go(self, t: float) -> None:
        """Stand at the end of the step that holds second t.

        The view knows where people were when the step began, so that they walk within it. Raises SaveError; then
        nothing has moved.
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
    """The world at the end of a save, with what people remember."""
    if save.last_step == 0:
        world = await save.beginning()
        world.memories.live = True
    else:
        world = await save.seek()
        await world.memories.catch_up(save, save.last_seq)
    return world


async def to_show(session: Session) -> Session:
    """What of a session is shown: of one in which a mind takes its time, whole moments. Raises SaveError."""
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
