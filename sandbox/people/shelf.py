"""Older memories put away as bytes: a tenth of what they take as objects, and nothing for Python to go through."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

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
_decode = msgspec.msgpack.Decoder(Put).decode
_decode_all = msgspec.msgpack.Decoder(list[Put]).decode


class Shelf:
    """Memories by place, the oldest first."""

    __slots__ = ("_data", "_ends")

    def __init__(self) -> None:
        self._data = bytearray()
        self._ends = array("I")

    def __len__(self) -> int:
        return len(self._ends)

    def put(self, parts: Iterable[bytes]) -> None:
        """Put away what `encode` made of more memories."""
        end = len(self._data)
        for part in parts:
            self._data += part
            end += len(part)
            self._ends.append(end)

    def take(self, at: int) -> Put:
        """The memory at a place from 0 on."""
        return _decode(self.part(at))

    def part(self, at: int) -> bytes:
        """The bytes of the memory at a place."""
        return bytes(self._data[self._ends[at - 1] if at else 0 : self._ends[at]])

    def only(self, kept: Sequence[int] | NDArray[np.intp]) -> None:
        """Drop all but these places, which rise."""
        parts = [self.part(int(at)) for at in kept]
        self._data, self._ends = bytearray(), array("I")
        self.put(parts)


def check(parts: Sequence[bytes]) -> list[Put]:
    """What each of these bytes puts away. Raises ValueError if one is no memory."""
    try:
        return _decode_all(b"\xdd" + len(parts).to_bytes(4, "big") + b"".join(parts))
    except msgspec.MsgspecError as error:
        raise ValueError(f"no memory: {error}") from error
