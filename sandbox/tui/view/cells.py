"""A screen of cells as arrays: drawing text, comparing two screens, rows as Rich segments; and text in cells."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len, chop_cells, get_character_cell_size
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from sandbox.core.text import clean

BOLD = 1 << 24  # added to a character's code
FOLLOWS = 1 << 25  # the right half of a wide character
Span: TypeAlias = tuple[int, int, int]  # row, first column, column after the last
Styler: TypeAlias = Callable[[int, int, bool], Style]
Kind = TypeVar("Kind", bound=np.generic)
JOIN = 6  # unchanged cells between two changes that are drawn again: cheaper than moving the cursor
STYLES = 16_384  # cache size: enough for several screens; each style takes about a kilobyte


@lru_cache(STYLES)
def _colour(value: int) -> Color:
    return Color.from_rgb(value >> 16, value >> 8 & 255, value & 255)


@lru_cache(STYLES)
def rgb_style(fg: int, bg: int, bold: bool) -> Style:
    """The style of two 0xRRGGBB colours."""
    return Style(color=_colour(fg), bgcolor=_colour(bg), bold=bold or None)


# Pairs of a sign and the ASCII sign that replaces it.
_PAIRS = (
    "─- │| ╭+ ╮+ ╰+ ╯+ ┌+ ┐+ └+ ┘+ ├+ ┤+ ┬+ ┴+ ┼+ ━= ┃| ═= ║| ╺= ╸= ▔- "
    "▁_ ▂. ▃: ▄- ▅= ▆+ ▇* █# ▀# ▌# ▐# ░: ▒# ▓# ▎| ▊| "
    "▶> ◀< ▲^ ▼v ■# □o ●o ○o •* ·. …~ “\" ”\" ‘' ’' «< »> ‹< ›> –- —- −- ×x ÷/ ←< →> ↑^ ↓v ♥* ♦* ✓v ✗x ⌂^ °'"
)
_LIKE = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}


class Box(NamedTuple):
    """A rectangle of cells or pixels: first column and row, width, height."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def overlap(self, other: Box) -> int:
        """How many cells two areas share."""
        wide = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        high = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(0, wide) * max(0, high)

    def shared(self, other: Box) -> Box:
        """The intersection of both; width or height is 0 if there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return Box(x, y, max(0, right - x), max(0, bottom - y))

    def within(self, other: Box | None = None) -> tuple[slice, slice]:
        """Slices (rows, columns) that select this box in an array of the cells of `other` (default: a box at 0, 0)."""
        left, top = (self.x - other.x, self.y - other.y) if other is not None else self[:2]
        return slice(top, top + self.height), slice(left, left + self.width)


class MapScale(NamedTuple):
    """How many tiles a cell is wide and high. Each of its two half blocks covers x by y pixels of the picture."""

    x: float
    y: float


NEAR = MapScale(1.0, 1.0)


def bounds(mask: npt.NDArray[Any]) -> Box:
    """The smallest box that holds all set cells of a 2-D mask; at least one must be set."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    top, left = int(rows[0]), int(columns[0])
    return Box(left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1)


def crop_to_view(cells: npt.NDArray[Kind], view: Box, beyond: int) -> npt.NDArray[Kind]:
    """The part of an array that the view covers; cells outside the array get the value `beyond`."""
    out = np.full((max(0, view.height), max(0, view.width)), beyond, cells.dtype)
    shared = view.shared(Box(0, 0, cells.shape[1], cells.shape[0]))
    out[shared.within(view)] = cells[shared.within()]
    return out


class Canvas:
    """height x width cells. code: 0 = half block (fg above, bg below), else a character, perhaps with BOLD.

    ascii_only: text is converted to ASCII before it is written.
    """

    def __init__(self, height: int, width: int, ascii_only: bool = False) -> None:
        self.ascii_only = ascii_only
        self.height, self.width = height, width
        self.code: npt.NDArray[np.int64] = np.zeros((height, width), np.int64)
        self.fg: npt.NDArray[np.uint32] = np.zeros((height, width), np.uint32)
        self.bg: npt.NDArray[np.uint32] = np.zeros((height, width), np.uint32)

    def write(self, x: int, y: int, text: str, fg: int, bg: int, bold: bool = False) -> None:
        """Write text from column x of row y. Text outside is cut; control and zero-width characters are dropped."""
        if not 0 <= y < self.height:
            return
        for char in to_ascii(text) if self.ascii_only else text:
            wide = get_character_cell_size(char) if char.isprintable() else 0
            if wide and x >= 0 and x + wide <= self.width:
                self._set(x, y, ord(char) | (BOLD if bold else 0), fg, bg)
                if wide == 2:
                    self._set(x + 1, y, FOLLOWS, fg, bg)
            elif wide == 2:
                for column in (x, x + 1):
                    if 0 <= column < self.width:
                        self._set(column, y, ord(" "), fg, bg)
            x += wide

    def _set(self, x: int, y: int, code: int, fg: int, bg: int) -> None:
        if code != FOLLOWS and self.code[y, x] == FOLLOWS and x:
            self.code[y, x - 1] = ord(" ")
        if code != FOLLOWS and x + 1 < self.width and self.code[y, x + 1] == FOLLOWS:
            self.code[y, x + 1] = ord(" ")
        self.code[y, x], self.fg[y, x], self.bg[y, x] = code, fg, bg

    def changed(self, before: Canvas) -> npt.NDArray[np.bool_]:
        """A mask of the cells that differ from those of another canvas of the same size."""
        out: npt.NDArray[np.bool_] = self.code != before.code
        out |= self.fg != before.fg
        out |= self.bg != before.bg
        return out


