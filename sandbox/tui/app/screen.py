"""The screen of a town, living or replayed: the layout, and the commands that keys, clicks and the palette ask for."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import isawaitable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size

from sandbox.tui.app import actions
from sandbox.tui.app.actions import KEYS
from sandbox.tui.commands.chosen import open_row
from sandbox.tui.commands.go import open_key, open_tie
from sandbox.tui.commands.playing import stroll
from sandbox.tui.commands.watch import Watch
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person import PersonPane
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.panes.scrubber import Scrubber
from sandbox.tui.panes.status import Tabs
from sandbox.tui.panes.ties import TiesPane
from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.panes.town import TownPane
from sandbox.tui.sheets.event import open_event
from sandbox.tui.sheets.place import PlaceSheet
from sandbox.tui.view.action import ANYWHERE, BOTH, GO_ON, LIVE, REPLAY, SHEET, Action, bindings, first_key, keys_of
from sandbox.tui.view.text_lines import Line, ink
from sandbox.tui.view.textual_internals import BaseScreen
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import EntriesPane
from sandbox.tui.widgets.lines import LinesPane, ListPane

STANDING = {"time.pause": "go on", GO_ON: "don't wait"}  # labels in the footer while time does not run
WIDTH, HEIGHT = 60, 18  # cells: the smallest terminal a town can be shown in


def too_small(size: Size) -> bool:
    """Whether a terminal is too small to show a town."""
    return size.width < WIDTH or size.height < HEIGHT


def too_small_lines(width: int, height: int, key: str = "q") -> list[Line]:
    """The message that the terminal is too small, centred in so many cells. key: the key that quits, "" = none."""
    says = [
        ink(f"{WIDTH} x {HEIGHT} cells needed", "accent", bold=True),
        ink(f"there are {width} x {height}", "soft"),
        ink(f"{key} quits" if key else "", "dim"),
        ink("time is stopped until then", "soft"),
    ]
    lines: list[Line] = [[ink(" " * max(0, (width - s.cell_length) // 2)), s] for s in says]
    return [*([[]] * max(0, (height - len(lines)) // 2)), *lines]


class TooSmallCard(LinesPane):
    """The message that the terminal is too small."""

    def lines(self, width: int, height: int) -> list[Line]:
        return too_small_lines(width, height, first_key("app.quit", self.viewer.keys))


class TooSmall(BaseScreen[None]):
    """Covers the town while the terminal is too small. Only the quit key works."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(KEYS["app.quit"], "quit", "leave", show=False, id="app.quit")]

    def __init__(self, viewer: Viewer) -> None:
        super().__init__()
        self._card = TooSmallCard(viewer, "toosmall")

    def compose(self) -> ComposeResult:
        yield self._card

    def on_resize(self, event: Resize) -> None:
        self._card.pull()

    def on_screen_resume(self) -> None:
        if not too_small(self.app.size):  # the terminal grew while another screen lay over this one
            self.dismiss()

    def action_quit(self) -> None:
        """Leave the program."""
        self.app.exit()


# Groups and ids of actions that do not count as playing the town behind the start menu: others keep its save.
LEAVES_AS_IS = frozenset(("App", "Saves", "Lists", "chosen.open", "tab.next", "tab.previous", "go.out"))


