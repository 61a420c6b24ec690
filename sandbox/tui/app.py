"""The App: it owns nothing but the viewer and the palette. `run_app` opens a session, shows it, and closes it whole."""

from __future__ import annotations

import asyncio
import gc
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from time import perf_counter
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.screen import Screen

from sandbox.tui import actions
from sandbox.tui.screen import TownScreen
from sandbox.tui.session import Session
from sandbox.tui.viewer import Viewer


class SandboxApp(App[None]):
    """A town on the screen. keymap: id of an action -> keys, comma between."""

    CSS_PATH: ClassVar[str] = "town.tcss"
    TITLE = "sandbox"

    def __init__(
        self,
        session: Session,
        keymap: Mapping[str, str] | None = None,
        clock: Callable[[], float] = perf_counter,
        settle: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self.viewer = Viewer(session, clock)
        self.keymap = dict(keymap or {})
        self._settle = settle

    def get_default_screen(self) -> Screen[None]:
        return TownScreen(self.viewer, self.keymap)

    async def on_load(self) -> None:
        await self.viewer.pace.begin()
        self.set_keymap(self.keymap)

    def on_mount(self) -> None:
        self.viewer.pace.start()

    def on_ready(self) -> None:
        if self._settle is not None:
            self.call_after_refresh(self._settle)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every action that has a name there."""
        if isinstance(screen, TownScreen):
            for action in actions.ACTIONS:
                if action.palette:
                    yield SystemCommand(action.palette, action.says, partial(screen.perform, action))


def run_app(
    open_session: Callable[[], AbstractAsyncContextManager[Session]], keymap: Mapping[str, str] | None = None
) -> int:
    """Show a session until the player leaves.

    Returns 0; 1 if the engine or the screen broke (what was saved stays whole); 2 if it could not be opened. What
    went wrong is written to standard error once the screen is gone.
    """
    gc.disable()  # nothing dies while a world is read
    try:
        return asyncio.run(_run(open_session, keymap))
    finally:
        gc.enable()


async def _run(
    open_session: Callable[[], AbstractAsyncContextManager[Session]], keymap: Mapping[str, str] | None
) -> int:
    code = 0
    try:
        async with open_session() as session:
            app = SandboxApp(session, keymap, settle=_settle)
            pace = app.viewer.pace
            try:
                await app.run_async()
            finally:
                await pace.stop()
            code = app.return_code or 0
            if pace.fault is not None:
                code = 1
                print("".join(traceback.format_exception(pace.fault)), file=sys.stderr)
    except Exception as error:
        known = _known(error)
        if not known:
            raise
        print(error, file=sys.stderr)
        return known
    return code


def _known(error: Exception) -> int:
    """The exit code of an error a user can meet: 2 = it cannot be opened, 1 = it cannot be kept; 0 = a bug."""
    from sandbox.engine.journal import JournalFull
    from sandbox.engine.loading import WorldFaults
    from sandbox.store.errors import SaveError

    if isinstance(error, JournalFull):
        return 1
    return 2 if isinstance(error, (WorldFaults, SaveError)) else 0


def _settle() -> None:
    """The world is loaded and drawn: what lives now will stay, so the collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.enable()
