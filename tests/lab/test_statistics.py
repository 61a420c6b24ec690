"""Intervals over seeds, and tests by flipped signs; how often they are right is measured in test_coverage.py."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import sandbox
from sandbox.lab.statistics import (
    DRAWS,
    EXACT,
    LEAST,
    Estimate,
    PairedDifference,
    _skewness,
    _untransformed,
    estimate,
    q_values,
    required_seeds,
    seeds_for,
    sign_flip_test,
)

numbers = st.lists(st.floats(-1e3, 1e3), min_size=LEAST, max_size=30)
Draw = Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]]
SPREAD: dict[str, Draw] = {
    "normal": lambda chance, shape: chance.normal(size=shape),
    "counts less counts": lambda chance, shape: (chance.poisson(3.0, shape) - chance.poisson(3.0, shape)) * 1.0,
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("n", [10, 60])
@pytest.mark.parametrize("spread", ["normal", "counts less counts"])  # as like to each other as two equal arms are
def test_flipped_signs_give_a_false_alarm_no_oftener_than_they_say(spread: str, n: int) -> None:
    runs = 500
    values = SPREAD[spread](np.random.default_rng(n), (n, runs))
    share = np.mean([p is not None and p <= 0.05 for p in sign_flip_test(values, "x")])
    assert 0.02 < share < 0.065


@given(numbers)
def test_an_interval_lies_around_the_mean(values: list[float]) -> None:
    found = estimate(values)
    assert found.n == len(values)
    assert found.low is not None
    assert found.high is not None
    assert found.mean is not None
    assert found.low <= found.mean + 1e-5
    assert found.mean - 1e-5 <= found.high


def test_it_is_that_of_the_books() -> None:
    even = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    found = stats.ttest_1samp(even, 0.0).confidence_interval(0.95)
    assert estimate(even) == Estimate(0.35, round(float(found.low), 6), round(float(found.high), 6), 6)
    assert estimate([*even, None]) == estimate(even)


def test_where_seeds_are_skewed_it_reaches_further_towards_the_long_tail_and_nowhere_less_far() -> None:
    skewed = [0.1, 0.15, 0.2, 0.25, 0.3, 2.0]
    student = stats.ttest_1samp(skewed, 0.0).confidence_interval(0.95)
    found, turned = estimate(skewed), estimate([-x for x in skewed])
    assert found.low == pytest.approx(student.low, abs=1e-6)
    assert found.high is not None
    assert found.high > student.high + 0.5
    assert (turned.low, turned.high) == (-found.high, -(found.low or 0.0))
    assert found.high < 20.0


def test_of_a_transformed_t_the_skewness_is_gone() -> None:
    """g(T) as Hall has it: by his numbers, and there and back."""
    a, t = np.array([0.3, -0.4, 0.9]), np.array([-2.0, 0.5, 2.5])
    there = t + a / 3 * t**2 + a**2 / 27 * t**3 + a / 6
    back = [float(_untransformed(float(y), np.array([x]))[0]) for y, x in zip(there, a, strict=True)]
    assert back == pytest.approx(t.tolist())
    assert _untransformed(1.7, np.zeros(1)).tolist() == [1.7]
    rows = np.random.default_rng(2).gamma(2.0, size=(15, 4))
    assert _skewness(rows) == pytest.approx(stats.skew(rows))
    assert _skewness(np.ones((7, 1))).tolist() == [0.0]


def test_few_values_have_no_interval_and_none_have_no_mean() -> None:
    assert estimate([1.0, 2.0]) == Estimate(1.5, None, None, 2)
    assert estimate([None]) == Estimate(None, None, None, 0)
    assert not estimate([1.0, 2.0]).clear


def test_clear_is_what_leaves_0_out() -> None:
    assert estimate([0.4, 0.5, 0.6, 0.5, 0.4, 0.5]).clear
    assert estimate([-0.4, -0.5, -0.6, -0.5, -0.4, -0.5]).clear
    assert not estimate([-0.4, 0.5, -0.6, 0.5, 0.1, 0.1]).clear
    assert not estimate([0.0] * 6).clear


def test_what_is_shown_leaves_0_out_and_is_no_likely_chance() -> None:
    apart = Estimate(0.5, 0.4, 0.6, 9)
    assert PairedDifference(apart, 9, p=0.01).shown
    assert not PairedDifference(apart, 9, p=0.06).shown  # the interval alone is not enough
    assert not PairedDifference(apart, 9, p=0.01, q=0.06).shown  # nor is one of many
    assert not PairedDifference(Estimate(0.5, -0.1, 1.1, 9), 7, p=0.01).shown
    assert not PairedDifference(Estimate(0.5, None, None, 2), 2).shown


def test_all_ways_to_flip_few_signs_are_gone_through_and_many_are_drawn() -> None:
    rows = np.random.default_rng(3).normal(0.4, 1.0, size=(9, 3)).round(3)
    for column, p in zip(rows.T, sign_flip_test(rows, "x"), strict=True):
        found = stats.permutation_test((column,), np.mean, permutation_type="samples", n_resamples=np.inf)
        assert p == pytest.approx(found.pvalue, abs=1e-6)
    assert sign_flip_test(np.ones((LEAST, 1)), "x") == [2 / 2**LEAST]
    assert 2 / 2**LEAST <= 0.05 < 2 / 2 ** (LEAST - 1)  # of fewer seeds nothing could be shown, whatever they have
    assert sign_flip_test(np.ones((LEAST - 1, 1)), "x") == [None]
    assert sign_flip_test(np.zeros((9, 1)), "x") == [1.0]
    many = np.random.default_rng(3).normal(0.2, 1.0, size=(EXACT + 14, 1))
    (p,) = sign_flip_test(many, "x")
    assert p == pytest.approx(stats.ttest_1samp(many[:, 0], 0.0).pvalue, abs=0.01)
    assert sign_flip_test(many, "x") == [p]
    assert sign_flip_test(many, "y") != [p]  # other draws
    assert sign_flip_test(np.full((40, 1), 0.5), "x") == [round(1 / (DRAWS + 1), 6)]


def test_it_is_told_from_how_many_seeds_on_one_test_alone_among_many_can_be_shown() -> None:
    for tests in (1, 2, 15, 41):
        n = seeds_for(tests)
        assert min(q_values({0: 2 / 2**n} | dict.fromkeys(range(1, tests), 1.0)).values()) <= 0.05
        assert min(q_values({0: 2 / 2 ** (n - 1)} | dict.fromkeys(range(1, tests), 1.0)).values()) > 0.05
    few, many = (PairedDifference(Estimate(0.5, 0.4, 0.6, n), n, p=0.03, q=0.03) for n in (9, 10))
    assert required_seeds([few] * 15) == 10
    assert required_seeds([many] * 15) == required_seeds([]) == 0


def test_what_a_seed_has_no_number_of_is_left_out_of_that_column_alone() -> None:
    rows = np.random.default_rng(5).normal(0.5, 1.0, size=(8, 2))
    whole, short = sign_flip_test(rows, "x"), rows.copy()
    short[0, 1] = np.nan
    assert sign_flip_test(short, "x") == [whole[0], sign_flip_test(rows[1:], "x")[1]]
    short[:4, 1] = np.nan
    assert sign_flip_test(short, "x") == [whole[0], None]


def test_of_many_looked_at_each_is_held_to_more() -> None:
    found = q_values({"a": 0.01, "b": 0.04, "c": 0.03, "d": None, "e": 0.5})
    assert found == {"a": 0.04, "b": pytest.approx(0.053333), "c": pytest.approx(0.053333), "e": 0.5}
    assert q_values({"a": None}) == {}


@pytest.mark.slow
def test_nothing_of_scipy_is_loaded_before_a_report_is_made() -> None:
    """It is half a second and 70 MB: only functions load it."""
    for path in Path(sandbox.__file__).parent.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.partition(".")[0] == "scipy" for name in names), path
