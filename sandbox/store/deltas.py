"""What is otherwise in one state than in another, as bytes: two moments of a town have most of their bytes in common.

Both are cut where texts of MessagePack begin, so that equal parts are cut alike wherever they have moved to. What the
other does not have is taken along, the rest is places in it.
"""

from __future__ import annotations

import re
from itertools import accumulate

import msgspec
import numpy as np

CUT = re.compile(rb"[\s\S]{24,400}?[\xa0-\xbf\xc4\xd9]|[\s\S]{1,400}")  # some 40 bytes, up to the head of a text
NEW = -1  # instead of a place in the other: bytes that it does not have
WIDE = np.dtype("<i4")


class Delta(msgspec.Struct, frozen=True, array_like=True):
    """starts, lengths: of each run of bytes, where it begins in the other, and how long it is. new: those of runs that
    begin nowhere there.
    """

    starts: bytes
    lengths: bytes
    new: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Delta).decode


def make(base: bytes, state: bytes) -> bytes:
    """What has to be told of a state to whoever has the base."""
    cuts = CUT.findall(base)
    known = dict(zip(cuts, accumulate(map(len, cuts), initial=0), strict=False))
    starts, lengths, new, end = list[int](), list[int](), list[bytes](), NEW
    for part in CUT.findall(state):
        if end >= 0 and base.startswith(part, end):
            lengths[-1] += len(part)
            end += len(part)
            continue
        at = known.get(part, NEW)
        if at == NEW:
            new.append(part)
        if at == NEW and starts and starts[-1] == NEW:
            lengths[-1] += len(part)
        else:
            starts.append(at)
            lengths.append(len(part))
        end = at + len(part) if at >= 0 else NEW
    return _encode(Delta(np.array(starts, WIDE).tobytes(), np.array(lengths, WIDE).tobytes(), b"".join(new)))


def apply(base: bytes, delta: bytes, size: int) -> bytes:
    """The state of which that was told, of so many bytes. Raises ValueError if it cannot be."""
    try:
        told = _decode(delta)
    except msgspec.MsgspecError as error:
        raise ValueError(f"it tells of no state: {error}") from error
    starts, lengths = (np.frombuffer(column, WIDE).astype(np.int64) for column in (told.starts, told.lengths))
    if len(starts) != len(lengths) or lengths.sum() != size:
        raise ValueError(f"it does not make the {size} bytes it announces")
    inside = (starts >= NEW) & (lengths > 0) & (starts + lengths <= len(base))
    if not inside[starts != NEW].all() or (lengths < 0).any() or lengths[starts == NEW].sum() != len(told.new):
        raise ValueError("it speaks of bytes that are not there")
    found, at = list[bytes](), 0
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if start == NEW:
            found.append(told.new[at : at + length])
            at += length
        else:
            found.append(base[start : start + length])
    return b"".join(found)
