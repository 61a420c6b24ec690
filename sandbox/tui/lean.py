"""Fewer bytes for the same screen: only cells that change are sent, and of a style only what differs.

Textual sends a changed stretch from the left edge of its widget, a whole screen where a class of it changes, and each
run of cells with its whole style and a reset after it. On a slow line bytes are what the eye waits for. These take
the place of the updates that Textual's compositor makes; one of a kind not known here is left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from rich.cells import get_character_cell_size
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.await_complete import AwaitComplete
from textual.events import Resize
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

from sandbox.tui.render.cells import STYLES
from sandbox.tui.terminal import Meter

RESET = "\x1b[0m"
SOON = 0.03  # seconds until what was not sent is tried again
JOIN = 6  # cells that are sent again rather than stepped over
Codes: TypeAlias = tuple[str, str, str]  # attributes, foreground, background
Cell: TypeAlias = tuple[str, Codes]  # a character ("" = the right half of a wide one) and how it is written
Answer = TypeVar("Answer")
PLAIN: Codes = ("", "39", "49")


@lru_cache(STYLES)
def codes(style: Style, system: ColorSystem) -> Codes:
    """A style as SGR parameters."""
    plain = Style(
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        blink=style.blink,
        reverse=style.reverse,
        strike=style.strike,
    )
    attributes = plain._make_ansi_codes(system)
    front = ";".join(style.color.downgrade(system).get_ansi_codes()) if style.color else "39"
    back = ";".join(style.bgcolor.downgrade(system).get_ansi_codes(foreground=False)) if style.bgcolor else "49"
    return attributes, front, back


def cells_of(strip: Strip, system: ColorSystem) -> list[Cell]:
    """A strip cell by cell."""
    out: list[Cell] = []
    for text, style, control in strip:
        if control:
            continue
        how = PLAIN if style is None else codes(style, system)
        if text.isascii():
            out += [(char, how) for char in text]
            continue
        for char in text:
            size = get_character_cell_size(char)
            if size:
                out.append((char, how))
                if size == 2:
                    out.append(("", how))
            elif out:  # a sign without width belongs to the one before it
                out[-1] = (out[-1][0] + char, out[-1][1])
    return out


class Shadow:
    """What the terminal shows, as far as it is known: all that was sent since it was last cleared."""

    def __init__(self) -> None:
        self.size = (0, 0)
        self._rows: dict[int, list[Cell | None]] = {}

    def forget(self) -> None:
        """Nothing is known: somebody else wrote, or the size changed."""
        self._rows.clear()

    def put(self, x: int, y: int, cells: list[Cell]) -> list[tuple[int, int]]:
        """Cells from column x of row y are sent; the stretches (first, last + 1 in `cells`) that differ."""
        row = self._rows.get(y)
        if row is None:
            row = self._rows[y] = [None] * self.size[0]
        end = x + len(cells)
        if end > len(row):
            row += [None] * (end - len(row))
        old = row[x:end]
        if old == cells:
            return []
        row[x:end] = cells
        out: list[tuple[int, int]] = []
        for i, (a, b) in enumerate(zip(old, cells, strict=True)):
            if a is b or a == b:
                continue
            if out and i - out[-1][1] <= JOIN:
                out[-1] = (out[-1][0], i + 1)
            else:
                out.append((i, i + 1))
        return [(_whole(cells, first), last) for first, last in out]


def _whole(cells: list[Cell], at: int) -> int:
    """The same place, or the left half of the wide sign it is the right half of."""
    return at - 1 if at and cells[at][0] == "" else at


class Pen:
    """Writes cells, and remembers with which style the terminal writes now."""

    def __init__(self, system: ColorSystem, shadow: Shadow, room: float = inf) -> None:
        self.system = system
        self.out: list[str] = []
        self.room = room  # characters left
        self._shadow = shadow
        self._now = PLAIN

    def write(self, x: int, y: int, strip: Strip) -> None:
        """Bring a row's cells from column x on to what a strip says."""
        cells = cells_of(strip, self.system)
        before = len(self.out)
        append = self.out.append
        for first, last in self._shadow.put(x, y, cells):
            append(f"\x1b[{y + 1};{x + first + 1}H")
            for char, wanted in cells[first:last]:
                if wanted is not self._now and wanted != self._now:
                    append(self._change(wanted))
                    self._now = wanted
                append(char)
        self.room -= sum(map(len, self.out[before:]))

    def text(self) -> str:
        """All that is to be sent."""
        return "".join((*self.out, RESET)) if self.out else ""

    def _change(self, wanted: Codes) -> str:
        (attributes, front, back), (old_attributes, old_front, old_back) = wanted, self._now
        if attributes != old_attributes:
            return f"\x1b[{';'.join(part for part in ('0', attributes, front, back) if part)}m"
        parts = [new for new, old in ((front, old_front), (back, old_back)) if new != old]
        return f"\x1b[{';'.join(parts)}m"


