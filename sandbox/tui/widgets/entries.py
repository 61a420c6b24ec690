"""A pane with a list of entries and a cursor: the base of sheets and of the panes of people and of one person."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import NamedTuple

from textual.events import Click
from textual.message import Message

from sandbox.tui.view.text_lines import Ink, Line, as_lines, as_text, ink, with_background
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import ListPane

Deed = Callable[[], Awaitable[None] | bool | None]  # a bool (from `post_message`) is ignored


class Entry(NamedTuple):
    """Some lines that belong together. does: what enter or a double click does; None = cannot be chosen.

    key: identifies the entry, so that the cursor stays on it when the list changes.
    """

    lines: Sequence[Line]
    does: Deed | None = None
    key: object = None

    async def enter(self) -> None:
        """Do what the entry does, if anything."""
        done = self.does() if self.does is not None else None
        if isawaitable(done):
            await done


def remark(text: str, width: int, fg: Ink = "soft") -> Entry:
    """An entry of plain text, perhaps from outside, that leads nowhere."""
    return Entry(as_lines(text, width, fg))


def heading(text: str, bold: bool = True) -> Entry:
    """A heading over a group of entries, below a blank line."""
    return Entry([[], [ink(text, "accent", bold)]])


def marked(mark: str, says: str, does: Deed | None, key: object, mark_fg: Ink = "accent", fg: Ink = "text") -> Entry:
    """An entry of one line, of trusted words after a mark."""
    return Entry([[ink(f"{mark} ", mark_fg), ink(says, fg)]], does, key)


def group(title: str, entries: Sequence[Entry], bold: bool = True) -> list[Entry]:
    """Entries under a heading; nothing if there are none."""
    return [heading(title, bold), *entries] if entries else []


def choices(entries: Sequence[Entry]) -> list[int]:
    """The indices of the entries that can be chosen."""
    return [i for i, entry in enumerate(entries) if entry.does is not None]


class EntriesPane(ListPane):
    """Subclasses give `entries(width)`. The cursor moves over entries that can be chosen; if there are none, the list
    scrolls.

    eager: whether the first click on an entry does it.
    """

    can_focus = True
    eager = False

    @dataclass
    class Entered(Message):
        """Asks to do an entry."""

        entry: Entry

    @dataclass
    class Cause(Message):
        """Asks to show the event `seq`, the cause of something."""

        seq: int

    @dataclass
    class Went(Message):
        """Asks to show a person."""

        who: str

    class Measured(Message):
        """Says that `scrolls` has changed, or whether anything can be chosen."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.top = 0
        self.cursor = 0
        self._key: object = None
        self._most = 0
        self.offers = False  # whether anything could be chosen when it was last drawn
        self._entries: Sequence[Entry] = ()
        self._rows: list[int] = []  # for each line shown, the index of its entry (-1: a line above the list)

    def entries(self, width: int) -> Sequence[Entry]:
        """All entries, from the first."""
        raise NotImplementedError

    @property
    def scrolls(self) -> bool:
        """Whether there are more lines than fit."""
        return self._most > 0

    @property
    def more(self) -> int:
        """How many lines are below those in view."""
        return self._most - self.top

    @property
    def chosen(self) -> Entry | None:
        """The entry under the cursor."""
        entry = self._entries[self.cursor] if self.cursor < len(self._entries) else None
        return entry if entry is not None and entry.does is not None else None

    def reset(self, end: bool = False) -> None:
        """Go to the first entry, or to the last line."""
        self.top, self.cursor, self._key = 10**9 if end else 0, 0, None

    def lines(self, width: int, height: int) -> Sequence[Line]:
        entries = self._entries = self.entries(width)
        doing = choices(entries)
        self._keep_cursor(doing)
        whole = [(i, line) for i, entry in enumerate(entries) for line in entry.lines]
        before, at_end = (self.scrolls, self.offers), self.top >= self._most > 0
        self._most, self.offers = max(0, len(whole) - height), bool(doing)
        if (self.scrolls, self.offers) != before:
            self.post_message(self.Measured())
        self.top = self._most if at_end or self.top > self._most else max(0, self.top)
        own = [y for y, (i, _) in enumerate(whole) if i == self.cursor]
        if self.chosen is not None and own:  # keep the cursor in view, and with the last entry the lines after it
            end = own[-1] if self.cursor < doing[-1] else min(len(whole), own[0] + height) - 1
            self.top = min(max(self.top, end - height + 1), own[0] if own[0] > height // 3 else 0)
        shown = whole[self.top : self.top + height]
        self._rows = [i for i, _ in shown]
        marked = self.cursor if self.chosen is not None and self.has_focus else -1
        drawn = [(i, self.drawn(i, line, width, i == marked)) for i, line in shown]
        return [with_background(line, "chosen", width) if i == marked else line for i, line in drawn]

    def drawn(self, index: int, line: Line, width: int, marked: bool) -> Line:
        """A line of an entry as it is shown; called for lines in view only. marked: the cursor is on the entry."""
        return line

    def _keep_cursor(self, doing: Sequence[int]) -> None:
        entries = self._entries
        if self._key is not None:
            self.cursor = next((i for i, e in enumerate(entries) if e.key == self._key), self.cursor)
        self.cursor = max(0, min(self.cursor, len(entries) - 1))
        if self.chosen is None:
            self.cursor = min(doing, key=lambda i: abs(i - self.cursor), default=0)
        self._key = entries[self.cursor].key if entries else None

    # ---- keys and mouse

    def move(self, by: int) -> None:
        """Move the cursor by so many entries; if none can be chosen, scroll by lines."""
        doing = choices(self._entries)
        if not doing:
            self.top = max(0, min(self._most, self.top + by))
        else:
            now = doing.index(self.cursor) if self.cursor in doing else 0
            if by < 0 and now == 0:
                self.top = 0
            self.top += max(0, now + by - len(doing) + 1)  # scroll on to the lines below the last choice
            self.cursor = doing[max(0, min(len(doing) - 1, now + by))]
            self._key = self._entries[self.cursor].key
        self.pull()

    async def enter(self) -> None:
        """Do the entry under the cursor."""
        if self.chosen is not None:
            await self.chosen.enter()

    def copied(self) -> str:
        """The text that `copy` takes: the entry under the cursor, else all entries."""
        return self.copied_all() if self.chosen is None else as_text(self.chosen.lines)

    def copied_all(self) -> str:
        """All entries as text."""
        return as_text(line for entry in self._entries for line in entry.lines)

    def on_click(self, event: Click) -> None:
        """A click chooses an entry; a click on the chosen one, a double click or any in an eager pane does it."""
        index = self.clicked(event, self._rows)
        if index is None or not 0 <= index < len(self._entries):  # above the list, or the list has grown shorter since
            return
        entry = self._entries[index]
        if entry.does is None:
            return
        does = self.eager or (index == self.cursor and self.has_focus)
        self.cursor, self._key = index, entry.key
        self.pull()
        if does or event.chain > 1:
            self.post_message(self.Entered(entry))
