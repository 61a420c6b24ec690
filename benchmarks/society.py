"""What a society costs: thousands of runs against a loop of types without agents, a sweep of the fit against numpy's
least squares, a long mean field, and a step with minds that answer at once; CPU seconds of one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.core.protocols import Question
from sandbox.society import BetaGranter, Growth, GrowthParameters
from sandbox.society.granters import ALIGNED
from sandbox.society.items import shipped_items
from sandbox.society.many import Runs
from sandbox.society.minded import MindedAgents
from sandbox.society.model import Grant, Proposal
from sandbox.society.questions import Considered, Propose, Proposed
from sandbox.society.theory import ode
from sandbox.society.utility import AskedTrials, Utility, sweep_once

RUNS, STEPS = 20_000, 100
ROWS, WIDE, RANK = 600_000, 22, 4  # of 2,000 trajectories: 16 numbers of a text, 6 of status
LONG = 10_000


async def measure_society_group(run: BenchmarkRun) -> list[Reading]:
    """Measure all of it."""
    with threadpool_limits(1):
        loop, grown = cpu_time(types_alone), cpu_time(grow)
        bare, sweep = fit_times()
        course = cpu_time(lambda: ode(GrowthParameters(), ALIGNED, LONG))
        step, steps = await minded_step()
    return [
        Reading("society.growth", grown / loop, f"{RUNS:,} runs, {grown:.1f} s; types without agents {loop:.1f} s"),
        Reading("society.fit", sweep / bare, f"{ROWS:,} trials, {sweep:.1f} s; numpy's lstsq {bare:.1f} s"),
        Reading("society.ode", course, f"to step {LONG:,}"),
        Reading("society.step", step, f"mean of {steps} steps, minds that answer at once"),
    ]


def grow() -> None:
    """Runs with agents."""
    runs, granter = Runs(GrowthParameters(), range(RUNS)), BetaGranter(ALIGNED)
    while runs.going.any():
        plan = runs.plan()
        runs.add(plan, granter.grants(runs, plan))


def types_alone() -> None:
    """As many runs that know only the mass of types: what the arithmetic costs where nobody is there."""
    p, draw, mu = GrowthParameters(), np.random.default_rng(0), np.array(ALIGNED)
    count, of_r = np.full(RUNS, 4.0), np.full(RUNS, 2.0)
    asked, asking, mass = np.full((RUNS, 3), 0.06), np.full((RUNS, 3), 0.06), np.full((RUNS, 3), 0.12)
    for _ in range(STEPS):
        event, newborn = draw.random(RUNS), draw.random(RUNS) < p.of_r
        asks, is_asked = event < p.newcomer_asks, event < p.newcomer_asks + p.newcomer_asked
        target_odds = (asked.sum(1) + of_r * p.target) / (mass.sum(1) + count * p.target)
        source_odds = (asking.sum(1) + of_r * p.source) / (mass.sum(1) + count * p.source)
        given, ends = np.empty((3, RUNS, 3)), np.empty((2, 3, RUNS), bool)
        for m in range(3):
            ends[0, m] = np.where(is_asked & ~asks, newborn, draw.random(RUNS) < target_odds)
            ends[1, m] = np.where(asks, newborn, draw.random(RUNS) < source_odds)
            means = mu[(~ends[0, m]).astype(int), (~ends[1, m]).astype(int)]
            given[m] = draw.beta(10 * means, 10 * (1 - means))
        given /= given.sum(0)
        asked += (given * ends[0, :, :, None]).sum(0)
        asking += (given * ends[1, :, :, None]).sum(0)
        mass += 1
        count += is_asked
        of_r += is_asked & newborn


def fit_times() -> tuple[float, float]:
    """CPU seconds of numpy's least squares on the largest matrix of a sweep, and of the sweep."""
    draw = np.random.default_rng(1)
    target, source = draw.standard_normal((2, ROWS, WIDE))
    asked, asking = draw.integers(0, 2, (2, ROWS))
    trials = AskedTrials(target, source, asked, asking, draw.random((ROWS, 3)), np.arange(ROWS) // 300)
    own = Utility(*(draw.standard_normal((2, rows, WIDE)) for rows in (RANK, RANK, 3)))
    matrix = (target[:, None, :] * draw.standard_normal((ROWS, RANK, 1))).reshape(ROWS, -1)
    return cpu_time(lambda: np.linalg.lstsq(matrix, trials.given[:, 0])), cpu_time(lambda: sweep_once(own, trials))


class AtOnce:
    """Answerer without a model."""

    async def ask(self, questions: Sequence[Question], of: str = "") -> list[Any]:
        """The same to each."""
        given = (0.4, 0.5, 0.3)
        return [
            Proposed(proposal=Proposal("So.", given)) if isinstance(q, Propose) else Considered(grant=Grant(given))
            for q in questions
        ]


async def minded_step() -> tuple[float, int]:
    """CPU seconds of a step of 100 agents, and how many steps there were."""
    growth = Growth(GrowthParameters(steps=0, agents=100), seed=2)
    agents = MindedAgents(growth, shipped_items("qa")[0], AtOnce())
    began = process_time()
    await agents.grow()
    return (process_time() - began) / growth.runs.number, growth.runs.number


def cpu_time(work: Callable[[], object]) -> float:
    """CPU seconds of a piece of work."""
    began = process_time()
    work()
    return process_time() - began


SOCIETY_GROUP = FigureGroup(
    "society",
    (
        FigureSpec("society.growth", "", "20,000 runs to step 100, in loops of types without agents, CPU", 4.0),
        FigureSpec("society.fit", "", "a sweep of the utility's fit, in numpy's least squares on its matrix, CPU", 3.0),
        FigureSpec("society.ode", "s", "a mean field to step 10,000, CPU", 0.1),
        FigureSpec("society.step", "s", "a step of a society of minds, without their answers, CPU", 0.005),
    ),
    measure_society_group,
    "networks of agents who ask each other, and their theory; half a minute",
)
