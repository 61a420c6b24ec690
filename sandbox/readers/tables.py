"""The log as flat tables: moods, talk, ties, memories, walks, money, acts on the feed, what residents write and read
there. Each table takes records and yields rows as it goes.

A table keeps only what it needs to finish a row (who is walking, where a talk takes place).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import partial
from typing import ClassVar, cast

from sandbox.core.events import Record, Stamp
from sandbox.engine.registry import REMEMBER
from sandbox.engine.world import World
from sandbox.feed.events import Commented, Deed, Messaged, Posted, Quoted, Reposted, Writing, WritingDetails
from sandbox.feed.handlers import HANDLERS as DEEDS
from sandbox.feed.model import NOBODY
from sandbox.feed.packing import ActKind, CrowdActed
from sandbox.feed.unpacking import MAKES_CARDS, MAKES_COMMENTS, NAMES, TONES, account_act, crowd_acts
from sandbox.people.handbook import Handbook
from sandbox.people.memory import Memories
from sandbox.people.memory_stream import Memory, MemoryStream
from sandbox.phones.model import Crossed, Kind, Read, kind_and_number
from sandbox.phones.old_log import OldWrote
from sandbox.readers.all_stories import (
    BEGINNINGS,
    event_guest,
    event_moods,
    event_payments,
    event_stages,
    event_talk,
    event_ties,
    kinds_where,
    matter_begun,
)
from sandbox.readers.talks import KINDS as TALKS
from sandbox.readers.talks import TalkFold
from sandbox.talk.model import Closed, Exchanged, Opened
from sandbox.town.model import Arrived, Placed, Stopped, Walked
from sandbox.town.ways import Spot, tile_at, tiles_walked

PAD = ("p", "a", "d")  # columns of a mood: pleasure, arousal, dominance

Cell = str | int | float | tuple[str | int, ...] | None
Cells = tuple[Cell, ...]


class LogTable(ABC):
    """`feed` returns the rows that a record completes, `rest` those left at the end. reads: kinds of event it needs."""

    columns: ClassVar[tuple[str, ...]]
    reads: ClassVar[tuple[str, ...]]

    def __init__(self, world: World) -> None:
        self.world = world

    def time(self, t: int) -> str:
        """A second as date and time: "2025-03-04 07:31:05"."""
        return f"{self.world.clock.at(t):%Y-%m-%d %H:%M:%S}"

    @abstractmethod
    def feed(self, record: Record) -> Iterable[Cells]: ...

    def rest(self) -> Iterable[Cells]:
        return ()


class MoodTable(LogTable):
    """A row for each change of a mood."""

    columns = ("t", "time", "who", *PAD, "dp", "da", "dd", "why", "seq")
    reads = kinds_where(lambda story: story.moods)

    def feed(self, record: Record) -> Iterator[Cells]:
        seq, _, t, _, _ = record.stamp
        for m in event_moods(record):
            yield (t, self.time(t), m.who, *m.after, *m.delta, m.why, seq)


class TalkTable(LogTable, TalkFold):
    """A row for each utterance."""

    columns = ("t", "time", "talk", "n", "place", "who", "to", "move", "topic", "about", "valence", "text", "seq")
    reads = TALKS

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._places: dict[str, str] = {}

    def feed(self, record: Record) -> Iterable[Cells]:
        return self.take(record) or ()

    def opened(self, at: Stamp, e: Opened) -> None:
        self._places[e.id] = e.place

    def closed(self, at: Stamp, e: Closed) -> None:
        self._places.pop(e.talk, None)

    def exchanged(self, at: Stamp, e: Exchanged) -> Iterator[Cells]:
        (seq, _, t, _, _), place = at, self._places.get(e.talk, "")
        for u in e.lines:
            to = next((x.who for x in e.lines if x.who != u.who), "")
            yield (t, self.time(t), e.talk, e.n, place, u.who, to, u.move, u.topic, u.about, u.valence, u.text, seq)


class TieTable(LogTable):
    """A row for each change of feeling or closeness."""

    columns = ("t", "time", "who", "whom", "what", "delta", "after", "why", "talk", "seq")
    reads = kinds_where(lambda story: story.ties)

    def feed(self, record: Record) -> Iterator[Cells]:
        seq, _, t, _, _ = record.stamp
        for tie in event_ties(record.event):
            talk = event_talk(record.event)
            yield (t, self.time(t), tie.who, tie.whom, tie.what, tie.delta, tie.after, tie.why, talk, seq)


class _Passing(MemoryStream):
    """A person's memories, each passed to a function when it is made, and not kept."""

    __slots__ = ("_hand_on",)

    def __init__(self, hand_on: Callable[[Memory], None]) -> None:
        super().__init__()
        self._hand_on = hand_on

    def add(self, node: Memory) -> None:
        self.count += 1
        self._hand_on(node)

    def touch(self, ids: Sequence[int], t: int) -> None:
        """Recalling changes nothing here."""


