"""Games that bandits play in tests: data sets whose classes are arms, and rounds of users with a few cards each.

SANDBOX_SEEDS=101,102 has the gates played with these seeds instead of their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from threadpoolctl import threadpool_limits

from sandbox.policy.learners import Bandit, Doubles

SETS = {"breast_cancer": (load_breast_cancer, 1000), "wine": (load_wine, 1000), "digits": (load_digits, 2000)}
SEEDS = [int(seed) for seed in os.environ.get("SANDBOX_SEEDS", "1,2,3,4,5").split(",")]


@cache
def cases(name: str, seed: int) -> tuple[Any, Any]:
    """Features and classes of the cases of a game, all cases of the data set in a random order, again and again.
    Features are standardised, then each case is scaled to length 1.
    """
    load, length = SETS[name]
    x, y = load(return_X_y=True)
    spread = x.std(axis=0)
    x = (x - x.mean(axis=0)) / np.where(spread > 0, spread, 1)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    draw = np.random.default_rng(seed)
    order = np.concatenate([draw.permutation(len(x)) for _ in range(-(-length // len(x)))])[:length]
    return x[order], y[order]


def in_blocks(x: Doubles, arms: int) -> Doubles:
    """The contexts of a case's arms: (arms, arms * d), the features x of arm k in block k of zeros."""
    found: Doubles = np.kron(np.eye(arms), x).astype(np.float64)
    return found


def regrets(make: Callable[[int, int], Bandit], name: str, seed: int) -> Any:
    """Whether each case's choice was wrong. The reward of the right class is 1."""
    x, y = cases(name, seed)
    arms = int(y.max()) + 1
    bandit, draw = make(arms * x.shape[1], seed), np.random.default_rng((seed, 1))
    found = np.ones(len(y))
    for t in range(len(y)):
        contexts = in_blocks(x[t], arms)
        best = np.argmax(bandit.scores(contexts, draw))
        chosen = contexts[best : best + 1]
        found[t] = best != y[t]
        bandit.learn(chosen, 1 - found[t : t + 1], bandit.keep(chosen))
    return found


def mean_regrets(make: Callable[[int, int], Bandit], name: str, seeds: Iterable[int] = SEEDS) -> tuple[float, float]:
    """The mean over seeds of all regret, and of that of the second half."""
    with threadpool_limits(1):
        games = np.array([regrets(make, name, seed) for seed in seeds])
    return float(games.sum(axis=1).mean()), float(games[:, games.shape[1] // 2 :].sum(axis=1).mean())
