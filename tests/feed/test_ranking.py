"""The scores that posts are ranked by, against numbers worked by hand."""

from __future__ import annotations

from math import log, log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.feed.card_scores import HOT_EPOCH, OLDEST, UNIT_SECONDS, fame, hot, recency, top

# ---- hot


@pytest.mark.parametrize(
    ("up", "down", "after", "reddit", "paper"),
    [
        (0, 0, 0, 0.0, 0.0),
        (1, 0, 0, 0.0, 0.0),
        (10, 0, 0, 1.0, 1.0),
        (0, 10, 0, -1.0, 1.0),  # by equation 1 a dislike adds where time adds nothing
        (10, 0, 45000, 2.0, 2.0),
        (0, 10, 45000, 0.0, 0.0),
        (0, 10, 90000, 1.0, -1.0),  # and takes all the more where the post is newer
        (5, 5, 90000, 2.0, 0.0),
        (0, 1, 90000, 2.0, -2.0),
        (125, 25, 22500, 2.5, 2.5),
        (3, 5, 1, -0.3010078, 0.3010078),  # log10(2) = 0.30103, 1 / 45000 = 0.0000222
        (2, 0, 1, 0.3010522, 0.3010522),
        (1, 0, 1741073400 - HOT_EPOCH, 13489.8977111, 13489.8977111),  # 2025-03-04 07:30
        (1100, 100, -45000, 2.0, 2.0),
    ],
)
def test_the_hot_score_is_what_was_worked_by_hand(up: int, down: int, after: int, reddit: float, paper: float) -> None:
    assert hot(up, down, HOT_EPOCH + after) == reddit
    assert hot(up, down, HOT_EPOCH + after, "paper") == paper


def test_time_is_counted_from_the_second_that_reddit_counts_from() -> None:
    assert HOT_EPOCH == 1134028003
    assert hot(0, 0, 1134028003) == 0
    assert hot(0, 0, 1134073003) == 1


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 2 * 10**9))
def test_the_hot_score_has_seven_decimals_and_follows_its_formula(up: int, down: int, t: int) -> None:
    s, age = up - down, (t - 1134028003) / 45000
    sign, order = (s > 0) - (s < 0), log10(max(abs(s), 1))
    for formula, whole in (("reddit", sign * order + age), ("paper", order + sign * age)):
        found = float(hot(up, down, t, formula))
        assert found == round(found, 7)
        assert found == pytest.approx(whole, abs=1e-7)


def test_posts_of_the_same_score_and_second_tie_and_of_two_the_newer_is_hotter() -> None:
    a, b, c = hot([7, 9, 7], [2, 4, 2], [HOT_EPOCH + 100, HOT_EPOCH + 100, HOT_EPOCH + 101])
    assert a == b < c


def test_a_disliked_post_rises_with_time_at_reddit_and_sinks_in_the_paper() -> None:
    when = HOT_EPOCH + np.array([1, 2, 3]) * 86400
    assert (np.diff(hot(0, 4, when)) > 0).all()
    assert (np.diff(hot(0, 4, when, "paper")) < 0).all()


# ---- recency


def test_recency_is_1_at_first_and_0_after_515_minutes() -> None:
    ages = np.array([0, 60 * 515 - 1, 30923, 30924, 10**6], np.int32)
    found = recency(ages)
    assert found[0] == pytest.approx(1, abs=2e-4)  # ln 2.718
    assert 0 < found[2] < found[1] < 0.0015
    assert OLDEST == 30924 == round(515.4 * 60)
    assert found[3] == found[4] == 0


@pytest.mark.parametrize("units", [1, 7, 50, 100, 171])
def test_age_is_counted_in_units_of_three_minutes(units: int) -> None:
    assert UNIT_SECONDS == 180
    assert recency(np.array([180 * units]))[0] == pytest.approx(log((271.8 - units) / 100), abs=1e-6)


def test_recency_only_falls_and_what_comes_from_the_future_is_new() -> None:
    assert (np.diff(recency(np.arange(0, 40_000))) <= 0).all()
    assert recency(np.array([-90, 0])).tolist() == [recency(np.array([0]))[0]] * 2


# ---- fame


def test_fame_counts_from_a_thousand_fans_on() -> None:
    assert fame(np.array([0, 1, 998, 999])).tolist() == [1.0] * 4
    assert fame(np.array([1000]))[0] > 1
    assert fame(np.array([1_000_000]))[0] == pytest.approx(2, abs=1e-6)
    assert fame(np.array([31_622]))[0] == pytest.approx(1.5, abs=1e-5)


# ---- the highest of each row


@given(st.integers(0, 5), st.integers(1, 12), st.integers(1, 15), st.integers(0, 2**31))
def test_top_is_the_beginning_of_a_sorted_row(n: int, m: int, k: int, seed: int) -> None:
    scores = np.random.default_rng(seed).integers(-3, 4, (n, m)).astype(np.float32)
    at, found = top(scores.copy(), k)
    assert at.shape == found.shape == (n, k)
    for row, where, best in zip(scores.tolist(), at.tolist(), found.tolist(), strict=True):
        sorted_ = sorted(range(m), key=lambda i: (-row[i], i))[:k]  # of equals the first
        assert where[:m] == sorted_
        assert best[:m] == [row[i] for i in sorted_]
        assert best[m:] == [-np.inf] * (k - m)


def test_top_of_rows_without_columns_is_nothing() -> None:
    at, found = top(np.zeros((2, 0), np.float32), 3)
    assert at.tolist() == [[0] * 3] * 2
    assert found.tolist() == [[-np.inf] * 3] * 2
