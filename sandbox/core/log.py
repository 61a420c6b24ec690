"""Rows of the log and the chain of digests over them (design: the save).

digest_n = SHA-256(digest_{n-1}, step, its rows), each row one compact UTF-8 JSON array of all its columns; before
step 0 stand 32 zero bytes. Whoever holds the last digest can prove every row. A second chain, the *unversioned*
digest, is the same but for event 1, of which it leaves out what the run was made with: two Pythons can be compared by
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from sandbox.core.events import Record

ZERO = bytes(32)
VERSIONS = ',"versions":'  # what comes last in the data of event 1 begins so
_json = msgspec.json.Encoder()


class EventRow(NamedTuple):
    """One row of the `events` table, in column order. causes and data are JSON text."""

    seq: int
    step: int
    t: int
    kind: str
    v: int
    actor: str
    causes: str
    data: str


def to_row(record: Record) -> EventRow:
    """The row that stores a record. Its numbers have been checked when it came to be: NaN would be null here."""
    s, e = record
    causes = "[" + ",".join(map(str, s.causes)) + "]"
    return EventRow(s.seq, s.step, s.t, e.KIND, e.VERSION, s.actor, causes, _json.encode(e).decode())


def chain_digest(previous: bytes, step: int, rows: Iterable[EventRow]) -> bytes:
    """The digest after a step, 32 bytes."""
    return chain_digests((previous,), step, rows)[0]


def chain_digests(previous: Sequence[bytes], step: int, rows: Iterable[EventRow]) -> tuple[bytes, ...]:
    """The digest after a step of each of several chains that all go on with these rows."""
    hashes = [sha256(digest + str(step).encode()) for digest in previous]
    for row in rows:
        line = b"\n" + _json.encode(row)
        for h in hashes:
            h.update(line)
    return tuple(h.digest() for h in hashes)


def without_versions(row: EventRow) -> EventRow:
    """A row as the unversioned digest has it: event 1 without its versions, any other as it stands."""
    if row.seq != 1:
        return row
    kept, found, _ = row.data.rpartition(VERSIONS)
    return row._replace(data=kept) if found else row
