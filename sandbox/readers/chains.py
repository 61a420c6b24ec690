"""All that came of one event, directly or through others: its chain of causes, with the shortest path to each event."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from sandbox.core.events import Event, Record
from sandbox.core.text import clean
from sandbox.people.beliefs import FIRSTHAND
from sandbox.people.model import Felt, Noticed, Reflected
from sandbox.phones.model import Crossed, Read
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.stories_of_phones import RULE_WORDS
from sandbox.readers.story import Teller
from sandbox.talk.model import Closed, Exchanged

MOST = 60  # characters in the words of a link


class ChainLink(msgspec.Struct, frozen=True):
    """An event on a path, and a few words for it: "Bo told Una"."""

    seq: int
    words: str


class Chain:
    """An act and all events that it caused, directly or through others. Records must come in order.

    until: events after this second are ignored.
    """

    def __init__(self, act: Record, until: int) -> None:
        self.act, self.until = act, until
        self.records: dict[int, Record] = {act.stamp.seq: act}
        self._far: dict[int, int] = {act.stamp.seq: 0}  # event -> how many links from the act
        self._from: dict[int, int] = {}  # event -> the cause nearest to the act

    def __contains__(self, seq: int) -> bool:
        return seq in self.records

    def __len__(self) -> int:
        """How many events came of the act."""
        return len(self.records) - 1

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log, from the act on."""
        far = self._far
        for record in records:
            seq, _, t, _, causes = record.stamp
            if t > self.until or seq in far:
                continue
            near = min((c for c in causes if c in far), key=lambda c: (far[c], c), default=0)
            if near:
                self.records[seq], self._from[seq], far[seq] = record, near, far[near] + 1

    def came(self) -> list[Record]:
        """What came of the act, in order."""
        return [record for seq, record in self.records.items() if seq != self.act.stamp.seq]

    def path(self, seq: int) -> list[Record]:
        """The shortest path from the act to an event of the chain, both included. Raises KeyError for other events."""
        out = [self.records[seq]]
        while seq in self._from:
            seq = self._from[seq]
            out.append(self.records[seq])
        return out[::-1]


def links(chain: Chain, teller: Teller, seq: int) -> tuple[ChainLink, ...]:
    """The path to an event in words. Of neighbours with the same words only the first stays."""
    out: list[ChainLink] = []
    for record in chain.path(seq):
        words, seq = link_words(record, teller), record.stamp.seq
        if not out or out[-1].words != words:
            out.append(ChainLink(seq, words))
    return tuple(out)


def chain_words(way: Iterable[ChainLink]) -> str:
    """A path as text: "Mara posted -> Una read it -> Una told Bo"."""
    return " -> ".join(link.words for link in way)


def link_words(record: Record, teller: Teller) -> str:
    """Short words for an event in a path: those in CALLED, else its sentence as far as the first colon or semicolon."""
    words = CALLED.get(type(record.event))
    text = (
        words(teller, record)
        if words is not None
        else re.split(r"[:;] |, and named", event_sentence(record, teller))[0]
    )
    return clean(text, MOST)


def _read(teller: Teller, record: Record) -> str:
    saw = getattr(record.event, "counts", None) is not None
    return f"{_name(teller, record)} {'saw what came of it' if saw else 'read it'}"


def _exchanged(teller: Teller, record: Record) -> str:
    e: Any = record.event
    heard = [row for row in e.told if row.strength]
    if heard and heard[0].source not in FIRSTHAND:
        return f"{teller.name(heard[0].source)} told {teller.name(heard[0].who)}"
    who = [teller.name(who) for who in dict.fromkeys(line.who for line in e.lines)]
    return f"{' and '.join(who) or 'they'} talked"


def _name(teller: Teller, record: Record) -> str:
    return teller.name(record.stamp.actor)


CALLED: Mapping[type[Event], Callable[[Teller, Record], str]] = {
    Read: _read,
    Crossed: lambda teller, record: RULE_WORDS.get(getattr(record.event, "rule", ""), "something on the feed"),
    Exchanged: _exchanged,
    Closed: lambda teller, record: f"{' and '.join(map(teller.name, getattr(record.event, 'who', ())))} parted",
    Felt: lambda teller, record: f"{_name(teller, record)} felt it",
    Reflected: lambda teller, record: f"{_name(teller, record)} thought it over",
    Noticed: lambda teller, record: f"{_name(teller, record)} saw it",
}
