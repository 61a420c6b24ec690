"""ASCII alone, for terminals and fonts that have nothing else: the last thing that all drawn lines go through."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import get_character_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

# A sign and its likeness.
_PAIRS = (
    "─- │| ╭+ ╮+ ╰+ ╯+ ┌+ ┐+ └+ ┘+ ├+ ┤+ ┬+ ┴+ ┼+ ━= ┃| ═= ║| ╺= ╸= ▔- "
    "▁_ ▂. ▃: ▄- ▅= ▆+ ▇* █# ▀# ▌# ▐# ░: ▒# ▓# ▎| ▊| "
    "▶> ◀< ▲^ ▼v ■# □o ●o ○o •* ·. …~ “\" ”\" ‘' ’' «< »> ‹< ›> –- —- −- ×x ÷/ ←< →> ↑^ ↓v ♥* ♦* ✓v ✗x °'"
)
_LIKE = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}


@lru_cache(8192)
def sign(char: str) -> str:
    """A character's likeness in ASCII, of as many cells: accents dropped, unknown signs as question marks."""
    cells = get_character_cell_size(char)
    like = _LIKE.get(ord(char), char)
    if not like.isascii():
        bare = "".join(c for c in unicodedata.normalize("NFKD", like) if not unicodedata.combining(c))
        like = bare if bare.isascii() and bare.isprintable() else "?"
    return like[:cells].ljust(cells, "?" if like == "?" else " ")


class Ascii(LineFilter):
    """Takes every line to ASCII, cell by cell."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [s if s.control or s.text.isascii() else Segment("".join(map(sign, s.text)), s.style) for s in segments]
