"""How events change the state of people (HANDLERS), and the memories they leave (REMEMBER)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Event, Stamp
from sandbox.people.memory import Memories, poignancy
from sandbox.people.model import (
    SEEK,
    Block,
    Chose,
    CurrentAct,
    Cut,
    Felt,
    HasPeople,
    Needed,
    Noticed,
    PeopleState,
    Planned,
    Recalled,
    Reflected,
    Woke,
    set_due,
)
from sandbox.people.mood import CALM, OWN, Cause, Pad, Sort, Upset, enter_cause
from sandbox.people.needs import feed, feed_from
from sandbox.people.paying import affords
from sandbox.people.played import is_played
from sandbox.people.ties import Tie
from sandbox.town.model import Arrived, InUse, Placed, Stopped, Walked
from sandbox.town.ways import arrival_time

ACTED = 6  # latest activities kept of a person
NOTED = 3  # poignancy of a planning note
RESOLVED = "resolved to "  # first words of a planning note's memory


def feel(state: PeopleState, who: str, delta: Pad, after: Pad, stamp: Stamp, why: str, sort: Sort) -> None:
    """Set a mood after a change and enter the change in its ledger."""
    enter_cause(state.residents[who].mood, Cause(*delta, stamp.t, stamp.seq, why, sort), after)


def tie(state: PeopleState, u: str, v: str) -> Tie:
    """u's tie to v, made if there is none."""
    return state.ties.setdefault(u, {}).setdefault(v, Tie(closeness=0.0, feeling=0.0, day=0))


def begin(w: HasPeople, who: str, act: CurrentAct, t: int) -> None:
    """Start an act now: use its object, fall asleep if it is sleep, feed needs if it can be paid for."""
    r = w.people.residents[who]
    act.until = t + act.seconds
    r.act, r.going = act, None
    if act.thing:
        w.town.used[act.thing] = InUse(who, w.handbook.state(act.do))
    r.acted.append(act.do)
    if len(r.acted) > ACTED:
        del r.acted[0]
    if act.block == "sleep":
        r.awake = False
    found = w.handbook.deck.blocks.get(act.block)
    if found and found.feeds and affords(w, who, act):  # who cannot pay goes without
        feed(r.needs, t, w.need_parameters, found.feeds)
    set_due(w.people, who, act.until)


def end(w: HasPeople, who: str) -> None:
    """End a person's current act and free its object."""
    r = w.people.residents[who]
    thing = r.act.thing if r.act is not None else ""
    if thing in w.town.used and w.town.used[thing].by == who:
        del w.town.used[thing]
    r.act = None


def divert(w: HasPeople, who: str, block: Block, why: str, sort: Upset, stamp: Stamp) -> None:
    """Make somebody drop what they are doing and replan around a block; a played person is not moved."""
    possible(w, (block,))
    upset(w, who, why, sort, stamp)
    if not is_played(w, who):
        w.people.residents[who].join = block


def upset(w: HasPeople, who: str, why: str, sort: Upset, stamp: Stamp) -> None:
    """Make somebody drop what they are doing and replan; a played person is left alone."""
    if is_played(w, who):
        return
    r = w.people.residents[who]
    r.upset, r.replan, r.replan_cause, r.join = sort, why, stamp.seq, None
    r.going = None
    end(w, who)
    set_due(w.people, who, stamp.t)


def possible(w: HasPeople, blocks: Iterable[Block]) -> None:
    """Raise ValueError unless each block's place is on the map and the person it looks for, if any, exists."""
    for b in blocks:
        if b.where not in w.map.areas:
            raise ValueError(f"there is no place {b.where}")
        if b.whom and b.whom not in w.people.residents:
            raise ValueError(f"there is nobody {b.whom}")


def needed(w: HasPeople, e: Needed, stamp: Stamp) -> None:
    divert(w, stamp.actor, e.block, e.why, "need", stamp)


def woke(w: HasPeople, e: Woke, stamp: Stamp) -> None:
    r = w.people.residents[stamp.actor]
    if r.act is not None:
        hours = (stamp.t - r.act.until + r.act.seconds) / HOUR
        feed_from(r.needs, stamp.t, w.need_parameters, {"sleep": hours})
    end(w, stamp.actor)
    r.awake = True
    r.plan, r.block, r.items = (), -1, ()
    set_due(w.people, stamp.actor, stamp.t)


def planned(w: HasPeople, e: Planned, stamp: Stamp) -> None:
    possible(w, e.blocks)
    r = w.people.residents[stamp.actor]
    r.day, r.plan, r.block, r.items, r.item = e.day, e.blocks, -1, (), 0
    r.upset, r.replan, r.replan_cause, r.join = "", "", 0, None


def cut(w: HasPeople, e: Cut, stamp: Stamp) -> None:
    r = w.people.residents[stamp.actor]
    r.block, r.items, r.item = e.block, e.items, 0


def chose(w: HasPeople, e: Chose, stamp: Stamp) -> None:
    r = w.people.residents[stamp.actor]
    end(w, stamp.actor)
    r.item = e.item
    act = CurrentAct(e.do, e.block, e.where, e.thing, e.y * w.map.width + e.x, e.seconds)
    if e.there:
        begin(w, stamp.actor, act, stamp.t)
    else:
        r.going = act


