"""The App: it opens and closes sittings, shows each on a screen, and keeps what the player has set."""

from __future__ import annotations

import asyncio
import gc
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import ClassVar, NamedTuple

from textual.app import App, SystemCommand
from textual.screen import Screen

from sandbox.core.text import clean
from sandbox.engine.journal import JournalFull
from sandbox.engine.loading import WorldFaults
from sandbox.store.branch import branch
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.store.session import free_name
from sandbox.tui import actions, doors, ink
from sandbox.tui.leaves.menu import MenuLeaf
from sandbox.tui.screen import TownScreen
from sandbox.tui.session import Session
from sandbox.tui.settings import Settings, read_settings, told_faults, write_setting
from sandbox.tui.viewer import Viewer

Opener = Callable[[], AbstractAsyncContextManager[Session]]
FAULTS = (WorldFaults, SaveError, JournalFull)


class Sitting:
    """A session that is open, and the screen it is shown on. fleeting: its save goes unless it is played."""

    def __init__(self, viewer: Viewer, stack: AsyncExitStack, fleeting: bool = False) -> None:
        self.viewer, self.stack, self.fleeting = viewer, stack, fleeting
        self.screen: TownScreen | None = None

    async def close(self) -> None:
        """End it, between two steps."""
        await self.viewer.pace.stop()
        await self.stack.aclose()
        if self.fleeting and self.viewer.session.path is not None:
            with suppress(OSError):
                self.viewer.session.path.unlink()


