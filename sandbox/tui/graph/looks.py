"""The colours of the graph (good and bad ties, communities), by palette, theme and what the terminal can show."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

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
from sandbox.tui.view.cells import Styler, rgb_style
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


def letters_ground(dark: bool) -> tuple[int, int, int, int]:
    """ground, text, soft and bright among the sixteen colours; on a light screen `paper_style` swaps them itself."""
    return BLACK, WHITE, WHITE, BRIGHT + WHITE
