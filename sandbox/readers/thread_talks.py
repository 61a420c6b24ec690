"""How talk, the feed and plans changed for a talk extend the threads of a day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandbox.core.events import Event, Stamp
from sandbox.drama.turns import find_turn
from sandbox.feed.events import (
    Browsed,
    Commented,
    Connected,
    Deleted,
    Messaged,
    Posted,
    Quoted,
    Reacted,
    Reposted,
    Writing,
    WritingDetails,
)
from sandbox.feed.events import Deed as FeedDeed
from sandbox.feed.packing import CrowdActed
from sandbox.people.beliefs import people_named
from sandbox.people.model import Chose, Planned
from sandbox.phones.model import Crossed, Read
from sandbox.phones.old_log import OldWrote
from sandbox.readers.threads import ON_FEED, FeedCause, PossibleCause, TalkHeard, ThreadLog
from sandbox.talk.model import Closed, Declined, Exchanged, Opened

ACTS = (Posted, Quoted, Commented, Messaged, Reposted, Reacted, Connected, Deleted, Browsed)  # acts on the feed


def _acted(log: ThreadLog, stamp: Stamp, e: FeedDeed) -> None:
    """A resident's act on the feed; only those of its causes that are on record must be sound."""
    sound = all(log.known[c].sound for c in stamp.causes if c in log.known)
    log.known[stamp.seq] = PossibleCause(stamp.t, sound, (stamp.actor,), ON_FEED)
    comment = isinstance(e, Commented)
    if comment:
        log.feed[stamp.seq] = FeedCause(stamp.t, (), (), 0)
    elif isinstance(e, Writing | Connected):
        log.feed[stamp.seq] = FeedCause(stamp.t, (stamp.actor,), stamp.causes, 1)
    if isinstance(e, Writing) and e.about is not None:
        _wrote(log, stamp, e.about, comment, (stamp.seq,))


def _crowd(log: ThreadLog, stamp: Stamp, e: CrowdActed) -> None:
    """The crowd's acts have no cause in town, and involve nobody there."""
    log.known[stamp.seq] = PossibleCause(stamp.t, True, (), ON_FEED)


def _old_wrote(log: ThreadLog, stamp: Stamp, e: OldWrote) -> None:
    log.known[stamp.seq] = PossibleCause(stamp.t, log.is_sound(stamp.causes), (), ON_FEED)
    log.feed[stamp.seq] = FeedCause(stamp.t, (), stamp.causes, 0)
    _wrote(log, stamp, e, e.kind == "comment", stamp.causes)


def _wrote(log: ThreadLog, stamp: Stamp, about: WritingDetails, comment: bool, acts: tuple[int, ...]) -> None:
    """What was written is about a matter. acts: the events by which it was written."""
    p = log.open.get(about.matter)
    of_matter = (p.holder, p.about) if p is not None else ()
    people = tuple(x for x in (stamp.actor, about.whom, about.a, about.b, *of_matter) if x)
    log.known[stamp.seq] = log.known[stamp.seq]._replace(people=people)
    if p is not None and not comment:
        day = log.threads[p.thread]
        if stamp.actor not in of_matter and not about.rule:  # as in talk, passing on what is said is no deed
            log.feed |= {c: x._replace(who=(), acts=0) for c in acts if (x := log.feed.get(c))}
        log.link_feed(day, (stamp.seq,))
        p.touched = stamp.t
        log.signs.setdefault(p.thread, stamp.t)


def _read(log: ThreadLog, stamp: Stamp, e: Read) -> None:
    of = (x for c in stamp.causes if c in log.known for x in log.known[c].people)
    rows = (x for row in e.told for x in (row.who, row.a, row.b))
    people = tuple(dict.fromkeys(x for x in (stamp.actor, e.by, e.meant, *of, *rows) if x))
    log.known[stamp.seq] = PossibleCause(stamp.t, log.is_sound(stamp.causes), people, ON_FEED)
    log.feed[stamp.seq] = FeedCause(stamp.t, (), stamp.causes, 0)
    log.note_clues(stamp.seq, e.told)


