"""Contextual bandits: from the contexts of arms to scores, from rewards to better scores (seed 001, section 3.1).

A learner knows neither users nor posts. An arm is a row of numbers, its context; whoever chooses takes the arms of the
highest scores, a few for each user, say, and tells later what reward in [0, 1] each of these had:

    chosen = ...  # from bandit.scores(x, draw, groups)
    kept = bandit.keep(x[chosen])
    ...  # a round passes
    bandit.learn(x[chosen], reward, kept)

A learner made with the same seed, asked and told the same, gives the same scores to the last bit. Matrix products may
depend on how many threads work at them: whoever needs the same bits elsewhere lets one (`threadpoolctl`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.tables import Floats, Longs, draws
from sandbox.policy.networks import Network, pool_plan

Doubles: TypeAlias = NDArray[np.float64]
EPSILON = 0.1  # chance of exploring (docs/policy.md, Learners)
ALPHA, RIDGE = 0.3, 1.0  # of LinUCB (docs/policy.md)
AT_ONCE = 64  # rows of LinUCB learnt together: the quickest number for contexts of the usual width
EVERY = 10  # arms learnt between two trainings, at least
EXPLOIT, EXPLORE = (0.004, 2.0), (0.003, 0.5)  # rate of Adam and decay of weights (docs/policy.md)
STEPS, MOST = 1, 100  # steps of training for each arm learnt, and at most at a time


class Bandit(ABC):
    """A learner. dimension: d, the width of a context; seed: of all it draws by itself."""

    name: ClassVar[str]

    def __init__(self, dimension: int, seed: int) -> None:
        self.dimension, self.seed = dimension, seed

    @abstractmethod
    def scores(self, x: Doubles, draw: np.random.Generator, groups: Longs | None = None) -> Doubles:
        """The score of each arm, (n,): the highest are to be chosen.

        x: (n, d). draw: what exploring at random takes its numbers from. groups: (n,), the choice that each arm belongs
        to, such as its user; one that explores at random explores as a whole. None: all are one choice.
        """

    def keep(self, x: Doubles) -> Floats:
        """What has to be remembered of chosen arms until their rewards are known, (m, w); w may be 0. x: (m, d)."""
        return np.empty((len(x), 0), np.float32)

    @abstractmethod
    def learn(self, x: Doubles, reward: Doubles, kept: Floats) -> None:
        """Take in rewards. x: (m, d), arms that were chosen; reward: (m,), each in [0, 1]; kept: (m, w), what `keep`
        gave when they were chosen.
        """


class RandomArms(Bandit):
    """Scores are uniform in [0, 1); nothing is learnt."""

    name = "random"

    def scores(self, x: Doubles, draw: np.random.Generator, groups: Longs | None = None) -> Doubles:
        return draw.random(len(x))

    def learn(self, x: Doubles, reward: Doubles, kept: Floats) -> None:
        """Nothing."""


# ---- linear


class LinUCB(Bandit):
    """Ridge regression and a bonus for what is uncertain, one model for all arms (Li et al. 2010, with shared weights):

        A = l2 I + sum x x^T,  theta = A^-1 sum r x,  score = theta . x + alpha sqrt(x^T A^-1 x).

    A^-1 follows m new rows X by Woodbury's identity: A^-1 -= K (I + X K)^-1 K^T with K = A^-1 X^T; theta += K (I + X
    K)^-1 (r - X theta). Where each arm's context fills a block of its own among zeros, this is LinUCB with a model for
    each arm.
    """

    name = "linucb"

    def __init__(self, dimension: int, seed: int, alpha: float = ALPHA, l2: float = RIDGE) -> None:
        super().__init__(dimension, seed)
        self.alpha = alpha
        self.theta = np.zeros(dimension)
        self.inverse = np.eye(dimension) / l2

    def scores(self, x: Doubles, draw: np.random.Generator, groups: Longs | None = None) -> Doubles:
        found: Doubles = x @ self.theta
        if self.alpha:
            found += self.alpha * np.sqrt(np.maximum(np.einsum("ij,ij->i", x @ self.inverse, x), 0))
        return found

    def learn(self, x: Doubles, reward: Doubles, kept: Floats) -> None:
        for at in range(0, len(x), AT_ONCE):
            rows, got = x[at : at + AT_ONCE], reward[at : at + AT_ONCE]
            gain = self.inverse @ rows.T
            missed = np.column_stack((got - rows @ self.theta, gain.T))
            solved = np.linalg.solve(np.eye(len(rows)) + rows @ gain, missed)
            self.theta += gain @ solved[:, 0]
            self.inverse -= gain @ solved[:, 1:]


class GreedyLinear(LinUCB):
    """Epsilon-greedy over ridge regression: theta . x, or with chance epsilon a random choice."""

    name = "epsilon-greedy"

    def __init__(self, dimension: int, seed: int, epsilon: float = EPSILON, l2: float = RIDGE) -> None:
        super().__init__(dimension, seed, 0.0, l2)
        self.epsilon = epsilon

    def scores(self, x: Doubles, draw: np.random.Generator, groups: Longs | None = None) -> Doubles:
        return explore_at_random(super().scores(x, draw), self.epsilon, draw, groups)


def explore_at_random(
    scores: Doubles, epsilon: float, draw: np.random.Generator, groups: Longs | None = None
) -> Doubles:
    """Scores where each group explores with chance epsilon: its scores become uniform random numbers. groups: as in
    `Bandit.scores`.
    """
    known, group = np.unique(np.zeros(len(scores), np.int64) if groups is None else groups, return_inverse=True)
    explores = draw.random(len(known)) < epsilon
    return np.where(explores[group], draw.random(len(scores)), scores)


# ---- neural


class ExploreExploit(Bandit):
    """Two networks: f1 learns the reward, f2 what f1 misses of it (seed 001, section 3.1; Ban et al. 2022, EE-Net):

        score = f1(x) + f2(g),  f1: x -> r,  f2: g -> r - f1(x),  g = the gradient of f1 at x, block-mean pooled.

    g and f1(x) are those of when the arm was chosen: `keep` gives them, (m, w + 1), f1(x) last. frozen: f1 stays as it
    began, at random. explore: without, the score is f1(x).
    """

    name = "explore-exploit"

    def __init__(self, dimension: int, seed: int, frozen: bool = False, explore: bool = True) -> None:
        super().__init__(dimension, seed)
        self.frozen = frozen
        self.exploit = Network(dimension, draws(seed, "exploit"), *EXPLOIT)
        self.explore = Network(pool_plan(dimension).blocks, draws(seed, "explore"), *EXPLORE) if explore else None
        self._new = 0  # arms learnt since the last training

    def scores(self, x: Doubles, draw: np.random.Generator, groups: Longs | None = None) -> Doubles:
        if self.explore is None:
            return self.exploit.values(x).astype(np.float64)
        value, gradient = self.exploit.values_and_gradients(x)
        return (value + self.explore.values(gradient)).astype(np.float64)

    def keep(self, x: Doubles) -> Floats:
        if self.explore is None:
            return super().keep(x)
        value, gradient = self.exploit.values_and_gradients(x)
        return np.column_stack((gradient, value))

    def learn(self, x: Doubles, reward: Doubles, kept: Floats) -> None:
        self.exploit.tell(x, reward)
        if self.explore is not None:
            self.explore.tell(kept[:, :-1], reward - kept[:, -1])
        self._new += len(x)
        if self._new < EVERY:
            return
        steps, self._new = min(MOST, STEPS * self._new), 0
        if not self.frozen:
            self.exploit.train(steps)
        if self.explore is not None:
            self.explore.train(steps, self.explore.told // 2)


class GreedyNeural(ExploreExploit):
    """Epsilon-greedy over a network: f1(x), or with chance epsilon a random choice."""

    name = "neural epsilon-greedy"

    def __init__(self, dimension: int, seed: int, epsilon: float = EPSILON) -> None:
        super().__init__(dimension, seed, explore=False)
        self.epsilon = epsilon

    def scores(self, x: Doubles, draw: np.random.Generator, groups: Longs | None = None) -> Doubles:
        return explore_at_random(super().scores(x, draw), self.epsilon, draw, groups)


# ---- message passing


def propagate(
    x: Doubles, first: Longs, followees: Longs, hops: int, keep: float = 0.5, rows: Longs | None = None
) -> Doubles:
    """Contexts of users, each mixed `hops` times with those of whom they follow (seed 001, eq. 8):

        X <- keep X + (1 - keep) D^-1 A X.

    x: (n, d). User i follows followees[first[i]:first[i + 1]]; first: (n + 1,). Who follows nobody keeps their own.
    rows: the users whose contexts are wanted, all of them if None: the last hop is made for these alone.
    """
    from scipy.sparse import csr_array

    number = np.diff(first)
    follows = csr_array((np.ones(len(followees)), followees, first), shape=(len(x), len(x)))
    for left in range(hops, 0, -1):
        asked = slice(None) if rows is None or left > 1 else rows
        of = number[asked][:, None]
        mean = follows[asked] @ x / np.maximum(of, 1)
        x = np.where(of > 0, keep * x[asked] + (1 - keep) * mean, x[asked])
    return x if hops or rows is None else x[rows]
