"""Closeness and feeling (docs/mechanisms.md, Ties)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.people.ties import Tie, TieParameters, change_feeling, closeness_at, closer, kind, tie_evidence, tie_growth

P = TieParameters()
share = st.floats(0, 1)
signed = st.floats(-1, 1)


@pytest.mark.parametrize(
    ("signals", "e"),
    [
        ({}, 0.11),
        ({"novelty": 1.0}, 0.29),
        ({"affect": 0.6}, 0.51),
        ({"approval": 1.0}, 0.82),
        ({"approval": 1.0, "reciprocity": 1.0}, 0.94),
    ],
    ids=["nothing", "a mention with a new topic", "a warm message", "a like", "mutual likes"],
)
def test_evidence_is_as_the_table_says(signals: dict[str, float], e: float) -> None:
    none = {"novelty": 0.0, "approval": 0.0, "affect": 0.0, "reciprocity": 0.0}
    assert tie_evidence(**{**none, **signals}) == pytest.approx(e, abs=0.005)


def test_hostility_is_next_to_no_evidence() -> None:
    assert tie_evidence(0, -1.0, 0, 0) <= 0.01
    assert tie_evidence(0, 0, -1.0, 0) <= 0.01


@given(share, signed, signed, share, st.floats(0, 0.5))
def test_evidence_grows_with_each_signal(n: float, ap: float, af: float, r: float, more: float) -> None:
    e = tie_evidence(n, ap, af, r)
    assert 0 < e < 1
    for other in (
        tie_evidence(n + more, ap, af, r),
        tie_evidence(n, ap + more, af, r),
        tie_evidence(n, ap, af + more, r),
    ):
        assert other >= e


@given(share, share)
def test_growth_follows_the_active_rule(closeness: float, e: float) -> None:
    assert tie_growth(closeness, e, P) == pytest.approx(min(0.2, (1 - closeness) * max(0, e - 0.2)))


@given(share, st.lists(share, min_size=1, max_size=12), st.integers(1, 30))
def test_a_pair_grows_at_most_dmax_a_day(closeness: float, talks: list[float], day: int) -> None:
    tie = Tie(closeness, 0.0, day - 1)
    start = closeness_at(tie, day, P)
    for e in talks:
        after, gained, today = closer(tie, day, e, P)
        assert 0 <= gained <= P.dmax + 1e-6
        tie.closeness, tie.grown, tie.day = after, today, day
    assert tie.grown <= P.dmax + 1e-5
    assert tie.closeness <= min(1.0, start + P.dmax) + 2e-5


def test_the_cap_opens_again_the_next_day() -> None:
    tie = Tie(0.0, 0.0, 0)
    after, gained, today = closer(tie, 1, 1.0, P)
    assert (after, gained, today) == (0.2, 0.2, 0.2)
    tie = Tie(after, 0.0, 1, grown=today)
    assert closer(tie, 1, 1.0, P) == (0.2, 0.0, 0.2)
    assert closer(tie, 2, 1.0, P) == (0.4, 0.2, 0.2)


@given(share, st.integers(0, 200), st.integers(0, 60))
def test_idle_days_decay_with_a_half_life_of_seven(closeness: float, day: int, idle: int) -> None:
    tie = Tie(closeness, 0.0, day)
    assert closeness_at(tie, day, P) == closeness
    assert closeness_at(tie, day + 1, P) == closeness
    assert closeness_at(tie, day + 1 + idle, P) == pytest.approx(closeness * 0.5 ** (idle / 7))
    assert closeness_at(tie, day + 8, P) == pytest.approx(closeness / 2)


@given(share, signed, st.integers(1, 20))
def test_a_hostile_talk_neither_decays_nor_grows_the_tie(closeness: float, affect: float, day: int) -> None:
    e = tie_evidence(0, 0, affect - 1, 0)
    after, gained, _ = closer(Tie(closeness, 0.0, day), day, e, P)
    if e <= P.xi:
        assert gained == 0
        assert after == pytest.approx(closeness, abs=1e-6)


@given(signed, st.floats(-5, 5))
def test_a_feeling_moves_by_at_most_its_bound_and_stays_in_range(feeling: float, u: float) -> None:
    after, applied = change_feeling(feeling, u, P)
    assert -1 <= after <= 1
    assert abs(applied) <= 0.3 + 1e-6
    assert after == pytest.approx(max(-1, min(1, feeling + max(-0.3, min(0.3, u)))), abs=1e-6)
    assert applied == pytest.approx(after - feeling, abs=1e-6)


@pytest.mark.parametrize(
    ("feeling", "closeness", "talks", "word"),
    [(-0.5, 0.9, 9, "sour"), (0.0, 0.6, 0, "close"), (0.0, 0.3, 3, "friendly"), (0.4, 0.0, 0, "friendly"),
     (0.0, 0.0, 0, "stranger"), (0.0, 0.0, 2, "cool"), (-0.1, 0.1, 1, "cool")],
)  # fmt: skip
def test_a_tie_has_a_word(feeling: float, closeness: float, talks: int, word: str) -> None:
    assert kind(feeling, closeness, talks) == word
