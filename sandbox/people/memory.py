"""Memory streams: what each person remembers, with poignancy and the mood at the time, and retrieval.

Memories are a projection of the log: each event type that leaves memories has a fold function (`REMEMBER` tables), so
a save does not hold them twice. They are read from the log when first needed. Source: docs/mechanisms.md, Memory.
"""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import aclosing
from functools import partial
from typing import Annotated, Any, Protocol

import msgspec
import numpy as np

from sandbox.core.events import Event, Record, Stamp
from sandbox.people import memory_blocks
from sandbox.people.handbook import Handbook
from sandbox.people.impressions import SpeechHistory
from sandbox.people.memory_columns import Form, Vocabulary, min_max_scale, mood_likeness, top_k
from sandbox.people.memory_stream import Memory, MemoryStream, PendingMemories
from sandbox.people.mood import CALM, Pad

LOG = logging.getLogger(__name__)
SLICE = 5000  # events read from a log at a time


class MemoryParameters(msgspec.Struct, frozen=True):
    """threshold: summed poignancy that triggers a reflection. retention: number of latest sights not stored again.

    recency: decay factor per hour. congruence: weight of mood match at full intensity. mood: off = memories have no
    mood tag and retrieval ignores mood (Sentipolis has both). person: off = talks leave no impressions (ours). tags:
    off = neither, the single switch of older worlds. blind: control condition in which one takes a person for another
    one has talked with. kept: most memories per person (ours: the log keeps all, but a town that runs for weeks must
    fit into memory).
    """

    threshold: Annotated[float, msgspec.Meta(ge=1, le=100000)] = 150.0
    retention: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 8
    recency: Annotated[float, msgspec.Meta(ge=0.01, le=1)] = 0.99
    congruence: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.5
    tags: bool = True
    mood: bool = True
    person: bool = True
    blind: bool = False
    kept: Annotated[int, msgspec.Meta(ge=2000, le=1_000_000)] = 6000

    @property
    def tagged(self) -> bool:
        """Whether memories carry the mood they were made in."""
        return self.tags and self.mood

    @property
    def impressed(self) -> bool:
        """Whether talks leave impressions."""
        return self.tags and self.person


USUAL_PARAMETERS = MemoryParameters()


class MemorySource(Protocol):
    """Where memories are read back from."""

    async def records(self, kinds: Collection[str], after: int, upto: int) -> Sequence[Record]:
        """The log's records of these kinds with after < seq <= upto, in order."""

    def blocks(self, upto: int) -> AsyncGenerator[memory_blocks.Pieces]:
        """The blocks of memories kept beside the log, from the first, for events up to number `upto`."""

    async def past(self, upto: int) -> PastReader | None:
        """A function that can read the log up to event `upto` again at any later time; None if there is none."""


class PastReader(Protocol):
    """Reads a log again, synchronously."""

    def __call__(self, kinds: Collection[str], take: Callable[[Record], None]) -> None:
        """Pass the log's records of these kinds to `take`, in order. Raises SaveError."""


Fold = Callable[["Memories", Any, Stamp], None]


