"""Measures how the people of a save talk: `sandbox talk stats` and `sandbox talk coverage`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from sandbox.core.events import Stamp
from sandbox.readers.numbers import Measures
from sandbox.readers.talkagain import Moments, replay_steps
from sandbox.readers.talkfacts import TalkFacts
from sandbox.readers.talks import KINDS as TALKS
from sandbox.readers.talks import TalkFold
from sandbox.readers.talkstats import KEYS, TalkStats
from sandbox.store.errors import explain_unfitting
from sandbox.store.read import SaveReader
from sandbox.talk.lines import LineBook
from sandbox.talk.model import Declined, Exchanged, Opened
from sandbox.talk.question_replies import Accept, Respond
from sandbox.talk.question_wishes import Approach


class MoveUse(NamedTuple):
    """Use of a move: how many lines and variants the book has, how many were used, and how often any was said."""

    move: str
    lines: int
    lines_used: int
    variants: int
    variants_used: int
    said: int


class Coverage(TalkFold):
    """Counts which lines of the book are used. said: variant -> times."""

    def __init__(self, book: LineBook) -> None:
        self.said: Counter[str] = Counter()
        self._book = book

    def exchanged(self, at: Stamp, e: Exchanged) -> None:
        for line in e.lines:
            self.said.update(line.variants)

    def moves(self) -> list[MoveUse]:
        """The use of each move, in the book's order; last, under the name "", of all moves together."""
        rows: dict[str, list[int]] = {}
        whole = [0] * 5
        for line in self._book.lines:
            times = [self.said[f"{line.id}#{i}"] for i in range(len(line.say))]
            used = sum(n > 0 for n in times)
            for i, n in enumerate((1, bool(used), len(times), used, sum(times))):
                rows.setdefault(line.move, [0] * 5)[i] += n
                whole[i] += n
        return [MoveUse(move, *row) for move, row in (*rows.items(), ("", whole))]

    def never(self) -> tuple[list[str], list[str]]:
        """Lines of which no variant was ever said, and the unused variants of the others."""
        lines, variants = [], []
        for line in self._book.lines:
            keys = [f"{line.id}#{i}" for i in range(len(line.say))]
            unused = [key for key in keys if not self.said[key]]
            if len(unused) == len(keys):
                lines.append(line.id)
            else:
                variants += unused
        return lines, variants


SAMPLE, DECISIONS = 200, 600  # exchanges and decisions that are run again, at most
T = TypeVar("T")
Moved = Callable[[int, int], None]  # called with (done, total) as work goes on


class TalkReading(NamedTuple):
    """The measures of a save, and the readers that made them, for more detail."""

    stats: Measures
    talk: TalkStats
    facts: TalkFacts


async def coverage(save: SaveReader, moved: Moved) -> Coverage:
    """Which lines of its book a save used. Raises SaveError."""
    found = Coverage((await save.beginning()).scenario.lines)
    async for records in save.slices((Exchanged.KIND,), moved):
        found.read(records)
    return found


async def measure_save(save: SaveReader, moved: Moved, ties: bool = True) -> TalkReading:
    """All measures of a save, under KEYS. ties: whether to measure what changed ties do (`Moments`). Raises SaveError.

    Reads the log twice: once for words and moves, once applying it to a world, for what people knew and felt each time.
    """
    world = await save.beginning()
    world.memories.live = True
    talk, facts = TalkStats(world.clock, world.scenario.lines), TalkFacts(world.scenario.lines)
    said: list[int] = []
    decided: list[tuple[int, str]] = []
    async for records in save.slices((*TALKS, Declined.KIND), lambda done, of: moved(done, 2 * of)):
        talk.read(records)
        for stamp, e in records:
            if isinstance(e, Exchanged):
                if e.in_words:
                    said.append(stamp.seq)
                if e.answer:
                    decided.append((stamp.seq, Respond.__name__))
            elif isinstance(e, Opened | Declined):
                decided += [(stamp.seq, Approach.__name__), (stamp.seq, Accept.__name__)]
    decided.sort(key=lambda d: d[1])  # by sort, for a fair share of each: an even step would hit one sort alone
    moments = Moments(world, set(_sample(said, SAMPLE)), set(_sample(decided, DECISIONS)), ties)
    with explain_unfitting(save.path):
        async for records in replay_steps(save, world, lambda done, of: moved(of + done, 2 * of)):
            for at, record in enumerate(records):
                await moments.before(records, at)
                if isinstance(record.event, Exchanged):
                    facts.read(world, record.stamp, record.event)
                world.apply(record)
            world.advance(records[0].stamp.step)
    found = talk.stats(save.now) | facts.stats() | moments.stats()
    return TalkReading({key: found[key] for key in KEYS}, talk, facts)


def _sample(items: Sequence[T], most: int) -> list[T]:
    """At most `most` of the items, evenly spread."""
    n = min(most, len(items))
    return [items[(2 * i + 1) * len(items) // (2 * n)] for i in range(n)]
