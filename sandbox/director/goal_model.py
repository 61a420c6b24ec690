"""The player's goals: what one is, which are followed and how they came out, the commands and events."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.domain import Command
from sandbox.core.events import Event
from sandbox.core.fields import meta
from sandbox.director.condition_holds import HasHistory
from sandbox.director.conditions import Predicate
from sandbox.director.history import AnnalsOpened

ONCE, END, ALWAYS = "once", "end", "always"
JUDGED = (ONCE, END, ALWAYS)


class PlayerGoal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A goal of the player. says: what is to be reached, one sentence. by: deadline. wants: its condition. judged:
    "once" (won as soon as it holds), "end" (it must hold at the deadline), "always" (it must hold all the time until
    then).
    """

    id: Annotated[str, meta("keep_the_room", most=60, least=1)]
    title: Annotated[str, meta('"Everybody keeps their bed"', most=60, least=1)]
    says: Annotated[str, meta('"Whoever lodges at Number Nine still does on Sunday night."', most=200, least=1)]
    by: Annotated[str, meta('"day 4 22:00"', reads="moment", most=40, least=1)]
    wants: Predicate
    judged: Annotated[str, meta(options=JUDGED, what="way to judge a goal")] = ONCE


class ChooseGoal(Command, frozen=True):
    """Follow a goal, or drop it. before: the past from the log, where no annals are kept yet
    (`store/session.py: annals_before`).
    """

    id: str
    follow: bool = True
    before: AnnalsOpened = AnnalsOpened()


class GoalChosen(Event, frozen=True):
    """The player follows a goal from now on. by: second of its deadline."""

    KIND: ClassVar[str] = "goal_chosen"
    BY_HAND: ClassVar[bool] = True
    id: str
    title: str
    by: int


class GoalDropped(Event, frozen=True):
    """The player no longer follows a goal."""

    KIND: ClassVar[str] = "goal_dropped"
    BY_HAND: ClassVar[bool] = True
    id: str
    title: str


class GoalJudged(Event, frozen=True):
    """A followed goal is won or lost. says: what it asked for; why: what was missing, "" if won."""

    KIND: ClassVar[str] = "goal_judged"
    id: str
    title: str
    won: bool
    says: str
    why: str = ""


class Followed(msgspec.Struct):
    """A chosen goal. seq, t: of the choice. won: None while open; ended: second it was judged, -1 before that."""

    seq: int
    t: int
    won: bool | None = None
    ended: int = -1


class AimState(msgspec.Struct):
    """followed: the goals chosen and not dropped, by id."""

    followed: dict[str, Followed] = msgspec.field(default_factory=dict)


class HasAims(HasHistory):
    """The part of a world that goals need. aim_deck: the goals that the world offers."""

    aims: AimState
    aim_deck: dict[str, PlayerGoal]
