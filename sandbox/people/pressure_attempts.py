"""Unsuccessful attempts of two people over a thread: which exchanges are shut to them, and when a holder gives up.

An exchange is shut after `pressures.tries` attempts or one refusal, until there is news: a later event of the thread
between others that both know of, or one that came by itself. Pure functions of the state.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandbox.core.clock import HOUR
from sandbox.core.text import often
from sandbox.people.beliefs import EVENT
from sandbox.people.handbook import Handbook
from sandbox.people.pressure_deck import PressureWay, ways_of
from sandbox.people.pressure_handlers import HasPressures, key_of
from sandbox.people.pressure_model import ActivePressure, Thread, Tried
from sandbox.people.ties import pair_key

LEFT = 24 * HOUR  # time since a pressure was last touched after which its follow-up ways no longer keep it alive


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
    for LEFT seconds. alone: the pressure is the holder's own; if they have it for somebody else, neither others nor
    later ways count.

    """
    thread = w.tries.threads.get(p.thread)
    ways = [x for x in ways_of(w.drama, p.id, p.kind) if x.by == "holder" and x.stage <= p.stage <= x.until]
    straight = {x.do: x for x in ways if x.to == "about"}
    first = [do for do, x in straight.items() if not x.after]
    if thread is None or not first or not all(is_exhausted(w, p.thread, do, p.holder, p.about) for do in first):
        return "", 0
    if alone and any(_room(w, p, thread, x) for x in ways if x.to == "other"):
        return "", 0
    if alone and t - p.t < LEFT and not all(is_exhausted(w, p.thread, do, p.holder, p.about) for do in straight):
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
