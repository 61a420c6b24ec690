"""A window on the map that pulls a frame by a clock of its own and redraws only what changed in it. It takes no keys
and no mouse; `panes/town.py` does. What it looks at stands in `map/viewpoint.py`.
"""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from sandbox.readers.facts import SpeechTurn
from sandbox.tui.map import overlay, scene
from sandbox.tui.map.bubbles import Bubble
from sandbox.tui.map.closeup import CloseLetters, ClosePainter
from sandbox.tui.map.labels import look_line, tile_words
from sandbox.tui.map.overlay import Hover, MapOverlay, foot_strips, targets
from sandbox.tui.map.painter import Painter
from sandbox.tui.map.people import MapFigure, TalkLink
from sandbox.tui.map.scene import MoodChangeMarks, Roofs, SeenPerson
from sandbox.tui.map.viewpoint import PaneRoom, Viewpoint
from sandbox.tui.panes.person_now import person_card_lines
from sandbox.tui.theme.colours import DARK
from sandbox.tui.view.cells import NEAR, Box, Canvas
from sandbox.tui.view.speech import link_tone
from sandbox.tui.view.text_lines import Line, style
from sandbox.tui.view.viewer import Viewer

FRAMES = 12  # a second, at most
SPARSE = 3  # at the highest speed only every third is drawn
CARD = 3


