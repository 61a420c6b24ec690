"""Sends fewer bytes for the same screen: only the cells that change, and only the parts of a style that differ.

Textual sends a changed row from the left edge of its widget, the whole screen when a class of it changes, and each run
of cells with its full style and a reset. On a slow line the number of bytes decides how soon the screen is up to date.
`textual_internals.py` uses this instead of the updates that Textual's compositor makes.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import TypeAlias

from rich.cells import get_character_cell_size
from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.style import Style
from textual.strip import Strip

from sandbox.tui.view.cells import JOIN, STYLES

RESET = "\x1b[0m"
Codes: TypeAlias = tuple[str, str, str]  # attributes, foreground, background
Cell: TypeAlias = tuple[str, Codes]  # a character ("" = the right half of a wide one) and its style
PLAIN: Codes = ("", "39", "49")


@lru_cache(STYLES)
def codes(style: Style, system: ColorSystem) -> Codes:
    """A style as SGR parameters: attributes, foreground, background."""
    plain = style.without_color.update_link(None)
    attributes = plain.render("x", color_system=system).partition("x")[0].removeprefix("\x1b[").removesuffix("m")
    front = ";".join(style.color.downgrade(system).get_ansi_codes()) if style.color else "39"
    back = ";".join(style.bgcolor.downgrade(system).get_ansi_codes(foreground=False)) if style.bgcolor else "49"
    return attributes, front, back


def system_of(console: Console) -> ColorSystem:
    """The colour system of a terminal; true colour if none was detected."""
    return COLOR_SYSTEMS[console.color_system] if console.color_system is not None else ColorSystem.TRUECOLOR


def cells_of(strip: Strip, system: ColorSystem) -> list[Cell]:
    """The cells of a strip."""
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
            elif out:  # a zero-width character belongs to the one before it
                out[-1] = (out[-1][0] + char, out[-1][1])
    return out


class Shadow:
    """What the terminal shows, as far as it is known: all cells sent since the last `forget`."""

    def __init__(self) -> None:
        self.size = (0, 0)
        self._rows: dict[int, list[Cell | None]] = {}

    def forget(self) -> None:
        """Forget all cells, because something else wrote to the terminal or its size changed."""
        self._rows.clear()

    def put(self, x: int, y: int, cells: list[Cell]) -> list[tuple[int, int]]:
        """Record cells from column x of row y; return the ranges (first, last + 1 in `cells`) that differ."""
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
    """The index `at`, or that of the left half if `at` is the right half of a wide character."""
    return at - 1 if at and cells[at][0] == "" else at


class Pen:
    """Collects the output for changed cells and keeps track of the terminal's current style."""

    def __init__(self, system: ColorSystem, shadow: Shadow, room: float = inf) -> None:
        self.system = system
        self.out: list[str] = []
        self.room = room  # characters that may still be written
        self._shadow = shadow
        self._now = PLAIN

    def write(self, x: int, y: int, strip: Strip) -> None:
        """Make row y from column x on show a strip."""
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
        """The whole output to send."""
        return "".join((*self.out, RESET)) if self.out else ""

    def _change(self, wanted: Codes) -> str:
        (attributes, front, back), (old_attributes, old_front, old_back) = wanted, self._now
        if attributes != old_attributes:
            return f"\x1b[{';'.join(part for part in ('0', attributes, front, back) if part)}m"
        parts = [new for new, old in ((front, old_front), (back, old_back)) if new != old]
        return f"\x1b[{';'.join(parts)}m"
