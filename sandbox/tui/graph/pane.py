"""The pane of ties: the town's people as a graph that drifts, as a grid, and in measures; now, or as some day ended.

Enter goes in: to one person's circle, to the story of a tie. Escape goes out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from rich.segment import Segment
from textual.events import Click
from textual.message import Message

from sandbox.store.errors import SaveError
from sandbox.tui.action import Action
from sandbox.tui.graph import draw, layout, metrics
from sandbox.tui.graph.desk import Desk
from sandbox.tui.graph.foot import HIGH, LOW, MIDDLE, foot
from sandbox.tui.graph.grid import Grid, grid, person_at
from sandbox.tui.graph.looks import LONER, Look, letters_ground
from sandbox.tui.graph.model import GOOD, ILL, Edge, Matrix
from sandbox.tui.graph.scene import HUB, WHOLE, Scene, scene
from sandbox.tui.graph.tables import measures
from sandbox.tui.ink import DIM, GOLD, SOFT, Line, apart, as_text, fit, ink, style, width_of
from sandbox.tui.panes.lines import ListPane, clicked
from sandbox.tui.panes.pane import Pane, Place, Region
from sandbox.tui.render.cells import Area, Canvas, Ink, Styler
from sandbox.tui.scene import glyphs
from sandbox.tui.viewer import Viewer

BEAT = 1 / 3  # seconds between two pictures
FULL, SMALLEST = 2000, 0.55  # cells from which all ties worth it are drawn, and the least share of them
PAGE = 8  # people or ties of a page
TALL, ROOMY = 24, 34  # rows from which there is room for reasons, and for long ones
GRAPH, GRID, TABLES = range(3)
TABS = ("Graph", "Grid", "Measures")
KEYS = "← →"


class TiesPane(ListPane, Pane):
    """Who is what to whom. tab: the number of the tab that is shown. force: where people stand in the graph; drawn_by:
    what draws each two together there. measure: the number of the chosen one.
    """

    can_focus = True
    PLACE = Place("ties", "6", "Ties", "who is what to whom", "among the ties", wide=Region.MAIN, broad=Region.MAIN)
    ACTIONS: ClassVar[tuple[Action[TiesPane], ...]] = (
        Action("ties.earlier", "left", "day", "The ties as the day before ended; with shift, an hour earlier.",
               lambda pane: pane.turn_time(-1), "ties: a day earlier", rank=2),
        Action("ties.later", "right", "", "A day later; beyond the last it is now.",
               lambda pane: pane.turn_time(1), "ties: a day later"),
        Action("ties.hour_earlier", "shift+left", "", "An hour earlier.", lambda pane: pane.turn_time(-1, hours=True)),
        Action("ties.hour_later", "shift+right", "", "An hour later.", lambda pane: pane.turn_time(1, hours=True)),
        Action("ties.order", "s", "order",
               "Who is first: the most disliked, the best liked, who has most ties, or by name.",
               lambda pane: pane.turn_order(), "ties: order of people", rank=3),
        Action("ties.which", "e", "which", "Which ties are drawn: all, likes or dislikes.",
               lambda pane: pane.turn_which(), "ties: which are drawn", rank=3),
    )  # fmt: skip

    class Opened(Message):
        """The story of a tie is wanted: of what u is to v."""

        def __init__(self, u: str, v: str) -> None:
            super().__init__()
            self.u, self.v = u, v

    class Chosen(Message):
        """Somebody is to be chosen."""

        def __init__(self, who: str) -> None:
            super().__init__()
            self.who = who

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.desk = Desk(viewer)
        many = len(viewer.world.cast)
        self.tab = GRID if many > WHOLE else GRAPH
        self.force: layout.Layout | None = None
        self.measure = 0
        self.drawn_by: Matrix = np.zeros((0, 0))
        self._chips: dict[str, Area] = {}
        self._grid: Grid | None = None
        self._inks: dict[Styler, Ink] = {}
        self._going = ""  # whom a key has gone to, until the stage has chosen them
        self._busy = False
        self._key: object = None
        self._ready: list[Line] = []
        self.border_title = "Ties"

    def on_mount(self) -> None:
        self.set_interval(BEAT, self._beat)

    # ---- what it shows

    def lines(self, width: int, height: int) -> Sequence[Line]:
        desk, viewer = self.desk, self.viewer
        if self._going == viewer.selected:
            self._going = ""
        if not viewer.selected:
            desk.circle = False
        self._keep_up()
        ties = desk.ties()
        key = (
            *(width, height, self.tab, id(ties), id(self.force), id(desk.groups), id(desk.signs()), desk.who),
            *(desk.circle, desk.other, desk.order, desk.which, desk.slider.t, desk.reading, desk.now // 60),
            *(self.measure, self.has_focus, len(desk.history), id(desk.measured), viewer.settings, desk.book.upto > 1),
        )
        if key == self._key:
            return self._ready
        low = LOW if height < TALL else MIDDLE if height < ROOMY else HIGH
        look = self._look()
        bordered = self.outer_size.height != self.content_size.height
        out = [self._tab_line(width, bordered)]
        if self.tab == TABLES:
            out += measures(desk, self.measure, width, height - 2, look, self.has_focus)
            out += [[]] * (height - 1 - len(out))
        else:
            room = max(1, height - 2 - low)
            canvas = self._graph(width, room, look) if self.tab == GRAPH else self._heat(width, room, look)
            out += self._inked(canvas, look)
            under = foot(desk, width, low)
            out += [*under, *([[]] * (low - len(under)))]
        out.append(desk.slider.line(desk.now, width, KEYS, look.glyphs == "ascii", desk.reading))
        self._key, self._ready = key, out
        self._entitle()
        return out

    def _graph(self, width: int, height: int, look: Look) -> Canvas:
        desk = self.desk
        room = min(1.0, max(SMALLEST, width * height / FULL))
        found = scene(desk.ties(), desk.names, desk.groups, desk.wanted()._replace(room=room))
        self._take_layout(found)
        assert self.force is not None
        at = layout.fitted(self.force.at, draw.sizes(found.nodes, look), width, height)
        picture = draw.compose(found.nodes, found.lines, at, width, height, look)
        self._chips = picture.chips
        return picture.canvas

    def _take_layout(self, found: Scene) -> None:
        """Go on from where all stood; a picture that is to stand still is settled at once."""
        people = tuple(node.id for node in found.nodes)
        if self.force is None or self.force.people != people or not np.array_equal(self.drawn_by, found.pull):
            self.force = layout.begun(people, found.pull, self.force)
            if self.viewer.settings["motion"] == "reduced":
                self.force = layout.settled(self.force, found.pull)
            self.drawn_by = found.pull

    def _heat(self, width: int, height: int, look: Look) -> Canvas:
        desk = self.desk
        tie = desk.tie
        other = tie.b if tie is not None else ""
        self._grid = grid(desk.ties(), desk.names, desk.groups, desk.who, other, width, height, look)
        return self._grid.canvas

    def _inked(self, canvas: Canvas, look: Look) -> list[list[Segment]]:
        ink_ = self._inks.setdefault(look.styler, Ink(look.styler))
        return ink_.segments(canvas, range(canvas.height))

    def _look(self) -> Look:
        settings = self.viewer.settings
        colours = "truecolor" if self.app.is_headless else self.app.console.color_system
        kind, palette, theme = glyphs(settings["glyphs"], colours), settings["palette"], settings.theme
        named = palette == "grey" or kind != "pictures"
        if kind == "pictures":
            own = (theme.colours[name] for name in ("pane", "text", "soft", "text"))
            ground, text, soft, bright = own
        else:
            ground, text, soft, bright = letters_ground(theme.dark)
        return Look(palette, kind, theme.dark, ground, text, soft, bright, named)

    def _tab_line(self, width: int, bordered: bool) -> Line:
        desk = self.desk
        out: Line = [] if bordered else [ink("Ties ", GOLD, bold=True)]
        for i, name in enumerate(TABS):
            look = style(GOLD, bold=True, reverse=True) if i == self.tab else style(SOFT)
            out += clicked([Segment(f" {name} ", look), ink(" ")], "tab", i)
        if self.tab == TABLES:
            return fit(out, width)
        said = [desk.order, *([desk.which] if desk.which in (GOOD, ILL) and self.tab == GRAPH else [])]
        if desk.circle:
            said = [f"the circle of {self.viewer.name(desk.who)}, {self._where()}"]
        right = [ink(" | ".join(said), DIM)]
        if self.tab == GRAPH and width_of(out) + width_of(right) + 34 <= width:
            right = [ink("solid likes, dashed dislikes   ", DIM), *right]
        if self.tab == GRID and width_of(out) + width_of(right) + 37 <= width:
            right = [ink("a row: what they feel for others   ", DIM), *right]
        return apart(out, right, width)

    def _where(self) -> str:
        edges, tie = self.desk.edges, self.desk.tie
        at = next((i for i, e in enumerate(edges) if tie is not None and e.b == tie.b), -1)
        return f"{at + 1} of {len(edges)}" if edges else "nobody"

    def _entitle(self) -> None:
        many = sum(number != LONER for number in {*self.desk.groups.values()})
        says = f"{len(self.desk.ties().people)} people, {many} communities" if many else ""
        if says != self.border_subtitle:
            self.border_subtitle = says

    def taken(self) -> str:
        if self.tab == TABLES:
            return as_text(self._ready[1:-1]).strip()
        return as_text(foot(self.desk, 300, HIGH)).strip()

    # ---- keeping up

    def _beat(self) -> None:
        """A step of the layout, and a picture of it."""
        if not self.display or not self.viewer.ready():
            return
        self._keep_up()
        found = self.force
        moves = found is not None and not found.still and self.viewer.settings["motion"] != "reduced"
        if self.tab == GRAPH and found is not None and moves:
            self.force = layout.step(found, self.drawn_by)
            self.pull()

    @property
    def measuring(self) -> bool:
        """Whether something is read or worked out beside the screen, or will be."""
        return self._busy or self._lacks()

    def _keep_up(self) -> None:
        """Have read and worked out what is not known yet, beside the screen."""
        if not self._busy and self.is_mounted and not self.desk.fault and self._lacks():
            self._busy = True
            self.run_worker(self._work(), group="ties", exit_on_error=False)

    def _lacks(self) -> bool:
        desk = self.desk
        unread = not desk.book.ready or (self.tab == TABLES and bool(desk.days()))
        return unread or desk.unmeasured() is not None

    async def _work(self) -> None:
        desk = self.desk
        try:
            if (ties := desk.unmeasured()) is not None:
                desk.take(ties, await asyncio.to_thread(metrics.measured, ties))
                self.pull()
            await desk.book.read()
            for t in desk.days() if self.tab == TABLES else ():
                if desk.book.covers(t):
                    desk.history[t] = await asyncio.to_thread(metrics.measured, desk.book.ties(t))
                    self.pull()
        except SaveError as error:
            desk.fault = str(error)
        finally:
            self._busy = False
        self.pull()

    # ---- keys and mouse

    @property
    def tie(self) -> tuple[str, str] | None:
        """The chosen tie: what the first is to the second."""
        tie = self.desk.tie
        return (tie.b, tie.a) if tie is not None and self.tab != TABLES else None

    def move(self, by: int) -> None:
        desk = self.desk
        if self.tab == TABLES:
            self.measure = max(0, min(len(metrics.MEASURES) - 1, self.measure + by))
        elif desk.circle:
            edges = [e.b for e in desk.edges]
            if edges:
                at = edges.index(desk.other) if desk.other in edges else 0
                desk.other = edges[max(0, min(len(edges) - 1, at + by))]
        elif desk.people:
            people, now = desk.people, self._going or desk.who
            at = max(0, min(len(people) - 1, people.index(now) + by))
            if not self.viewer.selected and not self._going and by == 1:
                at = 0 if len(people) < 2 else 1
            self._go(people[at])
        self.pull()

    def page(self, by: int) -> None:
        self.move(by * PAGE)

    def _go(self, who: str) -> None:
        self._going = who
        self.post_message(self.Chosen(who))

    async def enter(self) -> None:
        """Into the circle, then into the story of the chosen tie; from measures, to the graph."""
        desk = self.desk
        if self.tab == TABLES:
            self.show_tab(GRAPH)
        elif (tie := desk.tie) is not None:
            self.post_message(self.Opened(tie.b, tie.a))
        elif desk.edges:
            self._look_at(desk.edges[0])
        self.pull()

    def _look_at(self, edge: Edge) -> None:
        self.desk.circle, self.desk.other = True, edge.b
        self.viewer.selected = self.viewer.selected or edge.a
        self._go(edge.a)

    def leave(self) -> bool:
        desk = self.desk
        if self.tab == TABLES and desk.slider.t is None:
            return False
        if desk.circle and self.tab != TABLES:
            desk.circle, desk.other = False, ""
        elif desk.slider.t is not None:
            desk.slider.t = None
        else:
            return False
        self.pull()
        return True

    def turn(self, by: int) -> None:
        """The next tab, or the one before."""
        self.show_tab((self.tab + by) % len(TABS))

    def show_tab(self, number: int) -> None:
        """Show a tab."""
        self.tab = number
        self.pull()

    def turn_time(self, by: int, hours: bool = False) -> None:
        """By so many days, or hours."""
        slider = self.desk.slider
        (slider.hours if hours else slider.days)(self.desk.now, by)
        self.pull()

    def turn_order(self) -> None:
        """Another order of people; the cursor goes to the first."""
        desk = self.desk
        desk.turn_order()
        self.notify(f"People: {desk.order}.", timeout=2, markup=False)
        if not desk.circle and desk.people:
            self._go(desk.people[0])
        self.pull()

    def turn_which(self) -> None:
        """Other ties in the picture."""
        self.desk.turn_which()
        self.notify(f"Drawn: {self.desk.which}.", timeout=2, markup=False)
        if self.tab != GRAPH:
            self.show_tab(GRAPH)
        self.pull()

    async def on_click(self, event: Click) -> None:  # type: ignore[override]
        """A click on a tab shows it, on somebody chooses them, on who is chosen goes in."""
        if (tab := event.style.meta.get("tab")) is not None:
            self.show_tab(tab)
            return
        offset = event.get_content_offset(self)
        if offset is None or self.tab == TABLES:
            return
        who, other = self._under(offset.x, offset.y - 1)
        if not who or who.startswith(HUB):
            return
        desk = self.desk
        again = who == self.viewer.selected or event.chain > 1
        if desk.circle and who != desk.who and self.tab == GRAPH and any(e.b == who for e in desk.edges):
            again, desk.other = desk.other == who, who
            if again:
                await self.enter()
        elif other and any(e.b == other for e in desk.ties().circle(who)):
            desk.circle, desk.other = True, other
            self.viewer.selected = who
            self._go(who)
        elif again and not desk.circle:
            await self.enter()
        else:
            self._go(who)
        self.pull()

    def _under(self, x: int, y: int) -> tuple[str, str]:
        """Who lies under a cell, and in the grid, to whom."""
        if self.tab == GRID:
            return person_at(self._grid, x, y) if self._grid is not None else ("", "")
        return next((who for who, area in self._chips.items() if area.holds(x, y)), ""), ""