class Line(Protocol):
    """What leads to the terminal. shadow: what it shows; room: characters one write should not exceed."""

    @property
    def shadow(self) -> Shadow: ...

    @property
    def room(self) -> float: ...

    def later(self, regions: Sequence[Region]) -> None:
        """Draw these regions again as soon as there is room: they were not sent."""
        ...


class LeanUpdate(ChopsUpdate):
    """Some stretches of rows, the shortest first."""

    line: Line

    def render_segments(self, console: Console) -> str:
        pen = Pen(console._color_system or ColorSystem.TRUECOLOR, self.line.shadow, self.line.room)
        left_over = []
        for y, first, last in sorted(self.spans, key=lambda span: span[2] - span[1]):
            if pen.room <= 0:
                left_over.append(Region(first, y, last - first, 1))
                continue
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is None or x >= last or end <= first:
                    continue
                left, right = max(x, first), min(end, last)
                pen.write(left, y, strip if (left, right) == (x, end) else strip.crop(left - x, right - x))
        if left_over:
            self.line.later(left_over)
        return pen.text()


class LeanLayout(LayoutUpdate):
    """The whole screen, what frames it first."""

    line: Line

    def render_segments(self, console: Console) -> str:
        pen = Pen(console._color_system or ColorSystem.TRUECOLOR, self.line.shadow, self.line.room)
        x, top, width, height = self.region
        rows = list(enumerate(self.strips, top))
        left_over = []
        for y, strips in (*rows[:1], *rows[-3:][::-1], *rows[1:-3]) if height > 4 else rows:
            if pen.room <= 0:
                left_over.append(Region(x, y, width, 1))
            else:
                pen.write(x, y, Strip.join(strips))
        if left_over:
            self.line.later(left_over)
        return pen.text()


class LeanCompositor(Compositor):
    """A compositor whose updates are lean."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def _lined(self) -> Line:
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


class HasLine(Protocol):
    """An app that knows its terminal. shadow: what it shows; meter: how far it is behind."""

    shadow: Shadow
    meter: Meter


class LeanScreen(Screen[Answer]):
    """A screen whose updates are lean: the line of its own compositor."""

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name, id, classes)
        self._compositor = LeanCompositor(self)
        self._under: Screen[Any] | None = None
        self._left_over: set[Region] = set()

    @property
    def shadow(self) -> Shadow:
        """What the terminal shows."""
        return cast(HasLine, self.app).shadow

    @property
    def room(self) -> float:
        """Characters one write should not exceed."""
        return cast(HasLine, self.app).meter.room

    def later(self, regions: Sequence[Region]) -> None:
        """Draw these regions again as soon as the terminal has taken in what was sent."""
        if not self._left_over:
            self.set_timer(SOON, self._draw_left_over)
        self._left_over.update(regions)

    def _draw_left_over(self) -> None:
        if not cast(HasLine, self.app).meter.ready():
            self.set_timer(SOON, self._draw_left_over)
            return
        self._compositor._dirty_regions.update(self._left_over)  # `refresh` would forget what else is to be drawn
        self._left_over.clear()
        self._compositor.update_widgets(self._dirty_widgets)
        self._compositor_refresh()

    def on_mount(self) -> None:
        self.app.app_resume_signal.subscribe(self, lambda _: self._anew())

    def on_unmount(self) -> None:
        self.app.app_resume_signal.unsubscribe(self)  # else it would be kept, and its town with it
        self._under = None

    def _anew(self) -> None:
        self.shadow.forget()
        self.refresh(layout=True)

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
        if not isinstance(self._under, LeanScreen):  # it has written over what is known
            self.shadow.forget()
        self._under = None
