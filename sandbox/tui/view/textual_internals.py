"""What is used of Textual beneath its public face. This module alone touches it, and says whether it is as expected.

`why_plain` looks at it anew for each screen; where something is missing or another than it was, or
SANDBOX_DRAWING=plain is set, Textual draws by itself: the same cells, in more bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from inspect import Parameter, signature
from threading import Thread
from typing import Any, Protocol, TypeVar, cast

from rich.console import Console
from textual.await_complete import AwaitComplete
from textual.events import Resize
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

from sandbox.tui.view.diff_writer import Pen, Shadow, system_of

try:
    from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
except ImportError:  # `faults` says so, and nothing made of them is used
    ChopsUpdate = Compositor = LayoutUpdate = object  # type: ignore[misc,assignment]

DRAWING = "SANDBOX_DRAWING"
PLAIN = "plain"  # its value for drawing by Textual's own means
SOON = 0.03  # seconds until what was not sent is tried again


# ---- whether it is as expected


def _takes(owner: object, name: str, *wanted: str) -> bool:
    """Whether a method can be called with these and nothing else."""
    named = list(signature(getattr(owner, name)).parameters.values())
    named = named[1:] if named and named[0].name == "self" else named
    return [p.name for p in named if p.kind is Parameter.POSITIONAL_OR_KEYWORD] == [*wanted]


# What is relied on, and whether it is there.
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
    """The parts that are missing, or other than expected."""
    for name, there in PARTS:
        try:
            found = there()
        except (AttributeError, TypeError, ValueError):
            found = False
        if not found:
            yield name


def why_plain() -> str:
    """Why Textual draws by itself; "" if only what differs is sent."""
    if os.environ.get(DRAWING) == PLAIN:
        return f"{DRAWING}={PLAIN} is set"
    missing = ", ".join(faults())
    return f"Textual {version('textual')} has other inner parts than expected: {missing}" if missing else ""


# ---- lean drawing


class LeanUpdate(ChopsUpdate):
    """Some stretches of rows, the shortest first."""

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
    """The whole screen, what frames it first."""

    line: LeanLine

    def render_segments(self, console: Console) -> str:
        x, top, width, height = self.region
        rows = list(enumerate(self.strips, top))
        ordered = [*rows[:1], *rows[-3:][::-1], *rows[1:-3]] if height > 4 else rows
        parts = ((Region(x, y, width, 1), [(x, Strip.join(strips))]) for y, strips in ordered)
        return self.line.written(console, parts)


class LeanCompositor(Compositor):
    """A compositor whose updates are lean."""

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
    """How far a terminal is behind. room: characters one write should not exceed."""

    @property
    def room(self) -> float: ...

    def ready(self) -> bool:
        """Whether it can take another frame."""


class HasLine(Protocol):
    """An app that knows its terminal. shadow: what it shows; meter: how far it is behind."""

    shadow: Shadow
    meter: Behind


class LeanLine:
    """The line that a screen's updates go by, made lean: only cells that differ, and no more than there is room for."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._left_over: set[Region] = set()
        screen._compositor = LeanCompositor(self)

    @property
    def shadow(self) -> Shadow:
        """What the terminal shows."""
        return cast(HasLine, self._screen.app).shadow

    def written(self, console: Console, parts: Iterable[tuple[Region, Iterable[tuple[int, Strip]]]]) -> str:
        """What to send for stretches of rows, each with its strips and their columns.

        Those for which there is no room are drawn as soon as the terminal has taken in what was sent.
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
        screen._compositor._dirty_regions.update(self._left_over)  # `refresh` would forget what else is to be drawn
        self._left_over.clear()
        screen._compositor.update_widgets(screen._dirty_widgets)
        screen._compositor_refresh()


# ---- what else is beneath: each does without where it is not there


def strips_of(screen: Screen[Any]) -> list[Strip] | None:
    """The rows that a screen shows now; None if they cannot be had."""
    try:
        return screen._compositor.render_strips()
    except AttributeError:
        return None


def answered_to_nobody(screen: Screen[Any]) -> None:
    """Make a screen that is not pushed, the first, as any other: `switch_screen` takes away whom it answers to."""
    push = getattr(screen, "_push_result_callback", None)
    if push is not None:
        push(screen, None)


def wrap_file(driver: Any, wrap: Callable[[Any], Any]) -> None:
    """Put something between a driver and the file it writes to, if it has one: in tests there is none."""
    if getattr(driver, "_file", None) is not None:
        driver._file = wrap(driver._file)


def threads_of(driver: Any) -> tuple[Thread | None, Any]:
    """The thread of a driver that listens, and the one that writes, which can be told to stop; None = no such."""
    return getattr(driver, "_key_thread", None), getattr(driver, "_writer_thread", None)


# ---- what all our screens have in common


Answer = TypeVar("Answer")


class BaseScreen(Screen[Answer]):
    """A screen that sends only what differs from what the terminal shows, if that can be done."""

    def __init__(self) -> None:
        super().__init__()
        self.line = None if why_plain() else LeanLine(self)
        self._under: Screen[Any] | None = None

    def on_mount(self) -> None:
        self.app.app_resume_signal.subscribe(self, lambda _: self._anew())

    def on_unmount(self) -> None:
        self.app.app_resume_signal.unsubscribe(self)  # else it would be kept, and its town with it
        self._under = None

    def _anew(self) -> None:
        """Somebody else has written on the terminal."""
        self._forget()
        self.refresh(layout=True)

    def _forget(self) -> None:
        if self.line is not None:
            self.line.shadow.forget()

    def on_resize(self, event: Resize) -> None:
        """A size that is not the terminal's any more is passed over.

        Textual tells a screen of each size twice; of two sizes in quick succession each would bring back the other,
        without end.
        """
        if event.size != self.app.size:
            event.prevent_default()
            event.stop()

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close it, once: a second click must not close what lies beneath."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def on_screen_suspend(self) -> None:
        self._under = self.app.screen

    def on_screen_resume(self) -> None:
        if not isinstance(self._under, BaseScreen):  # it has written over what is known
            self._forget()
        self._under = None
