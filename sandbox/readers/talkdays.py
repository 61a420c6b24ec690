"""What a reader hears of a town day by day: how many talks have words, how much greets and takes leave, how much of it
is led by something that matters, and how much of it a reader of a part has read before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox.core.clock import Clock
from sandbox.core.events import Record
from sandbox.readers.measures import Stats, Tone
from sandbox.readers.numbers import share
from sandbox.talk.lines import PARTING, LineBook
from sandbox.talk.model import Exchanged

GREETINGS = frozenset(("greet", "how_are_you", "answer_well", "answer_fine", "answer_low"))
READS = 10  # a reader reads one talk in so many
WHOLE = 14 * 3600  # seconds of a day that has been lived, of those that count for the mean of days


@dataclass(slots=True)
class TalkCounts:
    """Of a stretch of time. first, last: seconds of its first and last word."""

    first: int = -1
    last: int = -1
    talks: set[str] = field(default_factory=set)
    lines: int = 0
    leaves: int = 0
    greets: int = 0
    matter: int = 0
    read: int = 0
    again: int = 0
    tone: Tone = field(default_factory=Tone)

    def figures(self) -> Stats:
        """As `sandbox talk stats` has them."""
        return {
            "voiced_talks": len(self.talks),
            "leave_taking": share(self.leaves, self.lines),
            "greeting": share(self.greets, self.lines),
            "led_by_matter": share(self.matter, self.lines),
            "seen_before": share(self.again, self.read),
            "tone_correlation": self.tone.correlation(),
        }


class TalkDays:
    """The reader. days: number -> what was heard on it; whole: all of it."""

    def __init__(self, clock: Clock, book: LineBook) -> None:
        self.days: dict[int, TalkCounts] = {}
        self.whole = TalkCounts()
        self._clock = clock
        self._greetings = {line.id for line in book.lines if line.move in GREETINGS}
        self._order: dict[str, int] = {}  # voiced talk -> its number
        self._seen: set[str] = set()

    def read(self, records: Sequence[Record]) -> None:
        """Take in the next records of the log."""
        for stamp, e in records:
            if isinstance(e, Exchanged) and any(line.text for line in e.lines):
                day = self.days.setdefault(self._clock.day(stamp.t), TalkCounts())
                reads = self._order.setdefault(e.talk, len(self._order)) % READS == 0
                pleasure = {s.who: s.after.p - s.delta.p for s in e.shifts}
                for line in e.lines:
                    if not line.text:
                        continue
                    said = line.variants[-1] if line.variants else line.text
                    greets = line.move in GREETINGS or any(
                        v.rpartition("#")[0] in self._greetings for v in line.variants
                    )
                    for heard in (day, self.whole):
                        heard.first = stamp.t if heard.first < 0 else heard.first
                        heard.last = stamp.t
                        heard.talks.add(e.talk)
                        heard.lines += 1
                        heard.leaves += line.move in PARTING
                        heard.greets += greets
                        heard.matter += bool(e.aim or e.told or e.over)
                        heard.read += reads
                        heard.again += reads and said in self._seen
                        if line.who in pleasure:
                            heard.tone.add(line.move, pleasure[line.who], line.text)
                    if reads:
                        self._seen.add(said)

    def figures(self) -> Stats:
        """Of the whole; of talks the mean of the days that were lived, or of what there is of days."""
        lived = [x for x in self.days.values() if x.last - x.first >= WHOLE] or list(self.days.values())
        mean = round(sum(len(x.talks) for x in lived) / len(lived), 1) if lived else 0
        return {**self.whole.figures(), "voiced_talks": mean}