def spans_of(mask: npt.NDArray[np.bool_]) -> list[Span]:
    """The set cells as spans, row by row; spans whose nearest cells are at most JOIN columns apart are merged."""
    out: list[Span] = []
    for y in np.flatnonzero(mask.any(1)).tolist():
        columns = np.flatnonzero(mask[y])
        cuts = np.flatnonzero(np.diff(columns) > JOIN)
        starts = [int(columns[0]), *columns[cuts + 1].tolist()]
        ends = [*columns[cuts].tolist(), int(columns[-1])]
        out += [(y, a, b + 1) for a, b in zip(starts, ends, strict=True)]
    return out


class Inker:
    """Turns rows of a canvas into segments. Runs of half blocks of the same colours and length share one object."""

    LIMIT = 200_000  # cached segments; the cache is emptied beyond that

    def __init__(self, styler: Styler = rgb_style) -> None:
        self._styler = styler
        self._cache: dict[int, Segment] = {}

    def segments(self, canvas: Canvas, rows: Iterable[int]) -> list[list[Segment]]:
        """The segments of each of these rows; neighbouring cells of the same style form one segment."""
        chosen = np.fromiter(rows, np.intp)
        if not len(chosen) or not canvas.width:
            return [[] for _ in chosen]
        if len(self._cache) > self.LIMIT:
            self._cache.clear()
        code, width = canvas.code[chosen], canvas.width
        fg, bg = canvas.fg[chosen].astype(np.int64), canvas.bg[chosen].astype(np.int64)
        inked = code != 0
        weight = np.where(inked, 1 + ((code & BOLD) != 0), 0)
        follow = code == FOLLOWS
        weight[:, 1:] = np.where(follow[:, 1:], weight[:, :-1], weight[:, 1:])
        key = (weight << 48) | (fg << 24) | bg
        fresh = np.ones(key.shape, np.bool_)
        fresh[:, 1:] = key[:, 1:] != key[:, :-1]
        starts = np.flatnonzero(fresh)
        flat = key.ravel()[starts]
        lengths = np.diff(starts, append=fresh.size)
        joined = (flat | (lengths << 50)).tolist()
        out: list[list[Segment]] = []
        row: list[Segment] = []
        cache = self._cache
        heads = (starts % width == 0).tolist()
        texts = code.ravel()
        for i, (head, run) in enumerate(zip(heads, joined, strict=True)):
            if head:
                row = []
                out.append(row)
            if run >> 48 & 3:
                first = int(starts[i])
                row.append(self._text(run, texts[first : first + int(lengths[i])].tolist()))
                continue
            segment = cache.get(run)
            if segment is None:
                segment = cache[run] = self._blocks(run)
            row.append(segment)
        return out

    def _blocks(self, run: int) -> Segment:
        fg, bg, length = run >> 24 & 0xFFFFFF, run & 0xFFFFFF, run >> 50
        return Segment((" " if fg == bg else "▀") * length, self._styler(fg, bg, False))

    def _text(self, run: int, codes: list[int]) -> Segment:
        text = "".join(chr(c & (BOLD - 1)) for c in codes if c != FOLLOWS)
        return Segment(text, self._styler(run >> 24 & 0xFFFFFF, run & 0xFFFFFF, (run >> 48 & 3) == 2))


@lru_cache(8192)
def sign(char: str) -> str:
    """An ASCII replacement of a character, of the same width: accents dropped, unknown signs as question marks."""
    cells = get_character_cell_size(char)
    like = _LIKE.get(ord(char), char)
    if not like.isascii():
        bare = "".join(c for c in unicodedata.normalize("NFKD", like) if not unicodedata.combining(c))
        like = bare if bare.isascii() and bare.isprintable() else "?"
    return like[:cells].ljust(cells, "?" if like == "?" else " ")


def to_ascii(text: str) -> str:
    """Text in ASCII, of the same width in cells."""
    return "".join(map(sign, text))


def drop_joiners(text: str) -> str:
    """Text without U+200D: Rich takes it for an emoji joiner and would measure the two letters around it as one."""
    return text.replace("\u200d", "") if "\u200d" in text else text


def initial(text: str) -> str:
    """The first character of a name if it is one cell wide, else a question mark."""
    first = clean(text)[:1]
    return first if first and cell_len(first) == 1 else "?"


@lru_cache(4096)
def fit_text(text: str, cells: int) -> str:
    """Untrusted text cleaned and cut to a number of cells, with an ellipsis if something was cut off."""
    text = drop_joiners(clean(text))
    if cell_len(text) <= cells:
        return text
    return cut_to_cells(text, cells - 1).rstrip() + "…" if cells > 0 else ""


def cut_to_cells(text: str, cells: int) -> str:
    """The beginning of a text that fits into so many cells."""
    return chop_cells(text, cells)[0] if text and cells > 0 else ""


def fold_words(text: str, cells: int) -> list[str]:
    """Wrap text into lines of at most `cells` cells; a word longer than a line is broken."""
    out: list[str] = []
    for word in text.split():
        if out and cell_len(out[-1]) + 1 + cell_len(word) <= cells:
            out[-1] += " " + word
        else:
            out += chop_cells(word, cells) if cells > 0 else [word]
    return out
