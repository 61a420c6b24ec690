"""People as a domain: their days, moods, ties, needs, purses and memories."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, Place, State, System, Table
from sandbox.people import apply, paying
from sandbox.people.feel import feel
from sandbox.people.founding import found
from sandbox.people.live import Living
from sandbox.people.memory import MemoryParameters
from sandbox.people.model import PeopleState, PlanParameters
from sandbox.people.mood import MoodParameters, effective
from sandbox.people.needs import NeedParameters
from sandbox.people.perceive import perceive
from sandbox.people.questions import QUESTIONS
from sandbox.people.reflect import reflect
from sandbox.people.ties import TieParameters
from sandbox.people.upcasts import UPCASTERS


def _settle(w: Any, scenario: Any) -> None:
    w.money = scenario.money if scenario.rules.get("drama") != "off" else None


def _check(w: Any, state: PeopleState, now: int) -> None:
    if set(state.residents) != set(w.cast):
        raise ValueError("other people")


PEOPLE = Domain(
    "people",
    states=(State("people", PeopleState, found, _check, parts=("residents", "ties")),),
    tables=(
        Table("mood", "mood_parameters", MoodParameters, effective),
        Table("ties", "tie_parameters", TieParameters),
        Table("memory", "memory_parameters", MemoryParameters),
        Table("plan", "plan_parameters", PlanParameters),
        Table("needs", "need_parameters", NeedParameters),
    ),
    settle=_settle,
    handlers={**apply.HANDLERS, **paying.HANDLERS},
    memories={**apply.REMEMBER, **paying.REMEMBER},
    questions=QUESTIONS,
    upcasters=UPCASTERS,
    systems=(
        System(lambda: perceive, (Place.SEE,)),
        System(Living, (Place.LIVE, Place.LIVE_ON)),  # people go on living after talks have freed them
        System(lambda: feel, (Place.FEEL,)),
        System(lambda: reflect, (Place.REFLECT,)),
    ),
)
