"""The App: it opens and closes sittings, shows each on a screen, and keeps what the player has set."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

from rich.segment import Segment
from textual.app import SystemCommand
from textual.color import Color
from textual.driver import Driver
from textual.events import Resize
from textual.filter import LineFilter
from textual.geometry import Size
from textual.screen import Screen

from sandbox.core.text import clean
from sandbox.store.errors import Displaced
from sandbox.tui.app import actions
from sandbox.tui.app.open_towns import FAULTS, Opener, OpenTown
from sandbox.tui.app.screen import TooSmall, TownScreen, too_small
from sandbox.tui.app.settingsfile import write_setting
from sandbox.tui.commands import direct
from sandbox.tui.map.letters import SIXTEEN
from sandbox.tui.sheets import asking
from sandbox.tui.sheets.menu import open_menu
from sandbox.tui.sheets.settings import open_settings
from sandbox.tui.view import opening, text_lines
from sandbox.tui.view.action import BOTH, GO_ON
from sandbox.tui.view.cells import to_ascii
from sandbox.tui.view.command_palette import open_palette
from sandbox.tui.view.diff_writer import Shadow
from sandbox.tui.view.opening import Replay, Session, to_show
from sandbox.tui.view.pace import UNSEEN
from sandbox.tui.view.settings import FIELDS, Settings
from sandbox.tui.view.terminal import AsideApp, Meter, Wall, metered_driver
from sandbox.tui.view.textual_internals import answered_to_nobody, why_plain
from sandbox.tui.view.viewer import Viewer

LOG = logging.getLogger(__name__)
OPENING = "opening"  # the group of the worker that opens another town
PATIENCE = 0.4  # seconds after which it is said that something is being opened


class Ascii(LineFilter):
    """For terminals and fonts that have nothing else: the last thing that all drawn lines go through."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [s if s.control or s.text.isascii() else Segment(to_ascii(s.text), s.style) for s in segments]


