"""Registers pressures as a domain, with beliefs, attempts and showdowns, and deals the cast's pressures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.core.clock import DAY, HOUR, Clock, parse_start
from sandbox.core.domain import Domain, ParameterTable, State, merge_handlers
from sandbox.people import pressure_rules
from sandbox.people.beliefs import FIRSTHAND, MOST, WORST, BeliefParameters, BeliefState
from sandbox.people.persona import FAR, Pressure
from sandbox.people.pressure_handlers import HANDLERS, REMEMBER
from sandbox.people.pressure_model import PressureParameters, PressureState, ShowdownState, TryState
from sandbox.people.pressure_rules import RestState
from sandbox.people.ties import pair_key

PLAYED = 30 * HOUR  # a pressure that an occasion decides wakes at least this long before it


def dealt(
    pressures: Sequence[Pressure], chance: Chance, most: int, hours: Mapping[str, int] | None = None
) -> tuple[Pressure, ...]:
    """The pressures with waking and due seconds varied by the seed, so that no two towns begin alike. Those without a
    due time swap their waking times within their kind, and wake up to `most` days later unless awake from the start.

    One with a due time moves as a whole, up to its `drift` days. hours: pressure -> latest second at which it may wake.
    """
    lots: dict[str, list[int]] = {}
    for p in pressures:
        if p.due is None:
            lots.setdefault(p.kind, []).append(p.wakes)
    for kind, drawn in lots.items():
        chance.stream(0, kind, "wakes").shuffle(drawn)
    out = []
    for p in pressures:
        wakes = lots[p.kind].pop() if p.due is None else p.wakes
        days = p.drift if p.due is not None else most if wakes else 0
        later = DAY * chance.stream(0, p.id, "drift").below(days + 1)
        first = min(wakes + later, (hours or {}).get(p.id, FAR)) if p.due is None else wakes + later
        out.append(replace(p, wakes=first, due=None if p.due is None else p.due + later))
    return tuple(out)


def _settle(w: Any, scenario: Any) -> None:
    hours = _hours(scenario) if w.pressure_parameters.truth else {}
    cast = dealt(scenario.pressures, w.chance, w.pressure_parameters.drift, hours)
    w.founding_pressures = {p.id: p for p in cast}
    w.cast_pressures = {**w.founding_pressures}
    w.cast_clues = {p.id: p.clues for p in scenario.pressures if p.clues}
    w.truths = {truth.id: truth for truth in scenario.facts}
    w.clue_places = {}
    for x in (*scenario.pressures, *scenario.facts):
        for n, clue in enumerate(x.clues):
            if clue.where:
                w.clue_places.setdefault(clue.where, []).append((x.id, n))


def _derive(w: Any) -> None:
    """Add the pressures that newcomers brought to those of the cast."""
    came = {p.id: p for stay in w.guests.stays.values() for p in stay.pressures}
    w.cast_pressures = {**w.founding_pressures, **came}


def _hours(scenario: Any) -> dict[str, int]:
    """Pressure or fact -> latest second at which it may wake, if a dated occasion's decision depends on it."""
    clock = Clock(parse_start(scenario.start))
    out: dict[str, int] = {}
    for o in scenario.calendar:
        if o.on and o.decides is not None:
            hour = clock.midnight(clock.day_of(o.on)) + o.from_ + o.decides.at
            out |= dict.fromkeys((*o.decides.settles, *o.decides.sways, *o.decides.beliefs), max(0, hour - PLAYED))
    return out


def _check(w: Any, state: PressureState, now: int) -> None:
    people = w.cast.keys()
    for p in state.open.values():
        if p.kind not in w.drama.kinds or not {p.holder, p.about or p.holder, *p.known_by} <= people:
            raise ValueError("other pressures")
    if not state.hurt.keys() <= people:
        raise ValueError("other people are hurt")


def _check_tries(w: Any, state: TryState, now: int) -> None:
    for two in {two for thread in state.threads.values() for two in thread.tried}:
        a, _, b = two.partition("|")
        if pair_key(a, b) != two or not {a, b} <= w.cast.keys():
            raise ValueError("other people tried")


def _check_beliefs(w: Any, state: BeliefState, now: int) -> None:
    """Raise ValueError unless beliefs name people, places and facts of this world and are in range."""
    people = w.cast.keys()
    for fact in state.facts.values():
        if not {fact.a, fact.b or fact.a} <= people or fact.kind not in w.drama.kinds:
            raise ValueError("other facts")
    named, sources, places = {who for who, held in state.held.items() if held}, set[str](), set[str]()
    for held in state.held.values():
        for id, b in held.items():
            sound = 0 <= b.bad <= WORST and 0 <= b.strength <= MOST and 0 <= b.t <= now and 0 <= b.since <= now
            if not sound or id != b.fact or id not in state.facts:
                raise ValueError("other beliefs")
            named |= {b.a, b.b or b.a, *b.told}
            sources.add(b.source)
            places.add(b.where)
    if not named | (sources - {*FIRSTHAND}) <= people:
        raise ValueError("other beliefs")
    if not places - {""} <= w.map.areas.keys():
        raise ValueError("other places")


PRESSURES = Domain(
    "pressures",
    states=(
        State("pressures", PressureState, lambda w: PressureState(), _check),
        State("beliefs", BeliefState, lambda w: BeliefState(), _check_beliefs),
        State("tries", TryState, lambda w: TryState(), _check_tries, later=True),
        State("showdowns", ShowdownState, lambda w: ShowdownState(), later=True),
        State("resting", RestState, lambda w: RestState(), pressure_rules.check_resting, later=True),
    ),
    tables=(
        ParameterTable("pressures", "pressure_parameters", PressureParameters),
        ParameterTable("beliefs", "belief_parameters", BeliefParameters),
    ),
    settle=_settle,
    derive=_derive,
    handlers=merge_handlers(HANDLERS, pressure_rules.HANDLERS),
    memories=REMEMBER,
)
