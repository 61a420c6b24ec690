"""What two people have tried over a matter without end: which ways are shut to them, and who gives it up.

A way is shut after `pressures.tries` times, or once it was refused, until there is news: an event of the matter between
others that both have come to know since, or one that came by itself. Pure functions of the state.
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

LEFT = 24 * HOUR  # since anything touched it, after which nobody goes on by other means


def last_try(w: HasPressures, thread: str, do: str, a: str, b: str) -> Tried | None:
    """What has come of it that these two did that over this matter, since there last was news of it."""
    found = w.tries.threads.get(thread)
    done = found.tried.get(pair_key(a, b), {}).get(do) if found is not None else None
    if found is None or done is None or _news(w, thread, found, a, b, done.seq):
        return None
    return done


def is_exhausted(w: HasPressures, thread: str, do: str, a: str, b: str) -> bool:
    """Whether these two have got nowhere with that over this matter."""
    done, most = last_try(w, thread, do, a, b), w.pressure_parameters.tries
    return bool(most) and done is not None and (done.refused or done.times >= most)


def is_way_unlocked(w: HasPressures, p: ActivePressure, way: PressureWay, me: str, other: str) -> bool:
    """Whether what a way comes after is shut: between the two it is about, or, for a knower, between them and whom they
    speak to, over a matter of their own.
    """
    if way.by != "knower" or not way.after:
        return not way.after or is_exhausted(w, p.thread, way.after, p.holder, p.about)
    own = (x for x in w.pressures.open.values() if (x.holder, x.about) == (me, other))
    return any(is_exhausted(w, x.thread, way.after, me, other) for x in own)


def _news(w: HasPressures, name: str, thread: Thread, a: str, b: str, seq: int) -> bool:
    """Whether both have come to know of something since event `seq` that others did in this matter."""
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
    """Why the holder gives a pressure up, and the event that was one too many; ("", 0) if there is a way still.

    All ways to whom it is about are shut, and what else there is to do, with others, was done as often in vain. What
    can only be done after that is a way for LEFT. alone: it is the holder's own; who has it for somebody else does not
    go to others with it, nor on by other means.
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
    """What has come of it that the holder went to whom it is about: whether it came to words, and to hard ones. Where
    the other came, too, or it was done before this began, it is told as theirs together.
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
    """Whether the holder has done that with others less often than one may with the same one."""
    times = sum(
        done[way.do].times
        for key, done in thread.tried.items()
        if way.do in done and p.holder in key.split("|") and key != pair_key(p.holder, p.about)
    )
    return times < w.pressure_parameters.tries
