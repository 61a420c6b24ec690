"""How a life in town begins: at second 0 for the cast, later for whoever comes."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.core.events import r6
from sandbox.people.model import HasPeople, Resident
from sandbox.people.mood import CALM, Mood, temperament
from sandbox.people.needs import Needs
from sandbox.people.persona import PastTie
from sandbox.people.purse import Purse, wage
from sandbox.people.ties import Tie, TieCause


def new_resident(w: HasPeople, who: str, t: int, awake: bool) -> Resident:
    """Somebody at second t as they begin: at rest, with a full purse and nothing planned."""
    rest = temperament(w.cast[who].big_five) if w.mood_parameters.temperament else CALM
    mood = Mood(rest, rest, t, [])
    return Resident(mood=mood, due=t, awake=awake, seen=[], acted=[], needs=Needs(t=t), purse=Purse(_coins(w, who)))


def _coins(w: HasPeople, who: str) -> int:
    """What somebody has at the start: what their file says, else a week's wage."""
    p = w.cast[who]
    if w.money is None:
        return 0
    return p.purse if p.purse is not None else wage(w.money, p.job, p.wage)


def ties_of(w: HasPeople, history: Iterable[PastTie], t: int) -> dict[str, Tie]:
    """What somebody is to others from before second t, by what was."""
    out: dict[str, Tie] = {}
    for past in history:
        if past.with_ in w.cast:
            causes = [TieCause("feeling", past.feeling, t, 0, past.why)]
            close = r6(w.tie_parameters.begin * past.closeness)
            out[past.with_] = Tie(close, past.feeling, w.clock.day(t) - 1, causes=causes)
    return out
