"""The time line of a replay: the shown moment within the whole, notable events as bars, days and nights, bookmarks.

A click or a drag jumps there; under the mouse it shows the hour and the most notable event.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rich.segment import Segment
from textual.events import Leave, MouseDown, MouseMove, MouseUp
from textual.message import Message
from textual.strip import Strip

from sandbox.core.clock import DAY, HOUR, Clock
from sandbox.core.text import clean
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.view.replay_log import Tape, time_label
from sandbox.tui.view.text_lines import Ink, Line, fit, ink, outside, style, to_width, width_of
from sandbox.tui.view.timeline_rows import Sieve
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import LinesPane


class Scrubber(LinesPane):
    """The time line: one row on a small screen, two if there is room. tape: None in a live town."""

    @dataclass
    class Jumped(Message):
        """Asks to show second t of the replay."""

        t: float

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.tape = Tape(viewer) if viewer.replaying else None
        self._sieve = Sieve(lambda: viewer.chronicle)
        self._bars: list[tuple[float, TimelineRow | None]] = []
        self._notes: dict[int, tuple[float, str]] = {}  # bookmarked cell: its first bookmark's second and text
        self._barred: tuple[object, ...] = ()
        self._scale = TimeScale(1.0, 2)
        self._left = 0  # cells left of the time line
        self._hover: int | None = None
        self._held = False

    def on_mount(self) -> None:
        if self.tape is not None:
            self.run_worker(self.tape.read(self._told_all), name="tape", exit_on_error=False)

    def _told_all(self) -> None:
        """Redraw once the log is read; a notice says if it could not be read to its end."""
        assert self.tape is not None
        if fault := clean(self.tape.fault, 600):
            self.notify(fault, title="the log cannot be read to its end", severity="warning", timeout=12)
        self.pull()

    # ---- drawing

    def lines(self, width: int, height: int) -> Sequence[Line]:
        viewer, tape = self.viewer, self.tape
        if tape is None:
            return []
        end = tape.end
        whole = f"{time_label(viewer, end)} of {time_label(viewer, end)}"
        self._left = max(0, min(len(whole) + 2, width - 20))
        self._scale = scale = TimeScale(end, width - self._left)
        self._mark(scale)
        marks = sorted(tape.moments.items(), reverse=True)
        self._notes = {scale.cell(t): (t, tape.bookmarks[step]) for step, t in marks}
        if height < 2:  # all in one row: bars over day and night, with midnights
            days = {cell for cell, name in ticks(viewer.world.clock, scale).items() if ":" not in name}
            cells = self._barred_cells(tape, scale, [self._ground(scale, cell) for cell in range(scale.width)], days)
        else:
            cells = self._barred_cells(tape, scale, ["bar"] * scale.width, ())
        at = [ink(time_label(viewer, viewer.shown), bold=True), ink(f" of {time_label(viewer, end)}", "soft")]
        first = [*to_width(at, self._left), *self._told(run(cells))]
        if height < 2:
            return [first]
        return [first, [*to_width(self._state(tape), self._left), *run(self._lower(scale))]]

    def _state(self, tape: Tape) -> Line:
        if tape.fault:
            return [ink("damaged", "alarm")]
        if not tape.whole:
            return [ink(f"reading {round(100 * tape.told / max(1, tape.end))}%", "dim")]
        return [ink(f"step {self.viewer.world.step:,}", "dim")]

    def _mark(self, scale: TimeScale) -> None:
        chronicle = self.viewer.chronicle
        line = self.viewer.notable.line
        now = (chronicle.told, scale.end, scale.width, line)
        if now != self._barred:
            self._barred = now
            numbers = self._sieve.numbers(line, lambda row: row.weight >= line, chronicle.told)
            self._bars = activity_bars([chronicle[n] for n in numbers], scale, line)

    @property
    def _signs(self) -> Signs:
        return ASCII if self.viewer.settings["glyphs"] == "ascii" else PICTURES

    def _ground(self, scale: TimeScale, cell: int) -> Ink:
        return "chosen" if MORNING <= self.viewer.world.clock.second_of_day(int(scale.t(cell))) < EVENING else "ground"

    def _barred_cells(self, tape: Tape, scale: TimeScale, grounds: Sequence[Ink], days: Collection[int]) -> list[Cell]:
        """The cells of bars, bookmarks and the shown moment on their backgrounds; between bars, starts of days."""
        signs, here = self._signs, scale.cell(self.viewer.shown)
        out = []
        for cell, bg in enumerate(grounds):
            if cell == here or cell in self._notes:
                out.append(Cell(signs.here if cell == here else signs.note, "text", bg, True))
                continue
            read = tape.whole or scale.t(cell) <= tape.told
            blank = Cell(signs.day, "dim", bg) if cell in days else Cell(" " if read else signs.unread, "faint", bg)
            share, row = self._bars[cell]
            out.append(blank if row is None else bar_cell(signs, share, row.weight - self.viewer.notable.line, bg))
        return out

    def _lower(self, scale: TimeScale) -> list[Cell]:
        """The lower row: days and nights, with the names of days and hours."""
        signs, here = self._signs, scale.cell(self.viewer.shown)
        out = [Cell(" ", "dim", self._ground(scale, cell)) for cell in range(scale.width)]
        for cell, name in ticks(self.viewer.world.clock, scale).items():
            day = ":" not in name
            for i, char in enumerate(name):
                out[cell + i] = Cell(char, "text" if day else "dim", out[cell + i].bg, day)
        out[here] = Cell(signs.here, "text", out[here].bg, True)
        return out

    # ---- the mouse

    def _told(self, line: Line) -> Line:
        """The line, with the hour and event under the mouse written beside the mouse."""
        cell = self._hover
        if cell is None or cell >= self._scale.width:
            return line
        _, row = self._bars[cell]
        t = self._scale.t(cell) if row is None else row.t
        says: Line = [ink(f" {time_label(self.viewer, t)} ", "accent", bold=True)]
        _, note = self._notes.get(cell, (t, ""))
        if note:
            says.append(outside(f"{self._signs.note} {note} ", bold=True))
        elif row is not None:
            says += [ink(f"{row.mark} ", "soft"), outside(f"{row.text} ")]
        room = max(cell, self._scale.width - cell - 1) - 1
        says = fit(says, room)
        start = cell + 2 if self._scale.width - cell - 1 >= cell else cell - 1 - width_of(says)
        under = Strip(line)
        return [*under.crop(0, start), *says, *under.crop(start + width_of(says))]

    def moment_of(self, cell: int) -> float:
        """The second that a click on a cell jumps to: its bookmark or most notable event, else the cell's own time."""
        if cell in self._notes:
            return self._notes[cell][0]
        _, row = self._bars[cell]
        return row.t if row is not None else self._scale.t(cell)

    def _cell(self, event: MouseMove | MouseDown) -> int | None:
        """The cell of the line under the mouse; outside of it None, but the nearest cell during a drag."""
        cell = event.screen_x - self.content_region.x - self._left
        if self._held:
            return max(0, min(self._scale.width - 1, int(cell)))
        return int(cell) if 0 <= cell < self._scale.width and event.widget is self else None

    def _jump(self, cell: int) -> None:
        self.post_message(self.Jumped(self.moment_of(cell)))

    def on_mouse_down(self, event: MouseDown) -> None:
        cell = self._cell(event)
        if cell is not None and self._bars:
            self._held = True
            self.capture_mouse()
            self._jump(cell)

    def on_mouse_up(self, event: MouseUp) -> None:
        self._held = False
        self.release_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        if not self._bars:
            return
        cell = self._cell(event)
        if self._held and cell is not None and cell != self._hover:
            self._jump(cell)
        if cell != self._hover:
            self._hover = cell
            self.pull()

    def on_leave(self, event: Leave) -> None:
        self._hover = None
        self.pull()


