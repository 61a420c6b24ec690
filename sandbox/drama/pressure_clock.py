"""Pressures that act by themselves: they wake, show, fall due and fade; holders go looking, and sparks befall them."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.drama.consequences import LATE, end_pressure, free_moment, move_pressure
from sandbox.drama.hearsay import learn_by_noticing, visible_clue
from sandbox.drama.hours import GRACE, comes_of_hour, overdue_reason
from sandbox.drama.new_pressures import bear, definition_of, plays, pressure_fits
from sandbox.drama.seeking import is_available, mercy, seek
from sandbox.people.claim_handlers import stands
from sandbox.people.goal_handlers import next_step
from sandbox.people.persona import Pressure
from sandbox.people.pressure_beginnings import BORN, LEVELS, OTHER, Child, Spark
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Sparked, Stirred
from sandbox.people.pressure_rules import awaits_occasion, given_up, intensity_at, may_take_turn, next_stage
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import hearers, pressures_run

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
        if who in has.values() or not plays(w, who, spark.roles[role], has) or not may(w, spark, now):
            continue
        here = w.ways.part(w.town.spots[who].tile)
        beside = free if has else [x for x in free if w.ways.part(w.town.spots[x].tile) == here]
        if out := cast(w, spark, beside, now):
            return out
    return {}


def may(w: HasTalk, spark: Spark, roles: dict[str, str]) -> bool:
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
        if _late(step, w, p) or _faded(step, w, p) or (ponders and _given_up(step, w, p)):
            continue
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
    """Apply the effect of a passed due hour; returns whether there was one."""
    if p.due < 0 or p.due + GRACE > step.now or not is_available(w, p.holder) or awaits_occasion(w, p, step.now):
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
    move_pressure(step, w, p, effect, (), p.holder, p.about, LATE, end=end, why=why)
    return True


def _faded(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """End a pressure that has become too weak. A holder who tried in vain has given up rather than forgotten it."""
    if p.due >= 0 or intensity_at(p, step.now, w.pressure_parameters) >= w.pressure_parameters.least:
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
    """End a pressure whose holder has tried everything in vain; one with a due hour is left to that."""
    if p.thread not in w.tries.threads or not is_available(w, p.holder) or next_step(w, p, step.now) is not None:
        return False
    own = _hands_back(w, p)
    end = own or ("" if p.due >= 0 else w.drama.kinds[p.kind].spent)
    if not end:
        return False
    why, seq = given_up(w, p, w.handbook, step.now, alone=not own)
    return bool(why) and not awaits_occasion(w, p, step.now) and drop_pressure(step, w, p, end, why, seq)


def _show(step: Step, w: HasTalk, p: ActivePressure) -> None:
    """By chance, let somebody nearby notice a pressure that nobody has noticed yet."""
    if p.stage or not is_available(w, p.holder) or step.now - p.t < YOUNG:
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
