"""A question to the player before which time stands: some lines, then answers to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.text_lines import DIM, TEXT, as_lines, ink
from sandbox.tui.widgets.entries import Deed, Entry
from sandbox.tui.widgets.sheet_pane import Sheet

WAITS = "a question"  # why time stands


class AskingSheet(Sheet[TownLayout]):
    """The question. Subclasses give `says` and `answers`; to close the sheet is to do nothing."""

    short = picks = True

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        paced = stage.viewer.pace.paced
        self.before = paced.reason if paced.paused else ""  # why time stood already, "" = it ran
        paced.pause(WAITS)

    def says(self) -> Sequence[str]:
        """The question, a paragraph each."""
        raise NotImplementedError

    def answers(self) -> Sequence[tuple[str, str, Deed]]:
        """A word, what it means, what it does."""
        raise NotImplementedError

    def entries(self, width: int) -> Sequence[Entry]:
        out = [Entry([*(line for text in self.says() for line in as_lines(text, width, TEXT)), []])]
        for name, means, does in self.answers():
            out.append(Entry([[ink(f"{name:5}", TEXT), ink(means, DIM)]], does, name))
        return out

    def labels(self) -> Mapping[str, str]:
        return {"chosen.open": "choose"}

    def closed(self) -> None:
        pace = self.stage.viewer.pace
        if pace.stands_for(WAITS) and self.before:
            pace.paced.pause(self.before)
        elif pace.stands_for(WAITS):
            pace.paced.go()
