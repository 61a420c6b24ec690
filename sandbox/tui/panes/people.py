"""Everybody: mark, name, place, what they do, how they have felt; sorted as one likes."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.people.words import MARKS
from sandbox.tui.ink import SOFT, ink, of_mood, outside
from sandbox.tui.panes.entries import EntriesPane, Entry
from sandbox.tui.viewer import Viewer


class PeoplePane(EntriesPane):
    """The list of people. alone: whether it has the whole screen."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.alone = False

    def entries(self, width: int) -> Sequence[Entry]:
        rows = self.viewer.view.rows(self.viewer.shown)
        return [
            Entry(
                [[ink(f"{MARKS[r.mood]} ", of_mood(r.mood)), outside(r.name), ink("  "), outside(r.where, SOFT)]],
                lambda: None,
                r.id,
            )
            for r in rows
        ]

    def next_sort(self) -> None:
        """The next order."""
