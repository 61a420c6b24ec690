"""The card that lends courage: its receiver finds words for something unsaid, and keeps looking for whom it is for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.director.card_rule import DONE, CardRule, Touch, own_will, presses, reach, stir
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt, HasDirector, WaitingCard
from sandbox.drama.consequences import free_moment
from sandbox.drama.new_pressures import up
from sandbox.drama.pressure_clock import own_late
from sandbox.drama.seeking import go, is_available
from sandbox.people import pressure_rules
from sandbox.people.goal_handlers import step_way, ways
from sandbox.people.guest_model import in_town
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.perceive import area_at
from sandbox.people.planning import expected_place
from sandbox.people.pressure_deck import HUSHED, PressureWay, ways_of
from sandbox.people.pressure_model import ActivePressure
from sandbox.talk.content import busy

HEART = 0.8  # size of the pride that courage is felt as
LENDS = 0.3  # added to the pressure of the matter
ANEW = 35 * MINUTE  # after which they set out again if they missed the other and neither has a duty
NEARER = 5 * HOUR  # from now: new due time of a matter that could not be said before its hour


class Saying(NamedTuple):
    """What could be said now: about which matter, to whom, by which exchange; stage: that the exchange needs."""

    matter: ActivePressure
    whom: str
    do: str
    stage: int


def run_courage(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Give the receiver courage, then have them set out whenever both are free, until the two have spoken."""
    who = waiting.dealt.to
    if who in waiting.by:
        return _goes_on(step, w, waiting)
    if not is_available(w, who):
        return "" if step.now < waiting.until else f"{w.handbook.name(who)} was never free to go"
    saying = strongest_saying(w, waiting.dealt)
    p = saying.matter if saying is not None else strongest_unsaid(w, waiting.dealt)
    if p is None:
        return "there was nothing left to say"
    whom = saying.whom if saying is not None else p.about
    says = f"found a beginning for what is to be said to {w.handbook.name(whom)}"
    at = reach(step, w, seq, who, "emboldened", says, about=whom, matter=p.id, poignancy=5)
    express(step, w, who, Appraisal("pride", HEART, says, whom, "deed"), step.now, at)
    stir(step, w, p.id, LENDS, "courage", at, p.due if saying is not None else _nearer(w, p, step.now))
    return _goes_on(step, w, waiting)


def _goes_on(step: Step, w: HasDirector, waiting: WaitingCard) -> str:
    """Set out, unless the two have spoken or one is busy. If they never spoke, the matter falls due sooner."""
    who = waiting.dealt.to
    came = waiting.came
    p = w.pressures.open.get(came.matter) if came is not None else None
    if came is None or p is None or _spoken(w, p, came.t):
        return DONE
    if step.now >= waiting.until:
        if (due := _nearer(w, p, step.now)) != p.due:
            stir(step, w, p.id, 0.0, "courage", came.seq, due)
        return DONE
    saying = _of(w, p)
    if saying is None or not (is_available(w, who) and is_available(w, saying.whom)):
        return ""
    if saying.stage > p.stage:
        if pressure_rules.next_stage(p, saying.stage, step.now, w.pressure_parameters) > p.stage:
            stir(step, w, p.id, 0.0, "courage", came.seq)
        return ""
    again = came.t <= p.sought
    if again and (step.now - p.sought < ANEW or busy(w, who) or busy(w, saying.whom)):
        return ""
    if where := _where(step, w, who, saying.whom, again):
        go(step, w, p, saying.whom, saying.do, where)
    return ""


def _spoken(w: HasDirector, p: ActivePressure, since: int) -> bool:
    """Whether its holder has brought it to the other since then; confiding in a third person does not count."""
    step = step_way(w, p, w.now)
    straight = {y.do for y in ways_of(w.drama, p.id, p.kind) if (y.by, y.to) == ("holder", "about")}
    said = straight | ({step[0].do} if step is not None else set())
    return any(p.tried.get(f"{p.holder} {do}", pressure_rules.NEVER) > since for do in said)


