"""The mean field beside simulated growth: figures of the specification, and parameters that nobody chose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandbox.society import BetaGranter, GrowthParameters
from sandbox.society.granters import ALIGNED, NEUTRAL
from sandbox.society.many import Runs
from sandbox.society.model import NOBODY, B, R
from sandbox.society.theory import drift, fixed_point, mean_field, measured_means, ode, pair_means, printed_drift

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


def test_the_drift_is_the_mean_of_what_steps_add() -> None:
    """By drawing steps one by one, apart from the tables that the drift is made of."""
    p = GrowthParameters(newcomer_asks=0.3, newcomer_asked=0.2, of_r=0.35, trials=(2, 4, 3))
    draw, mu, theta, runs = np.random.default_rng(7), np.array(ALIGNED), np.array([[0.7] * 3, [0.4] * 3]), 60_000
    asked, asking = ((side.sum() + p.of_r * 0.5 * 1.5) / (3 + 0.5 * 1.5) for side in theta)
    kind = draw.choice(3, runs, p=(0.3, 0.2, 0.5))
    there = np.arange(4) < np.array(p.trials)[kind][:, None]
    target, source = (np.where(draw.random((runs, 4)) < chance, R, B) for chance in (asked, asking))
    newborn = np.where(draw.random(runs) < p.of_r, R, B)[:, None]
    source, target = np.where(kind[:, None] == 0, newborn, source), np.where(kind[:, None] == 1, newborn, target)
    grants = mu[target, source] * there[:, :, None]
    shares = grants / grants.sum(axis=1, keepdims=True)
    seen = [(shares * (end == R)[:, :, None]).sum(axis=1).mean(axis=0) for end in (target, source)]
    assert drift(p, mu, theta) == pytest.approx(np.array(seen), abs=0.008)
    assert np.abs(printed_drift(p, mu, theta) - np.array(seen)).min() > 0.1


def test_where_a_pair_is_always_refused_only_steps_that_add_something_count() -> None:
    p = GrowthParameters(newcomer_asks=0.0, newcomer_asked=1.0, of_r=0.25)
    means = np.full((2, 2, 3), 0.5)
    means[R] = 0.0
    assert drift(p, means, np.full((2, 3), 0.5))[0] == pytest.approx(0.0), "no newcomer of type R is given anything"
    asking = (1.5 + 0.25 * 1.5) / (3 + 1.5)  # half of all mass, and a quarter of newcomers
    assert drift(p, means, np.full((2, 3), 0.5))[1] == pytest.approx(asking), "and newcomers of type B grant all alike"
    for wrong in (np.zeros((2, 2, 3)), -means, np.where(means, np.nan, 0.5)):
        with pytest.raises(ValueError, match="mean grants"):
            drift(p, wrong, np.full((2, 3), 0.5))


@pytest.mark.parametrize("changes", [{}, {"of_r": 0.8}, {"newcomer_asks": 0.5, "trials": (5, 2, 4)}, {"begin": 5}])
def test_the_equation_in_log_time_is_the_course_step_by_step(changes: dict[str, Any]) -> None:
    p = GrowthParameters(**changes)
    said = mean_field(p, ALIGNED, 400)
    assert ode(p, ALIGNED, 400) == pytest.approx(said, abs=1e-3)
    assert np.abs(ode(p, ALIGNED, 400, after=0) - said).max() > 1e-3, "why the first steps are taken one by one"


def test_long_runs_end_at_the_fixed_point() -> None:
    p = GrowthParameters(newcomer_asks=0.5, newcomer_asked=0.5)
    assert ode(p, ALIGNED, 10**5)[-1] == pytest.approx(fixed_point(p, ALIGNED).theta, abs=0.005)


def test_what_is_printed_fits_only_means_that_are_made_to_sum_to_one() -> None:
    runs, granter = Runs(P, range(400)), BetaGranter(ALIGNED)
    logged: list[Any] = []
    while runs.going.any():
        plan = runs.plan()
        raw = granter.grants(runs, plan)
        added, there = runs.add(plan, raw), plan.source != NOBODY
        types = (end[there].astype(np.int64) for end in (plan.target_type, plan.source_type))
        logged.append((*types, raw.swapaxes(1, 2)[there], added.swapaxes(1, 2)[there]))
    target, source, raw, added = (np.concatenate(parts) for parts in zip(*logged, strict=True))
    means = measured_means(target, source, raw, added, 3)
    seen = runs.theta.mean(axis=2)
    assert means.raw == pytest.approx(np.array(ALIGNED), abs=0.02)
    assert means.scaled == pytest.approx(3 * means.normalised)
    assert added.mean() == pytest.approx(1 / 3)
    right = mean_field(P, means.raw, 100)[-1]
    errors = [float(((mean_field(P, mu, 100, of=printed_drift)[-1] - seen) ** 2).mean()) for mu in means]
    assert ((right - seen) ** 2).mean() < 5e-4
    assert errors[2] < 5e-4 < 0.05 < min(errors[:2])
    other = GrowthParameters(of_r=0.8)
    assert np.abs(mean_field(other, means.scaled, 100, of=printed_drift) - mean_field(other, ALIGNED, 100)).max() > 0.05


def test_what_is_printed_is_below_its_bound_and_the_drift_is_not() -> None:
    for of, covered in ((printed_drift, True), (drift, False)):
        end = fixed_point(P, 0.5 * np.array(ALIGNED), of=of)
        assert end.contraction < 1
        assert (end.contraction < end.bound) == covered


def test_means_by_type_pair_are_of_the_asked_and_who_asks_and_none_where_none_asked() -> None:
    values = np.arange(12.0).reshape(4, 3)
    found = pair_means(np.array([R, B, B, R]), np.array([B, R, R, B]), values)
    assert found[R, B] == pytest.approx(values[[0, 3]].mean(axis=0))
    assert found[B, R] == pytest.approx(values[[1, 2]].mean(axis=0))
    assert np.isnan(found[R, R]).all()


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
