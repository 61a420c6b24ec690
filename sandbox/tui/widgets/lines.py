"""A pane of ready lines: it keeps the strips it has drawn and redraws only the rows that differ; one with a list under
a cursor; and a screen where one types while the cursor moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.geometry import Region
from textual.message import Message
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from sandbox.tui.view.action import Action, bindings
from sandbox.tui.view.text_lines import TEXT, Line, fit, style
from sandbox.tui.view.textual_internals import BaseScreen
from sandbox.tui.view.viewer import Viewer

WHEEL = 3  # entries that a turn of the wheel moves the cursor
Answer = TypeVar("Answer")

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
    """The line with what a click on it finds in its style: `event.style.meta[what]`. "does": an action's id."""
    meta = _meta(what, value)
    return [segment._replace(style=(segment.style or Style.null()) + meta) for segment in line]


@lru_cache
def _meta(what: str, value: object) -> Style:
    return Style(meta={what: value})


class LinesPane(Widget):
    """Subclasses give `lines(width, height)`; `pull` asks for them anew."""

    class Wanted(Message):
        """An action is to be done, by its id."""

        def __init__(self, id: str) -> None:
            super().__init__()
            self.id = id

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(id=id)
        self.viewer = viewer
        self._strips: list[Strip] = []

    def lines(self, width: int, height: int) -> Sequence[Line]:
        """The lines to show in so many cells; fewer than height leave the rest blank."""
        raise NotImplementedError

    @property
    def ground(self) -> Style:
        """What lies under all that is written. A segment without a style would break filters such as NO_COLOR's."""
        return style(TEXT) + Style(bgcolor=self.rich_style.bgcolor)

    def pull(self) -> None:
        """Bring the pane up to date with the viewer. Cheap when nothing changed; nothing when it is not shown."""
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
        """Forget what was drawn: the look has changed."""
        self._strips = []
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """A row of what was last pulled."""
        width = self.content_size.width
        if y < len(self._strips) and self._strips[y].cell_length == width:
            return self._strips[y]
        return Strip.blank(width, self.ground)

    def on_resize(self) -> None:
        self.pull()

    def on_show(self) -> None:
        self.pull()

    def on_click(self, event: Click) -> None:
        """A click on what stands for an action does it."""
        if id := event.style.meta.get("does"):
            self.post_message(self.Wanted(id))


class ListPane(LinesPane):
    """A list under a cursor, which stands out while the pane has the focus. Subclasses give `move`."""

    BINDINGS: ClassVar[list[BindingType]] = LIST_BINDINGS

    class Turned(Message):
        """The pane that lies beside this one is wanted: the next (by 1) or the one before."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def move(self, by: int) -> None:
        """The cursor by so many."""
        raise NotImplementedError

    def page(self, by: int) -> None:
        """The cursor by a page."""
        self.move(by * max(1, self.content_size.height - 1))

    def first(self) -> None:
        """To the beginning."""
        self.move(-(10**9))

    def last(self) -> None:
        """To the end."""
        self.move(10**9)

    def turn(self, by: int) -> None:
        """The next tab, or the one before."""
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


class TypedScreen(BaseScreen[Answer | None], ModalScreen[Answer | None]):
    """A line to type in and a list whose cursor the arrows move meanwhile. Gives None when it is left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "the one above", show=False),
        Binding("down", "move(1)", "the one below", show=False),
        Binding("pageup", "move(-10)", "ten above", show=False),
        Binding("pagedown", "move(10)", "ten below", show=False),
        Binding("escape", "leave", "close", show=False),
    ]

    def action_move(self, by: int) -> None:
        """The cursor by so many."""
        self.query_one(ListPane).move(by)

    def action_leave(self) -> None:
        """Close it, and go nowhere."""
        self.dismiss(None)
