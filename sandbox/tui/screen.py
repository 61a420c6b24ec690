"""The screen of a living town: where the panes are, what the keys of the action table do, and who has the focus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus, Resize
from textual.screen import Screen
from textual.widget import Widget

from sandbox.core.text import clean
from sandbox.tui import actions, sheets
from sandbox.tui.actions import Action
from sandbox.tui.ink import SOFT, Line, ink, wrap
from sandbox.tui.panes import toosmall
from sandbox.tui.panes.footer import KeyFooter
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.panes.nowline import NowLine
from sandbox.tui.panes.person import PersonPane
from sandbox.tui.panes.sheet import Sheet
from sandbox.tui.panes.status import Status
from sandbox.tui.panes.strip import PANES, PaneStrip
from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.panes.toosmall import TooSmall
from sandbox.tui.panes.town import TownPane
from sandbox.tui.viewer import Viewer

PULSE = 0.25
KINDS = {"town": actions.TOWN, "timeline": actions.LIST, "person": actions.PERSON, "sheet": actions.SHEET}


class TownScreen(Screen[None]):
    """All panes over one `Viewer`. Panes post messages; only this screen changes what is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings(actions.ANYWHERE)]

    def __init__(self, viewer: Viewer, keymap: Mapping[str, str]) -> None:
        super().__init__(id="screen")
        self.viewer = viewer
        self.town = TownPane(viewer, "town")
        self.timeline = TimelinePane(viewer, "timeline")
        self.person = PersonPane(viewer, "person")
        self.sheet = Sheet(viewer, "sheet")
        self.strip = PaneStrip(viewer, "strip")
        self.footer = KeyFooter(viewer, "footer", keymap)
        self.current = "town"
        self.large = False
        self._rows = (Status(viewer, "status"), NowLine(viewer, "nowline"), self.strip, self.footer)
        self._drawn: tuple[object, ...] = ()
        self._stale = False

    def compose(self) -> ComposeResult:
        status, nowline, strip, footer = self._rows
        self.timeline.border_title = "Timeline"
        yield status
        with Horizontal(id="body"):
            yield self.town
            with Vertical(id="side"):
                yield self.timeline
                yield self.person
        yield nowline
        yield strip
        yield footer
        yield self.sheet
        yield TooSmall(self.viewer, "toosmall")

    def on_mount(self) -> None:
        self.set_interval(PULSE, self.pulse)
        self.show_pane("town")

    # ---- keeping the panes up to date

    def pulse(self) -> None:
        """Ask the panes for their lines if anything they tell has changed."""
        viewer = self.viewer
        now = (
            viewer.view.version,
            int(viewer.shown) // 60,
            viewer.spoken,
            viewer.selected,
            viewer.following,
            viewer.pace.words,
            len(viewer.learnt),
            self.footer.where,
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
        panes: tuple[LinesPane, ...] = (*self._rows, self.timeline, self.person)
        for pane in panes:
            pane.pull()
        if self.sheet.kind:
            self.sheet.pull()

    def _did(self, id: str) -> None:
        self.viewer.learnt.add(id)
        self.update()

    # ---- layout and focus

    def on_resize(self, event: Resize) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        width, height = self.size
        small = width < toosmall.WIDE
        self.set_class(small, "-small")
        self.set_class(toosmall.BROAD <= width < toosmall.VAST, "-broad")
        self.set_class(width >= toosmall.VAST, "-vast")
        self.set_class(width < toosmall.WIDTH or height < toosmall.HEIGHT, "-tiny")
        self.set_class(small or self.large, "-one")
        self.set_class(self.large, "-large")
        for pane in PANES:
            self.set_class(pane == self.current, f"-on-{pane}")
        self.town.carded = small
        self.strip.current = self.current
        self.strip.pull()

    def show_pane(self, name: str) -> None:
        """Give a pane the focus; where there is room for one only, show it."""
        self.current = name
        self._lay_out()
        if self.has_class("-one"):  # it may have to appear first
            self.call_after_refresh(self._focus, name)
        else:
            self._focus(name)

    def _focus(self, name: str) -> None:
        if self.current == name and not self.sheet.kind:
            self._pane(name).focus()

    def _pane(self, name: str) -> Widget:
        panes: dict[str, Widget] = {"town": self.town, "timeline": self.timeline, "person": self.person}
        return panes[name]

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        name = event.widget.id or ""
        if name in PANES and name != self.current:
            self.current = name
            self._lay_out()
        self.footer.where = KINDS.get(name, actions.ANYWHERE)
        self.footer.pull()

    # ---- choosing

    def choose(self, who: str, look: bool = False) -> None:
        """Select a person; look: bring the map to them if they are not well in view."""
        self.viewer.select(who)
        if look and self.viewer.selected:
            self.town.look_if_away(who)
        self.town.pull()
        self.update()

    def _chosen(self) -> str:
        """The selected person; without one, the first in view becomes it."""
        if not self.viewer.selected:
            self._next(1)
        return self.viewer.selected

    def _next(self, by: int) -> None:
        seen = self.town.in_view() or list(self.viewer.world.cast)
        now = self.viewer.selected
        index = seen.index(now) + by if now in seen else 0 if by > 0 else -1
        self.choose(seen[index % len(seen)], look=True)

    def on_town_pane_chosen(self, message: TownPane.Chosen) -> None:
        if message.who:
            self.choose(message.who)
            self.viewer.following = self.viewer.following or message.follow
            self.update()

    def on_town_pane_panned(self) -> None:
        if self.viewer.following:
            self.viewer.following = False
            self.update()

    def on_timeline_pane_row_chosen(self, message: TimelinePane.RowChosen) -> None:
        row = message.row
        if row.who:
            self.choose(row.who[0], look=True)
        if message.opened and row.talk:
            self._open_talk(row.talk)

    def on_pane_strip_pane_chosen(self, message: PaneStrip.PaneChosen) -> None:
        self.show_pane(message.pane)

    def on_sheet_measured(self) -> None:
        self.footer.still = not self.sheet.scrolls
        self.footer.pull()

    async def on_key_footer_pressed(self, message: KeyFooter.Pressed) -> None:
        await self.perform(message.action)

    async def perform(self, action: Action) -> None:
        """Do what an action's key does."""
        target: Widget = self
        if action.where == actions.TOWN:
            target = self.town
        elif action.where == actions.LIST:
            target = self.sheet if self.sheet.kind else self.timeline
        await target.run_action(action.name)

    # ---- time

    def action_pause(self) -> None:
        self.viewer.pace.toggle()
        self._did("time.pause")

    async def action_step(self) -> None:
        self.viewer.pace.ask_step().add_done_callback(lambda _: self._stepped())
        self._did("time.step")

    def _stepped(self) -> None:
        if self.is_attached:
            self.viewer.bubbles.forget()
            self.town.pull()
            self.update()

    def action_slower(self) -> None:
        self.viewer.pace.faster(-1)
        self._did("time.slower")

    def action_faster(self) -> None:
        self.viewer.pace.faster(1)
        self._did("time.faster")

    # ---- the chosen person

    def action_next_person(self) -> None:
        self._next(1)
        self._did("town.next")

    def action_previous_person(self) -> None:
        self._next(-1)
        self._did("town.next")

    def action_open(self) -> None:
        """Go in: from the timeline to the row's talk, from the person to why, else to the person."""
        if self.sheet.kind:
            return
        row = self.timeline.chosen if self.current == "timeline" else None
        if row is not None and row.who:
            self.choose(row.who[0], look=True)
        if row is not None and row.talk:
            self._open_talk(row.talk)
        elif self._chosen():
            if self.current == "person":
                self.action_why()
            else:
                self.show_pane("person")
        self._did("open")

    def action_follow(self) -> None:
        if self._chosen():
            self.viewer.following = not self.viewer.following
            if self.viewer.following:
                self.town.look_if_away(self.viewer.selected)
            self.town.pull()
        self._did("camera.follow")

    def action_centre(self) -> None:
        if who := self._chosen():
            self.town.look_at(who)
        self._did("camera.centre")

    def action_why(self) -> None:
        viewer = self.viewer
        if self.sheet.kind == "why":
            self._close_sheet()
        elif who := self._chosen():
            name = clean(viewer.name(who))
            self.sheet.open("why", f"Why {name} feels so", lambda w: sheets.why_lines(viewer, who, viewer.shown, w))
        self._did("person.why")

    def action_talk(self) -> None:
        if self.sheet.kind == "talk":
            self._close_sheet()
        elif who := self._chosen():
            self._open_talk(self.viewer.talk_of(who), who)
        self._did("talk.read")

    def _open_talk(self, id: str, who: str = "") -> None:
        viewer, clock, handbook = self.viewer, self.viewer.world.clock, self.viewer.world.handbook
        story = viewer.timeline.talk(id)

        def lines(width: int) -> list[Line]:
            if story is not None:
                return sheets.talk_lines(story, clock, handbook, width)
            says = f"{viewer.name(who)} has talked to nobody since you came." if who else "This talk is no longer kept."
            return [[ink(part, SOFT)] for part in wrap(says, width)]

        names = " and ".join(viewer.name(who) for who in story.who) if story else viewer.name(who)
        self.sheet.open("talk", clean(names), lines, end=story is not None and story.ended < 0)

    # ---- panes

    def action_pane(self, name: str) -> None:
        self._close_sheet()
        self.show_pane(name)

    def action_next_pane(self) -> None:
        self.action_pane(PANES[(PANES.index(self.current) + 1) % len(PANES)])

    def action_maximise(self) -> None:
        self.large = not self.large
        self._lay_out()

    def action_help(self) -> None:
        if self.sheet.kind == "help":
            self._close_sheet()
            return
        where, keymap = KINDS[self.current], self.footer.keymap
        self.sheet.open("help", f"Keys: {self.current}", lambda width: sheets.help_lines(where, keymap, width))

    def _close_sheet(self) -> bool:
        if not self.sheet.kind:
            return False
        self.sheet.close()
        self.show_pane(self.current)
        return True

    def action_back(self) -> None:
        """Out of the innermost thing: a sheet, a large pane, following, another pane, a choice."""
        if self._close_sheet():
            return
        if self.large:
            self.action_maximise()
        elif self.viewer.following:
            self.viewer.following = False
        elif self.current != "town":
            self.show_pane("town")
        else:
            self.choose("")
        self.update()

    def action_leave(self) -> None:
        """Out of a sheet; without one that can be seen, out of the town."""
        if self.has_class("-tiny") or not self._close_sheet():
            self.app.exit()
