"""Registers people as a domain: the state of days, moods, ties, needs, purses and memories, and its initial value."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, ParameterTable, Phase, State, System
from sandbox.people import guest_handlers as guests
from sandbox.people import (
    handlers,
    interview_rule,
    paying,
    question_cut_block,
    question_mood,
    question_plan,
    question_reflection,
)
from sandbox.people.daily_life import Living
from sandbox.people.guest_handlers import new_resident, ties_of, wrong_life
from sandbox.people.guest_leaving import leave_town
from sandbox.people.guest_model import GuestState
from sandbox.people.mark_habits import HANDLERS
from sandbox.people.memory import MemoryParameters
from sandbox.people.model import Block, PeopleState, PlanParameters, Resident
from sandbox.people.mood import UPCASTERS, MoodParameters, effective
from sandbox.people.mood_events import feel
from sandbox.people.needs import NeedParameters
from sandbox.people.perceive import perceive
from sandbox.people.planning import resolve
from sandbox.people.reflect import reflect_if_due
from sandbox.people.ties import TieParameters

STAY = 1800  # seconds for which somebody does what the scenario's opening says


def _found(w: Any) -> PeopleState:
    """The state of people at second 0: asleep, or doing what the opening says, moods at rest, ties from their
    histories.
    """
    return PeopleState(
        {who: _resident(w, who) for who in w.cast}, {p.id: ties_of(w, p.history, 0) for p in w.cast.values()}
    )


def _resident(w: Any, who: str) -> Resident:
    persona = w.cast[who]
    opening = w.scenario.opening.get(who)
    awake = opening is not None or not persona.routine.asleep(w.clock.second_of_day(0))
    r = new_resident(w, who, 0, awake)
    r.join = Block(0, STAY, opening.do, resolve(persona, opening.where), "already there") if opening else None
    return r


def _settle(w: Any, scenario: Any) -> None:
    w.money = scenario.money if scenario.rules.get("drama") != "off" else None


def _check(w: Any, state: PeopleState, now: int) -> None:
    if set(state.residents) != set(w.cast):
        raise ValueError("other people")


def _check_guests(w: Any, state: GuestState, now: int) -> None:
    """Raise ValueError unless each stay is of the person it is filed under, lies before now and fits this town."""
    for who, stay in state.stays.items():
        if who != stay.persona.id or not 0 <= stay.came < max(1, now) or stay.left >= now or stay.off >= now:
            raise ValueError("other guests")
        if wrong := wrong_life(stay.persona, w.map, w.handbook.deck):
            raise ValueError(wrong)


PEOPLE = Domain(
    "people",
    states=(
        State("guests", GuestState, lambda w: GuestState(), _check_guests, later=True),
        State("people", PeopleState, _found, _check, parts=("residents", "ties")),
    ),
    tables=(
        ParameterTable("mood", "mood_parameters", MoodParameters, effective),
        ParameterTable("ties", "tie_parameters", TieParameters),
        ParameterTable("memory", "memory_parameters", MemoryParameters),
        ParameterTable("plan", "plan_parameters", PlanParameters),
        ParameterTable("needs", "need_parameters", NeedParameters),
    ),
    settle=_settle,
    handlers={**handlers.HANDLERS, **paying.HANDLERS, **guests.HANDLERS},
    memories={**handlers.REMEMBER, **paying.REMEMBER, **guests.REMEMBER},
    questions=(
        *question_plan.QUESTIONS,
        *question_cut_block.QUESTIONS,
        *question_reflection.QUESTIONS,
        *question_mood.QUESTIONS,
        *interview_rule.QUESTIONS,
    ),
    upcasters=UPCASTERS,
    systems=(
        System(lambda: leave_town, (Phase.GUESTS,)),
        System(lambda: perceive, (Phase.SEE,)),
        System(Living, (Phase.LIVE, Phase.LIVE_ON)),  # people go on living after talks have freed them
        System(lambda: feel, (Phase.FEEL,)),
        System(lambda: reflect_if_due, (Phase.REFLECT,)),
    ),
)


# ---- marks as a domain


MARKS = Domain("marks", handlers=HANDLERS)
