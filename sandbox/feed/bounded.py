"""Taking packed columns apart that may come from anywhere: bounded before they are unpacked, looked at before they are
used. Whatever does not fit raises ValueError with a sentence.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_BYTES = 512 << 20  # of a part, unpacked
LEVEL = 3  # of packing: half the time of the usual, and a twentieth larger


def compress_parts(parts: list[bytes]) -> bytes:
    """Some bytes as one packed part."""
    packer = zlib.compressobj(LEVEL)
    return b"".join([*(packer.compress(part) for part in parts), packer.flush()])


class Taking:
    """Columns taken one after the other off some bytes."""

    def __init__(self, data: bytes, what: str) -> None:
        self._data, self._at, self._what = data, 0, what

    def __call__(self, kind: type | np.dtype[Any], count: int) -> NDArray[Any]:
        """The next so many numbers of that type. Raises ValueError where there are fewer."""
        size = np.dtype(kind).itemsize * count
        require(self._at + size <= len(self._data), f"its {self._what} end too early")
        found: NDArray[Any] = np.frombuffer(self._data, kind, count, self._at)
        self._at += size
        return found

    def rest(self) -> bytes:
        """All that is left."""
        return self._data[self._at :]

    def end(self) -> None:
        """Raise ValueError if anything is left."""
        require(self._at == len(self._data), f"its {self._what} go on beyond their end")


def decompress_part(data: bytes, most: int, what: str) -> bytes:
    """A part, never more than so many bytes. Raises ValueError."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, min(most, MOST_BYTES) + 1)
    except zlib.error as error:
        raise ValueError(f"its {what} cannot be unpacked ({error})") from None
    require(len(found) <= min(most, MOST_BYTES), f"its {what} unpack to more than they may")
    require(unpacker.eof and not unpacker.unused_data, f"its {what} are cut short, or more than that")
    return found


def check_range(column: NDArray[Any], low: int, high: int, unsaid: int | None, what: str) -> None:
    """Raise ValueError unless all lies in [low, high], or is `unsaid`."""
    fine = (column >= low) & (column <= high)
    if unsaid is not None:
        fine |= column == unsaid
    require(bool(fine.all()), f"{what} is out of range")


def require(so: bool, words: str) -> None:
    """Raise ValueError with these words unless it is so."""
    if not so:
        raise ValueError(f"its population cannot be: {words}")
