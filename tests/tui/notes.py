"""A pane of the tests' own, as one would add it: this file, and a row in `sandbox/tui/panes/roster.py`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from sandbox.tui.view.action import Action
from sandbox.tui.view.text_lines import ink
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import EntriesPane, Entry
from sandbox.tui.widgets.pane import Pane, PanePlace, Region


class NotesPane(EntriesPane, Pane):
    """What one has noted down; enter on a note asks for time to stand or go on."""

    PLACE = PanePlace("notes", "7", "Notes", "the notes", "in the notes", wide=Region.LIST, broad=Region.LIST)
    LOOK = "border-title-color: $our-accent; background: $our-sheet;"
    ACTIONS: ClassVar[tuple[Action[NotesPane], ...]] = (
        Action("notes.add", "e", "note", "Note the hour down.", lambda pane: pane.add(), "notes: add", rank=1),
    )

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.notes: list[str] = []
        self.border_title = "Notes"

    def entries(self, width: int) -> Sequence[Entry]:
        goes = partial(self._ask, "time.pause")
        return [Entry([[ink(note, "soft")]], goes, note) for note in self.notes or ["nothing noted yet"]]

    def add(self) -> None:
        """Note the hour that is shown."""
        self.notes.append(f"noted at {self.viewer.world.clock.hhmm(int(self.viewer.shown))}")
        self.pull()

    def _ask(self, id: str) -> None:
        self.post_message(self.Wanted(id))
