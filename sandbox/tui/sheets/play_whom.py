"""Choose whom to play if nobody is chosen on the map: the people in view first, then all others by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.people.guest_model import in_town
from sandbox.play.model import Play
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.run_command import run_in_one_step
from sandbox.tui.view.action import first_key
from sandbox.tui.view.person_words import person_title
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, TEXT, fit, ink, key_line, outside
from sandbox.tui.widgets.entries import Entry, heading
from sandbox.tui.widgets.sheet_pane import Sheet


def play_as(stage: TownLayout, who: str) -> bool:
    """Play `who` from now on; whether that succeeded. Somebody out of town cannot be played: a notice says so."""
    viewer = stage.viewer
    if not in_town(viewer.world, who):
        stage.notify(f"{viewer.name(who)} is out of town: {viewer.view.doing(who)}.", timeout=4, markup=False)
        return False
    taken = run_in_one_step(stage, Play(by=who))
    if taken:
        stage.choose(who)
        viewer.following = True
    return taken


class WhomSheet(Sheet[TownLayout]):
    """One row per person; enter plays them.

    The order is fixed when the sheet opens, so that no row moves under the cursor: somebody who leaves town keeps their
    row, and somebody who arrives is added below the others.
    """

    kind, title = "whom", "Whom do you want to be?"
    picks = True
    keys = frozenset({"play.as"})

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        there = self._there()
        self._near = [who for who in stage.town.in_view() if who in there]
        self._far = [who for who in there if who not in self._near]
        self._come: list[str] = []

    def entries(self, width: int) -> Sequence[Entry]:
        listed = {*self._near, *self._far, *self._come}
        self._come += [who for who in self._there() if who not in listed]
        out: list[Entry] = []
        for head, people in (("In view", self._near), ("Elsewhere", self._far), ("Come since", self._come)):
            out += [heading(head), *(self._row(who, width) for who in people)] if people else []
        if key := first_key("play.arrive", self.stage.viewer.keys):
            out.append(Entry([[], key_line(key, "comes to town as somebody new")]))
        return out

    def _there(self) -> list[str]:
        """The ids of everybody in town, sorted by name."""
        world = self.stage.viewer.world
        return sorted((who for who in world.cast if in_town(world, who)), key=lambda who: world.cast[who].name)

    def _row(self, who: str, width: int) -> Entry:
        viewer = self.stage.viewer
        doing = viewer.view.doing(who)
        line = [ink("▶ ", GOLD), outside(person_title(viewer, who), TEXT), ink("  ", DIM), outside(doing, SOFT)]
        return Entry([fit(line, width)], partial(self._be, who), who)

    def _be(self, who: str) -> None:
        if play_as(self.stage, who):
            self.stage.close_all()
