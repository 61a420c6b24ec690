"""Draws the graph of ties: people as chips in the colour of their community, ties as lines of dots. Pure functions.

The half of a line nearer to a person shows what they feel: solid for liking, dashed for dislike; the stronger, the
brighter and wider.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len

from sandbox.tui.map.letters import (
    BLACK,
    BLUE,
    BRIGHT,
    CYAN,
    GREEN,
    MAGENTA,
    RED,
    WHITE,
    YELLOW,
    ansi_style,
    paper_style,
)
from sandbox.tui.theme.colours import mix
from sandbox.tui.view.cells import Box, Canvas, Styler, fit_text, rgb_style
from sandbox.tui.view.text_lines import luminance

STEPS = 12  # shades of a tie; few, so that there are few styles
FAINT, STRONG = 0.22, 1.0  # mix of colour with the background: for the weakest tie and the strongest
DIMMED = 0.3  # factor on that for ties outside the circle looked at
LONER = -1  # community number of a person without one

# By palette: (good tie, bad tie), on dark and on light; chips of communities by number.
GOOD_BAD = {"default": (0x4FE0A4, 0xFF6A52), "colour-blind": (0x56B4E9, 0xD55E00), "grey": (0xF2F2F2, 0xB8B8B8)}
PAPER_GOOD_BAD = {"default": (0x0F7A52, 0xB83222), "colour-blind": (0x0072B2, 0xA84300), "grey": (0x1C1C1C, 0x505050)}
CHIPS = {
    "default": (0xFFD54A, 0x5AA8FF, 0xFF8AB8, 0x7FD6A6, 0xC7A2FF, 0xF0A35E, 0x7ADFF0, 0xD6D08A),
    "colour-blind": (0xF0E442, 0x56B4E9, 0xCC79A7, 0x33B58F, 0xE69F00, 0x9FB8D9, 0xD0D0D0, 0xB9A46A),
    "grey": (0xEDEDED, 0xC9C9C9, 0xA9A9A9, 0xDADADA, 0x8E8E8E, 0xB9B9B9, 0x9C9C9C, 0xD2D2D2),
}
ALONE = {True: 0x8A93A5, False: 0xA9A394}  # the chip of a person without a community; key: dark theme
INKS = (BRIGHT + YELLOW, BRIGHT + CYAN, BRIGHT + MAGENTA, GREEN, BRIGHT + BLUE, YELLOW, CYAN, MAGENTA)
GREYS = (BRIGHT + WHITE, WHITE)


class GraphLook(NamedTuple):
    """The look of a picture of ties. glyphs: pictures, letters or ascii. ground, text, soft, bright: colours of the
    pane. named: whether chips show community numbers, because colours do not tell them apart.
    """

    palette: str
    glyphs: str
    dark: bool
    ground: int
    text: int
    soft: int
    bright: int
    named: bool

    @property
    def dots(self) -> bool:
        """Whether ties are drawn as Braille dots, not as characters."""
        return self.glyphs == "pictures"

    @property
    def styler(self) -> Styler:
        """The function that makes a style of two colours of this look."""
        return rgb_style if self.dots else ansi_style if self.dark else paper_style

    def tie(self, weight: float, dim: bool) -> int:
        """The colour of a tie of a weight in [-1, 1]: the stronger the brighter. dim: outside the circle looked at."""
        return _tie(self, round(max(-1.0, min(1.0, weight)) * STEPS), dim)

    def chip(self, community: int, dim: bool = False) -> tuple[int, int]:
        """Text colour and background of a chip by its community."""
        if not self.dots:
            colours: Sequence[int] = GREYS if self.palette == "grey" else INKS
            at = BRIGHT + BLACK if dim else WHITE if community == LONER else colours[community % len(colours)]
            return (at, BLACK) if dim else (BLACK, at)
        colours = CHIPS[self.palette]
        ground = ALONE[self.dark] if community == LONER else colours[community % len(colours)]
        if dim:
            return mix(self.ground, ground, 0.55), mix(self.ground, ground, 0.12)
        return (0x14161C if luminance(ground) > 0.2 else 0xF6F4EE), ground

    @property
    def chosen(self) -> tuple[int, int]:
        """Text colour and background of the chosen person's chip."""
        if not self.dots:
            return BLACK, BRIGHT + WHITE
        return (0x0B0D12, 0xFFFFFF) if self.dark else (0xFFFFFF, 0x16181E)


