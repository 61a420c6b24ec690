"""What somebody who is played can do where they are, and elsewhere: the things of a day."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.text import upper
from sandbox.people.model import SEEK
from sandbox.people.perceive import area_at
from sandbox.people.planning import resolve
from sandbox.people.played import CameToHead
from sandbox.play.model import Bid, GiveBack, SetAside
from sandbox.play.turning import pending
from sandbox.stories.turnings import of_world
from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, apart, hung, ink, outside, prose
from sandbox.tui.panes.entries import Entry, heading
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.playing.carry import on, once
from sandbox.tui.playing.turning import TurningLeaf
from sandbox.tui.stage import Stage

HOME = ("sleep", "wash", "breakfast", "supper", "rest", "read")


class DoingsLeaf(Leaf[Stage]):
    """Things to do."""

    kind = "doings"
    picks = True
    keys = frozenset({"play.act"})

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, f"{stage.viewer.name(stage.viewer.world.played.who)}: what now?")

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        w, me = viewer.world, viewer.plays
        if not me:
            return [Entry(prose("Nobody is played now.", width))]
        here = area_at(w, me, w.now)
        out: list[Entry] = []
        if (point := pending(w)) is not None:
            head = upper(of_world(w, point).partition(". ")[0])
            out.append(Entry(hung([ink("! ", GOLD)], head, width, TEXT), partial(self._turning, point), "turning"))
        if here:
            out.append(heading(upper(w.handbook.at(here))))
            out += [self._row(do, here, width) for do in self._fits(here)]
        out.append(heading("At home"))
        out += [self._row(do, "home", width) for do in HOME if do in w.handbook.deck.blocks]
        if w.cast[me].work:
            out += [heading(f"Work, {w.handbook.at(w.cast[me].work)}"), self._row("work", "work", width)]
        out.append(heading("Or"))
        out.append(Entry([[ink("let them do as they like for a while", SOFT)]], self._aside, "aside"))
        out.append(Entry([[ink("give them back to the town", SOFT)]], self._give_back, "back"))
        return out

    def _fits(self, here: str) -> list[str]:
        """What people do in a place: by anybody's routine, or at leisure."""
        w = self.stage.viewer.world
        usual = [
            s.do for p in w.cast.values() for day in p.routine.days for s in day.slots if resolve(p, s.where) == here
        ]
        free = [do for do, where in w.leisure(w.played.who) if where == here]
        return [do for do in dict.fromkeys((*free, *usual)) if do not in ("sleep", SEEK)][:8]

    def _row(self, do: str, where: str, width: int) -> Entry:
        w = self.stage.viewer.world
        block = w.handbook.deck.blocks[do]
        costs = [ink("costs", DIM)] if block.costs and where != "home" else []
        line = apart([ink("▶ ", GOLD), outside(block.do, TEXT)], costs, width)
        return Entry([line], partial(self._do, do, where), (do, where))

    def _do(self, do: str, where: str) -> None:
        if on(self.stage, Bid(by=self.stage.viewer.plays, do=do, where=where)):
            self.stage.close_all()

    def _turning(self, point: CameToHead) -> None:
        self.stage.open_sheet(TurningLeaf(self.stage, point))

    def _aside(self) -> None:
        if once(self.stage, SetAside(by=self.stage.viewer.plays, on=True)):
            self.stage.close_all()

    def _give_back(self) -> None:
        if once(self.stage, GiveBack(by=self.stage.viewer.plays)):
            self.stage.close_all()
