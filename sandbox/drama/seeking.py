"""Going to look for somebody, out of what presses one."""

from __future__ import annotations

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.drama.deal import moment
from sandbox.drama.model import HasDrama
from sandbox.people.live import stop
from sandbox.people.model import SEEK, Block
from sandbox.people.perceive import area_at
from sandbox.people.planning import resolve
from sandbox.people.pressures.model import Press, Sought
from sandbox.people.pressures.rules import NEAR, NEVER, forestalls, intensity_at, rested, timely
from sandbox.talk.content import busy

SEARCH, AGAIN, RUSH = 25 * MINUTE, 3 * HOUR, 40 * MINUTE
LOOKS = 0.05  # chance a minute that one who may goes looking for somebody


def seek(step: Step, w: HasDrama, p: Press) -> None:
    """The holder of a pressure that is strong, or near its hour, goes to find whom it is about."""
    q = w.pressure_parameters
    soon = p.due >= 0 and p.due - step.now < NEAR
    if not p.about or p.stage < 1 or not free(w, p.holder):
        return
    if not soon and (intensity_at(p, step.now, q) < q.seek or busy(w, p.holder)):
        return
    if step.now - p.sought < (RUSH if soon else AGAIN) and p.sought >= 0:
        return
    looks = 1.0 - (1.0 - LOOKS) ** ((step.end - step.now) / 60.0)
    if not soon and not (rested(w.pressures, p.holder, step.now, q) and step.chance(p.id, "seek").unit() < looks):
        return
    exchanges = w.drama.exchanges
    ways = [x for x in w.drama.kinds[p.kind].ways if x.by == "holder" and x.to == "about" and exchanges[x.do].seeks]
    ways = [
        x
        for x in ways
        if x.stage <= p.stage <= x.until
        and timely(p, x, step.now)
        and not forestalls(w, p, x, step.now)
        and step.now - p.tried.get(f"{p.holder} {x.do}", NEVER) >= x.every
    ]
    where = believed(w, p.about, moment(step, w, p.holder))
    here = area_at(w, p.holder, step.now)
    if ways and where and (where != here or w.town.spots[p.holder].path):
        go(step, w, p, max(ways, key=lambda x: x.weight).do, where)


def go(step: Step, w: HasDrama, p: Press, do: str, where: str) -> None:
    """The holder sets out to find the other at a place, if their plan leaves time for it. do: what for."""
    t = max(moment(step, w, p.holder), p.t)
    end = leaves(step, w, p.holder, t)
    if end:
        why = f"to find {w.handbook.name(p.about)} {w.drama.exchanges[do].says}"
        stop(step, w, p.holder, t)
        block = Block(t, end, SEEK, where, why, p.about)
        step.emit(Sought(p.id, p.about, block, why), t=t, actor=p.holder, causes=(p.last,))


def leaves(step: Step, w: HasDrama, who: str, t: int) -> int:
    """Until when somebody can look for another from t on; 0 if their plan leaves no time for it."""
    r = w.people.residents[who]
    if r.upset or not r.plan or r.plan[-1].start <= step.now:
        return 0
    end = min(t + SEARCH, r.plan[-1].start)
    return end if end - t >= 10 * MINUTE else 0


def free(w: HasDrama, who: str) -> bool:
    """Whether somebody is awake and not in a talk."""
    r = w.people.residents[who]
    return r.awake and not r.talk


def believed(w: HasDrama, who: str, t: int) -> str:
    """Where others think somebody is: an occasion they never miss, else what their usual day says. It may be wrong."""
    clock, persona = w.clock, w.cast[who]
    day, second = clock.day(t), clock.second_of_day(t)
    for o in w.calendar.of(who, day):
        if o.from_ - 10 * MINUTE <= second < o.to - 5 * MINUTE:
            return resolve(persona, o.where)
    usual = [s for s in persona.routine.usual(clock.weekday(t)) if s.at <= second]
    return resolve(persona, usual[-1].where) if usual else ""
