"""Memory streams: what each person remembers, with poignancy and the emotion it was made in, and what comes to mind.

Memories are a projection of the log: each event type that leaves memories has a folder function (`REMEMBER` tables), so
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
from sandbox.people.memory_columns import At, Vocabulary, min_max_scale, mood_likeness, top_k
from sandbox.people.memory_stream import Memory, MemoryStream, PendingMemories
from sandbox.people.mood import CALM, Pad
from sandbox.people.packed_memories import Form
from sandbox.people.spoken import SpeechHistory

LOG = logging.getLogger(__name__)
SLICE = 5000  # events of a log read at a time


class MemoryParameters(msgspec.Struct, frozen=True):
    """threshold: poignancy that makes a person reflect. retention: latest sights not stored again.

    recency: factor an hour. congruence: weight of the match of moods at full intensity. mood: off = memories carry no
    emotion tag, and no mood calls them up (Sentipolis has both). person: off = no talk leaves anything for the next
    with the same person (ours). tags: off = neither, which is how worlds say it that were made before the two could be
    told apart. blind: a control, in which one takes somebody for another whom one has talked with. kept: most memories
    a person (ours: the log keeps all, but a town that runs for weeks must fit into memory).
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
        """Whether a talk leaves something for the next with the same person."""
        return self.tags and self.person


USUAL = MemoryParameters()


class MemorySource(Protocol):
    """Where memories are read back from."""

    async def records(self, kinds: Collection[str], after: int, upto: int) -> Sequence[Record]:
        """The log's records of these kinds with after < seq <= upto, in order."""

    def blocks(self, upto: int) -> AsyncGenerator[memory_blocks.Pieces]:
        """The blocks of memories kept beside the log, from the first, of events no later than that."""

    async def past(self, upto: int) -> PastReader | None:
        """A way to read the log up to that event once more, however much later; None if there is none."""


class PastReader(Protocol):
    """A way back to a log."""

    def __call__(self, kinds: Collection[str], take: Callable[[Record], None]) -> None:
        """Read the log's records of these kinds, at once and in order. Raises SaveError."""


Fold = Callable[["Memories", Any, Stamp], None]


class Memories:
    """The streams of all people. `live` is False until they have been read from the log, or wait beside it: then each
    is taken in when somebody asks for a memory in it.

    tags: whether memories carry the mood they were made in. impressed: whether talks leave anything. moods: whether
    anybody has one.
    """

    def __init__(
        self,
        people: Collection[str],
        lexicon: Handbook,
        folds: dict[type[Event], Fold],
        p: MemoryParameters = USUAL,
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
        self._read: Memories | None = None  # what the log itself says, once what waited was found to be false

    def join(self, who: str) -> None:
        """Have a stream for somebody who has come to town; one who came before goes on with theirs."""
        if who not in self.streams:
            self.streams[who] = self._begin()
            self._mark = memory_blocks.wider(self._mark, len(self.streams))

    def of(self, who: str) -> MemoryStream:
        """Somebody's stream; of who has come since, in a world whose memories are not read yet, an empty one."""
        found = self.streams.get(who)
        return found if found is not None else self._begin()

    def let_go(self) -> None:
        """Drop all nodes: this world is lived no more, whoever may still hold it."""
        for stream in self.streams.values():
            stream.clear()

    def fold(self, record: Record) -> None:
        """Take in a record's memories, if it leaves any."""
        stamp, event = record
        fold = self.folds.get(type(event))
        if fold is not None:
            fold(self, event, stamp)
        self.upto = stamp.seq

    async def catch_up(self, reader: MemorySource, upto: int) -> None:
        """Read from the log what happened up to that event, and be live from then on. What blocks tell is not read."""
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
        """Let all streams wait for somebody to ask, as far as blocks tell of them: one that is none ends what is taken,
        and what is good before it stays.
        """
        chain: list[tuple[memory_blocks.BlockHeader, memory_blocks.Pieces]] = []
        ends: list[tuple[int, memory_blocks.BlockMark]] = []  # where one can go on from: how many blocks come before it
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
        """Have all wait to be asked for; without a way back they are taken in at once, or ValueError is raised."""
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
        """What somebody remembers who is asked for the first time: as blocks say, or else the log. Raises SaveError."""
        if self._read is None:
            try:
                return take()
            except ValueError as error:
                LOG.warning("memories are read from the log: those kept of %s are none: %s", who, error)
                read = self._anew()
                past([event.KIND for event in self.folds], read.fold)
                self._read = read
                self._mark = memory_blocks.first_mark(self.streams)  # the next block takes the place of all there are
        return self._read.streams[who]

    @property
    def told(self) -> int:
        """The event the last block ended with."""
        return self._mark.seq

    def block(self, now: int) -> tuple[int, list[bytes]]:
        """What has come since the last block, and the event that one ended with. now: the second after all of it."""
        for stream in self.streams.values():
            stream.columns()  # what is false in what waits is found before any of it is kept once more
        after = self._mark.seq
        found = memory_blocks.make_pieces(self.streams, self.spoken, self._mark, self.upto, now)
        self._mark = memory_blocks.mark_of(self.streams, self.upto, now)
        return after, found

    def proves(self, block: memory_blocks.Pieces, now: int) -> bool:
        """Whether that is the next block, after the last one or from the beginning. now: as in `block`."""
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
        """Add a memory to a person's stream. counts: whether it brings the next reflection nearer."""
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
    """What comes to mind: the k best by recency + relevance + importance (each min-max normalised) + congruence.

    recency = factor^hours since it last came to mind; relevance = cosine of hashed words; importance = poignancy.
    A calm mind retrieves as without congruence. Equal scores go by place, the older first. among: memories of the
    stream to choose from (all by default). Of 10,000 it takes less than a millisecond.
    """
    if not (len(stream) if among is None else among):
        return []
    columns = stream.columns()
    at: At = slice(0, len(stream)) if among is None else columns.places([m.id for m in among])
    recency = np.exp(math.log(p.recency) / 3600.0 * (t - columns.last[at]))
    score = min_max_scale(recency) + min_max_scale(columns.weight[at].astype(np.float64))
    if query:
        score += min_max_scale(columns.likeness(at, query, stream.text if among is None else lambda i: among[i].text))
    size = math.sqrt(sum(x * x for x in mood))
    if p.tagged and p.congruence and size >= 0.05:
        score += p.congruence * min(1.0, size) * mood_likeness(mood, columns.after[:, at])
    found = top_k(np.round(score, 9), k).tolist()
    return [stream.at(i) for i in found] if among is None else [among[i] for i in found]


def poignancy(base: int, delta: Pad) -> int:
    """Poignancy of something that moved the mood: base + round(5 max|delta|), at most 10."""
    return min(10, base + round(5.0 * max(map(abs, delta))))
