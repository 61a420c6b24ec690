"""All that came of one event, directly or through others: its chain of causes, with the shortest path to each event."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from sandbox.core.events import Record
from sandbox.core.text import clean
from sandbox.readers.all_stories import STORIES, event_sentence
from sandbox.readers.story import Teller

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
    """The path to an event in words. Of neighbours with the same words only the first stays. An act on the feed is
    replaced by the event that says what it was about.
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
    """A path as text: "Mara posted -> Una read it -> Una told Bo"."""
    return " -> ".join(link.words for link in way)


def link_words(record: Record, teller: Teller) -> str:
    """Short words for an event in a path: its story's, else its sentence as far as the first colon or semicolon."""
    text = STORIES[type(record.event)].link(teller, record.event, record.stamp)
    return clean(text or re.split(r"[:;] |, and named", event_sentence(record, teller))[0], MOST)