class SandboxApp(App[None]):
    """Towns on the screen. The newest sitting is shown; those beneath it wait.

    session: the first, open; stack: what closes it. greet: begin with the menu over it, its save fleeting.
    """

    CSS_PATH: ClassVar[str] = "town.tcss"
    TITLE = "sandbox"

    def __init__(
        self,
        session: Session,
        settings: Settings | None = None,
        clock: Callable[[], float] = perf_counter,
        settle: Callable[[], None] | None = None,
        stack: AsyncExitStack | None = None,
        greet: bool = False,
    ) -> None:
        super().__init__()
        self.settings = settings or Settings()
        self._clock = clock
        self._settle = settle
        self._greet = greet
        self._learnt: set[str] = set()
        self._sittings = [self._sitting(session, stack or AsyncExitStack(), greet)]

    @property
    def viewer(self) -> Viewer:
        """What is shown."""
        return self._sittings[-1].viewer

    def _sitting(self, session: Session, stack: AsyncExitStack, fleeting: bool = False) -> Sitting:
        return Sitting(Viewer(session, self._clock, self.settings, self._learnt), stack, fleeting)

    def _screen(self, sitting: Sitting) -> TownScreen:
        sitting.screen = TownScreen(sitting.viewer, self.settings.keys)
        return sitting.screen

    def get_default_screen(self) -> Screen[None]:
        return self._screen(self._sittings[0])

    async def on_load(self) -> None:
        for theme in self.settings.themes.values():
            self.register_theme(theme.textual())
        self._dress()
        self.set_keymap(dict(self.settings.keys))
        await self.viewer.pace.begin()

    def on_mount(self) -> None:
        self.viewer.pace.start()

    def on_ready(self) -> None:
        screen = self._sittings[0].screen
        if self._greet and screen is not None:
            screen.open_sheet(MenuLeaf(screen))
        if self._settle is not None:
            self.call_after_refresh(self._settle)

    async def end(self) -> None:
        """Close all sittings, the newest first."""
        while self._sittings:
            await self._sittings.pop().close()

    # ---- other towns

    async def _open(self, opener: Opener) -> Sitting | None:
        """Open a sitting; None, and the reason on the screen, if it cannot be."""
        stack = AsyncExitStack()
        try:
            session = await stack.enter_async_context(opener())
        except FAULTS as error:
            self._tell(error)
            return None
        sitting = self._sitting(session, stack)
        await sitting.viewer.pace.begin()
        return sitting

    async def _change_to(self, sitting: Sitting) -> None:
        """Show a sitting instead of all that were open."""
        old, self._sittings = self._sittings, [sitting]
        for _ in old[1:]:
            self.pop_screen()
        await self.switch_screen(self._screen(sitting))
        sitting.viewer.pace.start()
        for gone in reversed(old):
            try:
                await gone.close()
            except FAULTS as error:
                self._tell(error)

    def _tell(self, error: Exception) -> None:
        self.notify(clean(str(error), 600), severity="error", timeout=12, markup=False)

    async def play(self, target: str | Path) -> None:
        """Leave what is shown, and live in that world or save."""
        if sitting := await self._open(partial(doors.living, target)):
            await self._change_to(sitting)

    async def show(self, save: Path, step: int | None = None) -> None:
        """Leave what is shown, and watch that save."""
        if sitting := await self._open(partial(doors.recorded, save, step)):
            await self._change_to(sitting)

    async def rewind(self, viewer: Viewer) -> None:
        """Watch again what was lived, from this moment; the town waits beneath."""
        viewer.pace.pause()
        try:
            session = await doors.again(viewer.session.save, viewer.session.path, viewer.world.step)
        except FAULTS as error:
            self._tell(error)
            return
        sitting = self._sitting(session, AsyncExitStack())
        sitting.viewer.select(viewer.selected)
        sitting.viewer.pace.paced.pause("rewound")
        self._sittings.append(sitting)
        await self.push_screen(self._screen(sitting))
        sitting.viewer.pace.start()

    async def leave_replay(self) -> None:
        """Back to the town beneath; to the menu if there is none."""
        if len(self._sittings) > 1:
            sitting = self._sittings.pop()
            self.pop_screen()
            await sitting.close()
        elif (screen := self._sittings[0].screen) is not None:
            screen.open_sheet(MenuLeaf(screen))

    async def branch(self, viewer: Viewer) -> None:
        """Go on live from the moment a replay shows, in a save of its own."""
        world, session = viewer.world, viewer.session
        viewer.pace.pause()
        out = free_name(world.scenario.name)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            save = session.save
            await branch(save if isinstance(save, Save) else save.path, world.step, out)
        except (*FAULTS, OSError) as error:
            self._tell(error)
            return
        await self.play(out)

    def keep(self) -> None:
        """The town behind the menu is played."""
        self._sittings[0].fleeting = False

    @property
    def kept(self) -> Path | None:
        """The save that is played, if it stays."""
        first = self._sittings[0]
        return None if first.fleeting or first.viewer.replaying else first.viewer.session.path

    # ---- what the player sets

    def change(self, key: str, value: str) -> None:
        """Set something, show it at once and keep it in the settings file."""
        self.settings = self.settings.with_(key, value)
        self._dress()
        for sitting in self._sittings:
            sitting.viewer.settings = self.settings
            if sitting.screen is not None:
                sitting.screen.restyle()
        try:
            write_setting(key, value)
        except OSError as error:
            self._tell(error)

    def _dress(self) -> None:
        theme = self.settings.theme
        ink.use(theme.colours, self.settings["palette"])
        self.theme = theme.name

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every action that has a name there."""
        if isinstance(screen, TownScreen):
            for action in actions.ACTIONS:
                if action.palette and action.when in (actions.BOTH, screen.when):
                    yield SystemCommand(action.palette, action.says, partial(screen.do, action.id))


class Shown(NamedTuple):
    """How it ended. code: for the shell; kept: the save that was played, None if none stays."""

    code: int
    kept: Path | None


def run_app(opener: Opener, greet: bool = False) -> Shown:
    """Show a session until the player leaves.

    The code is 0; 1 if the engine or the screen broke (what was saved stays whole); 2 if it could not be opened. What
    went wrong is written to standard error once the screen is gone.
    """
    gc.disable()  # nothing dies while a world is read
    try:
        return asyncio.run(_run(opener, greet))
    finally:
        gc.enable()


async def _run(opener: Opener, greet: bool) -> Shown:
    code, kept = 0, None
    settings, faults = read_settings()
    stack = AsyncExitStack()
    try:
        session = await stack.enter_async_context(opener())
        app = SandboxApp(session, settings, settle=_settle, stack=stack, greet=greet)
        if len(faults):
            says = partial(app.notify, told_faults(faults), title="settings", severity="warning", timeout=15)
            app.call_later(partial(says, markup=False))
        try:
            await app.run_async()
        finally:
            pace = app.viewer.pace
            kept = app.kept
            await app.end()
        code = app.return_code or 0
        if pace.fault is not None:
            code = 1
            print("".join(traceback.format_exception(pace.fault)), file=sys.stderr)
    except FAULTS as error:
        print("\n".join(clean(line, 2000) for line in str(error).splitlines()), file=sys.stderr)
        code = 1 if isinstance(error, JournalFull) else 2
    return Shown(code, kept)


def _settle() -> None:
    """The world is loaded and drawn: what lives now will stay, so the collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.enable()