class _Handing(Memories):
    """Makes memories as the world does, passes each to a function with its owner's id, and keeps none."""

    def __init__(self, handbook: Handbook, hand_on: Callable[[str, Memory], None]) -> None:
        own = copy(handbook)
        own.cast = {**handbook.cast}  # a copy, since guests are added
        super().__init__((), own, REMEMBER)
        self._hand_on = hand_on

    def fold(self, record: Record) -> None:
        if (guest := event_guest(record.event)) is not None:
            self.lexicon.cast[guest.id] = guest
        super().fold(record)

    def join(self, who: str) -> None:
        self.streams.setdefault(who, _Passing(partial(self._hand_on, who)))


class MemoryTable(LogTable):
    """A row for each memory, made by the same rules as in the world."""

    columns = ("t", "time", "who", "id", "kind", "text", "about", "poignancy", "topic", *PAD, "evidence", "seq")
    reads = tuple(event.KIND for event in REMEMBER)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._made: list[Cells] = []
        self._memories = _Handing(world.handbook, self._row)
        for who in world.cast:
            self._memories.join(who)

    def feed(self, record: Record) -> Iterable[Cells]:
        self._made = []
        self._memories.fold(record)
        return self._made

    def _row(self, who: str, m: Memory) -> None:
        memory = (m.id, m.kind, m.text, m.about, m.poignancy, m.topic, *m.after, m.evidence, m.seq)
        self._made.append((m.t, self.time(m.t), who, *memory))


class WalkTable(LogTable):
    """A row for each walk, when it ends; those still under way come last."""

    columns = ("t", "time", "who", "x", "y", "to_x", "to_y", "goal", "tiles", "seconds", "pace", "ended", "seq")
    reads = (Walked.KIND, Arrived.KIND, Stopped.KIND, Placed.KIND)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._under_way: dict[str, tuple[Stamp, Walked, Spot]] = {}
        self._t = 0

    def feed(self, record: Record) -> Iterator[Cells]:
        stamp, e = record
        self._t = max(self._t, stamp.t)
        for who, stage, *_ in event_stages(record):
            if stage in ("walking", "arrived", "stopped", "moved"):
                yield from self._end(who, stamp.t, "stopped" if stage == "walking" else stage)
            if stage == "walking":
                walk = cast(Walked, e)
                self._under_way[who] = (stamp, walk, walk.spot(stamp.t, self.world.map.width))

    def rest(self) -> Iterator[Cells]:
        for who in list(self._under_way):
            yield from self._end(who, self._t, "going")

    def _end(self, who: str, t: int, ended: str) -> Iterator[Cells]:
        found = self._under_way.pop(who, None)
        if found is None:
            return
        stamp, e, spot = found
        width = self.world.map.width
        tiles = len(e.path) if ended == "arrived" else tiles_walked(spot, t)
        tile = spot.to if ended == "arrived" else tile_at(spot, t, width)
        yield (
            stamp.t, self.time(stamp.t), who, e.x, e.y, tile % width, tile // width, e.to, tiles, t - stamp.t, e.pace,
            ended, stamp.seq,
        )  # fmt: skip


class CoinTable(LogTable):
    """A row for each payment; wages have no payer, and purchases no payee."""

    columns = ("t", "time", "who", "to", "amount", "what", "debt", "seq")
    reads = kinds_where(lambda story: story.payments)

    def feed(self, record: Record) -> Iterator[Cells]:
        at = record.stamp
        for x in event_payments(record):
            yield (at.t, self.time(at.t), x.who, x.to, x.amount, x.what, x.debt, at.seq)


