"""Going places: find, alerts, back, out."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand


class Go(Hand):
    """`go.*`"""

    def find(self) -> None:
        """A person, a place, an event, by a few letters."""

    def alerts(self) -> None:
        """The last twenty."""

    def since(self) -> None:
        """What happened since one looked."""

    def page(self) -> None:
        """The page of the last whole day."""

    def back(self) -> None:
        """To where one was before the last jump."""
        stage = self.stage
        while stage.been:
            place = stage.been.pop()
            if place != stage.here():
                stage.return_to(place)
                return

    def out(self) -> None:
        """Out of the innermost thing: a sheet, a cursor, a large pane, following, another pane, a choice."""
        stage, viewer = self.stage, self.viewer
        if stage.close_sheet() or stage.town.end_look():
            return
        if stage.large:
            stage.large = False
            stage.lay_out()
        elif viewer.following:
            viewer.following = False
        elif stage.current != "town":
            stage.show_pane("town")
        else:
            stage.choose("")
