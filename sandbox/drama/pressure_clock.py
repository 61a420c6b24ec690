"""Pressures that act by themselves: they wake, show, fall due and fade; holders go looking, and sparks befall them.

Why a matter came to a bad end at its hour is told first by what its holder tried, with whom and with what answer, and
only then by what they did instead.
"""

from __future__ import annotations

from collections.abc import Set

from msgspec import UNSET
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.drama.consequences import LATE, PressureDeed, end_pressure, free_moment, move_pressure
from sandbox.drama.hearsay import learn_by_noticing, visible_clue
from sandbox.drama.new_pressures import bear, definition_of, plays, pressure_fits
from sandbox.drama.seeking import is_available, mercy, seek
from sandbox.people.claim_handlers import stands
from sandbox.people.goal_handlers import SUPPORT, means_of, next_step, wanting
from sandbox.people.model import CurrentAct, Woke
from sandbox.people.paying import ease, has
from sandbox.people.persona import Pressure
from sandbox.people.pressure_beginnings import BORN, LEVELS, OTHER, Child, Spark
from sandbox.people.pressure_deck import ABOUT, ANSWERS, AWAY, Effect, gist, ways_of
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Sparked, Stirred
from sandbox.people.pressure_rules import (
    HOUR_NEAR,
    awaits_occasion,
    given_up,
    intensity_at,
    last_try,
    may_take_turn,
    next_stage,
)
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import hearers, pressures_run

GRACE = 20 * MINUTE  # how long after its hour a pressure can still be met
DUE = frozenset(("debt", "promise"))  # kinds that are kept or broken by a deed of the holder
YES = ANSWERS[0]
NEVER = "never came to {to} with it"
SLEEP = "sleep"  # the block in which one is asleep


def comes_of_hour(step: Step, w: HasTalk, p: ActivePressure) -> tuple[Effect, str]:
    """The effect of a passed hour, and the ending it brings ("" for none yet). A holder who came to settle it and was
    turned down has done what they could: nobody holds it against them.
    """
    kind = w.drama.kinds[p.kind]
    late = kind.late
    if was_turned_down(w, p):
        if kind.offered.end:
            return kind.offered, kind.offered.end
        late = replace(late, target=0.0, children=(), later=0)
    end = late.end if not late.later or p.stage >= SUPPORT else ""
    if end and p.stage >= SUPPORT and kind.ready and _agreed(w, p):
        end = kind.ready
    elif end and kind.luck and step.chance(p.id, "luck").unit() < 0.5:
        end = kind.luck
    return late, end


def was_turned_down(w: HasTalk, p: ActivePressure) -> bool:
    """Whether the holder tried to settle it since the current hour was set, and the one it is about sent them away or
    said no (it is still open, so no attempt was accepted).
    """
    return p.due >= 0 and any(t > p.dated for t, _, _ in _came(w, p, _offers(w, p)))


def _offers(w: HasTalk, p: ActivePressure) -> set[str]:
    """The exchanges by which the holder can offer to settle it."""
    return {way.do for way in ways_of(w.drama, p.id, p.kind) if way.offers}


def _straight(w: HasTalk, p: ActivePressure) -> set[str]:
    """The exchanges by which the holder can act on it with the one it is about."""
    return {x.do for x in ways_of(w.drama, p.id, p.kind) if x.by == "holder" and x.to == ABOUT}


def _came(w: HasTalk, p: ActivePressure, deeds: Set[str]) -> list[tuple[int, str, str]]:
    """For each of these exchanges the holder has tried with the one it is about: when last, which, and the answer."""
    return [(t, do, answer) for do, (t, answer) in p.taken.items() if do in deeds and do in w.drama.exchanges]


def _agreed(w: HasTalk, p: ActivePressure) -> bool:
    """Whether the person it depends on last said yes; true if it depends on nobody. Time passing gives no consent."""
    return not p.about or max(_came(w, p, _straight(w, p)), default=(0, "", ""))[-1] == YES


def overdue_reason(step: Step, w: HasTalk, p: ActivePressure) -> str:
    """Why it ended as its hour passed: what the holder did about it and the answer. For a debt or promise only since
    the hour was set, and also what prevented it: no money, no chance to speak, nobody found, or another activity. ""
    where there is nothing to say, as with a matter of luck.
    """
    if w.drama.kinds[p.kind].luck:
        return ""
    name, other = w.handbook.name(p.holder), w.handbook.name(p.about) if p.about else ""
    if w.drama.kinds[p.kind].ready:
        return _hung(w, p, name, other)
    kept = p.kind in DUE
    if was_turned_down(w, p):
        done = _came(w, p, _offers(w, p))
    elif kept and (why := _short(w, p)):
        return why
    else:
        done = [x for x in _came(w, p, _straight(w, p)) if x[0] > p.dated or not kept]
    if done:
        return _told(w, name, other, *max(done)[1:])
    return _instead(step, w, p, name, other) if kept else f"{name} {NEVER.format(to=other)}" if other else ""


