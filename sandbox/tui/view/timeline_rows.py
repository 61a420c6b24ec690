"""The rows of the timeline as the screen keeps them: many, found and sifted without going through all of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

from sandbox.readers.timeline import TimelineRow

KEPT = 50_000
ROOM = 1 << 30  # numbers that are left for rows of before
ROUTINE = 1.0  # rows of no more weight are shown for the chosen person only
HOURLY, HOURLY_WEIGHT = "·", 0.5  # a row an hour of how the town is, shown while time flies
Sift = Callable[[TimelineRow], bool]


class Chronicle:
    """Rows by number, oldest first; the oldest go when there are too many. first: number of the first one kept."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self.first = 0
        self._rows: list[TimelineRow] = []

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def told(self) -> int:
        """The number the next row will have."""
        return self.first + len(self._rows)

    def add(self, rows: Iterable[TimelineRow]) -> None:
        """Take in the next rows."""
        self._rows.extend(rows)
        if len(self._rows) > self.kept + self.kept // 8:
            gone = len(self._rows) - self.kept
            del self._rows[:gone]
            self.first += gone

    def add_before(self, rows: Sequence[TimelineRow]) -> None:
        """Take in rows older than all."""
        self._rows[:0] = rows
        self.first -= len(rows)

    def __getitem__(self, number: int) -> TimelineRow:
        """The row of a number. Raises IndexError if it is not kept."""
        if not self.first <= number < self.told:
            raise IndexError(number)
        return self._rows[number - self.first]

    def since(self, number: int) -> list[TimelineRow]:
        """The rows from that number on."""
        return self._rows[max(0, number - self.first) :]

    def upto(self, t: float) -> int:
        """The number after the last row at or before second t."""
        return self.first + bisect_right(self._rows, t, key=lambda row: row.t)

    def between(self, after: float, upto: float) -> list[TimelineRow]:
        """The rows of seconds in (after, upto]."""
        return self._rows[self.upto(after) - self.first : self.upto(upto) - self.first]

    def last(self, test: Sift) -> int | None:
        """The number of the last row a test lets through, or None."""
        return next((self.told - 1 - i for i, row in enumerate(reversed(self._rows)) if test(row)), None)


class Sieve:
    """The numbers of a chronicle's rows that a test lets through, kept up to date at the cost of the new ones.

    of: the chronicle, which may be another one later.
    """

    def __init__(self, of: Callable[[], Chronicle]) -> None:
        self._of = of
        self._chronicle: Chronicle | None = None
        self._numbers: list[int] = []
        self._name: object = None
        self._from = self._seen = 0

    def numbers(self, name: object, test: Sift, upto: int) -> list[int]:
        """Numbers below upto, in order; name: what tells one test from another. The list may be shared."""
        chronicle = self._of()
        if name != self._name or chronicle is not self._chronicle:
            self._chronicle, self._name, self._numbers = chronicle, name, []
            self._from = self._seen = chronicle.first
        older = chronicle.since(chronicle.first)[: max(0, self._from - chronicle.first)]
        self._numbers[:0] = [n for n, row in enumerate(older, chronicle.first) if test(row)]
        self._from = chronicle.first
        start = max(self._seen, chronicle.first)
        self._numbers.extend(n for n, row in enumerate(chronicle.since(start), start) if test(row))
        self._seen = chronicle.told
        gone = bisect_left(self._numbers, chronicle.first)
        if gone > 1000 or (gone and gone == len(self._numbers)):
            del self._numbers[:gone]
            gone = 0
        end = bisect_left(self._numbers, upto)
        return self._numbers if not gone and end == len(self._numbers) else self._numbers[gone:end]
