"""Networks of two layers, as the neural learners use them: values, gradients pooled to a few numbers, and training that
replays all it was ever told.

All numbers are float32, rows are arms. An input gets a last column of ones, so the first layer has a bias; the second
has none: f(x) = w2 . relu([x, 1] W1), W1 of shape (d + 1, h), w2 of shape (h,).
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.tables import Floats, Longs

HIDDEN = 64  # units of the first layer (docs/policy.md)
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8  # of Adam: what its means of the gradient and of its square keep a step
BATCH = 128  # cases of a step
Rows: TypeAlias = NDArray[np.floating]


class Pooling(NamedTuple):
    """How the gradient of a network is cut into blocks (`pool_plan`).

    pieces: of W1; the first piece of every block, then the second, as far as a block has one: input, first unit, unit
    after the last; (p, 3, blocks). ends: those of w2; block, first unit, unit after the last. size: weights in a block.
    """

    pieces: Longs
    ends: list[tuple[int, int, int]]
    size: int

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return int(self.pieces.shape[2])


@cache
def pool_plan(width: int) -> Pooling:
    """The blocks of the gradient of a network with inputs of that width.

    The gradient, in the order of `Network.weights`, is cut into at most `width` blocks of one size; zeros fill the
    last. Pieces are what the ends of blocks leave of the weights of one input, and of w2.
    """
    whole = HIDDEN * (width + 2)
    size = -(-whole // width)
    found: list[list[tuple[int, int, int]]] = [[] for _ in range(0, whole, size)]
    ends = []
    cuts = sorted({*range(0, whole, HIDDEN), *range(0, whole, size), whole})
    for begin, end in pairwise(cuts):
        source, block = begin // HIDDEN, begin // size
        if source > width:
            ends.append((block, begin - HIDDEN * source, end - HIDDEN * source))
        else:
            found[block].append((source, begin - HIDDEN * source, end - HIDDEN * source))
    most = max(map(len, found))
    pieces = [piece + [(0, 0, 0)] * (most - len(piece)) for piece in found]
    return Pooling(np.array(pieces, np.int64).transpose(1, 2, 0), ends, size)


def pooled_gradient(x: Floats, hidden: Floats, out: Floats) -> Floats:
    """The gradients of values with respect to all weights, block by block the mean (docs/policy.md, Learners).

    The gradient of W1 is the outer product of x and a = 1[z > 0] w2, that of w2 is relu(z), so the sum of a piece is an
    input times a difference of running sums of a: no gradient is ever written down. x: (n, d + 1), inputs with their
    ones; hidden: (h, n), relu(z); out: (h,), w2. Gives (n, blocks), blocks <= d.
    """
    plan = pool_plan(x.shape[1] - 1)
    sums = np.tri(HIDDEN + 1, HIDDEN, -1, np.float32) @ (out[:, None] * (hidden > 0))
    inputs = np.ascontiguousarray(x.T)
    found = np.zeros((plan.blocks, len(x)), np.float32)
    for source, begin, end in plan.pieces:
        piece = sums[end]
        piece -= sums[begin]
        piece *= inputs[source]
        found += piece
    for block, first, last in plan.ends:
        found[block] += hidden[first:last].sum(axis=0)
    found /= np.float32(plan.size)
    return found.T


class Network:
    """A network that learns to give the targets of what it has been told. width: of its inputs. draw: where its weights
    begin, and later which cases are replayed. rate: of Adam. decay: of weights: a step takes rate times decay of them
    away (Loshchilov & Hutter 2019).

    weights: all, W1 input by input and then w2; `inner` and `out` are views of it. They begin normal with variance 2
    over the number of inputs of a unit (He et al. 2015).
    """

    def __init__(self, width: int, draw: np.random.Generator, rate: float, decay: float = 0.0) -> None:
        self.width, self.draw, self.rate, self.decay = width, draw, rate, decay
        inner = HIDDEN * (width + 1)
        self.weights = draw.standard_normal(inner + HIDDEN, np.float32)
        self.inner, self.out = self.weights[:inner].reshape(width + 1, HIDDEN), self.weights[inner:]
        self.inner *= np.float32((2 / (width + 1)) ** 0.5)
        self.out *= np.float32((2 / HIDDEN) ** 0.5)
        self.told = 0  # cases
        self._inputs, self._targets = np.empty((BATCH, width + 1), np.float32), np.empty(BATCH, np.float32)
        self.steps, self._means = 0, np.zeros((2, len(self.weights)), np.float32)

    def hidden(self, x: Floats) -> Floats:
        """relu of the first layer, (h, n). x: (n, width + 1), as `with_ones` makes it."""
        found: Floats = self.inner.T @ x.T
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
        np.matmul(x.T, slopes.T, out=found[: self.inner.size].reshape(self.inner.shape))
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

    def train(self, steps: int, since: int = 0) -> None:
        """Steps of Adam (Kingma & Ba 2015), each on a batch of all cases told from that number on, drawn with
        replacement.
        """
        for chosen in self.draw.integers(since, self.told, (steps, min(self.told, BATCH))):
            gradient = self.loss_gradient(self._inputs[chosen], self._targets[chosen])
            self.steps += 1
            mean, square = self._means
            mean *= np.float32(FIRST)
            mean += gradient
            gradient *= gradient
            square *= np.float32(SECOND)
            square += gradient
            step = np.sqrt(square, out=gradient)
            step += np.float32(TINY)
            np.divide(mean, step, out=step)
            step *= np.float32(self.rate * adam_factor(self.steps))
            self.weights *= np.float32(1 - self.rate * self.decay)
            self.weights -= step


def adam_factor(steps: int) -> float:
    """What turns running sums of the gradient and its square into Adam's means, without their bias at the beginning."""
    mean, square = (1 - FIRST) / (1 - FIRST**steps), (1 - SECOND) / (1 - SECOND**steps)
    return float(mean / square**0.5)


def with_ones(x: Rows) -> Floats:
    """x in float32 with a last column of ones."""
    found = np.ones((len(x), x.shape[1] + 1), np.float32)
    found[:, :-1] = x
    return found
