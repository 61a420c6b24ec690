"""Why: the ledger of a mood; every cause with its size, what it did and its age."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.text import clean
from sandbox.tui.ink import BLUE, DIM, GOLD, SOFT, TEXT, Line, apart, bar, fit, ink, outside
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.person import age, cause_words, mood_words, size, title
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage
from sandbox.tui.viewer import Viewer


def why_lines(viewer: Viewer, who: str, t: float, width: int) -> list[Line]:
    """The ledger of a mood: every cause with its size, what it did, and its age. The causes and the rest add up."""
    view, world = viewer.view, viewer.world
    pad, rest = view.pad(who, t), world.people.residents[who].mood.rest
    out: list[Line] = [[outside(title(viewer, who), GOLD, bold=True)], mood_words(viewer, who, t), []]
    out.append([ink("  size  what moved it", DIM)])
    causes = view.causes(who, t)
    for cause in causes:
        when = ink("" if cause.why == "older" else f"  {age(t - cause.t)}", DIM)
        head = ink(f"{size(cause):6.2f}  ", TEXT)
        out.append(apart(fit([head, outside(cause_words(cause))], width - when.cell_length - 2), [when], width))
        out.append([ink(" " * 8), *_moves((cause.p, cause.a, cause.d))])
    if not causes:
        out.append([ink("        nothing yet: this is how they are by nature", SOFT)])
    out.append([ink("        by nature", SOFT)])
    out.append([ink(" " * 8), *_moves(rest)])
    out.append([])
    for name, value in zip(("pleasure", "arousal", "dominance"), pad, strict=True):
        out.append(
            [ink(f"{name:10}", DIM), *bar(value, min(41, max(9, width - 17)), BLUE), ink(f" {value:+.2f}", SOFT)]
        )
    return out


def _moves(delta: tuple[float, float, float]) -> Line:
    names = ("pleasure", "arousal", "dominance")
    parts = [f"{name} {value:+.2f}" for name, value in zip(names, delta, strict=True) if abs(value) >= 0.005]
    return [ink("  ".join(parts) or "almost nothing", DIM)]


class WhyLeaf(Leaf):
    """Why somebody feels as they do."""

    kind = "why"

    def __init__(self, stage: Stage, who: str) -> None:
        super().__init__(f"Why {clean(stage.viewer.name(who))} feels so")
        self.stage, self.who = stage, who

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        return [Entry([line]) for line in why_lines(viewer, self.who, viewer.shown, width)]
