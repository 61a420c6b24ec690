"""Intervals over seeds, and ranks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.lab.statistics import LEAST, Estimate, band, estimate, ranks, spearman

numbers = st.lists(st.floats(-1e3, 1e3), min_size=LEAST, max_size=30)


@given(numbers)
def test_an_interval_lies_among_the_values_and_around_their_mean(values: list[float]) -> None:
    found = estimate(values, "x")
    assert found.n == len(values)
    assert found.low is not None
    assert found.high is not None
    assert found.mean is not None
    assert min(values) - 1e-5 <= found.low <= found.mean + 1e-5
    assert found.mean - 1e-5 <= found.high <= max(values) + 1e-5


def test_it_is_the_same_each_time_and_hangs_on_nothing_but_name_and_values() -> None:
    values = [0.1, 0.4, 0.2, 0.9, 0.3]
    assert estimate(values, "r") == estimate(values, "r")
    assert estimate(values, "r") != estimate(values, "q")
    assert estimate([*values, None], "r") == estimate(values, "r")


def test_few_values_have_no_interval_and_none_have_no_mean() -> None:
    assert estimate([1.0, 2.0], "x") == Estimate(1.5, None, None, 2)
    assert estimate([None], "x") == Estimate(None, None, None, 0)
    assert not estimate([1.0, 2.0], "x").clear


def test_clear_is_what_leaves_0_out() -> None:
    assert estimate([0.4, 0.5, 0.6, 0.5, 0.4], "x").clear
    assert estimate([-0.4, -0.5, -0.6, -0.5, -0.4], "x").clear
    assert not estimate([-0.4, 0.5, -0.6, 0.5, 0.1], "x").clear
    assert not estimate([0.0] * 6, "x").clear


@pytest.mark.slow
def test_intervals_of_ten_seeds_hold_the_truth_nine_times_in_ten() -> None:
    chance = np.random.default_rng(1)
    hits = 0
    for i in range(300):
        low, high = band(chance.normal(size=(10, 1)), str(i))
        hits += bool(low[0] <= 0.0 <= high[0])
    assert 0.84 < hits / 300 < 0.95


def test_spearman_shares_ranks_among_ties() -> None:
    assert ranks([3.0, 1.0, 3.0, 2.0]) == [3.5, 1.0, 3.5, 2.0]
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1.0)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1.0)
    assert spearman([1, 2, 2, 3], [1, 2, 3, 3]) == pytest.approx(5 / 6)
    assert spearman([1, 1, 1], [1, 2, 3]) is None
    assert spearman([1], [1]) is None
    with pytest.raises(ValueError, match="same things"):
        spearman([1, 2], [1])
