"""What a part of a card can be: a list to choose from, what has most to do with the rest of it first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from rich.cells import cell_len

from sandbox.core.text import clean
from sandbox.tui.direct.choices import Choice
from sandbox.tui.ink import BLUE, DIM, SOFT, TEXT, column, ended, fit, hung, ink, outside, prose, width_of
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

NAME = 28  # cells of a name at most


class Parts(NamedTuple):
    """A list. choices: asked for as often as it is shown; none: what stands for nothing, "" = it cannot be left out.
    takes: what is done with what was chosen. named: whether they are names; else sentences, which need more room.
    """

    title: str
    choices: Callable[[], Sequence[Choice]]
    none: str
    nothing: str | int
    takes: Callable[[str | int], None]
    named: bool = True


class PartLeaf(Leaf[Stage]):
    """Takes itself away when something was chosen. start: what is chosen now."""

    kind = "part"
    picks = True

    def __init__(self, stage: Stage, parts: Parts, now: str | int) -> None:
        super().__init__(stage, parts.title)
        self.parts = parts
        self.start = now

    def entries(self, width: int) -> Sequence[Entry]:
        found = self.parts.choices()
        name = min(NAME, max((cell_len(clean(choice.says)) for choice in found), default=0))
        out = [self._entry(choice, name, width) for choice in found]
        if self.parts.none:
            out.append(Entry([[ink(self.parts.none, DIM)]], partial(self._take, self.parts.nothing), "nothing"))
        return out or [Entry(prose("There is nothing to choose from.", width))]

    def _entry(self, choice: Choice, room: int, width: int) -> Entry:
        state = [ink(choice.state, BLUE)] if choice.state else []
        if self.parts.named:
            name = [outside(choice.says, TEXT, bold=True)]
            head = [*column(name, room), ink("  ")] if choice.why else fit(name, width)
            left = width - (width_of(state) + 2 if state else 0)
            first, *more = hung(head, choice.why, left, SOFT, most=2)
            lines = [ended(first, state, width) if state else fit(first, width), *more]
        else:
            lines = hung([ink(f"{choice.why}: ", DIM)] if choice.why else [], choice.says, width, TEXT, most=3)
        return Entry(lines, partial(self._take, choice.value), choice.value)

    def _take(self, value: str | int) -> None:
        if self.stage.sheet.leaf is self:  # a second key may come before the first has taken it away
            self.stage.close_sheet()
            self.parts.takes(value)
