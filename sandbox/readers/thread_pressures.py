"""How pressures extend the threads of a day: when they begin, stir, end, are sought or planned for; also claims, cards
and sparks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Stamp
from sandbox.director.model import CardPlayed, CardReached
from sandbox.drama.outcomes import Decided
from sandbox.drama.taking_sides import SHOWDOWN, Showdown
from sandbox.drama.turns import NEUTRAL, StoryTurn, find_turn, quarrel
from sandbox.people.beliefs import people_named
from sandbox.people.claim_model import Broken, ClaimEvent, Made
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned, GoalPursued
from sandbox.people.paying import Lacked
from sandbox.people.pressure_deck import child_of
from sandbox.people.pressure_model import Began, Ended, Sought, Sparked, Stirred
from sandbox.readers.stories_of_claims import news_of
from sandbox.readers.thread_log import ThreadLog
from sandbox.readers.threads import PossibleCause, PressureRecord, ThreadDeed
from sandbox.town.calendar import OccasionCalled
from sandbox.town.conditions import ConditionBegan

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
        do, two = e.how if isinstance(e, Stirred) else e.by, (min(stamp.actor, e.to), max(stamp.actor, e.to))
        day.deeds[seq] = ThreadDeed(do, two, {*two} <= log.principals[p.thread])
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


def _sparked(log: ThreadLog, stamp: Stamp, e: Sparked) -> None:
    log.known[stamp.seq] = PossibleCause(stamp.t, True, tuple(e.roles.values()))
    log.sparks[stamp.seq] = stamp.t


def _dealt(log: ThreadLog, stamp: Stamp, e: CardPlayed | ConditionBegan | OccasionCalled) -> None:
    """Something from outside: it needs no cause, and anybody may be drawn in."""
    log.known[stamp.seq] = PossibleCause(stamp.t, True, tuple(log.handbook.cast))
    log.sparks[stamp.seq] = stamp.t


def _came(log: ThreadLog, stamp: Stamp, e: CardReached) -> None:
    people = [who for who in (stamp.actor, e.about, e.loser, *people_named(e.told)) if who]
    others = (who for c in stamp.causes if (k := log.known.get(c)) for who in k.people)
    log.known[stamp.seq] = PossibleCause(stamp.t, True, tuple(dict.fromkeys((*people, *others))))
    log.sparks[stamp.seq] = stamp.t
    log.note_clues(stamp.seq, e.told)


def _lacked(log: ThreadLog, stamp: Stamp, e: Lacked) -> None:
    log.known[stamp.seq] = PossibleCause(stamp.t, True, (stamp.actor, e.seen))


def _decided(log: ThreadLog, stamp: Stamp, e: Decided) -> None:
    log.known[stamp.seq] = PossibleCause(stamp.t, True, tuple(p.who for p in e.parts))
    log.outcomes.append((stamp.t, e.says.removesuffix(".")))


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
    if not bound and (news := news_of(log.handbook, e)):
        log.became[stamp.causes[0] if stamp.causes else 0].append(news)


def _broken(log: ThreadLog, stamp: Stamp, e: ClaimEvent) -> None:
    _made(log, stamp, e)
    del log.claims[e.id]


FOLDS: dict[type[Event], Callable[[ThreadLog, Stamp, Any], None]] = {
    Began: _began,
    Stirred: _touched,
    Ended: _touched,
    Sought: _sought,
    Sparked: _sparked,
    CardPlayed: _dealt,
    CardReached: _came,
    ConditionBegan: _dealt,
    OccasionCalled: _dealt,
    Lacked: _lacked,
    Decided: _decided,
    Showdown: _shown,
    Made: _made,
    Broken: _broken,
    GoalPlanned: _goal,
    GoalPursued: _goal,
    GoalAdvanced: _goal,
}