class Memories:
    """The streams of all people. `live` is False until they are read from the log, or loaded lazily from blocks beside
    it: then each stream is unpacked when first asked for.

    tags: whether memories carry the mood they were made in. impressed: whether talks leave impressions. moods: whether
    people have moods.
    """

    def __init__(
        self,
        people: Collection[str],
        lexicon: Handbook,
        folds: dict[type[Event], Fold],
        p: MemoryParameters = USUAL_PARAMETERS,
        moods: bool = True,
    ) -> None:
        words = Vocabulary()
        self._begin: Callable[[], MemoryStream] = lambda: MemoryStream(p.kept, words)
        self.streams = {who: self._begin() for who in people}
        self.tags = p.tagged and moods
        self.impressed = p.impressed and moods
        self.spoken = SpeechHistory()
        self.lexicon = lexicon
        self.folds = folds
        self.live = True
        self.upto = 0
        self._mark = memory_blocks.first_mark(self.streams)
        self._anew: Callable[[], Memories] = lambda: Memories(self.streams, lexicon, folds, p, moods)
        self._read: Memories | None = None  # memories read from the log, after a block proved wrong

    def join(self, who: str) -> None:
        """Make a stream for a newcomer; somebody who comes again keeps theirs."""
        if who not in self.streams:
            self.streams[who] = self._begin()
            self._mark = memory_blocks.wider(self._mark, len(self.streams))

    def of(self, who: str) -> MemoryStream:
        """Somebody's stream; an empty one for a newcomer if memories are not read yet."""
        found = self.streams.get(who)
        return found if found is not None else self._begin()

    def let_go(self) -> None:
        """Drop all memories to free them: this world will not run on, even if references to it remain."""
        for stream in self.streams.values():
            stream.clear()

    def fold(self, record: Record) -> None:
        """Add the memories that a record leaves, if any."""
        stamp, event = record
        if (fold := self.folds.get(type(event))) is not None:
            fold(self, event, stamp)
        self.upto = stamp.seq

    async def catch_up(self, reader: MemorySource, upto: int) -> None:
        """Read the log up to event `upto`, except what blocks cover, and set `live`."""
        if not self.live or self.upto < upto:
            if not self.upto:
                await self._take(reader, upto)
            kinds = [event.KIND for event in self.folds]
            while self.upto < upto:  # a slice at a time: a log of weeks would fill hundreds of megabytes
                end = min(self.upto + SLICE, upto)
                for record in await reader.records(kinds, self.upto, end):
                    self.fold(record)
                self.upto = end
        self.upto = upto
        self.live = True

    async def _take(self, reader: MemorySource, upto: int) -> None:
        """Set up lazy loading from the valid blocks, up to the last one that also holds speech. The first invalid
        block ends the chain; those before it are used.
        """
        chain: list[tuple[memory_blocks.BlockHeader, memory_blocks.Pieces]] = []
        ends: list[tuple[int, memory_blocks.BlockMark]] = []  # (number of blocks, mark) where one can resume
        mark = self._mark
        try:
            async with aclosing(reader.blocks(upto)) as kept:
                async for pieces in kept:
                    head = memory_blocks.read(pieces, self.streams, mark)
                    mark = memory_blocks.after(head, len(self.streams))
                    chain.append((head, pieces))
                    if head.told:
                        ends.append((len(chain), mark))
        except ValueError as error:  # it is only a cache
            LOG.warning("memories are read from the log after event %d: %s", mark.seq, error)
        for good, end in reversed(ends):
            try:
                head, pieces = chain[good - 1]
                said = memory_blocks.read_speech(pieces, head, self.streams)
                self._wait(chain[:good], await reader.past(end.seq))
            except ValueError as error:
                LOG.warning("memories kept up to event %d are passed over: %s", end.seq, error)
                self.let_go()
                continue
            self.spoken, self._mark = SpeechHistory.of(said), end
            break
        self.upto = self._mark.seq

    def _wait(
        self, chain: Sequence[tuple[memory_blocks.BlockHeader, memory_blocks.Pieces]], past: PastReader | None
    ) -> None:
        """Let all streams load lazily from a chain of blocks. Without `past` to fall back on they load at once, and
        ValueError is raised if one is invalid.
        """
        for place, one in enumerate(chain[-1][0].people):
            take = partial(self._made, place, chain)
            waiting = take if past is None else partial(self._asked, one.who, take, past)
            stream = self.streams[one.who]
            stream.wait(PendingMemories(waiting, one.count, one.left, one.since, one.reflected))
            if past is None:
                stream.columns()

    def _made(
        self, place: int, chain: Sequence[tuple[memory_blocks.BlockHeader, memory_blocks.Pieces]]
    ) -> MemoryStream:
        return memory_blocks.restore_stream(self._begin(), place, chain, self.streams.keys())

    def _asked(self, who: str, take: Callable[[], MemoryStream], past: PastReader) -> MemoryStream:
        """Load a stream when first asked for, from blocks, or from the log if they are invalid. Raises SaveError."""
        if self._read is None:
            try:
                return take()
            except ValueError as error:
                LOG.warning("memories are read from the log: those kept of %s are none: %s", who, error)
                read = self._anew()
                past([event.KIND for event in self.folds], read.fold)
                self._read = read
                self._mark = memory_blocks.first_mark(self.streams)  # the next block replaces all existing ones
        return self._read.streams[who]

    @property
    def told(self) -> int:
        """Number of the event with which the last block ended."""
        return self._mark.seq

    def block(self, now: int) -> tuple[int, list[bytes]]:
        """(event the last block ended with, pieces of a new block with all since). now: the second after all of it."""
        for stream in self.streams.values():
            stream.columns()  # load all first, so that nothing invalid is saved again
        after = self._mark.seq
        found = memory_blocks.make_pieces(self.streams, self.spoken, self._mark, self.upto, now)
        self._mark = memory_blocks.mark_of(self.streams, self.upto, now)
        return after, found

    def proves(self, block: memory_blocks.Pieces, now: int) -> bool:
        """Whether `block` equals the next block one would make, after the last one or from the start. now: as above."""
        try:
            pieces = [*block]
            if not memory_blocks.head_of(pieces).after:
                self._mark = memory_blocks.first_mark(self.streams)
        except ValueError:
            return False
        return self.block(now)[1] == pieces

    def keep(
        self,
        owner: str,
        at: Stamp,
        kind: str,
        text: str,
        about: tuple[str, ...] = (),
        poignancy: int = 1,
        delta: Pad = CALM,
        after: Pad = CALM,
        evidence: tuple[int, ...] = (),
        topic: str = "",
        counts: bool = True,
        form: Form = "",
    ) -> None:
        """Add a memory to a person's stream. counts: whether its poignancy counts towards the next reflection."""
        stream = self.streams[owner]
        if not self.tags:
            delta = after = CALM
        stream.add(
            Memory(stream.count, kind, at.t, at.t, text, about, poignancy, at.seq, delta, after, evidence, topic, form)
        )
        if counts:
            stream.since += poignancy


