"""What comes of an exchange under pressure: stages, endings, feelings, who now knows, and new pressures.

A system that runs after talk. Everything it does is read from the drama deck (people/pressure_deck.py).
"""

from __future__ import annotations

from collections.abc import Iterable
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
from sandbox.drama.new_pressures import bear, definition_of, renew
from sandbox.people.beliefs import EVENT, SAW, SEEN, BeliefUpdate
from sandbox.people.claim_handlers import binds
from sandbox.people.claim_model import Breaking, ClaimChanges
from sandbox.people.goal_handlers import ways
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.paying import DEBT, PART, has, pay, some_of
from sandbox.people.pressure_attempts import last_try
from sandbox.people.pressure_beginnings import OTHER
from sandbox.people.pressure_deck import AWAY, LIE, Effect, PressureWay
from sandbox.people.pressure_handlers import happening, key_of
from sandbox.people.pressure_model import ActivePressure, Ended, Stirred, Turned
from sandbox.people.pressure_rules import intensity_at, may_break, next_stage, pressures_between
from sandbox.people.purse import payday
from sandbox.talk.content import feeling_change, tie_of
from sandbox.talk.model import Closed, Declined, Exchanged, HasTalk
from sandbox.talk.pressure_aims import ending_pays, hearers, listens, part_of, pressures_run
from sandbox.talk.replying import effective_way, guilty
from sandbox.talk.rumours import rumours_run


def ending_changes(w: HasTalk, p: ActivePressure, end: str) -> ClaimChanges:
    """All that an ending changes: as its kind has it, as this pressure itself does, and what its holder then has."""
    kind, made = w.drama.kinds[p.kind], definition_of(w, p)
    ending = kind.ends[end]
    if made is None:
        return ClaimChanges(ending.makes, ending.breaks)
    own = made.ends.get(end, ClaimChanges())
    goal = (made.wants,) if end == kind.goal and made.wants.kind else ()
    return ClaimChanges((*ending.makes, *own.makes, *goal), (*ending.breaks, *own.breaks))


def comes_to(w: HasTalk, p: ActivePressure, end: str, feelings: Iterable[Turned]) -> str:
    """The ending that it is: for good, say, only where one cannot stand the other by now and a claim breaks by it.

    feelings: as they turn with it.
    """
    ending = w.drama.kinds[p.kind].ends[end]
    if not ending.else_:
        return end
    felt = {(f.u, f.v): f.feeling for f in feelings}
    two = ((p.holder, p.about), (p.about, p.holder))
    sour = min(felt.get((u, v), tie_of(w, u, v).feeling) for u, v in two) < ending.below
    return end if sour and any(_there(w, p, x) for x in ending_changes(w, p, end).breaks) else ending.else_


def _there(w: HasTalk, p: ActivePressure, x: Breaking) -> bool:
    """Whether the two have such a claim."""
    return {x.a, x.b} <= {"holder", "about"} and binds(w, getattr(p, x.a), getattr(p, x.b), (x.kind,))


LATE = "late"  # what is done when an hour has passed; one that is not put off is then no more waited for
SIZE = 0.6  # of the emotions that an ending brings
TELLING = frozenset(("leak", "own_up", "confide"))  # exchanges that tell the other, also where that is the end of it
HEARD, SIDES = 4, 2  # who overhear, and who take a side, at most
SOME = Effect(by=-0.15, later=20 * HOUR, part=True)  # what comes of it where all is asked for and is not there
UNHEARD = 2 * HOUR  # by which the hour of what somebody came in vain to settle is put off
FAR = 2  # the last stage that something comes to without a word
WAGES = 6 * HOUR  # after pay day until which somebody is given time who cannot pay before it
CARES, SIDED = 0.25, 0.06  # how much more somebody likes the one to take a side, and what that costs the other


class PressureDeed(NamedTuple):
    """What is done about a pressure. p: the pressure as it was before; effect: what the deed does to it; me: who does
    it; other: to whom; how: the exchange, or else a word for what is done; answer: how the other takes it, "" = nothing
    was said; hostile: whether it is a quarrel; why: how it came to that, unless an exchange says it; t: when.
    """

    p: ActivePressure
    effect: Effect
    me: str
    other: str
    how: str
    answer: str
    hostile: bool
    why: str
    t: int


async def draw_consequences(step: Step, w: HasTalk) -> None:
    """Draw the consequences of what was said in this slice."""
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
    p = w.pressures.open[e.aim]
    me = stamp.actor
    other = next(line.who for line in e.lines if line.who != me)
    way = _way(w, p, e.do, me, other, stamp.t)
    if way is not None:
        way = effective_way(w, p, way, e.answer)
        hostile = w.drama.exchanges[e.do].hostile
        move_pressure(step, w, p, way.effect(e.answer), (stamp.seq,), me, other, e.do, e.answer, hostile)


