"""Sends fewer bytes for the same screen: only the cells that change, and only the parts of a style that differ.

Textual sends a changed row from the left edge of its widget, the whole screen when a class of it changes, and each run
of cells with its full style and a reset. On a slow line the number of bytes decides how soon the screen is up to date.
`textual_internals.py` uses this instead of the updates that Textual's compositor makes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import inf
from operator import itemgetter
from typing import TypeAlias

from rich.cells import get_character_cell_size
from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment
from rich.style import Style

from sandbox.tui.view.cells import JOIN, STYLES

NARROW = " ▀"  # most cells of the map
RESET = "\x1b[0m"
Codes: TypeAlias = tuple[str, str, str]  # attributes, foreground ("" = any: of blanks), background
Cell: TypeAlias = tuple[str, Codes]  # a character ("" = the right half of a wide one) and its style
PLAIN: Codes = ("", "39", "49")
MOVE, INK = 8, 24  # about how many characters move the cursor, and change to another style


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


def cells_of(strip: Iterable[Segment], system: ColorSystem) -> list[Cell]:
    """The cells of a strip."""
    out: list[Cell] = []
    for text, style, control in strip:
        if control:
            continue
        how = PLAIN if style is None else codes(style, system)
        if not how[0] and not text.strip(" "):
            how = ("", "", how[2])
        if len(text) == 1 and text in NARROW:
            out.append((text, how))
            continue
        if text.isascii() or not text.strip(NARROW):
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

    def put(self, x: int, y: int, cells: list[Cell]) -> list[int]:
        """Record cells from column x of row y; return the indices of those that differ."""
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
        return [i for i, cell in enumerate(cells) if cell != old[i]]


class Pen:
    """Collects changed cells by style, and writes them in the order that needs the fewest colours."""

    def __init__(self, system: ColorSystem, shadow: Shadow, room: float = inf) -> None:
        self.system = system
        self.room = room  # characters that may still be written, about
        self._shadow = shadow
        self._pieces: dict[Codes, list[tuple[int, int, str, int]]] = {}  # row, column, text, column after

    def write(self, x: int, y: int, strip: Iterable[Segment]) -> None:
        """Make row y from column x on show a strip."""
        cells = cells_of(strip, self.system)
        start, end, now = 0, 0, PLAIN  # of the piece so far
        for i in self._shadow.put(x, y, cells):
            char, wanted = cells[i]
            if end and i - end <= JOIN:  # a few cells of the same style between two changes are sent again
                same = wanted == now or (not (wanted[1] and now[1]) and wanted[::2] == now[::2])
                if same and (i <= end or all(how == now for _, how in cells[end:i])):
                    now = wanted if wanted[1] else now
                    end = i + 1
                    continue
            if end:
                self._add(now, y, x + start, cells[start:end])
            start = i if char or not i else i - 1  # a wide character is sent whole
            end, now = i + 1, wanted
        if end:
            self._add(now, y, x + start, cells[start:end])

    def _add(self, how: Codes, y: int, x: int, cells: list[Cell]) -> None:
        text = "".join([char for char, _ in cells])
        self.room -= MOVE + len(text) + (0 if how in self._pieces else INK)
        self._pieces.setdefault(how, []).append((y, x, text, x + len(cells)))

    def text(self) -> str:
        """The whole output to send."""
        out: list[str] = []
        now, row, column = PLAIN, -1, -1
        for wanted in trail(self._pieces):
            change = _change(now, wanted)
            now = (wanted[0], wanted[1] or (now[1] if wanted[0] == now[0] else PLAIN[1]), wanted[2])
            for y, x, text, after in self._pieces[wanted]:
                move = f"\x1b[{y + 1};{x + 1}H" if y != row else f"\x1b[{x + 1}G" if x != column else ""
                out.append(f"{move}{change}{text}")
                row, column, change = y, after, ""
        return "".join((*out, RESET)) if out else ""


def trail(styles: Iterable[Codes]) -> Iterator[Codes]:
    """The styles in an order in which nearly all share the attributes, and most a colour, with the one before."""
    left = dict.fromkeys(sorted(styles, key=itemgetter(0)))
    fronts: dict[tuple[str, ...], dict[Codes, None]] = defaultdict(dict)
    backs: dict[tuple[str, ...], dict[Codes, None]] = defaultdict(dict)
    for how in left:
        fronts[how[:2]][how] = backs[how[::2]][how] = None
    front, back = PLAIN[:2], PLAIN[::2]
    while left:
        how = next(iter(fronts[front] or backs[back] or left))
        del left[how], fronts[how[:2]][how], backs[how[::2]][how]
        front, back = (how[0], how[1] or front[1]), how[::2]
        yield how


def _change(now: Codes, wanted: Codes) -> str:
    """What makes the one style the other."""
    attributes, front, back = wanted
    if attributes != now[0]:
        return f"\x1b[{';'.join(part for part in ('0', *wanted) if part)}m"
    if not front or front == now[1]:
        return f"\x1b[{back}m" if back != now[2] else ""
    return f"\x1b[{front};{back}m" if back != now[2] else f"\x1b[{front}m"
