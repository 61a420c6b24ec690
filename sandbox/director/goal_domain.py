"""The player's goals: what one is, which are followed, the command that chooses one, its events, and how goals are
judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.domain import Command, CommandEvent, Domain, Phase, State, System
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import unknown
from sandbox.core.fields import meta
from sandbox.core.protocols import Step
from sandbox.director.conditions import HasHistory, Predicate, condition_people, is_met, own_patterns
from sandbox.director.history import AnnalsOpened, looking_back, opens
from sandbox.director.unmet_conditions import condition_words, obstacles, threats

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


SPLIT = 200  # letters of the reason why a goal was lost, at most


LATE = "its hour is past"
SO = "it is so already"
GONE = "what it wants is no longer to be had"


class GoalPart(NamedTuple):
    """A part of a goal's condition, in words, and whether it holds now."""

    says: str
    holds: bool


class Progress(NamedTuple):
    """How a goal stands. followed: None if it was not chosen. holds: its condition holds now. lacks: what is missing;
    threats: what may still undo it. by: second of its deadline; left: seconds until then, at least 0. over: LATE, SO or
    GONE if it can no longer be chosen, else "".
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
    """How a goal stands now. Changes nothing."""
    by = w.clock.moment(aim.by)
    parts = tuple(GoalPart(condition_words(w, x), is_met(w, x)) for x in split_condition(aim.wants))
    lacks, dangers = obstacles(w, aim.wants), threats(w, aim.wants)
    followed = w.aims.followed.get(aim.id)
    over = why_over(w, aim) if followed is None else ""
    return Progress(
        aim, followed, is_met(w, aim.wants), parts, tuple(lacks), tuple(dangers), by, max(0, by - w.now), over
    )  # fmt: skip


def own_goals(w: HasAims, who: str) -> list[PlayerGoal]:
    """The goals that concern somebody and can still be won, in the order of the world."""
    return [aim for aim in w.aim_deck.values() if who in condition_people(aim.wants) and not why_over(w, aim)]


def why_over(w: HasAims, aim: PlayerGoal) -> str:
    """Why a goal can no longer be chosen: LATE, SO (already won) or GONE (already lost); "" if it can."""
    if w.clock.moment(aim.by) <= w.now:
        return LATE
    won = outcome(w, aim, w.now)
    return "" if won is None else SO if won else GONE


def split_condition(predicate: Predicate) -> tuple[Predicate, ...]:
    """The parts of a condition that are listed one by one: those of `all_` if it has nothing else, else the whole."""
    alone = not (own_patterns(predicate) or predicate.after or predicate.any_)
    return predicate.all_ if predicate.all_ and alone and predicate.not_ is None else (predicate,)


def outcome(w: HasAims, aim: PlayerGoal, t: int) -> bool | None:
    """Whether a goal is won (True) or lost at second t; None while it is open."""
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
    """Judge the goals that are followed. Emits no event where none is."""
    for id, followed in [*w.aims.followed.items()]:
        aim = w.aim_deck.get(id)
        if followed.won is not None or aim is None:
            continue
        won = outcome(w, aim, step.now)
        if won is not None:
            why = "" if won else "; ".join(obstacles(w, aim.wants))[:SPLIT]
            step.emit(GoalJudged(id, aim.title, won, aim.says, why), causes=(followed.seq,))


def choose_goal(w: HasAims, c: ChooseGoal) -> Sequence[CommandEvent]:
    """The events of choosing or dropping a goal. Raises ValueError, with a sentence for the player, if impossible."""
    aim = w.aim_deck.get(c.id)
    if aim is None:
        if not w.aim_deck:
            raise ValueError("this world has no goals; write some into a goals.yaml beside its world.yaml")
        raise ValueError(f"there is {unknown('goal', c.id, w.aim_deck)}")
    followed, by = w.aims.followed.get(c.id), w.clock.moment(aim.by)
    if not c.follow:
        if followed is None or followed.won is not None:
            raise ValueError(f'you do not follow "{aim.title}"; there is nothing to drop')
        return (CommandEvent(GoalDropped(aim.id, aim.title), causes=(followed.seq,)),)
    if followed is not None:
        raise ValueError(f'you follow "{aim.title}" already; choose another')
    with looking_back(w, c.before):
        over = why_over(w, aim)
    if over == LATE:
        raise ValueError(f'the time for "{aim.title}" ended {w.clock.words(by)}; choose a goal that is still open')
    if over:
        raise ValueError(f'you cannot follow "{aim.title}": {over}; choose another')
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
    again={GoalChosen: lambda e, at: ChooseGoal(id=e.id), GoalDropped: lambda e, at: ChooseGoal(id=e.id, follow=False)},
)
