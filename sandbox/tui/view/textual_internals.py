"""All uses of Textual's private parts, and the check that they are as expected. No other module touches them.

`why_plain` checks them for each screen. If a part is missing or differs, or SANDBOX_DRAWING=plain is set, Textual
draws by itself: the same cells, in more bytes. Also the command palette, hardened against events that arrive before it
is mounted or after it is closed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.metadata import version
from inspect import Parameter, signature
from threading import Thread
from typing import Any, Protocol, TypeVar, cast

from rich.console import Console
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette
from textual.css.query import NoMatches
from textual.errors import NoWidget
from textual.events import Click, Mount, Resize
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer, TimerCallback
from textual.worker import Worker

from sandbox.tui.view.diff_writer import Pen, Shadow, system_of

try:
    from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
except ImportError:  # `faults` reports it, and the subclasses below are not used
    ChopsUpdate = Compositor = LayoutUpdate = object  # type: ignore[misc,assignment]

DRAWING = "SANDBOX_DRAWING"
PLAIN = "plain"  # value of DRAWING for Textual's own drawing
SOON = 0.03  # seconds until rows left over are tried again


# ---- whether it is as expected


def _takes(owner: object, name: str, *wanted: str) -> bool:
    """Whether a method takes exactly these parameters."""
    named = list(signature(getattr(owner, name)).parameters.values())
    named = named[1:] if named and named[0].name == "self" else named
    return [p.name for p in named if p.kind is Parameter.POSITIONAL_OR_KEYWORD] == [*wanted]


# Each private part that is used, and a test that it is as expected.
PARTS: tuple[tuple[str, Callable[[], bool]], ...] = (
    ("_compositor.ChopsUpdate(chops, spans, chop_ends)",
         lambda: _takes(ChopsUpdate, "__init__", "chops", "spans", "chop_ends")),
    ("_compositor.LayoutUpdate(strips, region)", lambda: _takes(LayoutUpdate, "__init__", "strips", "region")),
    ("ChopsUpdate.render_segments(console)", lambda: _takes(ChopsUpdate, "render_segments", "console")),
    ("LayoutUpdate.render_segments(console)", lambda: _takes(LayoutUpdate, "render_segments", "console")),
    ("_compositor.Compositor()", lambda: _takes(Compositor, "__init__")),
    ("Compositor.render_full_update(simplify)", lambda: _takes(Compositor, "render_full_update", "simplify")),
    ("Compositor.render_partial_update()", lambda: _takes(Compositor, "render_partial_update")),
    ("Compositor.update_widgets(widgets)", lambda: _takes(Compositor, "update_widgets", "widgets")),
    ("Compositor._dirty_regions", lambda: isinstance(Compositor()._dirty_regions, set)),
    ("Compositor.size", lambda: tuple(Compositor().size) == (0, 0)),
    ("Screen._compositor", lambda: type(Screen()._compositor) is Compositor),
    ("Screen._dirty_widgets", lambda: isinstance(Screen()._dirty_widgets, set)),
    ("Screen._compositor_refresh()", lambda: _takes(Screen, "_compositor_refresh")),
)  # fmt: skip


def faults() -> Iterator[str]:
    """The names of parts that are missing or not as expected."""
    for name, there in PARTS:
        try:
            found = there()
        except (AttributeError, TypeError, ValueError):
            found = False
        if not found:
            yield name


def why_plain() -> str:
    """Why Textual draws by itself; "" if lean drawing is used."""
    if os.environ.get(DRAWING) == PLAIN:
        return f"{DRAWING}={PLAIN} is set"
    missing = ", ".join(faults())
    return f"Textual {version('textual')} has other inner parts than expected: {missing}" if missing else ""


# ---- lean drawing


class LeanUpdate(ChopsUpdate):
    """An update of some spans of rows; the shortest are sent first."""

    line: LeanLine

    def render_segments(self, console: Console) -> str:
        spans = sorted(self.spans, key=lambda span: span[2] - span[1])
        parts = ((Region(first, y, last - first, 1), self._strips(y, first, last)) for y, first, last in spans)
        return self.line.written(console, parts)

    def _strips(self, y: int, first: int, last: int) -> Iterator[tuple[int, Strip]]:
        for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
            if strip is not None and x < last and end > first:
                left, right = max(x, first), min(end, last)
                yield left, strip if (left, right) == (x, end) else strip.crop(left - x, right - x)


class LeanLayout(LayoutUpdate):
    """An update of the whole screen; the first row and the last three are sent first."""

    line: LeanLine

    def render_segments(self, console: Console) -> str:
        x, top, width, height = self.region
        rows = list(enumerate(self.strips, top))
        ordered = [*rows[:1], *rows[-3:][::-1], *rows[1:-3]] if height > 4 else rows
        parts = ((Region(x, y, width, 1), [(x, Strip.join(strips))]) for y, strips in ordered)
        return self.line.written(console, parts)


class LeanCompositor(Compositor):
    """A compositor that makes LeanUpdate and LeanLayout."""

    def __init__(self, line: LeanLine) -> None:
        super().__init__()
        self._line = line

    def _lined(self) -> LeanLine:
        shadow = self._line.shadow
        if shadow.size != tuple(self.size):
            shadow.size = (self.size.width, self.size.height)
            shadow.forget()
        return self._line

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        update = super().render_full_update(simplify)
        if type(update) is not LayoutUpdate:
            return update
        lean = LeanLayout(update.strips, update.region)
        lean.line = self._lined()
        return lean

    def render_partial_update(self) -> ChopsUpdate | None:
        update = super().render_partial_update()
        if type(update) is not ChopsUpdate:
            return update
        lean = LeanUpdate(update.chops, update.spans, update.chop_ends)
        lean.line = self._lined()
        return lean


class Behind(Protocol):
    """How far a terminal lags behind. room: the most characters for one write."""

    @property
    def room(self) -> float: ...

    def ready(self) -> bool:
        """Whether it can take another frame."""


class HasLine(Protocol):
    """An app that tracks its terminal. shadow: what it shows; meter: how far it lags behind."""

    shadow: Shadow
    meter: Behind


class LeanLine:
    """Sends a screen's updates: only cells that differ, and no more than the terminal has room for."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._left_over: set[Region] = set()
        screen._compositor = LeanCompositor(self)

    @property
    def shadow(self) -> Shadow:
        """What the terminal shows."""
        return cast(HasLine, self._screen.app).shadow

    def written(self, console: Console, parts: Iterable[tuple[Region, Iterable[tuple[int, Strip]]]]) -> str:
        """The text to send for spans of rows, each with its strips and their columns.

        Spans for which there is no room are drawn once the terminal has caught up.
        """
        pen = Pen(system_of(console), self.shadow, cast(HasLine, self._screen.app).meter.room)
        left_over = []
        for region, strips in parts:
            if pen.room <= 0:
                left_over.append(region)
                continue
            for x, strip in strips:
                pen.write(x, region.y, strip)
        if left_over and not self._left_over:
            self._screen.set_timer(SOON, self._draw_left_over)
        self._left_over.update(left_over)
        return pen.text()

    def _draw_left_over(self) -> None:
        screen = self._screen
        if not cast(HasLine, screen.app).meter.ready():
            screen.set_timer(SOON, self._draw_left_over)
            return
        screen._compositor._dirty_regions.update(self._left_over)  # `refresh` would drop other pending regions
        self._left_over.clear()
        screen._compositor.update_widgets(screen._dirty_widgets)
        screen._compositor_refresh()


