"""Open towns (in the code also: sittings): opening, showing and closing them, replays on top, branches."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from textual.app import App

from sandbox.core.protocols import JournalFull
from sandbox.core.text import clean
from sandbox.engine.drivers import SPEEDS
from sandbox.engine.loading import WorldFaults
from sandbox.store.errors import Displaced, SaveError
from sandbox.store.lock import SIDES, path_beside
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.panes.replay_jumps import return_to
from sandbox.tui.sheets import asking
from sandbox.tui.sheets.menu import open_menu
from sandbox.tui.view import opening
from sandbox.tui.view.opening import Replay, Session, to_show
from sandbox.tui.view.viewer import Viewer

SPEED_NAMES = [speed.name for speed in SPEEDS]
Opener = Callable[[], AbstractAsyncContextManager[Session]]
FAULTS = (WorldFaults, SaveError, JournalFull)  # errors in opening, reading or closing a session


class OpenTown:
    """An open session and the viewer that shows it. stack: closes the session."""

    def __init__(self, viewer: Viewer, stack: AsyncExitStack) -> None:
        self.viewer, self.stack = viewer, stack
        viewer.pace.paced.speed = SPEED_NAMES.index(viewer.settings["speed"])
        if isinstance(viewer.session, Replay):
            viewer.jumped(viewer.session.said)

    @cached_property
    def screen(self) -> TownScreen:
        """The screen of the town, made when it is first shown."""
        return TownScreen(self.viewer)

    async def close(self) -> None:
        """Close the session; delete its save if nobody played it. Raises JournalFull if steps could not be saved."""
        path = self.viewer.session.path
        try:
            await self.viewer.pace.stop()
            await self.stack.aclose()
        finally:
            session = self.viewer.session
            for world in (session.world, session.engine.world):
                world.memories.let_go()  # Textual's timers may keep a closed screen, and so its world, in memory
            if path is not None and not session.save.displaced:
                if self.viewer.fleeting:
                    for file in (path, *(path_beside(path, suffix) for suffix in SIDES)):
                        with suppress(OSError):
                            file.unlink(missing_ok=True)
                elif not self.viewer.replaying:
                    with suppress(OSError):
                        os.utime(path)  # the menu continues the newest save, also if no step was made in it


def show_error(app: App[Any], error: Exception) -> None:
    """Show an error as a notice on the screen."""
    app.notify(clean(str(error), 600), severity="error", timeout=12)


class OpenTowns:
    """The stack of open sittings (towns and replays). The newest is shown; those beneath it are paused.

    make: makes a sitting from a session. fit: fits what is shown to the terminal's size. fault: the first error that
    broke a sitting, or kept one from being reopened.
    """

    def __init__(
        self, app: App[Any], first: OpenTown, make: Callable[[Session], OpenTown], fit: Callable[[], None]
    ) -> None:
        self.sittings = [first]
        self.fault: Exception | None = None
        self._app, self._make, self._fit = app, make, fit
        self._left: list[OpenTown] = []  # sittings that are being closed

    @property
    def first(self) -> OpenTown:
        """The oldest sitting: the live town, or a replay that was opened by itself."""
        return self.sittings[0]

    @property
    def shown(self) -> OpenTown:
        """The newest sitting, which is on the screen."""
        return self.sittings[-1]

    # ---- to open and to close

    async def end(self) -> None:
        """Close all sittings, the newest first."""
        for sittings in (self.sittings, self._left):
            while sittings:
                await self._close(sittings.pop())

    async def _close(self, sitting: OpenTown) -> None:
        try:
            await sitting.close()
        except Displaced as fault:
            self.fault = self.fault or fault
            raise
        finally:
            self.fault = self.fault or sitting.viewer.pace.fault

    async def _opened(self, opener: Opener) -> OpenTown:
        """Open a sitting. Raises FAULTS."""
        async with AsyncExitStack() as stack:  # closes the session if the player leaves meanwhile
            session = await to_show(await stack.enter_async_context(opener()))
            sitting = self._make(session)
            await sitting.viewer.pace.begin()
            sitting.stack = stack.pop_all()
        return sitting

    async def _open(self, opener: Opener) -> OpenTown | None:
        """Open a sitting; if it cannot be opened, show why and return None."""
        try:
            return await self._opened(opener)
        except (*FAULTS, MemoryError) as error:  # MemoryError: too little memory to begin a town
            show_error(self._app, error)
            return None

    # ---- another town instead

    async def go_to(self, opener: Opener) -> None:
        """Open a sitting, and show it instead of all that are open."""
        if sitting := await self._open(opener):
            await self._change_to(sitting)

    async def _change_to(self, sitting: OpenTown) -> None:
        """Show a sitting instead of all that were open."""
        app = self._app
        self._left, self.sittings = self.sittings, [sitting]
        while len(app.screen_stack) > 1:  # replays, and what may lie over them
            self._lift()
        # Not awaited: the old screen may be the one that handles the click which brought us here, and it cannot end
        # before that is done.
        app.switch_screen(sitting.screen)
        self._fit()
        sitting.viewer.pace.start()
        sitting.screen.call_after_refresh(asking.ask_consent, sitting.screen)
        while self._left:
            left = self._left.pop()
            try:
                await self._close(left)
            except FAULTS as error:
                show_error(app, error)
            for said in left.viewer.session.save.warnings:
                app.notify(said, severity="warning", timeout=12)

    def _lift(self) -> None:
        """Remove the topmost screen, its workers first: the palette's search would fail without its list."""
        self._app.workers.cancel_node(self._app.screen)
        self._app.pop_screen()

    async def reopen(self, path: Path) -> None:
        """Close the town that is played, and open its save at `path` again."""
        sitting = self.first
        try:
            await sitting.viewer.pace.stop()
            await sitting.stack.aclose()  # of a file that went, another may have the name now
            again = await self._opened(partial(opening.open_living, path, minds=sitting.viewer.session.given))
        except FAULTS as error:  # its session is closed already, so leave the program
            self.fault = self.fault or error
            self._app.exit()
        else:
            again.viewer.stayed = True
            await self._change_to(again)

    # ---- a replay on top

    async def rewind(self, viewer: Viewer, t: float | None) -> None:
        """Show a replay of the town from second t (None: the moment shown) on top of the town, which is paused."""
        moment = viewer.shown if t is None else t
        if viewer.pace.running:
            viewer.pace.end_run()
            viewer.pace.paced.pause("back from the replay")

        async def again() -> Replay:
            save, path = viewer.session.save, viewer.session.path
            replay = await opening.begin_replay(save, path, viewer.world.step)
            await replay.go(moment)
            return replay

        try:
            replay = await viewer.pace.between(again)
        except FAULTS as error:
            show_error(self._app, error)
            return
        if viewer is not self.shown.viewer:  # the key was pressed twice
            return
        sitting = self._make(replay)
        sitting.viewer.favourites = viewer.favourites  # the same set: favourites of the replay are those of the town
        sitting.viewer.pace.paced.shown = moment
        sitting.viewer.pace.paced.pause("rewound")
        place = self.shown.screen.here()
        self.sittings.append(sitting)
        await self._app.push_screen(sitting.screen)
        self._fit()
        sitting.screen.call_after_refresh(return_to, sitting.screen, place)
        sitting.viewer.pace.start()

    async def leave_replay(self) -> None:
        """Go back to the town beneath a replay; open the menu if there is none."""
        if not self.shown.viewer.replaying:  # the key was pressed twice
            return
        if len(self.sittings) > 1:
            sitting = self.sittings.pop()
            while sitting.screen in self._app.screen_stack:  # the palette may lie over it
                self._lift()
            self._fit()
            await self._close(sitting)
            self.shown.screen.guard.back_from(sitting.viewer.shown)
        else:
            await open_menu(self.first.screen)

    # ---- a branch instead

    async def branch(self, viewer: Viewer, title: str) -> None:
        """Go on live from the moment a replay shows, in a save of its own, with other luck."""
        world = viewer.world
        out = await self._branch_off(viewer, opening.branch_save(viewer.session.save, world, title))
        if out is not None:
            opener = partial(opening.open_living, out, opening.branch_seed(world, out))
            await self._go_on(viewer, opener, f"live from here, with other luck, in {out.name}")

    async def take_back(self, viewer: Viewer, step: int, title: str) -> None:
        """Go on live from the end of a step, in a save of its own, with the same luck."""
        if viewer.replaying:  # nothing of it was done by hand
            return
        save, world = viewer.session.save, viewer.world
        shown = [path for sitting in self.sittings if (path := sitting.viewer.session.path) is not None]
        made = opening.branch_save(save, world, title) if title else opening.branch_before(save, world, step, shown)
        out = await self._branch_off(viewer, made)
        if out is not None:
            why = f'live from here, in {out.name}, called "{title}"'
            why = why if title else f"taken back: now live from before it, in {out.name}"
            await self._go_on(viewer, partial(opening.open_living, out, minds=viewer.session.given), why, title)

    async def _branch_off(self, viewer: Viewer, made: Coroutine[Any, Any, Path]) -> Path | None:
        """Pause and make a branch; None if it cannot be made, which is shown, or its key was pressed twice."""
        if viewer is not self.shown.viewer:
            made.close()
            return None
        viewer.pace.pause()
        try:
            return await made
        except FAULTS as error:
            show_error(self._app, error)
            return None

    async def _go_on(self, viewer: Viewer, opener: Opener, why: str, called: str = "") -> None:
        """Show a new branch instead of all open sittings, from the same view. why: the reason shown for its pause."""
        if sitting := await self._open(opener):
            sitting.viewer.favourites = set(viewer.favourites)
            sitting.viewer.stayed, sitting.viewer.called = True, called
            sitting.viewer.pace.paced.pause(why)
            place = self.shown.screen.here()
            await self._change_to(sitting)
            sitting.screen.call_after_refresh(return_to, sitting.screen, place)