@lru_cache(1024)
def _tie(look: GraphLook, level: int, dim: bool) -> int:
    strength = abs(level) / STEPS
    if not look.dots:
        if dim or strength < 0.3:
            return BRIGHT + BLACK
        if look.palette == "grey":
            return BRIGHT + WHITE if level >= 0 else WHITE
        good, bad = (CYAN, YELLOW) if look.palette == "colour-blind" else (GREEN, RED)
        return (good if level >= 0 else bad) + (BRIGHT if strength > 0.6 else 0)
    good, bad = (GOOD_BAD if look.dark else PAPER_GOOD_BAD)[look.palette]
    share = FAINT + (STRONG - FAINT) * strength**1.2
    return mix(look.ground, good if level >= 0 else bad, share * (DIMMED if dim else 1.0))


# ground, text, soft and bright among the sixteen colours; on a light screen `paper_style` swaps them itself.
LETTERS_GROUND = (BLACK, WHITE, WHITE, BRIGHT + WHITE)

WIDE = 0.7  # weight above which a line is two dots wide
LOW = 18  # rows of the picture below which no line is wide
DASH, GAP = 4, 3  # dots of a dash, and of the gap after it
NAME = 10  # cells of a name
BITS = np.array([[1, 8], [2, 16], [4, 32], [64, 128]], np.int64)  # of a Braille sign's dots, 4 rows x 2 columns
BRAILLE = 0x2800
PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73)  # shares of a line's length at which a mark is tried, in that order
Points = npt.NDArray[np.float64]


class Node(NamedTuple):
    """A chip. name: untrusted text; community: its number, LONER for none. other: the other end of the chosen tie."""

    id: str
    name: str
    community: int = LONER
    chosen: bool = False
    dim: bool = False
    other: bool = False


class GraphLine(NamedTuple):
    """A tie between nodes a and b (indices). there, back: weight of a's half and of b's, in [-1, 1], 0 for none. marks:
    signs of the claims between them. chosen: the chosen tie. labels: texts for its two halves.
    """

    a: int
    b: int
    there: float
    back: float
    dim: bool = False
    chosen: bool = False
    marks: str = ""
    labels: tuple[str, str] = ("", "")


class GraphPicture(NamedTuple):
    """The cells, and the area of each person's chip, for the mouse."""

    canvas: Canvas
    chips: dict[str, Box]


def chip_label(node: Node, look: GraphLook) -> str:
    """The text of a chip; that of the chosen person is in brackets."""
    name = fit_text(node.name, NAME) or "?"
    number = f" {node.community + 1}" if look.named and node.community != LONER else ""
    left, right = ("[", "]") if node.chosen else ("<", ">") if node.other else (" ", " ")
    return f"{left}{name}{number}{right}"


def sizes(nodes: Sequence[Node], look: GraphLook) -> npt.NDArray[np.int64]:
    """The width of each chip in cells."""
    return np.array([cell_len(chip_label(node, look)) for node in nodes], np.int64)


def draw_graph(
    nodes: Sequence[Node], lines: Sequence[GraphLine], at: Points, width: int, height: int, look: GraphLook
) -> GraphPicture:
    """Draw the graph. at: the middle of each chip, in cells."""
    canvas = Canvas(height, width, look.glyphs == "ascii")
    canvas.code[:], canvas.fg[:], canvas.bg[:] = ord(" "), look.ground, look.ground
    order = sorted(range(len(lines)), key=lambda i: (lines[i].chosen, not lines[i].dim, _strength(lines[i])))
    _strokes(canvas, [lines[i] for i in order], at, look)
    chips = _places(nodes, at, width, height, look)
    taken = np.zeros((height, width), np.bool_)
    for area in chips.values():
        taken[area.within()] = True
    for node in nodes:
        area = chips[node.id]
        for x in (area.x - 1, area.x + area.width):  # a gap, so that a line that only passes does not touch it
            if 0 <= x < width and not taken[area.y, x]:
                canvas.code[area.y, x] = ord(" ")
        ink, ground = look.chosen if node.chosen else look.chip(node.community, node.dim)
        canvas.write(area.x, area.y, chip_label(node, look), ink, ground, bold=not node.dim)
    for i in reversed(order):
        _signs(canvas, lines[i], at, look, taken)
    return GraphPicture(canvas, chips)


def _strength(line: GraphLine) -> float:
    return max(abs(line.there), abs(line.back))


def _places(nodes: Sequence[Node], at: Points, width: int, height: int, look: GraphLook) -> dict[str, Box]:
    out = {}
    for node, (x, y) in zip(nodes, at.tolist(), strict=True):
        wide = cell_len(chip_label(node, look))
        left, top = round(x - wide / 2), int(y)
        out[node.id] = Box(max(0, min(width - wide, left)), max(0, min(height - 1, top)), wide, 1)
    return out