def _declined(step: Step, w: HasTalk, stamp: Stamp, e: Declined) -> None:
    """Whoever is turned away before a word is said has told nothing, and the other has heard nothing that could move
    them. What comes of that is as the deck has it for its way, and where that says nothing, as ever.
    """
    p = w.pressures.open[e.aim]
    way = _way(w, p, e.intent, e.other, stamp.actor, stamp.t)
    effect = None if way is None else _unheard(w, p, way, e) if _as_ever(w, p, way, e) else way.away
    if effect is not None:
        move_pressure(step, w, p, effect, (stamp.seq,), e.other, stamp.actor, e.intent, AWAY)


def _as_ever(w: HasTalk, p: ActivePressure, way: PressureWay, e: Declined) -> bool:
    """Whether the deck says nothing of it: also where that would end ill, and the other has only no time."""
    end = way.away.end
    return way.away == Effect() or (bool(end) and e.how != "refuse" and not w.drama.kinds[p.kind].ends[end].good)


def _unheard(w: HasTalk, p: ActivePressure, way: PressureWay, e: Declined) -> Effect | None:
    """What comes of it, where its way does not say, that somebody was turned away; None for nothing. Who came to settle
    something is done with it if the other does not want to see them, and may come again if they have no time: once, its
    hour is put off. Else they feel as if the other had dodged it.
    """
    offered = w.drama.kinds[p.kind].offered
    if way.offers and offered.end and e.how == "refuse":
        return offered
    if not way.dodge.end:
        return Effect(by=way.dodge.by, stage=min(FAR, way.dodge.stage), actor=way.dodge.actor)
    again = key_of(e.other, e.intent, away=True) in p.tried
    return Effect(later=0 if again else UNHEARD) if p.due >= 0 else None


def _way(w: HasTalk, p: ActivePressure, do: str, me: str, other: str, t: int) -> PressureWay | None:
    """The way that was gone: of those with that exchange, the one that needs the highest stage, or most."""
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


def move_pressure(
    step: Step,
    w: HasTalk,
    p: ActivePressure,
    effect: Effect,
    causes: tuple[int, ...],
    me: str,
    other: str,
    how: str,
    answer: str = "",
    hostile: bool = False,
    end: str = "",
    why: str = "",
) -> None:
    """Apply an effect to a pressure. end: its ending, if not that of the effect. why: how it came to that, unless an
    exchange says it.
    """
    t = max(free_moment(step, w, me, other), p.t)
    end = end or effect.end
    owed = p.amount if ending_pays(w, p, end) else 0
    if owed and not has(w, p.holder, owed):
        end, effect, owed = "", SOME, 0
    feelings = turned_by(w, p, effect, me, other, how, answer)
    end = comes_to(w, p, end, feelings) if end else ""
    bad = bool(end) and hostile and not w.drama.kinds[p.kind].ends[end].good
    if bad and not may_break(w.pressures, t, w.pressure_parameters):
        end, effect = "", replace(effect, children=())  # enough has broken today: they part over it, and it goes on
    heard = hearers(w, me, other, t) if hostile and answer else []  # who heard a showdown has taken their side
    step.chance(p.id, "heard").shuffle(heard)
    feelings += _sides(w, p, heard, me, other)
    listener = eavesdropper(step, w, p, me, other, t) if effect.tells and answer and not hostile else ""
    deed = PressureDeed(p, effect, me, other, how, answer, hostile, why, t)
    event: Ended | Stirred
    event = _ended(step, w, deed, end, feelings, heard) if end else _stirred(step, w, deed, feelings, heard, listener)
    seq = step.emit(event, t=t, actor=me, causes=(*causes, p.last))
    if end:
        _felt(step, w, p, end, t, seq, me if answer == LIE else "")
    if effect.part and not owed:
        owed = some_of(w, p.holder, p.amount)
    if owed:
        pay(step, w, p.holder, owed, DEBT if end else PART, t, seq, p.about, p.id)
    _follow(step, w, p, event, effect, me, other, t, seq)


def _ended(
    step: Step, w: HasTalk, deed: PressureDeed, end: str, feelings: tuple[Turned, ...], heard: list[str]
) -> Ended:
    """The event by which a pressure ends with a deed. heard: who stood by."""
    good = w.drama.kinds[deed.p.kind].ends[end].good
    learned = _learned(step, w, deed, heard, 0, end, good)
    tries = 0 if good else _tries(w, deed)
    return Ended(
        deed.p.id, end, good, deed.how, deed.answer, deed.other, feelings, deed.hostile, why=deed.why, learned=learned,
        tries=tries,
    )  # fmt: skip


