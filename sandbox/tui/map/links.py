"""The line on the ground between two people who talk, by the tone of the talk: straight if warm, dotted if plain,
jagged if hostile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from sandbox.tui.map.people import MapFigure
from sandbox.tui.view.speech import HOSTILE, PLAIN, WARM

FAR = 12  # most pixels between the two; a longer line would not be read as joining them
INKS: Final[dict[str, dict[str, int]]] = {
    "default": {WARM: 0xFFE08A, PLAIN: 0xD7DCE6, HOSTILE: 0xFF5A4D},
    "colour-blind": {WARM: 0xF0E442, PLAIN: 0xD7DCE6, HOSTILE: 0xD55E00},
    "grey": {WARM: 0xF4F4F4, PLAIN: 0xBEBEBE, HOSTILE: 0x6E6E6E},
}
SIGNS: Final = {WARM: "=", PLAIN: "-", HOSTILE: "~"}
MOOD: Final = {WARM: "joy", PLAIN: "vague", HOSTILE: "angry"}  # mood whose colour the line has in characters


class TalkLink(NamedTuple):
    """Two who talk, by id, and the tone: WARM, PLAIN or HOSTILE."""

    a: str
    b: str
    tone: str


def link_pixels(a: MapFigure, b: MapFigure, tone: str, palette: str) -> Iterator[tuple[int, int, int]]:
    """Pixels under the feet of the two and between them: row, column, colour."""
    left, right = sorted((a, b), key=lambda f: (f.column, f.feet, f.id))
    x0, y0, x1, y1 = left.column, left.feet + 1, right.column + 1, right.feet + 1
    count = max(abs(x1 - x0), abs(y1 - y0))
    if count > FAR:
        return
    colour = INKS.get(palette, INKS["default"])[tone]
    for i in range(count + 1):
        if tone == PLAIN and i % 2:
            continue
        share = i / max(1, count)
        jag = i % 2 if tone == HOSTILE else 0
        yield round(y0 + (y1 - y0) * share) + jag, round(x0 + (x1 - x0) * share), colour


def cells_between(x0: int, y0: int, x1: int, y1: int) -> Iterator[tuple[int, int]]:
    """The cells (column, row) between two cells, without these; none if they are farther apart than FAR."""
    count = max(abs(x1 - x0), abs(y1 - y0))
    if count > FAR:
        return
    for i in range(1, count):
        yield round(x0 + (x1 - x0) * i / count), round(y0 + (y1 - y0) * i / count)
