"""What a part of a card can be: a list to choose from, what has most to do with the rest of it first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from sandbox.tui.direct.choices import Choice
from sandbox.tui.ink import BLUE, DIM, SOFT, TEXT, column, ended, fit, hung, ink, outside, prose, width_of
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

NAME, LONG = 20, 24  # cells of a name, and what is longer has rows of its own


class Parts(NamedTuple):
    """A list. choices: asked for as often as it is shown; none: what stands for nothing, "" = it cannot be left out.
    takes: what is done with what was chosen.
    """

    title: str
    choices: Callable[[], Sequence[Choice]]
    none: str
    nothing: str | int
    takes: Callable[[str | int], None]


class PartLeaf(Leaf[Stage]):
    """Takes itself away when something was chosen. start: what is chosen now."""

    kind = "part"
    picks = True

    def __init__(self, stage: Stage, parts: Parts, now: str | int) -> None:
        super().__init__(stage, parts.title)
        self.parts = parts
        self.start = now

    def entries(self, width: int) -> Sequence[Entry]:
        out = [self._entry(choice, width) for choice in self.parts.choices()]
        if self.parts.none:
            out.insert(0, Entry([[ink(self.parts.none, DIM)]], partial(self._take, self.parts.nothing), "nothing"))
        return out or [Entry(prose("There is nothing to choose from.", width))]

    def _entry(self, choice: Choice, width: int) -> Entry:
        state = [ink(choice.state, BLUE)] if choice.state else []
        if len(choice.says) <= LONG and not self.parts.title.startswith("A matter"):
            head = [*column([outside(choice.says, TEXT, bold=True)], NAME), ink("  ")]
            room = width - (width_of(state) + 2 if state else 0)
            first, *more = hung(head, choice.why, room, SOFT, most=2)
            lines = [ended(first, state, width) if state else fit(first, width), *more]
        else:
            lines = hung([ink(f"{choice.why}: ", DIM)] if choice.why else [], choice.says, width, TEXT, most=3)
        return Entry(lines, partial(self._take, choice.value), choice.value)

    def _take(self, value: str | int) -> None:
        if self.stage.sheet.leaf is self:  # a second key may come before the first has taken it away
            self.stage.close_sheet()
            self.parts.takes(value)
