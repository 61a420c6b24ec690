"""What an occasion has decided, on its sheet: who voted how or came where, and the rules that made it so."""

from __future__ import annotations

from sandbox.drama.decided import CONTEST, Decided, Part
from sandbox.tui.ink import COOL, DIM, SOFT, TEXT, WARM, Line, fit, ink, outside, wrap
from sandbox.tui.viewer import Viewer

RULES = 4  # of each, the weightiest
SHOWN = 5  # of a contest, those who came first


def outcome_lines(viewer: Viewer, e: Decided, width: int) -> list[Line]:
    """Everybody who took part, with their reasons; of a contest the first few."""
    out: list[Line] = []
    shown = e.parts[:SHOWN] if e.how == CONTEST else e.parts
    for place, part in enumerate(shown, 1):
        how = f"came {_ordinal(place)}" if e.how == CONTEST else f"voted {'for' if part.yes else 'against'} {e.about}"
        fg = WARM if part.yes else COOL
        out.append(fit([outside(viewer.name(part.who), TEXT, bold=True), ink(" "), outside(how, fg)], width))
        out += [[ink("  "), ink(text, SOFT)] for text in wrap(_reasons(part), max(8, width - 2), 3)]
    rest = len(e.parts) - len(shown)
    if rest:
        out.append([ink(f"and {rest} more", DIM)])
    return out


def _reasons(part: Part) -> str:
    """ "the wheel is nine cogs from turning -0.95; likes Mara and others -0.20"."""
    best = sorted(part.why, key=lambda rule: -abs(rule.value))[:RULES]
    return "; ".join(f"{rule.name} {rule.value:+z.2f}" for rule in best)


def _ordinal(n: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(n, f"{n}th")
