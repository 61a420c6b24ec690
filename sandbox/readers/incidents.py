"""Incidents: happenings in town worth telling, found in the log by following causes. One pass, a day at a time.

The events of a thread on a day are an incident if at least three of them are linked by cause, two or more people act
in them, and one is a turn (drama/turns.py). Needs names, hours and the drama deck, not the world's state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sandbox.core.clock import DAY, HOUR, Clock
from sandbox.core.events import Event, Record, Stamp
from sandbox.drama.outcomes import Decided
from sandbox.drama.taking_sides import SHOWDOWN, Showdown
from sandbox.drama.turns import GOOD, NEUTRAL, SECRET, WEIGHT, StoryTurn, find_turn, quarrel
from sandbox.people.beliefs import people_named, rows_of
from sandbox.people.claim_model import Broken, ClaimEvent, Made
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned, GoalPursued
from sandbox.people.handbook import Handbook
from sandbox.people.pressure_deck import child_of
from sandbox.people.pressure_model import Began, Ended, Sought, Stirred
from sandbox.readers import thread_talks
from sandbox.readers.all_stories import STORIES, events_where
from sandbox.readers.stories_of_claims import news_of
from sandbox.readers.threads import (
    BornScene,
    DayFacts,
    Incident,
    PossibleCause,
    PressureRecord,
    ThreadDay,
    ThreadDeed,
    ThreadLog,
    TurnScene,
)
from sandbox.readers.turn_words import born_of, born_sentences, claim_news, join_sentences, turn_news

SEEK = 2 * HOUR  # seconds after which a search counts as vain


def _began(log: ThreadLog, stamp: Stamp, e: Began) -> None:
    seq, t = stamp.seq, stamp.t
    p = log.open[e.id] = PressureRecord(stamp, e)
    log.born += 1
    log.principals[e.thread] |= {stamp.actor, e.about}
    day = log.threads[e.thread]
    log.link_feed(day, stamp.causes)
    for cause in stamp.causes:
        talk = log.past.get(cause)
        known = log.known.get(cause)
        if talk is not None and known is not None:  # a talk that was about no pressure has started one
            day.add(talk.seq, talk.t, talk.who)
            day.add(cause, known.t, talk.who, (talk.seq,))
        elif known is not None:
            day.add(cause, known.t, ())
            if cause in day.who:
                day.born.setdefault(cause, []).append(p)
    if stamp.causes:
        drawn = {who for cause in stamp.causes for who in (log.known[cause].people if cause in log.known else ())}
        mercy = child_of(e.id) == log.handbook.drama.mercy  # whoever wants to be kind had no part in the cause
        before_all = any(log.known[cause].before_all for cause in stamp.causes if cause in log.known)
        concerned = {e.about} if mercy or before_all else {stamp.actor, e.about}
        sound = log.is_sound(stamp.causes) and concerned <= drawn
        day.add(seq, t, (stamp.actor,), stamp.causes)
    else:
        sound = not e.parent
        day.add(seq, t, ())
    log.known[seq] = PossibleCause(t, sound, (stamp.actor, e.about))
    if e.stage or any(cause in log.sparks for cause in stamp.causes):
        log.signs.setdefault(e.thread, t)


def _touched(log: ThreadLog, stamp: Stamp, e: Stirred | Ended) -> None:
    p = log.open.get(e.id)
    if p is None:
        return
    seq, t = stamp.seq, stamp.t
    day = log.threads[p.thread]
    answered = e.answer and e.to
    log.link_feed(day, stamp.causes)
    day.add(seq, t, (stamp.actor, e.to) if answered else (stamp.actor,), stamp.causes)
    if answered:
        two = min(stamp.actor, e.to), max(stamp.actor, e.to)
        day.deeds[seq] = ThreadDeed(e.done, two, {*two} <= log.principals[p.thread])
    learns = stamp.actor in {row.who for row in e.learned}  # the actor learns of the matter by this very event
    sound = (stamp.actor in p.knowers or learns) and log.is_sound(stamp.causes)
    place = next((k.place for c in stamp.causes if (k := log.known.get(c)) and k.place), "")
    others = (stamp.actor, e.to, p.holder, p.about, *people_named(e.learned), *(x.who for x in e.learned))
    people = tuple(dict.fromkeys(who for who in others if who))
    log.known[seq] = PossibleCause(t, sound, people)
    log.note_clues(seq, e.learned)
    p.last, p.touched = seq, t
    found, at = find_turn(e, p.kind, p.about), (seq, t)
    seek = p.seek
    if answered and seek is not None and e.to == seek[2] and stamp.actor == p.holder:
        p.seek = None
        if found is None and t - seek[1] < SEEK and seek[0] in day.who:
            found, at = StoryTurn(NEUTRAL, "planned"), seek[:2]
    if found is not None:
        day.scenes.append(log.scene(p, found, at, stamp, e, place))
    how = quarrel(e, p.kind)
    if how:
        day.quarrels[seq] = how
    log.signs.setdefault(p.thread, t)
    if isinstance(e, Stirred):
        p.knowers.update(e.told)
    else:
        del log.open[e.id]
        log.over.add(e.id)
        log.ended.add(p.thread)


def _sought(log: ThreadLog, stamp: Stamp, e: Sought) -> None:
    p = log.open.get(e.id)
    if p is None:
        return
    log.threads[p.thread].add(stamp.seq, stamp.t, (stamp.actor,), stamp.causes)
    log.known[stamp.seq] = PossibleCause(stamp.t, log.is_sound(stamp.causes), (stamp.actor, e.whom))
    log.seeks[stamp.seq] = (p, e.whom)
    log.signs.setdefault(p.thread, stamp.t)


def _goal(log: ThreadLog, stamp: Stamp, e: GoalPlanned | GoalPursued | GoalAdvanced) -> None:
    """A goal was planned, pursued or advanced; such a pressure may rest for days."""
    p = log.open.get(e.id)
    if p is None:
        return
    log.threads[p.thread].add(stamp.seq, stamp.t, (stamp.actor,), stamp.causes)
    whom = e.whom if isinstance(e, GoalAdvanced) else ""
    people = tuple(x for x in (stamp.actor, whom, p.about) if x)
    log.known[stamp.seq] = PossibleCause(stamp.t, log.is_sound(stamp.causes), people)
    p.last, p.touched, p.rests = stamp.seq, stamp.t, True


def _from_outside(log: ThreadLog, stamp: Stamp, e: Event) -> None:
    """Something that needs no cause: others may come of it."""
    outside = STORIES[type(e)].outside
    assert outside is not None
    x = outside(e, stamp)
    people = log.handbook.cast if x.people is None else [who for who in x.people if who]
    others = (who for c in stamp.causes if x.passes and (k := log.known.get(c)) for who in k.people)
    log.known[stamp.seq] = PossibleCause(stamp.t, True, tuple(dict.fromkeys((*people, *others))))
    if x.seen:
        log.sparks[stamp.seq] = stamp.t
    log.note_clues(stamp.seq, rows_of(e))


def _decided(log: ThreadLog, stamp: Stamp, e: Decided) -> None:
    log.known[stamp.seq] = PossibleCause(stamp.t, True, tuple(p.who for p in e.parts))


def _shown(log: ThreadLog, stamp: Stamp, e: Showdown) -> None:
    p = log.open.get(e.id)
    if p is None:
        return
    day, who = log.threads[p.thread], e.speakers
    day.add(stamp.seq, stamp.t, who, stamp.causes, len(e.turns))
    day.deeds[stamp.seq] = ThreadDeed(SHOWDOWN, tuple(sorted(who)), True)
    log.principals[p.thread].update(who)
    log.known[stamp.seq] = PossibleCause(stamp.t, log.is_sound(stamp.causes), (*who, *e.there), e.where)
    log.signs.setdefault(p.thread, stamp.t)


def _made(log: ThreadLog, stamp: Stamp, e: ClaimEvent) -> None:
    log.known[stamp.seq] = PossibleCause(stamp.t, log.is_sound(stamp.causes), tuple(x for x in (e.a, e.b) if x))
    log.claims[e.id] = stamp.seq
    bound = isinstance(e, Made) and log.handbook.claims.kinds[e.kind].mutual  # the ending of its pressure says so
    if not bound and news_of(log.handbook, e):
        log.became[stamp.causes[0] if stamp.causes else 0].append(claim_news(log.handbook, e))


def _broken(log: ThreadLog, stamp: Stamp, e: ClaimEvent) -> None:
    _made(log, stamp, e)
    del log.claims[e.id]


LINKED, ACTING = 3, 2  # least number of events, and of people, in an incident
UNTOUCHED = 48 * HOUR  # seconds without an event after which an open pressure counts as neglected
FOLDS: dict[type[Event], Callable[[ThreadLog, Stamp, Any], None]] = {
    Began: _began,
    Stirred: _touched,
    Ended: _touched,
    Sought: _sought,
    Decided: _decided,
    Showdown: _shown,
    Made: _made,
    Broken: _broken,
    GoalPlanned: _goal,
    GoalPursued: _goal,
    GoalAdvanced: _goal,
    **thread_talks.FOLDS,
    **dict.fromkeys(events_where(lambda story: story.outside), _from_outside),
}
KINDS = tuple(e.KIND for e in FOLDS)


class Incidents:
    """Finds incidents. `read` takes records in order; `of` gives any day. day: the current one, 0 = none yet."""

    def __init__(self, handbook: Handbook, clock: Clock) -> None:
        self._handbook, self._clock = handbook, clock
        self.day = 0
        self._now, self._dawn = 0, -DAY
        self._log = ThreadLog(handbook)
        self._done: dict[int, DayFacts] = {}

    @property
    def born(self) -> int:
        """How many pressures there have been so far."""
        return self._log.born

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for stamp, event in records:
            fold = FOLDS.get(type(event))
            if fold is not None:
                if stamp.t >= self._dawn:
                    self._new_day(stamp.t)
                self._now = stamp.t
                fold(self._log, stamp, event)

    def days(self) -> tuple[int, ...]:
        """The days read so far, including the current one."""
        return (*self._done, self.day) if self.day else ()

    def of(self, day: int) -> DayFacts:
        """What happened on a day; on the current one, so far."""
        return self._facts(self._now) if day == self.day else self._done.get(day, DayFacts())

    def _new_day(self, t: int) -> None:
        if self.day:
            self._done[self.day] = self._facts(self._dawn)
        self.day = self._clock.day(t)
        self._dawn = self._clock.midnight(self.day + 1)
        self._log.new_day(t)

    def _facts(self, now: int) -> DayFacts:
        found = [i for thread, day in self._log.threads.items() if (i := self._incident(thread, day)) is not None]
        turns = [scene.turn for day in self._log.threads.values() for scene in day.scenes]
        return DayFacts(
            tuple(sorted(found, key=lambda i: (i.t, i.events))),
            tuple(sorted(turns, key=lambda x: (x.t, x.seq))),
            sum(len(day.quarrels) for day in self._log.threads.values()),
            frozenset(self._log.ended - {p.thread for p in self._log.open.values()}),
            len(self._log.open),
            sum(now - p.touched >= UNTOUCHED and p.kind != SECRET and not p.rests for p in self._log.open.values()),
            tuple(
                BornScene(scene, tuple(day.born.get(scene.stamp.seq, ())))
                for day in self._log.threads.values()
                for scene in day.scenes
            ),
        )

    def _incident(self, thread: str, day: ThreadDay) -> Incident | None:
        """The linked groups of a thread's events that contain a turn, as one incident; None if they are too few."""
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
            self._says(top, tuple(day.born.get(top.stamp.seq, ()))),
        )

    def _says(self, top: TurnScene, born: tuple[PressureRecord, ...]) -> str:
        """A turn in sentences: what happened, which claims began or ended by it, which pressures began."""
        book = self._handbook
        began, e = born_sentences(book, born_of([BornScene(top, born)])), top.event
        called = e.why.partition("; ")[0] if isinstance(e, Ended) and e.by == SHOWDOWN else ""
        return join_sentences([called, turn_news(book, top), *self._log.became[top.stamp.seq], *began])
