"""The time of the graph: as it is now, or as it was when some day ended. One row."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from sandbox.core.clock import HOUR, Clock
from sandbox.stories.tielines import BEFORE, moments
from sandbox.tui.ink import DIM, FAINT, GOLD, SOFT, Line, apart, ink, width_of

START = BEFORE
TRACK = 40  # cells of the line of days at most


class Slider:
    """t: the second that is looked at, None = now, whenever that is."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.t: int | None = None

    def moments(self, now: int) -> list[int]:
        """Where the days before now end, and before them the world's beginning."""
        return [START, *moments(self._clock, now)[:-1]]

    def days(self, now: int, by: int) -> None:
        """By so many days, to the ends of days; beyond the last it is now."""
        stops = self.moments(now)
        if self.t is None:
            at = len(stops) + by
        else:
            at = (bisect_left(stops, self.t) if by < 0 else bisect_right(stops, self.t) - 1) + by
        self.t = stops[max(0, at)] if at < len(stops) else None

    def hours(self, now: int, by: int) -> None:
        """By so many hours."""
        t = (now if self.t is None else max(0, self.t)) + by * HOUR
        self.t = None if t >= now else max(START, t)

    def hold(self, now: int) -> None:
        """A replay may stand before what is looked at."""
        if self.t is not None and self.t >= now:
            self.t = None

    def words(self) -> str:
        """Which moment it is."""
        clock = self._clock
        if self.t is None:
            return "as it is now"
        if self.t == START:
            return "as the world began"
        if clock.second_of_day(self.t + 1) == 0:
            date = clock.at(self.t)
            return f"as day {clock.day(self.t)} ended, {date:%a} {date.day} {date:%b}"
        return f"as it was {clock.words(self.t)}, day {clock.day(self.t)}"

    def line(self, now: int, width: int, keys: str, ascii_only: bool, reading: str = "") -> Line:
        """The row: the moment in words, and where it lies on the days that were lived."""
        said: Line = [ink(self.words(), SOFT if self.t is None else GOLD, bold=self.t is not None)]
        if reading:
            said += [ink(f"  {reading}", DIM)]
        room = min(TRACK, width - width_of(said) - len(keys) - 8)
        if room < 6:
            return apart(said, [ink(keys, GOLD)], width)
        track = self._track(now, room, ascii_only)
        return apart(said, [*track, ink(f" {keys}", GOLD, bold=True), ink(" day", SOFT)], width)

    def _track(self, now: int, room: int, ascii_only: bool) -> Line:
        def cell(t: int) -> int:
            return max(0, min(room - 1, round(max(0, t) / max(1, now) * (room - 1))))

        rail, tick, here = ("-", "+", "O") if ascii_only else ("─", "┼", "●")
        signs = [rail] * room
        for t in self.moments(now)[1:]:
            signs[cell(t)] = tick
        at = cell(now if self.t is None else self.t)
        return [
            ink("".join(signs[:at]), DIM),
            ink(here, GOLD, bold=True),
            ink("".join(signs[at + 1 :]), FAINT),
        ]
