"""Rules of pressures: intensity at a second, limits on turns and rows, pressures that an occasion will decide or that
rest, and unsuccessful attempts. The functions are pure, but for the two that handle coming and leaving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Event, Stamp
from sandbox.core.text import often
from sandbox.people.beliefs import EVENT
from sandbox.people.guest_handlers import Came, Left
from sandbox.people.guest_model import in_town
from sandbox.people.handbook import Handbook
from sandbox.people.pressure_deck import SECRET, Kind, PressureWay, ways_of
from sandbox.people.pressure_handlers import HasPressures, check_residents, close_concerns, key_of
from sandbox.people.pressure_model import ActivePressure, PressureParameters, PressureState, Thread, Tried
from sandbox.people.ties import pair_key
from sandbox.town.plan import Decision

NEVER = -(10**9)  # stands for the second of a try that never happened
RETURNS = 40 * MINUTE  # wait before somebody who came to settle a matter and was turned away may come again
HOUR_NEAR = 75 * MINUTE  # time before its due second from which a pressure may be settled and its holder goes looking
# How an occasion ends a pressure that it settles: kind -> the ending if it went well for the holder, and if not.
SETTLED = {
    "promise": ("kept", "broken"),
    "rivalry": ("won", "lost"),
    "ambition": ("reached", "failed"),
    "worry": ("solved", "came_true"),
}
TERMS = "settled"  # the ending when two people come to terms by themselves
PRIZED = {"rivalry": 2, "ambition": 1}  # kinds a contest settles if they are about its prize -> how many must take part
MARGIN = 5 * MINUTE  # kept after the second of a decision, as a step may be a few minutes long


def intensity_at(p: ActivePressure, t: int, q: PressureParameters) -> float:
    """A pressure's intensity at second t, in [0, 1]. Without a due time and untouched for `quiet` hours, it halves each
    half-life; a secret gains `grows` a day instead.
    """
    quiet = t - p.t - q.quiet * HOUR
    if p.due >= 0 or quiet <= 0:
        return p.intensity
    if p.kind == SECRET and q.truth and q.grows:
        return min(1.0, p.intensity + q.grows * quiet / DAY)
    return float(p.intensity * 2.0 ** (-quiet / (q.half_life * HOUR)))


def next_stage(p: ActivePressure, to: int, t: int, q: PressureParameters) -> int:
    """The stage after an effect that raises it towards `to`: one stage at a time, at least `ladder` minutes apart."""
    if to <= p.stage or t - p.staged < q.ladder * MINUTE:
        return p.stage
    return p.stage + 1


def of(state: PressureState, who: str) -> Iterator[ActivePressure]:
    """The open pressures that a person holds or that are about them."""
    return (p for p in state.open.values() if who in (p.holder, p.about))


def pressures_between(state: PressureState, a: str, b: str) -> Iterator[ActivePressure]:
    """The open pressures of two people about each other."""
    return (p for p in state.open.values() if (p.holder == a and p.about == b) or (p.holder == b and p.about == a))


def count_last_day(times: list[int], t: int) -> int:
    """How many of these moments lie in the last 24 hours."""
    return sum(t - x < DAY for x in times)


def may_take_turn(state: PressureState, who: str, t: int, q: PressureParameters) -> bool:
    """Whether a person's last turn is long enough ago for another."""
    return who not in state.turned or t - state.turned[who] >= q.turns * MINUTE


def may_face(state: PressureState, a: str, b: str, t: int, q: PressureParameters) -> bool:
    """Whether these two may confront each other again, and the town may have another row."""
    last = state.faced.get(pair_key(a, b))
    return (last is None or t - last >= q.faces * MINUTE) and count_last_day(state.rows, t) < q.rows


def may_break(state: PressureState, t: int, q: PressureParameters) -> bool:
    """Whether the limit of breaks in the last day leaves room for another."""
    return count_last_day(state.breaks, t) < q.breaks


def timely(p: ActivePressure, way: PressureWay, t: int) -> bool:
    """Whether a way may be taken now, given that some are only for when the pressure's due time is near."""
    return not way.near or p.due < 0 or p.due - t < HOUR_NEAR


def is_too_soon(p: ActivePressure, way: PressureWay, who: str, t: int) -> bool:
    """Whether somebody took a way too recently to take it again. A holder who came to settle the matter and was turned
    away may return after RETURNS.
    """
    away = t - p.tried.get(key_of(who, way.do, away=True), NEVER)
    return t - p.tried.get(key_of(who, way.do), NEVER) < way.every or away < (RETURNS if way.offers else way.every)


