"""Going places: find, alerts, what was missed, the day's page, back, out."""

from __future__ import annotations

from functools import partial

from sandbox.tui.hands.hand import Hand
from sandbox.tui.leaves.alerts import AlertsLeaf
from sandbox.tui.leaves.find import Finder, go_to
from sandbox.tui.leaves.page import PageLeaf, page_of


class Go(Hand):
    """`go.*`"""

    def find(self) -> None:
        """A person, a place, an event, by a few letters."""
        self.stage.app.push_screen(Finder(self.stage), partial(go_to, self.stage))

    def alerts(self) -> None:
        """The last twenty."""
        if self.stage.sheet.kind == AlertsLeaf.kind:
            self.stage.close_sheet()
        else:
            self.stage.open_sheet(AlertsLeaf(self.stage))

    def since(self) -> None:
        """What happened since one looked."""
        self.stage.guard.look_back()
        if not self.viewer.since:
            stopped = self.viewer.stop is not None
            says = "Nothing else of this has happened" if stopped else "Nothing has happened"
            self.stage.notify(f"{says} since you looked.", timeout=3, markup=False)

    async def page(self) -> None:
        """The page of the last whole day; of the first day, as far as it has come."""
        stage, world = self.stage, self.viewer.world
        if stage.sheet.kind == PageLeaf.kind:
            stage.close_sheet()
            return
        stage.open_sheet(await page_of(stage, max(1, world.clock.day(world.now) - 1)))

    def back(self) -> None:
        """To where one was before the last jump."""
        stage = self.stage
        while stage.been:
            place = stage.been.pop()
            if place != stage.here():
                stage.return_to(place)
                return

    async def out(self) -> None:
        """Out of the innermost thing: a sheet, a cursor, a large pane, following, another pane, a choice, a replay."""
        stage, viewer = self.stage, self.viewer
        if stage.close_sheet() or stage.town.end_look():
            return
        if stage.large:
            stage.large = False
            stage.lay_out()
        elif viewer.pace.running and viewer.pace.goal:
            viewer.pace.pause()
        elif viewer.following:
            viewer.following = False
        elif stage.current != "town":
            stage.show_pane("town")
        elif viewer.replaying and not viewer.selected:
            await stage.house.leave_replay()
        else:
            stage.choose("")
