"""The stage: where the panes stand, who is chosen, what is open. It knows no keys; hands (`hands/`) move it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from textual.app import ComposeResult
from textual.containers import Container
from textual.events import DescendantFocus, Resize
from textual.widget import Widget

from sandbox.core.text import clean
from sandbox.tui import actions, waiting
from sandbox.tui.guard import Guard
from sandbox.tui.house import House
from sandbox.tui.interviews import Interviews
from sandbox.tui.lean import LeanScreen
from sandbox.tui.panes import toosmall
from sandbox.tui.panes.footer import KeyFooter
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.panes.nowline import NowLine
from sandbox.tui.panes.people import PeoplePane
from sandbox.tui.panes.person import PersonPane
from sandbox.tui.panes.scrubber import Scrubber
from sandbox.tui.panes.sheet import Leaf, Sheet
from sandbox.tui.panes.since import Since
from sandbox.tui.panes.status import Status
from sandbox.tui.panes.strip import PANES, PaneStrip
from sandbox.tui.panes.tabs import Tabs
from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.panes.town import TownPane
from sandbox.tui.time.rows import where, whom
from sandbox.tui.viewer import Viewer

PULSE = 0.25
BEEN = 50


class Place(NamedTuple):
    """Where somebody who watches was: to go back there."""

    x: float
    y: float
    zoom: int
    selected: str
    following: bool
    pane: str


class Stage(LeanScreen[None]):
    """All panes over one `Viewer`. Panes post messages; only the stage changes what is chosen.

    guard: what stands watch while time runs.
    """

    guard: Guard

    def __init__(self, viewer: Viewer, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self.viewer = viewer
        self.interviews = Interviews(viewer)
        self.town = TownPane(viewer, "town", viewer.clock)
        self.timeline = TimelinePane(viewer, "timeline")
        self.person = PersonPane(viewer, "person")
        self.people = PeoplePane(viewer, "people")
        self.tabs = Tabs(viewer, "tabs")
        self.sheet = Sheet(viewer, "sheet")
        self.since = Since(viewer, "since")
        self.strip = PaneStrip(viewer, "strip")
        self.footer = KeyFooter(viewer, "footer", keymap)
        self.scrubber = Scrubber(viewer, "scrubber")
        self.current = "town"
        self.large = False
        self.been: list[Place] = []
        self._rows = (Status(viewer, "status"), self.scrubber, NowLine(viewer, "nowline"), self.strip, self.footer)
        self._drawn: tuple[object, ...] = ()
        self._stale = False

    def compose(self) -> ComposeResult:
        status, scrubber, nowline, strip, footer = self._rows
        yield status
        with Container(id="body"):
            yield self.town
            yield self.tabs
            yield self.timeline
            yield self.people
            yield self.person
        yield scrubber
        yield nowline
        yield strip
        yield footer
        yield self.since
        yield self.sheet

    def on_mount(self) -> None:
        self.set_class(self.viewer.replaying, "-replay")
        self.set_interval(PULSE, self.pulse)
        self.guard.begin()
        self.viewer.past.heard.append(self._heard)
        self.viewer.past.start = self._read_past
        self.show_pane("town")

    def _read_past(self) -> None:
        self.run_worker(self.viewer.past.read(), name="past", exit_on_error=False)

    def _heard(self) -> None:
        """More of what was before is told, or cannot be."""
        if fault := clean(self.viewer.past.fault, 600):
            self.notify(fault, title="what was before cannot be read", severity="warning", timeout=12, markup=False)
        self.update()

    @property
    def house(self) -> House:
        """The program around."""
        return cast(House, self.app)

    async def do(self, id: str) -> None:
        """Do an action of the table."""
        raise NotImplementedError

    # ---- keeping the panes up to date

    def pulse(self) -> None:
        """Ask the panes for their lines if anything they tell has changed."""
        viewer = self.viewer
        viewer.pace.hurry()
        now = (
            viewer.view,
            viewer.view.version,
            int(viewer.shown) // 60,
            viewer.spoken,
            viewer.selected,
            viewer.following,
            viewer.pace.words,
            waiting.state(viewer),
            len(viewer.learnt),
            viewer.unread,
            viewer.since,
            viewer.stop,
            self.footer.where,
            viewer.chronicle.told if viewer.replaying else 0,
        )
        if now != self._drawn:
            self._drawn = now
            self.update()

    def update(self) -> None:
        """Bring all panes of lines up to date, once however often it is asked for before the next turn."""
        if not self._stale:
            self._stale = True
            self.call_next(self._update)

    def _update(self) -> None:
        self._stale = False
        leaf = self.sheet.leaf
        self.footer.turns = leaf is not None and leaf.turns
        panes: tuple[LinesPane, ...] = (*self._rows, self.tabs, self.timeline, self.person, self.people)
        for pane in panes:
            pane.pull()
        self.since.stand(self.town, self.has_class("-small"))
        if leaf is not None:
            self.sheet.pull()

    def restyle(self) -> None:
        """Draw everything anew: a setting of the look has changed."""
        for pane in (*self._rows, self.tabs, self.timeline, self.person, self.people, self.sheet):
            pane.forget()
        self.town.restyle()
        self._update()

    # ---- layout and focus

    def on_resize(self, event: Resize) -> None:
        self.lay_out()

    def lay_out(self) -> None:
        """Show what there is room for."""
        width, height = self.size
        small = width < toosmall.WIDE
        one = small or self.large  # else no class changes with the pane: each would draw the whole screen anew
        self.set_class(small, "-small")
        self.set_class(width >= toosmall.BROAD, "-broad")
        self.set_class(width >= toosmall.VAST, "-vast")
        self.set_class(height < toosmall.LOW, "-low")
        self.set_class(one, "-one")
        self.set_class(self.large, "-large")
        for pane in PANES:
            self.set_class(one and pane == self.current, f"-on-{pane}")
        if self.current in ("timeline", "people"):
            self.tabs.shown = self.current
        self.set_class(self.tabs.shown == "people", "-tab-people")
        self.town.carded = small
        self.people.alone = small or self.large
        self.strip.current = self.current
        self.strip.pull()
        self.tabs.pull()
        self.call_after_refresh(self.update)  # what lies over a pane goes with it

    def show_pane(self, name: str) -> None:
        """Give a pane the focus; where there is room for one only, show it."""
        self.current = name
        self.lay_out()
        self.call_after_refresh(self._focus, name)  # it may have to appear first
        self._focus(name)

    def _focus(self, name: str) -> None:
        if self.current == name and self.sheet.leaf is None:
            self.pane(name).focus()

    def pane(self, name: str) -> Widget:
        """A pane by its name."""
        panes: dict[str, Widget] = {
            "town": self.town,
            "timeline": self.timeline,
            "person": self.person,
            "people": self.people,
        }
        return panes[name]

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        name = event.widget.id or ""
        if name in PANES and name != self.current:
            self.current = name
            self.lay_out()
        if name in actions.WHERES:
            self.footer.where = name
        self.footer.pull()

    def on_screen_suspend(self) -> None:
        self.footer.typed = True
        self.footer.pull()

    def on_screen_resume(self) -> None:
        self.footer.typed = False
        self.footer.pull()

    # ---- choosing

    def choose(self, who: str, look: bool = False) -> None:
        """Select a person; look: bring the map to them if they are not well in view."""
        self.viewer.select(who)
        if look and self.viewer.selected:
            self.town.look_if_away(who)
        self.town.pull()
        self.update()

    def chosen(self) -> str:
        """The selected person; without one, the first in view becomes it."""
        if not self.viewer.selected:
            self.next_person(1)
        return self.viewer.selected

    def next_person(self, by: int) -> None:
        """Choose the next person in view, or the one before."""
        seen = self.town.in_view() or list(self.viewer.world.cast)
        now = self.viewer.selected
        index = seen.index(now) + by if now in seen else 0 if by > 0 else -1
        self.choose(seen[index % len(seen)], look=True)

    # ---- going and coming back

    def here(self) -> Place:
        """Where one is."""
        viewer, camera = self.viewer, self.town.camera
        x, y = camera.middle
        return Place(x, y, self.town.zoom, viewer.selected, viewer.following, self.current)

    def leave_trace(self) -> None:
        """Remember this place, to come back to it: call before a jump."""
        here = self.here()
        if not self.been or self.been[-1] != here:
            self.been.append(here)
            del self.been[:-BEEN]

    def return_to(self, place: Place) -> None:
        """Be where one was."""
        viewer = self.viewer
        viewer.select(place.selected)
        viewer.following = place.following and bool(viewer.selected)
        self.town.stand(place.x, place.y, place.zoom)
        self.show_pane(place.pane)
        self.update()

    def go_to_person(self, who: str, pane: str = "") -> None:
        """Choose somebody, centre the map on them, and remember where one came from."""
        self.leave_trace()
        self.choose(who)
        self.town.look_at(who)
        if pane:
            self.show_pane(pane)

    def go_to_row(self, number: int, trace: bool = True) -> None:
        """Choose whom a row is about, centre the map on them and put the timeline's cursor on it.

        trace: remember where one came from. A row that is not kept any more is passed over.
        """
        viewer = self.viewer
        if not viewer.chronicle.first <= number < viewer.chronicle.told:
            return
        row = viewer.chronicle[number]
        if trace:
            self.leave_trace()
        place = where(viewer, row)
        if (who := whom(viewer, row, place)) or place is not None:
            viewer.following = viewer.following and who == viewer.selected and place is None
            before = viewer.selected
            self.choose(who)
            viewer.led = who if place is not None and who != before else ""
            if place is None:
                self.town.look_at(who)
        if place is not None:
            self.town.stand(*place, self.town.zoom)
        self.timeline.go_to(number)
        self.update()

    # ---- sheets

    def open_sheet(self, leaf: Leaf, instead: bool = False) -> None:
        """Show a leaf, on top of what is open, or instead of it."""
        self.sheet.open(leaf, instead)
        self.footer.where, self.footer.turns = actions.SHEET, leaf.turns
        self.footer.pull()

    def close_sheet(self) -> bool:
        """Take the topmost leaf away; whether there was one."""
        if self.sheet.leaf is None:
            return False
        if not self.sheet.close():
            self.show_pane(self.current)
        return True

    def close_all(self) -> None:
        """Take all leaves away."""
        while self.close_sheet():
            pass
