"""A virtual list: only the items in view are drawn, so that a key costs a screenful however long the list is.

Items are ordered keys, each drawn as a few lines. When items come before the cursor's, the cursor stays on its item,
and that item stays in its row of the screen.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from textual.events import Click

from sandbox.tui.view.card_lists import KeyList, OrderedKeys
from sandbox.tui.view.text_lines import Line, as_text, with_background
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import ListPane

KEPT = 500  # items whose lines are kept


class WindowedPane(ListPane):
    """Subclasses give `items`, `drawn`, `state` and `go_in`.

    held: whether the cursor was moved; until then it stays on the first item, whatever comes. marks: whether the
    cursor is highlighted even without the focus. eager: whether the first click on an item opens it.
    """

    can_focus = True
    marks = eager = False

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.held = False
        self.cursor = 0
        self._key: Hashable = None
        self._row = 0  # row of the view in which the cursor's item begins
        self._items: OrderedKeys = KeyList()
        self._head = 0  # lines above the list
        self._seen: list[int] = []  # for each line of the list in view, the index of its item
        self._drawn: dict[tuple[Hashable, int], Sequence[Line]] = {}
        self._state: object = None

    def items(self) -> OrderedKeys:
        """The keys of all items, the topmost first."""
        raise NotImplementedError

    def drawn(self, key: Hashable, width: int) -> Sequence[Line]:
        """The lines of an item, including the blank line after it."""
        raise NotImplementedError

    def state(self) -> object:
        """A value that changes when drawn items may be out of date."""
        raise NotImplementedError

    def go_in(self, key: Hashable) -> None:
        """Open an item."""
        raise NotImplementedError

    @property
    def chosen(self) -> Hashable:
        """The key under the cursor, None if the list is empty."""
        return self._items[self.cursor] if self.cursor < len(self._items) else None

    @property
    def above(self) -> int:
        """How many items are above those in view."""
        return self._seen[0] if self._seen else 0

    def begin(self) -> None:
        """Put the cursor on the first item and keep it there."""
        self.held, self.cursor, self._key, self._row = False, 0, None, 0

    # ---- what is in view

    def body(self, width: int, height: int, head: int) -> list[Line]:
        """The list in `height` lines; empty if there are no items. head: lines of the pane above the list."""
        self._head = head
        state = (self.state(), width)
        if state != self._state or len(self._drawn) > KEPT:
            self._drawn.clear()
            self._state = state
        self._items = self.items()
        self._seen = []
        if not len(self._items) or height < 1:
            return []
        self._stand()
        window = self._window(width, height)
        self._seen = [i for i, _ in window]
        marked = self.cursor if self.marks or self.has_focus else -1
        return [with_background(line, "chosen", width) if i == marked and line else line for i, line in window]

    def _stand(self) -> None:
        """Find the index of the cursor's item again after the items changed."""
        if not self.held:
            self.cursor = self._row = 0
        elif (found := self._items.find(self._key)) >= 0:
            self.cursor = found
        self.cursor = max(0, min(self.cursor, len(self._items) - 1))
        self._key = self._items[self.cursor]

    def _window(self, width: int, height: int) -> list[tuple[int, Line]]:
        """The lines in view, each with the index of its item: the cursor's item in its old row, and those around it."""
        own = self._lines_of(self.cursor, width)
        top = max(0, min(self._row, height - len(own)))
        above = self._above(width, top, [])
        top = min(top, len(above))
        below = [(self.cursor, line) for line in own]
        index = self.cursor + 1
        while len(below) < height - top and index < len(self._items):
            below += [(index, line) for line in self._lines_of(index, width)]
            index += 1
        if (lack := height - top - len(below)) > 0:  # the list ends here
            above = self._above(width, top + lack, above)
            top = min(top + lack, len(above))
        self._row = top
        return [*above[:top][::-1], *below][:height]

    def _above(self, width: int, most: int, lines: list[tuple[int, Line]]) -> list[tuple[int, Line]]:
        """At least `most` lines above the cursor's item if there are, nearest first. lines: those made so far."""
        index = (lines[-1][0] if lines else self.cursor) - 1
        while len(lines) < most and index >= 0:
            lines += [(index, line) for line in reversed(self._lines_of(index, width))]
            index -= 1
        return lines

    def _lines_of(self, index: int, width: int) -> Sequence[Line]:
        key = self._items[index]
        found = self._drawn.get((key, width))
        if found is None:
            found = self._drawn[key, width] = self.drawn(key, width)
        return found

    def copied(self) -> str:
        """The item under the cursor as text."""
        key = self.chosen
        return as_text(self.drawn(key, self.content_size.width)).strip() if key is not None else ""

    # ---- keys and mouse

    def move(self, by: int) -> None:
        """Move the cursor by so many items; the view scrolls only as far as needed."""
        width, height = self.content_size.width, self.content_size.height - self._head
        if not len(self._items):
            return
        target = max(0, min(len(self._items) - 1, self.cursor + by))
        on = 1 if target > self.cursor else -1
        for i in range(self.cursor, target, on):
            self._row += len(self._lines_of(i, width)) if on > 0 else -len(self._lines_of(i - 1, width))
            if not 0 <= self._row <= height:
                break
        self._put(target)

    def _put(self, index: int) -> None:
        self.cursor, self._key, self.held = index, self._items[index], True
        self.pull()

    def page(self, by: int) -> None:
        """Move the cursor by so many pages of the items in view."""
        self.move(by * max(1, len(set(self._seen)) - 1))

    def first(self) -> None:
        """Go to the first item, and stay on whichever item is first from now on."""
        self.begin()
        self.pull()

    async def enter(self) -> None:
        """Open the item under the cursor."""
        if self.chosen is not None:
            self.go_in(self.chosen)

    def on_click(self, event: Click) -> None:
        """A click chooses an item; a click on the chosen one, a double click or any in an eager pane opens it."""
        index = self.clicked(event, self._seen, self._head)
        if index is None or index >= len(self._items):
            return
        opens = self.eager or event.chain > 1 or (index == self.cursor and self.has_focus)
        self._row = self._seen.index(index)
        self._put(index)
        if opens:
            self.go_in(self._items[index])
