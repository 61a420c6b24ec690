"""Goals of the player as a domain: which are followed, the command by which one is chosen, and how they are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.domain import CommandEvent, Domain, Phase, State, System
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import unknown
from sandbox.core.protocols import Step
from sandbox.director.condition_holds import is_met
from sandbox.director.conditions import Predicate, condition_people
from sandbox.director.goal_model import (
    ALWAYS,
    END,
    ONCE,
    AimState,
    ChooseGoal,
    Followed,
    GoalChosen,
    GoalDropped,
    GoalJudged,
    HasAims,
    PlayerGoal,
)
from sandbox.director.history import looking_back, opens
from sandbox.director.unmet_conditions import obstacles, threats
from sandbox.director.wording import condition_words

SPLIT = 200  # letters of a sentence about what stood in the way


LATE = "its hour is past"
SO = "it is so already"
GONE = "what it wants is no longer to be had"


class GoalPart(NamedTuple):
    """A part of what a goal wants, in words, and whether it is so now."""

    says: str
    holds: bool


class Progress(NamedTuple):
    """How a goal stands. followed: None of one that was not chosen. holds: what it wants is so now. lacks: what stands
    in the way; threats: what may yet undo it. by: t until which it may be won; left: seconds until then, 0 after it.
    over: why one that is not followed cannot be any more, LATE, SO or GONE; "" if it can.
    """

    aim: PlayerGoal
    followed: Followed | None
    holds: bool
    parts: tuple[GoalPart, ...]
    lacks: tuple[str, ...]
    threats: tuple[str, ...]
    by: int
    left: int
    over: str = ""


def goal_progress(w: HasAims, aim: PlayerGoal) -> Progress:
    """How a goal stands now. Reads the state only."""
    by = w.clock.moment(aim.by)
    parts = tuple(GoalPart(condition_words(w, x), is_met(w, x)) for x in split_condition(aim.wants))
    lacks, dangers = obstacles(w, aim.wants), threats(w, aim.wants)
    followed = w.aims.followed.get(aim.id)
    over = why_over(w, aim) if followed is None else ""
    return Progress(
        aim, followed, is_met(w, aim.wants), parts, tuple(lacks), tuple(dangers), by, max(0, by - w.now), over
    )  # fmt: skip


def own_goals(w: HasAims, who: str) -> list[PlayerGoal]:
    """The goals that are about somebody, and can still be won, in the order of the world."""
    return [aim for aim in w.aim_deck.values() if who in condition_people(aim.wants) and not why_over(w, aim)]


def why_over(w: HasAims, aim: PlayerGoal) -> str:
    """Why a goal cannot be followed from now on: LATE, SO or GONE; "" if it can be."""
    if w.clock.moment(aim.by) <= w.now:
        return LATE
    won = outcome(w, aim, w.now)
    return "" if won is None else SO if won else GONE


def split_condition(predicate: Predicate) -> tuple[Predicate, ...]:
    """A condition in the parts that are told one by one: those that must all be so, else the whole."""
    alone = not any(
        (
            predicate.claim,
            predicate.believes,
            predicate.nobody_believes,
            predicate.tie,
            predicate.ended,
            predicate.open_,
            predicate.decided,
            predicate.spoke,
            predicate.after,
            predicate.any_,
        )
    )
    return predicate.all_ if predicate.all_ and alone and predicate.not_ is None else (predicate,)


def outcome(w: HasAims, aim: PlayerGoal, t: int) -> bool | None:
    """Whether a goal is won or lost at second t; None while it is open."""
    late = t >= w.clock.moment(aim.by)
    if aim.judged == END:
        return is_met(w, aim.wants) if late else None
    now = is_met(w, aim.wants)
    if aim.judged == ONCE:
        return True if now else False if late else None
    assert aim.judged == ALWAYS
    return False if not now else True if late else None


def time_left(seconds: int) -> str:
    """ "3 days 4 h left", "25 min left", "over"."""
    if seconds <= 0:
        return "over"
    days, rest = divmod(seconds, DAY)
    hours, minutes = rest // HOUR, rest % HOUR // MINUTE
    if days:
        return f"{days} day{'s' * (days > 1)}{f' {hours} h' if hours else ''} left"
    return f"{hours} h left" if hours else f"{minutes} min left"


async def judge_goals(step: Step, w: HasAims) -> None:
    """Judge the goals that are followed. A town in which none is makes no event here."""
    for id, followed in [*w.aims.followed.items()]:
        aim = w.aim_deck.get(id)
        if followed.won is not None or aim is None:
            continue
        won = outcome(w, aim, step.now)
        if won is not None:
            why = "" if won else "; ".join(obstacles(w, aim.wants))[:SPLIT]
            step.emit(GoalJudged(id, aim.title, won, aim.says, why), causes=(followed.seq,))


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


def apply_goal_chosen(w: HasAims, e: GoalChosen, stamp: Stamp) -> None:
    w.aims.followed[e.id] = Followed(stamp.seq, stamp.t)


def apply_goal_dropped(w: HasAims, e: GoalDropped, stamp: Stamp) -> None:
    del w.aims.followed[e.id]


def apply_goal_judged(w: HasAims, e: GoalJudged, stamp: Stamp) -> None:
    followed = w.aims.followed[e.id]
    followed.won, followed.ended = e.won, stamp.t


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
