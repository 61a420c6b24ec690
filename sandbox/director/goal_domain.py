"""Goals of the player as a domain: which are followed, the command by which one is chosen, and how they are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandbox.core.domain import CommandEvent, Domain, Phase, State, System
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import unknown
from sandbox.director.goal_judging import LATE, judge_goals, why_over
from sandbox.director.goal_model import (
    AimState,
    ChooseGoal,
    Followed,
    GoalChosen,
    GoalDropped,
    GoalJudged,
    HasAims,
)
from sandbox.director.history import looking_back, opens


def choose_goal(w: HasAims, c: ChooseGoal) -> Sequence[CommandEvent]:
    """What the choice of a goal becomes. Raises ValueError, in a sentence, where it cannot be."""
    aim = w.aim_deck.get(c.id)
    if aim is None:
        if not w.aim_deck:
            raise ValueError("this world has no goals; write some into a goals.yaml beside its world.yaml")
        raise ValueError(f"there is {unknown('goal', c.id, w.aim_deck)}")
    followed, by = w.aims.followed.get(c.id), w.clock.moment(aim.by)
    if not c.follow:
        if followed is None or followed.won is not None:
            raise ValueError(f'"{aim.title}" is not followed; there is nothing to let go')
        return (CommandEvent(GoalDropped(aim.id, aim.title), causes=(followed.seq,)),)
    if followed is not None:
        raise ValueError(f'"{aim.title}" is followed already; choose another')
    with looking_back(w, c.before):
        over = why_over(w, aim)
    if over == LATE:
        raise ValueError(f'"{aim.title}" was to be won by {w.clock.words(by)}; choose one whose hour is still to come')
    if over:
        raise ValueError(f'"{aim.title}" needs nobody to follow it: {over}; choose another')
    return (*opens(w, c.before), CommandEvent(GoalChosen(aim.id, aim.title, by)))


def apply_goal_chosen(w: HasAims, e: GoalChosen, at: Stamp) -> None:
    w.aims.followed[e.id] = Followed(at.seq, at.t)


def apply_goal_dropped(w: HasAims, e: GoalDropped, at: Stamp) -> None:
    del w.aims.followed[e.id]


def apply_goal_judged(w: HasAims, e: GoalJudged, at: Stamp) -> None:
    followed = w.aims.followed[e.id]
    followed.won, followed.ended = e.won, at.t


HANDLERS: dict[type[Event], Callable[..., None]] = {
    GoalChosen: apply_goal_chosen,
    GoalDropped: apply_goal_dropped,
    GoalJudged: apply_goal_judged,
}


def _settle(w: Any, scenario: Any) -> None:
    w.aim_deck = {aim.id: aim for aim in scenario.goals}


AIMS = Domain(
    "aims",
    states=(State("aims", AimState, lambda w: AimState(), later=True),),
    settle=_settle,
    handlers=HANDLERS,
    systems=(System(lambda: judge_goals, (Phase.PLAYER,)),),
    commands={ChooseGoal: choose_goal},
    again={
        GoalChosen: lambda e, at: ChooseGoal(id=e.id),
        GoalDropped: lambda e, at: ChooseGoal(id=e.id, follow=False),
    },
)
