"""Incidents: what happened in town that can be told, found in the log by following causes. One pass, a day at a time.

The events of a thread on a day are an incident if at least three of them are linked by cause, two or more people act
in them, and one is a turn (drama/turns.py). Needs names, hours and the drama deck, and nothing of the state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sandbox.core.clock import DAY, HOUR, Clock
from sandbox.core.events import Event, Record, Stamp
from sandbox.director.model import CardPlayed, CardReached
from sandbox.drama.outcomes import Decided
from sandbox.drama.showdown import SHOWDOWN, Showdown
from sandbox.drama.turns import GOOD, NEUTRAL, SECRET, WEIGHT, StoryTurn, find_turn, quarrel
from sandbox.feed.events import Browsed, Commented, Connected, Deleted, Messaged, Posted, Quoted, Reacted, Reposted
from sandbox.feed.events import Deed as FeedDeed
from sandbox.feed.packing import CrowdActed
from sandbox.people.beliefs import BeliefUpdate, people_named
from sandbox.people.claim_model import Broken, ClaimEvent, Made
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned, GoalPursued
from sandbox.people.handbook import Handbook
from sandbox.people.model import Chose, Planned
from sandbox.people.paying import Lacked
from sandbox.people.pressure_deck import child_of
from sandbox.people.pressure_model import Began, Ended, Sought, Sparked, Stirred
from sandbox.phones.model import Crossed, Read, Wrote
from sandbox.readers.sentences import incident_slots
from sandbox.readers.stories_of_claims import news_of
from sandbox.readers.threads import (
    ON_FEED,
    DayFacts,
    FeedCause,
    Incident,
    PossibleCause,
    PressureRecord,
    PressureTurn,
    TalkHeard,
    ThreadDay,
    ThreadDeed,
    TurnScene,
)
from sandbox.talk.model import Closed, Declined, Exchanged, Opened
from sandbox.town.calendar import OccasionCalled
from sandbox.town.conditions import ConditionBegan

LINKED, ACTING = 3, 2  # events and people that an incident has at least
SIGN = HOUR  # before a turn that something must have been seen
SEEK = 2 * HOUR  # after which a search has come to nothing
UNTOUCHED = 48 * HOUR
KEEP = DAY  # for so long a talk or a spark may be named as a cause: what made a day a bad one is the oldest
HEARD = 7 * DAY  # and any other event: what somebody passes on they may have heard days ago
ONCE_READ = 28 * DAY  # and what was read on the feed: it is believed for longer, as more than one may have said it
ACTS = (Posted, Quoted, Commented, Messaged, Reposted, Reacted, Connected, Deleted, Browsed)  # on the feed


class Incidents:
    """The reader. `read` takes records in order; `of` gives a day, at any time. born: pressures so far."""

    def __init__(self, handbook: Handbook, clock: Clock) -> None:
        self._handbook, self._clock = handbook, clock
        self.day = self.born = 0
        self._now, self._dawn = 0, -DAY
        self._open: dict[str, PressureRecord] = {}
        self._known: dict[int, PossibleCause] = {}
        self._over: set[str] = set()  # pressures that have ended
        self._claims: dict[str, int] = {}  # those made in play that stand -> the event
        self._became: defaultdict[int, list[str]] = defaultdict(list)  # event of the day -> what is so by it
        self._talks: dict[str, TalkHeard] = {}
        self._past: dict[int, TalkHeard] = {}  # talks that ended, by the number of their end
        self._seeks: dict[int, tuple[PressureRecord, str]] = {}
        self._away: set[int] = set()  # events of the day by which somebody was turned away
        self._sparks: dict[int, int] = {}  # number -> second
        self._where: dict[str, str] = {}
        self._signs: dict[str, int] = {}  # thread -> when it was first to be seen
        self._principals: defaultdict[str, set[str]] = defaultdict(set)  # thread -> whose it is, and about whom
        self._threads: defaultdict[str, ThreadDay] = defaultdict(ThreadDay)
        self._ended: set[str] = set()
        self._clues: dict[int, set[str]] = {}  # event -> the matters of which it taught what shows
        self._outcomes: list[tuple[int, str]] = []
        self._feed: dict[int, FeedCause] = {}  # what was written, read and came of it on the feed today
        self._long_ago = 0  # the last event of which nothing is known any more
        self._done: dict[int, DayFacts] = {}

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for stamp, event in records:
            found = FOLD.get(type(event))
            if found is not None:
                if stamp.t >= self._dawn:
                    self._new_day(stamp.t)
                self._now = stamp.t
                found(self, stamp, event)

    def days(self) -> tuple[int, ...]:
        """The days read so far, with the one under way."""
        return (*self._done, self.day) if self.day else ()

    def of(self, day: int) -> DayFacts:
        """What a day came to; of the one under way, what it has come to so far."""
        return self._facts(self._now) if day == self.day else self._done.get(day, DayFacts())

    # ---- days

    def _new_day(self, t: int) -> None:
        if self.day:
            self._done[self.day] = self._facts(self._dawn)
        self.day = self._clock.day(t)
        self._dawn = self._clock.midnight(self.day + 1)
        self._threads, self._ended, self._outcomes = defaultdict(ThreadDay), set(), []
        self._became = defaultdict(list)
        self._clues = {seq: rest for seq, of in self._clues.items() if (rest := of - self._over)}
        kept = {p.last for p in self._open.values()} | {*self._claims.values()} | self._clues.keys()
        self._long_ago = max((seq for seq, k in self._known.items() if t - k.t >= HEARD), default=self._long_ago)
        self._known = {
            seq: k
            for seq, k in self._known.items()
            if seq in kept or t - k.t < (ONCE_READ if k.place == ON_FEED else HEARD)
        }
        self._feed = {}
        self._past = {seq: talk for seq, talk in self._past.items() if t - talk.t < KEEP}
        self._sparks = {seq: at for seq, at in self._sparks.items() if t - at < KEEP}
        self._seeks, self._away = {}, set()

    def _facts(self, now: int) -> DayFacts:
        found = [i for thread, day in self._threads.items() if (i := self._incident(thread, day)) is not None]
        turns = [scene.turn for day in self._threads.values() for scene in day.scenes]
        return DayFacts(
            tuple(sorted(found, key=lambda i: (i.t, i.events))),
            tuple(sorted(turns, key=lambda x: (x.t, x.seq))),
            sum(len(day.quarrels) for day in self._threads.values()),
            frozenset(self._ended - {p.thread for p in self._open.values()}),
            len(self._open),
            sum(now - p.touched >= UNTOUCHED and p.kind != SECRET and not p.rests for p in self._open.values()),
            tuple(self._outcomes),
        )

    def _incident(self, thread: str, day: ThreadDay) -> Incident | None:
        """The groups of events that turned, as one incident."""
        if not day.scenes:
            return None
        turned = {scene.turn.seq for scene in day.scenes}
        groups = [group for group in day.linked() if day.done(group) >= LINKED and turned & set(group)]
        events = tuple(sorted(seq for group in groups for seq in group))
        people = tuple(dict.fromkeys(who for seq in events for who in day.who[seq]))
        if len(people) < ACTING:
            return None
        scenes = [scene for scene in day.scenes if scene.turn.seq in events]
        top = max(scenes, key=lambda s: (WEIGHT[s.turn.how], s.turn.t, s.turn.seq))
        p = top.matter
        quarrels = [day.quarrels[seq] for seq in events if seq in day.quarrels]
        when = [day.when[seq] for seq in events]
        turns = tuple(sorted((s.turn for s in scenes), key=lambda x: (x.t, x.seq)))
        return Incident(
            self.day,
            thread,
            p.kind,
            (p.holder, p.about),
            tuple(dict.fromkeys(day.deeds[seq] for seq in events if seq in day.deeds)),
            people,
            events,
            turns,
            top.turn.t,
            top.turn.tone == GOOD,
            day.quarrels.get(top.turn.seq) or (quarrels[-1] if quarrels else ""),
            min(when),
            max(when),
            all(x.complete for x in turns),
            top.turn.sign,
            incident_slots(
                top, day.born.get(top.stamp.seq, ()), self._became[top.stamp.seq], self._handbook, self._clock
            ),
        )

    # ---- pressures

    def _began(self, stamp: Stamp, e: Began) -> None:
        seq, t = stamp.seq, stamp.t
        p = self._open[e.id] = PressureRecord(stamp, e)
        self.born += 1
        self._principals[e.thread] |= {stamp.actor, e.about}
        day = self._threads[e.thread]
        self._on_feed(day, stamp.causes)
        for cause in stamp.causes:
            talk = self._past.get(cause)
            known = self._known.get(cause)
            if talk is not None and known is not None:  # what was only a talk has come to matter
                day.add(talk.seq, talk.t, talk.who)
                day.add(cause, known.t, talk.who, (talk.seq,))
            elif known is not None:
                day.add(cause, known.t, ())
                if cause in day.who:
                    day.born.setdefault(cause, []).append(p)
        if stamp.causes:
            drawn = {
                who for cause in stamp.causes for who in (self._known[cause].people if cause in self._known else ())
            }
            mercy = child_of(e.id) == self._handbook.drama.mercy  # whoever comes to be kind had no part in it
            before_all = any(self._known[cause].before_all for cause in stamp.causes if cause in self._known)
            concerned = {e.about} if mercy or before_all else {stamp.actor, e.about}
            sound = self._sound(stamp.causes) and concerned <= drawn
            day.add(seq, t, (stamp.actor,), stamp.causes)
        else:
            sound = not e.parent
            day.add(seq, t, ())
        self._known[seq] = PossibleCause(t, sound, (stamp.actor, e.about))
        if e.stage or any(cause in self._sparks for cause in stamp.causes):
            self._signs.setdefault(e.thread, t)

    def _touched(self, stamp: Stamp, e: Stirred | Ended) -> None:
        p = self._open.get(e.id)
        if p is None:
            return
        seq, t = stamp.seq, stamp.t
        day = self._threads[p.thread]
        answered = e.answer and e.to
        self._on_feed(day, stamp.causes)
        day.add(seq, t, (stamp.actor, e.to) if answered else (stamp.actor,), stamp.causes)
        if answered:
            do, two = e.done, (min(stamp.actor, e.to), max(stamp.actor, e.to))
            day.deeds[seq] = ThreadDeed(do, two, {*two} <= self._principals[p.thread])
        learns = stamp.actor in {row.who for row in e.learned}  # of it, by this very event
        sound = (stamp.actor in p.knowers or learns) and self._sound(stamp.causes)
        place = next((k.place for c in stamp.causes if (k := self._known.get(c)) and k.place), "")
        others = (stamp.actor, e.to, p.holder, p.about, *people_named(e.learned), *(x.who for x in e.learned))
        people = tuple(dict.fromkeys(who for who in others if who))
        self._known[seq] = PossibleCause(t, sound, people)
        self._teaches(seq, e.learned)
        p.last, p.touched = seq, t
        found, at = find_turn(e, p.kind, p.about), (seq, t)
        seek = p.seek
        if answered and seek is not None and e.to == seek[2] and stamp.actor == p.holder:
            p.seek = None
            if found is None and t - seek[1] < SEEK and seek[0] in day.who:
                found, at = StoryTurn(NEUTRAL, "planned"), seek[:2]
        if found is not None:
            day.scenes.append(self._scene(p, found, at, stamp, e, place))
        how = quarrel(e, p.kind)
        if how:
            day.quarrels[seq] = how
        self._signs.setdefault(p.thread, t)
        if isinstance(e, Stirred):
            p.knowers.update(e.told)
        else:
            del self._open[e.id]
            self._over.add(e.id)
            self._ended.add(p.thread)

    def _teaches(self, seq: int, rows: Iterable[BeliefUpdate]) -> None:
        """What shows of a matter is put together days later: who came upon it, or was told, is a cause then."""
        if of := {row.fact.rpartition("/")[0] for row in rows} - {""}:
            self._clues[seq] = of

    def _scene(
        self, p: PressureRecord, found: StoryTurn, at: tuple[int, int], stamp: Stamp, e: Event, place: str
    ) -> TurnScene:
        seq, t = at
        sign = t - self._signs.get(p.thread, t) >= SIGN
        turn = PressureTurn(seq, t, found.tone, found.how, p.kind, p.thread, self._known[stamp.seq].sound, sign)
        away = not self._away.isdisjoint(stamp.causes)  # also in saves of old, whose events do not say it
        return TurnScene(turn, p, stamp, e, place or self._where.get(stamp.actor, ""), away)

    def _sought(self, stamp: Stamp, e: Sought) -> None:
        p = self._open.get(e.id)
        if p is None:
            return
        self._threads[p.thread].add(stamp.seq, stamp.t, (stamp.actor,), stamp.causes)
        self._known[stamp.seq] = PossibleCause(stamp.t, self._sound(stamp.causes), (stamp.actor, e.whom))
        self._seeks[stamp.seq] = (p, e.whom)
        self._signs.setdefault(p.thread, stamp.t)

    def _goal(self, stamp: Stamp, e: GoalPlanned | GoalPursued | GoalAdvanced) -> None:
        """What is wanted for days is planned, and may rest meanwhile."""
        p = self._open.get(e.id)
        if p is None:
            return
        self._threads[p.thread].add(stamp.seq, stamp.t, (stamp.actor,), stamp.causes)
        whom = e.whom if isinstance(e, GoalAdvanced) else ""
        people = tuple(x for x in (stamp.actor, whom, p.about) if x)
        self._known[stamp.seq] = PossibleCause(stamp.t, self._sound(stamp.causes), people)
        p.last, p.touched, p.rests = stamp.seq, stamp.t, True

    def _sparked(self, stamp: Stamp, e: Sparked) -> None:
        self._known[stamp.seq] = PossibleCause(stamp.t, True, tuple(e.roles.values()))
        self._sparks[stamp.seq] = stamp.t

    def _dealt(self, stamp: Stamp, e: CardPlayed | ConditionBegan | OccasionCalled) -> None:
        """What comes from outside needs no cause, and whoever is there has to do with it."""
        self._known[stamp.seq] = PossibleCause(stamp.t, True, tuple(self._handbook.cast))
        self._sparks[stamp.seq] = stamp.t

    def _came(self, stamp: Stamp, e: CardReached) -> None:
        people = [who for who in (stamp.actor, e.about, e.loser, *people_named(e.told)) if who]
        others = (who for c in stamp.causes if (k := self._known.get(c)) for who in k.people)
        self._known[stamp.seq] = PossibleCause(stamp.t, True, tuple(dict.fromkeys((*people, *others))))
        self._sparks[stamp.seq] = stamp.t
        self._teaches(stamp.seq, e.told)

    def _lacked(self, stamp: Stamp, e: Lacked) -> None:
        self._known[stamp.seq] = PossibleCause(stamp.t, True, (stamp.actor, e.seen))

    def _decided(self, stamp: Stamp, e: Decided) -> None:
        self._known[stamp.seq] = PossibleCause(stamp.t, True, tuple(p.who for p in e.parts))
        self._outcomes.append((stamp.t, e.says.removesuffix(".")))

    def _shown(self, stamp: Stamp, e: Showdown) -> None:
        p = self._open.get(e.id)
        if p is None:
            return
        day, who = self._threads[p.thread], e.speakers
        day.add(stamp.seq, stamp.t, who, stamp.causes, len(e.turns))
        day.deeds[stamp.seq] = ThreadDeed(SHOWDOWN, tuple(sorted(who)), True)
        self._principals[p.thread].update(who)
        self._known[stamp.seq] = PossibleCause(stamp.t, self._sound(stamp.causes), (*who, *e.there), e.where)
        self._signs.setdefault(p.thread, stamp.t)

    def _made(self, stamp: Stamp, e: ClaimEvent) -> None:
        self._known[stamp.seq] = PossibleCause(stamp.t, self._sound(stamp.causes), tuple(x for x in (e.a, e.b) if x))
        self._claims[e.id] = stamp.seq
        bound = isinstance(e, Made) and self._handbook.claims.kinds[e.kind].mutual  # the ending itself says so
        if not bound and (news := news_of(self._handbook, e)):
            self._became[stamp.causes[0] if stamp.causes else 0].append(news)

    def _broken(self, stamp: Stamp, e: ClaimEvent) -> None:
        self._made(stamp, e)
        del self._claims[e.id]

    # ---- the feed

    def _acted(self, stamp: Stamp, e: FeedDeed) -> None:
        """What somebody does there is an act of theirs; what it came of counts as far as it belongs to a thread."""
        sound = all(self._known[c].sound for c in stamp.causes if c in self._known)
        self._known[stamp.seq] = PossibleCause(stamp.t, sound, (stamp.actor,), ON_FEED)
        if isinstance(e, Posted | Quoted | Messaged | Connected):
            self._feed[stamp.seq] = FeedCause(stamp.t, (stamp.actor,), stamp.causes, 1)

    def _crowd(self, stamp: Stamp, e: CrowdActed) -> None:
        """What strangers do comes of nobody in town, and nobody in town is in it."""
        self._known[stamp.seq] = PossibleCause(stamp.t, True, (), ON_FEED)

    def _wrote(self, stamp: Stamp, e: Wrote) -> None:
        p = self._open.get(e.matter)
        of_matter = (p.holder, p.about) if p is not None else ()
        people = tuple(x for x in (stamp.actor, e.whom, e.a, e.b, *of_matter) if x)
        self._known[stamp.seq] = PossibleCause(stamp.t, self._sound(stamp.causes), people, ON_FEED)
        self._feed[stamp.seq] = FeedCause(stamp.t, (), stamp.causes, 0)
        if p is not None and e.kind != "comment":
            day = self._threads[p.thread]
            if stamp.actor not in of_matter and not e.rule:  # as with talk, to pass on what is said is no deed in it
                self._feed |= {c: FeedCause(stamp.t, (), x.causes, 0) for c in stamp.causes if (x := self._feed.get(c))}
            self._on_feed(day, stamp.causes)
            day.add(stamp.seq, stamp.t, (), stamp.causes, 0)
            p.touched = stamp.t
            self._signs.setdefault(p.thread, stamp.t)

    def _read(self, stamp: Stamp, e: Read) -> None:
        of = (x for c in stamp.causes if c in self._known for x in self._known[c].people)
        rows = (x for row in e.told for x in (row.who, row.a, row.b))
        people = tuple(dict.fromkeys(x for x in (stamp.actor, e.by, e.meant, *of, *rows) if x))
        self._known[stamp.seq] = PossibleCause(stamp.t, self._sound(stamp.causes), people, ON_FEED)
        self._feed[stamp.seq] = FeedCause(stamp.t, (), stamp.causes, 0)
        self._teaches(stamp.seq, e.told)

    def _crossed(self, stamp: Stamp, e: Crossed) -> None:
        of = (x for c in stamp.causes if c in self._known for x in self._known[c].people)
        people = tuple(dict.fromkeys(x for x in (stamp.actor, e.whom, *of) if x))
        sound = bool(stamp.causes) and all(
            c <= self._long_ago or (c in self._known and self._known[c].sound) for c in stamp.causes
        )
        self._known[stamp.seq] = PossibleCause(stamp.t, sound, people, ON_FEED, e.pile is not None)
        self._feed[stamp.seq] = FeedCause(
            stamp.t, (), stamp.causes, int(e.way == "street")
        )  # else the post is what is done

    def _on_feed(self, day: ThreadDay, causes: tuple[int, ...]) -> None:
        """What was written and read today of which an event of a thread came belongs to it, too."""
        for seq in causes:
            link = self._feed.get(seq)
            if link is not None and seq not in day.who:
                self._on_feed(day, link.causes)
                day.add(seq, link.t, link.who, link.causes, link.acts)

    # ---- talk, plans, places

    def _opened(self, stamp: Stamp, e: Opened) -> None:
        talk = self._talks[e.id] = TalkHeard(stamp, e)
        p = self._open.get(e.aim)
        self._known[stamp.seq] = PossibleCause(
            stamp.t, not e.aim or (p is not None and self._sound(stamp.causes)), talk.who
        )
        if p is not None:
            talk.matter = p
            self._on_feed(self._threads[p.thread], stamp.causes)
            self._threads[p.thread].add(stamp.seq, stamp.t, talk.who, stamp.causes)

    def _declined(self, stamp: Stamp, e: Declined) -> None:
        p = self._open.get(e.aim)
        if p is not None:
            who = (e.other, stamp.actor)
            self._away.add(stamp.seq)
            self._known[stamp.seq] = PossibleCause(stamp.t, True, who, self._where.get(stamp.actor, ""))
            self._threads[p.thread].add(stamp.seq, stamp.t, who, stamp.causes)

    def _exchanged(self, stamp: Stamp, e: Exchanged) -> None:
        p, talk = self._open.get(e.aim), self._talks.get(e.talk)
        if talk is None or (p is None and not e.told):
            return
        self._known[stamp.seq] = PossibleCause(
            stamp.t, self._sound(stamp.causes), (*talk.who, *people_named(e.told)), talk.place
        )
        self._teaches(stamp.seq, e.told)
        if p is None:
            return
        talk.matter = p
        day = self._threads[p.thread]
        self._on_feed(day, stamp.causes)
        day.add(talk.seq, talk.t, talk.who)
        day.add(stamp.seq, stamp.t, talk.who, stamp.causes)

    def _closed(self, stamp: Stamp, e: Closed) -> None:
        talk = self._talks.pop(e.talk, None)
        if talk is None:
            return
        self._past[stamp.seq] = talk
        self._known[stamp.seq] = PossibleCause(stamp.t, self._sound(stamp.causes), talk.who, talk.place)
        p = talk.matter
        if p is not None:
            day = self._threads[p.thread]
            day.add(stamp.seq, stamp.t, talk.who, stamp.causes)
            found = find_turn(e, p.kind, p.about)
            if found is not None:
                day.scenes.append(self._scene(p, found, (stamp.seq, stamp.t), stamp, e, talk.place))

    def _planned(self, stamp: Stamp, e: Planned) -> None:
        for cause in stamp.causes:
            found = self._seeks.pop(cause, None)
            if found is not None:
                p, whom = found
                p.seek = (stamp.seq, stamp.t, whom)
                self._threads[p.thread].add(stamp.seq, stamp.t, (stamp.actor,), stamp.causes)

    def _chose(self, stamp: Stamp, e: Chose) -> None:
        self._where[stamp.actor] = e.where

    def _sound(self, causes: tuple[int, ...]) -> bool:
        """Whether all these causes are on record, and sound themselves."""
        known = self._known
        return bool(causes) and all(c in known and known[c].sound for c in causes)


# What each event that belongs to incidents does to them.
FOLD: Mapping[type[Event], Callable[[Incidents, Stamp, Any], None]] = {
    Began: Incidents._began,
    Stirred: Incidents._touched,
    Ended: Incidents._touched,
    Sought: Incidents._sought,
    Sparked: Incidents._sparked,
    CardPlayed: Incidents._dealt,
    CardReached: Incidents._came,
    ConditionBegan: Incidents._dealt,
    OccasionCalled: Incidents._dealt,
    Lacked: Incidents._lacked,
    Decided: Incidents._decided,
    Showdown: Incidents._shown,
    Opened: Incidents._opened,
    Declined: Incidents._declined,
    Exchanged: Incidents._exchanged,
    Closed: Incidents._closed,
    Planned: Incidents._planned,
    Chose: Incidents._chose,
    Made: Incidents._made,
    Broken: Incidents._broken,
    GoalPlanned: Incidents._goal,
    GoalPursued: Incidents._goal,
    GoalAdvanced: Incidents._goal,
    **dict.fromkeys(ACTS, Incidents._acted),
    CrowdActed: Incidents._crowd,
    Wrote: Incidents._wrote,
    Read: Incidents._read,
    Crossed: Incidents._crossed,
}
KINDS = tuple(e.KIND for e in FOLD)