def _stirred(
    step: Step, w: HasTalk, deed: PressureDeed, feelings: tuple[Turned, ...], heard: list[str], listener: str
) -> Stirred:
    """The event by which a deed makes a pressure stronger or weaker. heard: who stood by; listener: who listened in, ""
    = nobody.
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
    """End a pressure otherwise than by a deed of the two: what comes of its ending is the same. Nothing if it has ended
    with another already.
    """
    if p.id not in w.pressures.open:
        return
    seq = step.emit(e, t=t, actor=p.holder, causes=(*causes, p.last))
    _follow(step, w, p, e, Effect(), p.holder, p.about, t, seq)


def _follow(
    step: Step, w: HasTalk, p: ActivePressure, e: Stirred | Ended, effect: Effect, me: str, other: str, t: int, seq: int
) -> None:
    """What follows from an event of a pressure: who minds what they have learned by it, what is born of it, and what is
    so since, or no more; of an ending also its mark, and what else ends with it between the two in its thread. seq: its
    number.
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
    """Who began the matter that a pressure is of, if that is a third who still has it on their mind."""
    began = min((x for x in w.pressures.open.values() if x.thread == p.thread), key=lambda x: x.seq, default=p)
    return began.holder if began.holder not in (p.holder, p.about) else ""


def _reason(w: HasTalk, p: ActivePressure, how: str, me: str, other: str, end: str) -> str:
    """How a claim came to be made or broken, a clause."""
    if end:
        return pressure_sentence(w, w.drama.kinds[p.kind].ends[end].says, p)
    exchange = w.drama.exchanges.get(how)
    name = w.handbook.name
    return f"{name(me)} {exchange.did.format(to=name(other))}" if exchange is not None else ""


def _tries(w: HasTalk, deed: PressureDeed) -> int:
    """The how-many-eth time it is that these two do that over this matter; 0 where it is not counted."""
    if not deed.answer or not w.pressure_parameters.tries:
        return 0
    before = last_try(w, deed.p.thread, deed.how, deed.me, deed.other)
    return 1 + (before.times if before is not None else 0)


def _felt(step: Step, w: HasTalk, p: ActivePressure, end: str, t: int, seq: int, deceived: str) -> None:
    """What the two feel at an ending. deceived: who has believed a lie, and feels what they would if it were true."""
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
    """When a pressure falls due after a deed: who cannot pay before the next wages is given until then."""
    p = deed.p
    if not deed.effect.later or p.due < 0:
        return -1 if deed.how == LATE else p.due
    later = max(p.due, now) + deed.effect.later
    if w.money is None or has(w, p.holder, p.amount):
        return later
    return max(later, payday(w.money, w.clock, now) + WAGES)


def _learned(
    step: Step, w: HasTalk, deed: PressureDeed, heard: list[str], bad: int, end: str = "", good: bool = False
) -> tuple[BeliefUpdate, ...]:
    """What a deed makes people believe: the other, who is told, and those who stand by at a row or an ending."""
    p, me, other, how, answer, t = deed.p, deed.me, deed.other, deed.how, deed.answer, deed.t
    if not rumours_run(w) or how not in w.drama.exchanges or not answer or (answer == AWAY and not end):
        return ()
    exchange = w.drama.exchanges[how]
    tells = deed.effect.tells or (bool(end) and how in TELLING)
    to = [other] if other and other != p.holder and me != other else []
    out = [
        learn_by_telling(step, w, p, me, who, t) for who in (*to, *(heard[:HEARD] if exchange.public else ())) if tells
    ]
    shows = "" if answer == LIE else end  # that it was a lie nobody hears
    if exchange.hostile or shows:
        near = heard or (hearers(w, me, other, t) if shows else [])
        out += learn_by_seeing(w, p, me, other, near, t, bad, shows, good)
        out += learn_by_admission(w, p, near, t) if end and end == w.drama.kinds[p.kind].admits and guilty(w, p) else []
    return tuple(out)


def turned_by(
    w: HasTalk, p: ActivePressure, effect: Effect, me: str, other: str, how: str, answer: str = ""
) -> tuple[Turned, ...]:
    """How the feelings of the two turn by an effect."""
    out = []
    for u, v, change in ((me, other, effect.actor), (other, me, effect.target)):
        if change and u and v:
            deed = _deed(w, how, answer, came=v == me)
            why = f"{w.handbook.name(v)} {deed}: {p.stakes}" if deed else p.stakes
            out.append(feeling_change(w, u, v, change, why))
    return tuple(out)


def _deed(w: HasTalk, how: str, answer: str, came: bool) -> str:
    """What one of the two has done, as the other feels it, "" for nothing to tell of. came: it is who came with it, and
    not whom they came to. Where no word was heard, the one had only come for it, and the other would not hear it.
    """
    exchange = w.drama.exchanges.get(how)
    if not came or exchange is None:
        return "would not hear a word" if answer == AWAY else ""
    if answer != AWAY:
        return exchange.did.format(to="them")
    return exchange.unheard.format(to="them") if exchange.unheard else f"came {exchange.says}"


def _sides(w: HasTalk, p: ActivePressure, heard: list[str], a: str, b: str) -> tuple[Turned, ...]:
    """What a row does to those who heard it and care for the one more than for the other; two of them at most."""
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
    """The first second of this slice at which all of them are free for another event."""
    return max(step.now, *(w.last.get(x, 0) for x in who if x))


def pressure_sentence(w: HasTalk, template: str, p: ActivePressure) -> str:
    """A sentence of the deck about a pressure."""
    return template.format(holder=w.handbook.name(p.holder), about=w.handbook.name(p.about), stakes=p.stakes)