def retrieve(
    stream: MemoryStream,
    query: str,
    t: int,
    mood: Pad,
    p: MemoryParameters,
    k: int = 5,
    among: Sequence[Memory] | None = None,
) -> list[Memory]:
    """Retrieve the k best memories by recency + relevance + importance (each min-max normalised) + congruence.

    recency = factor^hours since it last came to mind; relevance = cosine of hashed words; importance = poignancy.
    A calm mind retrieves as without congruence. Equal scores go by place, the older first. among: memories of the
    stream to choose from (all by default). Of 10,000 it takes less than a millisecond.
    """
    if not (len(stream) if among is None else among):
        return []
    if among is None:
        columns, n = stream.columns(), len(stream)
        last, weight, after = columns.last[:n], columns.weight[:n].astype(np.float64), columns.after[:, :n]
    else:  # a few: their columns need not be made
        each = np.array([(m.last, m.poignancy, *m.after) for m in among], np.float64).T
        last, weight, after = each[0], each[1], each[2:]
    score = min_max_scale(np.exp(math.log(p.recency) / 3600.0 * (t - last))) + min_max_scale(weight)
    if query:
        score += min_max_scale(stream.likeness(query, among))
    size = math.sqrt(sum(x * x for x in mood))
    if p.tagged and p.congruence and size >= 0.05:
        score += p.congruence * min(1.0, size) * mood_likeness(mood, after)
    return [(stream if among is None else among)[i] for i in top_k(np.round(score, 9), k)]


def poignancy(base: int, delta: Pad) -> int:
    """Poignancy of something that moved the mood: base + round(5 max|delta|), at most 10."""
    return min(10, base + round(5.0 * max(map(abs, delta))))
