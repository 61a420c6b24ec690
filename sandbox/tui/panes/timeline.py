"""The timeline: one row per event, never cut, newest at the bottom, with a line across at midnight."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.events import Click
from textual.message import Message

from sandbox.core.clock import Clock
from sandbox.readers.stories_of_run import STOOD_IN
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.view.action import Action, first_key
from sandbox.tui.view.text_lines import Ink, Line, as_lines, hung, ink, of_mood, with_background
from sandbox.tui.view.timeline_rows import HOURLY, ROUTINE, Sieve, Sift
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import ListPane
from sandbox.tui.widgets.pane import Pane, PanePlace, Region

BEFORE = 50  # so close to the oldest row, earlier ones are read from the log
_INKS: dict[str, Ink] = {
    "!": of_mood("angry"),
    "♥": "tender",
    "?": of_mood("surprise"),
    '"': "soft",
    "=": "accent",
    "*": "accent",
    "%": "accent",
    "@": "accent",
    "&": "link",
    "+": of_mood("joy"),
    "-": of_mood("sad"),
    "x": of_mood("angry"),
    "~": of_mood("afraid"),
}


def row_lines(
    row: TimelineRow, clock: Clock, width: int, chosen: bool, about: str = "", notable: bool = False, room: int = 99
) -> list[Line]:
    """A row of the timeline as wrapped lines. about: a person whose rows stand out. room: most lines."""
    fg: Ink = "text" if notable or about in row.who else "soft" if row.weight >= 2 else "dim"
    hour = ink(f"{clock.hhmm(row.t)} ", "accent" if about and about in row.who else "dim")
    head = [hour, ink(f"{row.mark} ", _INKS.get(row.mark, "soft"), bold=True)]
    out = hung(head, row.text, width, "text" if chosen else fg, notable, room)
    return [with_background(line, "chosen", width) for line in out] if chosen else out


def midnight_line(t: int, clock: Clock, width: int) -> Line:
    """The line across before the first row of a day: "── Wed 5 Mar, day 2 ──────"."""
    return _across(f" {clock.words(t)[:-6]}, day {clock.day(t)} ", "faint", width)


def _across(says: str, fg: Ink, width: int) -> Line:
    return [ink("──", fg), ink(says, "soft"), ink("─" * max(0, width - len(says) - 2), fg)]


FILTERS = ("all", "notable", "followed", "talk")


class TimelinePane(ListPane, Pane):
    """The list. It follows the newest row until a key or the wheel moves it, and again once it is back there.

    away: number of the first row that came while the player looked away, or None.
    """

    can_focus = True
    PLACE = PanePlace("timeline", "2", "Timeline", "the timeline", "in the timeline", Region.LIST, Region.LIST)
    ACTIONS: ClassVar[tuple[Action[TimelinePane], ...]] = (
        Action("list.filter", "F", "filter", "Show all rows, notable ones, those you follow, or talk.",
               lambda pane: pane.next_filter(), "timeline: filter", rank=3),
    )  # fmt: skip

    @dataclass
    class RowOpened(Message):
        """Asks to show what a row is about."""

        row: TimelineRow

    @dataclass
    class RowChosen(Message):
        """A row was clicked, or opened by a second click."""

        row: TimelineRow
        opened: bool

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.filter = FILTERS[0]
        self.away: int | None = None
        self._sieve = Sieve(lambda: viewer.chronicle)
        self._of = viewer.chronicle
        self._seen: list[int] = []  # for each line shown, its row's number
        self._chosen = 0  # number of the chosen row
        self._tail = True
        self._moved = False
        self._oldest = False  # whether the cursor stays on the oldest row while earlier ones are read

    @property
    def chosen(self) -> TimelineRow | None:
        """The row under the cursor; the newest unless it was moved; None in an empty list."""
        shown = self.shown()
        return self.viewer.chronicle[shown[self._index(shown)]] if shown else None

    @property
    def browsed(self) -> bool:
        """Whether the player is reading here: it has focus, and the cursor was moved away from the newest row."""
        return self.has_focus and self._moved and not self._tail

    @property
    def told(self) -> int:
        """The number of rows above routine so far."""
        return self.viewer.news

    async def enter(self) -> None:
        """Open the chosen row."""
        if self.chosen is not None:
            self.post_message(self.RowOpened(self.chosen))

    def taken(self) -> str:
        """The chosen row as text."""
        return self.viewer.told_of(self.chosen)

    def shown(self) -> list[int]:
        """Numbers of the rows that pass the filter. "all" has routine of the chosen person only, none in fast time."""
        viewer, who = self.viewer, self.viewer.selected
        if viewer.chronicle is not self._of:  # another chronicle: start over
            self._of, self._tail, self.away = viewer.chronicle, True, None
        stars, line = frozenset(viewer.favourites), viewer.notable.line
        tests: dict[str, Sift] = {
            "all": lambda row: row.weight > ROUTINE or who in row.who,
            "notable": lambda row: row.weight >= line,
            "flying": lambda row: row.weight >= line or row.mark == HOURLY,
            "followed": lambda row: (who in row.who or not stars.isdisjoint(row.who)) and row.mark != STOOD_IN,
            "talk": lambda row: bool(row.talk),
        }
        kind = "flying" if self.filter == "all" and viewer.pace.flies else self.filter
        name = (kind, who if kind in ("all", "followed") else "", stars)
        return self._sieve.numbers(name, tests[kind], viewer.told)

    def next_filter(self) -> None:
        """Switch to the next filter: all, notable, followed, talk."""
        self.filter = FILTERS[(FILTERS.index(self.filter) + 1) % len(FILTERS)]
        self.pull()

    def go_to(self, number: int) -> None:
        """Put the cursor on a row, by number."""
        shown = self.shown()
        if shown:
            self._put(number, shown[-1])
        self._moved = False
        self.pull()

    def _index(self, shown: list[int]) -> int:
        """The cursor's index in `shown`: that of its row, or of the last one before it."""
        if self._tail and shown:
            self._chosen = shown[-1]
        elif self._oldest and shown:
            self._chosen = shown[0]
        return max(0, bisect_right(shown, self._chosen) - 1)

    def _put(self, number: int, last: int) -> None:
        self._chosen, self._tail, self._oldest = number, number >= last, False

    def lines(self, width: int, height: int) -> Sequence[Line]:
        shown = self.shown()
        if not self.viewer.past.whole and self._index(shown) < BEFORE + height:
            self.viewer.past.want()
        title = "Timeline" if self.filter == "all" else f"Timeline: {self.filter}"
        self._seen = []
        if not shown:
            self.entitle(title)
            return as_lines(self._empty(), width)
        out = self._around(shown, width, height)
        newer = self._reading() or self._newer(shown, out)
        self.entitle(title, newer)
        if newer and not self.bordered:
            out = self._around(shown, width, height - 1)
            out.append((-1, [ink(self._reading() or self._newer(shown, out), "accent")]))
        self._seen = [number for number, _ in out]
        return [line for _, line in out]

    def _around(self, shown: list[int], width: int, height: int) -> list[tuple[int, Line]]:
        """The lines around the cursor, each with its row's number; the top row is never shown in part."""
        cursor = self._index(shown)
        chosen = self._lines_of(shown, cursor, cursor, width, height)
        last, below = cursor, 0 if self._tail else (height - len(chosen)) // 2  # lines left below the cursor's row
        while last + 1 < len(shown) and below > 0:
            below -= len(self._lines_of(shown, last + 1, cursor, width, height))
            last += below >= 0
        above: list[tuple[int, Line]] = []
        index = last
        while index >= 0 and len(above) < height:
            lines = self._lines_of(shown, index, cursor, width, height)
            if above and len(lines) > height - len(above):  # no row is shown in part
                above += [(shown[index], [])] * (height - len(above))
                break
            above += [(shown[index], line) for line in reversed(lines)]
            index -= 1
        out = above[::-1]
        for index in range(last + 1, len(shown)):
            lines = self._lines_of(shown, index, cursor, width, height)
            if len(lines) > height - len(out):
                break
            out += [(shown[index], line) for line in lines]
        return out

    def _newer(self, shown: list[int], lines: list[tuple[int, Line]]) -> str:
        """How many rows are below those in view, and the keys that lead there; "" if there are none."""
        newer = len(shown) - bisect_right(shown, lines[-1][0]) if lines else 0
        way = ("list.last",) if self.has_focus else ("pane.timeline", "list.last")
        keys = " ".join(first_key(id, self.viewer.keys) for id in way)
        return f"{newer} newer, {keys}" if newer else ""

    def _reading(self) -> str:
        """A remark while earlier rows are read to find the oldest; else ""."""
        return "reading what was before ..." if self._oldest and not self.viewer.past.whole else ""

    def _empty(self) -> str:
        if len(self.viewer.chronicle) == 0:
            return "Nothing has happened yet. space lets time run, . makes one step."
        whom = ": choose somebody with f or *" if self.filter == "followed" else ""
        return f"Nothing {self.filter} yet{whom}. F shows other rows."

    def _lines_of(self, shown: list[int], index: int, cursor: int, width: int, room: int) -> list[Line]:
        """A row in at most `room` lines, below a line across if a day or the unseen part begins with it."""
        viewer = self.viewer
        clock, row = viewer.world.clock, viewer.chronicle[shown[index]]
        marked = index == cursor and (self.has_focus or not self._tail or row is viewer.stop)
        lines = row_lines(row, clock, width, marked, viewer.selected, row.weight >= viewer.notable.line, room)
        if index and clock.day(viewer.chronicle[shown[index - 1]].t) != clock.day(row.t):
            lines.insert(0, midnight_line(row.t, clock, width))
        if self.away is not None and shown[index] >= self.away and (not index or shown[index - 1] < self.away):
            lines.insert(0, _across(" you looked away here ", "accent", width))
        return lines[max(0, len(lines) - room) :]

    # ---- keys and mouse

    def move(self, by: int) -> None:
        """Move the cursor; at the newest row it follows the newest from then on."""
        if shown := self.shown():
            index = max(0, min(len(shown) - 1, self._index(shown) + by))
            self._put(shown[index], shown[-1])
            self._moved = True
        self.pull()

    def page(self, by: int) -> None:
        """Move the cursor by so many pages."""
        self.move(by * max(1, self.content_size.height - 2))

    def first(self) -> None:
        """Go to the oldest row; earlier ones are read from the log."""
        self.move(-(10**9))
        if not self.viewer.past.whole and self.shown():
            self._oldest, self._tail = True, False
            self.viewer.past.want(all=True)

    def last(self) -> None:
        """Go to the newest row, and follow it."""
        if not self._tail:
            self._tail = True
            self.pull()

    def on_click(self, event: Click) -> None:
        """A click chooses the row and shows whom it is about; a double click opens it."""
        number = self.clicked(event, self._seen)
        if number is None:
            return
        if number < 0:
            self.last()
            return
        self._put(number, self.shown()[-1])
        self._moved = True
        self.pull()
        self.post_message(self.RowChosen(self.viewer.chronicle[number], opened=event.chain > 1))