# ---- other private parts; each function copes with their absence


def strips_of(screen: Screen[Any]) -> list[Strip] | None:
    """The rows that a screen shows now; None if they are not available."""
    try:
        return screen._compositor.render_strips()
    except AttributeError:
        return None


def answered_to_nobody(screen: Screen[Any]) -> None:
    """Give a screen that was not pushed a result callback (None), because `switch_screen` removes one."""
    push = getattr(screen, "_push_result_callback", None)
    if push is not None:
        push(screen, None)


def wrap_file(driver: Any, wrap: Callable[[Any], Any]) -> None:
    """Wrap the file a driver writes to, if it has one; in tests there is none."""
    if getattr(driver, "_file", None) is not None:
        driver._file = wrap(driver._file)


def threads_of(driver: Any) -> tuple[Thread | None, Any]:
    """A driver's input thread and its writer thread, None where there is none."""
    return getattr(driver, "_key_thread", None), getattr(driver, "_writer_thread", None)


# ---- the base of all screens


Answer = TypeVar("Answer")


class BaseScreen(Screen[Answer]):
    """A screen with lean drawing where possible: it sends only what differs from what the terminal shows."""

    def __init__(self) -> None:
        super().__init__()
        self.line = None if why_plain() else LeanLine(self)
        self._under: Screen[Any] | None = None

    def on_mount(self) -> None:
        self.app.app_resume_signal.subscribe(self, lambda _: self._anew())

    def on_unmount(self) -> None:
        self.app.app_resume_signal.unsubscribe(self)  # else the signal would keep the screen and its town alive
        self._under = None

    def _anew(self) -> None:
        """Redraw everything, because something else has written to the terminal."""
        self._forget()
        self.refresh(layout=True)

    def _forget(self) -> None:
        if self.line is not None:
            self.line.shadow.forget()

    def on_resize(self, event: Resize) -> None:
        """Ignore a size that is not the terminal's any more.

        Textual reports each size to a screen twice; of two sizes in quick succession each would bring back the other,
        endlessly.
        """
        if event.size != self.app.size:
            event.prevent_default()
            event.stop()

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close the screen, only once: a second click must not close the screen beneath."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def on_screen_suspend(self) -> None:
        self._under = self.app.screen

    def on_screen_resume(self) -> None:
        if not isinstance(self._under, BaseScreen):  # a screen without a shadow has drawn meanwhile
            self._forget()
        self._under = None


