"""The player's goals as a domain: which are followed, the command that chooses one, and how they are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.domain import CommandEvent, Domain, Phase, State, System
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import unknown
from sandbox.core.protocols import Step
from sandbox.director.condition_holds import HasHistory, is_met
from sandbox.director.conditions import (
    CLOSENESS,
    ClaimPattern,
    DecisionPattern,
    EndingPattern,
    Matters,
    Predicate,
    TiePattern,
    condition_people,
)
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
from sandbox.director.unmet_conditions import fact_words, obstacles, short_name_list, threats
from sandbox.people.claim_handlers import claim_clause
from sandbox.people.claim_model import Claim
from sandbox.people.pressure_deck import gist

ANYBODY = "somebody"


def condition_words(w: HasHistory, predicate: Predicate) -> str:
    """A condition in words: its author's `says`, or else the words of its parts."""
    if predicate.says:
        return predicate.says
    name, out = w.handbook.name, []
    if predicate.claim is not None:
        out.append(_claim(w, predicate.claim))
    if predicate.believes is not None:
        out.append(f"{name(predicate.believes.who)} knows of it: {fact_words(w, predicate.believes.fact)}")
    if predicate.nobody_believes is not None:
        but = (
            f"nobody but {short_name_list(w, predicate.nobody_believes.but)}"
            if predicate.nobody_believes.but
            else "nobody"
        )
        out.append(f"{but} knows of it: {fact_words(w, predicate.nobody_believes.fact)}")
    if predicate.tie is not None:
        out.append(_tie(w, predicate.tie))
    if predicate.ended is not None:
        out.append(_over(w, predicate.ended))
    if predicate.open_ is not None:
        out.append(f"it is open still: {matter_words(w, predicate.open_)}")
    if predicate.decided is not None:
        out.append(_decided(w, predicate.decided))
    if predicate.spoke is not None:
        out.append(f"{name(predicate.spoke.a)} and {name(predicate.spoke.b)} have spoken kindly")
    if predicate.after:
        out.append(f"it is {w.clock.words(w.clock.moment(predicate.after))} or later")
    out += [condition_words(w, x) for x in predicate.all_]
    if predicate.any_:
        out.append(" or ".join(condition_words(w, x) for x in predicate.any_))
    if predicate.not_ is not None:
        out.append(f"it is not so that {condition_words(w, predicate.not_)}")
    return "; ".join(out)


def _claim(w: HasHistory, x: ClaimPattern) -> str:
    kind = w.claim_deck.kinds.get(x.kind)
    if kind is None:
        return x.kind
    ends = (x.a or ANYBODY, x.b or ANYBODY)
    where = x.where or next((c.where for c in w.claims.open.values() if c.kind == x.kind and c.a == x.a), "")
    return claim_clause(w.handbook, kind.says, Claim("", x.kind, *ends, x.terms or "something", where))


def _tie(w: HasHistory, x: TiePattern) -> str:
    u, v = w.handbook.name(x.u), w.handbook.name(x.v)
    what = "closeness to" if x.of == CLOSENESS else "feeling for"
    low, high = (0.0 if x.of == CLOSENESS else -1.0), 1.0
    bound = f"{x.least:.2f} at least" if x.least > low else ""
    bound += (" and " if bound and x.most < high else "") + (f"{x.most:.2f} at most" if x.most < high else "")
    return f"{u}'s {what} {v} is {bound or 'whatever it is'}" + (", and the other way round" if x.both else "")


def matter_words(w: HasHistory, x: Matters) -> str:
    """A pattern of pressures in words."""
    cast = w.cast_pressures.get(x.matter)
    if cast is not None:
        return gist(cast.stakes)
    two = [w.handbook.name(who) for who in (x.holder, x.about) if who]
    return " and ".join(filter(None, (x.thread and f"the matter {x.thread}", x.kind and f"a {x.kind}", *two)))


def _over(w: HasHistory, x: EndingPattern) -> str:
    how = " or ".join(_how(w, x, end) for end in x.how)
    well = {True: "has ended well", False: "has ended badly", None: "is over"}[x.good]
    return f"{matter_words(w, x)}: {how}" if how else f"{matter_words(w, x)} {well}"


def _how(w: HasHistory, x: EndingPattern, end: str) -> str:
    cast = w.cast_pressures.get(x.matter)
    kind = w.drama.kinds.get(cast.kind if cast is not None else x.kind)
    if kind is None or end not in kind.ends:
        return end.replace("_", " ")
    holder, about = (cast.holder, cast.about) if cast is not None else (x.holder, x.about)
    both = w.handbook.both(holder or ANYBODY, about)
    return kind.ends[end].says.format(**both, stakes=gist(cast.stakes) if cast is not None else "it")


def _decided(w: HasHistory, x: DecisionPattern) -> str:
    title = next((o.title for o in w.calendar.deciding if o.id == x.occasion), x.occasion)
    how = {"yes": "is carried", "no": "is lost", "off": "is called off"}.get(x.how, "is decided")
    return f"{title} is won by {w.handbook.name(x.winner)}" if x.winner else f"{title} {how}"


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
    again={
        GoalChosen: lambda e, at: ChooseGoal(id=e.id),
        GoalDropped: lambda e, at: ChooseGoal(id=e.id, follow=False),
    },
)