def _told(w: HasTalk, name: str, other: str, do: str, answer: str) -> str:
    """What the holder did with the one it is about, and the answer, as a clause."""
    exchange = w.drama.exchanges[do]
    if answer == AWAY:
        return f"{other} turned {name} away, who had come {exchange.says}"
    took = exchange.took.get(answer)
    return f"{name} {exchange.did.format(to=other)}, and {f'{other} {took}' if took else 'nothing came of it'}"


def _hung(w: HasTalk, p: ActivePressure, name: str, other: str) -> str:
    """Why a matter that depends on somebody's consent ended so: by their last word, if it came in time. If they were
    never asked, say so, and what was missing before that.
    """
    if done := _came(w, p, _straight(w, p)):
        _, do, answer = max(done)
        late = answer == YES and p.stage < SUPPORT
        return _told(w, name, other, do, answer) + (", and there was too little time left" if late else "")
    never = NEVER.format(to=other) if other else ""
    todo = wanting(w, p)
    if todo is None:
        return f"{name} {never}" if never else ""
    whom = w.handbook.name(todo.whom) if todo.whom else "somebody"
    says = w.drama.steps[todo.step].says.format(holder=name, about=other, whom=whom, stakes=gist(p.stakes))
    yet = f"{name} had yet to {says}"
    before = last_try(w, p.thread, means_of(w, todo).do, p.holder, todo.whom) if todo.whom else None
    if before is not None and before.vain:
        return f"{yet}, and {f'{whom} said no' if before.refused else 'had asked in vain'}"
    return f"{yet}, and {never}" if never else yet


def _short(w: HasTalk, p: ActivePressure) -> str:
    """A clause that the holder lacked the money or could not spare it; "" if neither."""
    name, coins = w.handbook.name(p.holder), w.people.residents[p.holder].purse.coins
    if not has(w, p.holder, p.amount):
        return f"{name} had {spelt(coins)} and owed {spelt(p.amount)}"
    if p.amount and ease(w, p.holder, p.amount, p.holder) < 0:
        return f"paying it would have left {name} with {spelt(coins - p.amount)} until pay day"
    return ""


def _instead(step: Step, w: HasTalk, p: ActivePressure, name: str, other: str) -> str:
    """What the holder, who did not come to the other about it, did at that hour."""
    r = w.people.residents[p.holder]
    tie = w.people.ties.get(p.holder, {}).get(p.about)
    if tie is not None and tie.last_talk > p.due - HOUR_NEAR:
        return f"{name} spoke with {other} and did not come to it"
    if other and step.now < p.due + HOUR_NEAR and p.about in hearers(w, p.holder, p.holder, step.now):
        return f"{name} stood beside {other} and could not find a beginning"
    if other and p.sought >= 0 and p.due - p.sought < HOUR_NEAR:
        return f"{name} went looking for {other} and did not find them"
    if _overslept(step, w, p):
        return f"{name} slept through the hour"
    if r.act is None or not r.act.until or _since(r.act) > p.due + GRACE:
        return ""  # they have begun something else since that hour
    return f"{name} was {w.handbook.doing(r.act.do)} and let the hour go by"


