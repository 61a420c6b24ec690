"""Pressures as a domain, and what people believe of one another's."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, State, Table
from sandbox.people.beliefs import FIRSTHAND, MOST, WORST, BeliefParameters, BeliefState
from sandbox.people.pressures.apply import HANDLERS, REMEMBER
from sandbox.people.pressures.model import PressureParameters, PressureState
from sandbox.people.pressures.waking import dealt


def _settle(w: Any, scenario: Any) -> None:
    w.cast_pressures = dealt(scenario.pressures, w.chance, w.pressure_parameters.drift)


def _check(w: Any, state: PressureState, now: int) -> None:
    people = w.cast.keys()
    for p in state.open.values():
        if p.kind not in w.drama.kinds or not {p.holder, p.about or p.holder, *p.known_by} <= people:
            raise ValueError("other pressures")
    if not state.hurt.keys() <= people:
        raise ValueError("other people are hurt")


def _check_beliefs(w: Any, state: BeliefState, now: int) -> None:
    """Beliefs are held by, of and from people, places and facts that are of this world."""
    people = w.cast.keys()
    for fact in state.facts.values():
        if not {fact.a, fact.b or fact.a} <= people or fact.kind not in w.drama.kinds:
            raise ValueError("other facts")
    for who, held in state.held.items():
        for id, b in held.items():
            strange = {who, b.a, b.b or b.a, *b.told, *({b.source} - {*FIRSTHAND})} - people
            sound = 0 <= b.bad <= WORST and 0 <= b.strength <= MOST
            sound = sound and all(0 <= t <= now for t in (b.t, b.since))
            if strange or id != b.fact or id not in state.facts or not sound:
                raise ValueError("other beliefs")
            if b.where and b.where not in w.map.areas:
                raise ValueError("other places")


PRESSURES = Domain(
    "pressures",
    states=(
        State("pressures", PressureState, lambda w: PressureState(), _check),
        State("beliefs", BeliefState, lambda w: BeliefState(), _check_beliefs),
    ),
    tables=(
        Table("pressures", "pressure_parameters", PressureParameters),
        Table("beliefs", "belief_parameters", BeliefParameters),
    ),
    settle=_settle,
    handlers=HANDLERS,
    memories=REMEMBER,
)
