"""Networks of two layers, as the neural learners use them: values, gradients pooled to a few numbers, and training that
replays all it was ever told.

All numbers are float32, rows are arms. An input gets a last column of ones, so the first layer has a bias; the second
has none: f(x) = w2 . relu(W1 [x, 1]), W1 of shape (h, d + 1), w2 of shape (h,).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.tables import Floats, Longs

HIDDEN = 64  # units of the first layer (docs/policy.md)
RATE = 0.001  # of Adam
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8  # of Adam: what its means of the gradient and of its square keep a step
BATCH = 64  # cases of a step
Rows: TypeAlias = NDArray[np.floating]


class Pooling(NamedTuple):
    """How the pieces of a gradient that lie in one block are found (`pool_plan`).

    unit: of each piece, its row of W1, HIDDEN for w2; begin, end: its columns there, those of w2 after those of W1;
    first: each block's first piece; size: parameters in a block.
    """

    unit: Longs
    begin: Longs
    end: Longs
    first: Longs
    size: int


@cache
def pool_plan(width: int) -> Pooling:
    """The blocks of the gradient of a network with inputs of that width.

    The gradient is flattened, W1 row by row and then w2, and cut into at most `width` blocks of one size; zeros fill
    the last. Each row of W1, and w2, is cut where a block ends.
    """
    row = width + 1
    whole = HIDDEN * (row + 1)
    size = -(-whole // width)
    rows, blocks = np.arange(HIDDEN + 1) * row, np.arange(0, whole, size)
    begin = np.union1d(rows, blocks)
    unit = np.minimum(begin // row, HIDDEN)
    end = np.append(begin[1:], whole)
    shift = np.where(unit == HIDDEN, rows[-1] - row, unit * row)
    return Pooling(unit, begin - shift, end - shift, begin.searchsorted(blocks), size)


def pooled_gradient(x: Floats, hidden: Floats, out: Floats) -> Floats:
    """The gradients of values with respect to all weights, block by block the mean (docs/policy.md, "Bandits").

    The gradient of W1 is the outer product of a = 1[z > 0] w2 and x, that of w2 is relu(z), so the sum of a block needs
    only running sums of x and of relu(z): no gradient is ever written down. x: (n, d + 1), inputs with their ones;
    hidden: (h, n), relu(z); out: (h,), w2. Gives (n, blocks), blocks <= d.
    """
    n, row = x.shape
    plan = pool_plan(row - 1)
    sums = np.zeros((row + len(hidden) + 1, n), np.float32)
    np.cumsum(x.T, axis=0, out=sums[1 : row + 1])
    np.cumsum(hidden, axis=0, out=sums[row + 1 :])
    sums[row + 1 :] += sums[row]
    slopes = np.ones((len(hidden) + 1, n), np.float32)
    np.multiply(hidden > 0, out[:, None], out=slopes[:-1])
    pieces = sums[plan.end]
    pieces -= sums[plan.begin]
    pieces *= slopes[plan.unit]
    found: Floats = np.add.reduceat(pieces, plan.first, axis=0).T
    return found / np.float32(plan.size)


class Network:
    """A network that learns to give the targets of what it has been told. width: of its inputs. draw: where its weights
    begin, and later which cases are replayed.

    weights: all, W1 row by row and then w2; `inner` and `out` are views of it. They begin normal with variance 2 over
    the number of inputs of a unit (He et al. 2015).
    """

    def __init__(self, width: int, draw: np.random.Generator, rate: float = RATE) -> None:
        self.width, self.draw, self.rate = width, draw, rate
        inner = HIDDEN * (width + 1)
        self.weights = draw.standard_normal(inner + HIDDEN, np.float32)
        self.inner, self.out = self.weights[:inner].reshape(HIDDEN, width + 1), self.weights[inner:]
        self.inner *= np.float32((2 / (width + 1)) ** 0.5)
        self.out *= np.float32((2 / HIDDEN) ** 0.5)
        self.told = 0  # cases
        self._inputs, self._targets = np.empty((BATCH, width + 1), np.float32), np.empty(BATCH, np.float32)
        self._steps, self._means = 0, np.zeros((2, len(self.weights)), np.float32)

    def hidden(self, x: Floats) -> Floats:
        """relu(W1 x), (h, n). x: (n, width + 1), as `with_ones` makes it."""
        found: Floats = self.inner @ x.T
        return np.maximum(found, 0, out=found)

    def values(self, x: Rows) -> Floats:
        """f(x), (n,). x: (n, width)."""
        found: Floats = self.out @ self.hidden(with_ones(x))
        return found

    def values_and_gradients(self, x: Rows) -> tuple[Floats, Floats]:
        """f(x), (n,), and its pooled gradients, (n, at most width). x: (n, width)."""
        inputs = with_ones(x)
        hidden = self.hidden(inputs)
        return self.out @ hidden, pooled_gradient(inputs, hidden, self.out)

    def loss_gradient(self, x: Floats, target: Floats) -> Floats:
        """The gradient of the mean of (f(x) - target)^2 with respect to all weights, in their order. x: (n, width + 1),
        as `with_ones` makes it; target: (n,).
        """
        hidden = self.hidden(x)
        error = (self.out @ hidden - target) * np.float32(2 / len(x))
        found = np.empty_like(self.weights)
        found[self.inner.size :] = hidden @ error
        slopes = (hidden > 0) * self.out[:, None]
        slopes *= error
        np.matmul(slopes, x, out=found[: self.inner.size].reshape(self.inner.shape))
        return found

    def tell(self, x: Rows, target: Rows) -> None:
        """Keep cases for training. x: (m, width); target: (m,)."""
        told = self.told + len(x)
        if told > len(self._targets):
            more = max(told, 2 * len(self._targets))
            self._inputs = np.resize(self._inputs, (more, self.width + 1))
            self._targets = np.resize(self._targets, more)
        self._inputs[self.told : told], self._targets[self.told : told] = with_ones(x), target
        self.told = told

    def train(self, steps: int) -> None:
        """Steps of Adam (Kingma & Ba 2015), each on a batch of all cases told so far, drawn with replacement."""
        for chosen in self.draw.integers(0, self.told, (steps, min(self.told, BATCH))):
            gradient = self.loss_gradient(self._inputs[chosen], self._targets[chosen])
            self._steps += 1
            mean, square = self._means
            mean += np.float32(1 - FIRST) * (gradient - mean)
            gradient *= gradient
            square += np.float32(1 - SECOND) * (gradient - square)
            scale = np.sqrt(square, out=gradient)
            scale *= np.float32((1 - SECOND**self._steps) ** -0.5)
            scale += np.float32(TINY)
            np.divide(mean, scale, out=scale)
            scale *= np.float32(self.rate / (1 - FIRST**self._steps))
            self.weights -= scale


def with_ones(x: Rows) -> Floats:
    """x in float32 with a last column of ones."""
    found = np.ones((len(x), x.shape[1] + 1), np.float32)
    found[:, :-1] = x
    return found
