"""The room that the Town pane looks at from close by, if it does, and the part of it that is in view.

It is the nearest zoom level: `+` once more goes in, `-` comes out.
"""

from __future__ import annotations

from sandbox.town.plan import arena_of
from sandbox.tui.map.close import Close, fit_room
from sandbox.tui.view.cells import Box
from sandbox.tui.view.viewer import Viewer

AROUND_X, AROUND_Y = 12, 7  # tiles about a place that is no room
WIDEST, FAR = 24, 4  # columns below which there is no room for it; tiles that one pans by
LOWEST = 8


class Closer:
    """Where one looks from close by. room: in tiles, None as long as one does not; outdoors: it has no walls."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.room: Box | None = None
        self.outdoors = False
        self._focus = (0.0, 0.0)

    @property
    def on(self) -> bool:
        """Whether one looks from close by."""
        return self.room is not None

    def look(self, x: float, y: float) -> None:
        """Look at the room of a place, in tiles."""
        self.room, self.outdoors = room_at(self.viewer, x, y)
        self._focus = (x, y)

    def leave(self) -> bool:
        """Look from close by no longer; whether one did."""
        was, self.room = self.on, None
        return was

    def keep(self, x: float, y: float) -> None:
        """Keep a place in view: another room if it lies in another."""
        if self.room is None or self._focus == (x, y):
            return
        if room_at(self.viewer, x, y)[0] == self.room or (self.outdoors and self.room.holds(x, y)):
            self._focus = (x, y)
        else:
            self.look(x, y)

    def pan(self, dx: int, dy: int) -> None:
        """Look at another part of a room that is too large for the view. dx, dy: -1, 0 or 1."""
        if self.room is not None:
            x, y, wide, high = self.room
            self._focus = (
                max(x, min(x + wide - 1, self._focus[0] + FAR * dx)),
                max(y, min(y + high - 1, self._focus[1] + FAR * dy)),
            )

    def view(self, columns: int, rows: int) -> Close:
        """What is in view of so many cells."""
        room = self.room if self.room is not None else Box(0, 0, 1, 1)
        return fit_room(room, self._focus, columns, rows, self.outdoors)


def room_at(viewer: Viewer, x: float, y: float, where: str = "") -> tuple[Box, bool]:
    """The room or place of an address, else that a tile lies in, else the ground about it; whether it is outdoors."""
    town = viewer.world.map
    tile = max(0, min(town.height - 1, int(y))) * town.width + max(0, min(town.width - 1, int(x)))
    area = town.areas.get(arena_of(where)) or town.areas.get(town.area_of[tile])
    if area is None:
        return Box(int(x) - AROUND_X, int(y) - AROUND_Y, 2 * AROUND_X + 1, 2 * AROUND_Y + 1), True
    return Box(*area.arena.rect), "indoors" not in area.arena.tags


def fits_close_view(columns: int, rows: int) -> bool:
    """Whether a view of so many cells has room for it."""
    return columns >= WIDEST and rows >= LOWEST
