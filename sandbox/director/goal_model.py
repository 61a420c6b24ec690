"""What a goal of the player is, which are followed and how they came out, and the commands and events of it."""

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
    """A goal of the player. says: what is to come about, one sentence. by: the moment until which it may. wants: what
    must be so. judged: "once" (it is won as soon as that is so), "end" (it must be so at the hour), "always" (it must
    be so all the time until then).
    """

    id: Annotated[str, meta("keep_the_room", most=60, least=1)]
    title: Annotated[str, meta('"Everybody keeps their bed"', most=60, least=1)]
    says: Annotated[str, meta('"Whoever lodges at Number Nine still does on Sunday night."', most=200, least=1)]
    by: Annotated[str, meta('"day 4 22:00"', reads="moment", most=40, least=1)]
    wants: Predicate
    judged: Annotated[str, meta(options=JUDGED, what="way to judge a goal")] = ONCE


class ChooseGoal(Command, frozen=True):
    """Follow a goal, or let it go. before: what the log tells so far, where no annals are kept yet
    (`store/history_for_rules.py: annals_before`).
    """

    id: str
    follow: bool = True
    before: AnnalsOpened = AnnalsOpened()


class GoalChosen(Event, frozen=True):
    """The player follows a goal from now on. title: what it is called; by: t until which it may be won."""

    KIND: ClassVar[str] = "goal_chosen"
    BY_HAND: ClassVar[bool] = True
    id: str
    title: str
    by: int


class GoalDropped(Event, frozen=True):
    """The player follows a goal no longer."""

    KIND: ClassVar[str] = "goal_dropped"
    BY_HAND: ClassVar[bool] = True
    id: str
    title: str


class GoalJudged(Event, frozen=True):
    """A goal that is followed is won or lost. says: what it wanted; why: what stood in the way, "" of one won."""

    KIND: ClassVar[str] = "goal_judged"
    id: str
    title: str
    won: bool
    says: str
    why: str = ""


class Followed(msgspec.Struct):
    """A goal that was chosen. seq, t: when. won: None while it is open; ended: when it was judged, -1 before that."""

    seq: int
    t: int
    won: bool | None = None
    ended: int = -1


class AimState(msgspec.Struct):
    """followed: the goals that were chosen and not let go, by id."""

    followed: dict[str, Followed] = msgspec.field(default_factory=dict)


class HasAims(HasHistory):
    """The part of a world that these rules touch. aim_deck: the goals that the world offers."""

    aims: AimState
    aim_deck: dict[str, PlayerGoal]
