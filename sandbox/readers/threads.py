"""Data for incidents: pressures and talks as known from the log, a thread's events of a day, turns and incidents."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from sandbox.core.events import Event, Stamp
from sandbox.drama.turns import SECRET, How
from sandbox.people.pressure_model import Began
from sandbox.talk.model import Opened


class PressureTurn(NamedTuple):
    """A turn: the event's number, its second, its tone (good, bad or neutral) and what made it one (drama/turns.py).

    kind: of the pressure that turned. complete: its causes reach back to the cast, a spark or an act. sign: something
    was visible 60 minutes before.
    """

    seq: int
    t: int
    tone: str
    how: How
    kind: str
    thread: str
    complete: bool
    sign: bool


ON_FEED = "@feed"  # in place of an address, for what happens on the feed


class PossibleCause(NamedTuple):
    """An event that others may name as their cause.

    sound: its own causes reach back to the cast, a spark or an act. people: whom it may draw in; place: an address, or
    ON_FEED. before_all: it happened before everybody, so anybody may be drawn in.
    """

    t: int
    sound: bool
    people: tuple[str, ...]
    place: str = ""
    before_all: bool = False


class FeedCause(NamedTuple):
    """An event on the feed that others may come of. who: those who act in it; acts: how many acts it counts as; () and
    0 for reading, and for what old logs say of a writing in an event of its own.
    """

    t: int
    who: tuple[str, ...]
    causes: tuple[int, ...]
    acts: int


class PressureRecord:
    """An open pressure as known from the log.

    last, touched: number and second of the latest event that touched it. seek: (number and second of the plan changed
    for it, whom the holder looks for), until they talk. rests: whether it may be left alone for days: a secret, or a
    wanted claim with a plan.
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
    """A deed in a thread. do: an exchange, or a showdown; two: the people in order of ids (in a showdown all who
    spoke).

    principals: whether each of them holds a pressure of the thread, is its object, or has taken a side in it.
    """

    do: str
    two: tuple[str, ...]
    principals: bool


class TurnScene(NamedTuple):
    """What is needed to describe a turn: the pressure, the deed that made it, and where. away: whether the one who came
    for it was turned away before a word was said.
    """

    turn: PressureTurn
    matter: PressureRecord
    stamp: Stamp
    event: Event
    place: str
    away: bool = False


class TalkHeard:
    """A talk: its beginning, and the pressure it is about, None if none."""

    __slots__ = ("matter", "place", "seq", "t", "who")

    def __init__(self, stamp: Stamp, e: Opened) -> None:
        self.seq, self.t, self.place = stamp.seq, stamp.t, e.place
        self.who = (stamp.actor, e.other)
        self.matter: PressureRecord | None = None


class ThreadDay:
    """A thread's events of a day, grouped by cause (union-find).

    who, when: event -> who acted in it, and its second. scenes: of its turns. born: event -> pressures it began.
    quarrels: event -> row or betrayal. deeds: event -> what was done.
    """

    __slots__ = ("_acts", "_link", "born", "deeds", "quarrels", "scenes", "when", "who")

    def __init__(self) -> None:
        self._link: dict[int, int] = {}  # event -> another of its group; the root links to itself
        self._acts: dict[int, int] = {}  # event -> acts it counts as
        self.who: dict[int, tuple[str, ...]] = {}
        self.when: dict[int, int] = {}
        self.scenes: list[TurnScene] = []
        self.born: dict[int, list[PressureRecord]] = {}
        self.quarrels: dict[int, str] = {}
        self.deeds: dict[int, ThreadDeed] = {}

    def add(self, seq: int, t: int, who: tuple[str, ...], causes: tuple[int, ...] = (), acts: int = 1) -> None:
        """Add an event, linked with those of its causes that are here. acts: how many acts it counts as."""
        self._acts[seq] = acts
        if seq not in self._link:
            self._link[seq], self.who[seq], self.when[seq] = seq, who, t
        for cause in causes:
            if cause in self._link:
                self._link[self._root(cause)] = self._root(seq)

    def done(self, group: tuple[int, ...]) -> int:
        """How many acts these events count as together."""
        return sum(self._acts[seq] for seq in group)

    def _root(self, seq: int) -> int:
        link = self._link
        while link[seq] != seq:
            link[seq] = link[link[seq]]
            seq = link[seq]
        return seq

    def linked(self) -> list[tuple[int, ...]]:
        """The groups of events linked by cause, each in order."""
        groups: dict[int, list[int]] = {}
        for seq in sorted(self._link):
            groups.setdefault(self._root(seq), []).append(seq)
        return [tuple(group) for group in groups.values()]


class IncidentSlots(msgspec.Struct, frozen=True):
    """The slots of an incident's sentence. wanted: follows "wanted to"; cause, deed, answer, change: clauses."""

    who: str = ""
    wanted: str = ""
    cause: str = ""
    place: str = ""
    hour: str = ""
    deed: str = ""
    answer: str = ""
    change: str = ""


class Incident(msgspec.Struct, frozen=True):
    """A thread's day worth telling.

    kind: of the pressure that turned; pair: its holder and whom it is about. deeds: each once. people: all who acted.
    events: numbers, in order. t: second of its main turn; good, quarrel (row, betrayal or ""): how it came out. begin,
    end: seconds. complete: every turn's causes reach back to the cast, a spark or an act. sign: something was visible
    60 minutes before. telling: the slots of its sentence.
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
    """The facts of a day, finished or not. turns: of all threads; quarrels: number of rows and betrayals; ended:
    threads that ended, with no pressure left open. open: number of pressures open at its end; untouched: how many of
    those had no event for 48 hours. outcomes: what occasions decided, as (second, sentence without full stop).
    """

    incidents: tuple[Incident, ...] = ()
    turns: tuple[PressureTurn, ...] = ()
    quarrels: int = 0
    ended: frozenset[str] = frozenset()
    open: int = 0
    untouched: int = 0
    outcomes: tuple[tuple[int, str], ...] = ()
