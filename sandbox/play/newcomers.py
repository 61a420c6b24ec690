"""Who may come to live in a town where a player wants to be them: what the world says of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from sandbox.core.clock import HOUR, MINUTE, Clock, parse_moment
from sandbox.core.fields import meta
from sandbox.director.goal_model import PlayerGoal
from sandbox.people.claim_model import Claim
from sandbox.people.persona import Persona, Pressure


class Settling(msgspec.Struct, frozen=True, omit_defaults=True):
    """With what somebody comes who means to stay. why: what for, completing "has come to town"; claims: what is so of
    them from then on; pressures: what they owe and want, and what others have with them; goals: what a player may
    follow as them. Days are counted from the one on which they come.
    """

    why: Annotated[str, meta('"to live in the box room"', most=160)] = ""
    claims: tuple[Claim, ...] = ()
    pressures: tuple[Pressure, ...] = ()
    goals: tuple[PlayerGoal, ...] = ()


class Newcomer(msgspec.Struct, frozen=True):
    """Somebody who comes to live in a town where a player wants to be them."""

    persona: Persona
    settling: Settling = Settling()


def goals_of(new: Newcomer, clock: Clock, came: int) -> Iterator[PlayerGoal]:
    """The goals of somebody who came at second `came`, by the days of the town."""
    later = clock.day(came) - 1
    for aim in new.settling.goals:
        day, second = parse_moment(aim.by)
        yield replace(aim, by=f"day {day + later} {second // HOUR:02}:{second % HOUR // MINUTE:02}")
