"""The feed as a domain: its parameters, initial state, handlers and ticks.

Ticks follow a clock of their own, whatever the length of the world's step, each in its last second, so that nothing on
the feed is in the world's future.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC
from functools import partial
from typing import Any, TypeVar

import numpy as np

from sandbox.core.domain import Domain, ParameterTable, Phase, Runs, State, System
from sandbox.core.protocols import Step
from sandbox.core.vectors import DIMENSIONS
from sandbox.feed.action_context import TownMeans
from sandbox.feed.commands import AGAIN
from sandbox.feed.crowd import Crowd
from sandbox.feed.events import StanceTold
from sandbox.feed.handlers import HANDLERS, stance_told
from sandbox.feed.model import CrowdParameters, Feed
from sandbox.feed.packing import CrowdActed, apply_crowd_acts, widen_moves
from sandbox.feed.parameters import FeedParameters, recommender
from sandbox.feed.population import create_feed
from sandbox.feed.steering import Steered, Watched, apply_steered, apply_watched

T = TypeVar("T")
MANY = 20_000  # users from which a tick is planned in another thread than the screen's


def ticks_of(begin: int, end: int, tick: int) -> list[tuple[int, int]]:
    """The ticks whose last second is in [begin, end): the number of each, from 1 on, and its first second."""
    return [(number, (number - 1) * tick) for number in range(begin // tick + 1, end // tick + 1)]


def ticking() -> Runs:
    """Make the feed's system for one engine."""
    made: list[tuple[Any, Crowd]] = []  # with the feed it belongs to: a jump makes another

    async def tick(step: Step, w: Any) -> None:
        p = w.feed_parameters
        if not (w.feed.crowd or w.feed.on):
            return
        if not made or made[0][0] is not w.feed:
            made[:] = [(w.feed, Crowd(w.feed, p, w.crowd_parameters, recommender(w.feed, p)))]
        crowd = made[0][1]
        for number, t in ticks_of(step.now, step.end, p.tick):
            tick = w.chance.seed, number, t, p.tick
            steered = await _planned(w, partial(w.desk.steer, w, number, t, partial(crowd.sitters, *tick)))
            if steered is not None:
                step.emit(steered)
            if w.feed.crowd:
                step.emit(await _planned(w, partial(crowd.tick, *tick)), t=t + p.tick - 1)

    return tick


async def _planned(w: Any, work: Callable[[], T]) -> T:
    """The result of planning, in another thread than the screen's if there are many users."""
    return await asyncio.to_thread(work) if w.feed.crowd >= MANY else work()


def _found(w: Any) -> Feed:
    """The feed at second 0: its crowd, and an account for each of the cast, who already have followers."""
    p, said = w.feed_parameters, w.scenario.feed
    epoch = int(w.clock.start.replace(tzinfo=UTC).timestamp())
    if said is None:
        return Feed(p.kind, epoch, np.zeros((9, DIMENSIONS), np.int8), p.on)
    topics = np.frombuffer(said.topics, np.int8).reshape(9, DIMENSIONS)
    people = [(w.cast[who], np.frombuffer(row, np.int8)) for who, row in said.people.items() if who in w.cast]
    return create_feed(p, w.crowd_parameters, w.scenario.seed, epoch, topics, people, said.population)


def _settle(w: Any, scenario: Any) -> None:
    w.means = TownMeans(w)


FEED = Domain(
    "feed",
    settle=_settle,
    states=(State("feed", Feed, _found, proof=Feed.proof),),
    tables=(
        ParameterTable("feed", "feed_parameters", FeedParameters),
        ParameterTable("crowd", "crowd_parameters", CrowdParameters),
    ),
    handlers={
        CrowdActed: apply_crowd_acts,
        Steered: apply_steered,
        Watched: apply_watched,
        StanceTold: stance_told,
        **HANDLERS,
    },
    again=AGAIN,
    upcasters={(CrowdActed.KIND, 1): widen_moves},
    systems=(System(ticking, (Phase.FEED,)),),
)
