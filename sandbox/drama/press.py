"""What presses by itself: pressures wake, show, fall due and fade, people look for one another, sparks fall."""

from __future__ import annotations

from sandbox.core.clock import DAY, HOUR, MINUTE, day_matches
from sandbox.core.protocols import Step
from sandbox.drama.births import bear
from sandbox.drama.deal import LATE, moment, move
from sandbox.drama.model import HasDrama, level
from sandbox.people.live import stop
from sandbox.people.model import Block
from sandbox.people.persona import Pressure
from sandbox.people.planning import resolve
from sandbox.people.pressures.deck import Effect, Role, Spark
from sandbox.people.pressures.model import Began, Ended, Press, Sought, Sparked, Stirred
from sandbox.people.pressures.rules import NEAR, climbs, intensity_at, rested, timely
from sandbox.talk.aims import hearers, on
from sandbox.talk.content import busy, tie_of
from sandbox.town.rules import tile_at

GRACE = 20 * MINUTE  # after its hour in which a pressure may still be met
SEARCH, AGAIN, RUSH = 25 * MINUTE, 3 * HOUR, 40 * MINUTE
YOUNG = 45 * MINUTE  # a pressure does not show before that age
LOOKS = 0.05  # chance a minute that one who may goes looking for somebody
SHOWS = 0.5  # chance an hour that it shows while somebody is near
NEVER = -(10**9)
FROM, TO = 8 * HOUR, 21 * HOUR
QUIET = (0, 150 * MINUTE, 90 * MINUTE, 45 * MINUTE)  # without a turn, by the storyteller's level
HALF = 30 * MINUTE  # within which half of the sparks that may fall do
BETWEEN, AFTER_BREAK = 2 * HOUR, 3 * HOUR


async def press(step: Step, w: HasDrama) -> None:
    """One slice of all that needs nobody to speak."""
    if not on(w):
        return
    _wake(step, w)
    for p in tuple(w.pressures.open.values()):
        if _late(step, w, p) or _faded(step, w, p):
            continue
        _show(step, w, p)
        _seek(step, w, p)
    _spark(step, w)
    await step.breathe()


def _wake(step: Step, w: HasDrama) -> None:
    for c in w.cast_pressures:
        if c.wakes < step.end and c.id not in w.pressures.woken and c.wakes + _drift(w, c) < step.end:
            t = max(step.now, c.wakes, w.last.get(c.holder, 0))
            due = -1 if c.due is None else c.due
            event = Began(c.id, c.kind, c.about, c.intensity, c.stage, due, c.stakes, c.cause, c.thread, c.known_by)
            step.emit(event, t=t, actor=c.holder)


def _drift(w: HasDrama, c: Pressure) -> int:
    """By how much later than written a pressure without an hour wakes in this town: no two begin alike."""
    if not c.wakes or c.due is not None:
        return 0
    return DAY * w.chance.stream(0, c.id, "drift").below(w.pressure_parameters.drift + 1)


def _late(step: Step, w: HasDrama, p: Press) -> bool:
    """What happens when its hour has passed; whether it did."""
    if p.due < 0 or p.due + GRACE > step.now or not _free(w, p.holder):
        return False
    kind = w.drama.kinds[p.kind]
    late = kind.late
    end = late.end if not late.later or p.stage >= 2 else ""
    if end and p.stage >= 2 and kind.ready:
        end = kind.ready
    elif end and kind.luck and step.chance(p.id, "luck").unit() < 0.5:
        end = kind.luck
    good = bool(end) and kind.ends[end].good
    children = late.children if end == late.end and end else ()
    effect = Effect(
        by=late.by,
        stage=late.stage,
        later=late.later,
        actor=0.0 if good else late.actor,
        target=0.0 if good else late.target,
        children=children,
    )
    if end and not (rested(w.pressures, p.holder, step.now, w.pressure_parameters) or p.due + HOUR < step.now):
        return False
    move(step, w, p, effect, (), p.holder, p.about, LATE, end=end)
    return True


def _free(w: HasDrama, who: str) -> bool:
    r = w.people.residents[who]
    return r.awake and not r.talk


def _faded(step: Step, w: HasDrama, p: Press) -> bool:
    if p.due >= 0 or intensity_at(p, step.now, w.pressure_parameters) >= w.pressure_parameters.least:
        return False
    t = max(moment(step, w, p.holder), p.t)
    good = w.drama.kinds[p.kind].ends["faded"].good
    step.emit(Ended(p.id, "faded", good, turn=False), t=t, actor=p.holder, causes=(p.last,))
    return True


def _show(step: Step, w: HasDrama, p: Press) -> None:
    """A pressure that nobody has noticed shows itself to somebody near."""
    if p.stage or not _free(w, p.holder) or step.now - p.t < YOUNG:
        return
    minutes = (step.end - step.now) / 60.0
    if step.chance(p.id, "shows").unit() >= 1.0 - (1.0 - SHOWS) ** (minutes / 60.0):
        return
    t = max(moment(step, w, p.holder), p.t)
    near = [who for who in hearers(w, p.holder, p.about, t) if who not in p.known_by]
    if not near:
        return
    who = step.chance(p.id, "seen by").choice(near)
    q = w.pressure_parameters
    x = round(intensity_at(p, t, q), 6)
    stage = climbs(p, 1, t, q)
    event = Stirred(p.id, "shows", "", who, 0.0, x, stage, (who,), p.due)
    step.emit(event, t=t, actor=p.holder, causes=(p.last,))


