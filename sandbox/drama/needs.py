"""Low needs: they are felt, and the next free hour goes to them. A system."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.protocols import Step
from sandbox.people.daily_life import stop
from sandbox.people.model import SEEK, Block, Chose, Needed
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.needs import Need, Remedy, RemedyRule, unmet_needs
from sandbox.people.planning import expected_place, parlour
from sandbox.people.played import is_played
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import pressures_run

AGAIN = 3 * HOUR  # minimum time until the same need is felt again
SIZE = 0.45  # strength (0..1) of the emotion
MEALS = ((11, "breakfast"), (16, "lunch"), (24, "supper"))  # hour until which the meal is called so
DEAR = 0.3  # least feeling (-1..1) for a friend one visits


async def need(step: Step, w: HasTalk) -> None:
    """Let whoever begins something while a need is low feel it and, if free, see to it. Without moods, none is felt."""
    if not pressures_run(w) or not w.mood_parameters.on:
        return
    for stamp, e in tuple(step.happened):
        if stamp.t < step.now or not isinstance(e, Chose) or e.block in ("sleep", SEEK):
            continue
        r = w.people.residents[stamp.actor]
        low = unmet_needs(r.needs, stamp.t, w.need_parameters)
        if not low or r.talk or r.upset:
            continue
        worst = low[0]
        if any(c.sort == worst.sort and stamp.t - c.t < AGAIN for c in r.mood.causes):
            continue
        lack = Appraisal(worst.emotion, SIZE, worst.word, sort=worst.sort)
        express(step, w, stamp.actor, lack, stamp.t, stamp.seq)
        block = remedy(w, stamp.actor, worst, stamp.t) if is_free_block(w, stamp.actor, e.block, stamp.t) else None
        if block is not None:
            t = max(step.now, w.last.get(stamp.actor, 0))
            stop(step, w, stamp.actor, t)
            step.emit(Needed(worst.name, block, block.why), t=t, actor=stamp.actor, causes=(stamp.seq,))


def is_free_block(w: HasTalk, who: str, block: str, t: int) -> bool:
    """Whether a block can give way to a need: it is leisure, no occasion calls for it, and who has it is not played."""
    if is_played(w, who):
        return False
    called = {o.block for o in w.calendar.of(who, w.clock.day(t))}
    return w.handbook.kind(block) == "leisure" and block not in called


def remedy(w: HasTalk, who: str, lacked: Need, t: int) -> Block | None:
    """What somebody does about a need in a free hour; None if nothing can be done."""
    return REMEDIES[lacked.remedy.rule](w, who, lacked.remedy, t) if lacked.remedy is not None else None


def _at_home(w: HasTalk, who: str, r: Remedy, t: int) -> Block:
    """The remedy's block at home."""
    return Block(t, t + r.minutes * MINUTE, r.do, w.cast[who].home, r.why)


def _meal(w: HasTalk, who: str, r: Remedy, t: int) -> Block | None:
    """The meal of this time of day, if the deck has meals."""
    hour = w.clock.second_of_day(t) // HOUR
    meal = next(called for until, called in MEALS if hour < until)
    if meal not in w.handbook.deck.blocks:
        return None
    return Block(t, t + r.minutes * MINUTE, meal, parlour(w, w.cast[who].home), r.why)


def _call_on_friend(w: HasTalk, who: str, r: Remedy, t: int) -> Block | None:
    """A visit to the dearest friend who is awake and whose place can be guessed; None if there is none."""
    ties = w.people.ties.get(who, {})
    friends = sorted((-tie.feeling - tie.closeness, v) for v, tie in ties.items() if tie.feeling >= DEAR)
    for _, friend in friends:
        asleep = w.cast[friend].routine.asleep(w.clock.second_of_day(t))
        if not asleep and (where := expected_place(w, friend, t)):
            why = r.why.format(friend=w.handbook.name(friend))
            return Block(t, t + r.minutes * MINUTE, r.do, where, why, friend)
    return None


REMEDIES: Mapping[RemedyRule, Callable[[HasTalk, str, Remedy, int], Block | None]] = {
    "home": _at_home,
    "meal": _meal,
    "friend": _call_on_friend,
}
