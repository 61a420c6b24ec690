"""Lists: up, down, ends, filter, sort. They act on the open sheet, else on the pane in focus."""

from __future__ import annotations

from typing import Protocol

from sandbox.tui.hands.hand import Hand


class Scrolls(Protocol):
    """A list under a cursor."""

    def move(self, by: int) -> None: ...

    def page(self, by: int) -> None: ...

    def first(self) -> None: ...

    def last(self) -> None: ...


class Lists(Hand):
    """`list.*`"""

    @property
    def _list(self) -> Scrolls:
        stage = self.stage
        if stage.sheet.leaf is not None:
            return stage.sheet
        lists: dict[str, Scrolls] = {"timeline": stage.timeline, "person": stage.person, "people": stage.people}
        return lists.get(stage.current, stage.timeline)

    def down(self) -> None:
        self._list.move(1)

    def up(self) -> None:
        self._list.move(-1)

    def page_down(self) -> None:
        self._list.page(1)

    def page_up(self) -> None:
        self._list.page(-1)

    def first(self) -> None:
        self._list.first()

    def last(self) -> None:
        self._list.last()

    def filter(self) -> None:
        self.stage.timeline.next_filter()

    def sort(self) -> None:
        self.stage.people.next_sort()

    def order(self) -> None:
        self.stage.person.turn_order()
