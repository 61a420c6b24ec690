"""What people learn by: two bandits that draw from what they believe (Thompson sampling), and nothing else.

`Linear` believes that a round's total is a sum of what each kind of action in it is worth; `Means` that each thing to
choose from (a partner, a topic, a tone) has a mean of its own. Both begin with a guess and its spread, and each
observation counts `weight` times: 0 = nothing is ever learnt.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Linear:
    """y = x . theta + noise, theta normal about a first guess. spread, noise: standard deviations."""

    def __init__(self, guess: Floats, spread: float, noise: float, weight: float = 1.0) -> None:
        self.guess, self.noise, self.weight = guess, noise, weight
        self._first: Floats = np.eye(len(guess)) / spread**2
        self._xs: list[Floats] = []
        self._ys: list[float] = []
        self.mean = guess
        self._believed()

    def observe(self, x: Floats, y: float) -> None:
        """Take in a round: how many actions of each kind, and what came of them."""
        self._xs.append(np.asarray(x, dtype=np.float64))
        self._ys.append(y)
        self._believed()

    def _believed(self) -> None:
        """What follows from all rounds, each held against their mean: a good year is nobody's doing."""
        seen = self.weight / self.noise**2
        right: npt.NDArray[Any] = self._first @ self.guess
        precision: npt.NDArray[Any] = self._first
        if self._xs and self.weight > 0.0:
            x, y = np.array(self._xs), np.array(self._ys)
            x, y = x - x.mean(axis=0), y - y.mean()
            precision = precision + seen * (x.T @ x)
            right = right + seen * (x.T @ y)
        self.mean = np.linalg.solve(precision, right)
        self._root = np.linalg.cholesky(np.linalg.inv(precision))

    def drawn(self, z: Floats) -> Floats:
        """Worths as they may be: a draw from what is believed, made of standard normal numbers."""
        out: Floats = self.mean + self._root @ z
        return out


class MeanBandit:
    """A mean of each thing, of observations in [0, 1]. guess: the first one of each, worth one observation."""

    def __init__(self, guess: Floats, noise: float, weight: float = 1.0) -> None:
        self.noise, self.weight = noise, weight
        self.sum = guess.astype(np.float64).copy()
        self.n = np.ones(len(guess))

    def observe(self, thing: int, y: float) -> None:
        """Take in what came of having chosen a thing."""
        self.sum[thing] += self.weight * y
        self.n[thing] += self.weight

    @property
    def mean(self) -> Floats:
        """What each is believed to be worth."""
        out: Floats = self.sum / self.n
        return out

    def drawn(self, z: Floats) -> Floats:
        """The same as they may be: the less often a thing was chosen, the further from its mean."""
        out: Floats = self.mean + self.noise * z / np.sqrt(self.n)
        return out
