"""What came of one event, directly or through others: the chain of causes from it, and the shortest way back to it."""

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

MOST = 60  # letters of a link's words


class ChainLink(msgspec.Struct, frozen=True):
    """An event on the way, and what it is called there, in a few words: "Bo told Una"."""

    seq: int
    words: str


class Chain:
    """The events that have `act` among what they came of, and the act itself. Records must come in order.

    until: the second after which nothing is followed any more.
    """

    def __init__(self, act: Record, until: int) -> None:
        self.act, self.until = act, until
        self.records: dict[int, Record] = {act.stamp.seq: act}
        self._far: dict[int, int] = {act.stamp.seq: 0}
        self._from: dict[int, int] = {}

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
        """The shortest way from the act to an event of the chain, both of them with it. Raises KeyError for others."""
        out = [self.records[seq]]
        while seq in self._from:
            seq = self._from[seq]
            out.append(self.records[seq])
        return out[::-1]


def links(chain: Chain, teller: Teller, seq: int) -> tuple[ChainLink, ...]:
    """The way to an event in words. Of several that are called the same one after another the first stands, and of an
    act on the feed what is said of what was written.
    """
    out: list[ChainLink] = []
    for record in chain.path(seq):
        words, seq = link_words(record, teller), record.stamp.seq
        if out and record.event.EXPLAINS and chain.records[out[-1].seq].event.ON_FEED:
            seq = out.pop().seq
        if not out or out[-1].words != words:
            out.append(ChainLink(seq, words))
    return tuple(out)


def chain_words(way: Iterable[ChainLink]) -> str:
    """ "Mara posted -> Una read it -> Una told Bo"."""
    return " -> ".join(link.words for link in way)


def link_words(record: Record, teller: Teller) -> str:
    """What an event is called in a chain, clean and short: its sentence as far as a colon, or what is said here."""
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
