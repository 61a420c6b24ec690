"""Learners beside their equations, a library of bandits, and the figures of a reference run (docs/policy.md, Learners).

The heavy tests hold for fixed seeds; SANDBOX_SEEDS=101,102 takes others (`arms.py`).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from arms import SEEDS, cases, in_blocks, mean_regrets
from mabwiser.mab import MAB, LearningPolicy

from sandbox.policy.learners import ExploreExploit, GreedyLinear, GreedyNeural, LinUCB, RandomArms, propagate
from sandbox.policy.networks import Network, pool_plan

WIDTH = 7


def network(seed: int = 3, width: int = WIDTH) -> Network:
    made = Network(width, np.random.default_rng(seed), 0.01)
    made.weights[:] = made.weights + np.random.default_rng(seed + 1).normal(0, 0.1, len(made.weights))
    return made


def values(made: Network, weights: Any, x: Any) -> Any:
    """f(x) of the same network with other weights, in double precision."""
    kept = made.weights.copy()
    made.weights[:] = weights
    found = made.values(x).astype(np.float64)
    made.weights[:] = kept
    return found


def test_the_gradient_that_trains_is_the_slope_of_the_loss() -> None:
    made, draw = network(), np.random.default_rng(1)
    x, target = draw.normal(size=(20, WIDTH)), draw.random(20)
    padded = np.column_stack((x, np.ones(20))).astype(np.float32)
    found = made.loss_gradient(padded, target.astype(np.float32))
    weights, step = made.weights.astype(np.float64), 3e-2
    for i in draw.choice(len(weights), 40, replace=False).tolist():
        more, less = weights.copy(), weights.copy()
        more[i] += step
        less[i] -= step
        losses = [((values(made, w, x) - target) ** 2).mean() for w in (more, less)]
        slope = (losses[0] - losses[1]) / (2 * step)
        assert slope == pytest.approx(found[i], abs=0.02)


def test_weights_that_nothing_corrects_decay_by_rate_and_decay_a_step() -> None:
    made, x = (
        Network(WIDTH, np.random.default_rng(3), 0.01, decay=2.0),
        np.random.default_rng(1).normal(size=(9, WIDTH)),
    )
    made.out[:] = 0
    made.tell(x, np.zeros(9))  # its values are right, so that the gradient is 0
    held = made.inner.copy()
    made.train(2)
    assert made.inner == pytest.approx(held * 0.98**2)


@pytest.mark.parametrize("width", [1, 7, 40])
def test_the_pooled_gradient_is_the_mean_slope_of_each_block_of_weights(width: int) -> None:
    made, draw = network(width=width), np.random.default_rng(2)
    x = draw.normal(size=(5, width))
    value, pooled = made.values_and_gradients(x)
    assert value == pytest.approx(made.values(x))
    weights, size = made.weights.astype(np.float64), pool_plan(width).size
    assert pooled.shape[0] == 5
    assert pooled.shape[1] == -(-len(weights) // size) <= width
    step = 1e-2
    for block in range(pooled.shape[1]):
        part = slice(block * size, (block + 1) * size)
        more, less = weights.copy(), weights.copy()
        more[part] += step
        less[part] -= step
        slope = (values(made, more, x) - values(made, less, x)) / (2 * step) / size
        assert pooled[:, block] == pytest.approx(slope, abs=5e-3)


@pytest.mark.parametrize("make", [RandomArms, GreedyLinear, LinUCB, GreedyNeural, ExploreExploit])
def test_the_same_seed_learns_the_same_to_the_last_bit(make: Any) -> None:
    def play() -> Any:
        bandit, draw = make(WIDTH, 5), np.random.default_rng(4)
        for _ in range(6):
            x = draw.normal(size=(60, WIDTH))
            kept = bandit.keep(x)
            bandit.learn(x, np.clip(x[:, 0], 0, 1), kept)
        return bandit.scores(np.random.default_rng(9).normal(size=(8, WIDTH)), np.random.default_rng(1), np.arange(8))

    assert play().tobytes() == play().tobytes()


def test_a_group_explores_as_a_whole() -> None:
    bandit, draw = GreedyLinear(3, 1, epsilon=0.5), np.random.default_rng(2)
    bandit.learn(np.eye(3), np.array([1.0, 0, 0]), bandit.keep(np.eye(3)))
    x, groups = np.tile(np.eye(3), (400, 1)), np.repeat(np.arange(400), 3)
    best = bandit.scores(x, draw, groups).reshape(400, 3).argmax(axis=1)
    assert 0.5 < (best == 0).mean() < 0.8  # a half by merit, and a third of the other half by lot


def test_linucb_scores_as_mabwiser_does() -> None:
    x, y = cases("wine", 3)
    arms, d = 3, x.shape[1]
    ours, theirs = LinUCB(arms * d, 1), MAB([*range(arms)], LearningPolicy.LinUCB(alpha=0.3, l2_lambda=1), seed=1)
    draw, chosen = np.random.default_rng(6), []
    for t in range(60):
        arm = int(draw.integers(arms))
        block = in_blocks(x[t], arms)[arm : arm + 1]
        ours.learn(block, np.array([float(arm == y[t])]), ours.keep(block))
        chosen.append((arm, float(arm == y[t]), x[t]))
    decisions, rewards, contexts = zip(*chosen, strict=True)
    theirs.fit([*decisions], [*rewards], np.array(contexts))
    for t in range(60, 80):
        expected = theirs.predict_expectations(x[t : t + 1])
        found = ours.scores(in_blocks(x[t], arms), draw)
        assert found == pytest.approx([expected[arm] for arm in range(arms)], abs=1e-10)


def library_regret(policy: Any, name: str, seed: int) -> float:
    """Regret of a library's bandit, one case after the other."""
    x, y = cases(name, seed)
    arms = [*range(int(y.max()) + 1)]
    mab = MAB(arms, policy, seed=seed)
    mab.fit([0], [0.0], np.zeros((1, x.shape[1])))
    wrong = 0.0
    for t in range(len(y)):
        arm = mab.predict(x[t : t + 1])
        wrong += arm != y[t]
        mab.partial_fit([arm], [float(arm == y[t])], x[t : t + 1])
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breast_cancer", "wine"])
def test_regret_is_near_that_of_mabwiser(name: str) -> None:
    for ours, theirs, within in (
        (LinUCB, LearningPolicy.LinUCB(alpha=0.3, l2_lambda=1), 0.25),
        (GreedyLinear, LearningPolicy.LinGreedy(epsilon=0.1, l2_lambda=1), 0.30),
    ):
        found = np.mean([library_regret(theirs, name, seed) for seed in SEEDS])
        assert mean_regrets(ours, name)[0] == pytest.approx(found, rel=within)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breast_cancer", "wine", "digits"])
