"""All random numbers of residents, from one seed.

A stream is named by (seed, step, agent, purpose, n): the same name gives the same numbers whatever else was drawn, so a
new use of chance never disturbs the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, MutableSequence, Sequence
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

T = TypeVar("T")
_SCALE = 1.0 / (1 << 53)
_word = Struct("<Q").unpack_from
SEED_MAX = 2**63 - 1  # the largest that fits a signed 64-bit integer


class Stream:
    """An endless sequence of random numbers under one name. Eight draws cost one hash."""

    __slots__ = ("_block", "_drawn", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._drawn = 0  # bytes

    def unit(self) -> float:
        """A uniform number in [0, 1), with 53 random bits."""
        drawn = self._drawn
        if not drawn % 64:
            self._block = blake2b(self._key + (drawn // 64).to_bytes(4, "little")).digest()
        self._drawn = drawn + 8
        word: int = _word(self._block, drawn % 64)[0]
        return (word >> 11) * _SCALE

    def below(self, n: int) -> int:
        """A whole number in [0, n)."""
        return int(self.unit() * n)

    def between(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self.unit()

    def normal(self) -> float:
        """A standard normal number (Box-Muller)."""
        u = 1.0 - self.unit()
        return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * self.unit())

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, which must not be empty."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """One of the items, with chances proportional to weights (not negative, not all zero)."""
        x = self.unit() * sum(weights)
        for item, w in zip(items, weights, strict=True):
            x -= w
            if x < 0:
                return item
        return items[-1]

    def softmax(self, items: Sequence[T], scores: Sequence[float], temperature: float = 1.0) -> T:
        """One of the items, with chances proportional to exp(score / temperature)."""
        top = max(scores)
        return self.weighted(items, [math.exp((s - top) / temperature) for s in scores])

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle the items in place (Fisher-Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class Chance:
    """Makes the random streams of one world."""

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def stream(self, step: int, agent: str, purpose: str, n: int = 0) -> Stream:
        """The random stream named by the seed of the world and these arguments."""
        return Stream(f"{self.seed}|{step}|{agent}|{purpose}|{n}|".encode())

    def lots(self, step: int, agents: Iterable[str], purpose: str) -> list[float]:
        """The first uniform number in [0, 1) of each agent's stream; quicker than by the streams themselves."""
        before, after = f"{self.seed}|{step}|", f"|{purpose}|0|".encode() + bytes(4)
        return [(_word(blake2b(f"{before}{who}".encode() + after).digest())[0] >> 11) * _SCALE for who in agents]
