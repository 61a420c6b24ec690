"""Fewer bytes for the same screen: only cells that change are sent, and of a style only what differs.

Textual sends a changed stretch from the left edge of its widget, a whole screen where a class of it changes, and each
run of cells with its whole style and a reset after it. On a slow line bytes are what the eye waits for.
`textual_internals.py` puts this in the place of the updates that Textual's compositor makes.
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

from sandbox.tui.view.cells import STYLES

RESET = "\x1b[0m"
JOIN = 6  # cells that are sent again rather than stepped over
Codes: TypeAlias = tuple[str, str, str]  # attributes, foreground, background
Cell: TypeAlias = tuple[str, Codes]  # a character ("" = the right half of a wide one) and how it is written
PLAIN: Codes = ("", "39", "49")


@lru_cache(STYLES)
def codes(style: Style, system: ColorSystem) -> Codes:
    """A style as SGR parameters."""
    plain = style.without_color.update_link(None)
    attributes = plain.render("x", color_system=system).partition("x")[0].removeprefix("\x1b[").removesuffix("m")
    front = ";".join(style.color.downgrade(system).get_ansi_codes()) if style.color else "39"
    back = ";".join(style.bgcolor.downgrade(system).get_ansi_codes(foreground=False)) if style.bgcolor else "49"
    return attributes, front, back


def system_of(console: Console) -> ColorSystem:
    """The colours a terminal can show."""
    return COLOR_SYSTEMS[console.color_system] if console.color_system is not None else ColorSystem.TRUECOLOR


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