def test_two_networks_keep_the_gates_of_the_reference_run(name: str) -> None:
    both, late = mean_regrets(ExploreExploit, name)
    assert both < 0.75 * mean_regrets(GreedyNeural, name)[0]
    assert both < 0.5 * mean_regrets(GreedyLinear, name)[0]
    assert late < 0.5 * (both - late)
    if name == "digits":
        assert both <= 1.1 * mean_regrets(LinUCB, name)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breast_cancer", "wine"])
def test_with_the_first_network_frozen_the_second_still_learns_and_without_it_nothing_does(name: str) -> None:
    """Random choices have a regret of (1 - 1 / arms) each; the control, without a
    second network, fails the gate.
    """
    length, arms = len(cases(name, 1)[1]), {"breast_cancer": 2, "wine": 3}[name]
    by_lot = length / 2 * (1 - 1 / arms)
    assert mean_regrets(partial(ExploreExploit, frozen=True), name)[1] < 0.65 * by_lot
    assert mean_regrets(partial(ExploreExploit, frozen=True, explore=False), name)[1] > 0.65 * by_lot


# ---- message passing, and products


def test_propagation_is_equation_eight_and_leaves_the_isolated_alone() -> None:
    x = np.array([[1.0, 0], [0, 1], [4, 4]])
    first, followees = np.array([0, 2, 3, 3]), np.array([1, 2, 0])
    once = propagate(x, first, followees, 1)
    assert once.tolist() == [[0.5 + 0.5 * 2, 0.5 * 2.5], [0.5, 0.5], [4, 4]]
    assert propagate(x, first, followees, 2).tolist() == propagate(once, first, followees, 1).tolist()
    assert propagate(x, first, followees, 0).tolist() == x.tolist()
    assert propagate(x, first, followees, 1, 0.5, np.array([1])).tolist() == once[1:2].tolist()


def learnt_share(x: Any, reward: Any, seed: int) -> float:
    """The share of the best possible gain over chance that LinUCB has in the second half of a game.

    x: (turns, arms, d). reward: (turns, arms).
    """
    bandit, draw, gained = LinUCB(x.shape[2], seed), np.random.default_rng(seed), []
    for arms, worth in zip(x, reward, strict=True):
        at = int(bandit.scores(arms, draw).argmax())
        bandit.learn(arms[at : at + 1], worth[at : at + 1], bandit.keep(arms[at : at + 1]))
        gained.append((worth[at] - worth.mean(), worth.max() - worth.mean()))
    got, most = np.array(gained[len(gained) // 2 :]).sum(axis=0)
    return float(got / most)


def test_a_reward_of_the_neighbours_mean_is_unlearnt_without_message_passing_and_learnt_with_it() -> None:
    shares = {}
    for hops in (0, 1):
        found = []
        for seed in SEEDS:
            draw = np.random.default_rng((seed, 7))
            x, followees = draw.normal(size=(600, 6)), draw.integers(0, 600, 3000)
            mean = x[followees].reshape(600, 5, 6).mean(axis=1)[:, 0]
            rows, arms = propagate(x, np.arange(0, 3001, 5), followees, hops, 0.2), draw.integers(0, 600, (400, 8))
            found.append(learnt_share(rows[arms], ((mean - mean.min()) / np.ptp(mean))[arms], seed))
        shares[hops] = float(np.mean(found))
    assert abs(shares[0]) < 0.15
    assert shares[1] > 0.6


def test_a_reward_of_the_distance_of_stances_is_unlearnt_by_a_linear_learner_without_products() -> None:
    shares = {}
    for products in (False, True):
        found = []
        for seed in SEEDS:
            draw = np.random.default_rng((seed, 8))
            u, p = np.repeat(draw.uniform(-1, 1, (400, 1)), 8, axis=1), draw.uniform(-1, 1, (400, 8))
            columns = [np.ones((400, 8)), u, p] + ([u * p, u**2, p**2] if products else [])
            found.append(learnt_share(np.stack(columns, axis=2), np.abs(u - p) / 2, seed))
        shares[products] = float(np.mean(found))
    assert abs(shares[False]) < 0.35, "what it has, it has by exploring: extreme stances are those it knows least of"
    assert shares[True] > 0.8
