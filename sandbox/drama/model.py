"""What the systems of drama see of a world."""

from __future__ import annotations

from sandbox.core.chance import Chance
from sandbox.people.persona import Pressure
from sandbox.talk.model import HasTalk


class HasDrama(HasTalk):
    """A world with its cast's pressures."""

    cast_pressures: tuple[Pressure, ...]
    chance: Chance
