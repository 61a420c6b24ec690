"""Going to look for somebody: because of a pressure, or to comfort somebody who has had a bad day."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.drama.new_pressures import bear
from sandbox.people.claim_handlers import binds, friends, superiors
from sandbox.people.daily_life import stop
from sandbox.people.goal_handlers import step_way, ways
from sandbox.people.mark_habits import strong_of
from sandbox.people.mark_model import AVOID
from sandbox.people.model import SEEK, Block
from sandbox.people.paying import has
from sandbox.people.perceive import area_at
from sandbox.people.planning import block_at, expected_place
from sandbox.people.played import is_played
from sandbox.people.pressure_deck import PressureWay, kindness
from sandbox.people.pressure_model import ActivePressure, Sought
from sandbox.people.pressure_rules import (
    HOUR_NEAR,
    intensity_at,
    is_exhausted,
    is_too_soon,
    is_way_unlocked,
    may_take_turn,
    preempts_occasion,
    timely,
)
from sandbox.talk.content import busy, tie_of
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import ending_pays, listens

SEARCH, AGAIN, RUSH = 25 * MINUTE, 3 * HOUR, 40 * MINUTE  # longest search; pause until the next, and if nearly due
LOOKS = 0.05  # chance per minute to set out
WITHIN = 3 * HOUR  # how soon after the last bad turn a friend comes
SPARED = HOUR  # how long after it nobody leaves a duty to come
LIKES = 0.2  # least feeling of a friend who comes


def seek(step: Step, w: HasTalk, p: ActivePressure) -> None:
    """The available holder of a strong or nearly due pressure sets out to find the one it is about, or a helper."""
    q = w.pressure_parameters
    soon = p.due >= 0 and p.due - step.now < HOUR_NEAR
    if (p.stage < 1 and p.id not in w.goals.open) or 0 <= p.sought > step.now - (RUSH if soon else AGAIN):
        return
    if not soon and (intensity_at(p, step.now, q) < q.seek or busy(w, p.holder)):
        return
    if not soon and any(m.habit == AVOID and m.whom == p.about for m in strong_of(w, p.holder, step.now)):
        return
    looks = 1.0 - (1.0 - LOOKS) ** ((step.end - step.now) / 60.0)
    if not soon and not (
        may_take_turn(w.pressures, p.holder, step.now, q) and step.chance(p.id, "seek").unit() < looks
    ):
        return
    planned = step_way(w, p, step.now)
    if planned is None and p.stage < 1:
        return
    kinds = [planned[0]] if planned is not None else ways(w, p, p.holder, p.about, step.now)
    found = [
        x
        for x in kinds
        if (planned is not None or w.drama.exchanges[x.do].seeks)
        and x.by == "holder"
        and x.stage <= p.stage <= x.until
        and timely(p, x, step.now)
        and not preempts_occasion(w, p, x, step.now)
        and not is_too_soon(p, x, p.holder, step.now)
        and not (ending_pays(w, p, x.accept.end) and not has(w, p.holder, p.amount))
    ]
    here = area_at(w, p.holder, step.now)
    for way in sorted(found, key=lambda x: -x.weight):
        if whom := _listener(step, w, p, way, planned[1] if planned is not None else ""):
            where = expected_place(w, whom, free_moment(step, w, p.holder))
            if where and (where != here or w.town.spots[p.holder].path):
                go(step, w, p, whom, way.do, where)
            return


def _listener(step: Step, w: HasTalk, p: ActivePressure, way: PressureWay, planned: str) -> str:
    """Whom the holder would approach: the planned one, else the one it is about, a superior of theirs, or a friend, as
    the way says; "" for nobody. Of several the first, or one by lot (`HasTalk.turn_to`).
    """
    if planned:
        found: Iterable[str] = (planned,)
    elif way.to == "about":
        found = (p.about,)
    else:
        found = superiors(w, p.about) if way.to == "authority" else friends(w, p.holder, way.fond)
    me, needs = p.holder, w.drama.exchanges[way.do].needs
    fits = (x for x in found if x and listens(w, p, way, me, x) and (not needs or binds(w, me, x, needs)))
    open_ = (x for x in fits if is_way_unlocked(w, p, way, me, x) and not is_exhausted(w, p.thread, way.do, me, x))
    return w.turn_to(step, me, [*open_]) if w.turn_to is not None else next(open_, "")


def go(step: Step, w: HasTalk, p: ActivePressure, whom: str, do: str, where: str) -> None:
    """The holder sets out to find somebody at a place, if their plan leaves time. do: the exchange it is for."""
    t = max(free_moment(step, w, p.holder), p.t)
    end = search_end(step, w, p.holder, t)
    if end:
        why = f"to find {w.handbook.name(whom)} {w.drama.exchanges[do].says}"
        stop(step, w, p.holder, t)
        block = Block(t, end, SEEK, where, why, whom)
        step.emit(Sought(p.id, whom, block, why, do), t=t, actor=p.holder, causes=(p.last,))


def search_end(step: Step, w: HasTalk, who: str, t: int) -> int:
    """Until when somebody can search from t on; 0 if their plan leaves no time."""
    r = w.people.residents[who]
    if r.upset or not r.plan or r.plan[-1].start <= step.now or is_played(w, who):
        return 0
    end = min(t + SEARCH, r.plan[-1].start)
    return end if end - t >= 10 * MINUTE else 0


def is_available(w: HasTalk, who: str) -> bool:
    """Whether somebody is awake and not in a talk."""
    r = w.people.residents[who]
    return r.awake and not r.talk


# ---- mercy: after a bad day a friend soon comes


def mercy(step: Step, w: HasTalk) -> None:
    """Send a friend to whoever has had enough bad turns, unless one is on the way."""
    enough, since = w.pressure_parameters.mercy, step.now - WITHIN
    hurt = [x for x in w.pressures.hurt.items() if enough and len(x[1]) >= enough and x[1][-1][0] > since]
    do = kindness(w.drama) if hurt else ""
    sought: set[str] | None = None  # computed when first needed, and again once somebody has gone
    for who, blows in hurt if do else ():
        recent = [blow for blow in blows if step.now - blow[0] < DAY]
        if len(recent) < enough or not is_available(w, who):
            continue
        sought = _sought(w, step.now) if sought is None else sought
        if who in sought:
            continue
        late = step.now - recent[-1][0] >= SPARED
        friend = _friend(step, w, who, late)
        if not friend:
            continue
        if _thought(w, friend, who) is None:
            causes = tuple(seq for _, seq, _ in recent[-enough:])
            bear(step, w, w.drama.mercy, causes, friend, who, since=recent[-1][0], thread=recent[-1][2])
        p = _thought(w, friend, who)
        if p is not None:
            go(step, w, p, who, do, _where(step, w, friend, who))
            sought = None


def _sought(w: HasTalk, t: int) -> set[str]:
    """Everybody whom somebody is looking for at t."""
    blocks = (r.plan[block_at(r, t)] for r in w.people.residents.values() if r.plan)
    return {block.whom for block in blocks if block.do == SEEK}


def _friend(step: Step, w: HasTalk, who: str, late: bool) -> str:
    """Who comes: someone fond and able to come, first those who already mean to, then by fondness; "" for nobody. Early
    on nobody leaves a duty, and nobody else comes while one means to.
    """
    stage = w.drama.children[w.drama.mercy].stage
    fond = [(x, _thought(w, x, who)) for x in w.cast if x != who and tie_of(w, x, who).feeling >= LIKES]
    mean_to = [x for x, p in fond if p is not None and p.stage >= stage]
    if late or not mean_to:
        mean_to += sorted((x for x, p in fond if p is None), key=lambda x: -tie_of(w, x, who).feeling)
    for x in mean_to:
        can = is_available(w, x) and (late or not busy(w, x)) and search_end(step, w, x, free_moment(step, w, x))
        if can and _where(step, w, x, who):
            return x
    return ""


def _where(step: Step, w: HasTalk, friend: str, who: str) -> str:
    """Where the friend looks: here if both are here, else where the person is expected to be."""
    here = area_at(w, friend, step.now)
    return here if here and here == area_at(w, who, step.now) else expected_place(w, who, step.now)


def _thought(w: HasTalk, friend: str, who: str) -> ActivePressure | None:
    """The friend's open pressure about somebody of the kind that mercy makes, if any."""
    kind = w.drama.children[w.drama.mercy].kind
    return next((p for p in w.pressures.open.values() if (p.kind, p.holder, p.about) == (kind, friend, who)), None)
