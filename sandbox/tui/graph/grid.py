"""The grid (matrix) of ties: the cell in a person's row and another's column is how the first is tied to the second.
Sorted by community, so that communities appear as squares. Pure functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rich.cells import cell_len

from sandbox.people.ties import Matrix
from sandbox.tui.graph.draw import LONER, STRONG, GraphLook
from sandbox.tui.graph.model import TownTies
from sandbox.tui.view.cells import Canvas, fit_text

NAME = 9  # cells of the column of names
HEADS = 4  # rows of letters above the columns
GOOD, BAD = (" ", "·", "+", "#"), (" ", "-", "=", "%")  # signs without dots, weakest first
LINED = (" ", "-", "-", "=")  # signs on a background of the tie's colour, for dislikes only
LEVELS = (0.08, 0.3, 0.6)  # least weights of the signs


class Grid(NamedTuple):
    """order: people as sorted; top: people above the first row; each: people of a cell; left, head: its first cell."""

    canvas: Canvas
    order: tuple[str, ...]
    top: int
    each: int
    left: int
    wide: int
    head: int


def sorted_people(ties: TownTies, groups: Mapping[str, int]) -> tuple[str, ...]:
    """People by community (largest first), in it by total weight of ties (most first); those without one last."""
    strength = np.abs(ties.weights())
    of = dict(zip(ties.people, (strength.sum(0) + strength.sum(1)).round(6).tolist(), strict=True))
    size = {number: sum(g == number for g in groups.values()) for number in set(groups.values())}

    def key(who: str) -> tuple[object, ...]:
        number = groups.get(who, LONER)
        return (number == LONER, -size.get(number, 0), number, -of[who], who)

    return tuple(sorted(ties.people, key=key))


def blocks(weights: Matrix, each: int) -> Matrix:
    """The matrix in blocks of `each` x `each` people: the mean of a block's non-zero weights, 0 if there are none."""
    if each == 1:
        return weights
    n = -(-len(weights) // each)
    padded = np.zeros((n * each, n * each))
    padded[: len(weights), : len(weights)] = weights
    parts = padded.reshape(n, each, n, each)
    some = (parts != 0.0).sum((1, 3))
    return np.asarray(parts.sum((1, 3)) / np.maximum(some, 1))


def grid(
    ties: TownTies,
    names: Mapping[str, str],
    groups: Mapping[str, int],
    who: str,
    other: str,
    width: int,
    height: int,
    look: GraphLook,
) -> Grid:
    """Draw the grid. who: the person of the chosen row; other: that of the chosen column, "" for none."""
    order = sorted_people(ties, groups)
    at = [ties.at[one] for one in order]
    weights = ties.weights()[np.ix_(at, at)]
    n, room = len(order), max(4, width - NAME - 2)
    wide = 2 if 2 * n <= room else 1
    each = max(1, -(-n * wide // room))
    cells = blocks(weights, each)
    letters = HEADS if height >= n + HEADS else 2  # letters of each name above its column
    head = letters if each == 1 and height > 2 * HEADS else 0
    coloured = look.dots and look.palette != "grey"  # otherwise signs must tell likes from dislikes
    half = each > 1 and coloured and len(cells) > height - head  # two rows of people in a row of cells
    canvas = Canvas(height, width, look.glyphs == "ascii")
    canvas.code[:], canvas.fg[:], canvas.bg[:] = ord(" "), look.ground, look.ground
    rows = height - head
    places = {one: i // each for i, one in enumerate(order)}
    here, there = places.get(who, 0), places.get(other, -1)
    per = 2 if half else 1
    top = max(0, min(here - rows * per // 2, len(cells) - rows * per))
    pen = _GridPen(canvas, look, names, groups, wide)
    if head:
        pen.heads(order, other, head)
    for row in range(min(rows, -(-(len(cells) - top) // per))):
        i = top + row * per
        pen.name(head + row, order[i * each], here in range(i, i + per), each * per)
        if half:
            pen.half_cells(head + row, cells[i : i + 2])
        else:
            pen.cells(head + row, cells[i], i, there if here == i else None)
    return Grid(canvas, order, top * each, each * per, NAME + 1, wide, head)


class _GridPen:
    """Draws the parts of a grid. wide: cells of a column."""

    def __init__(
        self, canvas: Canvas, look: GraphLook, names: Mapping[str, str], groups: Mapping[str, int], wide: int
    ) -> None:
        self.canvas, self.look, self.names, self.groups, self.wide = canvas, look, names, groups, wide

    def name(self, y: int, first: str, chosen: bool, many: int) -> None:
        """Write the name of the first of `many` people before their row."""
        ink, ground = self.look.chosen if chosen else self.look.chip(self.groups.get(first, LONER))
        more = f"+{many - 1}" if many > 1 else ""
        text = fit_text(self.names[first], NAME - 1 - len(more)) + more
        pad = " " * max(0, NAME - 1 - cell_len(text))
        self.canvas.write(0, y, f"{'>' if chosen else ' '}{text}{pad}", ink, ground, bold=chosen)

    def heads(self, order: Sequence[str], other: str, rows: int) -> None:
        """Write the first letters of each name above its column, downwards."""
        for i, who in enumerate(order):
            letters = [c for c in fit_text(self.names[who], NAME) if cell_len(c) == 1][:rows]
            _, ground = self.look.chip(self.groups.get(who, LONER))
            x, ink = NAME + 1 + i * self.wide, self.look.bright if who == other else ground
            for y, letter in enumerate(letters, rows - len(letters)):
                self.canvas.write(x, y, letter, ink, self.look.ground, bold=who == other)

    def half_cells(self, y: int, pair: Matrix) -> None:
        """Draw one or two rows of the matrix in a row of half blocks."""
        for x, column in enumerate(pair.T[: self.canvas.width - NAME - 1].tolist(), NAME + 1):
            self.canvas.code[y, x] = 0
            self.canvas.fg[y, x] = self._colour(column[0])
            self.canvas.bg[y, x] = self._colour(column[1] if len(column) > 1 else 0.0)

    def cells(self, y: int, row: Matrix, i: int, there: int | None) -> None:
        """Draw row i of the matrix. there: the chosen column, -1 for none, if it is the chosen row, else None."""
        canvas, look, wide = self.canvas, self.look, self.wide
        for j, value in enumerate(row.tolist()):
            x = NAME + 1 + j * wide
            if x + wide > canvas.width:
                break
            level = sum(abs(value) >= least for least in LEVELS)
            sign = (GOOD if value >= 0.0 else BAD)[level]
            own, chosen = i == j and wide == 2, there == j
            text = ("\\" if own else sign) * wide
            colour, faint = self._colour(value), look.tie(0.0, False)
            if chosen:
                canvas.write(x, y, f"{sign}<" if wide == 2 else sign, *look.chosen, bold=True)
            elif level and look.dots:
                canvas.write(x, y, LINED[level] * wide if value < 0.0 and not own else " " * wide, look.ground, colour)
            else:
                canvas.write(x, y, text, colour if level else faint, look.ground, bold=level > 1)
            if there is not None and not level and not own and not chosen:
                canvas.write(x, y, "·" * wide, faint, look.ground)

    def _colour(self, value: float) -> int:
        return self.look.ground if abs(value) < LEVELS[0] else self.look.tie(value * STRONG, False)


def person_at(found: Grid, x: int, y: int) -> tuple[str, str]:
    """Whose row and whose column are at a cell of the picture, each "" if none is."""
    row = found.top + (y - found.head) * found.each
    whose = found.order[row] if y >= found.head and 0 <= row < len(found.order) else ""
    column = (x - found.left) // found.wide * (found.each if found.each == 1 else 1)
    other = found.order[column] if found.each == 1 and x >= found.left and 0 <= column < len(found.order) else ""
    return whose, other
