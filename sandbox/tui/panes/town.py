"""The pane of the town: the window on the map, moved by keys and the mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.events import Click, Leave, MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp
from textual.geometry import Offset
from textual.message import Message

from sandbox.tui.panes.person_now import person_card_lines
from sandbox.tui.panes.townview import TownView
from sandbox.tui.view.action import Action
from sandbox.tui.view.settings import FIELDS
from sandbox.tui.view.text_lines import as_text
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import EntriesPane
from sandbox.tui.widgets.pane import Pane, PanePlace, Region

PAN_X, PAN_Y = 4, 2  # cells an arrow key moves the map
RIM_X, RIM_Y = 4, 2  # cells from the edge at which the look cursor moves the map
QUICK_X, QUICK_Y = 8, 4  # cells that the look cursor moves with shift
COPIED = 300  # cells per line of a copied person card


class TownPane(TownView, Pane):
    """The map, its people and their talk."""

    can_focus = True
    PLACE = PanePlace("town", "1", "Town", "the town", "in the town", wide=Region.MAIN, broad=Region.MAIN)
    LOOK = "border-title-color: $our-dim;"
    ACTIONS: ClassVar[tuple[Action[TownPane], ...]] = (
        Action("town.next", "j", "next", "Choose the next person in view.",
               lambda pane: pane.post_message(pane.Stepped(1)), "person: next", rank=2),
        Action("town.previous", "k", "", "Choose the one before.",
               lambda pane: pane.post_message(pane.Stepped(-1)), "person: previous"),
        Action("town.left", "left", "", "Move the map, with shift by half a screen; with v the look cursor.",
               lambda pane: pane.arrow(-1, 0)),
        Action("town.right", "right", "", "", lambda pane: pane.arrow(1, 0)),
        Action("town.up", "up", "", "", lambda pane: pane.arrow(0, -1)),
        Action("town.down", "down", "", "", lambda pane: pane.arrow(0, 1)),
        Action("town.far_left", "shift+left", "", "", lambda pane: pane.arrow(-1, 0, far=True)),
        Action("town.far_right", "shift+right", "", "", lambda pane: pane.arrow(1, 0, far=True)),
        Action("town.far_up", "shift+up", "", "", lambda pane: pane.arrow(0, -1, far=True)),
        Action("town.far_down", "shift+down", "", "", lambda pane: pane.arrow(0, 1, far=True)),
        Action("town.nearer", "plus,equals_sign", "", "Zoom in; when it is near, once more shows the room close up.",
               lambda pane: pane.zoom_by(-1, "It is as near as it can be."), "town: zoom in"),
        Action("town.farther", "minus", "zoom", "Zoom out, until the whole town fits.",
               lambda pane: pane.zoom_by(1, "The whole town is in view."), "town: zoom out"),
        Action("town.look", "v", "look", "A cursor that names what is under it; enter chooses people or opens a place.",
               lambda pane: pane.toggle_look(), "town: look around"),
        Action("town.roofs", "o", "", "Roofs: auto, open, closed.",
               lambda pane: pane.turn_setting("roofs", "Roofs"), "town: roofs"),
        Action("town.camera", "a", "", "Turn the camera that looks around by itself on or off.",
               lambda pane: pane.turn_setting("auto_camera", "Camera that looks around"), "camera: by itself"),
        Action("town.names", "l", "", "Names of places on the map, or none.",
               lambda pane: pane.turn_setting("names", "Names of places"), "town: names of places"),
    )  # fmt: skip

    @dataclass
    class Chosen(Message):
        """Somebody was clicked ("" = empty map). follow: by a double click; look: by an arrow that leads to them."""

        who: str
        follow: bool = False
        look: bool = False

    @dataclass
    class Stepped(Message):
        """Asks to choose the next person in view (by 1) or the one before (by -1)."""

        by: int

    @dataclass
    class Strolled(Message):
        """Asks the played person to walk in a direction. far: with shift."""

        dx: int
        dy: int
        far: bool

    class Opened(Message):
        """Asks to show the chosen person."""

    @dataclass
    class Asked(Message):
        """Asks to show the place under the look cursor."""

        sector: str

    @dataclass
    class Turned(Message):
        """Asks to change a setting."""

        key: str
        value: str

    class Panned(Message):
        """The map was moved by hand."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self._limit = ""  # the last notice that zooming has reached its end
        self._drag: Offset | None = None
        self._dragged = False

    def take_room(self, alone: bool, small: bool) -> None:
        """On a small screen, show a card of the chosen person over the bottom of the map."""
        self.carded = small

    async def enter(self) -> None:
        """Choose or open what is under the look cursor; without a cursor, show the chosen person."""
        if not self.enter_look():
            self.post_message(self.Opened())

    def leave(self) -> bool:
        """Leave the close view of a room; whether it was on."""
        return self.come_out()

    def taken(self) -> str:
        """The text to copy: the chosen person's card; if nobody is chosen, the event that time stopped at."""
        viewer = self.viewer
        if not viewer.selected:
            return viewer.told_of(viewer.stop)
        lines = person_card_lines(viewer, viewer.selected, viewer.shown, COPIED)
        return as_text(lines)

    # ---- zoom and settings

    def zoom_by(self, by: int, limit: str) -> None:
        """Zoom by one level (1 = out); at the end show the notice `limit`, once."""
        if self.change_zoom(by):
            self._limit = ""
        elif self._limit != limit:
            self._limit = limit
            self._say(limit)

    def turn_setting(self, key: str, title: str) -> None:
        """Ask for the next choice of a setting, and show a notice of it."""
        choices = next(field.choices for field in FIELDS if field.key == key)
        value = choices[(choices.index(self.viewer.settings[key]) + 1) % len(choices)]
        self.post_message(self.Turned(key, value))
        still = key == "auto_camera" and value == "on" and self.reduced
        self._say(f"{title}: {value}{', but motion is reduced' if still else ''}.")

    def _say(self, text: str) -> None:
        self.notify(text, timeout=2)

    # ---- moving the map

    def arrow(self, dx: int, dy: int, far: bool = False) -> None:
        """An arrow key: moves the close view, the look cursor, the played person or the map. far: with shift."""
        if self.closer.on:
            self.closer.pan(dx, dy)
            self.pull()
        elif self.over.cursor is None and self.viewer.plays:
            self.post_message(self.Strolled(dx, dy, far))
        elif self.over.cursor is not None:
            self._move_cursor(*((QUICK_X * dx, QUICK_Y * dy) if far else (dx, dy)))
        elif far:
            self.pan(dx * self.camera.width // 2, dy * self.camera.height // 2)
        else:
            self.pan(PAN_X * dx, PAN_Y * dy)

    def pan(self, dx: int, dy: int) -> None:
        """Move the map by so many cells; not in the close view of a room."""
        if self.closer.on:
            return
        self.camera.pan(dx, dy)
        self.post_message(self.Panned())
        self.pull()

    # ---- the look cursor

    def toggle_look(self) -> None:
        """Switch the look cursor, which names what is under it. It starts on the chosen person, else in the middle."""
        if self.end_look():
            return
        self.come_out()
        camera, viewer = self.camera, self.viewer
        start = camera.place(camera.width // 2, camera.height // 2)
        if viewer.selected:
            row = viewer.view.row(viewer.selected, viewer.shown)
            start = (row.x, row.y) if camera.sees(row.x, row.y, below=self._covered) else start
        self.over.cursor = camera.place(*camera.cell(*start))
        self.pull()

    def enter_look(self) -> bool:
        """Choose the person under the look cursor, which removes it; else open the event of the thing there, or the
        place. Whether there is a cursor.
        """
        if self.over.cursor is None:
            return False
        x, y = self.over.cursor
        if who := self.person_at(*self.camera.cell(x, y), 0):
            self.end_look()
            self.post_message(self.Chosen(who))
        elif (thing := self.over.thing_at(*self.camera.cell(x, y))) is not None:
            self.post_message(EntriesPane.Cause(thing.seq))
        elif sector := self.picture.sector_at(int(x), int(y)):
            self.post_message(self.Asked(sector))
        return True

    def end_look(self) -> bool:
        """Remove the look cursor; whether there was one."""
        if self.over.cursor is None:
            return False
        self.over.cursor = None
        self.pull()
        return True

    def _move_cursor(self, dx: int, dy: int) -> None:
        camera = self.camera
        assert self.over.cursor is not None
        column, row = camera.cell(*self.over.cursor)
        column, row = column + dx, row + dy
        height = camera.height - self._covered
        rim_x, rim_y = min(RIM_X, camera.width // 3), min(RIM_Y, height // 3)
        left, up = min(0, column - rim_x), min(0, row - rim_y)
        right, down = max(0, column - camera.width + 1 + rim_x), max(0, row - height + 1 + rim_y)
        x, y = camera.x, camera.y
        camera.pan(left + right, up + down)
        moved_x, moved_y = camera.x - x, camera.y - y
        column = max(0, min(camera.width - 1, column - moved_x))
        row = max(0, min(height - 1, row - moved_y))
        self.over.cursor = camera.place(column, row)
        if moved_x or moved_y:
            self.post_message(self.Panned())
        self.pull()

    # ---- the mouse

    def on_mouse_down(self, event: MouseDown) -> None:
        self._drag, self._dragged = event.screen_offset, False
        self.capture_mouse()

    def on_mouse_up(self, event: MouseUp) -> None:
        self._drag = None
        self.release_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        if self._drag is not None and event.button:
            moved = self._drag - event.screen_offset
            if moved != Offset():
                self._dragged, self._drag = True, event.screen_offset
                self.pan(moved.x, moved.y)
            return
        offset = event.get_content_offset(self)
        self.viewer.hovered = self.person_at(offset.x, offset.y) if offset else ""
        self.hover.move((offset.x, offset.y) if offset else None)

    def on_leave(self, event: Leave) -> None:
        self.viewer.hovered = ""
        self.hover.move(None)

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or self._dragged:
            return
        if led := self.over.arrow_at(offset.x, offset.y):
            self.post_message(self.Chosen(led, look=True))
        else:
            self.post_message(self.Chosen(self.person_at(offset.x, offset.y), event.chain > 1))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self._wheel(-1, event.shift, event.ctrl)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self._wheel(1, event.shift, event.ctrl)

    def _wheel(self, by: int, shift: bool, ctrl: bool) -> None:
        if ctrl:
            self.change_zoom(by)
        else:
            self.pan(*((6 * by, 0) if shift else (0, 3 * by)))