class FeedActTable(LogTable):
    """A row for each act on the feed: accounts' acts as logged, the crowd's unpacked. act: the platform's action
    (`feed/acts.py`). target: number of what it acts on; made: number of the card, comment, message, group or user it
    created; -1 = none. tone, doubt: of a comment.
    """

    columns = ("t", "time", "user", "handle", "act", "target", "made", "tone", "doubt", "text", "reason", "seq")
    reads = (*(e.KIND for e in DEEDS), CrowdActed.KIND)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.cards, self.said = world.feed.posts.n, world.feed.comments.n

    def feed(self, record: Record) -> Iterator[Cells]:
        (seq, _, t, actor, _), e = record
        if isinstance(e, CrowdActed):
            yield from self._crowd(seq, t, e)
            return
        assert isinstance(e, Deed)
        act, target, made, text, tone, doubt = account_act(e)
        self.cards += isinstance(e, (Posted, Quoted, Reposted))
        self.said += isinstance(e, Commented)
        yield (t, self.time(t), e.user, actor, act, target, made, tone, doubt, text, e.reason, seq)

    def _crowd(self, seq: int, t: int, e: CrowdActed) -> Iterator[Cells]:
        for at, user, act, target in crowd_acts(e, t):
            made = -1
            if act in MAKES_CARDS:
                made, self.cards = self.cards, self.cards + 1
            elif act in MAKES_COMMENTS:
                made, self.said = self.said, self.said + 1
            tone, doubt = TONES.get(act, (None, None))
            on = NOBODY if act == ActKind.POST else target
            yield (at, self.time(at), user, "", NAMES[act], on, made, tone, doubt, "", "", seq)


class PhoneTable(LogTable):
    """A row for each thing a resident wrote or read, and each run of a rule between street and feed. what: post, quote,
    comment or message; "read" and one of these; "counts": reactions to one's own post; "crossed". number: of what was
    written or read, or the card of a crossing; on: the card it is on; -1 = none. whom: whom it is for or about, the
    author of what was read, or the other person in a crossing. thread: of the matter.
    """

    columns = (
        "t", "time", "who", "what", "number", "on", "whom", "rule", "way", "move", "topic", "matter", "thread", "fact",
        "cites", "valence", "opinion", "stance", "proof", "text", "why", "seq",
    )  # fmt: skip
    reads = (*BEGINNINGS, *(e.KIND for e in (Posted, Quoted, Commented, Messaged, OldWrote, Read, Crossed)))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._threads: dict[str, str] = {}
        self._text: dict[int, str] = {}  # event of an old log that does not say what it is about -> words written

    def feed(self, record: Record) -> Iterator[Cells]:
        (seq, _, t, actor, causes), e = record
        if (matter := matter_begun(record)) is not None:
            self._threads[matter.id] = matter.thread
        elif isinstance(e, Writing) and e.about is not None:
            yield self._written(record.stamp, *kind_and_number(e), e.about, e.text, e.reason)
        elif isinstance(e, Writing):
            self._text[seq] = e.text
        elif isinstance(e, OldWrote):
            text = next((x for cause in causes if (x := self._text.pop(cause, ""))), "")
            yield self._written(record.stamp, e.kind, e.number, e, text, e.why)
        elif isinstance(e, Read):
            what = "counts" if e.counts is not None else f"read {e.kind}"
            yield (
                t, self.time(t), actor, what, e.number, NOBODY, e.by, "", "", "", e.topic, "", "", "", 0, None, "",
                None, 0, "", "", seq,
            )  # fmt: skip
        elif isinstance(e, Crossed):
            yield (
                t, self.time(t), actor, "crossed", e.card, NOBODY, e.whom, e.rule, e.way, "", "", "", "", "", 0, None,
                "", None, 0, e.says, "", seq,
            )  # fmt: skip

    def _written(self, at: Stamp, kind: Kind, number: int, about: WritingDetails, text: str, why: str) -> Cells:
        """The row of what was written."""
        return (
            at.t, self.time(at.t), at.actor, "quote" if kind == "post" and about.on >= 0 else kind, number, about.on,
            about.whom, about.rule, "", about.move, about.topic, about.matter, self._threads.get(about.matter, ""),
            about.fact, about.cites, about.valence, about.opinion, about.stance, int(about.proof), text, why, at.seq,
        )  # fmt: skip


TABLES: dict[str, type[LogTable]] = {
    "moods": MoodTable,
    "talk": TalkTable,
    "ties": TieTable,
    "memories": MemoryTable,
    "walks": WalkTable,
    "money": CoinTable,
    "feed": FeedActTable,
    "phones": PhoneTable,
}
