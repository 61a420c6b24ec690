"""What a policy costs: a round of learners against the bare products of their networks, and a steered tick against one
that nobody steers; CPU seconds of one thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.feed import CrowdParameters, FeedParameters, Platform
from sandbox.feed.tables import draws
from sandbox.policy.context import Context
from sandbox.policy.learned import policy_of
from sandbox.policy.learners import ExploreExploit
from sandbox.policy.model import PolicyParameters
from sandbox.policy.networks import BATCH, HIDDEN
from sandbox.policy.views import Sizes

READERS, CARDS, CHOSEN = 64, 16, 192
ROUNDS = 20
SMALL, LARGE = 1_000, 100_000
WARM, TIMED = 3, 15


async def measure_policy_group(run: BenchmarkRun) -> list[Reading]:
    """Measure a round, and ticks of two sizes."""
    with threadpool_limits(1):
        took, bare, steps = measure_round()
        plain, steered = tick_times(LARGE, ("", "linucb"))
        sizes = {users: tick_times(users, ("linucb",), 1.0, READERS * users // SMALL)[0] for users in (SMALL, LARGE)}
    slope = math.log(sizes[LARGE] / sizes[SMALL]) / math.log(LARGE / SMALL)
    arms = READERS * CARDS
    return [
        Reading(
            "policy.round", took / bare, f"{1e3 * took:.1f} ms for {arms:,} arms and {steps:.0f} steps of training"
        ),
        Reading("policy.steering", steered / plain, f"{LARGE:,} users, {1e3 * plain:.0f} ms without"),
        Reading("policy.slope", slope, f"everybody looks, {READERS} of {SMALL:,} are given cards; to {LARGE:,} users"),
    ]


def measure_round() -> tuple[float, float, float]:
    """CPU seconds of a round of networks, and of its bare products; and the steps of training in a round."""
    width = Context().of_arms
    draw = draws(1, "bench policy")
    bandit = ExploreExploit(width, 1)
    x = draw.normal(size=(READERS * CARDS, width))
    groups, reward = np.repeat(np.arange(READERS), CARDS), draw.random(CHOSEN)

    def play() -> None:
        chosen = np.argsort(-bandit.scores(x, draw, groups))[:CHOSEN]
        kept = bandit.keep(x[chosen])
        bandit.learn(x[chosen], reward, kept)

    play()
    before = bandit.exploit.steps
    took = cpu_time(play)
    steps = (bandit.exploit.steps - before) / ROUNDS
    return took, cpu_time(lambda: bare_products(width, round(steps))), steps


def bare_products(width: int, steps: int) -> None:
    """The products of matrices of a round: both networks on all arms, the gradient of the first for each arm, and the
    way there and back of each step of training of both.
    """
    arms = READERS * CARDS
    x, first, second = (np.ones(shape, np.float32) for shape in ((arms, width + 1), (width + 1, HIDDEN), (HIDDEN,)))
    for _ in range(2):
        hidden = x @ first
        hidden @ second
    hidden[:, :, None] * x[:, None, :]
    batch, back = x[:BATCH], np.ones((BATCH, HIDDEN), np.float32)
    for _ in range(2 * steps):
        (batch @ first) @ second
        batch.T @ back


def tick_times(users: int, learners: Sequence[str], looking: float = 0.1, readers: int = READERS) -> list[float]:
    """CPU seconds of a tick for each learner, "" = nobody steers, the median of several, taken in turns. looking: share
    that looks. readers: how many are given cards.
    """
    sites = []
    for learner in learners:
        site = Platform("x", seed=3, parameters=FeedParameters(crowd=users), threads=1, crowd=CrowdParameters())
        site.feed.hours[:] = round(255 * looking)
        if learner:
            site.seat = policy_of(PolicyParameters(learner)).seat(site.feed, 3, Sizes(readers=readers))
        sites.append(site)
    times: list[list[float]] = [[] for _ in sites]
    for number in range(WARM + TIMED):
        for site, took in zip(sites, times, strict=True):
            began = process_time()
            site.tick()
            if number >= WARM:
                took.append(process_time() - began)
    return [median(took) for took in times]


def cpu_time(do: Callable[[], None]) -> float:
    """CPU seconds of a call, the mean of ROUNDS after one that does not count."""
    do()
    began = process_time()
    for _ in range(ROUNDS):
        do()
    return (process_time() - began) / ROUNDS


POLICY_GROUP = FigureGroup(
    "policy",
    (
        FigureSpec("policy.round", "", "a round of networks, in bare products of the same, CPU", 3.0),
        FigureSpec("policy.steering", "", "a tick steered by linucb, in ticks of nobody's, CPU", 1.15),
        FigureSpec("policy.slope", "", "slope of a steered tick's CPU over users, both as logarithms", 1.1),
    ),
    measure_policy_group,
    "learners, and a crowd that they steer; half a minute",
)
