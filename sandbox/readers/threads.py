"""Data for incidents: pressures and talks as known from the log, a thread's events of a day, turns and incidents; and
`ThreadLog`, which keeps what is known of all threads while the log is read.

Every event that can be part of an incident is noted as a possible cause of later ones, and whether its own causes are
sound.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Stamp
from sandbox.drama.turns import SECRET, How, StoryTurn
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.handbook import Handbook
from sandbox.people.pressure_model import Began, Ended, Stirred
from sandbox.talk.model import Closed, Opened


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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PressureRecord) and all(getattr(self, x) == getattr(other, x) for x in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


class ThreadDeed(NamedTuple):
    """A deed in a thread. do: an exchange, or a showdown; two: the people in order of ids (in a showdown all who
    spoke).

    principals: whether each of them holds a pressure of the thread, is its object, or has taken a side in it.
    """

    do: str
    two: tuple[str, ...]
    principals: bool


Turning = Stirred | Ended | Closed  # the events that can be turns


class TurnScene(NamedTuple):
    """What is needed to describe a turn: the pressure, the deed that made it, and where. away: whether the one who came
    for it was turned away before a word was said.
    """

    turn: PressureTurn
    matter: PressureRecord
    stamp: Stamp
    event: Turning
    place: str
    away: bool = False


class BornScene(NamedTuple):
    """A turn's scene, and the pressures that began by it."""

    scene: TurnScene
    born: tuple[PressureRecord, ...] = ()


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


class Incident(msgspec.Struct, frozen=True):
    """A thread's day worth telling.

    kind: of the pressure that turned; pair: its holder and whom it is about. deeds: each once. people: all who acted.
    events: numbers, in order. t: second of its main turn; good, quarrel (row, betrayal or ""): how it came out. begin,
    end: seconds. complete: every turn's causes reach back to the cast, a spark or an act. sign: something was visible
    60 minutes before. says: its main turn, and what began by it, in sentences.
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
    says: str


class DayFacts(NamedTuple):
    """The facts of a day, finished or not. turns: of all threads; quarrels: number of rows and betrayals; ended:
    threads that ended, with no pressure left open. open: number of pressures open at its end; untouched: how many of
    those had no event for 48 hours. scenes: of all turns of all threads.
    """

    incidents: tuple[Incident, ...] = ()
    turns: tuple[PressureTurn, ...] = ()
    quarrels: int = 0
    ended: frozenset[str] = frozenset()
    open: int = 0
    untouched: int = 0
    scenes: tuple[BornScene, ...] = ()


# ---- what is known from the log


SIGN = HOUR  # seconds before a turn by which a sign of it must have been visible
KEEP = DAY  # seconds for which talks and sparks are kept as possible causes: a bad day names nothing older
HEARD = 7 * DAY  # the same for any other event: a rumour may be days old when it is passed on
ONCE_READ = 28 * DAY  # for what was read on the feed: believed for longer, as several people may have said it


class ThreadLog:
    """What is known from the log. open: pressures by id; over: ids of ended ones; born: how many there have been.
    known: event -> what it is as a cause; long_ago: the last event dropped from it. claims: claim made since that holds
    -> event. talks: those under way by id; past: ended ones by the event that ended them. seeks: event -> (pressure,
    whom somebody looked for). sparks: event -> second. where: person -> last place chosen. signs: thread -> second it
    first showed; principals: thread -> the people it is between. clues: event -> matters it gave clues about.

    Of the current day: threads; ended: threads in which a pressure ended; became: event -> claims it began or ended, in
    words; away: events by which somebody was turned away; feed: what was written and read there, and the rules that
    ran.
    """

    def __init__(self, handbook: Handbook) -> None:
        self.handbook = handbook
        self.born = 0
        self.open: dict[str, PressureRecord] = {}
        self.over: set[str] = set()
        self.known: dict[int, PossibleCause] = {}
        self.long_ago = 0
        self.claims: dict[str, int] = {}
        self.talks: dict[str, TalkHeard] = {}
        self.past: dict[int, TalkHeard] = {}
        self.seeks: dict[int, tuple[PressureRecord, str]] = {}
        self.sparks: dict[int, int] = {}
        self.where: dict[str, str] = {}
        self.signs: dict[str, int] = {}
        self.principals: defaultdict[str, set[str]] = defaultdict(set)
        self.clues: dict[int, set[str]] = {}
        self.threads: defaultdict[str, ThreadDay] = defaultdict(ThreadDay)
        self.ended: set[str] = set()
        self.became: defaultdict[int, list[str]] = defaultdict(list)
        self.away: set[int] = set()
        self.feed: dict[int, FeedCause] = {}

    def new_day(self, t: int) -> None:
        """Begin a day at t: clear what belongs to the day before, and drop what is too old to be a cause."""
        self.threads, self.ended = defaultdict(ThreadDay), set()
        self.became = defaultdict(list)
        self.clues = {seq: rest for seq, of in self.clues.items() if (rest := of - self.over)}
        kept = {p.last for p in self.open.values()} | {*self.claims.values()} | self.clues.keys()
        self.long_ago = max((seq for seq, k in self.known.items() if t - k.t >= HEARD), default=self.long_ago)
        self.known = {
            seq: k
            for seq, k in self.known.items()
            if seq in kept or t - k.t < (ONCE_READ if k.place == ON_FEED else HEARD)
        }
        self.feed = {}
        self.past = {seq: talk for seq, talk in self.past.items() if t - talk.t < KEEP}
        self.sparks = {seq: at for seq, at in self.sparks.items() if t - at < KEEP}
        self.seeks, self.away = {}, set()

    def is_sound(self, causes: tuple[int, ...]) -> bool:
        """Whether all these causes are on record, and sound themselves; False without causes."""
        known = self.known
        return bool(causes) and all(c in known and known[c].sound for c in causes)

    def link_feed(self, day: ThreadDay, causes: tuple[int, ...]) -> None:
        """Add today's feed events that are among these causes, directly or through others, to a thread's day."""
        for seq in causes:
            link = self.feed.get(seq)
            if link is not None and seq not in day.who:
                self.link_feed(day, link.causes)
                day.add(seq, link.t, link.who, link.causes, link.acts)

    def note_clues(self, seq: int, rows: Iterable[BeliefUpdate]) -> None:
        """Note the clues an event gave. People combine clues days later; whoever found one, or was told, is a cause
        then, so these events must be kept.
        """
        if of := {row.fact.rpartition("/")[0] for row in rows} - {""}:
            self.clues[seq] = of

    def scene(
        self, p: PressureRecord, found: StoryTurn, at: tuple[int, int], stamp: Stamp, e: Turning, place: str
    ) -> TurnScene:
        """The scene of a turn. at: number and second of the event that stands for the turn; stamp, e: the deed that
        made it.
        """
        seq, t = at
        sign = t - self.signs.get(p.thread, t) >= SIGN
        turn = PressureTurn(seq, t, found.tone, found.how, p.kind, p.thread, self.known[stamp.seq].sound, sign)
        away = not self.away.isdisjoint(stamp.causes)  # from the causes, as events in old saves do not say it
        return TurnScene(turn, p, stamp, e, place or self.where.get(stamp.actor, ""), away)
