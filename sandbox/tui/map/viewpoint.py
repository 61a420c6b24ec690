"""What the Town pane looks at: a part of the map from nearer or farther, or a room from close by. It draws nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sandbox.town.plan import arena_of
from sandbox.tui.map.camera import AutoCamera, Camera, camera_scenes, left_alone, levels
from sandbox.tui.map.close import Close, fit_room
from sandbox.tui.map.picture import Picture
from sandbox.tui.map.scene import first_centre
from sandbox.tui.view.cells import NEAR, Box, MapScale
from sandbox.tui.view.viewer import Viewer

GLIDE_X, GLIDE_Y = 3, 2  # cells a frame
AROUND_X, AROUND_Y = 12, 7  # tiles shown around a place that is no room
WIDEST, FAR = 24, 4  # least columns of a close view; tiles that `pan` moves by
LOWEST = 8  # least rows of a close view


class Closer:
    """The state of the close view. room: in tiles, None = off; outdoors: the room has no walls."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.room: Box | None = None
        self.outdoors = False
        self._focus = (0.0, 0.0)

    @property
    def on(self) -> bool:
        """Whether the close view is on."""
        return self.room is not None

    def look(self, x: float, y: float) -> None:
        """Show the room of a place given in tiles."""
        self.room, self.outdoors = room_at(self.viewer, x, y)
        self._focus = (x, y)

    def leave(self) -> bool:
        """Turn the close view off; return whether it was on."""
        was, self.room = self.on, None
        return was

    def keep(self, x: float, y: float) -> None:
        """Keep a place in view; change to its room if that is another."""
        if self.room is None or self._focus == (x, y):
            return
        if room_at(self.viewer, x, y)[0] == self.room or (self.outdoors and self.room.holds(x, y)):
            self._focus = (x, y)
        else:
            self.look(x, y)

    def pan(self, dx: int, dy: int) -> None:
        """Move the view in a room that is too large for it. dx, dy: -1, 0 or 1."""
        if self.room is not None:
            x, y, wide, high = self.room
            self._focus = (
                max(x, min(x + wide - 1, self._focus[0] + FAR * dx)),
                max(y, min(y + high - 1, self._focus[1] + FAR * dy)),
            )

    def view(self, columns: int, rows: int) -> Close:
        """The geometry of the close view in columns x rows cells."""
        room = self.room if self.room is not None else Box(0, 0, 1, 1)
        return fit_room(room, self._focus, columns, rows, self.outdoors)


def room_at(viewer: Viewer, x: float, y: float, where: str = "") -> tuple[Box, bool]:
    """The room of an address, else that of a tile, else the ground around it, in tiles; and whether it is outdoors."""
    town = viewer.world.map
    tile = max(0, min(town.height - 1, int(y))) * town.width + max(0, min(town.width - 1, int(x)))
    area = town.areas.get(arena_of(where)) or town.areas.get(town.area_of[tile])
    if area is None:
        return Box(int(x) - AROUND_X, int(y) - AROUND_Y, 2 * AROUND_X + 1, 2 * AROUND_Y + 1), True
    return Box(*area.arena.rect), "indoors" not in area.arena.tags


class PaneRoom(NamedTuple):
    """The cells of the pane now. covered: rows at its foot under which nothing of the map can be seen."""

    width: int
    height: int
    covered: int