def can_end_badly(kind: Kind, way: PressureWay) -> bool:
    """Whether one of a way's answers breaks the pressure, or ends it badly."""
    return any(e.stage >= 3 or (e.end and not kind.ends[e.end].good) for e in (way.accept, way.dodge, way.refuse))


# ---- pressures that an occasion will decide: nothing else may end them before


def settles(decision: Decision, p: ActivePressure) -> bool:
    """Whether a decision settles a pressure: it names it, or is a contest its people enter for what is at stake."""
    if p.id in decision.settles:
        return p.kind in SETTLED
    if decision.kind != "contest" or p.kind not in PRIZED:
        return False
    return {*(p.holder, p.about)[: PRIZED[p.kind]]} <= {
        *decision.who
    } and decision.about.casefold() in p.stakes.casefold()


def awaits_occasion(w: HasPressures, p: ActivePressure, t: int) -> bool:
    """Whether an occasion today, or on the day a pressure is due, will still decide it."""
    days = {w.clock.day(t), w.clock.day(max(t, p.due))}
    return any(
        o.decides is not None
        and settles(o.decides, p)
        and any(o in w.calendar.on(day) and w.calendar.hour(o, day) + MARGIN > t for day in days)
        for o in w.calendar.deciding
    )


def preempts_occasion(w: HasPressures, p: ActivePressure, way: PressureWay, t: int) -> bool:
    """Whether taking a way could end a pressure that an occasion is to decide."""
    ends = SETTLED.get(p.kind)
    if ends is None or not w.calendar.deciding:
        return False
    return not way.endings.isdisjoint((*ends, TERMS)) and awaits_occasion(w, p, t)


# ---- pressures rest while their holder, or the person they are about, is out of town


class Resting(msgspec.Struct):
    """A resting pressure, as it was when its rest began. since: the second of that."""

    press: ActivePressure
    since: int


class RestState(msgspec.Struct):
    """pressures: resting pressures by id."""

    pressures: dict[str, Resting] = msgspec.field(default_factory=dict)


class HasResting(HasPressures):
    """The part of a world that these rules touch."""

    resting: RestState


def suspend_pressures(w: HasResting, e: Left, stamp: Stamp) -> None:
    for id, p in [*w.pressures.open.items()]:
        if stamp.actor in (p.holder, p.about):
            w.resting.pressures[id] = Resting(w.pressures.open.pop(id), stamp.t)


def resume_pressures(w: HasResting, e: Came, stamp: Stamp) -> None:
    for id, x in [*w.resting.pressures.items()]:
        p = x.press
        if stamp.actor in (p.holder, p.about) and in_town(w, p.holder) and in_town(w, p.about):
            w.pressures.open[id] = delay_pressure(p, stamp.t - x.since)
            del w.resting.pressures[id]
    for new in e.pressures:
        check_residents(w, new.holder, new.about)
        if new.kind not in w.drama.kinds or new.id in w.cast_pressures:
            raise ValueError(f"{stamp.actor} cannot come with {new.id}")
        w.cast_pressures[new.id] = new
    state, found = w.pressures, w.files[stamp.actor].matters.values()
    for id in {x for x in found if x in state.woken and x not in state.open and x not in w.resting.pressures}:
        close_concerns(w, id)


def delay_pressure(p: ActivePressure, by: int) -> ActivePressure:
    """Move all times of a pressure `by` seconds later, in place."""
    p.t, p.staged, p.dated = p.t + by, p.staged + by, p.dated + by
    p.due = p.due + by if p.due >= 0 else p.due
    p.sought = p.sought + by if p.sought >= 0 else p.sought
    p.tried = {key: t + by for key, t in p.tried.items()}
    p.taken = {do: (t + by, answer) for do, (t, answer) in p.taken.items()}
    return p


HANDLERS: dict[type[Event], Callable[..., None]] = {Came: resume_pressures, Left: suspend_pressures}


# ---- unsuccessful attempts of two people over a thread: which exchanges are shut to them, and when a holder gives up.
# An exchange is shut after `pressures.tries` attempts or one refusal, until there is news: a later event of the thread
# between others that both know of, or one that came by itself.


FOLLOW_UP = 24 * HOUR  # time since a pressure was last touched after which its follow-up ways no longer keep it alive


def last_try(w: HasPressures, thread: str, do: str, a: str, b: str) -> Tried | None:
    """The record of two people's attempts at an exchange in a thread; None if there is none, or news came since."""
    found = w.tries.threads.get(thread)
    done = found.tried.get(pair_key(a, b), {}).get(do) if found is not None else None
    if found is None or done is None or _news(w, thread, found, a, b, done.seq):
        return None
    return done