class SandboxApp(AsideApp):
    """Towns on the screen. The newest sitting is shown; those beneath it wait.

    session: the first, open; stack: what closes it. greet: begin with the menu over it, its save fleeting. fault: what
    broke a sitting that was closed, or kept it from being opened again, the first if there were several.
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
        self.fault: Exception | None = None
        if plain := why_plain():
            LOG.info("the screen is drawn by Textual's own means, in more bytes: %s", plain)
        self.shadow = Shadow()
        self.meter = Meter()  # before the driver's class is asked for
        self.settings = settings or Settings()
        self._ascii = Ascii()
        super().__init__()
        self._wall = Wall(clock)
        self._settle = settle
        self._greet = greet
        self._learnt: set[str] = set()
        self._opening = ""  # what is being opened
        self._sittings = [self._sitting(session, stack or AsyncExitStack(), greet)]
        self._left: list[OpenTown] = []  # those that are being closed

    @property
    def viewer(self) -> Viewer:
        """What is shown."""
        return self._sittings[-1].viewer

    def _sitting(self, session: Session, stack: AsyncExitStack, fleeting: bool = False) -> OpenTown:
        viewer = Viewer(session, self._wall, self.settings, self._learnt, {**actions.KEYS, **self.settings.keys})
        viewer.ready = self.meter.ready
        viewer.fleeting = fleeting
        return OpenTown(viewer, stack)

    def get_driver_class(self) -> type[Driver]:
        return metered_driver(super().get_driver_class(), self.meter, self._aside)

    def _aside(self, aside: bool) -> None:
        """The program is put aside, or is back: no time has passed meanwhile."""
        self._wall.stand(aside or too_small(self.size))
        for sitting in self._sittings:
            sitting.viewer.pace.paced.wake()

    def get_default_screen(self) -> Screen[None]:
        screen = self._sittings[0].screen
        answered_to_nobody(screen)
        return screen

    async def on_load(self) -> None:
        self.ansi_theme_dark = self.ansi_theme_light = SIXTEEN
        for theme in self.settings.themes.values():
            self.register_theme(theme.textual())
        self._dress()
        self.set_keymap(actions.keymap(self.settings.keys))
        await self.viewer.pace.begin()

    def on_mount(self) -> None:
        self.viewer.pace.start()

    async def on_ready(self) -> None:
        screen = self._sittings[0].screen
        if self._greet:
            await open_menu(screen, start=True)
        else:
            asking.ask_consent(screen)
        if self._settle is not None:
            self.call_after_refresh(self._settle)
        self._fit(self.size)

    def on_resize(self, event: Resize) -> None:
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        """Lay the card over all that is open where a terminal of that size has no room for it, and take it away. Time
        stands meanwhile, and goes on after, unless something is to be chosen.
        """
        if not self.screen_stack:
            return
        covered, small = isinstance(self.screen, TooSmall), too_small(size)
        self._wall.stand(small)
        for sitting in self._sittings:
            pace = sitting.viewer.pace
            if small:
                pace.hold(UNSEEN)
            elif pace.stands_for(UNSEEN):
                pace.let_go(UNSEEN)
                sitting.screen.wait()
        if small and not covered:
            self.push_screen(TooSmall(self.viewer))
        elif covered and not small:
            self.pop_screen()

    async def end(self) -> None:
        """Close all sittings, the newest first."""
        for sittings in (self._sittings, self._left):
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

    # ---- other towns

    async def _opened(self, opener: Opener) -> OpenTown:
        """A sitting. Raises FAULTS."""
        async with AsyncExitStack() as opening:  # it closes again what is open when the player leaves meanwhile
            session = await to_show(await opening.enter_async_context(opener()))
            sitting = self._sitting(session, AsyncExitStack())
            await sitting.viewer.pace.begin()
            sitting.stack = opening.pop_all()
        return sitting

    async def _open(self, opener: Opener) -> OpenTown | None:
        """Open a sitting; None, and the reason on the screen, if it cannot be."""
        try:
            return await self._opened(opener)
        except (*FAULTS, MemoryError) as error:  # of want of memory one is told before a town is begun
            self._tell(error)
            return None

    async def _change_to(self, sitting: OpenTown) -> None:
        """Show a sitting instead of all that were open."""
        self._left, self._sittings = self._sittings, [sitting]
        while len(self.screen_stack) > 1:  # replays, and what may lie over them
            self._lift()
        # Not awaited: the old screen may be the one that handles the click which brought us here, and it cannot end
        # before that is done.
        self.switch_screen(sitting.screen)
        self._fit(self.size)
        sitting.viewer.pace.start()
        sitting.screen.call_after_refresh(asking.ask_consent, sitting.screen)
        while self._left:
            left = self._left.pop()
            try:
                await self._close(left)
            except FAULTS as error:
                self._tell(error)
            for said in left.viewer.session.save.warnings:
                self.notify(said, severity="warning", timeout=12, markup=False)

    def _lift(self) -> None:
        """Take the topmost screen away. The palette may still be looking for commands: it would not find its list."""
        self.workers.cancel_node(self.screen)
        self.pop_screen()

    def _tell(self, error: Exception) -> None:
        self.notify(clean(str(error), 600), severity="error", timeout=12, markup=False)

    def _meanwhile(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do something that may take long, such as to read a year, while keys and the town go on; one at a time."""
        if self._opening:
            work.close()
            self.notify(f"still opening {self._opening}", timeout=4, markup=False)
            return
        self._opening = clean(name, 60)

        def tell() -> None:
            if self._opening:  # the hour to say so may have struck just as it was open
                self.notify(f"opening {self._opening} ...", timeout=2, markup=False)

        told = self.set_timer(PATIENCE, tell)

        async def do() -> None:
            try:
                await work
            finally:
                self._opening = ""
                told.stop()

        self.run_worker(do(), group=OPENING)

    async def _go_to(self, opener: Opener) -> None:
        if sitting := await self._open(opener):
            await self._change_to(sitting)

    def play(self, target: str | Path, seed: int | None = None) -> None:
        """Leave what is shown, and live in that world or save, as soon as it is open."""
        name = target.name if isinstance(target, Path) else target
        self._meanwhile(name, self._go_to(partial(opening.open_living, target, seed)))

    def reopen(self) -> None:
        """Close the town that is played and go on with its save, with what the player has allowed it meanwhile."""
        path = self._sittings[0].viewer.session.path
        if path is not None:
            self._meanwhile(path.name, self._reopen(path))

    async def _reopen(self, path: Path) -> None:
        sitting = self._sittings[0]
        try:
            await sitting.viewer.pace.stop()
            await sitting.stack.aclose()  # of a file that went, another may have the name now
            again = await self._opened(partial(opening.open_living, path, minds=sitting.viewer.session.given))
        except FAULTS as error:  # its screen shows what nobody plays any more
            self.fault = self.fault or error
            self.exit()
        else:
            again.viewer.stayed = True
            await self._change_to(again)

    def show(self, save: Path, step: int | None = None) -> None:
        """Leave what is shown, and watch that save, as soon as it is open."""
        at = None if step is None else opening.At(step)
        self._meanwhile(save.name, self._go_to(partial(opening.open_replay, save, at)))

    async def rewind(self, viewer: Viewer, t: float | None = None) -> None:
        """Watch again what was lived, from second t (default: this moment); the town waits beneath."""
        if viewer.knower:  # a replay shows all
            self._sittings[-1].screen.cannot_know()
            return
        moment = viewer.shown if t is None else t
        if viewer.pace.running:
            viewer.pace.release()
            viewer.pace.paced.pause("back from the replay")

        async def again() -> Replay:
            save, path = viewer.session.save, viewer.session.path
            replay = await opening.begin_replay(save, path, viewer.world.step)
            await replay.go(moment)
            return replay

        try:
            replay = await viewer.pace.between(again)
        except FAULTS as error:
            self._tell(error)
            return
        if viewer is not self.viewer:  # the key was pressed twice
            return
        sitting = self._sitting(replay, AsyncExitStack())
        sitting.viewer.favourites = viewer.favourites  # one town: who is chosen in its replay stays so
        sitting.viewer.pace.paced.shown = moment
        sitting.viewer.pace.paced.pause("rewound")
        place = self._sittings[-1].screen.here()
        self._sittings.append(sitting)
        await self.push_screen(sitting.screen)
        self._fit(self.size)
        sitting.screen.call_after_refresh(sitting.screen.return_to, place)
        sitting.viewer.pace.start()

    async def leave_replay(self) -> None:
        """Back to the town beneath; to the menu if there is none."""
        if not self.viewer.replaying:  # the key was pressed twice
            return
        if len(self._sittings) > 1:
            sitting = self._sittings.pop()
            while sitting.screen in self.screen_stack:  # the palette may lie over it
                self._lift()
            self._fit(self.size)
            await self._close(sitting)
            self._sittings[-1].screen.guard.back_from(sitting.viewer.shown)
        else:
            await open_menu(self._sittings[0].screen)

    def branch(self, viewer: Viewer, title: str = "") -> None:
        """Go on live from the moment a replay shows, in a save of its own; time stands at first."""
        self._meanwhile("a branch", self._branch(viewer, title))

    async def _branch(self, viewer: Viewer, title: str) -> None:
        if viewer is not self.viewer:  # the key was pressed twice
            return
        world, save = viewer.world, viewer.session.save
        viewer.pace.pause()
        try:
            out = await opening.branch_save(save, world, title)
        except FAULTS as error:
            self._tell(error)
            return
        opener = partial(opening.open_living, out, opening.branch_seed(world, out))
        await self._go_on(viewer, opener, f"live from here, with other luck, in {out.name}")

    def take_back(self, viewer: Viewer, step: int, title: str = "") -> None:
        """Go on live from the end of a step, with the same luck, in a save of its own; time stands first."""
        self._meanwhile("a branch", self._take_back(viewer, step, title))

    async def _take_back(self, viewer: Viewer, step: int, title: str) -> None:
        if viewer is not self.viewer or viewer.replaying:  # the key was pressed twice
            return
        viewer.pace.pause()
        shown = [path for sitting in self._sittings if (path := sitting.viewer.session.path) is not None]
        try:
            if title:
                out = await opening.branch_save(viewer.session.save, viewer.world, title)
            else:
                out = await opening.branch_before(viewer.session.save, viewer.world, step, shown)
        except FAULTS as error:
            self._tell(error)
            return
        opener = partial(opening.open_living, out, minds=viewer.session.given)
        why = (
            f'live from here, in {out.name}, called "{title}"'
            if title
            else f"taken back: live from before it, in {out.name}"
        )
        await self._go_on(viewer, opener, why, title)

    async def _go_on(self, viewer: Viewer, opener: Opener, why: str, called: str = "") -> None:
        """Show a branch that was made instead of all that is open, from the same place. why: why its time stands."""
        if sitting := await self._open(opener):
            sitting.viewer.favourites = set(viewer.favourites)
            sitting.viewer.stayed, sitting.viewer.called = True, called
            sitting.viewer.pace.paced.pause(why)
            place = self._sittings[-1].screen.here()
            await self._change_to(sitting)
            sitting.screen.call_after_refresh(sitting.screen.return_to, place)

    def keep(self) -> None:
        """The town behind the menu is played."""
        first = self._sittings[0]
        begins, first.viewer.fleeting = first.viewer.fleeting, False
        if begins:
            first.screen.call_after_refresh(asking.ask_consent, first.screen)

    @property
    def kept(self) -> Path | None:
        """The save that is played, if it stays."""
        first = self._sittings[0].viewer
        return None if first.fleeting or first.replaying else first.session.path

    # ---- what the player sets

    def change(self, key: str, value: str) -> None:
        """Set something, show it at once and keep it in the settings file."""
        self.settings = self.settings.with_(key, value)
        self._dress()
        for sitting in self._sittings:
            sitting.viewer.settings = self.settings
            if sitting.screen.is_mounted and sitting.screen in self.screen_stack:
                sitting.screen.restyle()
        try:
            write_setting(key, value)
        except OSError as error:
            self._tell(error)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What all that is drawn goes through last: where glyphs are "ascii", nothing else leaves the program."""
        filters = super().get_line_filters()
        return [*filters, self._ascii] if self.settings["glyphs"] == "ascii" else filters

    def _dress(self) -> None:
        theme = self.settings.theme
        text_lines.use_colours(theme.colours, self.settings["palette"])
        self.theme = theme.name

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, TooSmall):
            open_palette(self)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every action that has a name there, and every setting."""
        if isinstance(screen, TownScreen):
            for action in actions.ACTIONS:
                idle = action.id == GO_ON and not screen.viewer.asked
                if action.palette and action.when in (BOTH, screen.when) and not idle:
                    yield SystemCommand(action.palette, action.says, partial(screen.do, action.id))
            yield from direct.commands(screen)
            for f in FIELDS:
                yield SystemCommand(f"settings: {f.title}", f.says, partial(open_settings, screen, f.key))
