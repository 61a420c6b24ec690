"""What is known from the log of pressures, talks and the feed, and the threads of the current day.

Every event that can be part of an incident is noted as a possible cause of later ones, and whether its own causes are
sound.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Event, Stamp
from sandbox.drama.turns import StoryTurn
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.handbook import Handbook
from sandbox.readers.threads import (
    ON_FEED,
    FeedCause,
    PossibleCause,
    PressureRecord,
    PressureTurn,
    TalkHeard,
    ThreadDay,
    TurnScene,
)

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
    words; away: events by which somebody was turned away; outcomes: what occasions decided; feed: what was written and
    read there, and the rules that ran.
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
        self.outcomes: list[tuple[int, str]] = []
        self.feed: dict[int, FeedCause] = {}

    def new_day(self, t: int) -> None:
        """Begin a day at t: clear what belongs to the day before, and drop what is too old to be a cause."""
        self.threads, self.ended, self.outcomes = defaultdict(ThreadDay), set(), []
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
        self, p: PressureRecord, found: StoryTurn, at: tuple[int, int], stamp: Stamp, e: Event, place: str
    ) -> TurnScene:
        """The scene of a turn. at: number and second of the event that stands for the turn; stamp, e: the deed that
        made it.
        """
        seq, t = at
        sign = t - self.signs.get(p.thread, t) >= SIGN
        turn = PressureTurn(seq, t, found.tone, found.how, p.kind, p.thread, self.known[stamp.seq].sound, sign)
        away = not self.away.isdisjoint(stamp.causes)  # from the causes, as events in old saves do not say it
        return TurnScene(turn, p, stamp, e, place or self.where.get(stamp.actor, ""), away)
