"""A sheet over the panes: a talk in full, the ledger of a mood, a list to choose from. The town goes on beneath what is
only read, and stands while something is chosen.

Sheets lie on each other; the topmost is shown, and escape takes it away.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Generic, TypeVar

from textual.content import Content

from sandbox.tui.view.text_lines import FAINT, Line, as_lines, as_text, ink, to_width
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import EntriesPane, Entry, choices

S = TypeVar("S")  # the stage on which sheets are shown
LITTLE, USUAL = 42, 74  # cells of a line in the small frame, and in that of most sheets
SIDED, ASIDE = 96, 28  # width from which there is room at the right, and how much
RULE = " │ "
PLAIN = 78  # cells of a line that is copied


class Sheet(Generic[S]):
    """What is shown over the panes. Subclasses give `entries`, and `turned` where `[` and `]` do something.

    kind: what it is, so that its key closes it too. small: whether it needs only a small frame; short: one no higher
    than what it says; broad: whether it can use much room. picks: whether it is a list to choose from, before which
    keys do nothing to the town behind it and time stands, unless it runs; keys: what they do all the same, the ids of
    actions it names. end: begin at the last entry, and stay there as long as entries come. start: the key of the entry
    to begin at. sided: whether `aside` is shown. whole: whether all of it is copied, not the chosen entry alone. turns:
    whether `[` or `]` do something now.
    """

    kind = title = ""
    small = short = False
    broad = False
    picks = runs = False
    keys: frozenset[str] = frozenset()
    end = False
    sided = whole = turns = False
    start: object = None

    def __init__(self, stage: S, title: str = "") -> None:
        self.stage = stage
        self.title = title or self.title

    def entries(self, width: int) -> Sequence[Entry]:
        """All it says, in so many cells."""
        raise NotImplementedError

    def people(self) -> Collection[str]:
        """Whom it looks at: where the moment shown lies before one of them came, that is all it says."""
        return ()

    def hidden(self) -> bool:
        """Whether it tells what whoever is played cannot know, while one is to know no more."""
        return False

    def aside(self, width: int) -> Sequence[Line]:
        """What stands at the right of the entries where there is room, and does not scroll; nothing = no such part."""
        return ()

    def plain(self) -> str:
        """All of it as text to be copied; "" = only the chosen entry is worth it."""
        lines = (line for entry in self.entries(PLAIN) for line in entry.lines)
        return as_text(lines).strip() if self.whole else ""

    def labels(self) -> Mapping[str, str]:
        """Words of the footer for what keys do on this sheet, by the id of the action: other words than usual, "" for
        what they do not do here, and words for keys of its own.
        """
        return {}

    def turned(self, by: int) -> Sheet[S] | None:
        """The sheet beside this one, or None."""
        return None

    def closed(self) -> None:
        """It was taken away."""


class SheetPane(EntriesPane):
    """The frame over the panes, and the sheets in it, the topmost last."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self._open: list[tuple[Sheet[Any], int]] = []
        self._following = False
        self.border_subtitle = "esc closes"

    @property
    def topmost(self) -> Sheet[Any] | None:
        """What is shown."""
        return self._open[-1][0] if self._open else None

    @property
    def kind(self) -> str:
        """What kind of sheet is shown, "" = none."""
        return self._open[-1][0].kind if self._open else ""

    @property
    def stands(self) -> bool:
        """Whether time stands for what is being chosen, on the sheet that is shown or on one beneath it."""
        return any(sheet.picks and not sheet.runs for sheet, _ in self._open)

    def holds(self, sheet: Sheet[Any]) -> bool:
        """Whether a sheet is open, on top or beneath another."""
        return any(held is sheet for held, _ in self._open)

    def open(self, sheet: Sheet[Any], instead: bool = False) -> None:
        """Show a sheet, on top of the others or instead of the topmost."""
        if instead and self._open:
            self._open.pop()
        elif self._open:
            self._open[-1] = (self._open[-1][0], self.cursor)
        self._open.append((sheet, 0))
        self._show(sheet)
        self.begin()

    def begin(self) -> None:
        """Stand where the sheet begins."""
        sheet = self._open[-1][0]
        self.reset(sheet.end)
        self._entries, self._key, self._following = (), sheet.start, sheet.end
        self.pull()

    def turn(self, by: int) -> None:
        """The sheet beside the topmost takes its place, if there is one."""
        sheet = self.topmost
        beside = sheet.turned(by) if sheet is not None and not self._absent(sheet) else None
        if beside is not None and not beside.hidden():
            self.open(beside, instead=True)

    def close(self) -> bool:
        """Take the topmost away; whether another lies beneath."""
        sheet, _ = self._open.pop()
        if self._open:
            below, cursor = self._open[-1]
            self._show(below)
            self.reset()
            self.cursor, self._following = cursor, False
            self.pull()
        else:
            self.display = False
        sheet.closed()
        return bool(self._open)

    def _show(self, sheet: Sheet[Any]) -> None:
        self._strips = []
        self._entries = ()
        self._fit(sheet)
        self.set_class(sheet.small, "-little")
        self.set_class(sheet.kind == "menu", "-menu")
        self.set_class(sheet.broad, "-broad")
        self.display = True
        self.refresh()
        self.focus()

    def _fit(self, sheet: Sheet[Any]) -> None:
        """A small or short sheet's frame is as high as what it says."""
        if sheet.small or sheet.short:
            width = LITTLE if sheet.small else USUAL
            self.styles.height = 2 + sum(len(entry.lines) for entry in self._told(sheet, width))
            self.styles.max_height = "85%"
        else:
            self.styles.clear_rule("height")
            self.styles.clear_rule("max_height")

    def entries(self, width: int) -> Sequence[Entry]:
        if not self._open:
            return ()
        sheet = self._open[-1][0]
        if sheet.end and self._entries:
            self._following = self.cursor == max(choices(self._entries), default=0)
        entries = self._told(sheet, width)
        if self._following:
            self.cursor, self._key = max(choices(entries), default=0), None
        return entries

    def _absent(self, sheet: Sheet[Any]) -> str:
        """Who of those a sheet looks at has not come yet at the moment shown, "" if all have."""
        return next((who for who in sheet.people() if not self.viewer.there(who)), "")

    def _told(self, sheet: Sheet[Any], width: int) -> Sequence[Entry]:
        """What a sheet says at the moment shown."""
        if who := self._absent(sheet):
            return [Entry(as_lines(f"{self.viewer.name(who)} has not come to town yet at the moment shown.", width))]
        return sheet.entries(width)

    def taken(self) -> str:
        """What is copied: all of the sheet, where that is worth it, else the chosen entry."""
        sheet = self.topmost
        whole = sheet.plain() if sheet is not None and not self._absent(sheet) else ""
        return whole or self.copied()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        sheet = self.topmost
        if sheet is None:
            return ()
        self.border_title = Content(sheet.title)
        aside = sheet.aside(ASIDE) if width >= SIDED and not self._absent(sheet) else ()
        sheet.sided = bool(aside)
        left = width - ASIDE - len(RULE) if aside else width
        lines = super().lines(left, height)
        self.border_subtitle = f"esc closes   {self.more} more, j or ↓" if self.more else "esc closes"
        return [_beside(lines, aside, y, left) for y in range(height)] if aside else lines


def _beside(lines: Sequence[Line], aside: Sequence[Line], y: int, left: int) -> Line:
    """Row y of a list and of what stands at its right."""
    line = to_width(lines[y] if y < len(lines) else [], left)
    return [*line, ink(RULE, FAINT), *(aside[y] if y < len(aside) else ())]
