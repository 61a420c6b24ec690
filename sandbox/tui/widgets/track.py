"""The time line of a replay: its scale, activity bars, and labels of days and hours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from rich.segment import Segment

from sandbox.core.clock import DAY, HOUR, Clock
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.view.text_lines import ALARM, BLUE, CHOSEN, GOLD, GROUND, Line, style

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
    fg: int
    bg: int
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


def day_night_colour(second: int) -> int:
    """The background of a second of the day: by day or by night."""
    return CHOSEN if MORNING <= second < EVENING else GROUND


def bar_cell(signs: Signs, share: float, above: float, bg: int) -> Cell:
    """A bar. share: its height in [0, 1]; above: how far its weightiest row exceeds the notable line."""
    fg = ALARM if above >= GREAT else GOLD if above >= GRAVE else BLUE
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
