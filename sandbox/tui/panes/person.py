"""The pane of the chosen person, in tabs: now, ties, memory, matters, life. `person_*.py` fill the other tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.content import Content
from textual.style import Style as ContentStyle
from textual.widget import Widget

from sandbox.core.text import clean
from sandbox.people.memory import Memories
from sandbox.people.memory_stream import Memory, MemoryStream
from sandbox.store.errors import SaveError
from sandbox.tui.panes.person_known import KnownTab
from sandbox.tui.panes.person_life import LifeTab
from sandbox.tui.panes.person_matters import MattersTab
from sandbox.tui.panes.person_now import NowTab
from sandbox.tui.panes.person_tab import PersonTab
from sandbox.tui.panes.person_ties import TiesTab
from sandbox.tui.view import log_queries
from sandbox.tui.view.action import Action
from sandbox.tui.view.person_words import person_title, short_age
from sandbox.tui.view.text_lines import Ink, Line, fit, ink, justify, outside, width_of, wrap_cells
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import EntriesPane, Entry, remark
from sandbox.tui.widgets.lines import TabbedPane, tab_row
from sandbox.tui.widgets.pane import Pane, PanePlace, Region

HEAD = 7  # cells before a memory: "12m  : "
HEAVY = 6  # poignancy from which a memory stands out
STALE = 600  # seconds of town time after which the shown ages are computed again
KINDS: dict[str, tuple[str, Ink]] = {
    "event": (".", "soft"),
    "chat": ('"', "soft"),
    "thought": (":", "accent"),
    "plan": (">", "link"),
}


class MemoryTab(PersonTab):
    """The memories; each leads to its event. read: starts reading them, as a replay has none until then."""

    name = "Memory"

    def __init__(self, viewer: Viewer, pane: Widget, read: Callable[[], None]) -> None:
        super().__init__(viewer, pane)
        self.read = read
        self.weightiest = False
        self._fault: tuple[Memories | None, str] = (None, "")
        self._kept: tuple[object, list[Entry]] = (None, [])

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        memories = self.viewer.world.memories
        if self.lost:
            return [remark(f"What they remember cannot be read: {self._fault[1]}", width)]
        if not memories.live:
            self.read()
            return [remark("reading what they remember ...", width)]
        self.turn_to(who)
        stream = memories.streams[who]
        key = (stream, stream.count, width, self.weightiest, self.most, int(t) // STALE)
        if key != self._kept[0]:
            self._kept = (key, self._all(who, stream, t, width))
        return self._kept[1]

    @property
    def lost(self) -> bool:
        """Whether reading the memories failed at this moment of the town."""
        return self.viewer.world.memories is self._fault[0]

    def failed(self, why: str) -> None:
        """Note that reading failed, and why; they are not read again until the town is at another moment."""
        self._fault = (self.viewer.world.memories, why)

    def turn_order(self) -> None:
        """Switch between newest first and weightiest first."""
        self.weightiest = not self.weightiest

    def _all(self, who: str, stream: MemoryStream, t: float, width: int) -> list[Entry]:
        if not len(stream):
            return [remark(f"{self.viewer.name(who)} remembers nothing yet; a few steps will change that.", width)]
        found = stream.weightiest(self.most) if self.weightiest else stream[: -self.most - 1 : -1]
        first, other = ("weightiest", "newest") if self.weightiest else ("newest", "weightiest")
        out = [Entry([justify([ink(f"{first} first", "soft")], [ink(f"s {other} first", "dim")], width)])]
        out += [Entry(self._lines(n, t, width), self.to_event(n.seq), n.id) for n in found]
        rest = self.rest(len(stream))
        return out if rest is None else [*out, rest]

    def _lines(self, node: Memory, t: float, width: int) -> list[Line]:
        mark, fg = KINDS.get(node.kind, (".", "soft"))
        text = clean(node.text, 600)
        others = [name for name in map(self.viewer.name, node.about) if name not in text]
        if others:
            text += f" ({', '.join(others)})"
        heavy = node.poignancy >= HEAVY
        parts = wrap_cells(text, max(8, width - HEAD - 4), 3)  # two blanks, two digits
        head = [ink(f"{short_age(t - node.t):>4} ", "dim"), ink(f"{mark} ", fg, bold=True), outside(parts[0])]
        weight = ink(f"{node.poignancy:2d}", "accent" if heavy else "dim", bold=heavy)
        rest = [[ink(" " * HEAD), ink(part, "text" if heavy else "soft")] for part in parts[1:]]
        return [justify(head, [weight], width), *rest]


NOBODY = "Nobody is chosen. Click somebody on the map, press j in the town for the next person in view, or / to find."


class PersonPane(TabbedPane, EntriesPane, Pane):
    """The pane of the chosen person."""

    PLACE = PanePlace("person", "3", "Person", "the person", "at the person", wide=Region.FOOT, broad=Region.FOOT)
    ACTIONS: ClassVar[tuple[Action[PersonPane], ...]] = (
        Action("list.order", "s", "", "Memories: newest or weightiest first.", lambda pane: pane.turn_order()),
    )

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.memory = MemoryTab(viewer, self, self._remember)
        self._whole: tuple[PersonTab, ...] = (
            NowTab(viewer, self), TiesTab(viewer, self, self._remember), self.memory,
            MattersTab(viewer, self), LifeTab(viewer, self),
        )  # fmt: skip
        self._known = (KnownTab(viewer, self),)
        self._headed = False
        self._shown: object = None
        self._reading = False

    # ---- what it shows

    @property
    def tabs(self) -> Sequence[PersonTab]:  # type: ignore[override]
        """The tabs: all of them, or just `KnownTab` if the view is limited to what the played person knows of them."""
        return self._known if self.viewer.hides(self.viewer.selected) else self._whole

    def lines(self, width: int, height: int) -> Sequence[Line]:
        viewer, who = self.viewer, self.viewer.selected
        self._headed = not self.bordered  # it shows name and tabs itself
        if (shown := (who, self.tab)) != self._shown:  # another list
            self._shown = shown
            self.reset()
        if not who or not self._headed:
            out = super().lines(width, height)
            self._frame(who)
            return out
        body = super().lines(width, height - 1)
        following = [ink("following ", "link")] if viewer.following else []
        tabs = tab_row([tab.name for tab in self.tabs], self.tab)
        tabs += [ink(f"↓{self.more}", "soft")] if self.more else []
        name = [*following, outside(person_title(viewer, who), "accent", bold=True)]
        self._rows.insert(0, -1)
        return [justify(fit(name, max(0, width - width_of(tabs) - 2)), tabs, width), *body]

    def entries(self, width: int) -> Sequence[Entry]:
        viewer, who = self.viewer, self.viewer.selected
        if not who:
            return [remark(NOBODY, width)]
        height = self.content_size.height - self._headed
        return self.tabs[self.tab].entries(who, viewer.shown, width, height)

    def _frame(self, who: str) -> None:
        """Put name, tabs and the number of rows below into the border."""
        following = "following " if who and self.viewer.following else ""
        heading = following + person_title(self.viewer, who) if who else "Person"
        parts = []
        for i, tab in enumerate(self.tabs if who else ()):
            shown = ContentStyle(reverse=True, bold=True) if i == self.tab else ContentStyle()
            parts.append((f" {tab.name} ", shown + ContentStyle.from_meta({"tab": i})))
        if self.more:
            parts.append((f"↓{self.more}", ContentStyle()))
        self.entitle(heading, Content.assemble(*parts))

    def taken(self) -> str:
        """The text to copy: the whole tab; if nobody is chosen, the event that time stopped at."""
        return self.copied_all() if self.viewer.selected else self.viewer.told_of(self.viewer.stop)

    # ---- moving between tabs

    def turn_order(self) -> None:
        """Switch the order of memories; the other tabs have one order."""
        if self.tabs[self.tab] is self.memory:
            self.memory.turn_order()
            self.reset()
            self.pull()

    # ---- memories, which a replay has to read first

    def _remember(self) -> None:
        if not self._reading and not self.memory.lost:
            self._reading = True
            self.run_worker(self._read(), group="memories")

    async def _read(self) -> None:
        viewer = self.viewer
        try:
            await log_queries.catch_up_memories(viewer)
        except SaveError as error:
            self.memory.failed(str(error))
        finally:
            self._reading = False
        self.pull()
