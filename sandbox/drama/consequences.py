"""Consequences of an exchange under pressure: stages, endings, feelings, who knows now, and new pressures.

A system that runs after talk. Everything it does is read from the drama deck (people/pressure_deck.py).
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from sandbox.core.clock import HOUR
from sandbox.core.events import Stamp, r6
from sandbox.core.protocols import Step
from sandbox.drama.claims import change_claims, react_to_breach
from sandbox.drama.hearsay import (
    eavesdropper,
    expose_lie,
    follow_hearsay,
    learn_by_admission,
    learn_by_overhearing,
    learn_by_seeing,
    learn_by_telling,
)
from sandbox.drama.marks import leave_marks, of_pressure
from sandbox.drama.new_pressures import bear, comes_to, ending_changes, renew
from sandbox.people.beliefs import EVENT, SAW, SEEN, BeliefUpdate
from sandbox.people.claim_model import ClaimChanges
from sandbox.people.goal_handlers import ways
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.paying import DEBT, PART, has, pay, some_of
from sandbox.people.pressure_beginnings import OTHER
from sandbox.people.pressure_deck import AWAY, LIE, Effect, PressureWay
from sandbox.people.pressure_handlers import happening, key_of
from sandbox.people.pressure_model import ActivePressure, Ended, Stirred, Turned
from sandbox.people.pressure_rules import intensity_at, last_try, may_break, next_stage, pressures_between
from sandbox.people.purse import payday
from sandbox.talk.content import feeling_change, tie_of
from sandbox.talk.model import Closed, Declined, Exchanged, HasTalk
from sandbox.talk.pressure_aims import effective_way, ending_pays, guilty, hearers, listens, part_of, pressures_run
from sandbox.talk.rumours import rumours_run

LATE = "late"  # the "deed" of a passed due hour; a pressure not put off then has no hour any more
SIZE = 0.6  # strength (0..1) of the emotions that an ending brings
TELLING = frozenset(("leak", "own_up", "confide"))  # exchanges that tell the other even if they end the pressure
HEARD, SIDES = 4, 2  # at most: bystanders who learn of it, and those who take a side
SOME = Effect(by=-0.15, later=20 * HOUR, part=True)  # effect where the full sum is due and the holder does not have it
UNHEARD = 2 * HOUR  # how long the hour is put off if who came to settle was not heard
FAR = 2  # the highest stage that can be reached without a word being said
WAGES = 6 * HOUR  # how long after pay day who cannot pay before it is given
CARES, SIDED = 0.25, 0.06  # difference in liking to take a side; feeling that costs the other


class PressureDeed(NamedTuple):
    """Something done about a pressure. p: the pressure as it was before; effect: what the deed does to it; me: who does
    it; other: to whom; how: the exchange or another word for the deed; answer: the reaction, "" = nothing was said;
    hostile: whether it is a quarrel; end: overrides the ending of the effect; why: the reason, unless an exchange gives
    it; t: when (`move_pressure` sets it).
    """

    p: ActivePressure
    effect: Effect
    me: str
    other: str
    how: str
    answer: str = ""
    hostile: bool = False
    end: str = ""
    why: str = ""
    t: int = 0


async def draw_consequences(step: Step, w: HasTalk) -> None:
    """Apply the consequences of the talks of this slice."""
    if not pressures_run(w):
        return
    for stamp, e in tuple(step.happened):
        if stamp.t < step.now:
            continue
        if isinstance(e, Exchanged):
            follow_hearsay(step, w, stamp, e.told)
            if e.aim in w.pressures.open:
                _exchanged(step, w, stamp, e)
        elif isinstance(e, Declined) and e.aim in w.pressures.open:
            _declined(step, w, stamp, e)
        elif isinstance(e, Closed):
            renew(step, w, stamp, e)


def _exchanged(step: Step, w: HasTalk, stamp: Stamp, e: Exchanged) -> None:
    """Apply the effect of an exchange to the pressure it was about."""
    p = w.pressures.open[e.aim]
    me = stamp.actor
    other = next(line.who for line in e.lines if line.who != me)
    way = _way(w, p, e.do, me, other, stamp.t)
    if way is not None:
        way = effective_way(w, p, way, e.answer)
        hostile = w.drama.exchanges[e.do].hostile
        deed = PressureDeed(p, way.effect(e.answer), me, other, e.do, e.answer, hostile)
        move_pressure(step, w, deed, stamp.seq)


def _declined(step: Step, w: HasTalk, stamp: Stamp, e: Declined) -> None:
    """Apply the effect of being turned away before anything was said: nothing was told, and the other was not moved.
    The deck may define this for the way; otherwise the default of _unheard applies.
    """
    p = w.pressures.open[e.aim]
    way = _way(w, p, e.intent, e.other, stamp.actor, stamp.t)
    effect = None if way is None else _unheard(w, p, way, e) if _as_ever(w, p, way, e) else way.away
    if effect is not None:
        move_pressure(step, w, PressureDeed(p, effect, e.other, stamp.actor, e.intent, AWAY), stamp.seq)


def _as_ever(w: HasTalk, p: ActivePressure, way: PressureWay, e: Declined) -> bool:
    """Whether the default applies: the deck defines nothing, or a bad ending and the other merely has no time."""
    end = way.away.end
    return way.away == Effect() or (bool(end) and e.how != "refuse" and not w.drama.kinds[p.kind].ends[end].good)


def _unheard(w: HasTalk, p: ActivePressure, way: PressureWay, e: Declined) -> Effect | None:
    """The default effect of being turned away; None for nothing. An offer is settled if the other refuses to see them;
    if the other has no time, its hour is put off once. Otherwise it counts like a dodge.
    """
    offered = w.drama.kinds[p.kind].offered
    if way.offers and offered.end and e.how == "refuse":
        return offered
    if not way.dodge.end:
        return Effect(by=way.dodge.by, stage=min(FAR, way.dodge.stage), actor=way.dodge.actor)
    again = key_of(e.other, e.intent, away=True) in p.tried
    return Effect(later=0 if again else UNHEARD) if p.due >= 0 else None


def _way(w: HasTalk, p: ActivePressure, do: str, me: str, other: str, t: int) -> PressureWay | None:
    """The way that was taken: of those with this exchange, the one that needs the highest stage, or hearers."""
    part = part_of(p, me)
    found = [
        way
        for way in ways(w, p, me, other, t)
        if way.do == do
        and way.by == part
        and way.stage <= p.stage <= way.until
        and listens(w, p, way, me, other)
        and (not way.hears or p.about in hearers(w, me, other, t))
    ]
    return max(found, key=lambda way: (way.stage, way.hears), default=None)


def move_pressure(step: Step, w: HasTalk, deed: PressureDeed, *causes: int) -> None:
    """Apply what a deed does to a pressure, with all that follows from it."""
    p, effect, me, other, how, answer, hostile = deed[:7]
    t = max(free_moment(step, w, me, other), p.t)
    end = deed.end or effect.end
    owed = p.amount if ending_pays(w, p, end) else 0
    if owed and not has(w, p.holder, owed):
        end, effect, owed = "", SOME, 0
    feelings = turned_by(w, p, effect, me, other, how, answer)
    end = comes_to(w, p, end, feelings) if end else ""
    bad = bool(end) and hostile and not w.drama.kinds[p.kind].ends[end].good
    if bad and not may_break(w.pressures, t, w.pressure_parameters):
        end, effect = "", replace(effect, children=())  # enough has broken today: they part, and it stays open
    heard = hearers(w, me, other, t) if hostile and answer else []  # who heard a showdown has already taken sides in it
    step.chance(p.id, "heard").shuffle(heard)
    feelings += _sides(w, p, heard, me, other)
    listener = eavesdropper(step, w, p, me, other, t) if effect.tells and answer and not hostile else ""
    deed = deed._replace(effect=effect, end=end, t=t)
    event: Ended | Stirred
    event = _ended(step, w, deed, feelings, heard) if end else _stirred(step, w, deed, feelings, heard, listener)
    seq = step.emit(event, t=t, actor=me, causes=(*causes, p.last))
    if end:
        _felt(step, w, p, end, t, seq, me if answer == LIE else "")
    if effect.part and not owed:
        owed = some_of(w, p.holder, p.amount)
    if owed:
        pay(step, w, p.holder, owed, DEBT if end else PART, t, seq, p.about, p.id)
    _follow(step, w, p, event, effect, me, other, t, seq)


def _ended(step: Step, w: HasTalk, deed: PressureDeed, feelings: tuple[Turned, ...], heard: list[str]) -> Ended:
    """The event by which a deed ends a pressure. heard: the bystanders."""
    good = w.drama.kinds[deed.p.kind].ends[deed.end].good
    learned = _learned(step, w, deed, heard, 0, good)
    tries = 0 if good else _tries(w, deed)
    return Ended(
        deed.p.id, deed.end, good, deed.how, deed.answer, deed.other, feelings, deed.hostile, why=deed.why,
        learned=learned, tries=tries,
    )  # fmt: skip


def _stirred(
    step: Step, w: HasTalk, deed: PressureDeed, feelings: tuple[Turned, ...], heard: list[str], listener: str
) -> Stirred:
    """The event by which a deed strengthens or weakens a pressure. heard: the bystanders; listener: who eavesdropped,
    "" = nobody.
    """
    p, effect, t, q = deed.p, deed.effect, deed.t, w.pressure_parameters
    before = intensity_at(p, t, q)
    after = r6(min(1.0, max(0.0, before + effect.by)))
    stage = next_stage(p, effect.stage, t, q)
    if stage == 3 and not may_break(w.pressures, t, q):
        stage = p.stage
    told = [deed.other] if effect.tells and deed.other else []
    told += heard[:HEARD] + [listener] * bool(listener)
    knows = (p.holder, *p.known_by)
    new = tuple(who for who in dict.fromkeys(told) if who not in knows)
    turn = stage == 3 != p.stage
    learned = _learned(step, w, deed, heard, bad=2 if turn else int(deed.answer == "refuse"))
    learned += (learn_by_overhearing(w, p, listener, t),) if listener else ()
    return Stirred(
        p.id, deed.how, deed.answer, deed.other, r6(after - before), after, stage, new, _due(w, deed, step.now),
        feelings, deed.hostile, turn, learned, _tries(w, deed), deed.why,
    )  # fmt: skip


def end_pressure(step: Step, w: HasTalk, p: ActivePressure, e: Ended, t: int, *causes: int) -> None:
    """End a pressure other than by a deed of the two, with all that follows from the ending. Does nothing if it has
    ended already.
    """
    if p.id not in w.pressures.open:
        return
    seq = step.emit(e, t=t, actor=p.holder, causes=(*causes, p.last))
    _follow(step, w, p, e, Effect(), p.holder, p.about, t, seq)


def _follow(
    step: Step, w: HasTalk, p: ActivePressure, e: Stirred | Ended, effect: Effect, me: str, other: str, t: int, seq: int
) -> None:
    """Apply what follows from a pressure's event: reactions to what was learned, new pressures, claims made and broken;
    after an ending also its mark, and the endings of related pressures in the thread. seq: the event's number.
    """
    end, how = (e.how, e.by) if isinstance(e, Ended) else ("", e.how)
    also = w.drama.kinds[p.kind].ends[end].also if end else {}
    others = [x for x in pressures_between(w.pressures, p.holder, p.about) if x.thread == p.thread and x.kind in also]
    if end:
        leave_marks(step, w, of_pressure(w, p, end, t), t, seq)
    for row in e.learned:
        expose_lie(step, w, seq, row, p, t)
        react_to_breach(step, w, seq, row, w.beliefs.facts.get(row.fact or f"{EVENT}{seq}"), t)
    if end and p.about:
        theirs = BeliefUpdate(p.holder, "", p.holder, p.about, "", 0, SEEN, SAW)
        react_to_breach(step, w, seq, theirs, happening(p, end, p.holder, p.about, "", 0, seq), t)
    for child in effect.children:
        made = w.drama.children[child]
        first = _first(w, p) if OTHER in (made.holder, made.about) else ""
        bear(step, w, child, (seq,), me, other, p, since=t, amount=p.amount if made.lends else 0, other=first)
    ending = ending_changes(w, p, end) if end else ClaimChanges()
    makes, breaks = (*effect.makes, *ending.makes), (*effect.breaks, *ending.breaks)
    if makes or breaks:
        parts = {"holder": p.holder, "about": p.about, "actor": me, "target": other}
        done = me if how in w.drama.exchanges and w.drama.exchanges[how].needs else ""  # it needs what it ends
        change_claims(step, w, makes, breaks, parts, p.stakes, _reason(w, p, how, me, other, end), t, seq, done)
    for x in others:
        good = w.drama.kinds[x.kind].ends[also[x.kind]].good
        at = max(free_moment(step, w, x.holder, x.about), x.t, t)
        end_pressure(step, w, x, Ended(x.id, also[x.kind], good, how, turn=False), at, seq)


def _first(w: HasTalk, p: ActivePressure) -> str:
    """Who began the thread of a pressure, if that is a third person who still has an open pressure in it; else ""."""
    began = min((x for x in w.pressures.open.values() if x.thread == p.thread), key=lambda x: x.seq, default=p)
    return began.holder if began.holder not in (p.holder, p.about) else ""


def _reason(w: HasTalk, p: ActivePressure, how: str, me: str, other: str, end: str) -> str:
    """Why a claim was made or broken, as a clause."""
    if end:
        return pressure_sentence(w, w.drama.kinds[p.kind].ends[end].says, p)
    exchange = w.drama.exchanges.get(how)
    name = w.handbook.name
    return f"{name(me)} {exchange.did.format(to=name(other))}" if exchange is not None else ""


def _tries(w: HasTalk, deed: PressureDeed) -> int:
    """How many times these two have now done this in this thread; 0 where it is not counted."""
    if not deed.answer or not w.pressure_parameters.tries:
        return 0
    before = last_try(w, deed.p.thread, deed.how, deed.me, deed.other)
    return 1 + (before.times if before is not None else 0)


def _felt(step: Step, w: HasTalk, p: ActivePressure, end: str, t: int, seq: int, deceived: str) -> None:
    """Express what the two feel at an ending. deceived: who believed a lie and feels as if it were true ("" = none)."""
    kind = w.drama.kinds[p.kind]
    ending = kind.ends[end]
    both = (("{holder}", p.holder, ending.holder, p.about), ("{about}", p.about, ending.about, p.holder))
    for slot, who, emotion, whom in both:
        if emotion and who:
            says = kind.ends[kind.clears].says if who == deceived and kind.clears else ending.says
            own = says.startswith(f"{slot} ") and not says.startswith(f"{slot} and ")
            why = pressure_sentence(w, says.removeprefix(f"{slot} ") if own else says, p)
            express(step, w, who, Appraisal(emotion, SIZE, why, whom, "deed" if own else "event"), t, seq)


def _due(w: HasTalk, deed: PressureDeed, now: int) -> int:
    """When a pressure is due after a deed, -1 = never. Who cannot pay before the next wages has until then."""
    p = deed.p
    if not deed.effect.later or p.due < 0:
        return -1 if deed.how == LATE else p.due
    later = max(p.due, now) + deed.effect.later
    if w.money is None or has(w, p.holder, p.amount):
        return later
    return max(later, payday(w.money, w.clock, now) + WAGES)


def _learned(
    step: Step, w: HasTalk, deed: PressureDeed, heard: list[str], bad: int, good: bool = False
) -> tuple[BeliefUpdate, ...]:
    """What a deed makes people believe: the one who is told, and the bystanders of a row or an ending."""
    p, me, other, how, answer, end, t = deed.p, deed.me, deed.other, deed.how, deed.answer, deed.end, deed.t
    if not rumours_run(w) or how not in w.drama.exchanges or not answer or (answer == AWAY and not end):
        return ()
    exchange = w.drama.exchanges[how]
    tells = deed.effect.tells or (bool(end) and how in TELLING)
    to = [other] if other and other != p.holder and me != other else []
    out = [
        learn_by_telling(step, w, p, me, who, t) for who in (*to, *(heard[:HEARD] if exchange.public else ())) if tells
    ]
    shows = "" if answer == LIE else end  # nobody can hear that it was a lie
    if exchange.hostile or shows:
        near = heard or (hearers(w, me, other, t) if shows else [])
        out += learn_by_seeing(w, p, me, other, near, t, bad, shows, good)
        out += learn_by_admission(w, p, near, t) if end and end == w.drama.kinds[p.kind].admits and guilty(w, p) else []
    return tuple(out)


def turned_by(
    w: HasTalk, p: ActivePressure, effect: Effect, me: str, other: str, how: str, answer: str = ""
) -> tuple[Turned, ...]:
    """How an effect changes the feelings of the two for each other."""
    out = []
    for u, v, change in ((me, other, effect.actor), (other, me, effect.target)):
        if change and u and v:
            deed = _deed(w, how, answer, came=v == me)
            why = f"{w.handbook.name(v)} {deed}: {p.stakes}" if deed else p.stakes
            out.append(feeling_change(w, u, v, change, why))
    return tuple(out)


def _deed(w: HasTalk, how: str, answer: str, came: bool) -> str:
    """What one of the two did, as the other sees it; "" for nothing. came: whether they are the one who came. If they
    were turned away, one has merely come, and the other would not listen.
    """
    exchange = w.drama.exchanges.get(how)
    if not came or exchange is None:
        return "would not hear a word" if answer == AWAY else ""
    if answer != AWAY:
        return exchange.did.format(to="them")
    return exchange.unheard.format(to="them") if exchange.unheard else f"came {exchange.says}"


def _sides(w: HasTalk, p: ActivePressure, heard: list[str], a: str, b: str) -> tuple[Turned, ...]:
    """How a row changes the feelings of those who heard it and clearly prefer one of the two; at most SIDES of them."""
    out: list[Turned] = []
    for who in heard:
        x, y = tie_of(w, who, a).feeling, tie_of(w, who, b).feeling
        if abs(x - y) < CARES:
            continue
        friend, foe = (a, b) if x > y else (b, a)
        out.append(feeling_change(w, who, foe, -SIDED, f"took {w.handbook.name(friend)}'s side: {p.stakes}"))
        if len(out) == SIDES:
            break
    return tuple(out)


def free_moment(step: Step, w: HasTalk, *who: str) -> int:
    """The first second of this slice at which all of these people can have another event."""
    return max(step.now, *(w.last.get(x, 0) for x in who if x))


def pressure_sentence(w: HasTalk, template: str, p: ActivePressure) -> str:
    """A sentence template of the deck, filled in for a pressure."""
    return template.format(holder=w.handbook.name(p.holder), about=w.handbook.name(p.about), stakes=p.stakes)
