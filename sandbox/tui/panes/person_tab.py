"""What all tabs of a person have in common."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widget import Widget

from sandbox.tui.view.text_lines import ink
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Deed, EntriesPane, Entry

PAGE = 100  # entries of a long list shown at a time


class PersonTab:
    """A tab of `pane`. name: its label. Subclasses define `entries`; a long list shows `most` entries, and enter on the
    entry of `rest` adds a page.
    """

    name = ""

    def __init__(self, viewer: Viewer, pane: Widget) -> None:
        self.viewer, self.pane = viewer, pane
        self.most = PAGE
        self._paged = ""  # the person that `most` belongs to

    def to_person(self, who: str) -> Deed:
        """What enter does to go to a person."""
        return lambda: self.pane.post_message(EntriesPane.Went(who))

    def to_event(self, seq: int) -> Deed | None:
        """What enter does to go to event `seq`; None for what happened before the town began."""
        return (lambda: self.pane.post_message(EntriesPane.Cause(seq))) if seq > 0 else None

    def turn_to(self, who: str) -> None:
        """Go back to the first page if another person is shown now."""
        if who != self._paged:
            self._paged, self.most = who, PAGE

    def rest(self, count: int) -> Entry | None:
        """The entry that shows more of a list of `count`; None if all are shown."""
        left = count - self.most
        return Entry([[ink(f"{left:,} more: enter shows them", "dim")]], self._more, "more") if left > 0 else None

    def _more(self) -> None:
        self.most += PAGE

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        """The entries about a person at second t. height: rows in view, for tabs that shorten themselves to fit."""
        raise NotImplementedError
