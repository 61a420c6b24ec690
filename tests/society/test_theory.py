"""The mean field beside simulated growth: figures of the specification, and parameters that nobody chose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandbox.society import BetaGranter, GrowthParameters
from sandbox.society.granters import ALIGNED, NEUTRAL
from sandbox.society.many import Runs
from sandbox.society.theory import drift, fixed_point, mean_field

P = GrowthParameters()


def course(p: GrowthParameters, means: Any, runs: int) -> Any:
    """Mean Theta of simulated runs after each step, (steps + 1, 2, 3)."""
    made, granter = Runs(p, range(5000, 5000 + runs)), BetaGranter(means)
    found = [made.theta.mean(axis=2)]
    while made.going.any():
        plan = made.plan()
        made.add(plan, granter.grants(made, plan))
        found.append(made.theta.mean(axis=2))
    return np.array(found)


def test_the_aligned_case_has_the_figures_of_the_specification() -> None:
    assert mean_field(P, ALIGNED, 100)[-1].mean(axis=1) == pytest.approx((0.654, 0.524), abs=0.002)
    end = fixed_point(P, ALIGNED)
    assert end.theta.mean(axis=1) == pytest.approx((0.680, 0.529), abs=0.001)
    assert end.contraction == pytest.approx(0.8, abs=0.03)
    assert end.bound > 1 > end.contraction, "what is printed does not cover it, though it contracts"
    assert drift(P, np.array(ALIGNED), end.theta) == pytest.approx(end.theta)


@pytest.mark.parametrize(("beta", "asked"), [(0.0, 0.654), (0.25, 0.684), (1.0, 0.732), (2.0, 0.760)])
def test_beta_moves_the_forecast_as_the_specification_has_it(beta: float, asked: float) -> None:
    p = GrowthParameters(beta=beta)
    assert mean_field(p, ALIGNED, 100)[-1, 0].mean() == pytest.approx(asked, abs=0.003)


def test_alike_types_and_single_trials_make_no_ceiling() -> None:
    assert mean_field(P, NEUTRAL, 100) == pytest.approx(0.5)
    assert mean_field(GrowthParameters(trials=(1, 1, 1)), ALIGNED, 100) == pytest.approx(0.5)


@pytest.mark.slow
def test_the_forecast_of_parameters_that_nobody_chose_beats_a_constant_and_the_last_value() -> None:
    draw = np.random.default_rng(20261201)
    for _ in range(5):
        asks, asked, of_r = draw.uniform(0.1, 0.4), draw.uniform(0.1, 0.4), draw.uniform(0.25, 0.75)
        m = int(draw.integers(2, 6))
        p = GrowthParameters(newcomer_asks=asks, newcomer_asked=asked, of_r=of_r, trials=(m, m, m))
        high, low = draw.uniform(0.6, 0.8), draw.uniform(0.25, 0.45)
        means: Any = tuple(tuple((x,) * 3 for _ in range(2)) for x in draw.permutation([high, low]))
        seen, said = course(p, means, 2000), mean_field(p, means, 100)
        error = float(((seen - said)[1:] ** 2).mean())
        assert error < 5e-4
        assert error < ((seen[1:] - 0.5) ** 2).mean()
        assert error < ((seen[1:] - seen[1]) ** 2).mean()
