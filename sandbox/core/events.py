"""Events: the only way the state changes, and the truth of a save.

An event type is a frozen struct with a `KIND` (the name in the log) and a `VERSION`. What is common to all (its number,
step, second, actor and causes) is the `Stamp`; stamp and event together are a `Record`, a row of the log.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from typing import ClassVar, NamedTuple

import msgspec


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Base of all events. Numbers in an event are finite and rounded to 6 decimals (`r6`).

    BY_HAND: only a command makes such an event, so each is an act of a player. ON_FEED: it is done on the feed.
    CITES: fields, besides the causes, that hold the number of an
    earlier event.
    """

    KIND: ClassVar[str]
    VERSION: ClassVar[int] = 1
    PACKED: ClassVar[bool] = False  # columns of many people's acts: large, and useless to whoever keeps recent events
    BY_HAND: ClassVar[bool] = False
    CITES: ClassVar[tuple[str, ...]] = ()
    ON_FEED: ClassVar[bool] = False

    @property
    def later(self) -> int:
        """Seconds until it takes effect."""
        return 0

    def touches(self) -> tuple[str, ...]:
        """The persons it concerns besides its actor; their times must not go backwards either."""
        return ()


class Stamp(NamedTuple):
    """What a handler may know of an event besides its content.

    seq: number in the log, from 1. step: the engine's step, 0 for the founding. t: simulated seconds since the world's
    start. actor: a person's id, or "" for the town itself. causes: numbers of earlier events.
    """

    seq: int
    step: int
    t: int
    actor: str
    causes: tuple[int, ...]


class Record(NamedTuple):
    """One row of the log, decoded."""

    stamp: Stamp
    event: Event


@cache
def numbers_in(event: type[Event]) -> re.Pattern[str]:
    """A pattern that finds event numbers in the JSON text of an event of this type: its CITES, and numbers within ids
    of facts ("#12") and of occasions ("called.12").
    """
    return re.compile("|".join((r"(?<=#)\d+", r"(?<=\bcalled\.)\d+", *(rf'(?<="{x}":)\d+' for x in event.CITES))))


class BadNumber(ValueError):
    """An event holds a number that is not finite or has more than six decimals: a bug in the code that emits it."""


def r6(x: float) -> float:
    """Round to the six decimals events may carry; -0.0 becomes 0.0."""
    return round(x, 6) + 0.0


# What a number that an event must not hold leaves in its JSON text (more than six decimals, a negative exponent) or, if
# it is not finite, in its MessagePack; now and then something else does. Fixed bytes at the beginning are found fast.
_LONG, _TINY = re.compile(rb"\.\d{7}"), re.compile(rb"e-(?<=\de-)")
_ENDLESS = re.compile(rb"\xcb[\x7f\xff][\xf0-\xff]")
_json = msgspec.json.Encoder()


def check_numbers(event: Event) -> None:
    """Raise BadNumber if the event holds a number it must not hold."""
    text = _json.encode(event)
    endless = b"null" in text and _ENDLESS.search(msgspec.msgpack.encode(event))
    if not endless and not _LONG.search(text) and not _TINY.search(text):
        return
    values = [msgspec.to_builtins(event)]
    for value in values:  # those inside are added meanwhile
        if isinstance(value, float):
            if not math.isfinite(value) or round(value, 6) != value:
                raise BadNumber(f"event {event.KIND}: {value!r} is not a finite number of at most six decimals")
        elif isinstance(value, dict):
            values += value.values()
        elif isinstance(value, (tuple, list)):
            values += value


# ---- rows of the log and the chain of digests over them (design


ZERO = bytes(32)  # the digest before the first event
VERSIONS = ',"versions":'  # the last part of the data of event 1 begins like this


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
    """The row that stores a record. Its numbers must have been checked: NaN would become null here."""
    s, e = record
    causes = "[" + ",".join(map(str, s.causes)) + "]"
    return EventRow(s.seq, s.step, s.t, e.KIND, e.VERSION, s.actor, causes, _json.encode(e).decode())


def chain_digest(previous: bytes, step: int, rows: Iterable[EventRow]) -> bytes:
    """The 32-byte digest after a step, from the digest before it."""
    return chain_digests((previous,), step, rows)[0]


def chain_digests(previous: Sequence[bytes], step: int, rows: Iterable[EventRow]) -> tuple[bytes, ...]:
    """The digests after a step of several chains that all continue with these rows."""
    hashes = [sha256(digest + str(step).encode()) for digest in previous]
    for row in rows:
        line = b"\n" + _json.encode(row)
        for h in hashes:
            h.update(line)
    return tuple(h.digest() for h in hashes)


def without_versions(row: EventRow) -> EventRow:
    """A row as the unversioned digest takes it: event 1 without its versions, any other unchanged."""
    if row.seq != 1:
        return row
    kept, found, _ = row.data.rpartition(VERSIONS)
    return row._replace(data=kept) if found else row