class TownScreen(TownLayout):
    """The layout together with the actions of the table."""

    CSS_PATH: ClassVar[str] = "town.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(a for a in actions.ACTIONS if a.where == ANYWHERE)

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        self.guard = Watch(self)

    @property
    def when(self) -> str:
        """LIVE or REPLAY."""
        return REPLAY if self.viewer.replaying else LIVE

    def usable(self, where: str, when: str) -> Sequence[Action[TownLayout]]:
        sheet = self.sheets.topmost if where == SHEET else None
        labels = {} if self.viewer.pace.running else STANDING
        labels = {**labels, **sheet.labels()} if sheet is not None else labels
        return actions.sheet_actions(actions.usable(where, when), labels, when)

    async def action_do(self, id: str) -> None:
        """Do the action of a key; over a list to choose from, only if the list names it or `over_lists` allows it."""
        sheet = self.sheets.topmost
        if sheet is None or not sheet.picks or id in sheet.keys or actions.over_lists(id):
            await self.do(id)

    async def do(self, id: str) -> None:
        """Do an action of the table, asked for by key, click or palette."""
        action = actions.BY_ID[id]
        if action.when not in (BOTH, self.when):  # one key may have a live and a replay action: do the fitting one
            keymap = self.viewer.keys
            keys = set(keys_of(action, keymap))
            others = (a for a in actions.ACTIONS if a.when == self.when)
            twin = next((a for a in others if keys.intersection(keys_of(a, keymap))), None)
            if twin is None:
                return
            id, action = twin.id, twin
        self.viewer.touch()
        if self.viewer.fleeting and id not in LEAVES_AS_IS and action.group not in LEAVES_AS_IS:
            self.program.keep()
        if self.guard.touched(id):
            return
        with self.telling():
            done = action.does(self)
            if isawaitable(done):
                await done
        self.viewer.learnt.add(id)
        self.update_after_key()

    # ---- what panes post

    def on_town_pane_chosen(self, message: TownPane.Chosen) -> None:
        self.viewer.touch()
        if message.who:
            if message.look:
                self.leave_trace()
            self.choose(message.who, look=message.look)
            self.viewer.following = self.viewer.following or message.follow
            self.update()

    def on_town_pane_stepped(self, message: TownPane.Stepped) -> None:
        self.next_person(message.by)

    def on_town_pane_strolled(self, message: TownPane.Strolled) -> None:
        self.viewer.touch()
        if self.viewer.plays:
            stroll(self, message.dx, message.dy, message.far)
        else:  # nobody is played any more: the arrow moves the map
            self.town.arrow(message.dx, message.dy, message.far)

    def on_town_pane_opened(self) -> None:
        if self.chosen():
            self.show_pane(PersonPane.PLACE.name)

    def on_town_pane_asked(self, message: TownPane.Asked) -> None:
        self.viewer.touch()
        self.open_sheet(PlaceSheet(self, message.sector))

    def on_town_pane_turned(self, message: TownPane.Turned) -> None:
        self.program.change(message.key, message.value)

    def on_town_pane_panned(self) -> None:
        self.viewer.touch()
        if self.viewer.following:
            self.viewer.following = False
            self.update()

    async def on_timeline_pane_row_chosen(self, message: TimelinePane.RowChosen) -> None:
        self.viewer.touch()
        if message.row.who:
            self.choose(message.row.who[0], look=True)
        if message.opened:
            await self.do("chosen.open")

    async def on_timeline_pane_row_opened(self, message: TimelinePane.RowOpened) -> None:
        with self.telling():
            await open_row(self, message.row)
        self.update()

    def on_entries_pane_went(self, message: EntriesPane.Went) -> None:
        self.viewer.touch()
        again = message.who == self.viewer.selected
        self.go_to_person(message.who, PersonPane.PLACE.name if again or self.has_class("-one") else "")

    async def on_entries_pane_cause(self, message: EntriesPane.Cause) -> None:
        self.viewer.touch()
        with self.telling():
            await open_event(self, message.seq)

    async def on_entries_pane_entered(self, message: EntriesPane.Entered) -> None:
        self.viewer.touch()
        with self.telling():
            await message.entry.enter()
        self.update()

    def on_entries_pane_measured(self) -> None:
        self.footer.still, self.footer.idle = not self.sheets.scrolls, not self.sheets.offers
        self.footer.pull()

    def on_feed_pane_opened(self, message: FeedPane.Opened) -> None:
        self.viewer.touch()
        open_key(self, message.key)
        self.update()

    def on_people_pane_moved(self) -> None:
        self.viewer.touch()
        self.meant()

    def on_ties_pane_chosen(self, message: TiesPane.Chosen) -> None:
        self.viewer.touch()
        self.choose(message.who)

    def on_ties_pane_opened(self, message: TiesPane.Opened) -> None:
        self.viewer.touch()
        open_tie(self, message.u, message.v)
        self.update()

    def on_scrubber_jumped(self, message: Scrubber.Jumped) -> None:
        self.viewer.touch()
        self.run_worker(jump_to(self, message.t), name="jump", exit_on_error=False)

    def on_tabs_chosen(self, message: Tabs.Chosen) -> None:
        self.show_pane(message.pane)

    def on_list_pane_turned(self, message: ListPane.Turned) -> None:
        self.beside(message.by)

    async def on_lines_pane_wanted(self, message: LinesPane.Wanted) -> None:
        await self.do(message.id)