# ---- going to look for somebody


def _seek(step: Step, w: HasDrama, p: Press) -> None:
    q = w.pressure_parameters
    soon = p.due >= 0 and p.due - step.now < NEAR
    if not p.about or p.stage < 1 or not _free(w, p.holder):
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
        and step.now - p.tried.get(f"{p.holder} {x.do}", NEVER) >= x.every
    ]
    r = w.people.residents[p.holder]
    if not ways or r.replan or not r.plan or r.plan[-1].start <= step.now:
        return
    way = max(ways, key=lambda x: x.weight)
    t = max(moment(step, w, p.holder), p.t)
    where = believed(w, p.about, t)
    width = w.map.width
    here = w.map.area_of[tile_at(w.town.spots[p.holder], t, width)]
    if not where or (here == where and not w.town.spots[p.holder].path):
        return
    end = min(t + SEARCH, r.plan[-1].start)
    if end - t < 10 * MINUTE:
        return
    name = w.handbook.name(p.about)
    why = f"to find {name} {exchanges[way.do].says}"
    block = Block(t, end, "seek", where, why, p.about)
    stop(step, w, p.holder, t)
    step.emit(Sought(p.id, p.about, block, why), t=t, actor=p.holder, causes=(p.last,))


def believed(w: HasDrama, who: str, t: int) -> str:
    """Where others think somebody is: an occasion they never miss, else what their usual day says. It may be wrong."""
    clock, persona = w.clock, w.cast[who]
    day, second = clock.day(t), clock.second_of_day(t)
    for o in w.calendar.of(who, day):
        if o.from_ - 10 * MINUTE <= second < o.to - 5 * MINUTE:
            return resolve(persona, o.where)
    weekday = clock.weekday(t)
    slots = next((d.slots for d in persona.routine.days if day_matches(d.days, weekday)), ())
    usual = [s for s in sorted(slots, key=lambda s: s.at) if s.at <= second]
    return resolve(persona, usual[-1].where) if usual else ""


# ---- sparks


def _spark(step: Step, w: HasDrama) -> None:
    state, t = w.pressures, step.now
    much = level(w)
    second = w.clock.second_of_day(t)
    if not much or not FROM <= second < TO or t - state.last_turn < QUIET[much]:
        return
    if state.sparked >= 0 and t - state.sparked < BETWEEN:
        return
    if state.breaks and t - state.breaks[-1] < AFTER_BREAK:
        return
    if step.chance("", "spark").unit() >= 1.0 - 0.5 ** ((step.end - step.now) / HALF):
        return
    levels = ("calm", "steady", "stormy")[:much]
    ready = [
        id
        for id, s in w.drama.sparks.items()
        if s.level in levels and (id not in state.sparks or t - state.sparks[id] >= s.cooldown * DAY)
    ]
    step.chance("", "sparks").shuffle(ready)
    for id in ready:
        spark = w.drama.sparks[id]
        roles = filled(step, w, spark)
        if roles:
            _fall(step, w, id, spark, roles)
            return


def filled(step: Step, w: HasDrama, spark: Spark) -> dict[str, str]:
    """People for the roles, those first who have had least attention; {} if there are none."""
    state = w.pressures
    out: dict[str, str] = {}
    free = [who for who, r in w.people.residents.items() if r.awake]
    step.chance("", "roles").shuffle(free)
    free.sort(key=lambda who: max(state.turned.get(who, -1), state.befallen.get(who, -1)) // DAY)
    for role, wanted in spark.roles.items():
        who = next((x for x in free if x not in out.values() and plays(w, x, wanted, out)), "")
        if not who:
            return {}
        if not out:  # the others are of the same town
            here = w.ways.part(w.town.spots[who].tile)
            free = [x for x in free if w.ways.part(w.town.spots[x].tile) == here]
        out[role] = who
    return out


def plays(w: HasDrama, who: str, role: Role, others: dict[str, str]) -> bool:
    """Whether somebody fits a role beside those who have theirs."""
    p = w.cast[who]
    if role.jobs and p.job not in role.jobs:
        return False
    if role.traits and not set(role.traits) & set(p.traits):
        return False
    if not role.ages[0] <= p.age <= role.ages[1]:
        return False
    return all(least <= tie_of(w, who, others[x]).feeling <= most for x, (least, most) in role.towards.items())


def _fall(step: Step, w: HasDrama, id: str, spark: Spark, roles: dict[str, str]) -> None:
    says = spark.says.format(**{role: w.handbook.name(who) for role, who in roles.items()})
    t = moment(step, w, *roles.values())
    seq = step.emit(Sparked(id, roles, says), t=t)
    for child in spark.children:
        bear(step, w, child, (seq,), roles.get("actor", ""), roles.get("target", ""), since=t)
