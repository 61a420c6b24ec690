"""Speech bubbles and names on the map: placing them so that no talker is covered, and drawing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from sandbox.tui.map.people import MapFigure
from sandbox.tui.view.cells import Box, Canvas, fit_text, fold_words
from sandbox.tui.view.speech import MOST

SHAPES = (24, 32, 44)  # widths of a bubble's lines in cells; a long text takes a wider one
ROWS, LONGEST = 4, 1000  # lines up to which a narrow bubble is preferred; most cells of a text
FAR = 12.0  # a bubble farther than this from the head (see _distance) is placed again


class Bubble(NamedTuple):
    """A line being said. speaker: a figure's id; among: ids of all who take part in the talk."""

    speaker: str
    name: str
    mood: str
    text: str
    among: tuple[str, ...] = ()


class Inks(NamedTuple):
    """The three colours of a bubble, as the painter's canvas encodes colours."""

    border: int
    panel: int
    paper: int


class PlacedBubble(NamedTuple):
    """A bubble placed in the view. head: column and row of the speaker's head."""

    bubble: Bubble
    area: Box
    lines: tuple[str, ...]
    head: tuple[int, int]


@lru_cache(512)
def wrap_bubble(text: str, columns: int = SHAPES[0]) -> tuple[str, ...]:
    """Untrusted text wrapped into lines of at most `columns` cells, at least one line."""
    return tuple(fold_words(fit_text(text, LONGEST), columns)) or ("…",)


def bubble_shapes(text: str) -> list[tuple[str, ...]]:
    """The lines of a bubble in each width of SHAPES: widths with at most ROWS lines first, narrow before wide."""
    return sorted({wrap_bubble(text, columns): 0 for columns in SHAPES}, key=lambda lines: max(len(lines), ROWS))


