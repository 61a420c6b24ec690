"""How talk events change the state, and the memories they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sandbox.core.events import Event, Stamp
from sandbox.people.beliefs import believe
from sandbox.people.handlers import end, enter, feel, tie
from sandbox.people.memory import Memories, poignancy
from sandbox.people.model import HasPeople, set_due
from sandbox.people.mood import CALM
from sandbox.people.needs import feed_from
from sandbox.people.pressure_handlers import facts_of, turn_feelings
from sandbox.people.ties import pair_key
from sandbox.talk.model import ASIDES, Closed, Declined, Exchanged, HasTalk, Opened, Relation, Talk
from sandbox.talk.move_rules import COLD, FOLLOWED, LOUD, SORRY
from sandbox.talk.saying import talk_reception
from sandbox.talk.subjects import SPOKEN_OF

MEANT = 0.45  # least absolute valence of a line that changes standing
TALK = 3  # poignancy of talks in older saves, which lack it
AFTER = 2  # exchanges left once its purpose has been met: one follow-up and a goodbye


def opened(w: HasTalk, e: Opened, stamp: Stamp) -> None:
    who = (stamp.actor, e.other)
    talk = Talk(e.id, who, stamp.t, stamp.t, e.place, e.intent, e.length, stamp.seq, aim=e.aim, quiet=e.quiet)
    talk.warmth, talk.words, talk.told = [0.0, 0.0], [0, 0], [False, False]
    w.talk.open[e.id] = talk
    for person in who:
        w.people.residents[person].talk = e.id


def declined(w: HasTalk, e: Declined, stamp: Stamp) -> None:
    w.talk.last[pair_key(stamp.actor, e.other)] = stamp.t


def exchanged(w: HasTalk, e: Exchanged, stamp: Stamp) -> None:
    talk = w.talk.open[e.talk]
    if e.aim and e.do not in w.drama.exchanges:
        raise ValueError(f"nobody can come for that: {e.do}")
    talk.exchanges = e.n
    talk.at = stamp.t + w.talk_parameters.exchange
    talk.beats.append(e.lead)
    talk.low = -1
    talk.hushed = not e.in_words
    talk.quiet = talk.quiet and talk.hushed
    talk.grave = any(line.move == SORRY for line in e.lines)
    talk.cold = any(line.move in COLD for line in e.lines[1:])
    if talk.grave:
        talk.asides = ASIDES  # no other subject is put in words
    elif not (talk.hushed or e.aim or e.told or e.lead in FOLLOWED or e.lead in LOUD):
        talk.asides += 1
    talk.led = talk.who.index(e.lines[0].who) if e.lines and e.lines[0].who in talk.who else -1
    for s in e.shifts:
        feel(w.people, s.who, s.delta, s.after, stamp, s.why, s.sort)
    first = talk.who[0]
    for line in e.lines:
        i = 0 if line.who == first else 1
        talk.warmth[i] += line.valence
        talk.words[i] += 1
        if line.valence < talk.worst:
            talk.worst = line.valence
        if line.topic and line.topic not in talk.topics:
            talk.topics.append(line.topic)
        if line.move == "answer_low":
            talk.low = i
        if line.memory >= 0:
            talk.told[i] = True
        other = talk.who[1 - i]
        praise = line.valence if abs(line.valence) >= MEANT else 0.0
        feed_from(w.people.residents[other].needs, stamp.t, w.need_parameters, {"words": 1, "praise": praise})
    if e.aim:
        talk.aim = talk.aim or e.aim
        talk.do, talk.answer, talk.third = e.do, e.answer, any(line.about for line in e.lines[:1])
        talk.came = talk.led
        talk.said = e.lines[0].text if e.lines else ""
        talk.length = e.n + (AFTER if talk_reception(w, talk) == "accept" else 1)
    if e.over:
        spoken_of(w, talk, e.over)
    if e.closes:
        talk.length = min(talk.length, e.n + 1)
    if e.told:
        believe(w, e.told, facts_of(w, e.told), stamp)
    turn_feelings(w, e.feelings, stamp)


def spoken_of(w: HasTalk, talk: Talk, over: str) -> None:
    """Note that the two have spoken about a pressure or outcome."""
    for key in (" ".join(talk.who), " ".join(talk.who[::-1])):
        said = w.talk.spoken_of.setdefault(key, [])
        if over not in said:
            said.append(over)
            del said[:-SPOKEN_OF]


def related(w: HasPeople, relations: Iterable[Relation], stamp: Stamp) -> None:
    """Set ties to the values of an event, and enter the changes in their ledgers."""
    day = w.clock.day(stamp.t)
    for r in relations:
        t = tie(w.people, r.u, r.v)
        t.feeling, t.closeness, t.grown, t.day = r.feeling, r.closeness, r.grown, day
        if r.liked >= 0.0:
            t.liked, t.liked_day = r.liked, day
        enter(t, "feeling", r.feeling_delta, stamp, r.why)
        enter(t, "closeness", r.closeness_delta, stamp, r.why)


def closed(w: HasTalk, e: Closed, stamp: Stamp) -> None:
    del w.talk.open[e.talk]
    w.talk.last[pair_key(*e.who)] = stamp.t
    related(w, e.relations, stamp)
    for change in e.relations:
        t = tie(w.people, change.u, change.v)
        t.talks += 1
        t.last_talk = stamp.t
    for who in e.who:
        r = w.people.residents[who]
        r.talk = ""
        for change_of_plan in e.replans:
            if change_of_plan.who == who:
                r.upset = "overrun" if change_of_plan.late else "conflict" if change_of_plan.shaken else "invitation"
                r.replan, r.replan_cause, r.join = change_of_plan.why, stamp.seq, change_of_plan.join
                if change_of_plan.late:
                    end(w, who)
                    r.going = None
        set_due(w.people, who, max(stamp.t, r.act.until) if r.act is not None and r.going is None else stamp.t)


HANDLERS: dict[type[Event], Callable[..., None]] = {
    Opened: opened,
    Declined: declined,
    Exchanged: exchanged,
    Closed: closed,
}


def remember_exchanged(memories: Memories, e: Exchanged, stamp: Stamp) -> None:
    shifts = {s.who: s for s in e.shifts}
    if memories.impressed:
        memories.spoken.impressions.exchange(e.talk, {s.who: s.delta.p for s in e.shifts})
    memories.spoken.lines.setdefault(e.talk, []).extend((line.who, line.text) for line in e.lines if line.text)
    for own, others in (e.lines, e.lines[::-1]):
        me, other = own.who, others.who
        memories.spoken.say(me, other, own.variants, own.memory, stamp.t)
        if not (own.text and others.text):
            continue  # an exchange without words is remembered only as part of the talk
        shift = shifts.get(me)
        delta, after = (shift.delta, shift.after) if shift else (CALM, CALM)
        text = f"told {memories.lexicon.name(other)}: {own.text} And heard: {others.text}"
        third = dict.fromkeys(line.about for line in e.lines if line.about and line.about not in (me, other))
        memories.keep(me, stamp, "chat", text, (other, *third), poignancy(1, delta), delta, after, form="words")


def remember_closed(memories: Memories, e: Closed, stamp: Stamp) -> None:
    memories.spoken.lines.pop(e.talk, None)
    memories.spoken.impressions.close(e.talk, e.who, memories.lexicon.cast, stamp.t)
    for i, who in enumerate(e.who):
        other = e.who[1 - i]
        after = e.moods[i] if e.moods else CALM
        text = f"talked with {memories.lexicon.name(other)} about {e.gist}"
        memories.keep(who, stamp, "chat", text, (other,), e.stays[i] if e.stays else TALK, after=after, topic=e.topic)


def remember_declined(memories: Memories, e: Declined, stamp: Stamp) -> None:
    name = memories.lexicon.name(stamp.actor)
    text = f"was turned away by {name}" if e.how == "refuse" else f"found {name} too busy to talk"
    memories.keep(
        e.other, stamp, "event", text, (stamp.actor,), 3 if e.how == "refuse" else 1, after=e.mood, form="deed"
    )


REMEMBER: dict[type[Event], Callable[..., None]] = {
    Exchanged: remember_exchanged,
    Closed: remember_closed,
    Declined: remember_declined,
}