def _strokes(canvas: Canvas, lines: Sequence[GraphLine], at: Points, look: GraphLook) -> None:
    """Draw all lines at once, the last on top. All dots go into one bitmap, so that crossing lines share cells."""
    if not lines or not canvas.width or not canvas.height:
        return
    dots = look.dots
    per_x, per_y = (2, 4) if dots else (1, 1)
    a, b = np.array([line.a for line in lines]), np.array([line.b for line in lines])
    x0, y0, x1, y1 = at[a, 0] * per_x, at[a, 1] * per_y, at[b, 0] * per_x, at[b, 1] * per_y
    counts = np.maximum(np.abs(x1 - x0), np.abs(y1 - y0)).astype(np.int64) + 1
    of = np.repeat(np.arange(len(lines)), counts)
    along = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    share = along / np.maximum(counts - 1, 1)[of]
    xs, ys = x0[of] + (x1 - x0)[of] * share, y0[of] + (y1 - y0)[of] * share
    near = share < 0.5
    there, back = np.array([line.there for line in lines]), np.array([line.back for line in lines])
    weight = np.where(near, there[of], back[of])
    from_end = np.where(near, along, counts[of] - 1 - along)
    dash, gap = (DASH, GAP) if dots else (1, 1)
    drawn = (weight > 0.0) | ((weight < 0.0) & (from_end % (dash + gap) < dash))
    inks = np.array([[look.tie(w, line.dim) for w in (line.there, line.back)] for line in lines], np.uint32)
    ink = np.where(near, inks[of, 0], inks[of, 1])
    steep = (np.abs(y1 - y0) > np.abs(x1 - x0))[of]
    columns, rows = np.floor(xs).astype(np.int64), np.floor(ys).astype(np.int64)
    if dots:
        wide = drawn & (np.abs(weight) > WIDE) & (canvas.height >= LOW)
        columns = np.concatenate((columns[drawn], columns[wide] + steep[wide]))
        rows = np.concatenate((rows[drawn], rows[wide] + ~steep[wide]))
        ink, of = np.concatenate((ink[drawn], ink[wide])), np.concatenate((of[drawn], of[wide]))
        order = np.argsort(of, kind="stable")
        columns, rows, ink = columns[order], rows[order], ink[order]
    else:
        columns, rows, ink, of, weight = columns[drawn], rows[drawn], ink[drawn], of[drawn], weight[drawn]
    inside = (columns >= 0) & (columns < canvas.width * per_x) & (rows >= 0) & (rows < canvas.height * per_y)
    columns, rows, ink = columns[inside], rows[inside], ink[inside]
    if dots:
        bitmap = np.zeros((canvas.height * 4, canvas.width * 2), np.bool_)
        bitmap[rows, columns] = True
        code = (bitmap.reshape(canvas.height, 4, canvas.width, 2) * BITS[None, :, None, :]).sum((1, 3))
        canvas.code[:] = np.where(code, BRAILLE + code, ord(" "))
    else:
        signs = _slopes(x1 - x0, y1 - y0, look.glyphs == "ascii")
        canvas.code[rows, columns] = signs[(np.abs(weight[inside]) > WIDE).astype(np.int64), of[inside]]
    canvas.fg[rows // per_y, columns // per_x] = ink


def _slopes(dx: Points, dy: Points, ascii_only: bool) -> npt.NDArray[np.int64]:
    """For each line the characters it is drawn with without dots: row 0 the usual ones, row 1 those of strong ties."""
    flat, high = np.abs(dx) > 3.0 * np.abs(dy), np.abs(dy) > 1.2 * np.abs(dx)
    falls = np.where(dx * dy > 0, ord("\\"), ord("/"))
    usual, strong = (("-", "|"), ("=", "H")) if ascii_only else (("─", "│"), ("═", "║"))
    return np.array([np.where(flat, ord(f), np.where(high, ord(h), falls)) for f, h in (usual, strong)])


def _signs(canvas: Canvas, line: GraphLine, at: Points, look: GraphLook, taken: npt.NDArray[np.bool_]) -> None:
    """Write a line's marks near its middle and its labels on its halves, where the cells are free."""
    (x0, y0), (x1, y1) = at[line.a].tolist(), at[line.b].tolist()
    ends = zip(line.labels, (0.3, 0.7), strict=True)
    said = [(text, (share, share - 0.06, share + 0.06, 0.5)) for text, share in ends]
    for text, places in [*said, (line.marks, PLACES)]:
        own = text != line.marks
        wide = cell_len(text)
        for share in places if text else ():
            x, y = round(x0 + (x1 - x0) * share - wide / 2), int(y0 + (y1 - y0) * share)
            if not (0 <= y < canvas.height and x >= 0 and x + wide <= canvas.width):
                continue
            spot = Box(x, y, wide, 1).within()
            if taken[spot].any():
                continue
            taken[spot] = True
            canvas.write(x, y, text, look.bright if own or line.chosen else look.soft, look.ground, bold=own)
            break
