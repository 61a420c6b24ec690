"""Tabs of the pane in focus; on a sheet, what lies beside it."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand


class TabsHand(Hand):
    """`tab.*`"""

    def next(self) -> None:
        self._turn(1)

    def previous(self) -> None:
        self._turn(-1)

    def _turn(self, by: int) -> None:
        stage = self.stage
        if stage.sheet.leaf is not None:
            leaf = stage.sheet.leaf.turned(by)
            if leaf is not None:
                stage.open_sheet(leaf, instead=True)
        elif stage.current == "person":
            stage.person.turn(by)
        elif stage.current in ("timeline", "people"):
            stage.show_pane("people" if stage.current == "timeline" else "timeline")
