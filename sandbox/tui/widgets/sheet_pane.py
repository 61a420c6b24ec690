"""Sheets over the panes: a whole talk, the ledger of a mood, a list to choose from. Time runs on under a sheet that is
only read, and is paused while something is chosen.

Sheets form a stack; the topmost is shown, and escape closes it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from textual.events import Click

from sandbox.tui.view.text_lines import Line, as_lines, as_text, ink, to_width
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import EntriesPane, Entry, choices
from sandbox.tui.widgets.lines import tab_row

LITTLE, USUAL = 42, 74  # cells of a line in a small sheet, and in most others
SIDED, ASIDE = 96, 28  # width from which `aside` is shown, and the cells it takes
RULE = " │ "
PLAIN = 78  # cells of a line of copied text


class Sheet:
    """The content of a sheet over a stage. Subclasses give `entries`, and `turned` if `[` and `]` do something.

    kind: identifies it, so that the key that opens it also closes it. small: a small frame; short: a frame no higher
    than the content; broad: a large one. picks: it is a list to choose from: keys do not reach the town and time is
    paused, unless `runs`; keys: ids of actions that work all the same. end: begin at the last entry and follow new
    ones. start: key of the entry to begin at. sided: whether `aside` is shown (set by the pane). whole: copy all of it,
    not only the chosen entry. turns: whether `[` or `]` do something now. tabs, tab: their names, and the shown one's.
    """

    kind = title = ""
    small = short = False
    broad = False
    picks = runs = False
    keys: frozenset[str] = frozenset()
    end = False
    sided = whole = turns = False
    start: object = None
    tabs: Sequence[str] = ()
    tab = ""

    def __init__(self, stage: Any, title: str = "") -> None:
        self.stage = stage
        self.title = title or self.title

    def entries(self, width: int) -> Sequence[Entry]:
        """Its entries, with lines of `width` cells."""
        raise NotImplementedError

    def people(self) -> Collection[str]:
        """The people it is about. Before one of them has come to town, the sheet says only that."""
        return ()

    def hidden(self) -> bool:
        """Whether it shows what the played person cannot know, if the player is to know no more."""
        return False

    def aside(self, width: int) -> Sequence[Line]:
        """Lines at the right of the entries, which do not scroll; shown where there is room."""
        return ()

    def plain(self) -> str:
        """The whole sheet as text to be copied; "" = copy the chosen entry instead."""
        lines = (line for entry in self.entries(PLAIN) for line in entry.lines)
        return as_text(lines).strip() if self.whole else ""

    def labels(self) -> Mapping[str, str]:
        """Footer words on this sheet by action id, instead of the usual ones; "" for actions that do nothing here."""
        return {}

    def turned(self, by: int) -> Sheet | None:
        """The next (by 1) or previous (by -1) sheet of its series, or None."""
        return None

    def tab_beside(self, by: int) -> str:
        """The name of the next tab (by 1), or of the one before (-1)."""
        return self.tabs[(self.tabs.index(self.tab) + by) % len(self.tabs)]

    def tab_line(self) -> Line:
        """The names of its tabs."""
        return [*tab_row(self.tabs, self.tabs.index(self.tab)), ink(" [ ]", "faint")]

    def closed(self) -> None:
        """Called after the sheet was closed."""


class SheetPane(EntriesPane):
    """The frame over the panes, with the stack of open sheets (topmost last)."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self._open: list[tuple[Sheet, int]] = []
        self._following = False

    @property
    def topmost(self) -> Sheet | None:
        """The sheet that is shown, or None."""
        return self._open[-1][0] if self._open else None

    @property
    def kind(self) -> str:
        """The kind of the sheet shown, "" = none."""
        return self._open[-1][0].kind if self._open else ""

    @property
    def stands(self) -> bool:
        """Whether time is paused for a choice on any open sheet."""
        return any(sheet.picks and not sheet.runs for sheet, _ in self._open)

    def holds(self, sheet: Sheet) -> bool:
        """Whether a sheet is open, on top or beneath another."""
        return any(held is sheet for held, _ in self._open)

    def open(self, sheet: Sheet, instead: bool = False) -> None:
        """Show a sheet, on top of the others or (instead) in place of the topmost."""
        if instead and self._open:
            self._open.pop()
        elif self._open:
            self._open[-1] = (self._open[-1][0], self.cursor)
        self._open.append((sheet, 0))
        self._show(sheet)
        self.begin()

    def begin(self) -> None:
        """Go to where the topmost sheet begins (`end`, `start`)."""
        sheet = self._open[-1][0]
        self.reset(sheet.end)
        self._entries, self._key, self._following = (), sheet.start, sheet.end
        self.pull()

    def turn(self, by: int) -> None:
        """Replace the topmost sheet by the next or previous of its series, if there is one."""
        sheet = self.topmost
        beside = sheet.turned(by) if sheet is not None and not self._absent(sheet) else None
        if beside is not None and not beside.hidden():
            self.open(beside, instead=True)

    def on_click(self, event: Click) -> None:
        """A click on a tab's name shows it."""
        sheet, tab = self.topmost, event.style.meta.get("tab")
        if sheet is not None and tab is not None:
            self.turn(tab - sheet.tabs.index(sheet.tab))

    def close(self) -> bool:
        """Close the topmost sheet; return whether another is still open."""
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

    def _show(self, sheet: Sheet) -> None:
        self._strips = []
        self._entries = ()
        self.offers = True  # until it is drawn
        self.post_message(self.Measured())
        self._fit(sheet)
        self.set_class(sheet.small, "-little")
        self.set_class(sheet.kind == "menu", "-menu")
        self.set_class(sheet.broad, "-broad")
        self.display = True
        self.refresh()
        self.focus()

    def _fit(self, sheet: Sheet) -> None:
        """Set the frame's height: that of the content for a small or short sheet."""
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

    def _absent(self, sheet: Sheet) -> str:
        """The first of a sheet's people who has not come to town at the moment shown, "" if all have."""
        return next((who for who in sheet.people() if not self.viewer.is_known(who)), "")

    def _told(self, sheet: Sheet, width: int) -> Sequence[Entry]:
        """A sheet's entries, or a note that somebody has not come to town yet."""
        if who := self._absent(sheet):
            return [Entry(as_lines(f"{self.viewer.name(who)} has not come to town yet at the moment shown.", width))]
        return sheet.entries(width)

    def taken(self) -> str:
        """The text to copy: the whole sheet if it wants that, else the chosen entry."""
        sheet = self.topmost
        whole = sheet.plain() if sheet is not None and not self._absent(sheet) else ""
        return whole or self.copied()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        sheet = self.topmost
        if sheet is None:
            return ()
        aside = sheet.aside(ASIDE) if width >= SIDED and not self._absent(sheet) else ()
        sheet.sided = bool(aside)
        left = width - ASIDE - len(RULE) if aside else width
        lines = super().lines(left, height)
        self.entitle(sheet.title, f"esc closes   {self.more} more, j or ↓" if self.more else "esc closes")
        return [_beside(lines, aside, y, left) for y in range(height)] if aside else lines


def _beside(lines: Sequence[Line], aside: Sequence[Line], y: int, left: int) -> Line:
    """Row y of a list of `left` cells with the lines at its right."""
    line = to_width(lines[y] if y < len(lines) else [], left)
    return [*line, ink(RULE, "faint"), *(aside[y] if y < len(aside) else ())]
