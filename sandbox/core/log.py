"""Rows of the log and the chain of digests over them (design: the save).

digest_n = SHA-256(digest_{n-1}, step, its rows), each row one compact UTF-8 JSON array of all its columns; before
step 0 stand 32 zero bytes. Whoever holds the last digest can prove every row.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

import msgspec

from sandbox.core.events import Record

ZERO = bytes(32)
_json = msgspec.json.Encoder()


class Row(NamedTuple):
    """One row of the `events` table, in column order. causes and data are JSON text."""

    seq: int
    step: int
    t: int
    kind: str
    v: int
    actor: str
    causes: str
    data: str


def to_row(record: Record) -> Row:
    """The row that stores a record. Its numbers have been checked when it came to be: NaN would be null here."""
    s, e = record
    causes = "[" + ",".join(map(str, s.causes)) + "]"
    return Row(s.seq, s.step, s.t, e.KIND, e.VERSION, s.actor, causes, _json.encode(e).decode())


def chain(previous: bytes, step: int, rows: Iterable[Row]) -> bytes:
    """The digest after a step, 32 bytes."""
    h = sha256(previous)
    h.update(str(step).encode())
    for row in rows:
        h.update(b"\n")
        h.update(_json.encode(row))
    return h.digest()
