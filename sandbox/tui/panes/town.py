"""The town: a window on the map that pulls a frame by a clock of its own and redraws only what changed in it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Click, Leave, MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sandbox.tui import actions, scene
from sandbox.tui.camera import Camera, densest
from sandbox.tui.ink import TEXT, backed, ink, style
from sandbox.tui.labels import Labels
from sandbox.tui.panes.person import card_lines
from sandbox.tui.render.bubbles import Area, Bubble, figure_area
from sandbox.tui.render.painter import Painter
from sandbox.tui.render.palette import DARK, PANEL
from sandbox.tui.render.people import Figure
from sandbox.tui.render.picture import Picture
from sandbox.tui.scene import Pips, Roofs, Seen
from sandbox.tui.speech import mark
from sandbox.tui.viewer import Viewer

FRAMES = 12  # a second, at most
SPARSE = 3  # at the highest speed only every third is drawn
CARD = 3
HOME = "Market Square"


class TownPane(Widget):
    """The map, its people and their talk. carded: whether the chosen person's card covers the lowest rows."""

    can_focus = True
    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings(actions.TOWN)]

    class Chosen(Message):
        """Somebody was clicked ("" = the empty map); follow: twice."""

        def __init__(self, who: str, follow: bool) -> None:
            super().__init__()
            self.who, self.follow = who, follow

    class Panned(Message):
        """The map was moved by hand."""

    def __init__(self, viewer: Viewer, id: str, clock: Callable[[], float] = perf_counter) -> None:
        super().__init__(id=id)
        self.viewer = viewer
        self.picture = Picture(viewer.world.scenario.plan)
        self.painter = Painter(self.picture)
        self.camera = Camera(self.picture.width, self.picture.height)
        self.carded = False
        self.zoom = 0
        self.frame = 0
        self.figures: list[Figure] = []
        self._roofs = Roofs(self.picture.names)
        self._strips: dict[int, Strip] = {}
        self._card: list[Strip] = []
        self.labels = Labels(self.picture)
        self._pips = Pips(clock)
        self._seen: list[Seen] = []
        self._drawn: tuple[object, ...] = ()
        self._skipped = 0
        self._jumped = True
        self._drag: Offset | None = None
        self._dragged = False
        self.border_title = "Town"

    def on_mount(self) -> None:
        self.set_interval(1 / FRAMES, self._beat)

    # ---- frames

    def _beat(self) -> None:
        pace = self.viewer.pace
        self._skipped += 1
        if pace.running and pace.speed == "max" and self._skipped < SPARSE:
            return
        self._skipped = 0
        self.pull()

    def pull(self) -> None:
        """Draw the moment that is shown, as far as it differs from the last frame."""
        if not self.display or self.content_size.area == 0:
            return
        viewer, camera = self.viewer, self.camera
        t = viewer.shown
        if (camera.width, camera.height) != self.content_size:
            self._take_size()
        if viewer.following:
            self._follow(t)
        window = camera.area
        now = (t, viewer.view.version, window, viewer.selected, viewer.hovered, self._covered)
        if now == self._drawn and not (
            viewer.pace.running or self._roofs.moving or self._jumped or self._pips.standing
        ):
            return
        self._drawn = now
        seen = self._seen = scene.seen_in(viewer.view, self.picture, window, t)
        opened = scene.open_houses(seen, window, viewer.selected)
        self._roofs.move(opened, self._jumped)
        if viewer.pace.running:
            self.frame += 1
        bubbles = self._speak(seen, t)
        second = viewer.world.clock.second_of_day(int(t))
        delta = self.painter.compose(
            window, second, self.figures, bubbles, self._roofs.alpha, scene.lit_houses(seen), self.frame
        )
        self._jumped = False
        if delta.full:
            self._strips.clear()
            self.refresh()
        for y, first, last in () if delta.full else delta.spans:
            self._strips.pop(y, None)
            self.refresh(Region(first, y, last - first, 1))
        self._lay_labels(window)
        self._lay_card(t)

    def _take_size(self) -> None:
        first = self.camera.width == 0
        self.camera.resize(*self.content_size)
        if first:
            self.camera.centre(*self._beginning())
        self._jumped = True

    def _beginning(self) -> tuple[float, float]:
        """Where to look first: the largest group out of doors, else the square, else the middle."""
        viewer, picture = self.viewer, self.picture
        rows = [row for row in viewer.view.rows(viewer.shown) if row.awake]
        outdoors = [(r.x, r.y) for r in rows if not scene.house_at(picture, r.x, r.y)]
        square = [s.rect for s in picture.plan.sectors if s.name == HOME]
        middle = [(x + w / 2, y + h / 2) for x, y, w, h in square]
        return densest(outdoors, [*middle, (picture.width / 2, picture.height / 2)])

    def _follow(self, t: float) -> None:
        row = self.viewer.view.row(self.viewer.selected, t)
        self.camera.keep(row.x + 1, row.y, self._covered)

    @property
    def _covered(self) -> int:
        return CARD if self.carded and self.viewer.selected and self.content_size.height > 3 * CARD else 0

    def _speak(self, seen: list[Seen], t: float) -> list[Bubble]:
        """Figures with their marks, and the bubble of the one line in view."""
        viewer = self.viewer
        there = {s.row.id: s.row for s in seen if self.camera.sees(s.row.x, s.row.y, below=self._covered)}
        turns = [turn for turn in viewer.floor.at(t) if any(who in there for who in turn.who)]
        spoken = None
        if viewer.pace.speed in ("slow", "normal"):
            whole = [turn for turn in turns if all(who in there for who in turn.who)]
            spoken = viewer.bubbles.choose(whole, t, viewer.selected, viewer.pace.running, there)
        viewer.spoken = spoken
        talking = spoken.turn.who if spoken else ()
        marks = {who: mark(turn) for turn in turns for who in turn.who if who not in talking}
        named = {viewer.hovered, *talking}
        named.update(who for turn in turns if viewer.selected in turn.who for who in turn.who)
        self.figures = [
            scene.figure(
                s,
                viewer.world.cast[s.row.id],
                "" if s.row.id in talking else marks.get(s.row.id) or self._pips.of(s),
                s.row.id == viewer.selected,
                s.row.id in named,
            )
            for s in seen
        ]
        if spoken is None:
            return []
        who = spoken.line.who
        return [scene.bubble(spoken, viewer.name(who), there[who].mood if who in there else "vague")]

    def _lay_labels(self, window: Area) -> None:
        """Names of buildings where they cover neither people nor words."""
        taken = [figure_area(f, window.x, window.y) for f in self.figures]
        taken.append(Area(0, window.height - self._covered, window.width, self._covered))
        for y in self.labels.lay(window, self.painter.canvas, taken, self._roofs.alpha):
            self._strips.pop(y, None)
            self.refresh(Region(0, y, window.width, 1))

    def _lay_card(self, t: float) -> None:
        viewer = self.viewer
        width, height = self.content_size
        card: list[Strip] = []
        if self._covered:
            lines = card_lines(viewer, viewer.selected, t, width - 2)
            card = [Strip(backed([ink(" "), *line], PANEL, width)) for line in lines]
        before, self._card = self._card, card
        for i in range(max(len(before), len(card))):
            if i >= len(before) or i >= len(card) or before[i] != card[i]:
                self.refresh(Region(0, height - CARD + i, width, 1))

    def render_line(self, y: int) -> Strip:
        """A row of the last frame."""
        width, height = self.content_size
        if self._card and y >= height - CARD:
            return self._card[y - height + CARD]
        strip = self._strips.get(y)
        if strip is None or strip.cell_length != width:
            line = self.labels.over(y, self.painter.line(y))
            strip = Strip(line).adjust_cell_length(width, style(TEXT, bg=DARK))
            self._strips[y] = strip
        return strip

    def on_resize(self) -> None:
        self.pull()

    def on_show(self) -> None:
        self.pull()

    # ---- looking about

    def look_at(self, who: str) -> None:
        """Centre the map on somebody."""
        row = self.viewer.view.row(who, self.viewer.shown)
        self.camera.centre(row.x + 1, row.y + self._covered / 2)
        self._jumped = True
        self.viewer.bubbles.forget()
        self.pull()

    def look_if_away(self, who: str) -> None:
        """Centre the map on somebody who is not well in view."""
        row = self.viewer.view.row(who, self.viewer.shown)
        if not self.camera.sees(row.x, row.y, 2, self._covered):
            self.look_at(who)

    def in_view(self) -> list[str]:
        """Ids of the people one can see, in reading order."""
        opened = scene.open_houses(self._seen, self.camera.area, self.viewer.selected)
        rows = [
            s.row
            for s in self._seen
            if self.camera.sees(s.row.x, s.row.y, below=self._covered) and (not s.house or s.house in opened)
        ]
        return [row.id for row in sorted(rows, key=lambda r: (round(r.y / 4), r.x, r.id))]

    def stand(self, x: float, y: float, zoom: int) -> None:
        """Look at a place (in tiles) from so near: as one did before."""
        self.zoom = zoom
        self.camera.centre(x, y)
        self._jumped = True
        self.pull()

    def toggle_names(self) -> None:
        """Names of buildings, or none."""
        self.labels.shown = not self.labels.shown
        self._drawn = ()
        self.pull()

    def change_zoom(self, by: int) -> None:
        """Farther (1) or nearer (-1)."""

    def toggle_look(self) -> None:
        """The cursor that names what lies under it, or none."""

    def enter_look(self) -> bool:
        """Choose what lies under the cursor; whether there is a cursor."""
        return False

    def end_look(self) -> bool:
        """Take the cursor away; whether there was one."""
        return False

    def next_roofs(self) -> None:
        """Roofs: auto, open, closed."""

    def toggle_camera(self) -> None:
        """The camera that looks around by itself, on or off."""

    def restyle(self) -> None:
        """Draw everything anew: a setting of the look has changed."""
        self._drawn = ()
        self._jumped = True
        self.pull()

    def arrow(self, dx: int, dy: int) -> None:
        """An arrow key."""
        self.pan(4 * dx, 2 * dy)

    def pan(self, dx: int, dy: int) -> None:
        """Move the map by cells."""
        self.camera.pan(dx, dy)
        self.post_message(self.Panned())
        self.pull()

    def leap(self, dx: int, dy: int) -> None:
        """Move the map by half a window."""
        self.pan(dx * self.camera.width // 2, dy * self.camera.height // 2)

    # ---- the mouse

    def person_at(self, x: int, y: int) -> str:
        """Who stands at a cell of the pane, or ""."""
        column, row = x + self.camera.x, y + self.camera.y
        hits = [
            f
            for f in self.figures
            if f.column - 1 <= column <= f.column + 2
            and f.head_row <= row <= f.feet // 2 + 1
            and not self.picture.covered(f.column, round(f.y), self._roofs.alpha)
        ]
        return min(hits, key=lambda f: (abs(f.column + 0.5 - column), abs(f.y - row), f.id)).id if hits else ""

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

    def on_leave(self, event: Leave) -> None:
        self.viewer.hovered = ""

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and not self._dragged:
            self.post_message(self.Chosen(self.person_at(offset.x, offset.y), event.chain > 1))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.pan(*((-6, 0) if event.shift else (0, -3)))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.pan(*((6, 0) if event.shift else (0, 3)))