def is_exhausted(w: HasPressures, thread: str, do: str, a: str, b: str) -> bool:
    """Whether an exchange in a thread is shut to two people."""
    done, most = last_try(w, thread, do, a, b), w.pressure_parameters.tries
    return bool(most) and done is not None and (done.refused or done.times >= most)


def is_way_unlocked(w: HasPressures, p: ActivePressure, way: PressureWay, me: str, other: str) -> bool:
    """Whether the exchange in `way.after` is shut, so that the way is open: between holder and about, or, for a knower,
    between them and their listener over a pressure of their own.
    """
    if way.by != "knower" or not way.after:
        return not way.after or is_exhausted(w, p.thread, way.after, p.holder, p.about)
    own = (x for x in w.pressures.open.values() if (x.holder, x.about) == (me, other))
    return any(is_exhausted(w, x.thread, way.after, me, other) for x in own)


def _news(w: HasPressures, name: str, thread: Thread, a: str, b: str, seq: int) -> bool:
    """Whether both a and b have learned, since event `seq`, of an event in this thread that is not between them."""
    mine, yours = w.beliefs.held.get(a, {}), w.beliefs.held.get(b, {})
    for id in dict.fromkeys((*mine, *yours)):
        if not id.startswith(EVENT):
            continue
        fact = w.beliefs.facts[id]
        now = w.pressures.open.get(fact.matter)
        if {fact.a, fact.b} == {a, b} or (now.thread != name if now is not None else fact.matter not in thread.over):
            continue
        since = [held[id].seq if id in held else int(id[len(EVENT) :]) for held in (mine, yours)]
        both = all(id in held or who in (fact.a, fact.b) for who, held in ((a, mine), (b, yours)))
        if both and max(since) > seq:
            return True
    return False


def given_up(w: HasPressures, p: ActivePressure, handbook: Handbook, t: int, alone: bool) -> tuple[str, int]:
    """(why the holder gives a pressure up, number of the last failed event); ("", 0) while a way is left. All exchanges
    with the person it is about must be shut, and those with others tried as often. Ways that open only after that count
    for FOLLOW_UP seconds. alone: the pressure is the holder's own; if they have it for somebody else, neither others
    nor later ways count.
    """
    thread = w.tries.threads.get(p.thread)
    ways = [x for x in ways_of(w.drama, p.id, p.kind) if x.by == "holder" and x.stage <= p.stage <= x.until]
    straight = {x.do: x for x in ways if x.to == "about"}
    first = [do for do, x in straight.items() if not x.after]
    if thread is None or not first or not all(is_exhausted(w, p.thread, do, p.holder, p.about) for do in first):
        return "", 0
    if alone and any(_room(w, p, thread, x) for x in ways if x.to == "other"):
        return "", 0
    if alone and t - p.t < FOLLOW_UP and not all(is_exhausted(w, p.thread, do, p.holder, p.about) for do in straight):
        return "", 0
    done = {do: x for do, x in thread.tried[pair_key(p.holder, p.about)].items() if do in straight}
    return _in_vain(handbook, p, done), max(x.seq for x in done.values())


def _in_vain(handbook: Handbook, p: ActivePressure, done: Mapping[str, Tried]) -> str:
    """A clause on the holder's failed attempts: turned away, refused, or nothing came of it. If the other tried too, or
    some attempts are older than the pressure, it is worded as something between the two.
    """
    me, other, times = handbook.name(p.holder), handbook.name(p.about), sum(x.times for x in done.values())
    mine, yours = (
        {do for do in done for x in (False, True) if key_of(who, do, x) in p.tried} for who in (p.holder, p.about)
    )
    if mine != {*done} or yours:
        return f"it has come to nothing between {me} and {other} {often(times)}"
    if not any(key_of(p.holder, do) in p.tried for do in done) and sum(x.vain for x in done.values()) == times:
        return f"{other} has turned {me} away{f' {often(times)}' if times > 1 else ''}"
    came = f"{other} would have none of it" if any(x.refused for x in done.values()) else "nothing has come of it"
    return f"{me} has been to {other} {often(times)}, and {came}"


def _room(w: HasPressures, p: ActivePressure, thread: Thread, way: PressureWay) -> bool:
    """Whether the holder has tried an exchange with third people fewer than `tries` times."""
    times = sum(
        done[way.do].times
        for key, done in thread.tried.items()
        if way.do in done and p.holder in key.split("|") and key != pair_key(p.holder, p.about)
    )
    return times < w.pressure_parameters.tries
