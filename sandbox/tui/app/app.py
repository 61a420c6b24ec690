"""The App: it draws the newest sitting, starts what opens another, and keeps what the player has set."""

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
from sandbox.tui.app import actions
from sandbox.tui.app.open_towns import OpenTown, OpenTowns, show_error
from sandbox.tui.app.screen import TooSmall, TownScreen, too_small
from sandbox.tui.app.settingsfile import write_setting
from sandbox.tui.commands import playing
from sandbox.tui.map.letters import SIXTEEN
from sandbox.tui.sheets import asking
from sandbox.tui.sheets.menu import open_menu, open_settings
from sandbox.tui.view import opening, text_lines
from sandbox.tui.view.action import BOTH, GO_ON
from sandbox.tui.view.cells import to_ascii
from sandbox.tui.view.diff_writer import Shadow
from sandbox.tui.view.opening import Session
from sandbox.tui.view.pace import UNSEEN
from sandbox.tui.view.settings import FIELDS, Settings
from sandbox.tui.view.terminal import AsideApp, Meter, Wall, metered_driver
from sandbox.tui.view.textual_internals import answered_to_nobody, open_palette, why_plain
from sandbox.tui.view.viewer import Viewer

LOG = logging.getLogger(__name__)
OPENING = "opening"  # the group of the worker that opens another town
PATIENCE = 0.4  # seconds after which it is said that something is being opened


class Ascii(LineFilter):
    """Turns all drawn lines into ASCII, last of all, for terminals and fonts that have nothing else."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [s if s.control or s.text.isascii() else Segment(to_ascii(s.text), s.style) for s in segments]


class SandboxApp(AsideApp):
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
        first = self._sitting(session, stack, greet)
        self._towns = OpenTowns(self, first, self._sitting, lambda: self._fit(self.size))

    @property
    def viewer(self) -> Viewer:
        """What is shown."""
        return self._towns.shown.viewer

    @property
    def fault(self) -> Exception | None:
        """What broke a sitting that was closed, or kept it from being opened again."""
        return self._towns.fault

    def _sitting(self, session: Session, stack: AsyncExitStack | None = None, fleeting: bool = False) -> OpenTown:
        viewer = Viewer(session, self._wall, self.settings, self._learnt, {**actions.KEYS, **self.settings.keys})
        viewer.ready = self.meter.ready
        viewer.fleeting = fleeting
        return OpenTown(viewer, stack or AsyncExitStack())

    def notify(self, message: str, *, markup: bool = False, **more: Any) -> None:
        """Show a notice. Never as markup, whoever asks: it may hold names and words from outside."""
        super().notify(message, markup=False, **more)

    def get_driver_class(self) -> type[Driver]:
        return metered_driver(super().get_driver_class(), self.meter, self._aside)

    def _aside(self, aside: bool) -> None:
        """Stop the clock while the program is put aside, so that no time has passed once it is back."""
        self._wall.stand(aside or too_small(self.size))
        for sitting in self._towns.sittings:
            sitting.viewer.pace.paced.wake()

    def get_default_screen(self) -> Screen[None]:
        screen = self._towns.first.screen
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
        screen = self._towns.first.screen
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
        for sitting in self._towns.sittings:
            pace = sitting.viewer.pace
            if small:
                pace.pause_for(UNSEEN)
            elif pace.stands_for(UNSEEN):
                pace.resume_after(UNSEEN)
                sitting.screen.wait()
        if small and not covered:
            self.push_screen(TooSmall(self.viewer))
        elif covered and not small:
            self.pop_screen()

    async def end(self) -> None:
        """Close all sittings, the newest first."""
        await self._towns.end()

    # ---- other towns

    def _meanwhile(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do something that may take long, such as to read a year, while keys and the town go on; one at a time."""
        if self._opening:
            work.close()
            self.notify(f"still opening {self._opening}", timeout=4)
            return
        self._opening = clean(name, 60)

        def tell() -> None:
            if self._opening:  # the hour to say so may have struck just as it was open
                self.notify(f"opening {self._opening} ...", timeout=2)

        told = self.set_timer(PATIENCE, tell)

        async def do() -> None:
            try:
                await work
            finally:
                self._opening = ""
                told.stop()

        self.run_worker(do(), group=OPENING)

    def play(self, target: str | Path, seed: int | None = None) -> None:
        """Leave what is shown, and live in that world or save, as soon as it is open."""
        name = target.name if isinstance(target, Path) else target
        self._meanwhile(name, self._towns.go_to(partial(opening.open_living, target, seed)))

    def reopen(self) -> None:
        """Close the town that is played and go on with its save, with what the player has allowed it meanwhile."""
        path = self._towns.first.viewer.session.path
        if path is not None:
            self._meanwhile(path.name, self._towns.reopen(path))

    def show(self, save: Path, step: int | None = None) -> None:
        """Leave what is shown, and watch that save, as soon as it is open."""
        at = None if step is None else opening.At(step)
        self._meanwhile(save.name, self._towns.go_to(partial(opening.open_replay, save, at)))

    async def rewind(self, viewer: Viewer, t: float | None = None) -> None:
        """Watch again what was lived, from second t (default: this moment); the town waits beneath."""
        if viewer.knower:  # a replay shows all
            self._towns.shown.screen.cannot_know()
        else:
            await self._towns.rewind(viewer, t)

    async def leave_replay(self) -> None:
        """Go back to the town beneath a replay; open the menu if there is none."""
        await self._towns.leave_replay()

    def branch(self, viewer: Viewer, title: str = "") -> None:
        """Go on live from the moment a replay shows, in a save of its own; time stands at first."""
        self._meanwhile("a branch", self._towns.branch(viewer, title))

    def take_back(self, viewer: Viewer, step: int, title: str = "") -> None:
        """Go on live from the end of a step, with the same luck, in a save of its own; time stands first."""
        self._meanwhile("a branch", self._towns.take_back(viewer, step, title))

    def keep(self) -> None:
        """Keep the town behind the menu: it is played."""
        first = self._towns.first
        begins, first.viewer.fleeting = first.viewer.fleeting, False
        if begins:
            first.screen.call_after_refresh(asking.ask_consent, first.screen)

    @property
    def kept(self) -> Path | None:
        """The save that is played, if it stays."""
        first = self._towns.first.viewer
        return None if first.fleeting or first.replaying else first.session.path

    # ---- what the player sets

    def change(self, key: str, value: str) -> None:
        """Set something, show it at once and keep it in the settings file."""
        self.settings = self.settings.with_(key, value)
        self._dress()
        for sitting in self._towns.sittings:
            sitting.viewer.settings = self.settings
            if sitting.screen.is_mounted and sitting.screen in self.screen_stack:
                sitting.screen.restyle()
        try:
            write_setting(key, value)
        except OSError as error:
            show_error(self, error)

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
            yield from playing.card_commands(screen)
            for f in FIELDS:
                yield SystemCommand(f"settings: {f.title}", f.says, partial(open_settings, screen, f.key))
