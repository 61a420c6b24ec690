"""The map: moving it, zoom, the look cursor, roofs, names, the camera that looks around, the next person."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand
from sandbox.tui.settings import FIELDS


class TownHand(Hand):
    """`town.*`"""

    _limit = ""  # what was said of zooming last

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
        self._zoom(-1, "It goes no nearer.")

    def farther(self) -> None:
        self._zoom(1, "The whole town is in view.")

    def _zoom(self, by: int, limit: str) -> None:
        """By one, or say once that it ends here."""
        if self.stage.town.change_zoom(by):
            self._limit = ""
        elif self._limit != limit:
            self._limit = limit
            self._say(limit)

    def look(self) -> None:
        self.stage.town.toggle_look()

    def roofs(self) -> None:
        """The next of auto, open, closed."""
        self._say(f"Roofs: {self._next('roofs')}.")

    def camera(self) -> None:
        """The camera that looks around by itself, on or off."""
        state = self._next("auto_camera")
        still = state == "on" and self.viewer.settings["motion"] == "reduced"
        self._say(f"Camera that looks around: {state}{', but motion is reduced' if still else ''}.")

    def names(self) -> None:
        """Names of places, on or off."""
        self._say(f"Names of places: {self._next('names')}.")

    def _next(self, key: str) -> str:
        """Set a setting to its next choice, and return that."""
        choices = next(field.choices for field in FIELDS if field.key == key)
        value = choices[(choices.index(self.viewer.settings[key]) + 1) % len(choices)]
        self.stage.house.change(key, value)
        return value

    def _say(self, text: str) -> None:
        self.stage.notify(text, timeout=2, markup=False)
