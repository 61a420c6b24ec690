"""What the systems of drama see of a world, and whether they run at all."""

from __future__ import annotations

from sandbox.core.chance import Chance
from sandbox.people.persona import Pressure
from sandbox.talk.aims import on
from sandbox.talk.model import HasTalk

LEVELS = {"off": 0, "calm": 1, "steady": 2, "stormy": 3}


class HasDrama(HasTalk):
    """A world with its cast's pressures."""

    cast_pressures: tuple[Pressure, ...]
    chance: Chance


def level(w: HasTalk) -> int:
    """How much the storyteller may do: 0 nothing, 1 calm, 2 steady, 3 stormy."""
    return LEVELS[w.rules.get("storyteller", "steady")] if on(w) else 0
