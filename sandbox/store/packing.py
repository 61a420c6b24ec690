"""How the data of an event lie in the file: as JSON text, or, of the kinds in PACKED, as that text packed by zlib."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from sandbox.core.events import EventRow
from sandbox.store.schema import MAX_VALUE, WHAT_VIEWS_READ

PACKED = frozenset({"founded", "crowd_acted"})  # no view reads them: the one is most of a young save, the other binary
LEVEL = 6  # of zlib's compression
INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_FOUNDING = "INSERT INTO founding " + WHAT_VIEWS_READ.format("(SELECT ? AS data)")
INSERT_STEP = "INSERT INTO steps VALUES (?, ?, ?, ?)"


def to_stored(row: EventRow) -> tuple[Any, ...]:
    """The columns of an event as they are inserted (INSERT_EVENT)."""
    return (*row[:7], zlib.compress(row.data.encode(), LEVEL)) if row.kind in PACKED else row


def from_stored(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Events as read from the file, with their data as text. Those of one call have MAX_VALUE bytes at most; data that
    would have more, or are no packed text, stay as they are, which no event can be read from.
    """
    left, found = MAX_VALUE, list[Any]()
    for row in rows:
        data = row[7]
        if type(data) is bytes:
            unpacker = zlib.decompressobj()
            try:
                text = unpacker.decompress(data, left + 1)  # 0 would be no limit
                if unpacker.eof and not unpacker.unused_data and len(text) <= left:
                    row, left = (*row[:7], text.decode()), left - len(text)
            except (zlib.error, ValueError) as error:
                if str(error).startswith("Error -4 "):  # memory is short
                    raise MemoryError from error
        found.append(row)
    return found