def _crossed(log: ThreadLog, stamp: Stamp, e: Crossed) -> None:
    of = (x for c in stamp.causes if c in log.known for x in log.known[c].people)
    people = tuple(dict.fromkeys(x for x in (stamp.actor, e.whom, *of) if x))
    sound = bool(stamp.causes) and all(
        c <= log.long_ago or (c in log.known and log.known[c].sound) for c in stamp.causes
    )
    log.known[stamp.seq] = PossibleCause(stamp.t, sound, people, ON_FEED, e.pile is not None)
    log.feed[stamp.seq] = FeedCause(stamp.t, (), stamp.causes, int(e.way == "street"))  # else the post is the deed


def _opened(log: ThreadLog, stamp: Stamp, e: Opened) -> None:
    talk = log.talks[e.id] = TalkHeard(stamp, e)
    p = log.open.get(e.aim)
    log.known[stamp.seq] = PossibleCause(stamp.t, not e.aim or (p is not None and log.is_sound(stamp.causes)), talk.who)
    if p is not None:
        talk.matter = p
        log.link_feed(log.threads[p.thread], stamp.causes)
        log.threads[p.thread].add(stamp.seq, stamp.t, talk.who, stamp.causes)


def _declined(log: ThreadLog, stamp: Stamp, e: Declined) -> None:
    p = log.open.get(e.aim)
    if p is not None:
        who = (e.other, stamp.actor)
        log.away.add(stamp.seq)
        log.known[stamp.seq] = PossibleCause(stamp.t, True, who, log.where.get(stamp.actor, ""))
        log.threads[p.thread].add(stamp.seq, stamp.t, who, stamp.causes)


def _exchanged(log: ThreadLog, stamp: Stamp, e: Exchanged) -> None:
    p, talk = log.open.get(e.aim), log.talks.get(e.talk)
    if talk is None or (p is None and not e.told):
        return
    log.known[stamp.seq] = PossibleCause(
        stamp.t, log.is_sound(stamp.causes), (*talk.who, *people_named(e.told)), talk.place
    )
    log.note_clues(stamp.seq, e.told)
    if p is None:
        return
    talk.matter = p
    day = log.threads[p.thread]
    log.link_feed(day, stamp.causes)
    day.add(talk.seq, talk.t, talk.who)
    day.add(stamp.seq, stamp.t, talk.who, stamp.causes)


def _closed(log: ThreadLog, stamp: Stamp, e: Closed) -> None:
    talk = log.talks.pop(e.talk, None)
    if talk is None:
        return
    log.past[stamp.seq] = talk
    log.known[stamp.seq] = PossibleCause(stamp.t, log.is_sound(stamp.causes), talk.who, talk.place)
    p = talk.matter
    if p is not None:
        day = log.threads[p.thread]
        day.add(stamp.seq, stamp.t, talk.who, stamp.causes)
        found = find_turn(e, p.kind, p.about)
        if found is not None:
            day.scenes.append(log.scene(p, found, (stamp.seq, stamp.t), stamp, e, talk.place))


def _planned(log: ThreadLog, stamp: Stamp, e: Planned) -> None:
    for cause in stamp.causes:
        found = log.seeks.pop(cause, None)
        if found is not None:
            p, whom = found
            p.seek = (stamp.seq, stamp.t, whom)
            log.threads[p.thread].add(stamp.seq, stamp.t, (stamp.actor,), stamp.causes)


def _chose(log: ThreadLog, stamp: Stamp, e: Chose) -> None:
    log.where[stamp.actor] = e.where


FOLDS: dict[type[Event], Callable[[ThreadLog, Stamp, Any], None]] = {
    Opened: _opened,
    Declined: _declined,
    Exchanged: _exchanged,
    Closed: _closed,
    Planned: _planned,
    Chose: _chose,
    **dict.fromkeys(ACTS, _acted),
    CrowdActed: _crowd,
    OldWrote: _old_wrote,
    Read: _read,
    Crossed: _crossed,
}
