"""Older memories packed as bytes: a tenth of their size as objects, and nothing for the garbage collector to scan."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.people.mood import CALM, Pad

MICRO = 1e6  # numbers in events have six decimals
PARCEL = 100  # memories that are kept together
Small = tuple[int | float, int | float, int | float]
# What a memory's text is: a clause that lacks its owner, words told and heard, how one heard somebody out, what one saw
# settled, or else a clause by itself.
Form = Literal["", "deed", "words", "hearing", "outcome"]


class PackedMemory(msgspec.Struct, frozen=True, array_like=True, gc=False):
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
    form: Form


def _small(x: float) -> int | float:
    micro = round(x * MICRO)
    return micro if micro / MICRO == x else x


def _large(x: int | float) -> float:
    return x / MICRO if isinstance(x, int) else x


def small(delta: Pad) -> Small | None:
    """A change of mood in packed form."""
    if delta == CALM:
        return None
    p, a, d = delta
    return _small(p), _small(a), _small(d)


def large(delta: Small | None) -> Pad:
    """A change of mood unpacked."""
    if delta is None:
        return CALM
    p, a, d = delta
    return Pad(_large(p), _large(a), _large(d))


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(PackedMemory).decode  # raises msgspec.MsgspecError


class PackedMemories:
    """Memories by place, the oldest first, so many to a parcel: one long row would be copied each time it grows."""

    __slots__ = ("_ends", "_parcels")

    def __init__(self) -> None:
        self._parcels: list[bytes] = []  # all but the last are full
        self._ends = array("I")  # where each memory ends, were the parcels in one piece

    def __len__(self) -> int:
        return len(self._ends)

    def put(self, parts: Sequence[bytes]) -> None:
        """Put away what `encode` made of more memories."""
        parts = [*self._opened(len(self._ends)), *parts]
        self._parcels += [b"".join(parts[at : at + PARCEL]) for at in range(0, len(parts), PARCEL)]
        self._ends.extend([*accumulate(map(len, parts), initial=self._start(len(self._ends)))][1:])

    def _start(self, at: int) -> int:
        return self._ends[at - 1] if at else 0

    def take(self, at: int) -> PackedMemory:
        """The memory at a place from 0 on."""
        return decode(self.part(at))

    def part(self, at: int) -> bytes:
        """The bytes of the memory at a place."""
        parcel = at // PARCEL
        before = self._start(parcel * PARCEL)
        return self._parcels[parcel][self._start(at) - before : self._ends[at] - before]

    def only(self, kept: NDArray[np.intp]) -> None:
        """Keep only these places, given in ascending order."""
        data, ends = b"".join(self._parcels), np.array(self._ends, np.int64)
        starts = np.concatenate([[0], ends[:-1]])[kept].tolist()
        self.cut(0)
        self.put([data[a:b] for a, b in zip(starts, ends[kept].tolist(), strict=True)])

    def cut(self, count: int) -> None:
        """Keep only the first `count`."""
        self.put(self._opened(count))

    def _opened(self, count: int) -> list[bytes]:
        """Drop the parcel in which the first `count` end and all after it; return the memories of it to be kept."""
        full = count // PARCEL * PARCEL
        held = []
        if full < count:
            begin, data = self._start(full), self._parcels[full // PARCEL]
            ends = [end - begin for end in self._ends[full:count]]
            held = [data[a:b] for a, b in pairwise([0, *ends])]
        del self._parcels[full // PARCEL :], self._ends[full:]
        return held
