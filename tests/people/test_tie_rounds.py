"""A round of ties as arrays is the rule of ties.py, pair by pair (docs/mechanisms.md, Ties)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sandbox.people import ties
from sandbox.people.ties import (
    BLOCK,
    Signals,
    TieParameters,
    affect,
    approval,
    average_likes,
    evidence_matrix,
    reciprocity_matrix,
    update_ties,
)

N = 4
P = TieParameters(half_life=5.0)
counts = arrays(float, (N, N), elements=st.integers(0, 3).map(float))
shares = arrays(float, (N, N), elements=st.floats(0, 1, width=32).map(float))
flags = arrays(bool, (N, N))


def still() -> Signals:
    return Signals(*(np.zeros((N, N)) for _ in range(4)), *(np.zeros((N, N), bool) for _ in range(2)))


@given(shares, counts, counts, counts, shares, flags, flags)
def test_each_pair_comes_out_as_by_the_rule_for_two(
    before: np.ndarray, likes: np.ndarray, dislikes: np.ndarray, messages: np.ndarray, tone: np.ndarray,
    new: np.ndarray, acted: np.ndarray,
) -> None:  # fmt: skip
    np.fill_diagonal(before, 0.0)
    s = Signals(likes, dislikes, (2 * tone - 1) * messages, messages, new, acted)
    liked = average_likes(np.zeros((N, N)), likes)
    after = update_ties(before, evidence_matrix(s, liked), acted, P)
    for u in range(N):
        for v in range(N):
            votes = likes[u, v] + dislikes[u, v]
            heard = messages[u, v] > 0 and not votes
            e = ties.tie_evidence(
                float(new[u, v]),
                (likes[u, v] - dislikes[u, v]) / votes if votes else 0.0,
                2 * tone[u, v] - 1 if heard else 0.0,
                ties.like_reciprocity(liked[u, v], liked[v, u]),
            )
            a = before[u, v]
            one = a + ties.tie_growth(a, e, P) if acted[u, v] else a * 2 ** (-1 / 5)
            assert after[u, v] == pytest.approx(0.0 if u == v else one, abs=1e-5)
    assert (after >= 0).all()
    assert (after <= 1).all()


def test_what_one_does_to_another_moves_the_others_tie_alone() -> None:
    s = still()
    s.likes[0, 1] = 1  # 1 likes what 0 wrote
    s.acted[0, 1] = True
    after = update_ties(np.zeros((N, N)), evidence_matrix(s, average_likes(np.zeros((N, N)), s.likes)), s.acted, P)
    assert after[0, 1] == pytest.approx(0.2)
    assert after.sum() == after[0, 1]


def test_signals_are_nothing_where_nothing_was_done() -> None:
    s = still()
    assert not approval(s.likes, s.dislikes).any()
    assert not affect(s).any()
    assert not reciprocity_matrix(s.likes, s.likes.T).any()
    assert (reciprocity_matrix(s.likes, s.likes.T, paper=True) == 1.0).all(), "as it is printed"


def test_messages_count_only_without_a_vote() -> None:
    s = still()
    s.messages[0, 1] = s.messages[0, 2] = 2
    s.sentiment[0, 1] = s.sentiment[0, 2] = 1.2
    s.likes[0, 2] = 1
    assert affect(s)[0].tolist() == [0.0, 0.6, 0.0, 0.0]


def drawn(n: int, seed: int = 1) -> tuple[Signals, np.ndarray, np.ndarray]:
    """Signals of a round, ties and averages of likes, drawn at random; two in three have no vote."""
    chance = np.random.default_rng(seed)
    few = [np.floor(chance.random((n, n)) * 1.5) for _ in range(3)]
    s = Signals(
        few[0], few[1], chance.uniform(-1, 1, (n, n)) * few[2], few[2], chance.random((n, n)) < 0.3,
        chance.random((n, n)) < 0.5,
    )  # fmt: skip
    return s, chance.random((n, n)), np.floor(chance.random((n, n)) * 3)


def test_blocks_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    s, a, liked = drawn(40)
    whole = (
        evidence_matrix(s, liked),
        update_ties(a, evidence_matrix(s, liked), s.acted, P),
        average_likes(liked, s.likes),
    )
    assert BLOCK // 40 >= 40, "all of it is one block"
    monkeypatch.setattr("sandbox.people.ties.BLOCK", 120)  # three rows at a time
    parts = (
        evidence_matrix(s, liked),
        update_ties(a, evidence_matrix(s, liked), s.acted, P),
        average_likes(liked, s.likes),
    )
    assert all((x == y).all() for x, y in zip(whole, parts, strict=True))


def test_nothing_that_is_given_is_changed() -> None:
    s, a, liked = drawn(9)
    before = [m.copy() for m in (*s, a, liked)]
    approval(s.likes, s.dislikes)
    affect(s)
    reciprocity_matrix(liked, liked.T, paper=True)
    update_ties(a, evidence_matrix(s, average_likes(liked, s.likes)), s.acted, P)
    assert all((x == y).all() for x, y in zip(before, (*s, a, liked), strict=True))
