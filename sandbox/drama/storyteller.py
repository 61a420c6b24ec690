"""The storyteller: small things that come from outside when nothing happens."""

from __future__ import annotations

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.drama.new_pressures import bear, plays, pressure_fits
from sandbox.people.pressure_beginnings import BORN, LEVELS, OTHER, Spark
from sandbox.people.pressure_model import Sparked
from sandbox.talk.model import HasTalk

FROM, TO = 8 * HOUR, 21 * HOUR
QUIET = (0, 150 * MINUTE, 90 * MINUTE, 45 * MINUTE)  # without a turn, by the storyteller's level
HALF = 30 * MINUTE  # within which half of the sparks that may fall do
BETWEEN, AFTER_BREAK = 2 * HOUR, 3 * HOUR


def spark(step: Step, w: HasTalk) -> None:
    """Let something befall somebody, if the town has been quiet for long enough."""
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
    """People for the roles, those first who have had least attention; {} if there are none."""
    state = w.pressures
    free = [who for who, r in w.people.residents.items() if r.awake]
    step.chance("", "roles").shuffle(free)
    free.sort(key=lambda who: max(state.turned.get(who, -1), state.befallen.get(who, -1)) // DAY)
    return cast(w, spark, free, {})


def cast(w: HasTalk, spark: Spark, free: list[str], has: dict[str, str]) -> dict[str, str]:
    """With those for the roles that are still open; the first of them has all others from their part of the town."""
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
    """Whether all that comes of it can be, between those who have their roles."""
    made = (w.drama.children[child] for child in spark.children)
    return all(
        pressure_fits(w, x, roles[x.holder], roles[x.about]) for x in made if {x.holder, x.about} <= roles.keys()
    )


def befall(step: Step, w: HasTalk, id: str, spark: Spark, roles: dict[str, str], causes: tuple[int, ...] = ()) -> int:
    """It befalls those who have its roles, and what comes of it is born; the event's number."""
    says = spark.says.format(**{role: w.handbook.name(who) for role, who in roles.items()})
    t = free_moment(step, w, *roles.values())
    seq = step.emit(Sparked(id, roles, says), t=t, causes=causes)
    actor, target, other = (roles.get(role, "") for role in (*BORN, OTHER))
    thread = ""
    for child in spark.children:
        thread = bear(step, w, child, (seq,), actor, target, since=t, thread=thread, other=other) or thread
    return seq
