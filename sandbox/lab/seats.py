"""You against the bandit: the rounds that somebody steered by hand from the platform's seat, beside the same seconds of
the same town with a learner in that seat instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec
import numpy as np
from msgspec.structs import replace

from sandbox.core.events import Record
from sandbox.engine.registry import EVENTS
from sandbox.engine.scenario import Founded
from sandbox.engine.world import World
from sandbox.lab.receipts import live_without
from sandbox.policy.model import HAND, PolicyChosen, SteeredByHand
from sandbox.readers.steered_rounds import KINDS, SteeredRound, SteeredRounds
from sandbox.store.acts import among
from sandbox.store.errors import SaveError, explain_unfitting
from sandbox.store.read import SaveReader

RIVAL = "linucb"


class SeatScore(msgspec.Struct, frozen=True):
    """How a stretch went. who: `hand` or the learner. rounds: how many are over; reward: mean of theirs, in [0, 1].
    answers: comments, reposts and quotes; across: share of them between people of opposite stances, in [0, 1]. mean,
    deviation: of stances at the end, in [-1, 1]. misinformed: how many believe the watched claim then, -1 = none is
    watched.
    """

    who: str
    rounds: int
    reward: float
    answers: int
    across: float
    mean: float
    deviation: float
    misinformed: int


class SeatMatch(msgspec.Struct, frozen=True):
    """yours, theirs: both sides of the same stretch. objective: what rounds were rewarded for. since, until: seconds.
    missed: acts by hand that could not be done again beside the learner.
    """

    yours: SeatScore
    theirs: SeatScore
    objective: str
    since: int
    until: int
    missed: int


async def seat_taken(save: SaveReader) -> Record:
    """The event by which somebody last took the platform's seat. Raises SaveError if nobody has."""
    for record in reversed(await save.records((PolicyChosen.KIND,), 1, save.last_seq)):
        chosen = cast(PolicyChosen, record.event)
        if chosen.settings.learner == HAND and not chosen.own:
            return record
    raise SaveError(save.path, "holds no rounds steered by hand", "take the platform's seat on the screen first: P")


async def play_match(save: SaveReader, rival: str = RIVAL) -> SeatMatch:
    """Let a learner have the seat from the second on in which it was last taken by hand, until it was given up again,
    else to the end of the save. The save is only read. Raises SaveError.
    """
    act = await seat_taken(save)
    chosen = cast(PolicyChosen, act.event)
    (before,) = await save.steps(act.stamp.step - 1, act.stamp.step - 1)
    span = await save.records(EVENTS.keys() - {Founded.KIND}, before.last_seq, save.last_seq)
    gone = next((r for r in span if r.event.KIND == PolicyChosen.KIND and r.stamp.seq > act.stamp.seq), None)
    if gone is not None:
        span = [r for r in span if r.stamp.step < gone.stamp.step]
    until = gone.stamp.t if gone is not None else save.now
    taken = Record(act.stamp, replace(chosen, settings=replace(chosen.settings, learner=rival)))
    others = [taken if r.stamp.seq == act.stamp.seq else r for r in among(span) if r.event.KIND != SteeredByHand.KIND]
    with explain_unfitting(save.path):
        twin = await live_without(save, act, others, span, until)
        prefix = await save.records(KINDS, 1, before.last_seq)
        world = await save.beginning()
        yours = _score(HAND, world, prefix, span, until)
        theirs = _score(rival, world, prefix, [r for r in twin.records if r.stamp.t < until], until)
    return SeatMatch(yours, theirs, chosen.settings.objective, act.stamp.t, until, len(twin.missed))


def _score(who: str, world: World, prefix: Sequence[Record], span: Iterable[Record], until: int) -> SeatScore:
    """The score of the rounds of a stretch. prefix: events of KINDS before it."""
    fold = SteeredRounds(world)
    fold.take(prefix, 1)
    first = len(fold.rounds)
    fold.take((r for r in span if r.event.KIND in KINDS), 1)
    fold.end_round(until)
    rounds: Sequence[SteeredRound] = [one for one in fold.rounds[first:] if one.policy == who]
    if not rounds:
        return SeatScore(who, 0, 0.0, 0, 0.0, 0.0, 0.0, -1)
    last, answers = rounds[-1], sum(one.answers for one in rounds)
    across = sum(one.across for one in rounds) / max(answers, 1)
    reward = float(np.mean([one.reward for one in rounds]))
    return SeatScore(who, len(rounds), reward, answers, across, last.mean, last.deviation, last.misinformed)


def rows(match: SeatMatch) -> list[tuple[str, str, str]]:
    """The comparison as a table: what is measured, yours, theirs."""
    a, b = match.yours, match.theirs
    out = [("mean reward a round", f"{a.reward:.3f}", f"{b.reward:.3f}")]
    out.append(("answers across stances", f"{a.across:.0%}", f"{b.across:.0%}"))
    out.append(("answers in all", f"{a.answers:,}", f"{b.answers:,}"))
    out.append(("mean stance", f"{a.mean:+.3f}", f"{b.mean:+.3f}"))
    out.append(("deviation of stances", f"{a.deviation:.3f}", f"{b.deviation:.3f}"))
    if max(a.misinformed, b.misinformed) >= 0:
        out.append(("believe the watched claim", f"{a.misinformed:,}", f"{b.misinformed:,}"))
    return out
