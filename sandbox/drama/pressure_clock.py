"""What presses by itself: pressures wake, show, fall due and fade; then people go looking, and sparks fall."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from sandbox.core.clock import MINUTE
from sandbox.core.protocols import Step
from sandbox.drama.consequences import LATE, end_pressure, free_moment, move_pressure
from sandbox.drama.hearsay import learn_by_noticing, visible_clue
from sandbox.drama.hours import GRACE, comes_of_hour, overdue_reason
from sandbox.drama.new_pressures import definition_of
from sandbox.drama.seeking import is_available, mercy, seek
from sandbox.drama.storyteller import spark
from sandbox.people.claim_handlers import stands
from sandbox.people.goal_handlers import next_step
from sandbox.people.persona import Pressure
from sandbox.people.pressure_attempts import given_up
from sandbox.people.pressure_beginnings import Child
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Stirred
from sandbox.people.pressure_rules import awaits_occasion, intensity_at, may_take_turn, next_stage
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import hearers, pressures_run

YOUNG = 45 * MINUTE  # a pressure does not show before that age
PONDERS = 10 * MINUTE  # how often people ask themselves whether to give something up
SHOWS = 0.5  # chance an hour that it shows while somebody is near


async def press(step: Step, w: HasTalk) -> None:
    """One slice of all that needs nobody to speak."""
    if not pressures_run(w):
        return
    _wake(step, w)
    ponders = step.now % PONDERS < step.end - step.now
    for p in tuple(w.pressures.open.values()):
        if p.id not in w.pressures.open:
            continue  # it has ended with one before it
        if _late(step, w, p) or _faded(step, w, p) or (ponders and _given_up(step, w, p)):
            continue
        _show(step, w, p)
        seek(step, w, p)
    mercy(step, w)
    spark(step, w)
    await step.breathe()


def _wake(step: Step, w: HasTalk) -> None:
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
    """Whether there still is what a pressure of the cast hangs on, if it hangs on anything."""
    return not c.hangs_on or ((c.due is None or now < c.due) and all(stands(w, x) for x in c.hangs_on))


def _late(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """What happens when its hour has passed; whether it did."""
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
    """It ends as nobody minds it any more; who has tried in vain has not stopped minding, but trying."""
    if p.due >= 0 or intensity_at(p, step.now, w.pressure_parameters) >= w.pressure_parameters.least:
        return False
    spent = _hands_back(w, p) or w.drama.kinds[p.kind].spent
    why, seq = given_up(w, p, w.handbook, step.now, alone=False) if spent else ("", 0)
    return drop_pressure(step, w, p, spent, why, seq) if why else drop_pressure(step, w, p, "faded")


def own_late(w: HasTalk, p: ActivePressure) -> str:
    """How a pressure that was born of another ends at its hour, "" where that is as its kind has it."""
    made = definition_of(w, p)
    return made.late if isinstance(made, Child) else ""


def _hands_back(w: HasTalk, p: ActivePressure) -> str:
    """How it ends, "" for none, that somebody who has taken it up for another has done what they could in vain."""
    own = own_late(w, p)
    return "" if own and w.drama.kinds[p.kind].ends[own].good else own


def drop_pressure(step: Step, w: HasTalk, p: ActivePressure, end: str, why: str = "", *causes: int) -> bool:
    """End a pressure as one lets a thing be: nothing is done, and nobody is hurt. True."""
    t = max(free_moment(step, w, p.holder), p.t)
    event = Ended(p.id, end, w.drama.kinds[p.kind].ends[end].good, turn=False, why=why)
    end_pressure(step, w, p, event, t, *causes)
    return True


def _given_up(step: Step, w: HasTalk, p: ActivePressure) -> bool:
    """Who has tried all there is in vain lets it be; what waits for an hour is left to that."""
    if p.thread not in w.tries.threads or not is_available(w, p.holder) or next_step(w, p, step.now) is not None:
        return False
    own = _hands_back(w, p)
    end = own or ("" if p.due >= 0 else w.drama.kinds[p.kind].spent)
    if not end:
        return False
    why, seq = given_up(w, p, w.handbook, step.now, alone=not own)
    return bool(why) and not awaits_occasion(w, p, step.now) and drop_pressure(step, w, p, end, why, seq)


def _show(step: Step, w: HasTalk, p: ActivePressure) -> None:
    """A pressure that nobody has noticed shows itself to somebody near."""
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
