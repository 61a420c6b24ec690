"""Sittings: a session that is open with its viewer and its screen, and how it is opened and closed."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from functools import cached_property

from sandbox.engine.drivers import SPEEDS
from sandbox.engine.engine import JournalFull
from sandbox.engine.loading import WorldFaults
from sandbox.store.errors import SaveError
from sandbox.store.lock import SIDES, path_beside
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.view.opening import Replay, Session
from sandbox.tui.view.viewer import Viewer

SPEED_NAMES = [speed.name for speed in SPEEDS]
Opener = Callable[[], AbstractAsyncContextManager[Session]]
FAULTS = (WorldFaults, SaveError, JournalFull)  # what may keep a session from being opened, read or closed


class OpenTown:
    """A session that is open with what is watched of it. stack: what closes the session."""

    def __init__(self, viewer: Viewer, stack: AsyncExitStack) -> None:
        self.viewer, self.stack = viewer, stack
        viewer.pace.paced.speed = SPEED_NAMES.index(viewer.settings["speed"])
        if isinstance(viewer.session, Replay):
            viewer.jumped(viewer.session.said)

    @cached_property
    def screen(self) -> TownScreen:
        """Its screen, made when it is first shown."""
        return TownScreen(self.viewer)

    async def close(self) -> None:
        """End it, between two steps. Raises JournalFull if steps could not be kept."""
        path = self.viewer.session.path
        try:
            await self.viewer.pace.stop()
            await self.stack.aclose()
        finally:
            session = self.viewer.session
            for world in (session.world, session.engine.world):
                world.memories.let_go()  # Textual's timers may hold a screen that was left for long
            if path is not None and not session.save.displaced:
                if self.viewer.fleeting:
                    for file in (path, *(path_beside(path, suffix) for suffix in SIDES)):
                        with suppress(OSError):
                            file.unlink(missing_ok=True)
                elif not self.viewer.replaying:
                    with suppress(OSError):
                        os.utime(path)  # what was played last is what the menu goes on with, though no step was made