# ---- the command palette


class Commands(CommandList):
    """The palette's list of commands."""

    def on_click(self, event: Click) -> None:
        option = event.style.meta.get("option")
        if option is not None and option >= self.option_count:  # the list has grown shorter since that row was drawn
            event.prevent_default()

    def action_page_down(self) -> None:
        with suppress(KeyError):  # before the list was ever laid out
            super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        with suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call]


class Palette(CommandPalette):
    """The palette. A second click outside it, made before the first was handled, closes nothing else."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield Commands() if type(widget) is CommandList else widget

    def on_mount(self, event: Mount) -> None:
        if self not in self.app.screen_stack[1:]:  # it was dismissed before it was mounted
            event.prevent_default()

    def on_click(self, event: Click) -> None:
        event.prevent_default()
        try:
            beside = self.get_widget_at(event.screen_x, event.screen_y)[0] is self
        except NoWidget:  # the terminal has shrunk and has no cell there any more
            beside = True
        if beside:
            self.workers.cancel_node(self)
            self.app.post_message(self.Closed(option_selected=False))
            self.dismiss()

    def run_worker(self, work: Any, *given: Any, **more: Any) -> Worker[Any]:
        """Run the search for commands; it ends quietly if the palette was closed before it began."""

        async def looked() -> None:
            with suppress(NoMatches):
                await work()

        return super().run_worker(looked, *given, **more)

    def set_timer(self, delay: float, callback: TimerCallback | None = None, **more: Any) -> Timer:
        """Call back later; a callback after the palette was closed is ignored."""

        def still() -> None:
            with suppress(NoMatches):
                callback() if callback is not None else None

        return super().set_timer(delay, still, **more)

    def dismiss(self, result: object = None) -> AwaitComplete:
        return super().dismiss() if self.is_active else AwaitComplete()


def open_palette(app: App[Any]) -> None:
    """Show the palette unless it is open."""
    if not CommandPalette.is_open(app):
        app.push_screen(Palette(id="--command-palette"))