# ---- the scale of the time line, its activity bars, and labels of days and hours


TICK_ROOM = 9  # least cells between two labels of hours
MORNING, EVENING = 6 * HOUR, 21 * HOUR  # seconds of the day
GRAVE, GREAT = 1.0, 3.0  # weight above the notable line from which a bar is golden, or red


class Signs(NamedTuple):
    """The characters of the time line. bars: from low to high."""

    bars: str
    here: str
    note: str
    day: str
    unread: str


PICTURES = Signs("▁▂▃▄▅▆▇█", "┃", "◆", "│", "·")
ASCII = Signs(".:-=%#", "|", "B", ":", " ")


class Cell(NamedTuple):
    """A cell: character, ink, background, and whether it is bold."""

    char: str
    fg: Ink
    bg: Ink
    bold: bool = False


class TimeScale:
    """Maps seconds 0 to `end` to cells: the first cell is 0, the last one is `end`."""

    def __init__(self, end: float, width: int) -> None:
        self.end, self.width = max(1.0, end), max(2, width)

    def cell(self, t: float) -> int:
        """The cell of a second."""
        return max(0, min(self.width - 1, round(t / self.end * (self.width - 1))))

    def t(self, cell: int) -> float:
        """The second in the middle of a cell."""
        return max(0.0, min(self.end, cell / (self.width - 1) * self.end))


def activity_bars(
    rows: Sequence[TimelineRow], scale: TimeScale, notable: float
) -> list[tuple[float, TimelineRow | None]]:
    """For each cell its activity relative to the busiest, in [0, 1], and its weightiest row (None: no row)."""
    sums = [0.0] * scale.width
    best: list[TimelineRow | None] = [None] * scale.width
    for row in rows:
        cell = scale.cell(row.t)
        sums[cell] += row.weight - notable + 1.0
        old = best[cell]
        if old is None or row.weight > old.weight:
            best[cell] = row
    most = max(sums, default=0.0)
    return [(s / most if most else 0.0, row) for s, row in zip(sums, best, strict=True)]


def bar_cell(signs: Signs, share: float, above: float, bg: Ink) -> Cell:
    """A bar. share: its height in [0, 1]; above: how far its weightiest row exceeds the notable line."""
    fg: Ink = "alarm" if above >= GREAT else "accent" if above >= GRAVE else "link"
    return Cell(signs.bars[min(len(signs.bars) - 1, int(share * len(signs.bars)))], fg, bg)


def ticks(clock: Clock, scale: TimeScale) -> dict[int, str]:
    """Labels by the cell they begin in: days, and hours where there is room."""
    out: dict[int, str] = {}
    room = scale.end / scale.width * TICK_ROOM
    every = next((h * HOUR for h in (1, 2, 3, 4, 6, 12) if h * HOUR >= room), DAY)
    first = clock.midnight(1)
    last_end = -1
    for t in range(first, int(scale.end) + 1, every):
        if t < 0:
            continue
        cell = scale.cell(t)
        day = clock.second_of_day(t) == 0
        text = f"{clock.at(t):%a} {clock.at(t).day}" if day else clock.hhmm(t)
        if cell > last_end and cell + len(text) <= scale.width and (day or every < DAY):
            out[cell] = text
            last_end = cell + len(text)
    return out


def run(cells: Sequence[Cell]) -> Line:
    """Cells as segments; neighbours of the same style form one."""
    out: Line = []
    for (fg, bg, bold), alike in groupby(cells, key=lambda cell: cell[1:]):
        out.append(Segment("".join(cell.char for cell in alike), style(fg, bold, bg)))
    return out
