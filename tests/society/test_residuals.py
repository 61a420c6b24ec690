"""Residuals that are noise are told from those that are not, whatever the number of coordinates that vary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandbox.society import BetaGranter, GrowthParameters
from sandbox.society.granters import ALIGNED
from sandbox.society.many import Runs
from sandbox.society.residuals import innovations, level_errors, level_residuals, white_noise, whiteness
from sandbox.society.theory import drift, mean_field, printed_drift

P = GrowthParameters()


def evenness(ps: Any) -> float:
    """The p of Kolmogorov and Smirnov's test that numbers are even in [0, 1]."""
    from scipy.stats import kstest

    return float(kstest(ps, "uniform").pvalue)


def test_white_noise_has_even_chances_and_what_remembers_has_none() -> None:
    draw = np.random.default_rng(11)
    noise = draw.standard_normal((200, 100, 6)) @ draw.standard_normal((6, 6))
    remembers = noise.copy()
    for t in range(1, 100):
        remembers[:, t] += 0.4 * remembers[:, t - 1]
    found, control = ([whiteness(e) for e in series] for series in (noise, remembers))
    assert evenness([w.p for w in found]) > 0.01
    assert 0.4 < np.mean([w.p for w in found]) < 0.6
    assert np.mean([w.p < 0.05 for w in control]) > 0.9 > 0.1 > np.mean([w.p < 0.05 for w in found])
    assert all((w.rank, w.df, w.p) == (6, 360, w.printed_p) for w in found)


def test_a_series_that_can_be_counted_by_hand() -> None:
    found = whiteness(np.array([[1.0], [-1.0], [1.0], [-1.0]]), lags=1)
    assert (found.q, found.max_acf) == pytest.approx((3.0, 1.0)), "(-3)^2 / 3, and |-3| / 3"
    assert found.p == pytest.approx(0.0832645), "of chi^2 with one degree"
    other = whiteness(np.array([[1.0], [1.0], [-1.0], [-1.0], [1.0], [-1.0]]), lags=2)
    assert other.q == pytest.approx(1 / 5 + 4 / 4), "sums -1 and -2"


def test_collinear_coordinates_change_nothing_but_what_is_printed() -> None:
    e = np.random.default_rng(2).standard_normal((100, 2))
    alone, whole = whiteness(e), whiteness(e @ np.array([[1.0, 2, 3, 0], [0, 1, 1, 5]]) + 7)
    assert whole.q == pytest.approx(alone.q)
    assert whole.max_acf == pytest.approx(alone.max_acf)
    assert (whole.rank, whole.df, whole.printed_df) == (2, 40, 160)
    assert whole.p == pytest.approx(alone.p)
    assert whole.printed_p > 0.999, "held against directions that cannot vary anything is white"


def test_white_noise_of_the_papers_size_has_the_figure_of_the_specification() -> None:
    q, max_acf = white_noise(100, 6, 300, seed=5)
    assert max_acf.mean() == pytest.approx(0.51, abs=0.01)
    assert max_acf.min() > 0.4, "the paper's .11 and .13 lie below what noise can give"
    assert q.mean() == pytest.approx(360, abs=6)
    again = white_noise(100, 6, 300, seed=5)
    assert (again[0] == q).all()
    assert (white_noise(100, 6, 300, seed=6)[0] != q).all()


def test_innovations_of_runs_are_white_where_levels_are_not() -> None:
    runs, granter = Runs(P, range(60)), BetaGranter(ALIGNED)
    seen = [runs.theta]
    while runs.going.any():
        plan = runs.plan()
        runs.add(plan, granter.grants(runs, plan))
        seen.append(runs.theta)
    courses = np.moveaxis(np.array(seen), -1, 0)
    said = mean_field(P, ALIGNED, 100)
    steps = [innovations(P, ALIGNED, course) for course in courses]
    assert np.mean(steps, axis=(0, 1)) == pytest.approx(0, abs=0.03)
    assert np.mean([whiteness(e).p < 0.05 for e in steps]) < 0.2
    wrong = [innovations(P, ALIGNED, course, of=printed_drift) for course in courses]
    assert np.abs(np.mean(wrong, axis=(0, 1))).min() > 0.15
    assert np.mean([whiteness(e).p < 0.05 for e in wrong]) < 0.2, "whiteness is blind to an error that stays"
    levels = [level_residuals(said, course) for course in courses]
    assert np.mean([whiteness(e).p < 0.05 for e in levels]) == 1
    errors = [
        level_errors(level_residuals(mean_field(P, ALIGNED, 100, of=of), courses.mean(axis=0)))
        for of in (drift, printed_drift)
    ]
    assert errors[0][0] < 2e-3 < 0.05 < errors[1][0]
    assert errors[0][1] < errors[1][1]


def test_innovations_of_the_forecast_itself_are_nothing_and_its_levels_no_error() -> None:
    course = mean_field(P, ALIGNED, 30)
    assert innovations(P, ALIGNED, course) == pytest.approx(0, abs=1e-12)
    assert np.abs(innovations(P, ALIGNED, course, of=printed_drift)).max() > 0.1
    moved = level_residuals(course + 0.1, course)
    assert level_errors(moved) == pytest.approx((0.01, 0.1 * 6**0.5))


@pytest.mark.parametrize(("e", "says"), [(np.full((100, 6), 0.1), "do not vary"), (np.ones((11, 2)), "too few")])
def test_what_cannot_be_tested_is_refused(e: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        whiteness(e)