def _overslept(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """Whether the holder woke after the hour and has begun at most one activity since."""
    if any(isinstance(e, Woke) and at.actor == p.holder and at.t > p.due for at, e in step.happened):
        return True
    r = w.people.residents[p.holder]
    if r.act is None or len(r.acted) < 2 or _since(r.act) <= p.due:
        return False
    before = r.acted[-2]
    found = w.handbook.activities.get(before)
    return before == SLEEP or (found is not None and SLEEP in found.blocks)


def _since(act: CurrentAct) -> int:
    """The second an act began."""
    return act.until - act.seconds


FROM, TO = 8 * HOUR, 21 * HOUR  # seconds of the day between which sparks fall
QUIET = (0, 150 * MINUTE, 90 * MINUTE, 45 * MINUTE)  # quiet time before a spark, by the storyteller's level
HALF = 30 * MINUTE  # half of the sparks that may fall do so within this time
BETWEEN, AFTER_BREAK = 2 * HOUR, 3 * HOUR  # least time since the last spark, and since the last break


def spark(step: Step, w: HasTalk) -> None:
    """Let a spark befall somebody, if the town has been quiet for long enough."""
    state, t = w.pressures, step.now
    much = ("off", *LEVELS).index(w.rules.get("storyteller", "steady"))
    second = w.clock.second_of_day(t)
    if not much or not FROM <= second < TO or t - state.last_turn < QUIET[much]:
        return
    if state.sparked >= 0 and t - state.sparked < BETWEEN:
        return
    if state.breaks and t - state.breaks[-1] < AFTER_BREAK:
        return
    if step.chance("", "spark").unit() >= 1.0 - 0.5 ** ((step.end - step.now) / HALF):
        return
    ready = [
        id
        for id, s in w.drama.sparks.items()
        if s.level in LEVELS[:much] and (id not in state.sparks or t - state.sparks[id] >= s.cooldown * DAY)
    ]
    step.chance("", "sparks").shuffle(ready)
    for id in ready:
        drawn = w.drama.sparks[id]
        roles = fill_roles(step, w, drawn)
        if roles:
            befall(step, w, id, drawn, roles)
            return


def fill_roles(step: Step, w: HasTalk, spark: Spark) -> dict[str, str]:
    """Choose people for the roles, those with the least recent attention first; {} if none fit."""
    state = w.pressures
    free = [who for who, r in w.people.residents.items() if r.awake]
    step.chance("", "roles").shuffle(free)
    free.sort(key=lambda who: max(state.turned.get(who, -1), state.befallen.get(who, -1)) // DAY)
    return cast(w, spark, free, {})


def cast(w: HasTalk, spark: Spark, free: list[str], has: dict[str, str]) -> dict[str, str]:
    """Fill the open roles by backtracking; {} if impossible. All must be in the first one's part of the town. has:
    those filled.
    """
    role = next((role for role in spark.roles if role not in has), "")
    if not role:
        return has
    for who in free:
        now = {**has, role: who}
        if who in has.values() or not plays(w, who, spark.roles[role], has) or not pressures_can_be(w, spark, now):
            continue
        here = w.ways.part(w.town.spots[who].tile)
        beside = free if has else [x for x in free if w.ways.part(w.town.spots[x].tile) == here]
        if out := cast(w, spark, beside, now):
            return out
    return {}


def pressures_can_be(w: HasTalk, spark: Spark, roles: dict[str, str]) -> bool:
    """Whether all pressures that a spark starts can exist between the people in these roles."""
    made = (w.drama.children[child] for child in spark.children)
    return all(
        pressure_fits(w, x, roles[x.holder], roles[x.about]) for x in made if {x.holder, x.about} <= roles.keys()
    )


def befall(step: Step, w: HasTalk, id: str, spark: Spark, roles: dict[str, str], causes: tuple[int, ...] = ()) -> int:
    """Apply a spark to the people in its roles, and start its pressures. Returns the event's number."""
    says = spark.says.format(**{role: w.handbook.name(who) for role, who in roles.items()})
    t = free_moment(step, w, *roles.values())
    seq = step.emit(Sparked(id, roles, says), t=t, causes=causes)
    actor, target, other = (roles.get(role, "") for role in (*BORN, OTHER))
    thread = ""
    for child in spark.children:
        thread = bear(step, w, child, (seq,), actor, target, since=t, thread=thread, other=other) or thread
    return seq


YOUNG = 45 * MINUTE  # age before which a pressure does not show
PONDERS = 10 * MINUTE  # how often giving up is considered
SHOWS = 0.5  # chance per hour that it shows while somebody is near


async def press(step: Step, w: HasTalk) -> None:
    """One slice of everything that happens without anybody speaking."""
    if not pressures_run(w):
        return
    _wake(step, w)
    ponders = step.now % PONDERS < step.end - step.now
    for p in tuple(w.pressures.open.values()):
        if p.id not in w.pressures.open:
            continue  # ended together with an earlier one
        if (p.due < 0 and _faded(step, w, p)) or not is_available(w, p.holder):
            continue
        if (p.due >= 0 and _late(step, w, p)) or (ponders and _given_up(step, w, p)):
            continue
        if not p.stage:
            _show(step, w, p)
        seek(step, w, p)
    mercy(step, w)
    spark(step, w)
    await step.breathe()


def _wake(step: Step, w: HasTalk) -> None:
    """Begin the pressures of the cast that are due to wake."""
    for c in w.cast_pressures.values():
        if c.wakes < step.end and c.id not in w.pressures.woken and _hangs(w, c, step.now):
            t = max(step.now, c.wakes, w.last.get(c.holder, 0))
            due = -1 if c.due is None else c.due
            event = Began(
                c.id, c.kind, c.about, c.intensity, c.stage, due, c.stakes, c.cause, c.thread, c.known_by,
                amount=c.amount, asks=c.asks or UNSET,
            )  # fmt: skip
            step.emit(event, t=t, actor=c.holder)


def _hangs(w: HasTalk, c: Pressure, now: int) -> bool:
    """Whether everything that a pressure of the cast depends on still exists."""
    return not c.hangs_on or ((c.due is None or now < c.due) and all(stands(w, x) for x in c.hangs_on))


def _late(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """Apply the effect of a passed due hour, which its available holder has; returns whether there was one."""
    if p.due + GRACE > step.now or awaits_occasion(w, p, step.now):
        return False
    kind = w.drama.kinds[p.kind]
    if own := own_late(w, p):
        return drop_pressure(step, w, p, own, overdue_reason(step, w, p))
    late, end = comes_of_hour(step, w, p)
    good = bool(end) and kind.ends[end].good
    children = late.children if end == late.end and end else ()
    effect = replace(late, end="", tells=False, children=children, part=False)
    if good:
        effect = replace(effect, actor=0.0, target=0.0)
    if end and not all(may_take_turn(w.pressures, who, step.now, w.pressure_parameters) for who in (p.holder, p.about)):
        return False
    why = overdue_reason(step, w, p)
    move_pressure(step, w, PressureDeed(p, effect, p.holder, p.about, LATE, end=end, why=why))
    return True


def _faded(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """End a pressure without a due hour that has become too weak. A holder who tried in vain has given up rather than
    forgotten it.
    """
    if intensity_at(p, step.now, w.pressure_parameters) >= w.pressure_parameters.least:
        return False
    spent = _hands_back(w, p) or w.drama.kinds[p.kind].spent
    why, seq = given_up(w, p, w.handbook, step.now, alone=False) if spent else ("", 0)
    return drop_pressure(step, w, p, spent, why, seq) if why else drop_pressure(step, w, p, "faded")


def own_late(w: HasTalk, p: ActivePressure) -> str:
    """The ending of a derived pressure at its hour; "" where its kind decides."""
    made = definition_of(w, p)
    return made.late if isinstance(made, Child) else ""


def _hands_back(w: HasTalk, p: ActivePressure) -> str:
    """The ending when whoever took a matter up for another has failed in all they could do; "" for none."""
    own = own_late(w, p)
    return "" if own and w.drama.kinds[p.kind].ends[own].good else own


def drop_pressure(step: Step, w: HasTalk, p: ActivePressure, end: str, why: str = "", *causes: int) -> bool:
    """End a pressure without a deed and without hurting anybody. Always True."""
    t = max(free_moment(step, w, p.holder), p.t)
    event = Ended(p.id, end, w.drama.kinds[p.kind].ends[end].good, turn=False, why=why)
    end_pressure(step, w, p, event, t, *causes)
    return True


def _given_up(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """End a pressure whose available holder has tried everything in vain; one with a due hour is left to that."""
    if p.thread not in w.tries.threads or next_step(w, p, step.now) is not None:
        return False
    own = _hands_back(w, p)
    end = own or ("" if p.due >= 0 else w.drama.kinds[p.kind].spent)
    if not end:
        return False
    why, seq = given_up(w, p, w.handbook, step.now, alone=not own)
    return bool(why) and not awaits_occasion(w, p, step.now) and drop_pressure(step, w, p, end, why, seq)


def _show(step: Step, w: HasTalk, p: ActivePressure) -> None:
    """By chance, let somebody nearby notice an available holder's pressure that nobody has noticed yet."""
    if step.now - p.t < YOUNG:
        return
    minutes = (step.end - step.now) / 60.0
    if step.chance(p.id, "shows").unit() >= 1.0 - (1.0 - SHOWS) ** (minutes / 60.0):
        return
    t = max(free_moment(step, w, p.holder), p.t)
    near = [who for who in hearers(w, p.holder, p.about, t) if who not in p.known_by]
    if not near:
        return
    who = step.chance(p.id, "seen by").choice(near)
    q = w.pressure_parameters
    x = round(intensity_at(p, t, q), 6)
    stage = next_stage(p, 1, t, q)
    told = () if visible_clue(w, p) else (who,)
    event = Stirred(p.id, "shows", "", who, 0.0, x, stage, told, p.due, learned=learn_by_noticing(w, p, who, t))
    step.emit(event, t=t, actor=p.holder, causes=(p.last,))
