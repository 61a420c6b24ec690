"""What the log has told so far of pressures, talks and the feed, and the threads of the day under way.

Every event that an incident may be of is noted here as a possible cause of others, with whether its own causes are
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

SIGN = HOUR  # before a turn that something must have been seen
KEEP = DAY  # for so long a talk or a spark may be named as a cause: what made a day a bad one is the oldest
HEARD = 7 * DAY  # and any other event: what somebody passes on they may have heard days ago
ONCE_READ = 28 * DAY  # and what was read on the feed: it is believed for longer, as more than one may have said it


class ThreadLog:
    """What is known. open: pressures by id; over: ids of those that have ended; born: how many there have been. known:
    event -> what it is as a cause; long_ago: the last event of which nothing is known any more. claims: those made in
    play that stand -> the event. talks: those under way; past: those that ended, by the number of their end. seeks:
    event -> whom one looked for, over which pressure. sparks: event -> second. where: where each has last chosen to be.
    signs: thread -> when it was first to be seen; principals: thread -> whose it is, and about whom. clues: event ->
    the matters of which it taught what shows.

    Of the day: threads; ended: threads of which a pressure ended; became: event -> what is so by it; away: events by
    which somebody was turned away; outcomes: what occasions decided; feed: what was written, read and came of it there.
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
        """Begin a day at t: what was of the day before goes, and what is too long ago to be a cause."""
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
        """Whether all these causes are on record, and sound themselves."""
        known = self.known
        return bool(causes) and all(c in known and known[c].sound for c in causes)

    def link_feed(self, day: ThreadDay, causes: tuple[int, ...]) -> None:
        """Add to a thread's day what was written and read today of which one of its events came."""
        for seq in causes:
            link = self.feed.get(seq)
            if link is not None and seq not in day.who:
                self.link_feed(day, link.causes)
                day.add(seq, link.t, link.who, link.causes, link.acts)

    def note_clues(self, seq: int, rows: Iterable[BeliefUpdate]) -> None:
        """Note what an event taught of what shows of a matter: that is put together days later, and whoever came upon
        it, or was told, is a cause then.
        """
        if of := {row.fact.rpartition("/")[0] for row in rows} - {""}:
            self.clues[seq] = of

    def scene(
        self, p: PressureRecord, found: StoryTurn, at: tuple[int, int], stamp: Stamp, e: Event, place: str
    ) -> TurnScene:
        """The scene of a turn. at: the number and the second of the event that it is told by; stamp, e: the deed that
        made it.
        """
        seq, t = at
        sign = t - self.signs.get(p.thread, t) >= SIGN
        turn = PressureTurn(seq, t, found.tone, found.how, p.kind, p.thread, self.known[stamp.seq].sound, sign)
        away = not self.away.isdisjoint(stamp.causes)  # also in saves of old, whose events do not say it
        return TurnScene(turn, p, stamp, e, place or self.where.get(stamp.actor, ""), away)