class Viewpoint:
    """Where one looks from. room: gives the cells of the pane; rescaled: is called once one looks from nearer or
    farther, or from close by.

    zoom: 0 near, then farther; see `camera.levels`. closer: the room it looks at from close by, nearer than near.
    jumped: whether one looks elsewhere since the last frame, so that nothing is to move there gradually.
    """

    def __init__(
        self, viewer: Viewer, picture: Picture, room: Callable[[], PaneRoom], rescaled: Callable[[], None]
    ) -> None:
        self.viewer, self.picture = viewer, picture
        self.camera = Camera(picture.width, picture.height)
        self.closer = Closer(viewer)
        self.roaming = AutoCamera(viewer.clock)
        self.zoom = 0
        self.jumped = True
        self._levels: tuple[MapScale, ...] = (NEAR,)
        self._room, self._rescaled = room, rescaled

    # ---- what is in view

    @property
    def close(self) -> Close | None:
        """What is in view from close by; None as long as one does not look so."""
        room = self._room()
        return self.closer.view(room.width, room.height - room.covered) if self.closer.on else None

    @property
    def tiles(self) -> Box:
        """The tiles in view."""
        close = self.close
        return self.camera.tiles if close is None else Box(close.x, close.y, close.width, close.height)

    def sees(self, x: float, y: float) -> bool:
        """Whether a place is in view."""
        close = self.close
        if close is not None:
            return close.shows(round(x), round(y))
        return self.camera.sees(x, y, below=self._room().covered)

    @property
    def distance(self) -> str:
        """From how far one looks, in words; "" from near."""
        scale = self.camera.scale
        if self.closer.on:
            return "close"
        return "" if scale == NEAR else "the whole town" if scale == self._levels[-1] else "half size"

    # ---- other cells, another zoom

    def take_size(self, chosen: str) -> None:
        """The pane has another size. chosen: the person who is to stay in view, "" = nobody."""
        first = self.camera.width == 0
        room = self._room()
        self.camera.resize(room.width, room.height)
        self._take_scale()
        if first:
            self.camera.centre(*first_centre(self.viewer, self.picture))
        elif chosen:
            self.keep_in_view(chosen)
        self.jumped = True

    def _take_scale(self) -> None:
        """Make the camera see from as far as `zoom` says."""
        room = self._room()
        self._levels = levels(self.picture.width, self.picture.height, room.width, room.height)
        scale = self._levels[min(self.zoom, len(self._levels) - 1)]
        if scale != self.camera.scale:
            self.camera.zoom(scale)
            self._change()

    def _change(self) -> None:
        self._rescaled()
        self.jumped = True

    def change_zoom(self, by: int) -> bool:
        """Look from farther (1) or nearer (-1), the middle of the map staying there; whether that goes."""
        if self.closer.on:
            return by > 0 and self.come_out()
        most = len(self._levels) - 1
        before = min(self.zoom, most)
        if by < 0 and before == 0:
            return self._go_close()
        self.zoom = max(0, min(most, before + by))
        self._take_scale()
        if by < 0 and self.viewer.selected:  # nearer to whom one has chosen
            self.look_if_away(self.viewer.selected)
        return self.zoom != before

    # ---- another place

    def look_at(self, who: str) -> bool:
        """Centre the map on somebody; whether they are of the town at the moment shown."""
        if not self.viewer.is_known(who):
            return False
        row = self.viewer.view.row(who, self.viewer.shown)
        self.closer.keep(row.x, row.y)
        self.camera.centre(row.x + 1, row.y + self._room().covered * self.camera.scale.y / 2)
        self.jumped = True
        self.viewer.bubbles.free()
        return True

    def look_if_away(self, who: str) -> bool:
        """Centre the map on somebody who is not well in view; whether it was moved."""
        if not self.viewer.is_known(who):
            return False
        row = self.viewer.view.row(who, self.viewer.shown)
        margin = 2 if self.camera.scale == NEAR else 0
        return not self.camera.sees(row.x, row.y, margin, self._room().covered) and self.look_at(who)

    def keep_in_view(self, who: str) -> None:
        """Follow somebody who walks."""
        if self.viewer.is_known(who):
            row = self.viewer.view.row(who, self.viewer.shown)
            self.camera.keep(row.x + 1, row.y, self._room().covered)
            self.closer.keep(row.x, row.y)

    def stand(self, x: float, y: float, zoom: int) -> None:
        """Look at a place (in tiles) from so near."""
        self.come_out()
        self.zoom = zoom
        self._take_scale()
        self.camera.centre(x, y)
        self.jumped = True

    def roam(self, t: float, still: bool) -> None:
        """Look around by itself, when nobody else does. still: it must not."""
        viewer = self.viewer
        if still or self.closer.on or not left_alone(viewer):
            self.roaming.rest()
            return
        wanted = self.roaming.aim(lambda: camera_scenes(viewer.view.rows(t), viewer.floor.at(t), viewer.favourites))
        if wanted is not None and self.camera.glide(wanted.x, wanted.y, GLIDE_X, GLIDE_Y):
            self.jumped = True

    # ---- a room from close by

    def _go_close(self) -> bool:
        """Look from close by: at the room of the chosen person, if they are in view, else at that in the middle.
        Returns whether the pane has enough cells.
        """
        room = self._room()
        if room.width < WIDEST or room.height < LOWEST:
            return False
        viewer, (x, y) = self.viewer, self.camera.middle
        if viewer.selected:
            row = viewer.view.row(viewer.selected, viewer.shown)
            x, y = (row.x, row.y) if self.camera.sees(row.x, row.y, below=room.covered) else (x, y)
        self.closer.look(x, y)
        self._change()
        return True

    def come_out(self) -> bool:
        """Look from close by no longer; whether one did."""
        if not self.closer.leave():
            return False
        self._change()
        return True
