"""LinesPane, a pane of lines that redraws only rows that differ; ListPane, one with a cursor; TypedScreen, one with
an input line and a list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.geometry import Region
from textual.message import Message
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from sandbox.tui.view.action import Action, bindings
from sandbox.tui.view.text_lines import Ink, Line, fit, ink, style
from sandbox.tui.view.textual_internals import BaseScreen
from sandbox.tui.view.viewer import Viewer

WHEEL = 3  # entries that one notch of the wheel moves the cursor
Answer = TypeVar("Answer")
Row = TypeVar("Row")

# fmt: off
LIST_ACTIONS: tuple[Action[ListPane], ...] = (
    Action("list.down", "j,down", "down", "Go down the list.", lambda pane: pane.move(1), rank=2),
    Action("list.up", "k,up", "", "Go up.", lambda pane: pane.move(-1), rank=3),
    Action("list.page_down", "pagedown", "", "A page down.", lambda pane: pane.page(1)),
    Action("list.page_up", "pageup", "", "A page up.", lambda pane: pane.page(-1)),
    Action("list.first", "g,home", "", "To the beginning.", lambda pane: pane.first()),
    Action("list.last", "G,end", "", "To the end; in the timeline, and stay there.", lambda pane: pane.last()),
)
TAB_ACTIONS: tuple[Action[ListPane], ...] = (
    Action("tab.next", "right_square_bracket", "tab", "The next tab of the pane; in a talk, the next talk of the two.",
           lambda pane: pane.turn(1), "pane: next tab", rank=3),
    Action("tab.previous", "left_square_bracket", "", "The one before.",
           lambda pane: pane.turn(-1), "pane: previous tab"),
)
# fmt: on
LIST_BINDINGS = bindings((*LIST_ACTIONS, *TAB_ACTIONS))


def make_clickable(line: Iterable[Segment], what: str, value: object) -> Line:
    """The line with `value` in its style, where a click finds it as `event.style.meta[what]`. "does": an action id."""
    meta = _meta(what, value)
    return [segment._replace(style=(segment.style or Style.null()) + meta) for segment in line]


@lru_cache
def _meta(what: str, value: object) -> Style:
    return Style(meta={what: value})


def tab_row(names: Iterable[str], shown: int, pad: str = " ", gap: str = "", fresh: Collection[int] = ()) -> Line:
    """Names of tabs side by side, the shown one reversed, a dot at those in `fresh`; a click on one finds its number as
    `event.style.meta["tab"]`. pad: beside each name but the shown one's, which has blanks; gap: between two.
    """
    out: Line = []
    for i, name in enumerate(names):
        before = " " if i == shown else pad
        fg: Ink = "accent" if i == shown or i in fresh else "soft"
        text = f"{before}{name}{'•' if i in fresh else before}"
        tab = Segment(text, style(fg, bold=i == shown, reverse=i == shown))
        out += [*([ink(gap)] if gap and i else []), *make_clickable([tab], "tab", i)]
    return out


class LinesPane(Widget):
    """Shows the lines that a subclass gives by `lines(width, height)`; `pull` updates them."""

    @dataclass
    class Wanted(Message):
        """Asks to do an action, by its id."""

        id: str

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(id=id)
        self.viewer = viewer
        self._strips: list[Strip] = []
        self._heading = self._foot = Content()  # what stands in the border

    def lines(self, width: int, height: int) -> Sequence[Line]:
        """The lines to show in width x height cells; rows without a line stay blank."""
        raise NotImplementedError

    @property
    def bordered(self) -> bool:
        """Whether it has a border, which holds its title."""
        return self.outer_size.height != self.content_size.height

    def entitle(self, title: str | Content, foot: str | Content = "") -> None:
        """Put words into the border above and below; only if they are new, as that draws the whole pane."""
        heading, below = (says if isinstance(says, Content) else Content(says) for says in (title, foot))
        if not heading.is_same(self._heading):
            self.border_title = self._heading = heading
        if not below.is_same(self._foot):
            self.border_subtitle = self._foot = below

    @property
    def ground(self) -> Style:
        """The base style of every segment. A segment without a style would break filters such as NO_COLOR's."""
        return style("text") + Style(bgcolor=self.rich_style.bgcolor)

    def pull(self) -> None:
        """Bring the pane up to date with the viewer. Cheap if nothing changed; does nothing while hidden."""
        width, height = self.content_size
        if not self.display or width < 1 or height < 1:
            return
        ground = self.ground
        fresh = [
            Strip(fit(line, width)).adjust_cell_length(width, ground).apply_style(ground)
            for line in self.lines(width, height)[:height]
        ]
        before, self._strips = self._strips, fresh
        for y in range(max(len(before), len(fresh))):
            if y >= len(before) or y >= len(fresh) or before[y] != fresh[y]:
                self.refresh(Region(0, y, width, 1))

    def forget(self) -> None:
        """Redraw everything, because the look has changed."""
        self._strips = []
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Row y as of the last `pull`; blank if it is missing or of another width."""
        width = self.content_size.width
        if y < len(self._strips) and self._strips[y].cell_length == width:
            return self._strips[y]
        return Strip.blank(width, self.ground)

    def on_resize(self) -> None:
        self.pull()

    def on_show(self) -> None:
        self.pull()

    def clicked(self, event: Click, rows: Sequence[Row], head: int = 0) -> Row | None:
        """That of the rows in view which a click is on, None beside them. head: lines of the pane above them."""
        offset = event.get_content_offset(self)
        y = offset.y - head if offset is not None else -1
        return rows[y] if 0 <= y < len(rows) else None

    def on_click(self, event: Click) -> None:
        """A click on a segment made clickable for an action does that action."""
        if id := event.style.meta.get("does"):
            self.post_message(self.Wanted(id))


class ListPane(LinesPane):
    """A list with a cursor, which is highlighted while the pane has the focus. Subclasses give `move`."""

    BINDINGS: ClassVar[list[BindingType]] = LIST_BINDINGS

    @dataclass
    class Turned(Message):
        """Asks for the tab beside this pane: the next (by 1) or the previous (by -1)."""

        by: int

    def move(self, by: int) -> None:
        """Move the cursor by so many entries."""
        raise NotImplementedError

    def page(self, by: int) -> None:
        """Move the cursor by so many pages."""
        self.move(by * max(1, self.content_size.height - 1))

    def first(self) -> None:
        """Go to the first entry."""
        self.move(-(10**9))

    def last(self) -> None:
        """Go to the last entry."""
        self.move(10**9)

    def turn(self, by: int) -> None:
        """Ask for the next tab (by 1) or the previous one (by -1)."""
        self.post_message(self.Turned(by))

    def on_focus(self) -> None:
        self.call_next(self.pull)  # Textual sets `has_focus` after this

    def on_blur(self) -> None:
        self.call_next(self.pull)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.move(-WHEEL)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.move(WHEEL)


class TabbedPane(ListPane):
    """A mixin for a list in tabs, before its kind of list. Subclasses give `tabs`, what each shows."""

    can_focus = True  # Textual would have it False here, and so in what is mixed from it
    tabs: Sequence[object]
    _tab = 0

    @property
    def tab(self) -> int:
        """The number of the shown tab."""
        return min(self._tab, len(self.tabs) - 1)

    def turn(self, by: int) -> None:
        """Show the next tab, or the one before."""
        self.show_tab((self.tab + by) % len(self.tabs))

    def show_tab(self, number: int) -> None:
        """Show a tab."""
        self._tab = number
        self.pull()

    def on_click(self, event: Click) -> None:
        """A click on a tab's name shows it."""
        if (tab := event.style.meta.get("tab")) is not None:
            self.show_tab(tab)


class TypedScreen(BaseScreen[Answer | None], ModalScreen[Answer | None]):
    """A screen with an input line and a list whose cursor the arrows move meanwhile. Returns None if cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "the one above", show=False),
        Binding("down", "move(1)", "the one below", show=False),
        Binding("pageup", "move(-10)", "ten above", show=False),
        Binding("pagedown", "move(10)", "ten below", show=False),
        Binding("escape", "leave", "close", show=False),
    ]

    def action_move(self, by: int) -> None:
        """Move the list's cursor by so many entries."""
        self.query_one(ListPane).move(by)

    def action_leave(self) -> None:
        """Close the screen without a choice."""
        self.dismiss(None)
