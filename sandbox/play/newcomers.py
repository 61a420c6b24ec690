"""Newcomers: people whom a player can move in as, and what the world says of them."""

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
    """What a newcomer brings. why: their purpose, completing "has come to town"; claims: that hold from then on;
    pressures: between them and others; goals: that a player may follow as them. Days are counted from their arrival.
    """

    why: Annotated[str, meta('"to live in the box room"', most=160)] = ""
    claims: tuple[Claim, ...] = ()
    pressures: tuple[Pressure, ...] = ()
    goals: tuple[PlayerGoal, ...] = ()


class Newcomer(msgspec.Struct, frozen=True):
    """Somebody who moves to town if a player wants to be them."""

    persona: Persona
    settling: Settling = Settling()


def goals_of(new: Newcomer, clock: Clock, came: int) -> Iterator[PlayerGoal]:
    """The goals of somebody who came at second `came`, with days counted by the town."""
    later = clock.day(came) - 1
    for aim in new.settling.goals:
        day, second = parse_moment(aim.by)
        yield replace(aim, by=f"day {day + later} {second // HOUR:02}:{second % HOUR // MINUTE:02}")
