"""The pane of the feed: the town's posts, and what the chosen person's phone shows. `feed_*.py` fill its tabs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.message import Message
from textual.widget import Widget

from sandbox.core.text import clean
from sandbox.store.errors import SaveError
from sandbox.tui.panes.feed_policy import CHOOSE, Panel, PolicyTab
from sandbox.tui.panes.feed_reader import FeedReader
from sandbox.tui.panes.feed_tabs import FeedTab, FollowingTab, ForYouTab, HotTab, MessagesTab, SearchTab, TownTab
from sandbox.tui.view.action import Action, first_key
from sandbox.tui.view.card_lists import OrderedKeys
from sandbox.tui.view.text_lines import Line, as_lines, fit, ink, justify, outside, width_of
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Deed
from sandbox.tui.widgets.lines import TabbedPane, tab_row
from sandbox.tui.widgets.pane import Pane, PanePlace, Region
from sandbox.tui.widgets.windowed import WindowedPane


class FeedPane(TabbedPane, WindowedPane, Pane):
    """Cards under a cursor, in tabs."""

    PLACE = PanePlace("feed", "5", "Feed", "the feed", "in the feed", wide=Region.LIST, broad=Region.LIST)
    ACTIONS: ClassVar[tuple[Action[FeedPane], ...]] = (
        Action("feed.author", "a", "author", "In the town's tab: the chosen person's posts alone, or everybody's.",
               lambda pane: pane.turn_author(), "feed: only this author", rank=3),
    )  # fmt: skip

    @dataclass
    class Opened(Message):
        """Asks to open an item: the number of a card, or an item type of `feed_tabs.py`."""

        key: Hashable

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.reader = reader = FeedReader(viewer)
        self.town, self.ready, self.search = TownTab(reader), ForYouTab(reader), SearchTab(reader)
        self.tabs: tuple[FeedTab, ...] = (
            self.town, self.ready, FollowingTab(reader), HotTab(reader), self.search, MessagesTab(reader),
            PolicyTab(reader),
        )  # fmt: skip
        self._shown: object = None
        self._busy = False
        self._fault = ""

    # ---- what it shows

    def items(self) -> OrderedKeys:
        return self.tabs[self.tab].items()

    def drawn(self, key: Hashable, width: int) -> Sequence[Line]:
        return self.tabs[self.tab].lines(key, width)

    def state(self) -> object:
        return (self.tab, self.tabs[self.tab].key, int(self.viewer.shown) // 60, self.viewer.settings)

    def go_in(self, key: Hashable) -> None:
        if isinstance(key, Panel):
            self.post_message(self.Wanted(CHOOSE))
        else:
            self.post_message(self.Opened(key))

    def _keep_up(self) -> None:
        """Read in the background what the shown tab lacks, unless that is under way or has failed."""
        if not self._busy and not self._fault and self.is_mounted and self.tabs[self.tab].lacks():
            self._busy = True
            self.run_worker(self._read(self.tabs[self.tab]), group="rounds", exit_on_error=False)

    async def _read(self, tab: FeedTab) -> None:
        try:
            await tab.read()
        except SaveError as error:
            self._fault = str(error)
            self.notify(clean(self._fault, 300), severity="warning", timeout=8)
        finally:
            self._busy = False
        self.pull()

    @property
    def told(self) -> int:
        """How many posts and reposts residents have made."""
        accounts = self.reader.feed.accounts
        return sum(len(accounts[user].posts) for user in self.reader.residents())

    def taken(self) -> str:
        return self.copied()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        self._keep_up()
        shown = (self.tab, self.town.only, self.tabs[self.tab].personal and self.reader.who)
        if shown != self._shown:  # another list
            self._shown = shown
            self.begin()
        head = self._tab_line(width, "" if self.bordered else self._title())
        body = self.body(width, height - 1, 1)
        if self.bordered:
            self.entitle(self._title(), self._where())
        return [head, *(body or [[], *as_lines(self.tabs[self.tab].says(), width)])]

    def _title(self) -> str:
        """Whose feed is shown, in words."""
        reader = self.reader
        if self.tab == 0 and self.town.only:
            return f"Posts of {reader.name}"
        return f"Feed as {reader.name}" if reader.account is not None else "Feed of the town"

    def _where(self) -> str:
        """The position in the list, and how many newer items are above."""
        count = len(self._items)
        if not count:
            return ""
        key = first_key("list.first", self.viewer.keys)
        newer = f"{self.above:,} above, {key}  " if self.above else ""
        return f"{newer}{self.cursor + 1:,} of {count:,}"

    def _tab_line(self, width: int, title: str) -> Line:
        """The row of tabs, the shown one reversed. title: whose feed it is, at the left; "" if the border says it."""
        left = [outside(title, "accent", bold=True)] if title else []
        where = [ink(f"  {self._where()}", "dim")] if title else []
        names, shorts = [tab.name for tab in self.tabs], [tab.short for tab in self.tabs]
        long, short, tight = tab_row(names, self.tab), tab_row(shorts, self.tab), tab_row(shorts, self.tab, "", " ")
        out: Line = []
        for out in ([*long, *where], [*short, *where], long, short, tight):
            if width_of(left) + 2 * bool(left) + width_of(out) <= width:
                break
        return justify(left, out, width) if left else fit(out, width)

    # ---- moving between tabs

    def turn_author(self) -> None:
        """Show the posts of the chosen person alone, or those of everybody again."""
        self.town.only = self.tab != 0 or not self.town.only
        self.show_tab(0)

    def looked(self, query: str, users: Sequence[int], posts: Sequence[int]) -> None:
        """Show the results of a search: numbers of users and posts."""
        self.search.query, self.search.users, self.search.posts = query, users, posts
        self.begin()
        self.show_tab(self.tabs.index(self.search))


def leads_to(stage: Widget, key: Hashable) -> Deed:
    """What enter does on an item of the feed that a sheet shows: open it. key: as in `FeedPane.Opened`."""
    # by a message, as posts and users importing each other would be circular
    return lambda: stage.post_message(FeedPane.Opened(key))
