"""The log as flat tables: moods, talk, ties, memories, walks, money. Each is a fold over records that yields rows as it
goes.

A table keeps what it needs to finish a row (who is walking, which talk is where) and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.registry import REMEMBER
from sandbox.engine.world import World
from sandbox.people.memory import Memories
from sandbox.people.mood import CALM, Pad
from sandbox.people.paying import Earned, Paid
from sandbox.people.shelf import Form
from sandbox.stories.every import kinds, moved, talk_of, tied
from sandbox.talk.model import Closed, Exchanged, Opened
from sandbox.town.model import Arrived, Placed, Stopped, Walked
from sandbox.town.rules import Spot, tile_at, tiles_walked

ENDS: dict[type[Event], str] = {Arrived: "arrived", Stopped: "stopped", Placed: "moved"}  # what ends a walk

Cell = str | int | float | tuple[str | int, ...]
Cells = tuple[Cell, ...]


class Table(Protocol):
    """What `feed` gives for a record and `rest` at the end: rows of the table's columns."""

    def feed(self, record: Record) -> Iterable[Cells]: ...

    def rest(self) -> Iterable[Cells]: ...


class Kind(NamedTuple):
    """A table: its columns, the kinds of event it needs, and how to make one for a world."""

    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    make: Callable[[World], Table]


def when(world: World, t: int) -> str:
    """ "2025-03-04 07:31:05"."""
    return f"{world.clock.at(t):%Y-%m-%d %H:%M:%S}"


class _Base:
    def __init__(self, world: World) -> None:
        self.world = world

    def time(self, t: int) -> str:
        return when(self.world, t)

    def rest(self) -> Iterable[Cells]:
        return ()


class Moods(_Base):
    """A row a change of mood."""

    def feed(self, record: Record) -> Iterator[Cells]:
        seq, _, t, _, _ = record.stamp
        for m in moved(record):
            yield (t, self.time(t), m.who, *m.after, *m.delta, m.why, seq)


class Talk(_Base):
    """A row an utterance."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._places: dict[str, str] = {}

    def feed(self, record: Record) -> Iterator[Cells]:
        (seq, _, t, _, _), e = record
        if isinstance(e, Opened):
            self._places[e.id] = e.place
        elif isinstance(e, Closed):
            self._places.pop(e.talk, None)
        elif isinstance(e, Exchanged):
            place = self._places.get(e.talk, "")
            for u in e.lines:
                to = next((x.who for x in e.lines if x.who != u.who), "")
                yield (
                    t, self.time(t), e.talk, e.n, place, u.who, to, u.move, u.topic, u.about, u.valence, u.text, seq
                )  # fmt: skip


class Ties(_Base):
    """A row a change of feeling or closeness."""

    def feed(self, record: Record) -> Iterator[Cells]:
        seq, _, t, _, _ = record.stamp
        for tie in tied(record.event):
            talk = talk_of(record.event)
            yield (t, self.time(t), tie.who, tie.whom, tie.what, tie.delta, tie.after, tie.why, talk, seq)


class _Passing(Memories):
    """Memories that are handed on as they are made, instead of kept."""

    def __init__(self, world: World) -> None:
        super().__init__(world.cast, world.handbook, REMEMBER)
        self.made: list[tuple[str, int, Stamp, str, str, tuple[str, ...], int, Pad, tuple[int, ...], str]] = []
        self._count = dict.fromkeys(world.cast, 0)

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
        id_ = self._count[owner]
        self._count[owner] = id_ + 1
        self.made.append((owner, id_, at, kind, text, about, poignancy, after, evidence, topic))

    def touch(self, owner: str, ids: object, t: int) -> None:
        """Coming to mind makes no memory."""


class MemoryTable(_Base):
    """A row a memory, by the rules that make memories in the world."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._memories = _Passing(world)

    def feed(self, record: Record) -> Iterator[Cells]:
        self._memories.fold(record)
        for who, id_, at, kind, text, about, poignancy, after, evidence, topic in self._memories.made:
            yield (
                at.t, self.time(at.t), who, id_, kind, text, about, poignancy, topic, *after, evidence, at.seq
            )  # fmt: skip
        self._memories.made.clear()


class Walks(_Base):
    """A row a walk, when it ends; those still under way come last."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._under_way: dict[str, tuple[Stamp, Walked, Spot]] = {}
        self._t = 0

    def feed(self, record: Record) -> Iterator[Cells]:
        stamp, e = record
        self._t = max(self._t, stamp.t)
        if isinstance(e, Walked):
            yield from self._end(stamp.actor, stamp.t, "stopped")
            self._under_way[stamp.actor] = (stamp, e, e.spot(stamp.t, self.world.map.width))
        elif ended := ENDS.get(type(e)):
            yield from self._end(stamp.actor, stamp.t, ended)

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


class Coins(_Base):
    """A row a sum that changed hands; wages come from nobody, and what is bought is paid to nobody."""

    def feed(self, record: Record) -> Iterator[Cells]:
        (seq, _, t, actor, _), e = record
        if isinstance(e, Paid):
            yield (t, self.time(t), actor, e.to, e.amount, e.what, e.debt, seq)
        elif isinstance(e, Earned):
            for who, amount in e.wages.items():
                yield (t, self.time(t), "", who, amount, "wages", "", seq)


MOOD = ("p", "a", "d", "dp", "da", "dd")
TABLES: dict[str, Kind] = {
    "moods": Kind(("t", "time", "who", *MOOD, "why", "seq"), kinds(lambda story: story.moods), Moods),
    "talk": Kind(
        ("t", "time", "talk", "n", "place", "who", "to", "move", "topic", "about", "valence", "text", "seq"),
        ("talk_opened", "exchanged", "talk_closed"),
        Talk,
    ),
    "ties": Kind(
        ("t", "time", "who", "whom", "what", "delta", "after", "why", "talk", "seq"),
        kinds(lambda story: story.ties),
        Ties,
    ),
    "memories": Kind(
        ("t", "time", "who", "id", "kind", "text", "about", "poignancy", "topic", "p", "a", "d", "evidence", "seq"),
        tuple(event.KIND for event in REMEMBER),
        MemoryTable,
    ),
    "walks": Kind(
        ("t", "time", "who", "x", "y", "to_x", "to_y", "goal", "tiles", "seconds", "pace", "ended", "seq"),
        ("walked", "arrived", "stopped", "placed"),
        Walks,
    ),
    "money": Kind(("t", "time", "who", "to", "amount", "what", "debt", "seq"), (Paid.KIND, Earned.KIND), Coins),
}
