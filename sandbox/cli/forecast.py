"""How long the rest of a long work will take, told by how long its beginning took: here, and with what does it."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from sandbox.core.plain import count_of

MINUTE, HOUR = 60.0, 3600.0


class Forecast:
    """A line, once, when so many pieces are done. first: how many; they should be of all sorts there are, for some take
    longer than others. whose: who does it, in words. clock: seconds on the wall.
    """

    def __init__(self, first: int, whose: str, clock: Callable[[], float] = monotonic) -> None:
        self._first, self._whose, self._clock = first, whose, clock
        self._began: tuple[int, float] | None = None
        self._told = False

    def after(self, done: int, of: int) -> str:
        """What is to be said when so many of all are done; "" for nothing. What was done when it began took no time."""
        if self._began is None:
            self._began = done, self._clock()
        before, since = self._began
        made, left = done - before, of - done
        if self._told or not self._first or made < self._first or left <= 0:
            return ""
        self._told = True
        took = self._clock() - since
        rest = rough_duration(took * left / made)
        return f"{made:,} took {rough_duration(took)}; the other {left:,} will take about {rest} {self._whose}"


def rough_duration(seconds: float) -> str:
    """A stretch of time in words, as exact as a forecast is: "40 seconds", "25 minutes", "2 hours 10 minutes"."""
    if seconds < 1.5 * MINUTE:
        return count_of(max(1, round(seconds)), "second")
    minutes = round(seconds / MINUTE)
    if seconds < 1.5 * HOUR:
        return count_of(minutes, "minute")
    hours, minutes = divmod(round(minutes / 10) * 10, 60)
    return f"{count_of(hours, 'hour')} {minutes} minutes" if minutes else count_of(hours, "hour")
