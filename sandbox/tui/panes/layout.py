"""The stage: where the panes stand, who is chosen, what is open. It knows no keys; `commands/` move it."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from textual.app import ComposeResult
from textual.events import DescendantFocus, Resize

from sandbox.core.text import clean
from sandbox.readers.timeline import OCCASION, TimelineRow
from sandbox.store.errors import SaveError
from sandbox.tui.panes import roster
from sandbox.tui.panes.arrangement import PaneArrangement, ViewPosition
from sandbox.tui.panes.nowline import NowLine
from sandbox.tui.panes.people import PeoplePane
from sandbox.tui.panes.person import PersonPane
from sandbox.tui.panes.scrubber import Scrubber
from sandbox.tui.panes.status import KeyFooter, PaneStrip, Status, Tabs
from sandbox.tui.panes.stop_panel import MissedPanel
from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.panes.town import TownPane
from sandbox.tui.view import log_queries, mind_progress
from sandbox.tui.view.action import SHEET, Action, first_key
from sandbox.tui.view.log_queries import Interviews
from sandbox.tui.view.ports import AppPort, TimeKeeper
from sandbox.tui.view.textual_internals import BaseScreen
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane, ListPane
from sandbox.tui.widgets.pane import Pane
from sandbox.tui.widgets.sheet_pane import Sheet, SheetPane

PULSE = 0.25  # seconds from one look at what has changed to the next
KEPT_JUMPS = 50
P = TypeVar("P", bound=Pane)


class TownLayout(BaseScreen[None]):
    """All panes over one `Viewer`. Panes post messages; only the stage changes what is chosen.

    panes: by name; home: the name of the one it begins with; current: that of the one in focus. guard: what stands
    watch while time runs. been: where one was before each of the last jumps, the latest last.
    """

    guard: TimeKeeper

    def __init__(self, viewer: Viewer) -> None:
        super().__init__()
        self.viewer = viewer
        self.interviews = Interviews(viewer)
        self.panes = {kind.PLACE.name: kind(viewer, kind.PLACE.name) for kind in roster.PANES}
        self.town = self.find(TownPane)
        self.timeline = self.find(TimelinePane)
        self.person = self.find(PersonPane)
        self.people = self.find(PeoplePane)
        self.home = self.current = next(iter(self.panes))
        self.tabs = Tabs(viewer, "tabs")
        self.sheets = SheetPane(viewer, "sheet")
        self.missed = MissedPanel(viewer, "missed")
        self.strip = PaneStrip(viewer, "strip", self.panes.values(), self.home)
        self.footer = KeyFooter(viewer, "footer", self.usable, self.home)
        self.scrubber = Scrubber(viewer, "scrubber")
        self.large = False
        self.been: list[ViewPosition] = []
        self._arrangement = PaneArrangement(self.panes, self.tabs)
        self.status = Status(viewer, "status")
        self.nowline = NowLine(viewer, "nowline")
        lists = (pane for pane in self.panes.values() if isinstance(pane, LinesPane))
        self._lists: tuple[LinesPane, ...] = (self.tabs, *lists)
        self._drawn: dict[LinesPane, tuple[object, ...]] = {}  # what each pane told when it was last drawn
        self._stale = False

    def compose(self) -> ComposeResult:
        yield self.status
        with self._arrangement.body:
            yield from self._arrangement.begin(self.app.size.width)
        yield from (self.scrubber, self.nowline, self.strip, self.footer, self.missed, self.sheets)

    def on_mount(self) -> None:
        self.set_class(self.viewer.replaying, "-replay")
        self.set_interval(PULSE, self.pulse)
        self.guard.begin()
        self.viewer.past.heard.append(self._heard)
        self.viewer.past.start = self._read_past
        self.run_worker(self._read_things(), name="things", exit_on_error=False)
        self.show_pane(self.home)

    def on_unmount(self) -> None:
        gc.enable()  # a jump may have been the last that was done

    def _read_past(self) -> None:
        self.run_worker(self.viewer.past.read(), name="past", exit_on_error=False)

    async def _read_things(self) -> None:
        """Know what lay on the map before the town was opened."""

        async def read() -> None:
            self.viewer.things = await log_queries.things(self.viewer)

        with self.telling():
            await self.viewer.pace.between(read)

    def _heard(self) -> None:
        """Show more of what was before, or say that it cannot be read."""
        if fault := clean(self.viewer.past.fault, 600):
            self.notify(fault, title="what was before cannot be read", severity="warning", timeout=12)
        self.update()

    @property
    def program(self) -> AppPort:
        """The program around."""
        return cast(AppPort, self.app)

    async def do(self, id: str) -> None:
        """Do an action of the table."""
        raise NotImplementedError

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Say what could not be read in the save, unless the screen was left meanwhile and its save closed."""
        try:
            yield
        except SaveError as error:
            if self in self.app.screen_stack:
                self.notify(clean(str(error), 600), severity="warning", timeout=8)

    def usable(self, where: str, when: str) -> Sequence[Action[Any]]:
        """What can be done in a pane, live or in a replay."""
        raise NotImplementedError

    # ---- keeping the panes up to date

    def pulse(self) -> None:
        """Draw what has changed by itself."""
        self.viewer.pace.stop_waiting_again()
        if not self.viewer.jumping:
            self._update_changed()

    def _tells(self) -> dict[LinesPane, tuple[object, ...]]:
        """What each pane of lines tells: once that has changed, the pane is drawn anew."""
        viewer, sheet = self.viewer, self.sheets.topmost
        town = (
            viewer.view,
            viewer.view.version,
            int(viewer.shown) // 60,
            viewer.selected,
            viewer.following,
            frozenset(viewer.favourites),
            viewer.pace.flies,
            mind_progress.state(viewer),
            viewer.stop,
            viewer.chronicle.told if viewer.replaying else 0,
        )
        panes = (self.sheets, self.scrubber, self.strip, *self._lists)  # a sheet before the row that counts its news
        out: dict[LinesPane, tuple[object, ...]] = dict.fromkeys(panes, town)
        out[self.status] = (*town, viewer.pace.words, viewer.unread, viewer.fleeting)
        hints = (len(viewer.learnt), self.on_map, self.sheets.kind, viewer.plays and viewer.pace.running)
        out[self.nowline] = (*town, viewer.spoken, *hints)
        keys = (sheet.turns, *sheet.labels().items()) if sheet is not None else ()
        out[self.footer] = (*town, self.on_map, sheet, *keys, self.footer.where, self._points, viewer.pace.running)
        out[self.missed] = (*town, viewer.missed, self.town.content_region, self.town.camera.area)
        out[self.sheets] = (*town, sheet, viewer.pace.words)
        return out

    def update(self) -> None:
        """Draw all panes of lines anew, once however often it is asked for before the next turn."""
        if not self._stale:
            self._stale = True
            self.call_next(self._update)

    def _update(self) -> None:
        self._stale = False
        self._drawn.clear()
        self._update_changed()

    def update_after_key(self) -> None:
        """Draw what a key has changed: the pane or sheet that it was for, and whatever tells of something changed."""
        pane = self.sheets if self.sheets.topmost is not None else self.panes[self.current]
        if isinstance(pane, LinesPane):
            self._drawn.pop(pane, None)
        self._update_changed()

    def _update_changed(self) -> None:
        """Draw anew what tells of something that has changed."""
        viewer, sheet, stop = self.viewer, self.sheets.topmost, self.viewer.stop
        viewer.sheet_kind, viewer.on_map = self.sheets.kind, self.on_map
        viewer.stages = stop is not None and stop == viewer.scene and self.would_stage(stop)
        self.footer.turns = sheet.turns if sheet is not None else self._arrangement.turns(self.current)
        self.footer.chosen = self._points
        tells = self._tells()
        changed = [pane for pane, told in tells.items() if told != self._drawn.get(pane)]
        self._drawn = tells
        for pane in changed:
            if pane is self.missed:
                self.missed.stand(self.town, self.has_class("-small"))
            elif pane is not self.sheets or sheet is not None:
                pane.pull()

    def leapt(self) -> None:
        """The town stands at another moment: all of it is drawn in one frame."""
        self.town.leapt()
        self._update()

    def restyle(self) -> None:
        """Draw everything anew: a setting of the look has changed."""
        for pane in self._tells():
            pane.forget()
        self.town.restyle()
        self._update()

    # ---- layout and focus

    def on_resize(self, event: Resize) -> None:
        self.lay_out()

    def lay_out(self) -> None:
        """Show what there is room for."""
        for name, holds in self._arrangement.lay_out(self.size, self.current, self.large).items():
            self.set_class(holds, name)
        self.strip.shown = self.current
        self.strip.pull()
        self.tabs.pull()
        self.call_after_refresh(self.update)  # what lies over a pane goes with it

    def beside(self, by: int) -> None:
        """Show the next pane, or the one before, of those that share the place of the current one where they can."""
        name = self._arrangement.beside(self.current, by)
        if name != self.current:
            self.show_pane(name)

    def show_pane(self, name: str) -> None:
        """Give a pane the focus; where there is room for one only, show it."""
        self.current = name
        self.lay_out()
        self.call_after_refresh(self._focus, name)  # it may have to appear first
        self._focus(name)

    def _focus(self, name: str) -> None:
        if self.current == name and self.sheets.topmost is None:
            self.panes[name].focus()

    def find(self, kind: type[P]) -> P:
        """The pane of a kind."""
        return cast(P, self.panes[kind.PLACE.name])

    @property
    def list(self) -> ListPane | None:
        """The list that keys move in: that of the open sheet, else the pane in focus if it is one."""
        pane = self.panes[self.current] if self.sheets.topmost is None else self.sheets
        return pane if isinstance(pane, ListPane) else None

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        name = event.widget.id or ""
        if event.widget is not self.focused:
            return  # of a key before the last: another has the focus by now
        if name in self.panes and name != self.current:
            self.current = name
            self.lay_out()
        if name in self.panes or name == SHEET:
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

    def meant(self) -> str:
        """Whom a key is about: whom the cursor of the pane in focus is on becomes the selected person; "" = nobody."""
        if self._pointed and self._pointed != self.viewer.selected:
            self.choose(self._pointed)
        return self.viewer.selected

    @property
    def _pointed(self) -> str:
        """Whom the cursor of the pane in focus is on, if it is one of people."""
        return self.panes[self.current].who if self.sheets.topmost is None else ""

    def chosen(self) -> str:
        """Whom a key is about; without anybody, the first in view becomes the selected person."""
        if not self.meant():
            self.next_person(1)
        return self.viewer.selected

    @property
    def _points(self) -> bool:
        """Whether the cursor of the pane in focus is on somebody."""
        return bool(self._pointed)

    @property
    def on_map(self) -> bool:
        """Whether keys go to the map, and to no cursor on it."""
        return self.sheets.topmost is None and self.current == self.town.PLACE.name and self.town.over.cursor is None

    def led(self, stop: TimelineRow) -> bool:
        """Whether a key means the stop: unless somebody was chosen whom it is not about."""
        viewer = self.viewer
        own = viewer.selected and viewer.selected != viewer.led
        return not own if stop.mark == OCCASION else not viewer.selected or viewer.selected in stop.who

    def would_stage(self, stop: TimelineRow) -> bool:
        """Whether enter stages a stop, if that can be: as the keys go to the map, and to nobody else on it."""
        return self.on_map and self.led(stop)

    def next_person(self, by: int) -> None:
        """Choose the next person in view, or the one before."""
        seen = self.town.in_view() or list(self.viewer.world.cast)
        now = self.viewer.selected
        index = seen.index(now) + by if now in seen else 0 if by > 0 else -1
        self.choose(seen[index % len(seen)], look=True)

    # ---- going and coming back

    def here(self) -> ViewPosition:
        """Where one is."""
        x, y = self.town.camera.middle
        return ViewPosition(x, y, self.town.zoom, self.viewer.selected, self.viewer.following, self.current)

    def leave_trace(self) -> None:
        """Remember this place, to come back to it: call before a jump."""
        here = self.here()
        if not self.been or self.been[-1] != here:
            self.been.append(here)
            del self.been[:-KEPT_JUMPS]

    def go_to_person(self, who: str, pane: str = "") -> None:
        """Choose somebody, centre the map on them, and remember where one came from. pane: what has the focus then."""
        if not self.viewer.is_known(who):
            says = f"{self.viewer.name(who)} has not come to town yet at the moment shown."
            self.notify(says, timeout=4)
            return
        self.leave_trace()
        self.choose(who)
        self.town.look_at(who)
        if pane:
            self.show_pane(pane)

    # ---- sheets

    def open_sheet(self, sheet: Sheet, instead: bool = False) -> None:
        """Show a sheet, on top of what is open, or instead of it; not what one cannot know."""
        if sheet.hidden():
            self.cannot_know()
            return
        self.sheets.open(sheet, instead)
        self.wait()
        self.footer.where, self.footer.turns = SHEET, sheet.turns
        self.footer.pull()

    def cannot_know(self) -> None:
        """Say that whoever is played cannot know that, and what would tell."""
        key = first_key("play.see_all", self.viewer.keys)
        self.notify(f"You cannot know that; {key} (all-knowing view) would show it.", timeout=4)

    def close_sheet(self) -> bool:
        """Take the topmost sheet away; whether there was one."""
        if self.sheets.topmost is None:
            return False
        if not self.sheets.close():
            self.show_pane(self.current)
        self.wait()
        return True

    def wait(self) -> None:
        """Let time stand while something is being chosen, and run on after."""
        if self.sheets.stands:
            self.viewer.pace.pause_for()
        else:
            self.viewer.pace.resume_after()

    def close_kind(self, kind: str) -> bool:
        """Take the topmost sheet away if it is of that kind, as its key does; whether it was."""
        return self.sheets.kind == kind and self.close_sheet()

    def toggle(self, sheet: type[Sheet]) -> None:
        """Show a sheet, or take it away, as its key does."""
        if not self.close_kind(sheet.kind):
            self.open_sheet(sheet(self))

    def close_all(self) -> None:
        """Take all sheets away."""
        while self.close_sheet():
            pass