def figure_area(figure: MapFigure, x0: int, y0: int) -> Box:
    """The cells that a person covers in a view whose first cell is x0, y0."""
    top = figure.head_row
    return Box(figure.column - x0, top - y0, 2, figure.feet // 2 - top + 1)


def place_bubbles(
    bubbles: Sequence[Bubble],
    bodies: Mapping[str, Box],
    view: Box,
    before: Iterable[PlacedBubble] = (),
    words: Sequence[Box] = (),
    lids: Sequence[Box] = (),
) -> list[PlacedBubble]:
    """Place at most MOST bubbles; one that could only be placed over a talker is left out.

    bodies: the cells each person covers, in the view's own cells. before: the last frame's bubbles in the same view: a
    bubble stays in its place as long as that is good, so that nothing jumps while people walk. words: names and marks,
    preferably not covered. lids: cells that something else covers.
    """
    out: list[PlacedBubble] = []
    talking = {id_ for b in bubbles[:MOST] for id_ in (b.speaker, *b.among)}
    kept = [bodies[id_] for id_ in sorted(talking & bodies.keys())]
    stood = {p.bubble: p for p in before}
    others = [area for id_, area in bodies.items() if id_ not in talking]
    for bubble in bubbles[:MOST]:
        body = bodies.get(bubble.speaker)
        if body is None or not Box(0, 0, view.width, view.height).holds(body.x, body.y):
            continue
        old = stood.get(bubble)
        taken = [*kept, *lids, *(p.area for p in out)]
        if old and _distance(old.area, body) <= FAR and not any(old.area.overlap(q) for q in taken):
            out.append(old._replace(head=(body.x, body.y)))
            continue
        mine = [bodies[id_] for id_ in (bubble.speaker, *bubble.among) if id_ in bodies]
        for lines in bubble_shapes(bubble.text):
            wide = max(max(cell_len(line) for line in lines), cell_len(fit_text(bubble.name, 18)) + 4) + 4
            best: tuple[float, Box] | None = None
            for area in _candidates(body, mine, wide, len(lines) + 2, view):
                if any(area.overlap(q) for q in taken):
                    continue
                cost = 2.0 * sum(area.overlap(q) for q in others) + 4.0 * sum(area.overlap(q) for q in words)
                cost += _distance(area, body)
                if best is None or cost < best[0]:
                    best = (cost, area)
            if best:
                out.append(PlacedBubble(bubble, best[1], lines, (body.x, body.y)))
                break
    return out


def _candidates(body: Box, mine: Sequence[Box], wide: int, high: int, view: Box) -> Iterable[Box]:
    """Areas of wide x high cells above, below and beside, wholly inside the view, near ones first."""
    top = min(a.y for a in mine)
    bottom = max(a.y + a.height for a in mine)
    for gap in range(1, 9):
        rows = {top - high - gap + 1, body.y - high - gap + 1, body.y + body.height + gap, bottom + gap}
        for y in sorted(rows):
            for shift in (-2, -(wide // 2), -wide + 4, -wide - gap, 2 + gap):
                x = min(max(body.x + shift, 0), view.width - wide)
                if x >= 0 and 0 <= y <= view.height - high:
                    yield Box(x, y, wide, high)
        for x in (body.x + 2 + gap, body.x - wide - gap):
            for y in (body.y - 1, body.y - high + 1):
                if 0 <= x <= view.width - wide and 0 <= y <= view.height - high:
                    yield Box(x, y, wide, high)


def _distance(area: Box, body: Box) -> float:
    """Weighted distance of a bubble from a head; above is a little cheaper than beside or below."""
    across = max(area.x - body.x - 1, body.x - (area.x + area.width - 1), 0)
    down = max(area.y - body.y, body.y - (area.y + area.height - 1), 0)
    return 2.5 * across + 2.0 * down + (3.0 if area.y >= body.y else 0.0)


def draw_bubble(canvas: Canvas, placed: PlacedBubble, inks: Inks) -> None:
    """Draw the panel with its border (in the speaker's mood colour), the name in it, and a tail to the head."""
    (x, y, wide, high), (colour, panel, paper) = placed.area, inks
    hx, hy = placed.head
    below = y > hy
    name = f" {fit_text(placed.bubble.name, 18)} "
    title = f"─{name}{'─' * (wide - 3 - cell_len(name))}"
    flat = "─" * (wide - 2)
    canvas.write(x, y, f"╭{flat if below else title}╮", colour, panel)
    canvas.write(x, y + high - 1, f"╰{title if below else flat}╯", colour, panel)
    for i, line in enumerate(placed.lines):
        pad = " " * (wide - 4 - cell_len(line))
        canvas.write(x, y + 1 + i, "│", colour, panel)
        canvas.write(x + 1, y + 1 + i, f" {line}{pad} ", paper, panel, bold=True)
        canvas.write(x + wide - 1, y + 1 + i, "│", colour, panel)
    name_row = y + high - 1 if below else y
    canvas.write(x + 2, name_row, name, colour, panel, bold=True)
    _tail(canvas, placed.area, hx, hy, inks)


def _tail(canvas: Canvas, area: Box, hx: int, hy: int, inks: Inks) -> None:
    (x, y, wide, high), (colour, panel, _) = area, inks
    if y <= hy < y + high and not x <= hx < x + wide:
        row = min(max(hy, y + 1), y + high - 2)
        canvas.write(x if hx < x else x + wide - 1, row, "┤" if hx < x else "├", colour, panel)
        return
    column = min(max(hx, x + 1), x + wide - 2)
    if column in (hx, hx + 1):
        for row in (*range(y + high, hy), *range(hy + 2, y)):
            if 0 <= row < canvas.height and not canvas.code[row, column]:
                canvas.write(column, row, "│", colour, int(canvas.bg[row, column]))
    if y > hy:
        canvas.write(column, y, "┴", colour, panel)
    else:
        canvas.write(column, y + high - 1, "┬", colour, panel)


# ---- names


def name_area(wide: int, body: Box, people: Sequence[Box], words: Sequence[Box], view: Box) -> Box:
    """The area for a name of `wide` cells. body: the cells of its owner; people: those of the others; words: other
    names and marks.

    Below is best, then above, right, left, then lower and higher. It covers a person or word only if every place would.
    """
    x = body.x + body.width // 2 - wide // 2
    bottom, middle = body.y + body.height, body.y + body.height // 2
    places = [
        Box(x, bottom, wide, 1),
        Box(x, body.y - 1, wide, 1),
        Box(body.x + body.width, middle, wide, 1),
        Box(body.x - wide, middle, wide, 1),
        *(Box(x, bottom + down, wide, 1) for down in (1, 2, 3, 4)),
        *(Box(x, body.y - 1 - up, wide, 1) for up in (1, 2, 3)),
        *(Box(side, y, wide, 1) for side in (body.x + body.width, body.x - wide) for y in (body.y, bottom)),
    ]

    def cost(place: Box) -> float:
        beyond = wide - place.overlap(Box(0, 0, view.width, view.height))
        covered = sum(place.overlap(area) for area in (*people, *words))
        return 20.0 * covered + 4.0 * beyond + places.index(place)

    return min(places, key=cost)
