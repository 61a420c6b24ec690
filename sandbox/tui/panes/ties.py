"""The pane of ties: people as a moving graph, as a grid, and as a table of measures; now, or at the end of some day.

Enter goes in: to the circle of one person, then to the story of a tie. Escape goes out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.events import Click
from textual.message import Message

from sandbox.store.errors import SaveError
from sandbox.tui.graph import metrics
from sandbox.tui.graph.draw import LONER
from sandbox.tui.graph.heard import HeardTab, heard_key
from sandbox.tui.graph.model import Edge
from sandbox.tui.graph.picture_cache import GRAPH, GRID, HEARD, TABLES, TABS, TiePictures, look_of
from sandbox.tui.graph.scene import HUB, WHOLE
from sandbox.tui.graph.selection import TieSelection
from sandbox.tui.graph.tables import HIGH, LOW, MIDDLE, foot, measures
from sandbox.tui.map.scene import colours_of
from sandbox.tui.view.action import Action
from sandbox.tui.view.text_lines import Line, as_text
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import TabbedPane
from sandbox.tui.widgets.pane import Pane, PanePlace, Region

BEAT = 1 / 3  # seconds between two steps of the moving graph
PAGE = 8  # people or ties that a page key moves by
TALL, ROOMY = 24, 34  # rows of height from which reasons are shown, and long ones
KEYS = "← →"


class TiesPane(TabbedPane, Pane):
    """Who is what to whom. measure: the number of the chosen one. desk: the selection of people, ties and time; easel:
    draws it.
    """

    tabs = TABS
    PLACE = PanePlace("ties", "6", "Ties", "who is what to whom", "among the ties", wide=Region.MAIN, broad=Region.MAIN)
    ACTIONS: ClassVar[tuple[Action[TiesPane], ...]] = (
        Action("ties.earlier", "left", "day", "The ties at the end of the day before; with shift, an hour earlier.",
               lambda pane: pane.turn_time(-1), "ties: a day earlier", rank=2),
        Action("ties.later", "right", "", "A day later; after the last day, now.",
               lambda pane: pane.turn_time(1), "ties: a day later"),
        Action("ties.hour_earlier", "shift+left", "", "An hour earlier.", lambda pane: pane.turn_time(-1, hours=True)),
        Action("ties.hour_later", "shift+right", "", "An hour later.", lambda pane: pane.turn_time(1, hours=True)),
        Action("ties.order", "s", "order",
               "First the most disliked, the best liked, those with most ties, or by name.",
               lambda pane: pane.turn_order(), "ties: order of people", rank=3),
        Action("ties.which", "e", "which", "Which ties are drawn: all, likes or dislikes.",
               lambda pane: pane.turn_which(), "ties: which are drawn", rank=3),
    )  # fmt: skip

    @dataclass
    class Opened(Message):
        """Asks for the story of a tie: of what v is to u."""

        u: str
        v: str

    @dataclass
    class Chosen(Message):
        """Asks to choose somebody."""

        who: str

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.desk = TieSelection(viewer)
        many = len(viewer.world.cast)
        self._tab = GRID if many > WHOLE else GRAPH
        self.easel = TiePictures(self.desk)
        self.heard = HeardTab(viewer)
        self.measure = 0
        self._going = ""  # the person a key moved to, until the stage has chosen them
        self._busy = False
        self._key: object = None
        self._of: tuple[object, ...] = ()  # keeps the objects alive whose id() is in the key
        self._ready: list[Line] = []

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
        of = (desk.ties(), self.easel.force, desk.groups, desk.kinds(), desk.measured, viewer.settings)
        key = (
            *(width, height, self.tab, *map(id, of), desk.who, desk.circle, desk.other, desk.order, desk.which),
            *(desk.slider.t, desk.reading, desk.now // 60, self.measure, self.has_focus, len(desk.history)),
            *(desk.book.ready, heard_key(viewer.world)),
        )
        if key == self._key:
            return self._ready
        low = LOW if height < TALL else MIDDLE if height < ROOMY else HIGH
        look = look_of(viewer.settings, colours_of(self.app))
        out = [self.easel.head(self.tab, width, self.bordered)]
        if self.tab == HEARD:
            out += self.heard.lines(width, height - 1, look.glyphs == "ascii", self.has_focus)
            self._key, self._ready, self._of = key, out, of
            self._entitle()
            return out
        if self.tab == TABLES:
            out += measures(desk, self.measure, width, height - 2, look, self.has_focus)
            out += [[]] * (height - 1 - len(out))
        else:
            room = max(1, height - 2 - low)
            if self.tab == GRAPH:
                out += self.easel.graph(width, room, look, self._still)
                key = (*key[:4], id(self.easel.force), *key[5:])  # drawing may have created it
            else:
                out += self.easel.heat(width, room, look)
            under = foot(desk, width, low)
            out += [*under, *([[]] * (low - len(under)))]
        out.append(desk.slider.line(desk.now, width, KEYS, look.glyphs == "ascii", desk.reading))
        self._key, self._ready, self._of = key, out, (*of, self.easel.force)
        self._entitle()
        return out

    def _entitle(self) -> None:
        many = sum(number != LONER for number in {*self.desk.groups.values()})
        self.entitle("Ties", f"{len(self.desk.ties().people)} people, {many} communities" if many else "")

    def taken(self) -> str:
        if self.tab in (TABLES, HEARD):
            return as_text(self._ready[1 : -1 if self.tab == TABLES else None]).strip()
        return as_text(foot(self.desk, 300, HIGH)).strip()

    # ---- keeping up

    def _beat(self) -> None:
        """Advance the layout of the graph by one step, and redraw if it moved."""
        if not self.display or not self.viewer.ready():
            return
        self._keep_up()
        if self.tab == GRAPH and not self._still and self.easel.drift():
            self.pull()

    @property
    def _still(self) -> bool:
        """Whether the settings ask for reduced motion."""
        return self.viewer.settings["motion"] == "reduced"

    @property
    def measuring(self) -> bool:
        """Whether something is, or will be, read or computed in the background."""
        return self._busy or self._lacks()

    def _keep_up(self) -> None:
        """Start to read and compute in the background what is missing, unless that is under way or has failed."""
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
                desk.take(ties, await asyncio.to_thread(metrics.measure_ties, ties))
                self.pull()
            await desk.book.read()
            for t in desk.days() if self.tab == TABLES else ():
                if desk.book.covers(t):
                    desk.history[t] = await asyncio.to_thread(metrics.measure_ties, desk.book.ties(t))
                    self.pull()
        except SaveError as error:
            desk.fault = str(error)
        finally:
            self._busy = False
        self.pull()

    # ---- keys and mouse

    @property
    def who(self) -> str:
        if self.tab == HEARD:
            return self.heard.chosen
        return (self._going or self.desk.who) if self.tab != TABLES else ""

    @property
    def tie(self) -> tuple[str, str] | None:
        """The chosen tie as (u, v), None if there is none; see `Opened`."""
        tie = self.desk.tie
        return (tie.b, tie.a) if tie is not None and self.tab in (GRAPH, GRID) else None

    def move(self, by: int) -> None:
        desk = self.desk
        if self.tab == TABLES:
            self.measure = max(0, min(len(metrics.MEASURES) - 1, self.measure + by))
        elif self.tab == HEARD:
            if who := self.heard.move(by):
                self._go(who)
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
        """Go into the circle, then open the story of the chosen tie; from measures, go to the graph."""
        desk = self.desk
        if self.tab in (TABLES, HEARD):
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
        if self.tab == HEARD or (self.tab == TABLES and desk.slider.t is None):
            return False
        if desk.circle and self.tab != TABLES:
            desk.circle, desk.other = False, ""
        elif desk.slider.t is not None:
            desk.slider.t = None
        else:
            return False
        self.pull()
        return True

    def turn_time(self, by: int, hours: bool = False) -> None:
        """Move the shown time by so many days, or (hours) hours."""
        slider = self.desk.slider
        (slider.hours if hours else slider.days)(self.desk.now, by)
        self.pull()

    def turn_order(self) -> None:
        """Switch to the next order of people; the cursor goes to the first."""
        desk = self.desk
        desk.turn_order()
        self.notify(f"People: {desk.order}.", timeout=2)
        if not desk.circle and desk.people:
            self._go(desk.people[0])
        self.pull()

    def turn_which(self) -> None:
        """Draw the next of all ties, likes or dislikes."""
        self.desk.turn_which()
        self.notify(f"Drawn: {self.desk.which}.", timeout=2)
        if self.tab != GRAPH:
            self.show_tab(GRAPH)
        self.pull()

    async def on_click(self, event: Click) -> None:  # type: ignore[override]
        """A click on a person chooses them, on the chosen person goes in."""
        if self.tab == HEARD and (who := event.style.meta.get("who")):
            self._go(who)
            self.pull()
            return
        offset = event.get_content_offset(self)
        if offset is None or self.tab in (TABLES, HEARD) or "tab" in event.style.meta:
            return
        who, other = self.easel.under(self.tab, offset.x, offset.y - 1)
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
