"""Who knows of a matter, and from whom: a tree, each branch of which leads to the event it came of."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.text import clean
from sandbox.readers.beliefs import Knower, knower_words, known_facts, surely
from sandbox.readers.pressures import matter_sentence as matter_says
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.why import leads
from sandbox.tui.view.text_lines import BLUE, DIM, GOLD, SOFT, SOUR, TEXT, Line, as_lines, fit, hung, ink, outside
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet

ASKS = "Who knows this, and from whom"
STEP, DEEPEST = 2, 6  # cells of a branch, and branches that are drawn further in than the one before


class KnowsSheet(Sheet[TownLayout]):
    """Who holds what of a matter at the moment shown."""

    kind, title = "knows", ASKS
    whole = True

    def __init__(self, stage: TownLayout, matter: str) -> None:
        super().__init__(stage)
        self.matter = matter

    def hidden(self) -> bool:
        return bool(self.stage.viewer.knower)

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        t = int(viewer.shown)
        found = known_facts(viewer.world, self.matter, t)
        matter = viewer.timeline.matters.get(self.matter)
        out: list[Entry] = []
        if not any(f.fact == self.matter for f in found):
            text = matter_says(viewer.world.handbook, matter) if matter is not None else "It is over, and forgotten"
            out += [_head(text, width), Entry([[ink("  nobody else knows", DIM)]])]
        for one in found:
            out.append(_head(one.says, width))
            out += [Entry(self._lines(k, width), leads(self.stage, k.seq), (one.fact, k.who)) for k in one.knowers]
        return out

    def _lines(self, k: Knower, width: int) -> list[Line]:
        viewer = self.stage.viewer
        world = viewer.world
        pad = " " * (STEP * min(k.depth, DEEPEST))
        when = world.clock.words(k.t) if k.t else "from the start"
        where = f", {world.handbook.at(k.where)}" if k.where and not k.depth else ""
        head = [ink(f"{pad}{'└ ' if k.depth else '• '}", BLUE), outside(knower_words(world, k), TEXT, bold=True)]
        lines = [fit([*head, ink(f"  {when}{clean(where)}, {surely(k.strength)}", DIM)], width)]
        if k.changed or (not k.right and not k.depth):
            lines += hung([ink(f"{pad}  ")], f"“{k.says}”", width, SOUR if k.lie else GOLD)
        return lines


def _head(text: str, width: int) -> Entry:
    return Entry([[], *as_lines(text, width)])


def knows_entry(stage: TownLayout, matter: str) -> Entry:
    """The entry that asks it of a matter."""
    asks = [ink("? ", BLUE), ink(ASKS, SOFT)]
    return Entry([asks], lambda: stage.open_sheet(KnowsSheet(stage, matter)), ("knows", matter))
