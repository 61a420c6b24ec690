"""Somebody's mood at a moment: what everybody asks who has a world and a person."""

from __future__ import annotations

from math import inf

from msgspec import UNSET

from sandbox.people.model import HasPeople
from sandbox.people.mood import Cause, Pad, ledger, mood_at, tag


def half_life(w: HasPeople, who: str) -> float:
    """Minutes in which half of a departure from rest is gone: as their own file says, else as the world does."""
    usual, temper = w.mood_parameters.half_life, w.cast[who].mood
    own = None if temper is UNSET else temper.half_life
    return usual if own is None or usual == inf else own  # where no mood fades, nobody's does


def mood_of(w: HasPeople, who: str, t: float) -> Pad:
    """Their mood at second t."""
    return mood_at(w.people.residents[who].mood, t, half_life(w, who))


def tag_of(w: HasPeople, who: str, t: float) -> Pad:
    """Their mood at second t as an event carries it beside what it tells."""
    return tag(w.people.residents[who].mood, t, half_life(w, who))


def ledger_of(w: HasPeople, who: str, t: float) -> list[Cause]:
    """Why their mood is what it is at second t, largest first."""
    return ledger(w.people.residents[who].mood, t, half_life(w, who))