class TownView(Widget):
    """The map, its people and their talk. carded: whether the chosen person's card covers the lowest rows.
    lid: cells that a panel lies over. camera, closer, roaming: those of its viewpoint.
    """

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(id=id)
        self.viewer = viewer
        self.picture = scene.picture_of(viewer.world.scenario.plan)
        self.painter: Painter = Painter(self.picture)
        self._viewpoint = Viewpoint(viewer, self.picture, self._room, self._choose_painter)
        self.camera = self._viewpoint.camera
        self.closer = self._viewpoint.closer
        self.roaming = self._viewpoint.roaming
        self.carded = False
        self.lid = Box(0, 0, 0, 0)
        self.frame = 0
        self.figures: list[MapFigure] = []
        self.over = MapOverlay(self.picture)
        self.hover = Hover(viewer.clock)
        self._roofs = Roofs(self.picture.names)
        self._strips: dict[int, Strip] = {}
        self._foot: list[Strip] = []
        self._pips = MoodChangeMarks(viewer.clock)
        self._seen: list[SeenPerson] = []
        self._drawn: tuple[object, ...] = ()
        self._skipped = 0
        self.border_title = "Town"

    def on_mount(self) -> None:
        self.restyle()
        self.set_interval(1 / FRAMES, self._beat)

    # ---- frames

    def _beat(self) -> None:
        if self.viewer.jumping or not self.viewer.ready():  # the terminal has not taken the last frame yet
            return
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
            self._viewpoint.take_size(viewer.selected if viewer.selected in self.in_view() else "")
        camera.cover(self._covered)
        if viewer.following:
            self._viewpoint.keep_in_view(viewer.selected)
        self._viewpoint.roam(t, still=self.reduced or self.over.cursor is not None)
        self._take_hint()
        now = (
            *(t, viewer.view, viewer.view.version, camera.area, camera.scale, self._covered, self.over.cursor),
            *(self.over.hint, self.over.hint_at, viewer.selected, viewer.hovered, frozenset(viewer.favourites)),
            *(viewer.on_map, viewer.stages, viewer.plays),
            *(self.lid, viewer.asked, self._viewpoint.close, viewer.things),
        )
        moving = viewer.pace.running or self._roofs.moving or self._viewpoint.jumped or self._pips.standing
        if now == self._drawn and not moving:
            return
        self._drawn = now
        self._draw(t, viewer.floor.at(t))
        self._lay_foot(t)
        self._entitle()

    def _draw(self, t: float, turns: list[SpeechTurn]) -> None:
        viewer, camera = self.viewer, self.camera
        close, painter = self._viewpoint.close, self.painter
        about = scene.seen_in(viewer.session.view, self.picture, self._viewpoint.tiles, t)
        seen = self._seen = scene.in_sight(viewer, about, t)
        self._roofs.move(self._opened(), self._viewpoint.jumped or self.reduced)
        if viewer.pace.running:
            self.frame += 1
        bubbles = self._speak(seen, turns, t)
        second = viewer.world.clock.second_of_day(int(t))
        self.painter.lids = (self.lid, Box(0, camera.height - self._covered, camera.width, self._covered))
        self.painter.weather = overlay.weather(viewer.world)
        self.over.marks = overlay.marks(viewer.world, self.picture)
        self.painter.links = [TalkLink(*turn.who, link_tone(turn)) for turn in turns]
        self.over.things = viewer.things.at(t)
        self.over.targets = targets(viewer, camera, turns, t, self._covered)
        if close is not None and isinstance(painter, ClosePainter | CloseLetters):
            painter.close = close
            area = Box(0, 0, close.columns, close.rows)
            delta = painter.compose(
                *(area, second, self.figures, bubbles, None, scene.lit_houses(about), self.frame),
                lambda canvas: self.over.write_close(canvas, painter, close, 0),
            )
        else:
            delta = painter.compose(
                *(camera.area, second, self.figures, bubbles, self._alpha(), scene.lit_houses(about)),
                *(self.frame, self._write),
            )
        self._viewpoint.jumped = False
        if delta.full:
            self._strips.clear()
            self.refresh()
        for y, first, last in () if delta.full else delta.spans:
            self._strips.pop(y, None)
            self.refresh(Region(first, y, last - first, 1))

    def _write(self, canvas: Canvas) -> None:
        self.over.write(canvas, self.painter, self.camera, self._covered, self._alpha(), self.viewer.world.uses)

    def _opened(self) -> frozenset[str]:
        """Buildings to see into. From afar roofs stay on unless all are to be open."""
        roofs = self.viewer.settings["roofs"]
        if roofs == "auto" and self.camera.scale != NEAR:
            return frozenset()
        if self.closer.on:
            return frozenset(self.picture.names)
        return scene.roofless_houses(self._seen, self.camera.tiles, self.viewer.selected, roofs, self.picture.names)

    def _alpha(self) -> dict[str, float]:
        return dict(self._roofs.alpha)

    def _choose_painter(self) -> None:
        colours = scene.colours_of(self.app)
        if self.closer.on:
            self.painter = scene.close_painter_for(self.picture, self.viewer.settings, colours)
        else:
            self.painter = scene.painter_for(self.picture, self.viewer.settings, colours, self.camera.scale)

    @property
    def reduced(self) -> bool:
        """Whether nothing is to move by itself."""
        return self.viewer.settings["motion"] == "reduced"

    def _speak(self, seen: list[SeenPerson], turns: list[SpeechTurn], t: float) -> list[Bubble]:
        """Figures with their marks, and the bubbles of the lines in view."""
        viewer = self.viewer
        there = {s.row.id: s.row for s in seen if self._viewpoint.sees(s.row.x, s.row.y)}
        whole = [turn for turn in turns if all(who in there for who in turn.who)]
        pace = viewer.pace
        played = viewer.world.played
        mine = "" if played.aside else played.who
        spoken = viewer.bubbles.choose(whole, t, pace.speed, viewer.selected, pace.running, there, mine)
        viewer.spoken = spoken[0] if spoken else None
        shown = spoken if self.camera.scale == NEAR else []
        self.figures = scene.figures_in_view(viewer, seen, turns, shown, self._pips)
        return [scene.bubble(s, viewer.name(s.line.who), there[s.line.who].mood) for s in shown]

    def _take_hint(self) -> None:
        """Name the place the mouse rests on, where nobody stands."""
        at = self.hover.resting
        self.over.hint = ""
        if at is not None and not self.closer.on and not self.viewer.hovered and not self.over.arrow_at(*at):
            x, y = self.camera.place(*at)
            self.over.hint_at = at
            self.over.hint = tile_words(self.viewer, self.picture, int(x), int(y), self._roofs.alpha)

    # ---- the foot: a card of the chosen person, and what the look cursor is on

    @property
    def _covered(self) -> int:
        """Rows that the foot covers."""
        room = self.content_size.height > 3 * CARD
        card = CARD if self.carded and self.viewer.selected and room else 0
        return card + (1 if self.over.cursor is not None else 0)

    def _room(self) -> PaneRoom:
        return PaneRoom(*self.content_size, self._covered)

    def _lay_foot(self, t: float) -> None:
        viewer = self.viewer
        width, height = self.content_size
        lines: list[Line] = []
        if self.over.cursor is not None:
            x, y = self.over.cursor
            place = tile_words(viewer, self.picture, int(x), int(y), self._roofs.alpha)
            who = self.person_at(*self.camera.cell(x, y), 0)
            thing = self.over.thing_at(*self.camera.cell(x, y))
            sector = self.picture.sector_at(int(x), int(y))
            lines.append(look_line(viewer, who, thing, place, sector, width - 2))
        if len(lines) < self._covered:
            lines += person_card_lines(viewer, viewer.selected, t, width - 2)
        before, self._foot = self._foot, foot_strips(lines, width, self.painter.ascii_only)
        for i in range(1, max(len(before), len(self._foot)) + 1):
            if before[-i : len(before) - i + 1] != self._foot[-i : len(self._foot) - i + 1]:
                self.refresh(Region(0, height - i, width, 1))

    def _entitle(self) -> None:
        """Say on the border from how far one looks, and what is unusual."""
        roofs = self.viewer.settings["roofs"]
        said = [
            self._viewpoint.distance,
            f"roofs {roofs}" if roofs != "auto" else "",
            "looking around" if self.roaming.at else "",
        ]
        words = " | ".join(word for word in said if word)
        if words != self.border_subtitle:
            self.border_subtitle = words

    def render_line(self, y: int) -> Strip:
        """A row of the last frame."""
        width, height = self.content_size
        if y >= height - len(self._foot):
            return self._foot[y - height + len(self._foot)]
        strip = self._strips.get(y)
        if strip is None or strip.cell_length != width:
            line = Strip(self.painter.line(y), self.painter.canvas.width if y < self.painter.canvas.height else 0)
            strip = line.adjust_cell_length(width, style("text", bg=DARK))
            self._strips[y] = strip
        return strip

    def on_resize(self) -> None:
        self.pull()

    def on_show(self) -> None:
        self.pull()

    # ---- looking about

    @property
    def zoom(self) -> int:
        """From how far it looks: 0 near, then farther."""
        return self._viewpoint.zoom

    def look_at(self, who: str) -> None:
        """Centre the map on somebody, if they are of the town at the moment shown."""
        if self._viewpoint.look_at(who):
            self.pull()

    def look_if_away(self, who: str) -> None:
        """Centre the map on somebody who is not well in view."""
        if self._viewpoint.look_if_away(who):
            self.pull()

    def in_view(self) -> list[str]:
        """Ids of the people one can see, in reading order."""
        opened = self._opened()
        far = self.camera.scale != NEAR
        rows = [
            s.row
            for s in self._seen
            if self._viewpoint.sees(s.row.x, s.row.y) and (not s.house or s.house in opened or (far and s.row.awake))
        ]
        return [row.id for row in sorted(rows, key=lambda r: (round(r.y / 4), r.x, r.id))]

    def stand(self, x: float, y: float, zoom: int) -> None:
        """Look at a place (in tiles) from so near: as one did before."""
        self._viewpoint.stand(x, y, zoom)
        self.pull()

    def change_zoom(self, by: int) -> bool:
        """Farther (1) or nearer (-1), the middle of the map staying there. Whether it goes any farther or nearer."""
        changed = self._viewpoint.change_zoom(by)
        if self.closer.on:
            self.over.cursor = None
        self.pull()
        return changed

    def come_out(self) -> bool:
        """Look from close by no longer; whether one did."""
        came = self._viewpoint.come_out()
        if came:
            self.pull()
        return came

    def leapt(self) -> None:
        """The town stands at another moment: roofs are as they are then, and nobody's mood has just changed."""
        self._drawn = ()
        self._viewpoint.jumped = True
        self._pips = MoodChangeMarks(self.viewer.clock)
        self.pull()

    def restyle(self) -> None:
        """Draw everything anew: a setting of the look has changed."""
        self.over.labels.shown = self.viewer.settings.on("names")
        self._choose_painter()
        self._viewpoint.jumped = True
        self._foot = []
        self._drawn = ()
        self.pull()

    def person_at(self, x: int, y: int, slack: int = 1) -> str:
        """Who stands at a cell of the pane, or within `slack` cells of it; or ""."""
        hits = [
            (abs(area.x + area.width // 2 - x) + abs(area.y + area.height // 2 - y), who)
            for who, area in self.painter.bodies.items()
            if area.x - slack <= x < area.x + area.width + slack and area.y <= y < area.y + area.height + slack
        ]
        return min(hits)[1] if hits else ""
