"""The feed in a step: its ticks follow their own clock, whatever the length of the world's step, each in its last
second, so that nothing on the feed is in the world's future.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from sandbox.core.domain import Runs
from sandbox.core.protocols import Step
from sandbox.feed.crowd import Crowd
from sandbox.feed.parameters import recommender

MANY = 20_000  # users from which a tick is planned in another thread than the screen's


def ticks_of(begin: int, end: int, tick: int) -> list[tuple[int, int]]:
    """The ticks whose last second is in [begin, end): the number of each, from 1 on, and its first second."""
    return [(number, (number - 1) * tick) for number in range(begin // tick + 1, end // tick + 1)]


def ticking() -> Runs:
    """Make the feed's system for one engine."""
    made: list[tuple[Any, Crowd]] = []  # with the feed it belongs to: a jump makes another

    async def tick(step: Step, w: Any) -> None:
        p = w.feed_parameters
        if not w.feed.crowd:
            return
        if not made or made[0][0] is not w.feed:
            made[:] = [(w.feed, Crowd(w.feed, p, w.crowd_parameters, recommender(w.feed, p)))]
        crowd = made[0][1]
        for number, t in ticks_of(step.now, step.end, p.tick):
            work = partial(crowd.tick, w.chance.seed, number, t, p.tick)
            step.emit(await asyncio.to_thread(work) if w.feed.crowd >= MANY else work(), t=t + p.tick - 1)

    return tick
