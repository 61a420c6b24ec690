"""Older memories put away as bytes: a tenth of what they take as objects, and nothing for Python to go through."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.people.mood import CALM, Pad

MICRO = 1e6  # numbers in events have six decimals
Small = tuple[int | float, int | float, int | float]


class Put(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is put away of a memory; the rest of it stands in columns. delta: None if it moved nobody, else in
    millionths, or as it is where that would not be exact.
    """

    kind: str
    t: int
    text: str
    about: tuple[str, ...]
    seq: int
    delta: Small | None
    evidence: tuple[int, ...]
    topic: str


def _small(x: float) -> int | float:
    micro = round(x * MICRO)
    return micro if micro / MICRO == x else x


def small(delta: Pad) -> Small | None:
    """A change of mood as it is put away."""
    if delta == CALM:
        return None
    p, a, d = delta
    return _small(p), _small(a), _small(d)


def large(delta: Small | None) -> Pad:
    """A change of mood as it was."""
    return CALM if delta is None else Pad(*(x / MICRO if isinstance(x, int) else x for x in delta))


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Put).decode  # raises msgspec.MsgspecError


class Shelf:
    """Memories by place, the oldest first."""

    __slots__ = ("_data", "_ends")

    def __init__(self) -> None:
        self._data = bytearray()
        self._ends = array("I")

    def __len__(self) -> int:
        return len(self._ends)

    def put(self, parts: Sequence[bytes]) -> None:
        """Put away what `encode` made of more memories."""
        end = len(self._data)
        self._data += b"".join(parts)
        self._ends.extend(accumulate(map(len, parts[1:]), initial=end + len(parts[0])) if parts else ())

    def take(self, at: int) -> Put:
        """The memory at a place from 0 on."""
        return decode(self.part(at))

    def part(self, at: int) -> bytes:
        """The bytes of the memory at a place."""
        return bytes(self._data[self._ends[at - 1] if at else 0 : self._ends[at]])

    def only(self, kept: NDArray[np.intp]) -> None:
        """Drop all but these places, which rise."""
        data, ends = bytes(self._data), np.array(self._ends, np.int64)
        starts = np.concatenate([[0], ends[:-1]])[kept].tolist()
        parts = [data[a:b] for a, b in zip(starts, ends[kept].tolist(), strict=True)]
        self._data, self._ends = bytearray(), array("I")
        self.put(parts)

    def cut(self, count: int) -> None:
        """Drop all but so many of the first."""
        del self._data[self._ends[count - 1] if count else 0 :], self._ends[count:]