def _where(step: Step, w: HasDirector, who: str, whom: str, again: bool) -> str:
    """Where to look for the other: where they are, if both are there or a first search was in vain; else where they
    usually are.
    """
    place = area_at(w, whom, step.now)
    return (
        place
        if place and (again or place == area_at(w, who, step.now))
        else expected_place(w, whom, free_moment(step, w, who))
    )


def _nearer(w: HasDirector, p: ActivePressure, t: int) -> int:
    """The new due time of a matter that could not be said; unchanged if it would end badly when due."""
    kind = w.drama.kinds[p.kind]
    late = own_late(w, p) or kind.late.end
    if any(not kind.ends[end].good for end in (late, kind.luck if late else "") if end):
        return p.due
    soon = up(w, p.holder, t + NEARER)
    return min(p.due, soon) if p.due >= 0 else soon


# ---- what is to be said


def strongest_saying(w: HasDirector, dealt: Dealt) -> Saying | None:
    """The strongest matter that can be said by now, with how and to whom."""
    found = [saying for p in _mine(w, dealt) if (saying := _of(w, p)) is not None]
    return max(found, key=lambda x: _presses(w, x.matter), default=None)


def strongest_unsaid(w: HasDirector, dealt: Dealt) -> ActivePressure | None:
    """The strongest matter still unsaid, whether or not it can be said now."""
    return max(_mine(w, dealt), key=lambda p: _presses(w, p), default=None)


def _mine(w: HasDirector, dealt: Dealt) -> list[ActivePressure]:
    """The receiver's matters: the one that the card names, else all about somebody who is in town."""
    mine = (p for p in w.pressures.open.values() if p.holder == dealt.to and p.about and in_town(w, p.about))
    return [p for p in mine if not dealt.matter or p.id == dealt.matter]


def _presses(w: HasDirector, p: ActivePressure) -> tuple[bool, float, str]:
    """Sort key: love and secrets first, then by intensity."""
    return p.kind in HUSHED, pressure_rules.intensity_at(p, w.now, w.pressure_parameters), p.id


def _of(w: HasDirector, p: ActivePressure) -> Saying | None:
    """How its holder could raise a matter now: the next step of a plan, else straight to whom it is about."""
    step = step_way(w, p, w.now)
    if step is not None:
        way, whom = step
        return Saying(p, whom, way.do, way.stage) if in_town(w, whom) and _can(w, p, way, whom) else None
    straight = [y for y in ways(w, p, p.holder, p.about, w.now) if (y.by, y.to) == ("holder", "about")]
    straight = [y for y in straight if _can(w, p, y, p.about)]
    best = max(straight, key=lambda y: (y.stage <= p.stage, y.weight), default=None)
    return Saying(p, p.about, best.do, best.stage) if best is not None else None


def _can(w: HasDirector, p: ActivePressure, way: PressureWay, whom: str) -> bool:
    """Whether a way is open now; courage makes up for one stage."""
    return (
        way.stage <= p.stage + 1
        and p.stage <= way.until
        and pressure_rules.timely(p, way, w.now)
        and not pressure_rules.preempts_occasion(w, p, way, w.now)
        and pressure_rules.is_way_unlocked(w, p, way, p.holder, whom)
        and not pressure_rules.is_exhausted(w, p.thread, way.do, p.holder, whom)
        and not pressure_rules.is_too_soon(p, way, p.holder, w.now)
    )


# ---- whom it touches


def courage_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    saying = strongest_saying(w, dealt)
    p = saying.matter if saying is not None else strongest_unsaid(w, dealt)
    if p is not None:
        yield Touch(dealt.to, presses(w, p), 1.0)
        whom = saying.whom if saying is not None else p.about
        yield Touch(whom, f"would hear it from {w.handbook.name(dealt.to)}", 0.8)


def check_something_unsaid(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless there is something unsaid, and the receiver acts by themselves."""
    own_will(w, dealt.to)
    if strongest_unsaid(w, dealt) is None:
        what = "nothing to say about that" if dealt.matter else "nothing pressing to say"
        raise ValueError(f"{w.handbook.name(dealt.to)} has {what}; choose somebody who has")


COURAGE = {
    "courage": CardRule(
        run_courage, courage_touches, check_something_unsaid, needs=("to",), noun="courage", own_matter=True
    )
}