def walked(w: HasPeople, e: Walked, stamp: Stamp) -> None:
    set_due(w.people, stamp.actor, arrival_time(w.town.spots[stamp.actor]))


def arrived(w: HasPeople, e: Arrived, stamp: Stamp) -> None:
    r = w.people.residents[stamp.actor]
    if r.going is not None:
        begin(w, stamp.actor, r.going, stamp.t)
    else:
        set_due(w.people, stamp.actor, stamp.t)


def stopped(w: HasPeople, e: Stopped, stamp: Stamp) -> None:
    set_due(w.people, stamp.actor, stamp.t)


def placed(w: HasPeople, e: Placed, stamp: Stamp) -> None:
    end(w, stamp.actor)
    w.people.residents[stamp.actor].going = None
    set_due(w.people, stamp.actor, stamp.t)


def noticed(w: HasPeople, e: Noticed, stamp: Stamp) -> None:
    seen = w.people.residents[stamp.actor].seen
    seen += [f"{s.who}|{s.do}" for s in e.seen]
    extra = len(seen) - w.memory_parameters.retention
    if extra > 0:
        del seen[:extra]


def felt(w: HasPeople, e: Felt, stamp: Stamp) -> None:
    feel(w.people, stamp.actor, e.delta, e.after, stamp, e.why, e.sort)


def reflected(w: HasPeople, e: Reflected, stamp: Stamp) -> None:
    for about in (*(i.about for i in (*e.insights, *e.moments)), *(n.about for n in e.notes)):
        if about and about not in w.people.residents:
            raise ValueError(f"there is nobody {about}")
    if any(e.delta):
        why = f"looking back: {e.thought}" if e.thought else "looking back on the day"
        feel(w.people, stamp.actor, e.delta, e.after, stamp, why, "reflection")
    r = w.people.residents[stamp.actor]
    r.notes = [*(x for x in r.notes if x[0] >= stamp.t - DAY), *((stamp.t, note) for note in e.notes)]


def _nothing(w: HasPeople, e: Recalled, stamp: Stamp) -> None:
    """Changes no state; only memory is affected."""


HANDLERS: dict[type[Event], Callable[..., None]] = {
    Woke: woke,
    Planned: planned,
    Cut: cut,
    Chose: chose,
    Walked: walked,
    Arrived: arrived,
    Stopped: stopped,
    Placed: placed,
    Noticed: noticed,
    Felt: felt,
    Needed: needed,
    Recalled: _nothing,
    Reflected: reflected,
}


def remember_noticed(memories: Memories, e: Noticed, stamp: Stamp) -> None:
    lex = memories.lexicon
    for s in e.seen:
        where = f" {lex.at(s.where)}" if s.where else ""
        text = f"saw {lex.name(s.who)} {lex.doing(s.do)}{where}"
        memories.keep(stamp.actor, stamp, "event", text, (s.who,), 1, after=e.mood, topic=s.do, form="deed")


def remember_chose(memories: Memories, e: Chose, stamp: Stamp) -> None:
    if e.block not in ("sleep", SEEK):  # whom one looked for, and why, is remembered by what came of it
        text = f"{memories.lexicon.past(e.do)} {memories.lexicon.at(e.where)}"
        memories.keep(stamp.actor, stamp, "event", text, (), 1, after=e.mood, topic=e.do, form="deed")


def remember_planned(memories: Memories, e: Planned, stamp: Stamp) -> None:
    names = list(dict.fromkeys(memories.lexicon.doing(b.do) for b in e.blocks if b.do != "sleep"))[:4]
    text = "planned " + ("anew" if e.upset else "the day") + ": " + (", ".join(names) or "to bed")
    memories.keep(stamp.actor, stamp, "plan", text, (), 2, counts=False)


def remember_felt(memories: Memories, e: Felt, stamp: Stamp) -> None:
    about, weight = (e.about,) if e.about else (), poignancy(1, e.delta)
    kind = "read" if e.sort == "reading" else "event"
    memories.keep(
        stamp.actor, stamp, kind, e.why, about, weight, e.delta, e.after, form="deed" if e.sort in OWN else ""
    )


def remember_reflected(memories: Memories, e: Reflected, stamp: Stamp) -> None:
    for i in (*e.insights, *e.moments):
        about = (i.about,) if i.about else ()
        memories.keep(
            stamp.actor, stamp, "thought", i.text, about, i.poignancy, e.delta, e.after, i.evidence, counts=False
        )
    for n in e.notes:
        text, about = f"{RESOLVED}{n.text}", (n.about,)
        memories.keep(stamp.actor, stamp, "plan", text, about, NOTED, CALM, e.after, n.evidence, n.topic, counts=False)
    stream = memories.streams[stamp.actor]
    stream.since = 0.0
    stream.reflected = stamp.t


REMEMBER: dict[type[Event], Callable[..., None]] = {
    Chose: remember_chose,
    Noticed: remember_noticed,
    Planned: remember_planned,
    Felt: remember_felt,
    Recalled: lambda memories, e, at: memories.streams[at.actor].touch(e.ids, at.t),
    Reflected: remember_reflected,
}
