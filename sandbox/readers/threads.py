"""What the log has told of pressures and talks, a thread's events of a day with what caused which, and incidents."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from sandbox.core.events import Event, Stamp
from sandbox.drama.turns import SECRET, How
from sandbox.people.pressure_model import Began
from sandbox.talk.model import Opened


class PressureTurn(NamedTuple):
    """A turn: the event's number, its second, good, bad or neutral, and what made it one (drama/turns.py).

    kind: of the pressure that turned. complete: its causes reach the cast, a spark or an act. sign: something could be
    seen 60 minutes before it.
    """

    seq: int
    t: int
    tone: str
    how: How
    kind: str
    thread: str
    complete: bool
    sign: bool


ON_FEED = "@feed"  # where something happens that is done on the feed: no address


class PossibleCause(NamedTuple):
    """An event that another may name as its cause.

    sound: its own causes reach the cast, a spark or an act. people: who may be drawn in by it; place: an address, or
    ON_FEED. before_all: everybody is a witness, and may be drawn in.
    """

    t: int
    sound: bool
    people: tuple[str, ...]
    place: str = ""
    before_all: bool = False


class FeedCause(NamedTuple):
    """An event on the feed that others may come of. who: does something by it, and acts: how much; of a post's
    bookkeeping, and of reading, nobody and nothing.
    """

    t: int
    who: tuple[str, ...]
    causes: tuple[int, ...]
    acts: int


class PressureRecord:
    """An open pressure as the log has told of it.

    last: the latest event that touched it, and touched, when. seek: (number and second of the plan that was changed for
    it, whom one looked for), until a talk has come of that. rests: it may be left alone for days: a secret, or a claim
    that is wanted and planned for.
    """

    __slots__ = (
        "about", "cause", "holder", "id", "kind", "knowers", "last", "rests", "seek", "stakes", "thread", "touched",
    )  # fmt: skip

    def __init__(self, stamp: Stamp, e: Began) -> None:
        self.id, self.kind, self.holder, self.about, self.thread = e.id, e.kind, stamp.actor, e.about, e.thread
        self.stakes, self.cause = e.stakes, e.cause
        self.last, self.touched = stamp.seq, stamp.t
        self.knowers = {stamp.actor, e.about, *e.known_by}
        self.seek: tuple[int, int, str] | None = None
        self.rests = e.kind == SECRET


class ThreadDeed(NamedTuple):
    """What somebody came to somebody for: an exchange, and the two in the order of their ids; of a showdown all who
    spoke.

    principals: each of them holds, or is the object of, a pressure of the thread, or has taken a side in it.
    """

    do: str
    two: tuple[str, ...]
    principals: bool


class TurnScene(NamedTuple):
    """What can be told of a turn: the pressure, the deed that made it, and where that was. away: whether whoever came
    for it was turned away before a word was said.
    """

    turn: PressureTurn
    matter: PressureRecord
    stamp: Stamp
    event: Event
    place: str
    away: bool = False


class TalkHeard:
    """A talk: its beginning, and the pressure it has come to be about, if any."""

    __slots__ = ("matter", "place", "seq", "t", "who")

    def __init__(self, stamp: Stamp, e: Opened) -> None:
        self.seq, self.t, self.place = stamp.seq, stamp.t, e.place
        self.who = (stamp.actor, e.other)
        self.matter: PressureRecord | None = None


class ThreadDay:
    """A thread's events of a day.

    who, when: number -> who acted in it, and its second. scenes: of its turns. born: number -> pressures that came of
    that event. quarrels: number -> row or betrayal. deeds: number -> what was done.
    """

    __slots__ = ("_acts", "_link", "born", "deeds", "quarrels", "scenes", "when", "who")

    def __init__(self) -> None:
        self._link: dict[int, int] = {}
        self._acts: dict[int, int] = {}
        self.who: dict[int, tuple[str, ...]] = {}
        self.when: dict[int, int] = {}
        self.scenes: list[TurnScene] = []
        self.born: dict[int, list[PressureRecord]] = {}
        self.quarrels: dict[int, str] = {}
        self.deeds: dict[int, ThreadDeed] = {}

    def add(self, seq: int, t: int, who: tuple[str, ...], causes: tuple[int, ...] = (), acts: int = 1) -> None:
        """One more event, linked with those of its causes that are here. acts: what is done in it one after another."""
        self._acts[seq] = acts
        if seq not in self._link:
            self._link[seq], self.who[seq], self.when[seq] = seq, who, t
        for cause in causes:
            if cause in self._link:
                self._link[self._root(cause)] = self._root(seq)

    def done(self, group: tuple[int, ...]) -> int:
        """How much is done in these events."""
        return sum(self._acts[seq] for seq in group)

    def _root(self, seq: int) -> int:
        link = self._link
        while link[seq] != seq:
            link[seq] = link[link[seq]]
            seq = link[seq]
        return seq

    def linked(self) -> list[tuple[int, ...]]:
        """The events in groups that are linked by cause, each in order."""
        groups: dict[int, list[int]] = {}
        for seq in sorted(self._link):
            groups.setdefault(self._root(seq), []).append(seq)
        return [tuple(group) for group in groups.values()]


class IncidentSlots(msgspec.Struct, frozen=True):
    """The slots of the sentence. wanted: follows "wanted to"; cause: a clause; deed: follows `who`'s name."""

    who: str = ""
    wanted: str = ""
    cause: str = ""
    place: str = ""
    hour: str = ""
    deed: str = ""
    answer: str = ""
    change: str = ""


class Incident(msgspec.Struct, frozen=True):
    """A thread's day that can be told.

    kind: of the pressure that turned; pair: whose it is and about whom. deeds: all that were done in it, each
    once. people: all who acted. events: numbers, in order. t: of the turn it is told by; good, quarrel (row, betrayal
    or ""): how it came out. begin, end: seconds. complete: every turn's causes reach the cast, a spark or an act. sign:
    something could be seen 60 minutes before.
    """

    day: int
    thread: str
    kind: str
    pair: tuple[str, str]
    deeds: tuple[ThreadDeed, ...]
    people: tuple[str, ...]
    events: tuple[int, ...]
    turns: tuple[PressureTurn, ...]
    t: int
    good: bool
    quarrel: str
    begin: int
    end: int
    complete: bool
    sign: bool
    telling: IncidentSlots


class DayFacts(NamedTuple):
    """A day, or what there is of it yet. turns: of all threads; quarrels: rows and betrayals; ended: threads that have
    come to their end: nothing of them is open. open, untouched: pressures at its end, and those of them that nothing
    touched for 48 hours.
    outcomes: what occasions decided, as (second, sentence without full stop).
    """

    incidents: tuple[Incident, ...] = ()
    turns: tuple[PressureTurn, ...] = ()
    quarrels: int = 0
    ended: frozenset[str] = frozenset()
    open: int = 0
    untouched: int = 0
    outcomes: tuple[tuple[int, str], ...] = ()
