"""The map: moving it, zoom, the look cursor, roofs, names, the camera that looks around, the next person."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand

STEP_X, STEP_Y = 4, 2


class TownHand(Hand):
    """`town.*`"""

    def next(self) -> None:
        self.stage.next_person(1)

    def previous(self) -> None:
        self.stage.next_person(-1)

    def left(self) -> None:
        self.stage.town.arrow(-1, 0)

    def right(self) -> None:
        self.stage.town.arrow(1, 0)

    def up(self) -> None:
        self.stage.town.arrow(0, -1)

    def down(self) -> None:
        self.stage.town.arrow(0, 1)

    def far_left(self) -> None:
        self.stage.town.leap(-1, 0)

    def far_right(self) -> None:
        self.stage.town.leap(1, 0)

    def far_up(self) -> None:
        self.stage.town.leap(0, -1)

    def far_down(self) -> None:
        self.stage.town.leap(0, 1)

    def nearer(self) -> None:
        self.stage.town.change_zoom(-1)

    def farther(self) -> None:
        self.stage.town.change_zoom(1)

    def look(self) -> None:
        self.stage.town.toggle_look()

    def roofs(self) -> None:
        self.stage.town.next_roofs()

    def camera(self) -> None:
        self.stage.town.toggle_camera()

    def names(self) -> None:
        self.stage.town.toggle_names()
