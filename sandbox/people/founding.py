"""The people of a world as it begins: in bed or at what the opening has them do, at rest, with what they are to each
other from before the first day.
"""

from __future__ import annotations

from typing import Any

from sandbox.people.model import Block, PeopleState, Resident
from sandbox.people.mood import CALM, Mood, temperament
from sandbox.people.planning import asleep, resolve
from sandbox.people.purse import Purse, wage
from sandbox.people.ties import Tie, TieCause

STAY = 1800  # seconds that somebody goes on with what the opening has them do


def found(w: Any) -> PeopleState:
    """The state of people at second 0."""
    return PeopleState({who: _resident(w, who) for who in w.cast}, _history(w))


def _resident(w: Any, who: str) -> Resident:
    persona = w.cast[who]
    rest = temperament(persona.big_five) if w.mood_parameters.temperament else CALM
    routine, opening = persona.routine, w.scenario.opening.get(who)
    awake = opening is not None or not asleep(w.clock.second_of_day(0), routine.wake, routine.sleep)
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
                row[past.with_] = Tie(past.closeness, past.feeling, 0, causes=causes)
    return out
