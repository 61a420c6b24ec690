"""People as a domain: their days, moods, ties, needs, purses and memories, and how they begin."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, Place, State, System, Table
from sandbox.core.events import r6
from sandbox.people import apply, paying
from sandbox.people.causes import UPCASTERS
from sandbox.people.deciding import cutting, interviews, moods, plans, thoughts
from sandbox.people.feel import feel
from sandbox.people.live import Living
from sandbox.people.memory import MemoryParameters
from sandbox.people.model import Block, PeopleState, PlanParameters, Resident
from sandbox.people.mood import CALM, Mood, MoodParameters, effective, temperament
from sandbox.people.needs import NeedParameters
from sandbox.people.perceive import perceive
from sandbox.people.planning import resolve
from sandbox.people.purse import Purse, wage
from sandbox.people.reflect import reflect
from sandbox.people.ties import Tie, TieCause, TieParameters

STAY = 1800  # seconds that somebody goes on with what the opening has them do


def _found(w: Any) -> PeopleState:
    """The state of people at second 0: in bed or at what the opening has them do, at rest, with what they are to each
    other from before the first day.
    """
    return PeopleState({who: _resident(w, who) for who in w.cast}, _history(w))


def _resident(w: Any, who: str) -> Resident:
    persona = w.cast[who]
    rest = temperament(persona.big_five) if w.mood_parameters.temperament else CALM
    opening = w.scenario.opening.get(who)
    awake = opening is not None or not persona.routine.asleep(w.clock.second_of_day(0))
    join = Block(0, STAY, opening.do, resolve(persona, opening.where), "already there") if opening else None
    return Resident(
        mood=Mood(rest, rest, 0, []), awake=awake, seen=[], acted=[], join=join, purse=Purse(_coins(w, who))
    )


def _coins(w: Any, who: str) -> int:
    """What somebody has at the start: what their file says, else a week's wage."""
    p = w.cast[who]
    if w.money is None:
        return 0
    return p.purse if p.purse is not None else wage(w.money, p.job, p.wage)


def _history(w: Any) -> dict[str, dict[str, Tie]]:
    out: dict[str, dict[str, Tie]] = {}
    for p in w.cast.values():
        row = out[p.id] = {}
        for past in p.history:
            if past.with_ in w.cast:
                causes = [TieCause("feeling", past.feeling, 0, 0, past.why)]
                row[past.with_] = Tie(r6(w.tie_parameters.begin * past.closeness), past.feeling, 0, causes=causes)
    return out


def _settle(w: Any, scenario: Any) -> None:
    w.money = scenario.money if scenario.rules.get("drama") != "off" else None


def _check(w: Any, state: PeopleState, now: int) -> None:
    if set(state.residents) != set(w.cast):
        raise ValueError("other people")


PEOPLE = Domain(
    "people",
    states=(State("people", PeopleState, _found, _check, parts=("residents", "ties")),),
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
    questions=(*plans.QUESTIONS, *cutting.QUESTIONS, *thoughts.QUESTIONS, *moods.QUESTIONS, *interviews.QUESTIONS),
    upcasters=UPCASTERS,
    systems=(
        System(lambda: perceive, (Place.SEE,)),
        System(Living, (Place.LIVE, Place.LIVE_ON)),  # people go on living after talks have freed them
        System(lambda: feel, (Place.FEEL,)),
        System(lambda: reflect, (Place.REFLECT,)),
    ),
)
