"""Numbers of a log: shares, and how two rows of numbers go together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sandbox.readers.numbers import share, spearman


def test_there_is_no_share_of_nothing() -> None:
    assert (share(1, 3), share(0, 3), share(0, 0)) == (0.3333, 0.0, None)


def test_spearman_shares_ranks_among_ties() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1.0)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1.0)
    assert spearman([1, 2, 2, 3], [1, 2, 3, 3]) == pytest.approx(5 / 6)
    assert spearman([1, 1, 1], [1, 2, 3]) is None
    assert spearman([1], [1]) is None
    with pytest.raises(ValueError, match="same things"):
        spearman([1, 2], [1])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=12))
def test_ranks_are_those_of_scipy(pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    found = spearman(a, b)
    if found is not None:
        assert found == pytest.approx(float(stats.spearmanr(a, b).statistic))
