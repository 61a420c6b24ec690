"""What stories tell on a sheet, in lines of a width: words prose, rows cut, parts side by side, rules as bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.text import clean
from sandbox.stories.story import Beside, Block, Piece, Row, Said
from sandbox.talk.model import Rule
from sandbox.tui.ink import COOL, DIM, SOFT, TEXT, WARM, Line, bar, column, fit, flow, hung, ink, outside

INKS = {"text": TEXT, "soft": SOFT, "dim": DIM, "warm": WARM, "cool": COOL}
RULES = 4  # of a decision


def lines_of(blocks: Iterable[Block], width: int) -> list[Line]:
    """The lines of these blocks, one below the other."""
    return [line for block in blocks for line in _lines(block, width)]


def _lines(block: Block, width: int) -> list[Line]:
    if isinstance(block, Said):
        return hung([ink("  ")], block.text, width, INKS[block.tone], most=block.most)
    if isinstance(block, Row):
        return [fit(_line(block.pieces), width)]
    if isinstance(block, Beside):
        return flow(map(_line, block.parts), width)
    return rule_lines(block.rules, width)


def _line(pieces: Sequence[Piece]) -> Line:
    """Cleaned, as text from outside may be in it; spaces at the ends of a piece stay."""
    out: Line = []
    for text, tone, bold in pieces:
        left = len(text) - len(text.lstrip(" "))
        right = max(left, len(text.rstrip(" ")))
        out.append(ink(text[:left] + clean(text[left:right]) + text[right:], INKS[tone], bold))
    return out


def rule_lines(rules: Sequence[Rule], width: int) -> list[Line]:
    """The rules behind a decision, the weightiest first: name, bar, weight."""
    out = []
    room = min(27, max(8, width - 18))
    for rule in sorted(rules, key=lambda r: -abs(r.value))[:RULES]:
        fg = WARM if rule.value > 0 else COOL
        name = column([outside(rule.name, SOFT)], room - 1)
        out.append([ink("  "), *name, ink(" "), *bar(rule.value, 9, fg), ink(f" {rule.value:+z.2f}", fg)])
    return out
