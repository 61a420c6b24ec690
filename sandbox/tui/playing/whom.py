"""Whom to be, where nobody is chosen: those in view first, then everybody by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.people.guests.model import here
from sandbox.play.model import Play
from sandbox.tui.action import first_key
from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, fit, ink, keyed, outside
from sandbox.tui.panes.entries import Entry, heading
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.persons.words import title
from sandbox.tui.playing.carry import once
from sandbox.tui.stage import Stage


def be(stage: Stage, who: str) -> bool:
    """Be somebody from now on; whether they could be."""
    taken = once(stage, Play(by=who))
    if taken:
        stage.choose(who)
        stage.viewer.following = True
    return taken


class WhomLeaf(Leaf[Stage]):
    """A row a person; enter is them."""

    kind, title = "whom", "Whom do you want to be?"
    picks = True
    keys = frozenset({"play.as"})

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._near = stage.town.in_view()  # as it is opened: the list does not move under the cursor

    def entries(self, width: int) -> Sequence[Entry]:
        world = self.stage.viewer.world
        there = [who for who in world.cast if here(world, who)]
        near = [who for who in self._near if who in there]
        far = sorted((who for who in there if who not in near), key=lambda who: world.cast[who].name)
        out = [heading("In view"), *(self._row(who, width) for who in near)] if near else []
        out += [heading("Elsewhere"), *(self._row(who, width) for who in far)] if far else []
        if key := first_key("play.arrive", self.stage.viewer.keys):
            out.append(Entry([[], keyed(key, "comes to town as somebody new")]))
        return out

    def _row(self, who: str, width: int) -> Entry:
        viewer = self.stage.viewer
        doing = viewer.view.doing(who)
        line = [ink("▶ ", GOLD), outside(title(viewer, who), TEXT), ink("  ", DIM), outside(doing, SOFT)]
        return Entry([fit(line, width)], partial(self._be, who), who)

    def _be(self, who: str) -> None:
        if be(self.stage, who):
            self.stage.close_all()
