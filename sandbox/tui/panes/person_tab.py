"""What all tabs of a person have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sandbox.tui.view.text_lines import DIM, as_lines, ink
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Deed, Entry

PAGE = 100  # of a long list, shown at a time


class Goes(NamedTuple):
    """Where entries of a tab lead: to a person by id, to an event by number. Each posts a message."""

    person: Callable[[str], bool]
    event: Callable[[int], bool]

    def to_event(self, seq: int) -> Deed | None:
        """The deed that leads to an event; None for what was before the town began."""
        return (lambda: self.event(seq)) if seq > 0 else None


class PersonTab:
    """A tab. name: what stands on it. Subclasses give `entries`; a list that may be long shows `most`, and more when
    asked for.
    """

    name = ""

    def __init__(self, viewer: Viewer, goes: Goes) -> None:
        self.viewer = viewer
        self.goes = goes
        self.most = PAGE
        self._paged = ""  # whose list that is

    def turn_to(self, who: str) -> None:
        """Begin at the first page, if that is another person."""
        if who != self._paged:
            self._paged, self.most = who, PAGE

    def rest(self, count: int) -> Entry | None:
        """The entry that shows more of a list of so many; None if all are shown."""
        left = count - self.most
        return Entry([[ink(f"{left:,} more: enter shows them", DIM)]], self._more, "more") if left > 0 else None

    def _more(self) -> None:
        self.most += PAGE

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        """All it says of a person at second t. height: the rows there are, for what can be said shorter."""
        raise NotImplementedError


def remark_entry(text: str, width: int) -> Entry:
    """A plain remark."""
    return Entry(as_lines(text, width))
